"""Answers of chat completions: recordings written after the published references of those who speak it.

OpenAI (developers.openai.com/api/reference/resources/chat), DeepSeek, OpenRouter, Mistral, llama-server, Google.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from dialects.questions import asked, broken_links, question, spoken_to
from dialects.wire import RECORDINGS, check_recording, deltas_of, recordings
from openai.types.chat import ChatCompletionChunk

from companion.dialects.laws import Outcome, check_dialect, outcome_of, said_of
from companion.dialects.openai_completions import OpenAICompletions
from companion.errors import ModelError, WireBroken
from companion.model import ChatRole, Contents, Message, ModelParams, Thought, ToolResult
from companion.model.deltas import (
    BlobDelta,
    CallDelta,
    Counted,
    Delta,
    Finish,
    Finished,
    RawDelta,
    TextDelta,
    ThoughtDelta,
)
from companion.stream import Blob, FuncCall, Text, ToolCall, Usage, pcm

DIALECT = OpenAICompletions()
DONE = b"data: [DONE]\n\n"


def recorded(name: str) -> list[Delta]:
    return deltas_of(DIALECT, (RECORDINGS / DIALECT.name / f"{name}.sse").read_bytes())


def event(**fields: object) -> bytes:
    return f"data: {json.dumps(fields)}\n\n".encode()


def chunk(reason: str | None = None, **delta: object) -> bytes:
    return event(choices=[{"index": 0, "delta": delta, "finish_reason": reason}])


def read(*events: bytes) -> Outcome:
    return outcome_of(DIALECT, events)


@pytest.mark.parametrize("path", recordings(DIALECT), ids=lambda path: path.stem)
def test_a_recording_says_the_same_in_every_form_the_line_can_give_it(path: Path) -> None:
    check_recording(DIALECT, path.read_bytes())


@pytest.mark.parametrize("name", ["words", "calls", "refusal", "filtered", "cut", "sound"])
def test_the_sdk_reads_the_recordings_of_its_own_provider_too(name: str) -> None:
    for line in (RECORDINGS / DIALECT.name / f"{name}.sse").read_text().splitlines():
        if line.startswith("data: {"):
            ChatCompletionChunk.model_validate(json.loads(line.removeprefix("data: ")))


def test_it_passes_the_examination_of_dialects() -> None:
    whole = {
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "message": {
                    "role": "assistant",
                    "content": 'The sky is blue – 蓝色 "because" of\n\nRayleigh scattering 🙂.',
                    "refusal": None,
                    "annotations": [],
                },
                "finish_reason": "stop",
            }
        ],
        "usage": {
            "prompt_tokens": 2006,
            "completion_tokens": 300,
            "prompt_tokens_details": {"cached_tokens": 1920},
            "completion_tokens_details": {"reasoning_tokens": 256},
        },
    }

    check_dialect(
        DIALECT,
        (RECORDINGS / DIALECT.name / "words.sse").read_bytes(),
        whole=whole,
        request=spoken_to("m"),
        uncarried=[question("m", params=ModelParams(n=3)), *broken_links("m")],
    )


def test_words_and_counts_are_read() -> None:
    said = said_of(recorded("words"))

    assert said.text == 'The sky is blue – 蓝色 "because" of\n\nRayleigh scattering 🙂.'
    assert said.usage == Usage(2006, 300, cached_tokens=1920, thinking_tokens=256)
    assert said.finished == Finished(Finish.STOP, reason="stop")


def test_calls_side_by_side_are_put_together() -> None:
    said = said_of(recorded("calls"))

    assert said.calls == (
        FuncCall("get_weather", '{"city": "Zürich"}'),
        FuncCall("get_weather", '{"city": "Oslo", "days": 2}'),
    )
    assert said.finished == Finished(Finish.TOOL_CALLS, reason="tool_calls")
    assert said.text == ""


def test_calls_that_end_with_another_reason_are_calls_all_the_same() -> None:
    call = {"index": 0, "id": "c", "function": {"name": "look", "arguments": "{}"}}
    outcome = read(chunk(tool_calls=[call]), chunk("stop"), DONE)

    assert said_of(outcome.deltas).calls == (FuncCall("look", "{}"),)


def test_a_refusal_is_none_of_the_words() -> None:
    said = said_of(recorded("refusal"))

    assert said.text == ""
    assert said.finished == Finished(Finish.REFUSED, "I'm sorry, I can't help with that.", "stop")


def test_a_filter_refuses_after_words() -> None:
    said = said_of(recorded("filtered"))

    assert said.text == "One two"
    assert said.finished == Finished(Finish.REFUSED, reason="content_filter")


def test_an_answer_that_is_cut_says_so() -> None:
    assert said_of(recorded("cut")).finished == Finished(Finish.LENGTH, reason="length")


def test_thoughts_are_kept_apart_from_words() -> None:
    said = said_of(recorded("deepseek_thoughts_and_a_call"))

    assert said.thoughts == ("The user wants the weather.",)
    assert said.text == "I look it up."
    assert said.calls == (FuncCall("get_weather", '{"city": "Paris"}'),)
    assert said.usage == Usage(240, 90, cached_tokens=192, thinking_tokens=40)


def test_thoughts_among_the_parts_of_the_content_are_thoughts() -> None:
    said = said_of(recorded("mistral_thoughts"))

    assert said.thoughts == ("Let me see.",)
    assert said.text == "Four."


def test_thoughts_with_signatures_pictures_and_sources_are_read() -> None:
    deltas = recorded("openrouter_thoughts_and_a_picture")

    assert [delta.text for delta in deltas if isinstance(delta, ThoughtDelta)] == ["Blue", " light", "", ""]
    assert BlobDelta(Blob("image/png", b"\x89PNG\r\n\x1a\n")) in deltas
    assert any(isinstance(delta, RawDelta) and "annotation" in delta.data for delta in deltas)
    assert said_of(deltas).usage == Usage(400, 60, cached_tokens=100, stored_tokens=200, thinking_tokens=20)


def test_thoughts_go_back_to_a_router_as_they_came() -> None:
    signed, hidden = (
        delta
        for delta in recorded("openrouter_thoughts_and_a_picture")
        if isinstance(delta, ThoughtDelta) and (delta.signature or delta.redacted)
    )
    answer = Contents(
        (Thought("Blue light", signed.signature), Thought("", redacted=hidden.redacted), Text("It does."))
    )
    request = asked(
        "m", Message.of(ChatRole.USER, "a"), Message(ChatRole.ASSISTANT, answer), Message.of(ChatRole.USER, "b")
    )

    sent = DIALECT.encode(request, "https://openrouter.ai/api/v1").body["messages"][1]

    assert sent["reasoning"] == "Blue light"
    assert sent["reasoning_details"] == [
        {
            "type": "reasoning.text",
            "text": "Blue light",
            "signature": "EqQBCkYIBxgCKkBr",
            "format": "anthropic-claude-v1",
            "index": 0,
        },
        {"type": "reasoning.encrypted", "data": "gAAAAABo", "id": "rs_1", "format": "anthropic-claude-v1", "index": 1},
    ]
    assert "reasoning_details" not in DIALECT.encode(request, "https://api.openai.com/v1").body["messages"][1]


def test_a_signed_call_goes_back_signed_to_whom_it_came_from() -> None:
    (call,) = (delta for delta in recorded("google_signed_call") if isinstance(delta, CallDelta))
    request = asked(
        "m",
        Message.of(ChatRole.USER, "a"),
        Message(ChatRole.ASSISTANT, ToolCall(call.id, FuncCall(call.name, call.arguments), call.signature)),
        Message(ChatRole.TOOL, ToolResult(call.id, "sunny")),
    )

    def sent(base_url: str) -> dict:
        return DIALECT.encode(request, base_url).body["messages"][1]["tool_calls"][0]

    signed = sent("https://generativelanguage.googleapis.com/v1beta/openai")
    assert signed["extra_content"] == {"google": {"thought_signature": "CtgBAdHtim8="}}
    assert "extra_content" not in sent("https://api.openai.com/v1")


def test_spoken_answers_are_sound_and_words() -> None:
    deltas = recorded("sound")

    assert said_of(deltas).text == "Hello."
    assert [delta.blob for delta in deltas if isinstance(delta, BlobDelta)] == [
        pcm(b"\0\1" * 40, 24_000),
        pcm(b"\2\3" * 20, 24_000),
    ]


@pytest.mark.parametrize(
    ("first", "mime"),
    [(b"RIFF", "audio/wav"), (b"\xff\xfb", "audio/mpeg"), (b"OggS", "audio/ogg"), (b"fLaC", "audio/flac")],
)
def test_a_whole_sound_is_of_the_kind_its_bytes_say(first: bytes, mime: str) -> None:
    message = {"content": None, "audio": {"data": base64.b64encode(first + b"abc").decode(), "transcript": "Hi"}}
    deltas = DIALECT.read({"choices": [{"message": message, "finish_reason": "stop"}]})

    assert deltas == [
        TextDelta("Hi"),
        BlobDelta(Blob(mime, first + b"abc")),
        Finished(Finish.STOP, reason="stop"),
    ]


def test_the_last_mark_finishes_an_answer_without_a_reason() -> None:
    assert said_of(recorded("done_without_a_reason")).finished == Finished(Finish.STOP)
    call = {"index": 0, "id": "c", "function": {"name": "look", "arguments": "{}"}}
    outcome = read(chunk(tool_calls=[call]), DONE)
    assert outcome.deltas[-1] == Finished(Finish.TOOL_CALLS)


def test_the_last_mark_alone_is_no_answer() -> None:
    for events in ((DONE,), (chunk(role="assistant"), event(choices=[], usage={"prompt_tokens": 5}), DONE)):
        assert isinstance(read(*events).error, WireBroken)
    assert read(chunk(refusal="No."), DONE).deltas[-1] == Finished(Finish.REFUSED, "No.")


def test_an_answer_without_a_finish_reason_is_an_error() -> None:
    outcome = read(chunk(content="a"), chunk(content="b"))

    assert outcome.deltas == (TextDelta("a"), TextDelta("b"))
    assert isinstance(outcome.error, WireBroken)
    assert "openai-completions" in str(outcome.error)


@pytest.mark.parametrize(
    ("usage", "read_as"),
    [
        ({"prompt_tokens": 5, "completion_tokens": 2, "prompt_cache_hit_tokens": 3}, Usage(5, 2, cached_tokens=3)),
        (
            {
                "prompt_tokens": 5,
                "completion_tokens": 2,
                "total_tokens": 17,
                "completion_tokens_details": {"reasoning_tokens": 10},
            },
            Usage(5, 12, thinking_tokens=10),
        ),
        ({"prompt_tokens": 5, "completion_tokens": None, "prompt_tokens_details": None}, Usage(5)),
    ],
)
def test_counts_mean_the_same_for_all(usage: dict, read_as: Usage) -> None:
    outcome = read(chunk("stop", content="a"), event(choices=[], usage=usage), DONE)

    assert outcome.deltas[-1] == Counted(read_as)


def test_counts_without_choices_are_counts() -> None:
    assert read(chunk("stop"), event(usage={"prompt_tokens": 1})).deltas[-1] == Counted(Usage(1))


def test_arguments_that_come_as_an_object_are_written_down() -> None:
    call = {"id": "c", "function": {"name": "look", "arguments": {"a": 1}}}
    old = {"name": "peek", "arguments": "{}"}

    assert read(chunk(tool_calls=[call]), chunk("stop")).deltas[0] == CallDelta(None, "c", "look", '{"a": 1}')
    assert read(chunk(function_call=old), chunk("function_call")).deltas[0] == CallDelta(0, "", "peek", "{}")


def test_a_second_answer_is_counted_as_unknown() -> None:
    second = event(choices=[{"index": 1, "delta": {"content": "no"}, "finish_reason": None}])
    outcome = read(chunk(content="a"), second, chunk("stop"))

    assert said_of(outcome.deltas).text == "a"
    assert outcome.unknown == 1


def test_odds_of_tokens_are_given_on_as_they_are() -> None:
    odds = {"content": [{"token": "a", "logprob": -0.1}]}
    first = event(choices=[{"index": 0, "delta": {"content": "a"}, "logprobs": odds}])

    assert read(first, chunk("stop")).deltas[1] == RawDelta({"logprobs": odds})


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        {"choices": []},
        {"choices": [{"message": {"content": "a"}, "finish_reason": None}]},
        {"choices": [{"message": {"content": 3}, "finish_reason": "stop"}]},
        {"error": {"message": "no"}},
    ],
)
def test_a_whole_answer_that_is_none_is_an_error(answer: object) -> None:
    with pytest.raises(ModelError):
        DIALECT.read(answer)


def test_a_whole_answer_holds_thoughts_calls_and_counts() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"a": 1}'}}
    message = {"role": "assistant", "content": "I look.", "reasoning_content": "Hm.", "tool_calls": [call]}
    answer = {
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 4},
    }

    assert DIALECT.read(answer) == [
        ThoughtDelta("Hm."),
        TextDelta("I look."),
        CallDelta(None, "c1", "look", '{"a": 1}'),
        Counted(Usage(3, 4)),
        Finished(Finish.TOOL_CALLS, reason="tool_calls"),
    ]
