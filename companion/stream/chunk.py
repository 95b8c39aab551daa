"""What travels: a chunk is one part of a message, with the marks that say which stream it belongs to.

A *route* is a ``stream_id``; a *channel* is a route and a MIME type. A begin or end that carries
a part concerns that channel, one without concerns the whole route.
"""

from __future__ import annotations

import os
import re
import string
import time
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

TEXT_MIME = "text/plain"


class Role(StrEnum):
    """Who a chunk speaks for."""

    USER = "user"
    MODEL = "model"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Text:
    """Words."""

    text: str
    language: str = ""
    """BCP 47 tag ("en", "zh"), or empty where nobody knows."""
    confidence: float | None = None
    """0 to 1 where a recogniser says how sure it is, else None."""
    spoken: str = ""
    """How a synthesiser shall say it ("half past two" for "14:30"); empty: as written."""


@dataclass(frozen=True, slots=True)
class Blob:
    """Bytes of a named kind. Sound is ``audio/pcm; channels=1; rate=16000``: signed 16-bit little-endian."""

    mime_type: str
    data: bytes


Part = Text | Blob


@dataclass(frozen=True, slots=True)
class FuncCall:
    """A function a model wants called; ``arguments`` is JSON text as the model wrote it."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool, to be answered under the same id.

    signature: of the thought behind it; the provider that gave it wants it back with the call, as it came.
    """

    id: str
    func_call: FuncCall
    signature: str = ""


@dataclass(frozen=True, slots=True)
class StreamCtrl:
    """The marks on a chunk."""

    stream_id: str = ""
    label: str = ""
    error: str = ""
    error_code: str = ""
    error_retryable: bool = False
    begin_of_stream: bool = False
    end_of_stream: bool = False
    timestamp: int | None = None
    """Milliseconds on the sample clock; 0 is a time, None is unset."""


@dataclass(frozen=True, slots=True)
class MessageChunk:
    """One piece of a message."""

    role: Role | None = None
    name: str = ""
    part: Part | None = None
    tool_call: ToolCall | None = None
    ctrl: StreamCtrl | None = None

    @property
    def stream_id(self) -> str:
        return self.ctrl.stream_id if self.ctrl else ""

    @property
    def is_begin(self) -> bool:
        return self.ctrl is not None and self.ctrl.begin_of_stream

    @property
    def is_end(self) -> bool:
        return self.ctrl is not None and self.ctrl.end_of_stream

    @property
    def mime_type(self) -> str | None:
        """The canonical MIME type of the part; None where there is no part or it names no kind."""
        match self.part:
            case Text():
                return TEXT_MIME
            case Blob(mime_type):
                return canonical_mime(mime_type)
            case None:
                return None


def begin_of_stream(stream_id: str, *, role: Role | None = None, label: str = "") -> MessageChunk:
    """The begin of a whole route."""
    return MessageChunk(role=role, ctrl=StreamCtrl(stream_id, label, begin_of_stream=True))


def end_of_stream(
    stream_id: str, *, role: Role | None = None, label: str = "", part: Part | None = None, error: str = ""
) -> MessageChunk:
    """The end of a channel if an (empty) ``part`` names it, else of the whole route."""
    return MessageChunk(role=role, part=part, ctrl=StreamCtrl(stream_id, label, error, end_of_stream=True))


_WORD = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"
_MEDIA_TYPE = re.compile(rf"({_WORD})/({_WORD})")
_PARAMETER = re.compile(rf'\s*;\s*({_WORD})\s*=\s*({_WORD}|"(?:[^"\\]|\\.)*")\s*')
_ESCAPE = re.compile(r"\\(.)")


def _parse_mime(mime_type: str) -> tuple[str, dict[str, str]] | None:
    text = mime_type.strip().removesuffix(";")
    kind = _MEDIA_TYPE.match(text)
    if kind is None:
        return None
    parameters: dict[str, str] = {}
    position = kind.end()
    while position < len(text):
        parameter = _PARAMETER.match(text, position)
        if parameter is None or parameter[1].lower() in parameters:
            return None
        parameters[parameter[1].lower()] = _unquoted(parameter[2])
        position = parameter.end()
    return kind[0].lower(), parameters


def _unquoted(value: str) -> str:
    return _ESCAPE.sub(r"\1", value[1:-1]) if value.startswith('"') else value


def _quoted(value: str) -> str:
    if re.fullmatch(_WORD, value):
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


@lru_cache(maxsize=256)
def canonical_mime(mime_type: str) -> str | None:
    """Lower-case type and parameter names, sorted parameters (RFC 2045); None where it does not parse."""
    parsed = _parse_mime(mime_type)
    if parsed is None:
        return None
    kind, parameters = parsed
    return "; ".join([kind, *(f"{name}={_quoted(parameters[name])}" for name in sorted(parameters))])


class PcmFormat(NamedTuple):
    """rate: hertz. channels: interleaved."""

    rate: int
    channels: int


def pcm(data: bytes, rate: int, channels: int = 1) -> Blob:
    """Sound as a part. ``data``: signed 16-bit little-endian, interleaved; ``rate``: hertz."""
    return Blob(f"audio/pcm; channels={channels}; rate={rate}", data)


@lru_cache(maxsize=64)
def pcm_format(mime_type: str) -> PcmFormat | None:
    """The format of PCM sound, or None where the MIME type means something else."""
    parsed = _parse_mime(mime_type)
    if parsed is None or parsed[0] != "audio/pcm":
        return None
    try:
        rate, channels = int(parsed[1]["rate"]), int(parsed[1].get("channels", "1"))
    except (KeyError, ValueError):
        return None
    return PcmFormat(rate, channels) if rate > 0 and channels > 0 else None


_DIGITS = string.digits + string.ascii_uppercase + string.ascii_lowercase
_EPOCH = 1_735_689_600  # 2025-01-01 UTC


def _base62(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 62)
        digits = _DIGITS[digit] + digits
    return digits or "0"


def new_stream_id() -> str:
    """A route name nobody else has: seconds since 2025 and six random bytes, in base 62."""
    # The wall clock only makes ids sort by age; nothing waits on it.
    seconds = int(time.time()) - _EPOCH  # noqa: TID251
    return _base62(max(seconds, 0)) + _base62(int.from_bytes(os.urandom(6)))
