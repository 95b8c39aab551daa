"""The seven stages of a turn, and what a handler of each may read and write.

======================  =====================================================  =========================================
stage                   reads, besides ``about``, ``raw_message``, ``notes``   writes
======================  =====================================================  =========================================
``on_input``            response                                               raw_message, response
``pre_action``          context_messages, memory, response                     context_messages, response
``post_action``         llm_text, tool_calls, context_messages, memory,        llm_text, tool_calls, context_messages,
                        response                                               response
``before_toolcall``     name, args, deny, response                             name, args, deny, response
``after_toolcall``      name, args, tool_result, response                      tool_result, response
``before_output``       final_text, skip_output, response                      final_text, skip_output, response
``after_output``        final_text                                             nothing
======================  =====================================================  =========================================

A handler gets a ``StageContext`` of its own. What it writes there is checked at once and takes effect when the handler
has ended well, all of it or none; from then on, and once its time is over, the context refuses everything.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Generic, TypeVar, cast, overload

from companion.errors import StageRefused
from companion.model import Message
from companion.stream import ToolCall

T = TypeVar("T")

LONGEST_TEXT = 100_000
"""Characters of a text that a handler writes, and of what it says in JSON."""
MOST_MESSAGES = 500
MOST_WORDS = 2_000_000
"""Characters of all messages."""
MOST_CALLS = 64


class Stage(StrEnum):
    """In the order in which a turn goes through them."""

    ON_INPUT = "on_input"
    PRE_ACTION = "pre_action"
    POST_ACTION = "post_action"
    BEFORE_TOOLCALL = "before_toolcall"
    AFTER_TOOLCALL = "after_toolcall"
    BEFORE_OUTPUT = "before_output"
    AFTER_OUTPUT = "after_output"


class Origin(StrEnum):
    """Whose words an input is."""

    USER = "user"
    PLUGIN = "plugin"
    SELF = "self"


@dataclass(frozen=True, slots=True)
class About:
    """What is settled of a turn before it begins.

    turn: its number, from 1 on. channel: where the input came from. language: a BCP 47 tag. now: with its zone.
    words: the input as it came; no handler changes them.
    """

    turn: int
    channel: str
    language: str
    now: datetime
    origin: Origin = Origin.USER
    spoken: bool = True
    words: str = ""


@dataclass(frozen=True, slots=True)
class Recalled:
    """Something remembered that fits the turn. reason: why it was chosen."""

    text: str
    source: str
    score: float = 0.0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Rights:
    """The fields a stage lets its handlers read, and those they may write; who may write a field may read it."""

    reads: frozenset[str]
    writes: frozenset[str]


def _rights(reads: str, writes: str) -> Rights:
    written = frozenset(writes.split())
    return Rights(frozenset(f"about raw_message notes {reads}".split()) | written, written)


RIGHTS: Mapping[Stage, Rights] = MappingProxyType(
    {
        Stage.ON_INPUT: _rights("", "raw_message response"),
        Stage.PRE_ACTION: _rights("memory", "context_messages response"),
        Stage.POST_ACTION: _rights("memory", "llm_text tool_calls context_messages response"),
        Stage.BEFORE_TOOLCALL: _rights("", "name args deny response"),
        Stage.AFTER_TOOLCALL: _rights("name args", "tool_result response"),
        Stage.BEFORE_OUTPUT: _rights("", "final_text skip_output response"),
        Stage.AFTER_OUTPUT: _rights("final_text", ""),
    }
)


class Field(Generic[T]):
    """One thing a stage may grant; what is written into it must fit."""

    def __init__(self, wanted: str, fits: Callable[[object], bool], keep: Callable[[T], T] | None = None) -> None:
        self.wanted = wanted
        self.fits = fits
        self.keep = keep
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, context: None, owner: type) -> Field[T]: ...
    @overload
    def __get__(self, context: StageContext, owner: type) -> T: ...
    def __get__(self, context: StageContext | None, owner: type) -> T | Field[T]:
        return self if context is None else cast(T, context.read(self.name))

    def __set__(self, context: StageContext, value: T) -> None:
        context.write(self.name, value)


def _is(*kinds: type) -> Callable[[object], bool]:
    return lambda value: isinstance(value, kinds)


def _tuple_of(kind: type) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list | tuple) and all(isinstance(one, kind) for one in value)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_TEXT


def _are_calls(value: object) -> bool:
    return _tuple_of(ToolCall)(value) and len(cast("Sequence[ToolCall]", value)) <= MOST_CALLS


def _has_user(value: object) -> bool:
    if not _tuple_of(Message)(value):
        return False
    messages = cast("Sequence[Message]", value)
    is_bounded = len(messages) <= MOST_MESSAGES and sum(len(one.text) for one in messages) <= MOST_WORDS
    return is_bounded and any(one.role == "user" for one in messages)


def _is_json(value: object) -> bool:
    """Whether JSON has it, in so many characters."""
    if not isinstance(value, Mapping):
        return False
    try:
        return len(json.dumps(thawed(value), ensure_ascii=False)) <= LONGEST_TEXT
    except (TypeError, ValueError, RecursionError):
        return False


_A_TEXT = f"text of up to {LONGEST_TEXT} characters"


class StageContext:
    """What one handler sees of one turn at one stage. Fields that cannot be changed in place are set anew.

    Every read and write that the stage does not grant raises StageRefused, naming stage and field.
    """

    __slots__ = ("_changes", "_is_over", "_owner", "_stage", "_values")

    about = Field[About]("settled before the turn", _is())
    notes = Field[MutableMapping[str, object]]("a place to put things in", _is())
    """The plugin's own, from stage to stage of one turn."""
    raw_message = Field[str](_A_TEXT, _is_text)
    response = Field[str | None](_A_TEXT, _is_text)
    """Set, it is the answer: the turn goes straight to ``after_output``."""
    memory = Field[tuple[Recalled, ...]]("what is remembered", _is())
    context_messages = Field[tuple[Message, ...]]("messages, one of them the user's, not too many", _has_user, tuple)
    """What the model is shown, oldest first."""
    llm_text = Field[str](_A_TEXT, _is_text)
    """What the model has written: a piece of it, or all of this step for who declares ``whole_text``."""
    tool_calls = Field[tuple[ToolCall, ...]]("tool calls, few enough", _are_calls, tuple)
    name = Field[str]("the name of a tool", lambda value: _is_text(value) and bool(value))
    args = Field[Mapping[str, object]](
        "a mapping that JSON has, short enough", _is_json, lambda value: cast("Mapping[str, object]", frozen(value))
    )
    deny = Field[str]("the reason, in words", lambda value: _is_text(value) and bool(str(value).strip()))
    """Set to a reason, this one call is not made."""
    tool_result = Field[str](_A_TEXT, _is_text)
    final_text = Field[str](_A_TEXT, _is_text)
    """What is to go out, piece by piece or whole as ``llm_text``; after the output, what was really heard of it."""
    skip_output = Field[bool]("true or false", _is(bool))
    """Set, this and what comes behind it does not go out."""

    def __init__(self, stage: Stage, owner: str, values: Mapping[str, object]) -> None:
        self._stage = stage
        self._owner = owner
        self._values = {name: values.get(name) for name in RIGHTS[stage].reads}
        self._changes: dict[str, object] = {}
        self._is_over = False

    @property
    def stage(self) -> Stage:
        return self._stage

    def read(self, name: str) -> object:
        """A field by its name; as the attribute.

        Raises:
            StageRefused: the stage does not grant it, or is over.
        """
        if name not in RIGHTS[self._stage].reads:
            raise self._refused(name, "cannot be read here")
        if self._is_over:
            raise self._refused(name, "cannot be read any more: the handler's time is over")
        return self._changes.get(name, self._values[name])

    def write(self, name: str, value: object) -> None:
        """Set a field by its name; as the attribute.

        Raises:
            StageRefused: the stage does not grant it or is over, or the value does not fit.
        """
        if name not in RIGHTS[self._stage].writes:
            raise self._refused(name, "cannot be written here")
        if self._is_over:
            raise self._refused(name, "cannot be written any more: the handler's time is over")
        field = FIELDS[name]
        if not field.fits(value):
            raise self._refused(name, f"takes {field.wanted}, not {type(value).__name__}")
        self._changes[name] = value if field.keep is None else field.keep(value)

    def end(self) -> Mapping[str, object]:
        """Nothing can be read or written from now on; what was written until then."""
        self._is_over = True
        return {name: value for name, value in self._changes.items() if name in RIGHTS[self._stage].writes}

    def _refused(self, field: str, why: str) -> StageRefused:
        return StageRefused(
            f"{self._owner}: {field} {why} (stage {self._stage})",
            plugin=self._owner,
            stage=self._stage.value,
            field=field,
            mend=f"at {self._stage} a handler may write: {', '.join(sorted(RIGHTS[self._stage].writes)) or 'nothing'}",
        )


FIELDS: Mapping[str, Field[object]] = MappingProxyType(
    {name: field for name, field in vars(StageContext).items() if isinstance(field, Field)}
)
"""All of them, by name."""

StageFunction = Callable[[StageContext], Awaitable[None] | None]


def frozen(value: object) -> object:
    """What JSON has, as it cannot be changed in place."""
    match value:
        case Mapping():
            return MappingProxyType({key: frozen(one) for key, one in value.items()})
        case list() | tuple():
            return tuple(frozen(one) for one in value)
        case _:
            return value


def thawed(value: object) -> object:
    """What ``frozen`` has made, as JSON has it."""
    match value:
        case Mapping():
            return {str(key): thawed(one) for key, one in value.items()}
        case list() | tuple():
            return [thawed(one) for one in value]
        case _:
            return value
