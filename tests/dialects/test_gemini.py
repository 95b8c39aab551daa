"""Gemini's answers: recordings written after the published reference (ai.google.dev/api/generate-content)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from dialects.questions import asked, broken_links, question
from dialects.wire import RECORDINGS, check_recording, deltas_of, failure_of, recordings
from google.genai import types

from companion.dialects import WireEvent
from companion.dialects.gemini import Gemini
from companion.dialects.laws import check_dialect, said_of
from companion.errors import ContextTooLong, InvalidAnswer, ProviderFailed, Refused, Throttled, WireBroken
from companion.model import (
    ChatRole,
    Contents,
    Message,
    ModelParams,
    ToolResult,
)
from companion.model.deltas import (
    BlobDelta,
    CallDelta,
    Counted,
    Finish,
    Finished,
    RawDelta,
    TextDelta,
    ThoughtDelta,
)
from companion.stream import Blob, FuncCall, Usage

GEMINI = Gemini()
BASE = "https://generativelanguage.googleapis.com"
SIGNATURE = "RXBRQ0NwRUNBZEh0aW05bVQwcFExbDNiR1Zt"


def recorded(name: str) -> bytes:
    return (RECORDINGS / "gemini" / f"{name}.sse").read_bytes()


def event(**fields: object) -> bytes:
    return f"data: {json.dumps(fields)}\n\n".encode()


@pytest.mark.parametrize("path", recordings(GEMINI), ids=lambda path: path.stem)
def test_a_recording_says_the_same_in_every_form_the_line_can_give_it(path: Path) -> None:
    check_recording(GEMINI, path.read_bytes())


@pytest.mark.parametrize("path", recordings(GEMINI), ids=lambda path: path.stem)
def test_google_reads_the_recordings_too(path: Path) -> None:
    for line in path.read_text().splitlines():
        if line:
            types.GenerateContentResponse.model_validate(json.loads(line.removeprefix("data: ")))


@pytest.mark.parametrize("path", recordings(GEMINI), ids=lambda path: path.stem)
def test_the_same_answer_in_one_piece_is_the_same(path: Path) -> None:
    events = [json.loads(line.removeprefix("data: ")) for line in path.read_text().splitlines() if line]

    read = GEMINI.read(events)

    assert said_of(read) == said_of(deltas_of(GEMINI, path.read_bytes()))
    assert isinstance(read[-1], Finished)


def test_it_passes_the_examination_of_dialects() -> None:
    whole = {
        "candidates": [
            {
                "content": {
                    "parts": [{"text": "The sky is blue – 蓝色 because of Rayleigh scattering."}],
                    "role": "model",
                },
                "finishReason": "STOP",
            }
        ],
        "usageMetadata": {"promptTokenCount": 12, "candidatesTokenCount": 17, "cachedContentTokenCount": 8},
    }
    check_dialect(
        GEMINI,
        recorded("words"),
        whole=whole,
        request=question("gemini-3-flash-preview"),
        uncarried=[
            question(""),
            question("gemini-3-flash-preview", params=ModelParams(n=2)),
            asked("gemini-3-flash-preview", Message(ChatRole.TOOL, ToolResult("nobody", "4"))),
            asked(
                "gemini-3-flash-preview", Message(ChatRole.USER, Contents((Blob("application/octet-stream", b"?"),)))
            ),
            *broken_links("gemini-3-flash-preview"),
        ],
    )


def test_words_and_counts_come_in_order() -> None:
    assert deltas_of(GEMINI, recorded("words")) == [
        TextDelta("The sky is "),
        Counted(Usage(12, 4, cached_tokens=8)),
        TextDelta("blue – 蓝色"),
        Counted(Usage(12, 9, cached_tokens=8)),
        TextDelta(" because of Rayleigh scattering."),
        Counted(Usage(12, 17, cached_tokens=8)),
        Finished(Finish.STOP, reason="STOP"),
    ]


def test_thoughts_calls_and_their_signatures_come_out() -> None:
    deltas = [delta for delta in deltas_of(GEMINI, recorded("thoughts_and_calls")) if not isinstance(delta, Counted)]

    assert deltas == [
        ThoughtDelta("**Looking up the weather**\n\nTwo cities"),
        ThoughtDelta(" are asked for."),
        TextDelta("I look it up."),
        CallDelta(0, "k3jd91aa", "get_weather", '{"city": "Paris", "days": 2}', f"gemini call {SIGNATURE}"),
        CallDelta(1, "p0x2w7bb", "get_weather", '{"city": "Zürich"}'),
        ThoughtDelta(signature="gemini words Es0BCsoBAdHtim8="),
        Finished(Finish.TOOL_CALLS, reason="STOP"),
    ]


def test_thoughts_count_as_part_of_what_was_written() -> None:
    said = said_of(deltas_of(GEMINI, recorded("thoughts_and_calls")))

    assert said.usage == Usage(88, 83, thinking_tokens=40)


def test_what_its_own_search_read_counts_as_prompt() -> None:
    deltas = deltas_of(GEMINI, recorded("search"))

    assert said_of(deltas).usage == Usage(134, 9)
    assert any(isinstance(delta, RawDelta) and "groundingMetadata" in delta.data for delta in deltas)


def test_calls_without_ids_are_two_calls() -> None:
    said = said_of(deltas_of(GEMINI, recorded("calls_without_ids")))

    assert said.calls == (FuncCall("get_time", "{}"), FuncCall("get_time", '{"zone": "UTC"}'))


def test_a_picture_the_model_made_comes_out_as_bytes() -> None:
    pictures = [delta.blob for delta in deltas_of(GEMINI, recorded("picture")) if isinstance(delta, BlobDelta)]

    assert [picture.mime_type for picture in pictures] == ["image/png"]
    assert pictures[0].data.startswith(b"\x89PNG")


def test_an_answer_at_its_limit_is_cut() -> None:
    assert deltas_of(GEMINI, recorded("cut"))[-1] == Finished(Finish.LENGTH, reason="MAX_TOKENS")


def test_an_unsafe_answer_is_refused_and_says_why() -> None:
    assert deltas_of(GEMINI, recorded("unsafe"))[-1] == Finished(Finish.REFUSED, "SAFETY (dangerous content)", "SAFETY")


def test_a_blocked_question_is_refused() -> None:
    assert deltas_of(GEMINI, recorded("blocked_question")) == [
        Counted(Usage(9)),
        Finished(Finish.REFUSED, "the question was blocked: PROHIBITED_CONTENT", "PROHIBITED_CONTENT"),
    ]


def test_a_reason_of_tomorrow_without_a_word_is_no_empty_answer() -> None:
    new = event(candidates=[{"finishReason": "NEW_POLICY"}])

    assert deltas_of(GEMINI, new) == [Finished(Finish.REFUSED, "NEW_POLICY", "NEW_POLICY")]
    assert deltas_of(GEMINI, event(candidates=[{"content": {"parts": [{"text": "Hi"}]}}]) + new)[-1] == Finished(
        Finish.STOP, reason="NEW_POLICY"
    )


def test_a_call_that_the_model_got_wrong_is_worth_another_try() -> None:
    error = failure_of(GEMINI, event(candidates=[{"finishReason": "MALFORMED_FUNCTION_CALL"}]))

    assert isinstance(error, InvalidAnswer)
    assert error.retryable


def test_an_error_in_the_middle_comes_behind_what_was_said() -> None:
    failing = recorded("words").partition(b"\n\n")[0] + b"\n\n"
    failing += event(error={"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"})

    error = failure_of(GEMINI, failing)

    assert isinstance(error, ProviderFailed)
    assert (error.status, str(error)) == (503, "The model is overloaded.")


def test_a_part_of_tomorrow_is_counted_and_given_on() -> None:
    decoder = GEMINI.decoder()

    deltas = decoder.feed(WireEvent("", '{"candidates": [{"content": {"parts": [{"hologram": {"x": 1}}]}}]}'))

    assert deltas == [RawDelta({"hologram": {"x": 1}})]
    assert decoder.unknown == 1


def test_a_malformed_event_is_named() -> None:
    with pytest.raises(WireBroken, match="malformed gemini event: 'parts' is no list"):
        GEMINI.decoder().feed(WireEvent("", '{"candidates": [{"content": {"parts": 5}}]}'))


def status(code: int, name: str, message: str, *details: dict[str, object]) -> dict[str, object]:
    return {"error": {"code": code, "message": message, "status": name, "details": list(details)}}


def test_a_quota_says_when_to_come_back() -> None:
    retry = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.07s"}

    fault = GEMINI.fault(429, [status(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota.", retry)])

    assert isinstance(fault, Throttled)
    assert fault.after == 34.07


@pytest.mark.parametrize("delay", ["", "soon", "-3s", "nans", 5])
def test_a_delay_that_is_none_is_left_out(delay: object) -> None:
    fault = GEMINI.fault(429, status(429, "RESOURCE_EXHAUSTED", "Too many.", {"retryDelay": delay}))

    assert isinstance(fault, Throttled)
    assert fault.after is None


def test_a_wrong_key_is_told_without_the_key() -> None:
    words = "API key not valid: AIzaSyNotARealKeyAtAll0123456789. Please pass a valid API key."
    fault = GEMINI.fault(400, status(400, "INVALID_ARGUMENT", words, {"reason": "API_KEY_INVALID"}))

    assert isinstance(fault, Refused)
    assert "AIza" not in str(fault)
    assert "key" in fault.mend


def test_a_question_that_is_too_long_says_both_numbers() -> None:
    words = "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."
    fault = GEMINI.fault(400, status(400, "INVALID_ARGUMENT", words))

    assert isinstance(fault, ContextTooLong)
    assert (fault.needed, fault.room, fault.status) == (1200000, 1048576, 400)


@pytest.mark.parametrize(
    ("code", "kind", "retryable"),
    [(403, Refused, False), (404, Refused, False), (500, ProviderFailed, True), (503, ProviderFailed, True)],
)
def test_other_faults_keep_their_status(code: int, kind: type[Refused | ProviderFailed], retryable: bool) -> None:
    for answer in (status(code, "X", "It says no."), "It says no."):
        fault = GEMINI.fault(code, answer)

        assert isinstance(fault, kind)
        assert (fault.status, fault.retryable, str(fault)) == (code, retryable, "It says no.")
