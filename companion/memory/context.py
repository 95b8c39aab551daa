"""The first layer of memory: the newest events, kept whole.

Laws:

1. What ``append`` returned for is on the disk. What the disk refuses stays here and is written with the next event.
2. Over ``keep`` events, the newest ``protect`` stay, and of the rest those that fit the question best.
3. An event leaves only after the document that holds it is on the disk; a failing disk keeps it here, up to a bound.
4. A file that cannot be read is set aside under its own name, the newest copy there is takes its place, and
   ``problems`` says so.
5. Changes may come from several tasks: what was appended while others wrote stays, what was forgotten comes back by
   none of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol, Self

from companion.errors import MemoryBusy, StorageError, reason_of
from companion.memory.aside import set_aside
from companion.memory.storable import storable
from companion.memory.tfidf import TfIdf
from companion.settings.atomic import write_atomically
from companion.stream.threads import finish_in_thread

KEEP = 30
PROTECT = 10
MOST_HELD = 1_000
"""Events that are held while none can be archived."""
LONGEST_TEXT = 20_000
"""Characters of an input, a response or a tool's result."""
MOST_RESULTS = 32
_VERSION = 1
_SHOWN = 100
"""Characters of a response in a line for people and models."""


@dataclass(frozen=True, slots=True)
class Event:
    """A turn of the conversation."""

    at: datetime
    """With its zone."""
    source: str
    """Who or what it came from: "user", a plugin, the companion itself."""
    input: str = ""
    response: str = ""
    """What was really heard or shown."""
    tools_used: tuple[str, ...] = ()
    tool_results: tuple[str, ...] = ()
    session: str = ""
    turn: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """All that was said and read in it."""
        return (self.source, self.input, self.response, *self.tool_results)

    def line(self) -> str:
        """As an archive has it: "[18:05] user: input -> response"."""
        answered = f" -> {self.response[:_SHOWN]}" if self.response else ""
        return f"[{self.at:%H:%M}] {self.source}: {self.input}{answered}"


class Archive(Protocol):
    """Where events go that leave."""

    async def archive(self, events: Sequence[Event]) -> object:
        """Keep ``events`` as one document that is on the disk when this returns; None where there was nothing in them.

        Raises:
            StorageError: it could not be kept.
        """


class Context:
    """The events in ``file``. Made by ``open``."""

    def __init__(self, file: Path, events: list[Event], problems: list[str], *, keep: int, protect: int) -> None:
        self._file = file
        self._events = events
        self._problems = problems
        self._keep = keep
        self._protect = min(protect, keep)
        self._changes = self._saved = 0
        self._saving = asyncio.Lock()

    @classmethod
    async def open(
        cls, file: Path, *, keep: int = KEEP, protect: int = PROTECT, spare: Callable[[], bytes | None] | None = None
    ) -> Self:
        """The context in ``file``, which need not be there.

        spare: the newest copy of the file, for when it is damaged; blocking.

        Raises:
            StorageError: it cannot be reached.
        """
        problems: list[str] = []
        events = await finish_in_thread(lambda: _read(file, problems.append, spare or (lambda: None)))
        return cls(file, events, problems, keep=keep, protect=protect)

    @property
    def events(self) -> tuple[Event, ...]:
        """Oldest first."""
        return tuple(self._events)

    @property
    def problems(self) -> tuple[str, ...]:
        """What a person should know about the file."""
        return tuple(self._problems)

    @property
    def is_saved(self) -> bool:
        """Whether every event is on the disk."""
        return self._saved == self._changes

    async def store_waiting(self) -> bool:
        """Save what the disk refused before; whether there was anything.

        Raises:
            StorageError: the disk still refuses.
        """
        is_owed = not self.is_saved
        if is_owed:
            await self._save()
        return is_owed

    async def append(self, event: Event) -> None:
        """Add an event and save it.

        Raises:
            StorageError: the disk refused; the event is here and is saved with the next.
            MemoryBusy: none could be archived for long; it was not added.
        """
        if len(self._events) >= MOST_HELD:
            raise MemoryBusy("the conversation cannot be archived", mend="Free some space for the companion's data.")
        self._events.append(_bounded(event))
        self._changes += 1
        await self._save()

    async def prune(self, query: str, archive: Archive) -> int:
        """Let those events go that fit ``query`` least, if there are more than ``keep``; how many went.

        Raises:
            StorageError: they could not be archived and are here; or the file was not written, and has them still.
        """
        if len(self._events) <= self._keep:
            return 0
        rest = self._events[: len(self._events) - self._protect]
        staying = _best(rest, query, self._keep - self._protect)
        going = [event for place, event in enumerate(rest) if place not in staying]
        await archive.archive(going)
        gone = {id(event) for event in going}
        # Others may have appended and forgotten meanwhile.
        self._events = [event for event in self._events if id(event) not in gone]
        self._changes += 1
        await self._save()
        return len(going)

    async def forget(self, doomed: Callable[[Event], bool]) -> int:
        """Take events away for good; how many.

        Raises:
            StorageError: the file could not be written; they are gone from here and go from it with the next event.
        """
        before = len(self._events)
        self._events = [event for event in self._events if not doomed(event)]
        gone = before - len(self._events)
        if gone:
            self._changes += 1
            await self._save()
        return gone

    def recent(self, count: int = 0) -> tuple[Event, ...]:
        """The newest ``count`` events, oldest first; all of them for zero or less."""
        return tuple(self._events[-count:] if count > 0 else self._events)

    def relevant(self, query: str, most: int) -> list[tuple[Event, float]]:
        """The events nearest to ``query``, best first, with their nearness, 0 to 1."""
        index = _indexed(self._events)
        return [(self._events[int(key)], score) for key, score in index.search(query, most)]

    def format(self, count: int = 0) -> str:
        """The newest events, one line each; empty when there are none."""
        return "\n".join(event.line() for event in self.recent(count))

    async def _save(self) -> None:
        async with self._saving:
            if self.is_saved:
                return  # Whoever wrote before has written this too.
            changes, text = self._changes, _written(self._events)
            await finish_in_thread(lambda: write_atomically(self._file, text))
            self._saved = changes


