import hashlib
import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from doubles.checkout import TOP
from doubles.turns import RandomTurn

from companion.dialects.ui_streams import AiSdkWriter, Part
from companion.dialects.ui_streams.contract import CUT_OFF, MOST_DATA, UNANSWERED
from companion.errors import Unreachable
from companion.model.event_order import EventOrder
from companion.model.events import (
    Custom,
    Error,
    Event,
    Raw,
    ResponseEnd,
    ResponseStart,
    StepEnd,
    StepStart,
    TextDelta,
    TextEnd,
    TextStart,
    ThinkingDelta,
    ToolCallArgsDelta,
    ToolCallEnd,
    ToolCallStart,
    ToolResult,
    Usage,
)
from companion.stream import Blob, FuncCall, ToolCall

CALL = ToolCall("c", FuncCall("look", '{"at": 1}'))
BEGIN = (ResponseStart(), StepStart(1))
TURNS = 300


def node_folder() -> Path:
    """Where ``./check`` has put what the tests read with."""
    lock = (TOP / "tests/node/package-lock.json").read_bytes()
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "companion/tests/node" / hashlib.sha256(lock).hexdigest()[:16]
    assert folder.is_dir(), f"{folder} is not there: run the tests through ./check, which installs it"
    return folder


def read_officially(*bodies: bytes) -> list[dict[str, Any]]:
    """What the official package makes of the bodies of responses."""
    answer = subprocess.run(
        ["node", TOP / "tests/node/read_ui_streams.mjs", node_folder()],
        input=json.dumps([body.decode() for body in bodies]),
        capture_output=True,
        check=True,
        text=True,
        timeout=100,
    )
    read: list[dict[str, Any]] = json.loads(answer.stdout)
    return read


def body_of(events: Sequence[Event], *, sends_raw: bool = False) -> bytes:
    """The body of the response that tells of a turn, which is broken off where the events stop."""
    writer = AiSdkWriter("answer", sends_raw=sends_raw)
    bodies = [writer.to_bytes(writer.write(event)) for event in events]
    return b"".join([*bodies, writer.to_bytes(writer.stop())])


def written(*events: Event) -> list[Part]:
    writer = AiSdkWriter("answer")
    return [part for event in events for part in writer.write(event)]


def kinds(parts: Sequence[Part]) -> str:
    return " ".join(str(part["type"]) for part in parts)


def test_a_turn_with_everything_is_read_by_the_official_package() -> None:
    body = body_of([
        *BEGIN, ThinkingDelta("hm"), ThinkingDelta(signature="s"), TextStart(), TextDelta("Let me "), TextDelta(" "),
        TextDelta("look."), TextEnd(), Custom("source", {"url": "https://example.org/cats", "title": "Cats"}),
        ToolCallStart("c", "look"), ToolCallArgsDelta("c", '{"at"'), ToolCallArgsDelta("c", ": 1}"), ToolCallEnd(CALL),
        Usage(5, 3), StepEnd(1, "tool"), ToolResult("c", "a cat"),
        StepStart(2), TextStart(), TextDelta("A cat."), TextEnd(), Custom("blob", Blob("image/png", b"\x89")),
        StepEnd(2, "stop"), ResponseEnd("stop", Usage(9, 4)),
    ])  # fmt: skip
    [read] = read_officially(body)

    assert (read["faults"], read["errors"]) == ([], [])
    assert kinds(read["parts"]) == (
        "start start-step reasoning-start reasoning-delta reasoning-end text-start text-delta text-delta "
        "text-delta text-end source-url tool-input-start tool-input-delta tool-input-delta tool-input-available "
        "tool-output-available finish-step start-step text-start text-delta text-end file finish-step finish"
    )
    assert read["parts"][-1]["finishReason"] == "stop"
    message = read["message"]
    assert message["id"] == "answer"
    assert message["metadata"]["usage"]["totalTokens"] == 13
    thought, words, source, look, answer, picture = (part for part in message["parts"] if part["type"] != "step-start")
    assert (thought["text"], thought["providerMetadata"]) == ("hm", {"companion": {"signature": "s"}})
    assert (words["text"], answer["text"]) == ("Let me  look.", "A cat.")
    assert (source["url"], source["title"]) == ("https://example.org/cats", "Cats")
    assert (look["type"], look["state"], look["input"], look["output"]) == (
        "tool-look", "output-available", {"at": 1}, "a cat"
    )  # fmt: skip
    assert picture["url"] == "data:image/png;base64,iQ=="
    assert body.endswith(b"data: [DONE]\n\n")


