"""Reads answers of Gemini.

An event is a whole GenerateContentResponse with the next parts. The one that names a ``finishReason``, or says why the
question was blocked, is the finish signal; it carries the last counts.
"""

from __future__ import annotations

from typing import Any

from companion.dialects.contract import WireEvent
from companion.dialects.fields import Fields, as_fields, as_json, broken, count, fields_of, inner, rows, text
from companion.dialects.gemini.marks import CALL, NAME, PART, THOUGHT, WORDS
from companion.dialects.google_faults import google_fault
from companion.dialects.google_media import blob_of_part
from companion.dialects.seals import seal
from companion.errors import InvalidAnswer, Refused, WireBroken
from companion.model.calls import CallDelta
from companion.model.deltas import (
    BlobDelta,
    Counted,
    Delta,
    Finish,
    Finished,
    RawDelta,
    TextDelta,
    ThoughtDelta,
)
from companion.stream import Usage

_EVENT = "gemini event"
_KNOWN = frozenset(("candidates", "promptFeedback", "usageMetadata", "modelVersion", "responseId", "modelStatus"))
_OWN_TOOLS = ("executableCode", "codeExecutionResult", "toolCall", "toolResponse")
"""Parts of what Google's own tools did; they want to come back as they are."""
_SOURCES = ("groundingMetadata", "citationMetadata", "urlContextMetadata")
"""Where what it says is from."""
_CUT = frozenset(("MAX_TOKENS", "CONTINUATION"))
_BLOCKED = frozenset(
    ("SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "ESCALATION", "MODEL_ARMOR")
) | frozenset(("IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "PUP_LIMITED_DISABLED"))
_BAD_CALLS = frozenset(("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MALFORMED_RESPONSE"))


class GeminiDecoder:
    """Reads one answer. A call without an id gets none here; who puts the calls together gives them ids."""

    def __init__(self) -> None:
        self.unknown = 0
        self.finished: Finished | None = None
        self._usage: Fields = {}
        self._calls = 0
        self._has_said = False

    def feed(self, event: WireEvent) -> list[Delta]:
        if event.data == "[DONE]":
            return []
        return self._read(fields_of(event.data, _EVENT))

    def take(self, value: object) -> list[Delta]:
        """The deltas of an event that is a value already.

        Raises:
            WireBroken: it is malformed.
            ModelError: the provider says that it failed.
        """
        return self._read(as_fields(value, _EVENT))

    def end(self) -> list[Delta]:
        if self.finished is None:
            raise WireBroken("the gemini answer stopped before its finishReason")
        return []

    def _read(self, event: Fields) -> list[Delta]:
        if event.get("error") is not None:
            raise google_fault(0, event)
        candidates = rows(event, "candidates", _EVENT)
        # An event that comes again, behind the finish signal, says nothing new but its counts.
        deltas = self._candidate(candidates[0]) if candidates and self.finished is None else []
        if (usage := event.get("usageMetadata")) is not None and usage != self._usage:
            self._usage = as_fields(usage, f"{_EVENT}: usageMetadata")
            deltas.insert(_before_finish(deltas), Counted(_usage(self._usage)))
        if event.get("promptFeedback") and self.finished is None:
            feedback = inner(event, "promptFeedback", _EVENT)
            deltas += [self._finish(_blocked_question(feedback))] if text(feedback, "blockReason", _EVENT) else []
        if not deltas and _KNOWN.isdisjoint(event):
            return self._stranger(event)
        return deltas

    def _candidate(self, candidate: Fields) -> list[Delta]:
        # Of several answers that were asked for, the first one is read.
        if count(candidate, "index", _EVENT):
            return []
        deltas: list[Delta] = []
        for part in rows(inner(candidate, "content", _EVENT), "parts", _EVENT):
            self._part(part, deltas)
        deltas += [RawDelta({name: candidate[name]}) for name in _SOURCES if candidate.get(name)]
        self._has_said = self._has_said or bool(deltas)
        if reason := text(candidate, "finishReason", _EVENT):
            deltas.append(self._finish(self._reason(candidate, reason)))
        return deltas

    def _part(self, part: Fields, deltas: list[Delta]) -> None:
        signature = text(part, "thoughtSignature", _EVENT)
        if part.get("text") is not None:
            words = text(part, "text", _EVENT)
            if part.get("thought"):
                deltas.append(ThoughtDelta(words, _sealed(THOUGHT, signature)))
                return
            if words:
                deltas.append(TextDelta(words))
        elif part.get("functionCall") is not None:
            deltas.append(self._call(inner(part, "functionCall", _EVENT), signature))
            return
        elif part.get("inlineData") is not None:
            deltas.append(_blob(part))
        elif not signature or any(part.get(name) is not None for name in _OWN_TOOLS):
            deltas += self._other(part)
            return
        if signature:
            deltas.append(ThoughtDelta(signature=_sealed(WORDS, signature)))

    def _call(self, call: Fields, signature: str) -> CallDelta:
        if call.get("partialArgs") or call.get("willContinue"):
            raise broken(_EVENT, "a call comes in pieces, which nobody asked for")
        name = text(call, "name", _EVENT)
        if not name:
            raise broken(_EVENT, "a call has no name")
        arguments = as_json(inner(call, "args", _EVENT), _EVENT)
        self._calls += 1
        return CallDelta(self._calls - 1, text(call, "id", _EVENT), name, arguments, _sealed(CALL, signature))

    def _other(self, part: Fields) -> list[Delta]:
        if any(part.get(name) is not None for name in _OWN_TOOLS):
            return [RawDelta(part), ThoughtDelta(redacted=_sealed(PART, as_json(part, _EVENT)))]
        if part and part.get("fileData") is None:
            self.unknown += 1
        return [RawDelta(part)] if part else []

    def _stranger(self, event: Fields) -> list[Delta]:
        self.unknown += 1
        return [RawDelta(event)]

    def _finish(self, finished: Finished) -> Finished:
        self.finished = finished
        return finished

    def _reason(self, candidate: Fields, reason: str) -> Finished:
        told = text(candidate, "finishMessage", _EVENT)
        if reason in _BAD_CALLS:
            raise InvalidAnswer(f"the model's answer cannot be used: {reason}", mend="ask again", retryable=True)
        if reason == "MISSING_THOUGHT_SIGNATURE":
            raise Refused("a thought of the model did not come back with its signature", status=400)
        if reason in _CUT:
            return Finished(Finish.LENGTH, reason=reason)
        # A reason that is not known is taken for a block where nothing was said, lest an empty answer passes for one.
        if reason in _BLOCKED or (reason != "STOP" and not self._has_said):
            return Finished(Finish.REFUSED, told or _told(reason, candidate), reason)
        return Finished(Finish.TOOL_CALLS if self._calls else Finish.STOP, reason=reason)


def _sealed(kind: str, signature: str) -> str:
    return seal(NAME, kind, signature) if signature else ""


def _before_finish(deltas: list[Delta]) -> int:
    return len(deltas) - 1 if deltas and isinstance(deltas[-1], Finished) else len(deltas)


def _blob(part: Fields) -> Delta:
    data = inner(part, "inlineData", _EVENT)
    if part.get("thought"):
        # A draft of a picture; only the last one is meant.
        return RawDelta(part)
    encoded = text(data, "data", _EVENT)
    return BlobDelta(blob_of_part(text(data, "mimeType", _EVENT), encoded, f"{_EVENT}: inlineData"))


def _usage(usage: Fields) -> Usage:
    """Its prompt tokens hold the cached ones, but not those of what its tools read; its candidates hold no thoughts."""
    thoughts = count(usage, "thoughtsTokenCount", _EVENT)
    return Usage(
        prompt_tokens=count(usage, "promptTokenCount", _EVENT) + count(usage, "toolUsePromptTokenCount", _EVENT),
        completion_tokens=count(usage, "candidatesTokenCount", _EVENT) + thoughts,
        cached_tokens=count(usage, "cachedContentTokenCount", _EVENT),
        thinking_tokens=thoughts,
    )


def _blocked_question(feedback: Fields) -> Finished:
    reason = text(feedback, "blockReason", _EVENT)
    told = text(feedback, "blockReasonMessage", _EVENT)
    return Finished(Finish.REFUSED, told or f"the question was blocked: {_told(reason, feedback)}", reason)


def _told(reason: str, rated: Fields) -> str:
    """A reason and the categories of harm that were found."""
    found = [_category(rating) for rating in rows(rated, "safetyRatings", _EVENT) if rating.get("blocked")]
    return f"{reason} ({', '.join(found)})" if found else reason


def _category(rating: dict[str, Any] | Fields) -> str:
    return text(rating, "category", _EVENT).removeprefix("HARM_CATEGORY_").lower().replace("_", " ")
