"""Answers of the Responses API: recordings written after its reference of streaming events."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from dialects.questions import broken_links
from dialects.wire import check_recording, deltas_of, failure_of, recordings
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

from companion.dialects import choose_dialect
from companion.dialects.laws import check_dialect, said_of
from companion.dialects.openai_responses import OpenAIResponses
from companion.errors import ContextTooLong, ModelError, ProviderFailed, Refused, Throttled, WireBroken
from companion.model import ChatRequest, ChatRole, Message, ModelContext, Usage
from companion.model.calls import CallDelta
from companion.model.deltas import BlobDelta, Counted, Finish, Finished, RawDelta, TextDelta, ThoughtDelta
from companion.model.gathered import concat
from companion.stream import Blob

DIALECT = OpenAIResponses()
FOLDER = Path(__file__).with_name("recordings") / "openai-responses"


def recording(name: str) -> bytes:
    return (FOLDER / f"{name}.sse").read_bytes()


def events_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line[6:]) for line in recording(name).decode().splitlines() if line.startswith("data: ")]


def sent(*events: dict[str, Any]) -> bytes:
    return "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events).encode()


def event(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": f"response.{kind}", "sequence_number": 1, "output_index": 0, **more}


def completed(*items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return event("completed", response={"status": "completed", "output": list(items), **more})


WORD = event("output_text.delta", item_id="msg_1", content_index=0, delta="Well", logprobs=[])


@pytest.mark.parametrize("path", recordings(DIALECT), ids=lambda path: path.stem)
def test_a_recording_means_the_same_in_every_form_and_no_damage_is_silent(path):
    check_recording(DIALECT, path.read_bytes())


@pytest.mark.parametrize("path", recordings(DIALECT), ids=lambda path: path.stem)
def test_the_recordings_are_of_the_events_that_the_official_sdk_knows(path):
    known: Any = TypeAdapter(ResponseStreamEvent)
    for line in path.read_text().splitlines():
        if line.startswith("data: "):
            known.validate_json(line.removeprefix("data: "))


@pytest.mark.parametrize("path", recordings(DIALECT), ids=lambda path: path.stem)
def test_an_answer_that_came_whole_is_the_same(path):
    whole = events_of(path.stem)[-1]["response"]
    Response.model_validate(whole)

    check_dialect(DIALECT, path.read_bytes(), whole=whole, uncarried=broken_links("m"))


def test_words_come_as_they_are_said():
    assert deltas_of(DIALECT, recording("words")) == [
        TextDelta("Grüß"),
        TextDelta(" dich, 世界 🌍!"),
        Counted(Usage(prompt_tokens=36, completion_tokens=11)),
        Finished(Finish.STOP),
    ]


def test_thoughts_keep_what_only_the_provider_can_read_and_calls_their_arguments():
    said = said_of(deltas_of(DIALECT, recording("thinking_and_calls")))

    assert said.thoughts == ("Two cities.\n\nTwo calls.openai-responses reasoning rs_1 gAAAAABpV1hx9Q",)
    assert said.text == "I look it up."
    assert [(call.name, call.arguments) for call in said.calls] == [("weather", '{"city":"Köln"}'), ("clock", "{}")]
    assert said.finished == Finished(Finish.TOOL_CALLS)
    assert said.usage == Usage(
        prompt_tokens=2100, completion_tokens=120, cached_tokens=2048, stored_tokens=50, thinking_tokens=64
    )


def test_what_the_model_thought_and_searched_goes_back_as_it_came():
    for name in ("thinking_and_calls", "web_search", "phases"):
        gathered = concat(deltas_of(DIALECT, recording(name)))
        context = ModelContext(messages=(Message.of(ChatRole.USER, "hi"), *gathered.messages))
        body: Any = DIALECT.encode(ChatRequest(context), "https://api.openai.test").body
        items = events_of(name)[-1]["response"]["output"]

        # Calls are remembered behind the words.
        items.sort(key=lambda item: item["type"] == "function_call")
        assert [item["type"] for item in body["input"][1:]] == [item["type"] for item in items]
        for back, came in zip(body["input"][1:], items, strict=True):
            assert back.get("phase") == came.get("phase")
            if came["type"] == "web_search_call":
                assert back == came
            if came["type"] == "reasoning":
                assert (back["id"], back["encrypted_content"]) == (came["id"], came["encrypted_content"])
            if came["type"] == "function_call":
                assert (back["call_id"], back["arguments"]) == (came["call_id"], came["arguments"])


def test_sources_and_searches_of_the_provider_are_told_as_they_are():
    raw = [delta.data for delta in deltas_of(DIALECT, recording("web_search")) if isinstance(delta, RawDelta)]

    assert [one["type"] for one in raw] == ["web_search_call", "url_citation"]


def test_a_refusal_says_why():
    assert deltas_of(DIALECT, recording("refusal"))[-1] == Finished(
        Finish.REFUSED, "I cannot help with that.", "refusal"
    )


@pytest.mark.parametrize(
    ("details", "finished"),
    [
        ({"reason": "max_output_tokens"}, Finished(Finish.LENGTH, "", "max_output_tokens")),
        ({"reason": "content_filter"}, Finished(Finish.REFUSED, "", "content_filter")),
        ({"reason": "steered"}, Finished(Finish.LENGTH, "", "steered")),
        (None, Finished(Finish.LENGTH, "", "incomplete")),
    ],
)
def test_an_incomplete_answer_says_why(details, finished):
    end = event("incomplete", response={"status": "incomplete", "incomplete_details": details})

    assert deltas_of(DIALECT, sent(WORD, end)) == [TextDelta("Well"), finished]


def test_a_server_that_sends_items_only_whole_loses_nothing():
    message = {"type": "message", "content": [{"type": "output_text", "text": "Well", "annotations": [{"a": 1}]}]}
    reasoning = {
        "type": "reasoning",
        "id": "rs_1",
        "summary": [],
        "content": [{"type": "reasoning_text", "text": "Hm"}],
    }
    call = {"type": "function_call", "call_id": "c", "name": "clock", "arguments": "{}"}
    expected = [
        ThoughtDelta("Hm"),
        TextDelta("Well"),
        RawDelta({"a": 1}),
        CallDelta(2, "c", "clock"),
        CallDelta(2, arguments="{}"),
        Finished(Finish.TOOL_CALLS),
    ]
    done = [
        event("output_item.done", item=item) | {"output_index": at}
        for at, item in enumerate((reasoning, message, call))
    ]

    assert deltas_of(DIALECT, sent(*done, completed())) == expected
    assert deltas_of(DIALECT, sent(completed(reasoning, message, call))) == expected
    assert deltas_of(DIALECT, sent(*done, completed(reasoning, message, call))) == expected


def test_a_part_of_the_words_that_comes_only_in_the_end_is_not_lost():
    parts = [{"type": "output_text", "text": text} for text in ("Well", ", no", ".")]
    item = {"type": "message", "content": parts}
    pieces = [event("output_text.delta", delta=piece, content_index=0) for piece in ("We", "ll")]
    expected = [TextDelta("We"), TextDelta("ll"), TextDelta(", no"), TextDelta("."), Finished(Finish.STOP)]

    assert deltas_of(DIALECT, sent(*pieces, event("output_item.done", item=item), completed(item))) == expected
    assert deltas_of(DIALECT, sent(*pieces, completed(item))) == expected


def test_arguments_that_come_whole_are_taken_once():
    item = {"type": "function_call", "call_id": "c", "name": "clock", "arguments": ""}
    added = event("output_item.added", item=item)
    done = event("function_call_arguments.done", arguments='{"zone": 1}')

    assert deltas_of(DIALECT, sent(added, done, done, completed({**item, "arguments": '{"zone": 1}'}))) == [
        CallDelta(0, "c", "clock"),
        CallDelta(0, arguments='{"zone": 1}'),
        Finished(Finish.TOOL_CALLS),
    ]


def test_a_picture_that_was_made_is_given():
    item = {"type": "image_generation_call", "id": "ig_1", "result": "d2VicA==", "output_format": "webp"}

    assert deltas_of(DIALECT, sent(completed(item)))[0] == BlobDelta(Blob("image/webp", b"webp"))


def test_what_a_tool_of_the_provider_did_is_told_as_it_is():
    item = {"type": "mcp_call", "id": "mcp_1", "output": "x"}

    assert deltas_of(DIALECT, sent(completed(item)))[0] == RawDelta(item)


def test_a_done_behind_the_end_is_quiet_and_keep_alives_are():
    words = recording("words") + b'event: keepalive\ndata: {"type":"keepalive","sequence_number":3}\n\ndata: [DONE]\n\n'

    assert deltas_of(DIALECT, words) == deltas_of(DIALECT, recording("words"))


@pytest.mark.parametrize(
    "broken",
    [
        {**WORD, "delta": 5},
        {**WORD, "output_index": "first"},
        event("output_item.done", item=[]),
        event("output_item.done", item={"type": "message", "content": "Well"}),
        event("output_item.done", item={"type": "image_generation_call", "result": "!"}),
        event("completed", response=[]),
        completed(usage={"input_tokens": -1}),
    ],
)
def test_an_event_that_is_malformed_is_named(broken):
    failure = failure_of(DIALECT, sent(broken, completed()))

    assert isinstance(failure, WireBroken)
    assert broken["type"] in str(failure)


def test_nothing_grows_without_bound():
    many = [event("output_item.added", item={"type": "message"}) | {"output_index": at} for at in range(1100)]
    refusal = event("refusal.delta", delta="x" * 100_000)

    assert "items" in str(failure_of(DIALECT, sent(*many, completed())))
    assert "too long" in str(failure_of(DIALECT, sent(refusal, refusal, completed())))


@pytest.mark.parametrize(
    ("code", "error", "retryable"),
    [
        ("server_error", ProviderFailed, True),
        ("rate_limit_exceeded", Throttled, True),
        ("vector_store_timeout", ProviderFailed, True),
        ("invalid_prompt", Refused, False),
        ("image_too_large", Refused, False),
        ("unsupported_image_media_type", Refused, False),
        ("bio_policy", Refused, False),
        ("context_length_exceeded", ContextTooLong, False),
        ("of_tomorrow", ProviderFailed, True),
    ],
)
def test_an_error_in_the_midst_ends_the_answer_behind_what_was_said(code, error, retryable):
    failed = event("failed", response={"status": "failed", "error": {"code": code, "message": "It broke."}})
    told = {"type": "error", "sequence_number": 3, "code": code, "message": "It broke.", "param": None}
    nested = {"type": "error", "error": {"type": code, "message": "It broke."}}

    for end in (failed, told, nested):
        failure = failure_of(DIALECT, sent(WORD, end))
        assert (type(failure), str(failure), failure.retryable) == (error, "It broke.", retryable)


def test_an_answer_that_failed_whole_is_that_error():
    for status in ("failed", "cancelled"):
        with pytest.raises(ModelError):
            DIALECT.read({"status": status, "error": None, "output": []})
    with pytest.raises(Throttled, match="slow down"):
        DIALECT.read({"status": "failed", "error": {"code": "rate_limit_exceeded", "message": "slow down"}})


@pytest.mark.parametrize(
    "answer", [None, [], "sun", {}, {"status": "in_progress"}, {"status": "completed", "output": 5}]
)
def test_a_whole_answer_that_is_none_is_broken(answer):
    with pytest.raises(WireBroken):
        DIALECT.read(answer)


def error(words: str, code: str | None = None, kind: str = "invalid_request_error") -> dict[str, Any]:
    return {"error": {"message": words, "type": kind, "param": None, "code": code}}


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (400, Refused),
        (401, Refused),
        (403, Refused),
        (404, Refused),
        (429, Throttled),
        (500, ProviderFailed),
        (503, ProviderFailed),
    ],
)
def test_a_status_becomes_an_error_in_the_providers_words(status, expected):
    fault = DIALECT.fault(status, error("The model does not exist"))

    assert (type(fault), str(fault)) == (expected, "The model does not exist")


@pytest.mark.parametrize(
    ("answer", "needed", "room"),
    [
        (error("Your input exceeds the context window of this model.", "context_length_exceeded"), 0, 0),
        (error("maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens."), 9001, 8192),
        (
            error(
                "request (5000 tokens) exceeds the available context size (4096 tokens)",
                None,
                "exceed_context_size_error",
            ),
            5000,
            4096,
        ),
    ],
)
def test_a_question_that_is_too_long_is_told_with_both_numbers(answer, needed, room):
    fault = DIALECT.fault(400, answer)

    assert isinstance(fault, ContextTooLong)
    assert (fault.needed, fault.room) == (needed, room)


def test_credit_that_is_spent_is_not_waited_for():
    fault = DIALECT.fault(429, error("You exceeded your current quota", "insufficient_quota", "insufficient_quota"))

    assert isinstance(fault, Refused)
    assert (fault.retryable, fault.status) == (False, 429)
    assert "credit" in fault.mend


@pytest.mark.parametrize(
    ("words", "after"), [("try again in 1.5s.", 1.5), ("try again in 20ms.", 0.02), ("later", None)]
)
def test_a_pause_that_is_asked_for_in_words_is_read(words, after):
    fault = DIALECT.fault(429, error(f"Rate limit reached, please {words}", "rate_limit_exceeded"))

    assert isinstance(fault, Throttled)
    assert fault.after == after


def test_an_error_never_repeats_a_key_and_stays_short():
    key = "sk-proj-" + "not-a-real-key-" * 3
    for answer in (
        error(f"Incorrect API key provided: {key}. " + "x " * 900),
        f"<h1>Bad {key}</h1>",
        None,
        {"error": 5},
    ):
        fault = DIALECT.fault(401, answer)
        assert "not-a-real-key" not in str(fault)
        assert 0 < len(str(fault)) < 400


def test_it_is_chosen_only_by_name_or_by_url():
    assert choose_dialect("openai-responses").name == "openai-responses"
    assert choose_dialect(url="https://h/v1/responses/?x=1").name == "openai-responses"
    assert choose_dialect(url="https://h/v1/responses#").name != "anthropic"
    assert choose_dialect(provider="openai", url="https://h/v1/responses").name != "openai-responses"
