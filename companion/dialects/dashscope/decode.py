"""Reads answers of DashScope: of text, and of several media, whose content is a list.

Every event holds the next piece and the counts so far; the one with a ``finish_reason`` other than ``null`` (a word)
is the finish signal.
"""

from __future__ import annotations

from companion.dialects.contract import WireEvent
from companion.dialects.dashscope_faults import dashscope_fault, is_refusal
from companion.dialects.fields import Fields, as_fields, count, fields_of, inner, rows, text
from companion.dialects.media import blob_of, bytes_of
from companion.errors import WireBroken
from companion.model.calls import CallDelta
from companion.model.deltas import BlobDelta, Counted, Delta, Finish, Finished, RawDelta, TextDelta, ThoughtDelta
from companion.stream import Blob, Usage, pcm

_EVENT = "dashscope event"
_GOING_ON = ("", "null")
_KNOWN = frozenset(("output", "usage", "request_id"))
_BLOCKED = frozenset(("content_filter", "sensitive"))
_RATE = 24_000
"""Hertz of what its models speak: one channel, signed 16-bit little-endian."""


class DashScopeDecoder:
    """Reads one answer."""

    def __init__(self) -> None:
        self.unknown = 0
        self._finished: Finished | None = None
        self._usage: Fields = {}
        self._has_calls = False
        self._has_said = False

    def feed(self, event: WireEvent) -> list[Delta]:
        if event.data == "[DONE]":
            return []
        fields = fields_of(event.data, _EVENT)
        if event.name == "error" and self._finished is None:
            return [self._failed(fields)]
        return self._read(fields)

    def end(self) -> list[Delta]:
        if self._finished is None:
            raise WireBroken("the dashscope answer stopped before its finish_reason")
        return []

    def whole(self, value: object) -> list[Delta]:
        """The deltas of an answer that came in one piece.

        Raises:
            WireBroken: it is malformed, or has not finished.
            ModelError: the provider says that it failed.
        """
        deltas = [*self._read(as_fields(value, "dashscope answer")), *self.end()]
        return [*(one for one in deltas if one is not self._finished), *([self._finished] if self._finished else [])]

    def _read(self, event: Fields) -> list[Delta]:
        output = inner(event, "output", _EVENT)
        if not output and event.get("code"):
            return [self._failed(event)]
        # An event that comes again, behind the finish signal, says nothing new but its counts.
        is_open = self._finished is None
        choices = rows(output, "choices", _EVENT)
        deltas = self._output(output, choices) if is_open else []
        if (usage := event.get("usage")) is not None and usage != self._usage:
            self._usage = as_fields(usage, f"{_EVENT}: usage")
            deltas.append(Counted(_usage(self._usage)))
        if is_open and (reason := text(choices[0] if choices else output, "finish_reason", _EVENT)) not in _GOING_ON:
            deltas.append(self._finish(reason))
        if not deltas and _KNOWN.isdisjoint(event):
            self.unknown += 1
            return [RawDelta(event)]
        return deltas

    def _output(self, output: Fields, choices: list[Fields]) -> list[Delta]:
        deltas: list[Delta] = []
        if choices:
            self._message(inner(choices[0], "message", _EVENT), deltas)
        elif words := text(output, "text", _EVENT):
            deltas.append(TextDelta(words))
        if output.get("audio") and (sound := text(inner(output, "audio", _EVENT), "data", _EVENT)):
            deltas.append(BlobDelta(pcm(bytes_of(sound, f"{_EVENT}: audio"), _RATE)))
        if output.get("search_info"):
            deltas.append(RawDelta({"search_info": output["search_info"]}))
        self._has_said = self._has_said or bool(deltas)
        return deltas

    def _message(self, message: Fields, deltas: list[Delta]) -> None:
        if message.get("reasoning_content") and (thought := text(message, "reasoning_content", _EVENT)):
            deltas.append(ThoughtDelta(thought))
        content = message.get("content")
        if isinstance(content, str):
            if content:
                deltas.append(TextDelta(content))
        elif content is not None:
            for one in rows(message, "content", _EVENT):
                self._content(one, deltas)
        if message.get("tool_calls") is not None:
            calls = rows(message, "tool_calls", _EVENT)
            deltas += [self._call(place, call) for place, call in enumerate(calls)]

    def _content(self, one: Fields, deltas: list[Delta]) -> None:
        if one.get("text") is not None:
            words = text(one, "text", _EVENT)
            deltas += [TextDelta(words)] if words else []
        elif one.get("image") is not None:
            picture = blob_of(text(one, "image", _EVENT), f"{_EVENT}: image")
            deltas.append(BlobDelta(picture) if isinstance(picture, Blob) else RawDelta(one))
        elif one:
            self.unknown += 1
            deltas.append(RawDelta(one))

    def _call(self, place: int, call: Fields) -> CallDelta:
        self._has_calls = True
        function = inner(call, "function", _EVENT)
        index = place if call.get("index") is None else count(call, "index", _EVENT)
        name, arguments = text(function, "name", _EVENT), text(function, "arguments", _EVENT)
        return CallDelta(index, text(call, "id", _EVENT), name, arguments)

    def _finish(self, reason: str) -> Finished:
        # A reason that is not known is taken for a refusal where nothing was said, lest an empty answer passes for one.
        if reason == "length":
            why = Finish.LENGTH
        elif reason in _BLOCKED or (reason not in ("stop", "tool_calls") and not self._has_said):
            why = Finish.REFUSED
        else:
            why = Finish.TOOL_CALLS if self._has_calls else Finish.STOP
        self._finished = Finished(why, reason if why is Finish.REFUSED else "", reason)
        return self._finished

    def _failed(self, event: Fields) -> Finished:
        """A refusal; anything else is raised."""
        code = event.get("code")
        if isinstance(code, str) and is_refusal(code):
            self._finished = Finished(Finish.REFUSED, text(event, "message", _EVENT) or code, code)
            return self._finished
        raise dashscope_fault(0, event)


def _usage(usage: Fields) -> Usage:
    """Its input holds what is cached, its output the thoughts."""
    read = _details(usage, "prompt_tokens_details", "input_tokens_details")
    written = _details(usage, "output_tokens_details", "completion_tokens_details")
    return Usage(
        count(usage, "input_tokens", _EVENT),
        count(usage, "output_tokens", _EVENT),
        count(read, "cached_tokens", _EVENT) if read else 0,
        count(read, "cache_creation_input_tokens", _EVENT) if read else 0,
        count(written, "reasoning_tokens", _EVENT) if written else 0,
    )


def _details(usage: Fields, name: str, other: str) -> Fields:
    """What a count is made of; the two services have different names for it."""
    return inner(usage, name if usage.get(name) else other, _EVENT)
