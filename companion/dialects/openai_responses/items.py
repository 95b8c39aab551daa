"""The items of a response: a message, a thought, a call, or what a tool of the provider did."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.dialects.fields import Fields, as_json, rows, text
from companion.dialects.media import bytes_of
from companion.dialects.openai_responses.marks import ITEM, NAME, PHASE, REASONING
from companion.dialects.seals import seal
from companion.model.calls import CallDelta
from companion.model.deltas import BlobDelta, Delta, RawDelta, TextDelta, ThoughtDelta
from companion.stream import Blob

BETWEEN_PARTS = "\n\n"
"""Of the summary of a thought."""


@dataclass(slots=True)
class Heard:
    """What has come of an item already, piece by piece."""

    has_phase: bool = False
    parts: set[int] = field(default_factory=set)
    """The places of those parts of its words that have come."""
    has_thought: bool = False
    has_notes: bool = False
    is_call: bool = False
    has_arguments: bool = False
    is_done: bool = False
    refusal: list[str] = field(default_factory=list)


def rest_of(index: int, item: Fields, heard: Heard, place: str) -> list[Delta]:
    """The deltas of a whole item that have not come yet; ``heard`` is brought up to date.

    index: the place of the item in the answer.

    Raises:
        WireBroken: a field of it is malformed.
    """
    if heard.is_done:
        return []
    heard.is_done = True
    match text(item, "type", place):
        case "message":
            return _message(item, heard, place)
        case "reasoning":
            return _reasoning(item, heard, place)
        case "function_call":
            return [*_begun_call(index, item, heard, place), *rest_of_call(index, item, heard, place)]
        case "web_search_call":
            kept = seal(NAME, ITEM, as_json(item, place))
            return [RawDelta(item), ThoughtDelta(redacted=kept)]
        case "image_generation_call":
            return _picture(item, place)
    return [RawDelta(item)]


def begun(index: int, item: Fields, heard: Heard, place: str) -> list[Delta]:
    """What an item says as it begins."""
    match item.get("type"):
        case "function_call":
            return _begun_call(index, item, heard, place)
        case "message":
            return _begun_message(item, heard, place)
    return []


def _begun_message(item: Fields, heard: Heard, place: str) -> list[Delta]:
    phase = text(item, "phase", place)
    if heard.has_phase or not phase:
        return []
    heard.has_phase = True
    return [ThoughtDelta(redacted=seal(NAME, PHASE, phase))]


def _begun_call(index: int, item: Fields, heard: Heard, place: str) -> list[Delta]:
    """Which tool is called, once."""
    if heard.is_call:
        return []
    heard.is_call = True
    return [CallDelta(index, text(item, "call_id", place), text(item, "name", place))]


def rest_of_call(index: int, fields: Fields, heard: Heard, place: str) -> list[Delta]:
    """The arguments, where they have not come in pieces."""
    arguments = text(fields, "arguments", place)
    if heard.has_arguments or not arguments:
        return []
    heard.has_arguments = True
    return [CallDelta(index, arguments=arguments)]


def _message(item: Fields, heard: Heard, place: str) -> list[Delta]:
    deltas = _begun_message(item, heard, place) if not heard.parts else []
    for at, part in enumerate(rows(item, "content", place)):
        match text(part, "type", place):
            case "output_text":
                deltas += [] if at in heard.parts else [TextDelta(text(part, "text", place))]
                deltas += [] if heard.has_notes else [RawDelta(one) for one in rows(part, "annotations", place)]
            case "refusal":
                heard.refusal[:] = [text(part, "refusal", place)]
            case _:
                deltas.append(RawDelta(part))
    return deltas


def _reasoning(item: Fields, heard: Heard, place: str) -> list[Delta]:
    deltas: list[Delta] = []
    if not heard.has_thought:
        summary = BETWEEN_PARTS.join(text(part, "text", place) for part in rows(item, "summary", place))
        words = "".join(text(part, "text", place) for part in rows(item, "content", place)) + summary
        heard.has_thought = bool(words)
        deltas += [ThoughtDelta(words)] if words else []
    hidden = text(item, "encrypted_content", place)
    if not hidden:
        return deltas
    kept = seal(NAME, REASONING, f"{text(item, 'id', place)} {hidden}")
    return [*deltas, ThoughtDelta(signature=kept) if heard.has_thought else ThoughtDelta(redacted=kept)]


def _picture(item: Fields, place: str) -> list[Delta]:
    result = text(item, "result", place)
    if not result:
        return [RawDelta(item)]
    kind = text(item, "output_format", place) or "png"
    return [BlobDelta(Blob(f"image/{kind}", bytes_of(result, place)))]
