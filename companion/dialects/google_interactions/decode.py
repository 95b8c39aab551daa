"""Reads answers of the Interactions API, in both families of its events.

Since May 2026 an answer comes in steps (``step.start``, ``step.delta``, ``step.stop`` between ``interaction.created``
and ``interaction.completed``), before in contents (``content.*`` between ``interaction.start`` and
``interaction.complete``). A step is a content with a type of its own; both are read alike.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from companion.dialects.contract import WireEvent
from companion.dialects.fields import Fields, as_fields, as_json, broken, count, fields_of, inner, rows, text
from companion.dialects.google_faults import google_fault
from companion.dialects.google_interactions.marks import CALL, NAME, STEP, THOUGHT
from companion.dialects.google_media import blob_of_part
from companion.dialects.seals import seal
from companion.errors import ProviderFailed, WireBroken
from companion.model.calls import CallDelta
from companion.model.deltas import BlobDelta, Counted, Delta, Finish, Finished, RawDelta, TextDelta, ThoughtDelta
from companion.stream import Usage
from companion.stream.chunk import PcmFormat

_MEDIA = frozenset(("image", "audio", "video", "document"))
_OWN_TOOLS = re.compile(
    r"(?:google_search|google_maps|code_execution|url_context|file_search|mcp_server_tool|retrieval|tool_search"
    r"|processing)_(?:call|result)"
)
"""Steps of what Google's own tools did; they want to come back as they are."""
_ENDED = frozenset(("completed", "requires_action", "idle"))
_CUT = frozenset(("incomplete", "requires_continuation", "budget_exceeded"))
_LAST = _ENDED | _CUT | {"failed", "cancelled"}
_BLOCKED = re.compile(r"safety|blocked|blocklist|prohibited|recitation|spii|content_filter", re.IGNORECASE)


@dataclass(slots=True)
class _Step:
    """A step that has not stopped.

    arguments: of a call, as its start holds them; they count where none come behind.
    other: a step of one of Google's own tools, or of one that is not known, as far as it has come.
    """

    kind: str
    arguments: str = ""
    is_told: bool = False
    mime_type: str = ""
    other: dict[str, object] = field(default_factory=dict)


