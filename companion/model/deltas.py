"""The pieces of an answer, as a dialect reads them from its wire, and where they come from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, assert_never, runtime_checkable

from companion.model.calls import CallDelta
from companion.model.options import JsonValue
from companion.stream import Blob, Usage


class Finish(StrEnum):
    """Why a model says it has finished."""

    STOP = "stop"
    TOOL_CALLS = "tool_calls"
    LENGTH = "length"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More words."""

    text: str


@dataclass(frozen=True, slots=True)
class ThoughtDelta:
    """More of a thought, or its signature, or a thought that only its provider can read.

    A signature belongs to the thought so far; what comes behind it is another thought.
    """

    text: str = ""
    signature: str = ""
    redacted: str = ""


@dataclass(frozen=True, slots=True)
class BlobDelta:
    """A picture or sound that the model made, whole or the next piece."""

    blob: Blob


@dataclass(frozen=True, slots=True)
class RawDelta:
    """Something a provider sends that has no other name here, as it is."""

    data: JsonValue


@dataclass(frozen=True, slots=True)
class Counted:
    """Tokens so far, of the whole answer; 0 where it says nothing."""

    usage: Usage


@dataclass(frozen=True, slots=True)
class Finished:
    """The finish signal.

    reason: in the provider's word.
    """

    why: Finish
    refusal: str = ""
    reason: str = ""


Delta = TextDelta | ThoughtDelta | CallDelta | BlobDelta | RawDelta | Counted | Finished


class DeltaSource(Protocol):
    """One answer as it comes in."""

    async def next(self) -> Delta:
        """The next delta.

        Raises:
            EndOfStream: the provider has closed, or this was closed.
            ModelError: the provider says that it failed.
        """

    async def close(self) -> None:
        """Leave the provider. Wakes a waiting ``next``; idempotent, never raises."""


@runtime_checkable
class NamedSource(DeltaSource, Protocol):
    """A DeltaSource that knows whose answer it is."""

    @property
    def answered_by(self) -> tuple[str, ...]:
        """The names of those whose answer was handed out, in order; several where one went on for another."""


def says_something(delta: Delta) -> bool:
    """Whether an answer has begun by it; counts, unnamed events and empty pieces may come of one that never does."""
    match delta:
        case TextDelta(text):
            return bool(text)
        case ThoughtDelta(text, signature, redacted):
            return bool(text or signature or redacted)
        case CallDelta(_, id, name, arguments):
            return bool(id or name or arguments)
        case BlobDelta() | Finished():
            return True
        case Counted() | RawDelta():
            return False
        case _:
            assert_never(delta)