def test_whatever_the_turn_the_official_package_reads_it() -> None:
    turns = [RandomTurn(seed) for seed in range(TURNS)]
    for turn in turns:
        EventOrder.check(turn.events, is_whole=turn.is_whole)
    read = read_officially(*(body_of(turn.events, sends_raw=seed % 2 == 0) for seed, turn in enumerate(turns)))

    for turn, answer in zip(turns, read, strict=True):
        has_failed = any(isinstance(event, Error) for event in turn.events)
        assert answer["faults"] == []
        assert answer["errors"] == (["the line is dead"] if has_failed else [])
        assert kinds(answer["parts"]).endswith(" finish" if turn.is_whole or has_failed else "abort")
        parts = answer["message"]["parts"] if answer["message"] else []
        assert all(part.get("state") not in ("streaming", "input-streaming") for part in parts)
        said = "".join(part["text"] for part in parts if part["type"] == "text")
        assert said == "".join(event.text for event in turn.events if isinstance(event, TextDelta)).replace(
            "\udcff", "\ufffd"
        )


def test_an_error_closes_what_is_open_and_the_end_follows() -> None:
    parts = written(*BEGIN, TextStart(), TextDelta("Let"), Error(Unreachable("gone\nfor good")), ResponseEnd("error"))

    assert kinds(parts[-4:]) == "text-end finish-step error finish"
    assert parts[-2]["errorText"] == "gone for good"
    assert parts[-1]["finishReason"] == "error"


def test_calls_that_an_error_leaves_behind_are_told_of() -> None:
    whole = [ToolCallStart("c", "look"), ToolCallEnd(CALL)]
    parts = written(*BEGIN, *whole, ToolCallStart("d", "look"), Error(Unreachable("gone")))

    assert kinds(parts[-4:]) == "tool-input-error tool-output-error finish-step error"
    assert [parts[-4]["errorText"], parts[-3]["errorText"]] == [CUT_OFF, UNANSWERED]


def test_a_result_that_is_an_error_is_told_as_one() -> None:
    parts = written(
        *BEGIN,
        ToolCallStart("c", "look"),
        ToolCallEnd(CALL),
        StepEnd(1, "tool"),
        ToolResult("c", "Error: no", is_error=True),
    )

    assert parts[-1] == {"type": "tool-output-error", "toolCallId": "c", "errorText": "no"}


def test_a_call_that_was_cut_is_no_call() -> None:
    parts = written(
        *BEGIN, ToolCallStart("c", "look"), ToolCallEnd(ToolCall("c", FuncCall("look", '{"a')), is_cut=True)
    )

    assert kinds(parts[-1:]) == "tool-input-error"


@pytest.mark.parametrize(
    ("arguments", "given"), [("", {}), ("{}", {}), ("[1]", [1]), ("no JSON", "no JSON"), ('{"n": NaN}', '{"n": NaN}')]
)
def test_arguments_are_given_as_json_where_they_are(arguments: str, given: object) -> None:
    parts = written(*BEGIN, ToolCallStart("c", "look"), ToolCallEnd(ToolCall("c", FuncCall("look", arguments))))

    assert parts[-1]["input"] == given


@pytest.mark.parametrize(
    ("reason", "told"),
    [("stop", "stop"), ("tool", "tool-calls"), ("length", "length"), ("refused", "content-filter"), ("odd", "other")],
)
def test_the_finish_reason_is_one_that_the_interface_knows(reason: str, told: str) -> None:
    assert written(*BEGIN, StepEnd(1, reason), ResponseEnd(reason))[-1]["finishReason"] == told


def test_a_turn_that_is_broken_off_says_so() -> None:
    writer = AiSdkWriter("answer")
    assert writer.stop() == []
    for event in (*BEGIN, ThinkingDelta("hm")):
        writer.write(event)
    parts = writer.stop()

    assert kinds(parts) == "reasoning-end finish-step abort"
    assert writer.to_bytes(parts).endswith(b"data: [DONE]\n\n")
    assert writer.stop() == writer.write(TextStart()) == []


def test_what_is_too_large_or_no_json_is_left_out() -> None:
    asides = [
        Custom("thing", object()),
        Custom("blob", Blob("image/png", bytes(MOST_DATA))),
        Custom("odd", float("nan")),
    ]

    assert written(ResponseStart(), *asides, Raw({"type": "ping"}))[1:] == []


def test_the_response_names_its_protocol() -> None:
    assert AiSdkWriter("answer").headers["x-vercel-ai-ui-message-stream"] == "v1"


def test_words_that_only_look_like_an_error_are_a_result() -> None:
    events = *BEGIN, ToolCallStart("c", "look"), ToolCallEnd(CALL), StepEnd(1, "tool"), ToolResult("c", "Error: 404")
    (part,) = [part for part in written(*events) if part["type"].startswith("tool-output")]

    assert part == {"type": "tool-output-available", "toolCallId": "c", "output": "Error: 404"}
