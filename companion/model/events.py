"""What happens while a chat model answers: sixteen kinds of events, whose order ``companion.model.event_order`` checks.

Three of them are what they are elsewhere too: words (``TextDelta``), what a tool gave (``ToolResult``), and what one
step has cost (``Usage``).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.model.deltas import TextDelta
from companion.model.message import ToolResult
from companion.model.options import JsonValue
from companion.stream import ToolCall, Usage

__all__ = [
    "Custom",
    "Error",
    "Event",
    "Raw",
    "ResponseEnd",
    "ResponseStart",
    "StepEnd",
    "StepStart",
    "TextDelta",
    "TextEnd",
    "TextStart",
    "ThinkingDelta",
    "ToolCallArgsDelta",
    "ToolCallEnd",
    "ToolCallStart",
    "ToolResult",
    "Usage",
]


@dataclass(frozen=True, slots=True)
class ResponseStart:
    """The turn begins."""


@dataclass(frozen=True, slots=True)
class ResponseEnd:
    """The turn is over; nothing follows.

    finish_reason: as that of the last step; "length" where no more tools may be called; "error" behind an Error.
    usage: of all steps together.
    """

    finish_reason: str
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class StepStart:
    """The model is asked, for the ``step``-th time in this turn, from 1 on."""

    step: int


@dataclass(frozen=True, slots=True)
class StepEnd:
    """It has answered. finish_reason: "stop", "tool" or "length"."""

    step: int
    finish_reason: str


@dataclass(frozen=True, slots=True)
class TextStart:
    """Words begin; all of them come before anything else of the answer."""


@dataclass(frozen=True, slots=True)
class TextEnd:
    """These words are over."""


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """More of a thought, its signature, or a thought that only its provider can read."""

    text: str = ""
    signature: str = ""
    redacted: str = ""


@dataclass(frozen=True, slots=True)
class ToolCallStart:
    """A call of the tool ``name`` begins; its arguments follow under its id."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class ToolCallArgsDelta:
    """More of the arguments, as text."""

    id: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ToolCallEnd:
    """The call is all there.

    is_cut: the answer came to its limit in the middle of it, so that it is no call: it is not run, and has no result.
    """

    call: ToolCall
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Error:
    """The turn has failed; what is open stays so, and ResponseEnd follows."""

    error: Exception


@dataclass(frozen=True, slots=True)
class Raw:
    """Something of the provider's that has no name here, as it came."""

    data: JsonValue


@dataclass(frozen=True, slots=True)
class Custom:
    """Something that has a name among those who send and read it.

    The model's own: "blob", a picture or sound it made (a ``Blob``).
    """

    name: str
    data: object = None


ContentEvent = (
    TextStart
    | TextDelta
    | TextEnd
    | ThinkingDelta
    | ToolCallStart
    | ToolCallArgsDelta
    | ToolCallEnd
    | ToolResult
    | Raw
    | Custom
)
"""What a turn is made of, between the marks of its beginning, its steps and its end."""

Event = ResponseStart | ResponseEnd | StepStart | StepEnd | ContentEvent | Usage | Error
