"""What a delta or a message of a chat completion can hold beside plain words: thoughts, calls, pictures, sound."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from companion.dialects.fields import Fields, as_json, broken, count, inner, rows, text
from companion.dialects.media import blob_of, bytes_of
from companion.dialects.openai_completions.marks import DETAIL, EXTRA, NAME
from companion.dialects.seals import seal
from companion.model.calls import CallDelta
from companion.model.deltas import BlobDelta, Delta, RawDelta, TextDelta, ThoughtDelta
from companion.stream import Blob, pcm

PIECE: Final = f"{NAME} delta"
_SPOKEN_RATE = 24_000
"""Hertz of the sound that a streamed answer holds."""


def said(fields: Fields) -> Iterator[Delta]:
    """The content, where it is a list of parts.

    Raises:
        WireBroken: it is none.
    """
    for part in rows(fields, "content", PIECE):
        match part.get("type"):
            case "text" | "output_text":
                yield TextDelta(text(part, "text", PIECE))
            case "thinking":
                yield from (ThoughtDelta(text(inside, "text", PIECE)) for inside in rows(part, "thinking", PIECE))
            case "image_url":
                yield _picture(part)
            case _:
                yield RawDelta(dict(part))


def thought(fields: Fields) -> Iterator[Delta]:
    """The thought, in whichever field it is; the same words often stand in two."""
    words = text(fields, "reasoning_content", PIECE) or text(fields, "reasoning", PIECE)
    details = rows(fields, "reasoning_details", PIECE) if "reasoning_details" in fields else ()
    if not words:
        words = "".join(text(one, "text", PIECE) or text(one, "summary", PIECE) for one in details)
    if words:
        yield ThoughtDelta(words)
    for one in details:
        kept = {name: value for name, value in one.items() if name not in ("text", "summary") and value is not None}
        if "data" in kept:
            yield ThoughtDelta(redacted=seal(NAME, DETAIL, as_json(kept, PIECE)))
        elif "signature" in kept:
            yield ThoughtDelta(signature=seal(NAME, DETAIL, as_json(kept, PIECE)))


def calls_of(fields: Fields) -> list[CallDelta]:
    """The pieces of tool calls."""
    calls = [_call(one) for one in rows(fields, "tool_calls", PIECE)]
    if fields.get("function_call"):
        # The form before there were several calls.
        calls.append(_call({"index": 0, "function": fields["function_call"]}))
    return calls


def _call(fields: Fields) -> CallDelta:
    function = inner(fields, "function", PIECE)
    index = fields.get("index")
    extra = inner(fields, "extra_content", PIECE) if "extra_content" in fields else {}
    return CallDelta(
        None if index is None else count(fields, "index", PIECE),
        text(fields, "id", PIECE),
        text(function, "name", PIECE),
        _arguments(function),
        seal(NAME, EXTRA, as_json(extra, PIECE)) if extra else "",
    )


def _arguments(function: Fields) -> str:
    """As text; some servers send the object itself."""
    arguments = function.get("arguments")
    return as_json(arguments, PIECE) if isinstance(arguments, dict) else text(function, "arguments", PIECE)


def rest_of(fields: Fields, *, is_whole: bool) -> Iterator[Delta]:
    """Sound, pictures, and where words were found."""
    if fields.get("audio"):
        yield from _sound(inner(fields, "audio", PIECE), is_whole=is_whole)
    for one in rows(fields, "images", PIECE):
        yield _picture(one)
    for one in rows(fields, "annotations", PIECE):
        yield RawDelta({"annotation": dict(one)})


def _sound(audio: Fields, *, is_whole: bool) -> Iterator[Delta]:
    if words := text(audio, "transcript", PIECE):
        yield TextDelta(words)
    if encoded := text(audio, "data", PIECE):
        data = bytes_of(encoded, f"{PIECE}: 'audio'")
        yield BlobDelta(_sound_file(data) if is_whole else pcm(data, _SPOKEN_RATE))


def _sound_file(data: bytes) -> Blob:
    """A whole sound is in the form that was asked for, which only its first bytes tell here."""
    if data.startswith(b"RIFF"):
        return Blob("audio/wav", data)
    kinds = {b"fLaC": "audio/flac", b"OggS": "audio/ogg", b"ID3\x03": "audio/mpeg", b"ID3\x04": "audio/mpeg"}
    if data[:1] == b"\xff":
        return Blob("audio/mpeg", data)
    return Blob(kinds[data[:4]], data) if data[:4] in kinds else pcm(data, _SPOKEN_RATE)


def _picture(part: Fields) -> Delta:
    place: Any = part.get("image_url")
    url = place if isinstance(place, str) else text(inner(part, "image_url", PIECE), "url", PIECE)
    if not url:
        raise broken(PIECE, "a picture has no place")
    found = blob_of(url, f"{PIECE}: a picture")
    return BlobDelta(found) if isinstance(found, Blob) else RawDelta({"image_url": url})