class InteractionDecoder:
    """Reads one answer."""

    def __init__(self) -> None:
        self.unknown = 0
        self._finished: Finished | None = None
        self._status = ""
        self._steps: dict[int, _Step] = {}
        self._has_steps = False
        self._has_calls = False

    def feed(self, event: WireEvent) -> list[Delta]:
        if event.data == "[DONE]":
            return []
        place = f"google-interactions event {event.name}".strip()
        fields = fields_of(event.data, place)
        kind = text(fields, "event_type", place) or event.name
        place = f"google-interactions event {kind}"
        deltas = self._read(kind, fields, place)
        if (usage := inner(fields, "metadata", place).get("total_usage")) is not None:
            deltas.append(Counted(_usage(as_fields(usage, place), place)))
        return deltas

    def end(self) -> list[Delta]:
        """Some streams end with the news of the last status alone."""
        if self._finished is None and self._status in _LAST:
            return [*self._stop_all("google-interactions"), self._finish(self._status, {}, "google-interactions")]
        if self._finished is None:
            raise WireBroken("the google-interactions answer stopped before interaction.completed")
        return []

    def whole(self, value: object) -> list[Delta]:
        """The deltas of an interaction that came in one piece.

        Raises:
            WireBroken: it is malformed, or has not ended.
            ModelError: the provider says that it failed.
        """
        place = "google-interactions answer"
        interaction = as_fields(value, place)
        if interaction.get("error") is not None:
            raise google_fault(0, interaction)
        status = text(interaction, "status", place)
        if status not in _LAST:
            raise broken(place, f"its status is {status[:40]!r}, not the last one")
        return self._complete(interaction, place)

    def _read(self, kind: str, fields: Fields, place: str) -> list[Delta]:
        match kind:
            case "step.delta" | "content.delta":
                return self._delta(count(fields, "index", place), _held(fields, "delta", place), place)
            case "step.start":
                return self._start(count(fields, "index", place), _held(fields, "step", place), place)
            case "content.start":
                return self._start(count(fields, "index", place), _held(fields, "content", place), place)
            case "step.stop" | "content.stop":
                return [*self._stop(count(fields, "index", place), place), *_counted(fields, place)]
            case "interaction.created" | "interaction.start" | "interaction.in_progress" | "interaction.queued":
                return []
            case "interaction.status_update":
                self._status = text(fields, "status", place)
                return _counted(fields, place)
            case "error":
                return [self._failed([inner(fields, "error", place)], place)]
            case _:
                return self._other_event(kind, fields, place)

    def _other_event(self, kind: str, fields: Fields, place: str) -> list[Delta]:
        status = "completed" if kind == "interaction.complete" else kind.removeprefix("interaction.")
        if kind.startswith("interaction.") and status in _LAST:
            interaction = _held(fields, "interaction", place)
            return self._complete({**interaction, "status": text(interaction, "status", place) or status}, place)
        self.unknown += 1
        return [RawDelta(fields)]

    def _complete(self, interaction: Fields, place: str) -> list[Delta]:
        """The end. It holds the steps only where they did not come before."""
        if self._finished is not None:
            return _counted(interaction, place)
        deltas: list[Delta] = []
        if not self._has_steps:
            for index, step in enumerate(rows(interaction, "steps", place) or rows(interaction, "outputs", place)):
                deltas += [*self._start(index, step, place), *self._stop(index, place)]
        deltas += self._stop_all(place)
        deltas += _counted(interaction, place)
        return [*deltas, self._finish(text(interaction, "status", place), interaction, place)]

    def _finish(self, status: str, interaction: Fields, place: str) -> Finished:
        if status == "failed":
            return self._failed(rows(interaction, "errors", place), place)
        if status == "cancelled":
            raise ProviderFailed("the interaction was cancelled")
        if status in _CUT:
            self._finished = Finished(Finish.LENGTH, reason=status)
        else:
            self._finished = Finished(Finish.TOOL_CALLS if self._has_calls else Finish.STOP, reason=status)
        return self._finished

    def _failed(self, errors: list[Fields], place: str) -> Finished:
        """A refusal; anything else is raised."""
        error = errors[0] if errors else {}
        code = error.get("code")
        if isinstance(code, str) and _BLOCKED.search(code):
            self._finished = Finished(Finish.REFUSED, text(error, "message", place) or code, code)
            return self._finished
        raise google_fault(0, {"error": {"message": "the interaction failed", **error}})

    def _start(self, index: int, fields: Fields, place: str) -> list[Delta]:
        kind = text(fields, "type", place)
        step = self._steps[index] = _Step(kind)
        self._has_steps = True
        match kind:
            case "function_call":
                return self._call(index, step, fields, place)
            case "thought":
                return _thoughts(rows(fields, "summary", place), text(fields, "signature", place), place)
            case "model_output":
                if fields.get("error") is not None:
                    return [self._failed([inner(fields, "error", place)], place)]
                content = rows(fields, "content", place)
                return [delta for one in content for delta in self._content(step, one, place)]
            case "user_input" | "function_result":
                return []
            case _:
                return self._content(step, fields, place)

    def _content(self, step: _Step, fields: Fields, place: str) -> list[Delta]:
        kind = text(fields, "type", place)
        if kind == "text":
            words = text(fields, "text", place)
            return [TextDelta(words)] if words else []
        if kind in _MEDIA:
            return self._media(step, fields, place)
        if not _OWN_TOOLS.fullmatch(kind):
            self.unknown += 1
        step.other |= fields
        return []

    def _delta(self, index: int, delta: Fields, place: str) -> list[Delta]:
        kind = text(delta, "type", place)
        self._has_steps = True
        if kind == "text":
            words = text(delta, "text", place)
            return [TextDelta(words)] if words else []
        step = self._steps.setdefault(index, _Step(kind))
        match kind:
            case "thought_summary":
                return _thoughts([inner(delta, "content", place)], "", place)
            case "thought_signature":
                return _thoughts([], text(delta, "signature", place), place)
            case "thought":
                return _thoughts([{"type": "text", "text": delta.get("thought", delta.get("text"))}], "", place)
            case "arguments_delta":
                step.is_told = True
                return [CallDelta(index, arguments=text(delta, "arguments", place))]
            case "function_call":
                return self._call(index, step, delta, place)
            case "text_annotation_delta" | "text_annotation" | "function_result":
                return [RawDelta(delta)]
            case _:
                return self._other_delta(step, kind, delta, place)

    def _other_delta(self, step: _Step, kind: str, delta: Fields, place: str) -> list[Delta]:
        if kind in _MEDIA:
            return self._media(step, delta, place)
        if _OWN_TOOLS.fullmatch(kind):
            step.other |= delta
            return []
        self.unknown += 1
        return [RawDelta(delta)]

    def _media(self, step: _Step, fields: Fields, place: str) -> list[Delta]:
        """A piece of a picture or sound; the first says of what kind all are. What is at an address stays there."""
        step.mime_type = text(fields, "mime_type", place) or step.mime_type
        encoded = text(fields, "data", place)
        if not encoded:
            return [RawDelta(fields)] if fields.get("uri") else []
        sound = PcmFormat(count(fields, "sample_rate", place), count(fields, "channels", place))
        return [BlobDelta(blob_of_part(step.mime_type, encoded, place, sound))]

    def _call(self, index: int, step: _Step, fields: Fields, place: str) -> list[Delta]:
        """What is said of a call; its arguments wait, because more of them may come."""
        self._has_calls = True
        arguments = inner(fields, "arguments", place)
        step.arguments = as_json(arguments, place) if arguments else step.arguments
        signature = text(fields, "signature", place)
        sealed = seal(NAME, CALL, signature) if signature else ""
        return [CallDelta(index, text(fields, "id", place), text(fields, "name", place), signature=sealed)]

    def _stop(self, index: int, place: str) -> list[Delta]:
        step = self._steps.pop(index, None)
        if step is None:
            return []
        if step.arguments and not step.is_told:
            return [CallDelta(index, arguments=step.arguments)]
        if not step.other:
            return []
        raw = RawDelta(dict(step.other))  # type: ignore[arg-type]
        if not _OWN_TOOLS.fullmatch(step.kind):
            return [raw]
        return [raw, ThoughtDelta(redacted=seal(NAME, STEP, as_json(step.other, place)))]

    def _stop_all(self, place: str) -> list[Delta]:
        return [delta for index in list(self._steps) for delta in self._stop(index, place)]


