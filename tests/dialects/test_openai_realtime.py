"""The Realtime protocol: the list of its events is the SDK's, what we send is among them, and what comes is read."""

from __future__ import annotations

import base64
import contextlib
import json
import random
import re
import typing
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from openai.types.realtime import RealtimeClientEvent, RealtimeServerEvent
from pydantic import BaseModel, TypeAdapter

from companion.dialects.openai_realtime import (
    AnswerBegan,
    AnswerEnded,
    Called,
    Committed,
    Heard,
    Noted,
    Order,
    Outcome,
    RealtimeSettings,
    Recall,
    Said,
    SessionReady,
    Sounded,
    Trouble,
    Turns,
    VoiceBegan,
    VoiceEnded,
    answer,
    append,
    cancel,
    clear,
    commit,
    item,
    read_event,
    session,
    truncate,
)
from companion.dialects.openai_realtime.events import KNOWN, READ
from companion.dialects.openai_realtime.recall import MOST_ITEMS, MOST_SOUND
from companion.errors import ModelError, Unsupported, WireBroken
from companion.model import Calling, FuncTool, ToolChoice
from companion.stream import Usage

EVENTS = json.loads((Path(__file__).parents[1] / "recordings" / "openai_realtime_events.json").read_text())
LAMP = FuncTool("lamp", "Switches it.", {"type": "object", "properties": {"on": {"type": "boolean"}}})


def listed(union: Any) -> dict[str, dict[str, list[str]]]:
    """The events of one side, as the SDK has them."""
    kinds: tuple[type[BaseModel], ...] = typing.get_args(typing.get_args(union)[0])
    return {typing.get_args(kind.model_fields["type"].annotation)[0]: fields(kind) for kind in kinds}


def fields(kind: type[BaseModel]) -> dict[str, list[str]]:
    told = kind.model_fields.items()
    return {
        "required": sorted(name for name, field in told if field.is_required()),
        "optional": sorted(name for name, field in told if not field.is_required()),
    }


@pytest.mark.parametrize(("side", "union"), [("client", RealtimeClientEvent), ("server", RealtimeServerEvent)])
def test_the_list_of_events_is_that_of_the_installed_sdk(side: str, union: Any) -> None:
    assert EVENTS[side] == listed(union)


def test_every_event_of_the_server_is_known() -> None:
    assert EVENTS["server"].keys() == KNOWN | READ


SETTINGS = RealtimeSettings(
    "Be short.", "marin", 1.2, True, "gpt-transcribe", "en", Turns.BY_SILENCE, 400, 200, (LAMP,), ToolChoice()
)
ORDERS: list[Order] = [
    session(RealtimeSettings(), order="1"),
    session(SETTINGS, order="1"),
    session(RealtimeSettings(has_sound=False, turns=Turns.BY_MEANING), order="1"),
    append(b"\1\0"),
    commit(order="2"),
    clear(order="3"),
    item({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hello"}]}, order="4"),
    answer(order="5"),
    answer(order="5", may_call=False),
    cancel("answer_1", order="6"),
    truncate("item_1", 0, 250, order="7"),
]


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order["type"])
def test_what_is_sent_is_an_event_of_the_sdk(order: Order) -> None:
    known = EVENTS["client"][order["type"]]
    read = TypeAdapter(RealtimeClientEvent).validate_json(json.dumps(order), strict=True)

    assert set(known["required"]) <= order.keys() <= {*known["required"], *known["optional"]}
    assert read.model_extra == {}  # type: ignore[union-attr]


def test_a_session_is_as_it_was_wished_for() -> None:
    told: Any = session(SETTINGS, order="1")["session"]

    assert told["max_output_tokens"] == 200
    assert told["audio"]["input"]["turn_detection"]["silence_duration_ms"] == 400
    assert told["audio"]["output"]["speed"] == 1.2
    assert told["tools"] == [
        {"type": "function", "name": "lamp", "description": "Switches it.", "parameters": LAMP.parameters}
    ]


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        (None, "auto"),
        (ToolChoice(Calling.FORBIDDEN), "none"),
        (ToolChoice(Calling.FORCED), "required"),
        (ToolChoice(Calling.FORCED, ("lamp",)), {"type": "function", "name": "lamp"}),
    ],
)
def test_a_choice_of_tools_is_told(choice: ToolChoice | None, expected: object) -> None:
    told: Any = session(RealtimeSettings(tools=(LAMP,), tool_choice=choice), order="1")["session"]
    assert told["tool_choice"] == expected


