"""Answers of the Responses API, read: developers.openai.com/api/reference/resources/responses/streaming-events."""

from __future__ import annotations

from collections.abc import Iterable

from companion.dialects.contract import WireEvent
from companion.dialects.fields import Fields, as_fields, broken, count, fields_of, inner, rows, text
from companion.dialects.openai_faults import fault_in_answer
from companion.dialects.openai_responses.items import BETWEEN_PARTS, Heard, begun, rest_of, rest_of_call
from companion.dialects.openai_responses.marks import NAME
from companion.model.calls import CallDelta
from companion.model.deltas import Counted, Delta, Finish, Finished, RawDelta, TextDelta, ThoughtDelta
from companion.model.json_repair import LONGEST
from companion.model.options import JsonValue
from companion.stream import Usage

MOST_ITEMS = 1024
"""Of one answer."""
_QUIET = frozenset(
    f"response.{name}"
    for name in (
        "created queued in_progress content_part.added content_part.done output_text.done reasoning_text.done "
        "reasoning_summary_text.done reasoning_summary_part.done web_search_call.in_progress "
        "web_search_call.searching web_search_call.completed image_generation_call.in_progress "
        "image_generation_call.generating image_generation_call.completed"
    ).split()
) | {"ping", "keepalive"}
"""Events that say nothing which others do not say too."""
_END = "[DONE]"
"""Some servers send it behind the last event, as for chat completions."""


class ResponsesDecoder:
    """Reads one streamed response."""

    def __init__(self) -> None:
        self.unknown = 0
        self._heard: dict[int, Heard] = {}
        """By the place of an item in the answer."""
        self._is_finished = False

    def feed(self, event: WireEvent) -> list[Delta]:
        """The deltas of the next event.

        Raises:
            WireBroken: the event is malformed.
            ModelError: it says that the response has failed.
        """
        if event.data == _END:
            return []
        fields = fields_of(event.data, event.name or NAME)
        kind = text(fields, "type", NAME) or event.name
        match kind:
            case "response.output_text.delta":
                self._of(fields, kind).parts.add(count(fields, "content_index", kind))
                return [TextDelta(text(fields, "delta", kind))]
            case "response.function_call_arguments.delta":
                self._of(fields, kind).has_arguments = True
                return [CallDelta(count(fields, "output_index", kind), arguments=text(fields, "delta", kind))]
            case "response.reasoning_summary_text.delta" | "response.reasoning_text.delta":
                self._of(fields, kind).has_thought = True
                return [ThoughtDelta(text(fields, "delta", kind))]
            case "response.completed" | "response.incomplete" | "response.failed":
                return self._ended(inner(fields, "response", kind), kind)
            case "error":
                raise fault_in_answer(fields)
        return [] if kind in _QUIET else self._rare(kind, fields)

    def end(self) -> list[Delta]:
        """Nothing: no delta is held back.

        Raises:
            WireBroken: the response has not ended.
        """
        if not self._is_finished:
            raise broken(f"{NAME} answer", "it stopped before its finish signal")
        return []

    def _rare(self, kind: str, fields: Fields) -> list[Delta]:
        heard, index = self._of(fields, kind), count(fields, "output_index", kind)
        match kind:
            case "response.output_item.added":
                return begun(index, inner(fields, "item", kind), heard, kind)
            case "response.output_item.done":
                return rest_of(index, inner(fields, "item", kind), heard, kind)
            case "response.function_call_arguments.done":
                return rest_of_call(index, fields, heard, kind)
            case "response.reasoning_summary_part.added":
                is_first = count(fields, "summary_index", kind) == 0
                return [] if is_first else [ThoughtDelta(BETWEEN_PARTS)]
            case "response.output_text.annotation.added":
                heard.has_notes = True
                return [RawDelta(inner(fields, "annotation", kind))]
            case "response.refusal.delta":
                return _refused(heard, text(fields, "delta", kind), kind)
            case "response.refusal.done":
                heard.refusal = [text(fields, "refusal", kind)]
                return []
        self.unknown += 1
        return [RawDelta(fields)]

    def _of(self, fields: Fields, kind: str) -> Heard:
        """What has come of the item that an event is about."""
        index = count(fields, "output_index", kind)
        if index not in self._heard:
            if len(self._heard) >= MOST_ITEMS:
                raise broken(kind, f"the answer has more than {MOST_ITEMS} items")
            self._heard[index] = Heard()
        return self._heard[index]

    def _ended(self, response: Fields, kind: str) -> list[Delta]:
        self._is_finished = True
        if kind == "response.failed":
            raise fault_in_answer(inner(response, "error", kind))
        status = kind.removeprefix("response.")
        return _whole({**response, "status": status}, self._heard, kind)


def read_response(answer: JsonValue) -> list[Delta]:
    """The deltas of a response that came whole, as its decoder would give them.

    Raises:
        WireBroken: it is malformed, or has not ended.
        ModelError: it has failed.
    """
    place = f"{NAME} response"
    fields = as_fields(answer, place)
    status = text(fields, "status", place)
    if status in ("failed", "cancelled") or fields.get("error"):
        raise fault_in_answer(inner(fields, "error", place))
    if status not in ("completed", "incomplete"):
        raise broken(place, "it has not ended")
    return _whole(fields, {}, place)


def _whole(response: Fields, heard: dict[int, Heard], place: str) -> list[Delta]:
    """What has not come yet of a response that has ended, its finish signal last."""
    deltas: list[Delta] = []
    for index, item in enumerate(rows(response, "output", place)[:MOST_ITEMS]):
        deltas += rest_of(index, item, heard.setdefault(index, Heard()), place)
    return [*deltas, *_counted(response, place), _finished(response, heard.values(), place)]


def _finished(response: Fields, heard: Iterable[Heard], place: str) -> Finished:
    status = text(response, "status", place)
    items = list(heard)
    refusal = "".join(piece for item in items for piece in item.refusal)
    if refusal:
        return Finished(Finish.REFUSED, refusal, "refusal")
    if status == "incomplete":
        reason = text(inner(response, "incomplete_details", place), "reason", place) or status
        return Finished(Finish.REFUSED if reason == "content_filter" else Finish.LENGTH, "", reason)
    return Finished(Finish.TOOL_CALLS if any(item.is_call for item in items) else Finish.STOP)


def _refused(heard: Heard, piece: str, place: str) -> list[Delta]:
    heard.refusal.append(piece)
    if sum(map(len, heard.refusal)) + len(heard.refusal) > LONGEST:
        raise broken(place, "the refusal is too long")
    return []


def _counted(response: Fields, place: str) -> list[Delta]:
    usage = inner(response, "usage", place)
    read = inner(usage, "input_tokens_details", place)
    written = inner(usage, "output_tokens_details", place)
    counted = Usage(
        prompt_tokens=count(usage, "input_tokens", place),
        completion_tokens=count(usage, "output_tokens", place),
        cached_tokens=count(read, "cached_tokens", place),
        stored_tokens=count(read, "cache_write_tokens", place),
        thinking_tokens=count(written, "reasoning_tokens", place),
    )
    return [Counted(counted)] if counted != Usage() else []
