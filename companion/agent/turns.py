"""The turns that are under way: what each holds, and its one end.

A turn begins with its input and ends once, whatever becomes of it: answered, by a short circuit, without output,
dropped before anybody heard it, or failed. Its end is told last, as an event of kind ``system``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, MutableMapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from companion.agent.bus import RECALLED, Bus, EventKind
from companion.agent.guests import Failure
from companion.agent.safety import Taint
from companion.agent.stages import About, Recalled
from companion.model import Message, ToolResult
from companion.stream import ToolCall

CONFIRM_SECONDS = 30.0
"""How long a tool that acts waits until the turn is sure."""
EARLY_SECONDS = 45.0
"""How long an answer that is there may wait until the turn is sure; the longest turn is shorter."""
COMMIT_SECONDS = 120.0
"""How long a turn whose text was left may wait for the report of what was heard."""
SPOKEN_SECONDS = 1800.0
"""How long a text may be spoken."""
MOST_FAILURES = 64
"""Of one turn."""
MOST_OPEN = 32
"""Turns under way; the oldest is ended for one more."""


class Ending(StrEnum):
    """What became of an input."""

    ANSWERED = "answered"
    SHORT_CIRCUIT = "short circuit"
    SKIPPED = "skipped"
    DROPPED = "dropped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Details:
    """What is to be known of a turn. held_back_by: the plugins that wanted the reply as a whole.

    failures: what plugins did wrong in it. tools: the names of those that ran. own_seconds: what the pipeline took
    until the model was asked, recall with it.
    """

    turn: int
    ending: Ending
    held_back_by: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()
    tools: tuple[str, ...] = ()
    recalled: tuple[Recalled, ...] = ()
    own_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One call that ran. result: as the model was given it, without marks."""

    name: str
    arguments: str
    result: str


@dataclass(frozen=True, slots=True)
class Afterword:
    """What the program itself says behind the reply of a model. asked: called once it was heard; must not raise."""

    words: str
    asked: Callable[[], None] = lambda: None


VEIL = "[kept from you: what is remembered]"