@pytest.mark.parametrize(
    ("choice", "names"),
    [
        (None, ["lamp", "door"]),
        (ToolChoice(names=("door",)), ["door"]),
        (ToolChoice(Calling.FORBIDDEN, ("door",)), ["lamp", "door"]),
    ],
)
def test_only_tools_that_may_be_called_are_offered(choice: ToolChoice | None, names: list[str]) -> None:
    tools = LAMP, replace(LAMP, name="door")
    told: Any = session(RealtimeSettings(tools=tools, tool_choice=choice), order="1")["session"]
    assert [tool["name"] for tool in told["tools"]] == names


def event(kind: str, **others: object) -> str:
    return json.dumps({"type": kind, "event_id": "e", **others})


RESPONSE = {"response_id": "a", "item_id": "i", "output_index": 0, "content_index": 0}
DONE = {
    "id": "a",
    "status": "cancelled",
    "status_details": {"type": "cancelled", "reason": "turn_detected"},
    "usage": {"input_tokens": 7, "output_tokens": 3, "input_token_details": {"cached_tokens": 5}},
}
CALL = {"id": "i", "type": "function_call", "call_id": "c", "name": "lamp", "arguments": "{}"}
READINGS = [
    (event("session.created", session={}), SessionReady(is_updated=False)),
    (event("session.updated", session={}), SessionReady(is_updated=True)),
    (event("input_audio_buffer.speech_started", audio_start_ms=5, item_id="i"), VoiceBegan("i", 5)),
    (event("input_audio_buffer.speech_stopped", audio_end_ms=9, item_id="i"), VoiceEnded("i", 9)),
    (event("input_audio_buffer.committed", item_id="i"), Committed("i")),
    (
        event(
            "conversation.item.input_audio_transcription.completed",
            item_id="i",
            content_index=0,
            transcript=" Hello\n",
            usage={"type": "duration", "seconds": 1},
        ),
        Heard("i", "Hello"),
    ),
    (
        event("conversation.item.input_audio_transcription.failed", item_id="i", content_index=0, error={}),
        Heard("i", "", is_made_out=False),
    ),
    (event("response.created", response={"id": "a"}), AnswerBegan("a")),
    (event("response.output_text.delta", **RESPONSE, delta="He"), Said("a", "i", "He")),
    (event("response.output_audio_transcript.delta", **RESPONSE, delta="He"), Said("a", "i", "He")),
    (event("response.output_audio.delta", **RESPONSE, delta="AQI="), Sounded("a", "i", 0, b"\1\2")),
    (
        event("response.output_item.done", response_id="a", output_index=0, item=CALL),
        Called("a", "i", "c", "lamp", "{}"),
    ),
    (
        event("response.output_item.done", response_id="a", output_index=0, item={"type": "message"}),
        Noted("response.output_item.done", is_known=True),
    ),
    (event("response.done", response=DONE), AnswerEnded("a", Outcome.CANCELLED, "turn_detected", Usage(7, 3, 5))),
    (
        event("response.done", response={"id": "a", "status": "completed"}),
        AnswerEnded("a", Outcome.COMPLETED, "", Usage()),
    ),
    (event("rate_limits.updated", rate_limits=[]), Noted("rate_limits.updated", is_known=True)),
    (event("response.smile"), Noted("response.smile", is_known=False)),
]


@pytest.mark.parametrize(("text", "expected"), READINGS, ids=lambda value: value[:40] if isinstance(value, str) else "")
def test_an_event_is_read(text: str, expected: object) -> None:
    assert read_event(text) == expected
    assert read_event(text.encode()) == expected


