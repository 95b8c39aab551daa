"""What a message can hold beside plain words: pictures, sound, films, bytes, documents and thoughts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from companion.stream import Blob, Part, Text, canonical_mime


@dataclass(frozen=True, slots=True)
class Link:
    """A picture, sound, film or file that whoever reads the message fetches from ``url``."""

    mime_type: str
    url: str


@dataclass(frozen=True, slots=True)
class Resource:
    """A document with its address: its words, or its bytes where it is none of words."""

    uri: str
    mime_type: str = "text/plain"
    text: str = ""
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class Thought:
    """What a model thought before it answered.

    signature: by it a provider knows its own thought again; it goes back as it came.
    redacted: a thought that only its provider can read, in place of the text.
    """

    text: str
    signature: str = ""
    redacted: str = ""


Block = Part | Link | Resource | Thought


class Kind(StrEnum):
    """What a block is."""

    TEXT = "text"
    IMAGE = "image"
    AUDIO = "audio"
    VIDEO = "video"
    BLOB = "blob"
    RESOURCE = "resource"
    THOUGHT = "thought"


def kind_of(block: Block) -> Kind:
    """What ``block`` is; bytes and links by their MIME type, and ``blob`` where that says nothing."""
    match block:
        case Text():
            return Kind.TEXT
        case Resource():
            return Kind.RESOURCE
        case Thought():
            return Kind.THOUGHT
        case Blob(mime_type) | Link(mime_type):
            family = (canonical_mime(mime_type) or "").partition("/")[0]
            return Kind(family) if family in (Kind.IMAGE, Kind.AUDIO, Kind.VIDEO) else Kind.BLOB
        case _:
            assert_never(block)


def image(source: bytes | str, mime_type: str = "image/jpeg") -> Blob | Link:
    """A picture, of its bytes or its URL."""
    return blob(source, mime_type)


def audio(source: bytes | str, mime_type: str = "audio/mpeg") -> Blob | Link:
    """Sound, of its bytes or its URL."""
    return blob(source, mime_type)


def video(source: bytes | str, mime_type: str = "video/mpeg") -> Blob | Link:
    """A film, of its bytes or its URL."""
    return blob(source, mime_type)


def blob(source: bytes | str, mime_type: str = "application/octet-stream") -> Blob | Link:
    """Bytes of any kind, or where they are."""
    return Link(mime_type, source) if isinstance(source, str) else Blob(mime_type, source)