@dataclass(slots=True)
class PrivateResults:
    """The results of a turn that hold what is remembered. tools: whose results do. calls: the ids of those that did."""

    tools: frozenset[str] = frozenset()
    calls: set[str] = field(default_factory=set)

    def veiled(self, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        """The messages for who may not see what is remembered."""
        ids = self._ids(messages)
        return tuple(_veiled(one) if _id_of_result(one) in ids else one for one in messages) if ids else messages

    def unveiled(self, changed: Iterable[Message], messages: tuple[Message, ...]) -> tuple[Message, ...]:
        """What such a one made of them, with the results as they were."""
        ids = self._ids(messages)
        known = {_id_of_result(one): one for one in messages if _id_of_result(one) in ids}
        return tuple(known.get(_id_of_result(one), one) for one in changed)

    def _ids(self, messages: Iterable[Message]) -> set[str]:
        asked = [one.payload for one in messages if isinstance(one.payload, ToolCall)]
        return self.calls | {call.id for call in asked if call.func_call.name in self.tools}


def _id_of_result(message: Message) -> str | None:
    return message.payload.id if isinstance(message.payload, ToolResult) else None


def _veiled(message: Message) -> Message:
    assert isinstance(message.payload, ToolResult)
    return replace(message, payload=replace(message.payload, result=VEIL))


class Turn:
    """One input on its way through the stages.

    may: the sensitive tools that this input is there for, whatever was read; only tasks of the self have any.
    """

    def __init__(self, about: About, text: str, *, may: frozenset[str] = frozenset()) -> None:
        self.about = about
        self.said = text
        """As it came; ``raw_message`` is what the handlers made of it."""
        self.values: dict[str, object] = {"about": about, "raw_message": text, "memory": ()}
        self.failures: list[Failure] = []
        self.taint = Taint()
        self.private = PrivateResults()
        self.tools: list[ToolUse] = []
        self.held_back_by: tuple[str, ...] = ()
        self.own_seconds = 0.0
        self.began = asyncio.get_running_loop().time()
        self.failure: BaseException | None = None
        self.answered_by = ""
        """Whose handler has set ``response``."""
        self.may = may
        self.ending: Ending | None = None
        self.confirmed = asyncio.Event()
        """Set when the turn is sure to be answered, so that what acts may act."""
        self.timer: asyncio.TimerHandle | None = None
        self.was_sure = False
        """Whether it was confirmed when the timer was set."""
        self.afterword: Afterword | None = None
        """What was said behind the reply."""
        self._spent: dict[str, float] = {}
        self._notes: dict[str, MutableMapping[str, object]] = {}

    def note(self, failure: Failure) -> None:
        """Note what went wrong; of very much, the first."""
        if len(self.failures) < MOST_FAILURES:
            self.failures.append(failure)

    def spent(self, owner: str) -> float:
        """Seconds that the handlers of a plugin have taken."""
        return self._spent.get(owner, 0.0)

    def spend(self, owner: str, seconds: float) -> None:
        """Count them."""
        self._spent[owner] = self.spent(owner) + seconds

    def notes(self, owner: str) -> MutableMapping[str, object]:
        """A plugin's own place."""
        return self._notes.setdefault(owner, {})

    def text_of(self, field: str) -> str:
        """A field that holds text; empty where nobody has set it."""
        value = self.values.get(field)
        return value if isinstance(value, str) else ""

    @property
    def number(self) -> int:
        return self.about.turn

    @property
    def message(self) -> str:
        return self.text_of("raw_message")

    @property
    def response(self) -> str | None:
        value = self.values.get("response")
        return value if isinstance(value, str) else None

    @property
    def is_skipped(self) -> bool:
        return self.values.get("skip_output") is True

    @property
    def messages(self) -> tuple[Message, ...]:
        value = self.values.get("context_messages")
        return value if isinstance(value, tuple) else ()

    @property
    def recalled(self) -> tuple[Recalled, ...]:
        value = self.values.get("memory")
        return value if isinstance(value, tuple) else ()

    @property
    def is_early(self) -> bool:
        """Whether it was spoken, and is there, but not sure."""
        return self.about.spoken and self.timer is not None and not self.confirmed.is_set()

    def confirm(self) -> None:
        """The turn will be answered."""
        self.confirmed.set()

    def details(self) -> Details:
        return Details(
            self.number,
            self.ending or Ending.ANSWERED,
            self.held_back_by,
            tuple(self.failures),
            tuple(use.name for use in self.tools),
            self.recalled,
            self.own_seconds,
        )


@dataclass(slots=True)
class Turns:
    """Counts them, and ends each once.

    on_begin, on_end: told of each turn; they must not raise.
    """

    bus: Bus
    on_begin: Callable[[Turn], None] = lambda turn: None
    on_end: Callable[[Turn], None] = lambda turn: None
    last: Details | None = None
    _count: int = 0
    _open: dict[int, Turn] = field(default_factory=dict)

    def next_number(self) -> int:
        self._count += 1
        return self._count

    def begin(self, turn: Turn) -> Turn:
        """Take up a turn, and tell of its input."""
        while len(self._open) >= MOST_OPEN:
            self.end(next(iter(self._open.values())), Ending.DROPPED)
        about = turn.about
        if about.spoken:
            # Who speaks is answered by one voice: an early answer that is still not sure was given up.
            for early in [one for one in self._open.values() if one.is_early]:
                self.end(early, Ending.DROPPED)
        self._open[turn.number] = turn
        self.bus.publish(
            EventKind.RAW_INPUT, about.origin.value, turn=turn.number, text=turn.said, channel=about.channel
        )
        self.on_begin(turn)
        return turn

    def of(self, number: int) -> Turn | None:
        """A turn that is under way."""
        return self._open.get(number)

    def closed(self, turn: Turn, *, was_read: bool) -> None:
        """Its text has ended (``was_read``), or its reader has left.

        One that was left before it was sure is dropped. Any other is reported on, or ends when that takes too long.
        """
        if turn.ending is not None or turn.timer is not None:
            return
        if not turn.confirmed.is_set() and not was_read:
            self.end(turn, Ending.DROPPED)
        else:
            self._wait(turn, SPOKEN_SECONDS if was_read else COMMIT_SECONDS)

    def _wait(self, turn: Turn, seconds: float) -> None:
        turn.was_sure = turn.confirmed.is_set()
        limit = seconds if turn.was_sure else EARLY_SECONDS
        turn.timer = asyncio.get_running_loop().call_later(limit, self._expire, turn, seconds)

    def _expire(self, turn: Turn, seconds: float) -> None:
        turn.timer = None
        if turn.confirmed.is_set() and not turn.was_sure:
            self._wait(turn, seconds)
        else:
            self.end(turn, Ending.DROPPED)

    def reported(self, turn: Turn) -> None:
        """What was heard of it is known; its end will follow."""
        if turn.timer is not None:
            turn.timer.cancel()
            turn.timer = None

    def end(self, turn: Turn, ending: Ending) -> None:
        """End it. Only the first end counts."""
        self.reported(turn)
        if turn.ending is not None:
            return
        turn.ending = ending
        self._open.pop(turn.number, None)
        self.last = turn.details()
        told = {RECALLED: self.last.recalled, "details": replace(self.last, recalled=())}
        self.bus.publish(EventKind.SYSTEM, "companion", turn=turn.number, action="turn_ended", how=ending.value, **told)
        self.on_end(turn)

    def close(self) -> None:
        """End all that are under way."""
        for turn in list(self._open.values()):
            self.end(turn, Ending.DROPPED)
