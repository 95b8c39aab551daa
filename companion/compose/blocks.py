"""The blocks of a message as JSON: words as they are, bytes in base64 (RFC 4648, section 4)."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import assert_never

from companion.model import Block, Link, Resource, Thought
from companion.stream import Blob, Text, canonical_mime

MOST_BYTES = 8 * 1024 * 1024
"""Of pictures, sound and documents, that are kept of one message."""


def blocks_to_json(blocks: Iterable[Block], *, keeps_raw_sound: bool) -> list[dict[str, object]]:
    """The blocks as JSON. In place of bytes that are not kept stand words that say so.

    keeps_raw_sound: whether ``audio/pcm``, as it comes from a microphone, is kept.
    """
    left = MOST_BYTES
    written: list[dict[str, object]] = []
    for block in blocks:
        size = len(block.data) if isinstance(block, Blob | Resource) else 0
        if size > left or (isinstance(block, Blob) and _is_raw_sound(block) and not keeps_raw_sound):
            written.append({"text": f"[{_what(block)}, {size} bytes, not kept]"})
            continue
        left -= size
        written.append(_to_json(block))
    return written


def blocks_from_json(written: object) -> tuple[Block, ...]:
    """The blocks that were written.

    Raises:
        ValueError: they are none.
    """
    if not isinstance(written, list):
        raise ValueError("the blocks of a message are a list")
    return tuple(_from_json(one) for one in written)


def _what(block: Block) -> str:
    return block.mime_type if isinstance(block, Blob | Resource) else "bytes"


def _is_raw_sound(blob: Blob) -> bool:
    return (canonical_mime(blob.mime_type) or blob.mime_type.lower()).startswith("audio/pcm")


def _to_json(block: Block) -> dict[str, object]:
    match block:
        case Text(text, language, confidence, spoken):
            return {"text": text} | _set_ones({"language": language, "confidence": confidence, "spoken": spoken})
        case Blob(mime_type, data):
            return {"mime": mime_type, "data": _encoded(data)}
        case Link(mime_type, url):
            return {"mime": mime_type, "url": url}
        case Resource(uri, mime_type, text, data):
            return {"uri": uri, "mime": mime_type} | _set_ones({"words": text, "bytes": _encoded(data)})
        case Thought(text, signature, redacted):
            return {"thought": text} | _set_ones({"signature": signature, "redacted": redacted})
        case _:
            assert_never(block)


def _set_ones(fields: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value not in ("", None)}


def _from_json(fields: object) -> Block:
    match fields:
        case {"text": str(text), **rest}:
            confidence = rest.get("confidence")
            if confidence is not None and not isinstance(confidence, int | float):
                raise ValueError("a confidence is a number")
            return Text(text, _word(rest, "language"), confidence, _word(rest, "spoken"))
        case {"thought": str(text), **rest}:
            return Thought(text, _word(rest, "signature"), _word(rest, "redacted"))
        case {"uri": str(uri), **rest}:
            data = base64.b64decode(_word(rest, "bytes"), validate=True)
            return Resource(uri, _word(rest, "mime"), _word(rest, "words"), data)
        case {"mime": str(mime_type), "data": str(data)}:
            return Blob(mime_type, base64.b64decode(data, validate=True))
        case {"mime": str(mime_type), "url": str(url)}:
            return Link(mime_type, url)
        case _:
            raise ValueError("this is no block of a message")


def _word(fields: dict[object, object], name: str) -> str:
    word = fields.get(name, "")
    if not isinstance(word, str):
        raise ValueError(f"{name} is no text")
    return word


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
