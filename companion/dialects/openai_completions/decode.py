"""Chat completions, read: developers.openai.com/api/reference/resources/chat/subresources/completions.

Beside OpenAI's own fields, those are read in which others put thoughts (``reasoning_content`` of DeepSeek and
llama-server, ``reasoning`` of vLLM, Groq and OpenRouter, ``thinking`` parts of Mistral).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from companion.dialects.contract import WireEvent
from companion.dialects.fields import Fields, as_fields, count, fields_of, inner, rows, text
from companion.dialects.openai_completions.marks import NAME
from companion.dialects.openai_completions.pieces import calls_of, rest_of, said, thought
from companion.dialects.openai_faults import fault_in_event, fault_in_words
from companion.errors import WireBroken
from companion.model.deltas import Counted, Delta, Finish, Finished, RawDelta, TextDelta
from companion.model.options import JsonValue
from companion.stream import Usage

DONE: Final = "[DONE]"
CHUNK: Final = f"{NAME} chunk"
_FINISH = {
    "stop": Finish.STOP,
    "length": Finish.LENGTH,
    "max_tokens": Finish.LENGTH,
    "model_length": Finish.LENGTH,
    "tool_calls": Finish.TOOL_CALLS,
    "function_call": Finish.TOOL_CALLS,
    "content_filter": Finish.REFUSED,
    "sensitive": Finish.REFUSED,
}
_BROKEN_OFF = frozenset(("error", "abort", "network_error", "insufficient_system_resource"))
"""In the place of a reason: the provider failed."""


_PLAIN = frozenset(("content", "role"))
"""The fields of a delta that is only words."""


class CompletionsDecoder:
    """Reads one streamed completion, or one that came whole."""

    def __init__(self, *, is_whole: bool = False) -> None:
        self.unknown = 0
        self._is_whole = is_whole
        self._refusal: list[str] = []
        self._has_calls = False
        self._has_said = False
        self._is_finished = False

    def feed(self, event: WireEvent) -> list[Delta]:
        """The deltas of the next event.

        Raises:
            WireBroken: the event is malformed.
            ModelError: it says that the provider has failed.
        """
        data = event.data
        if not data.startswith("{"):
            if data.strip() == DONE:
                return self._done()
            if (told := fault_in_words(data)) is not None:
                raise told
        return self.read(fields_of(data, CHUNK))

    def read(self, fields: Fields) -> list[Delta]:
        """What a chunk holds, or a whole completion.

        Raises:
            WireBroken: it is malformed.
            ModelError: it says that the provider has failed.
        """
        if "choices" not in fields or fields.get("error"):
            return self._aside(fields)
        deltas = self._choices(fields)
        if fields.get("usage") is not None:
            deltas.append(_counted(inner(fields, "usage", CHUNK)))
        return deltas

    def end(self) -> list[Delta]:
        """Nothing: no delta is held back.

        Raises:
            WireBroken: there was no finish signal.
        """
        if not self._is_finished:
            raise WireBroken(f"the {NAME} answer stopped without a finish_reason")
        return []

    def _done(self) -> list[Delta]:
        """The mark behind all; some send it where the reason should have come. Of an answer there has to be some."""
        if self._is_finished:
            return []
        if not (self._has_said or self._refusal):
            raise WireBroken(f"the {NAME} answer ended before anything was said")
        return [self._finished("")]

    def _aside(self, fields: Fields) -> list[Delta]:
        """An event that is no chunk."""
        if (error := fault_in_event(fields)) is not None:
            raise error
        if fields.get("usage") is not None:
            return [_counted(inner(fields, "usage", CHUNK))]
        self.unknown += 1
        return [RawDelta(dict(fields))]

    def _choices(self, fields: Fields) -> list[Delta]:
        deltas: list[Delta] = []
        for choice in rows(fields, "choices", CHUNK):
            if count(choice, "index", CHUNK):
                # Only one answer was asked for.
                self.unknown += 1
                deltas.append(RawDelta(dict(choice)))
                continue
            if self._is_finished and choice.get("finish_reason"):
                # Some say it twice, with all that came with it.
                continue
            deltas += self._piece(inner(choice, "delta", CHUNK) or inner(choice, "message", CHUNK))
            if choice.get("logprobs"):
                deltas.append(RawDelta({"logprobs": choice["logprobs"]}))
            if reason := text(choice, "finish_reason", CHUNK):
                deltas.append(self._finished(reason))
        self._has_said = self._has_said or bool(deltas)
        return deltas

    def _piece(self, fields: Fields) -> list[Delta]:
        """What a delta holds, or a whole message."""
        content = fields.get("content")
        words: Iterable[Delta] = ()
        if type(content) is str:
            words = (TextDelta(content),) if content else ()
        elif content is not None:
            words = said(fields)
        if fields.keys() <= _PLAIN:
            return list(words)
        if refusal := text(fields, "refusal", CHUNK):
            self._refusal.append(refusal)
        calls = calls_of(fields)
        self._has_calls = self._has_calls or bool(calls)
        return [*thought(fields), *words, *calls, *rest_of(fields, is_whole=self._is_whole)]

    def _finished(self, reason: str) -> Finished:
        if reason in _BROKEN_OFF:
            raise WireBroken(f"the provider broke the answer off: {reason}")
        self._is_finished = True
        refusal = "".join(self._refusal)
        why = Finish.REFUSED if refusal else _FINISH.get(reason) or self._likely(reason)
        return Finished(why, refusal, reason)

    def _likely(self, reason: str) -> Finish:
        """What a reason comes to that is not in the list."""
        calls = "tool" in reason or "function" in reason or (not reason and self._has_calls)
        return Finish.TOOL_CALLS if calls else Finish.STOP


def read_completion(answer: JsonValue) -> list[Delta]:
    """The deltas of a completion that came whole.

    Raises:
        WireBroken: it is malformed, or has not ended.
        ModelError: it tells of an error.
    """
    deltas = CompletionsDecoder(is_whole=True).read(as_fields(answer, f"{NAME} answer"))
    finished = [delta for delta in deltas if isinstance(delta, Finished)]
    if not finished:
        raise WireBroken(f"the {NAME} answer has no finish_reason")
    return [*(delta for delta in deltas if not isinstance(delta, Finished)), finished[0]]


def _counted(usage: Fields) -> Counted:
    """The counts, all of them with what is counted within them."""
    asked, answered = inner(usage, "prompt_tokens_details", CHUNK), inner(usage, "completion_tokens_details", CHUNK)
    prompt, completion = count(usage, "prompt_tokens", CHUNK), count(usage, "completion_tokens", CHUNK)
    thoughts = count(answered, "reasoning_tokens", CHUNK)
    if thoughts and count(usage, "total_tokens", CHUNK) == prompt + completion + thoughts:
        # xAI counts thoughts beside the completion.
        completion += thoughts
    return Counted(
        Usage(
            prompt_tokens=prompt,
            completion_tokens=completion,
            cached_tokens=count(asked, "cached_tokens", CHUNK) or count(usage, "prompt_cache_hit_tokens", CHUNK),
            stored_tokens=count(asked, "cache_write_tokens", CHUNK),
            thinking_tokens=thoughts,
        )
    )
