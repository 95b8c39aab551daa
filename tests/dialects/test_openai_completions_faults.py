"""What goes wrong with chat completions is told in the words of the provider, wherever those stand."""

from __future__ import annotations

import json

import pytest
from dialects.wire import failure_of

from companion.dialects.laws import Outcome, outcome_of
from companion.dialects.openai_completions import OpenAICompletions
from companion.errors import ContextTooLong, ProviderFailed, Refused, Throttled, WireBroken
from companion.model.deltas import TextDelta

DIALECT = OpenAICompletions()
DONE = b"data: [DONE]\n\n"


def event(**fields: object) -> bytes:
    return f"data: {json.dumps(fields)}\n\n".encode()


def chunk(reason: str | None = None, **delta: object) -> bytes:
    return event(choices=[{"index": 0, "delta": delta, "finish_reason": reason}])


def read(*events: bytes) -> Outcome:
    return outcome_of(DIALECT, events)


@pytest.mark.parametrize(
    ("data", "kind", "words"),
    [
        (event(error={"message": "The server had an error", "type": "server_error"}), ProviderFailed, "had an error"),
        (event(error={"message": "slow down", "code": 429}, choices=[]), Throttled, "slow down"),
        (event(error={"message": "slow down", "code": "rate_limit_exceeded"}), Throttled, "slow down"),
        (event(error="model runner stopped"), ProviderFailed, "runner"),
        (event(object="error", message="bad", type="BadRequestError", code=400), Refused, "bad"),
        (event(detail="Not authenticated"), ProviderFailed, "authenticated"),
        (
            event(error={"code": 502, "message": "Provider returned error", "metadata": {"raw": "no luck"}}),
            ProviderFailed,
            "no luck",
        ),
        (b"data: error: upstream timed out\n\n", ProviderFailed, "timed out"),
        (b"data: <html><title>502 Bad Gateway</title></html>\n\n", ProviderFailed, "502 Bad Gateway"),
        (b"Bad Gateway\n", ProviderFailed, "Bad Gateway"),
        (b'error: {"code": 500, "message": "slot failed", "type": "server_error"}\n\n', ProviderFailed, "slot failed"),
        (b'{"error": {"message": "no such model", "code": "model_not_found"}}', ProviderFailed, "no such model"),
        (chunk("error"), WireBroken, "broke the answer off"),
    ],
)
def test_an_error_in_the_middle_is_told_behind_what_was_said(data: bytes, kind: type, words: str) -> None:
    outcome = read(chunk(content="a"), data)

    assert outcome.deltas == (TextDelta("a"),)
    assert isinstance(outcome.error, kind)
    assert words in str(outcome.error)


@pytest.mark.parametrize(
    "data",
    [
        b"data: {\n\n",
        b"data: null\n\n",
        b"data: 7\n\n",
        event(choices={}),
        event(choices=[None]),
        event(choices=[{"index": "0", "delta": {}}]),
        event(choices=[{"index": -1, "delta": {}}]),
        chunk(content=7),
        chunk(content=[7]),
        chunk(tool_calls={}),
        chunk(tool_calls=[{"index": 0, "function": "look"}]),
        chunk(tool_calls=[{"index": 0.5, "function": {}}]),
        chunk(reasoning_content=[]),
        chunk(audio={"data": "?"}),
        chunk(images=[{}]),
        event(choices=[], usage=7),
        event(choices=[], usage={"prompt_tokens": "many"}),
    ],
)
def test_a_malformed_chunk_is_an_error_by_name_that_repeats_nothing(data: bytes) -> None:
    error = failure_of(DIALECT, chunk(content="secret words") + data + DONE)

    assert isinstance(error, WireBroken)
    assert "openai-completions" in str(error)
    assert "secret" not in str(error)


@pytest.mark.parametrize(
    ("status", "answer", "kind"),
    [
        (401, {"error": {"message": "Incorrect API key provided.", "code": "invalid_api_key"}}, Refused),
        (404, {"error": {"message": "The model `x` does not exist", "code": "model_not_found"}}, Refused),
        (429, {"error": {"message": "Rate limit reached"}}, Throttled),
        (503, "<html><body><h1>503 Service Unavailable</h1></body></html>", ProviderFailed),
        (422, {"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}, Refused),
        (400, [{"error": {"code": 400, "message": "API key not valid", "status": "INVALID_ARGUMENT"}}], Refused),
        (500, None, ProviderFailed),
    ],
)
def test_a_status_is_an_error_in_the_words_of_the_provider(status: int, answer: object, kind: type) -> None:
    error = DIALECT.fault(status, answer)

    assert isinstance(error, kind)
    assert "<" not in str(error)
    assert getattr(error, "status", status) == status


@pytest.mark.parametrize(
    "error",
    [
        {
            "message": "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000"
            " tokens.",
            "code": "context_length_exceeded",
        },
        {
            "message": "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it",
            "type": "exceed_context_size_error",
            "code": 400,
        },
    ],
)
def test_a_question_that_is_too_long_is_told_with_both_numbers(error: dict) -> None:
    told = DIALECT.fault(400, {"error": error})

    assert isinstance(told, ContextTooLong)
    assert (told.needed, told.room) == (9000, 8192)