def _indexed(events: Sequence[Event]) -> TfIdf:
    """An answer tells what a turn was about; a turn without one is known by what came in."""
    index = TfIdf()
    for place, event in enumerate(events):
        index.add(str(place), event.response or event.input)
    return index


def _best(events: Sequence[Event], query: str, most: int) -> set[int]:
    """The places of the events that fit best; of equal ones the newer."""
    scores = {int(key): score for key, score in _indexed(events).search(query, len(events))}
    order = sorted(range(len(events)), key=lambda place: (-scores.get(place, 0.0), -place))
    return set(order[: max(most, 0)])


def _bounded(event: Event) -> Event:
    return replace(
        event,
        source=storable(event.source),
        input=storable(event.input)[:LONGEST_TEXT],
        response=storable(event.response)[:LONGEST_TEXT],
        tool_results=tuple(storable(result)[:LONGEST_TEXT] for result in event.tool_results[:MOST_RESULTS]),
        tools_used=tuple(map(storable, event.tools_used[:MOST_RESULTS])),
        session=storable(event.session),
        turn=storable(event.turn),
    )


def _written(events: Sequence[Event]) -> str:
    import json

    rows = [{**asdict(event), "at": event.at.isoformat()} for event in events]
    return json.dumps({"version": _VERSION, "events": rows}, ensure_ascii=False, indent=1)


def _read(file: Path, tell: Callable[[str], None], spare: Callable[[], bytes | None]) -> list[Event]:
    try:
        raw = file.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StorageError(
            f"{file} could not be read: {reason_of(error)}", file=str(file), mend="Allow reading it."
        ) from error
    events = _events(raw)
    if events is not None:
        return events
    kept = set_aside(file)
    events = _events(spare() or b"")
    then = "the conversation begins anew" if events is None else "the newest backup took its place"
    tell(f"{file.name} was damaged and is kept as {kept.name}; {then}")
    if events:
        write_atomically(file, _written(events))
    return events or []


def _events(raw: bytes) -> list[Event] | None:
    """The events in a file; None where it is damaged."""
    import json

    try:
        held = json.loads(raw)
        return [_bounded(event_of(row)) for row in held["events"]][-MOST_HELD:]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def event_of(row: Mapping[str, Any]) -> Event:
    """The event that was written down as ``row``. Raises ValueError, KeyError or TypeError where it is none."""
    at = datetime.fromisoformat(row["at"])
    if at.tzinfo is None:
        raise ValueError("a time without a zone")
    return Event(
        at=at,
        source=str(row.get("source", "")),
        input=str(row.get("input", "")),
        response=str(row.get("response", "")),
        tools_used=tuple(map(str, row.get("tools_used", ()))),
        tool_results=tuple(map(str, row.get("tool_results", ()))),
        session=str(row.get("session", "")),
        turn=str(row.get("turn", "")),
    )