def _held(fields: Fields, name: str, place: str) -> Fields:
    if fields.get(name) is None:
        raise broken(place, f"has no {name}")
    return inner(fields, name, place)


def _thoughts(summary: list[Fields], signature: str, place: str) -> list[Delta]:
    """A thought as far as it comes in words; pictures of thoughts are given on as they are."""
    deltas: list[Delta] = []
    for one in summary:
        if one.get("type") == "text":
            deltas.append(ThoughtDelta(text(one, "text", place)))
        elif one:
            deltas.append(RawDelta(one))
    return [*deltas, ThoughtDelta(signature=seal(NAME, THOUGHT, signature))] if signature else deltas


def _counted(fields: Fields, place: str) -> list[Delta]:
    usage = fields.get("usage")
    return [] if usage is None else [Counted(_usage(as_fields(usage, place), place))]


def _usage(usage: Fields, place: str) -> Usage:
    """Its input holds what is cached, but not what its tools read; its output holds no thoughts, as far as we know."""
    prompt = count(usage, "total_input_tokens", place) + count(usage, "total_tool_use_tokens", place)
    output, thoughts = count(usage, "total_output_tokens", place), count(usage, "total_thought_tokens", place)
    holds_thoughts = count(usage, "total_tokens", place) == prompt + output
    return Usage(
        prompt_tokens=prompt,
        completion_tokens=output if holds_thoughts else output + thoughts,
        cached_tokens=count(usage, "total_cached_tokens", place),
        thinking_tokens=thoughts,
    )