def test_failures_are_told_in_the_words_of_the_provider() -> None:
    error = {"type": "invalid_request_error", "code": "no_such_voice", "message": "No such voice.", "event_id": "9"}
    told = read_event(event("error", error=error))
    done = read_event(
        event("response.done", response={"id": "a", "status": "failed", "status_details": {"error": error}})
    )

    assert isinstance(told, Trouble)
    assert (told.order, told.code) == ("9", "no_such_voice")
    assert "No such voice." in str(told.error)
    assert isinstance(done, AnswerEnded)
    assert isinstance(done.error, ModelError)


@pytest.mark.parametrize("name", sorted(READ - {"session.created", "session.updated"}))
def test_an_event_that_lacks_what_it_tells_is_named(name: str) -> None:
    with pytest.raises(WireBroken, match=name):
        read_event(event(name))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "{}", '{"type": 7}', "[" * 100_000])
def test_what_is_no_event_is_malformed(text: str) -> None:
    with pytest.raises(WireBroken):
        read_event(text)


def test_a_mutated_event_is_read_or_malformed_and_nothing_else() -> None:
    chance = random.Random(7)
    for _ in range(500):
        letters = list(chance.choice(READINGS)[0])
        for _ in range(chance.randrange(1, 6)):
            letters[chance.randrange(len(letters))] = chance.choice('{}[]":,0a\\é')
        with contextlib.suppress(WireBroken):
            read_event("".join(letters))


# -- what is remembered for a new line


def told(recall: Recall) -> list[tuple[object, object]]:
    """Role or kind, and the words, of each message."""
    return [(one.get("role", one["type"]), words(one)) for one in recall.items()]


def words(held: Mapping[str, Any]) -> object:
    content = held.get("content", [{}])[0]
    return content.get("text") or content.get("audio") or held.get("arguments") or held.get("output")


def test_a_name_that_the_model_made_up_is_put_back_in_a_form_that_is_taken() -> None:
    recall = Recall()
    for at, name in enumerate(("get time!", "get time?", "clock")):
        recall.called(f"i{at}", f"c{at}", name, "{}")
        recall.returned(f"c{at}", "noon")
    names = [str(held["name"]) for held in recall.items() if held["type"] == "function_call"]
    assert len(set(names)) == 3
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in names)
    assert names[2] == "clock"
    assert recall.call("c1")["name"] == names[1]
    with pytest.raises(Unsupported, match="get time!"):
        session(RealtimeSettings(tools=(FuncTool("get time!", "", {}),)), order="1")


def test_a_conversation_is_put_back_in_words_and_what_nobody_wrote_down_in_sound() -> None:
    recall = Recall()
    recall.user_sounded(b"\1\0")
    recall.user_sounded(b"\2\0")
    recall.named("i1")
    recall.named("i2")
    recall.named("i2")
    recall.heard("i1", "Hello.")
    recall.said("i3", "Good ")
    recall.said("i3", "day.")
    recall.user_said("Time?")
    recall.called("i4", "c1", "clock", "{}")
    recall.called("i5", "c2", "clock", "{}")
    recall.returned("c1", "noon")

    assert told(recall) == [
        ("user", "Hello."), ("user", base64.b64encode(b"\2\0").decode()), ("assistant", "Good day."),
        ("user", "Time?"), ("function_call", "{}"), ("function_call_output", "noon"),
    ]  # fmt: skip
    for held in recall.items():
        TypeAdapter(RealtimeClientEvent).validate_json(json.dumps(item(held, order="1")), strict=True)
    assert recall.call("c2") == {"type": "function_call", "call_id": "c2", "name": "clock", "arguments": "{}"}
    assert recall.call("c3") is None


def test_of_an_answer_that_was_cut_what_was_heard_is_kept() -> None:
    recall = Recall()
    recall.said("i", "One two three four.")
    recall.sounded("i", 48 * 1000)
    recall.cut("i", 500)
    assert told(recall) == [("assistant", "One two")]
    recall.cut("i", 0)
    assert told(recall) == []


def test_what_is_remembered_is_bounded() -> None:
    recall = Recall()
    for _ in range(5):
        recall.user_sounded(bytes(MOST_SOUND // 2))
    assert len(told(recall)) == 2
    for place in range(2 * MOST_ITEMS):
        recall.user_said(f"{place}")
    assert len(told(recall)) == MOST_ITEMS
