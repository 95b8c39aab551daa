"""Answers of the Messages API: recordings written after platform.claude.com/docs/en/build-with-claude/streaming."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from anthropic.types import Message as SdkMessage
from anthropic.types import RawMessageStreamEvent
from dialects.questions import broken_links
from dialects.wire import check_recording, deltas_of, failure_of, recordings
from pydantic import TypeAdapter

from companion.dialects import choose_dialect
from companion.dialects.anthropic import Anthropic
from companion.dialects.laws import check_dialect, said_of
from companion.errors import (
    ContextTooLong,
    InvalidAnswer,
    ModelError,
    ProviderFailed,
    Refused,
    Throttled,
    WireBroken,
)
from companion.model import ChatRequest, ChatRole, Contents, Message, ModelContext, Usage
from companion.model.calls import CallDelta
from companion.model.deltas import Counted, Finish, Finished, RawDelta, TextDelta, ThoughtDelta
from companion.model.gathered import concat

DIALECT = Anthropic()
FOLDER = Path(__file__).with_name("recordings") / "anthropic"


def recording(name: str) -> bytes:
    return (FOLDER / f"{name}.sse").read_bytes()


def sent(*events: dict[str, Any]) -> bytes:
    return "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events).encode()


def message(*content: dict[str, Any], **more: Any) -> dict[str, Any]:
    """One that came whole."""
    usage = {"input_tokens": 1, "output_tokens": 2}
    fields = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-opus-5", "usage": usage}
    return {**fields, "content": list(content), "stop_reason": "end_turn", "stop_sequence": None, **more}


START = {"type": "message_start", "message": message(stop_reason=None)}
BEGUN = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
WORD = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Well"}}
END = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 3}}
STOP = {"type": "message_stop"}


@pytest.mark.parametrize("path", recordings(DIALECT), ids=lambda path: path.stem)
def test_a_recording_means_the_same_in_every_form_and_no_damage_is_silent(path):
    check_recording(DIALECT, path.read_bytes())


@pytest.mark.parametrize("path", recordings(DIALECT), ids=lambda path: path.stem)
def test_the_recordings_are_of_the_events_that_the_official_sdk_knows(path):
    known: Any = TypeAdapter(RawMessageStreamEvent)
    for line in path.read_text().splitlines():
        if line.startswith("data: ") and '"ping"' not in line:
            known.validate_json(line.removeprefix("data: "))


def test_words_come_as_they_are_said():
    assert deltas_of(DIALECT, recording("words")) == [
        Counted(Usage(prompt_tokens=2060, completion_tokens=1, cached_tokens=2048)),
        TextDelta("Grüß"),
        TextDelta(" dich, 世界 🌍!"),
        Counted(Usage(completion_tokens=9)),
        Finished(Finish.STOP, "", "end_turn"),
    ]


def test_thoughts_keep_their_signatures_and_calls_their_arguments():
    said = said_of(deltas_of(DIALECT, recording("thinking_and_calls")))

    assert said.thoughts == (
        "Two cities, two calls.anthropic signature EqQBCgIYAhIM1gbcDa9GJwZA2b3h",
        "anthropic redacted EmwKAhgBEgy3va3pzix",
    )
    assert said.text == "I look it up."
    assert [(call.name, call.arguments) for call in said.calls] == [("weather", '{"city": "Köln"}'), ("clock", "{}")]
    assert said.finished == Finished(Finish.TOOL_CALLS, "", "tool_use")


def test_all_tokens_of_the_prompt_are_counted_with_those_of_the_cache():
    said = said_of(deltas_of(DIALECT, recording("thinking_and_calls")))

    assert said.usage == Usage(
        prompt_tokens=40 + 1024 + 512, completion_tokens=120, cached_tokens=512, stored_tokens=1024, thinking_tokens=30
    )


def test_what_the_model_thought_and_searched_goes_back_as_it_came():
    for name in ("thinking_and_calls", "web_search"):
        events = [json.loads(line[6:]) for line in recording(name).decode().splitlines() if line.startswith("data: ")]
        gathered = concat(deltas_of(DIALECT, recording(name)))
        context = ModelContext(messages=(Message.of(ChatRole.USER, "hi"), *gathered.messages))
        body: Any = DIALECT.encode(ChatRequest(context), "https://api.anthropic.test").body
        blocks = [{**block, "cache_control": None} for block in body["messages"][1]["content"]]

        begun = [one["content_block"]["type"] for one in events if one["type"] == "content_block_start"]
        assert [block["type"] for block in blocks] == begun
        for event in events:
            delta = event.get("delta", {})
            if delta.get("type") == "signature_delta":
                assert blocks[event["index"]]["signature"] == delta["signature"]
            if event.get("content_block", {}).get("type") in ("redacted_thinking", "web_search_tool_result"):
                assert blocks[event["index"]] == {**event["content_block"], "cache_control": None}


def test_sources_and_searches_of_the_provider_are_told_as_they_are():
    raw = [delta.data for delta in deltas_of(DIALECT, recording("web_search")) if isinstance(delta, RawDelta)]

    assert [one["type"] for one in raw] == [
        "server_tool_use",
        "web_search_tool_result",
        "web_search_result_location",
    ]
    assert raw[0]["input"] == {"query": "tides"}


def test_a_refusal_says_why():
    deltas = deltas_of(DIALECT, recording("refusal"))

    assert deltas[-1] == Finished(Finish.REFUSED, "This may harm others.", "refusal")


@pytest.mark.parametrize(
    ("reason", "why"),
    [
        ("end_turn", Finish.STOP),
        ("stop_sequence", Finish.STOP),
        ("max_tokens", Finish.LENGTH),
        ("model_context_window_exceeded", Finish.LENGTH),
        ("pause_turn", Finish.LENGTH),
        ("tool_use", Finish.TOOL_CALLS),
        ("of_tomorrow", Finish.STOP),
    ],
)
def test_the_reason_to_end_keeps_its_word(reason, why):
    end = {**END, "delta": {"stop_reason": reason}}

    assert deltas_of(DIALECT, sent(START, BEGUN, WORD, end, STOP))[-1] == Finished(why, "", reason)


def test_a_call_that_was_cut_is_not_made():
    gathered = concat(deltas_of(DIALECT, recording("cut_in_a_call")))

    assert (gathered.text, gathered.calls, gathered.finish_reason) == ("Wait", (), "length")


def test_arguments_that_come_whole_with_the_call_are_taken():
    block = {"type": "tool_use", "id": "a", "name": "weather", "input": {"city": "Bonn"}}
    deltas = deltas_of(DIALECT, sent(START, {**BEGUN, "content_block": block}, _stopped(0), END, STOP))

    assert [delta for delta in deltas if isinstance(delta, CallDelta)] == [
        CallDelta(0, "a", "weather"),
        CallDelta(0, arguments='{"city": "Bonn"}'),
    ]


def test_words_that_come_with_the_begin_of_a_block_are_taken():
    block = {"type": "thinking", "thinking": "Hm", "signature": "EqQ"}
    deltas = deltas_of(DIALECT, sent(START, {**BEGUN, "content_block": block}, _stopped(0), END, STOP))

    assert [one for one in deltas if isinstance(one, ThoughtDelta)] == [
        ThoughtDelta("Hm"),
        ThoughtDelta(signature="anthropic signature EqQ"),
    ]


def test_a_search_of_the_provider_that_was_cut_is_left_out():
    block = {"type": "server_tool_use", "id": "a", "name": "web_search", "input": {}}
    piece = {"type": "input_json_delta", "partial_json": '{"query": "ti'}
    events = sent(START, {**BEGUN, "content_block": block}, {**WORD, "delta": piece}, _stopped(0), END, STOP)

    assert not [one for one in deltas_of(DIALECT, events) if isinstance(one, ThoughtDelta)]


def test_a_message_that_does_not_say_why_it_ends_is_broken():
    failure = failure_of(DIALECT, sent(START, BEGUN, WORD, STOP))

    assert isinstance(failure, WireBroken)
    assert "message_stop" in str(failure)


@pytest.mark.parametrize(
    "event",
    [
        {**WORD, "delta": {"type": "text_delta", "text": 5}},
        {**WORD, "delta": []},
        {**WORD, "index": "first"},
        {**BEGUN, "content_block": "text"},
        {**END, "usage": {"output_tokens": -3}},
        {"type": "message_start", "message": {"usage": 3}},
    ],
)
def test_an_event_that_is_malformed_is_named(event):
    failure = failure_of(DIALECT, sent(START, BEGUN, event, END, STOP))

    assert isinstance(failure, WireBroken)
    assert event["type"] in str(failure)


def test_nothing_grows_without_bound():
    many = [{**BEGUN, "index": index} for index in range(300)]
    block = {"type": "server_tool_use", "id": "a", "name": "web_search", "input": {}}
    piece = {**WORD, "delta": {"type": "input_json_delta", "partial_json": "x" * 100_000}}

    assert "too many blocks" in str(failure_of(DIALECT, sent(START, *many, END)))
    assert "too long" in str(failure_of(DIALECT, sent(START, {**BEGUN, "content_block": block}, piece, piece, END)))


@pytest.mark.parametrize(
    ("kind", "error", "retryable"),
    [
        ("overloaded_error", ProviderFailed, True),
        ("api_error", ProviderFailed, True),
        ("timeout_error", ProviderFailed, True),
        ("rate_limit_error", Throttled, True),
        ("invalid_request_error", Refused, False),
        ("authentication_error", Refused, False),
        ("billing_error", Refused, False),
        ("of_tomorrow", ProviderFailed, True),
    ],
)
def test_an_error_in_the_midst_ends_the_answer_behind_what_was_said(kind, error, retryable):
    told = {"type": "error", "error": {"type": kind, "message": "It is too much."}, "request_id": "req_1"}
    failure = failure_of(DIALECT, sent(START, BEGUN, WORD, told))

    assert type(failure) is error
    assert (str(failure), failure.retryable) == ("It is too much.", retryable)


def test_an_answer_that_came_whole_is_the_same():
    content: list[dict[str, Any]] = [
        {"type": "thinking", "thinking": "Two cities, two calls.", "signature": "EqQBCgIYAhIM1gbcDa9GJwZA2b3h"},
        {"type": "redacted_thinking", "data": "EmwKAhgBEgy3va3pzix"},
        {"type": "text", "text": "I look it up.", "citations": None},
        {"type": "tool_use", "id": "toolu_01A", "name": "weather", "input": {"city": "Köln"}},
        {"type": "tool_use", "id": "toolu_01B", "name": "clock", "input": {}},
    ]
    usage = {
        "input_tokens": 40,
        "cache_creation_input_tokens": 1024,
        "cache_read_input_tokens": 512,
        "output_tokens": 120,
        "output_tokens_details": {"thinking_tokens": 30},
    }
    whole = message(*content, usage=usage, stop_reason="tool_use")
    SdkMessage.model_validate(whole)

    check_dialect(DIALECT, recording("thinking_and_calls"), whole=whole, uncarried=broken_links("m"))


@pytest.mark.parametrize("answer", [None, [], "sun", {}, message(stop_reason=None), message("x")])  # type: ignore[arg-type]
def test_a_whole_answer_that_is_none_is_broken(answer):
    with pytest.raises(WireBroken):
        DIALECT.read(answer)


def test_an_error_in_place_of_a_message_is_that_error():
    with pytest.raises(Throttled):
        DIALECT.read({"type": "error", "error": {"type": "rate_limit_error", "message": "slow down"}})


def error(kind: str, words: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": words}, "request_id": "req_011CSHoEeqs5C35K2UUqR7Fy"}


@pytest.mark.parametrize(
    ("status", "kind", "expected"),
    [
        (400, "invalid_request_error", Refused),
        (401, "authentication_error", Refused),
        (402, "billing_error", Refused),
        (403, "permission_error", Refused),
        (404, "not_found_error", Refused),
        (413, "request_too_large", Refused),
        (429, "rate_limit_error", Throttled),
        (500, "api_error", ProviderFailed),
        (504, "timeout_error", ProviderFailed),
        (529, "overloaded_error", ProviderFailed),
    ],
)
def test_a_status_becomes_an_error_in_the_providers_words(status, kind, expected):
    fault = DIALECT.fault(status, error(kind, "model: claude-opus-0"))

    assert type(fault) is expected
    assert str(fault) == "model: claude-opus-0"
    assert getattr(fault, "status", 429) == status


@pytest.mark.parametrize(
    ("words", "needed", "room"),
    [
        ("prompt is too long: 208656 tokens > 200000 maximum", 208656, 200000),
        ("prompt is too long", 0, 0),
        ("input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000", 188240, 200000),
        ("request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it", 5000, 4096),
    ],
)
def test_a_question_that_is_too_long_is_told_with_both_numbers(words, needed, room):
    fault = DIALECT.fault(400, error("invalid_request_error", words))

    assert isinstance(fault, ContextTooLong)
    assert (fault.needed, fault.room) == (needed, room)


@pytest.mark.parametrize(
    ("status", "kind", "words"),
    [
        (402, "billing_error", "There is an issue with your billing."),
        (400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
    ],
)
def test_credit_that_is_spent_is_to_be_added(status, kind, words):
    fault = DIALECT.fault(status, error(kind, words))

    assert (type(fault), fault.retryable) == (Refused, False)
    assert "credit" in fault.mend


def test_an_error_never_repeats_a_key_and_stays_short():
    key = "sk-ant-" + "not-a-real-key-" * 3
    for answer in (
        error("authentication_error", f"invalid x-api-key {key} " + "x " * 900),
        f"<h1>Bad {key}</h1>",
        None,
    ):
        fault = DIALECT.fault(401, answer)
        assert "not-a-real-key" not in str(fault)
        assert 0 < len(str(fault)) < 400


def test_it_is_chosen_by_name_by_provider_and_by_url():
    for chosen in (
        choose_dialect("anthropic"),
        choose_dialect("claude"),
        choose_dialect(provider="anthropic"),
        choose_dialect(provider="claude"),
        choose_dialect(url="https://h.test/v1/messages/?beta=true"),
    ):
        assert chosen.name == "anthropic"
    assert choose_dialect(provider="openai", url="https://h.test/v1/messages").name != "anthropic"


def _stopped(index: int) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def test_a_call_without_a_name_is_no_answer():
    block = {"type": "tool_use", "id": "a", "input": {}}
    with pytest.raises(InvalidAnswer):
        said_of(deltas_of(DIALECT, sent(START, {**BEGUN, "content_block": block}, _stopped(0), END, STOP)))


def test_a_conversation_with_another_provider_goes_on_here():
    foreign = Message(ChatRole.ASSISTANT, Contents(concat([ThoughtDelta("hm", "gemini-ish"), TextDelta("yes")]).blocks))
    context = ModelContext(messages=(Message.of(ChatRole.USER, "hi"), foreign, Message.of(ChatRole.USER, "and?")))
    body: Any = DIALECT.encode(ChatRequest(context), "https://api.anthropic.test").body

    assert body["messages"][1]["content"] == [{"type": "text", "text": "yes"}]


def test_a_raised_error_is_always_a_model_error():
    assert issubclass(type(DIALECT.fault(0, {"error": 5})), ModelError)
