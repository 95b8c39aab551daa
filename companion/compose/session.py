"""A conversation: in memory the newest messages, on disk all of them.

A FileSession is one file, ``<name>.messages.ndjson``; an entry is on the disk when ``add`` returns. The file is only
ever appended to, but for ``remove_latest``, which puts a shorter one in its place, and for turns that are forgotten,
which are written over. Whoever owns the data folder is its one writer. Every session is a ``Conversation`` that a chat
model can go on with.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

from companion.compose.entry import GONE, Entry, to_line
from companion.compose.groups import groups, whole_messages
from companion.compose.journal import Journal
from companion.errors import SessionError, reason_of
from companion.model import ChatRole, Message
from companion.model.calls import MOST_CALLS
from companion.stream.threads import finish_in_thread

logger = logging.getLogger(__name__)

CAP = 50
"""Messages in memory; zero or less for no limit."""

MOST_UNWRITTEN = 1000
"""Messages that wait for a disk that takes nothing; of more, the oldest are never written."""

Doomed = Callable[[Sequence[Entry]], bool]
"""Tells of the entries of one turn, what the user said and what follows it, whether they are to be forgotten."""

_SUFFIX = ".messages.ndjson"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


class Session(Protocol):
    """A conversation that can be gone on with."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The newest messages, oldest first; system messages stay among them."""

    @property
    def first(self) -> int:
        """How many messages were let go of: the entry at place ``i`` is number ``first + i`` for good."""

    async def add(self, *entries: Entry) -> None:
        """Append.

        Raises:
            SessionError: they could not be kept; they are in ``entries`` nevertheless.
        """

    async def clear(self) -> None:
        """Forget the conversation.

        Raises:
            SessionError: its file could not be removed.
        """

    async def forget(self, doomed: Doomed) -> int:
        """Let go of each turn that is doomed, in memory and of what waits to be written; how many entries those were.

        What is written already stays in the file: whoever has it forgotten there does so line by line.
        """


class MemorySession:
    """A conversation that ends with the program.

    now: the local time with its zone, for messages that are recorded; None where nobody needs it.
    """

    def __init__(
        self,
        entries: Iterable[Entry] = (),
        *,
        cap: int = CAP,
        name: str = "",
        now: Callable[[], datetime] | None = None,
    ) -> None:
        self._cap = cap
        self._name = name or f"memory-{secrets.token_hex(8)}"
        self._now = now
        self._entries: list[Entry] = []
        self._first = 0
        self._take(entries)

    @property
    def name(self) -> str:
        """By which it is told from others."""
        return self._name

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(self._entries)

    @property
    def messages(self) -> tuple[Message, ...]:
        """What a model can be shown: calls with their results only, and results with their calls.

        Where the beginning was let go of, they begin with the user's words, if there are any.
        """
        shown = whole_messages(self._entries)
        return _from_user(shown) if self._first else shown

    @property
    def first(self) -> int:
        return self._first

    def get_latest(self, window: int) -> tuple[Message, ...]:
        """The system messages and about the newest ``window`` others; all for zero or less.

        They begin with one of the user's: rather an older one, so that they are more than ``window``, than a later one.
        Where the user said nothing, they begin with a whole group of calls and results.
        """
        system = [entry for entry in self._entries if entry.message.role is ChatRole.SYSTEM]
        others = [entry for entry in self._entries if entry.message.role is not ChatRole.SYSTEM]
        start = _window_start(others, window)
        return whole_messages([*system, *others[start:]])

    async def add(self, *entries: Entry) -> None:
        self._take(entries)

    async def record(self, *messages: Message) -> None:
        """Append messages that were said now.

        Raises:
            SessionError: as ``add`` has it.
        """
        at = None if self._now is None else self._now()
        await self.add(*(Entry(message, at) for message in messages))

    async def remove_latest(self, count: int) -> None:
        """Take back the newest ``count`` messages that are not system text; a group goes as a whole.

        Zero or less does nothing; what memory has let go of stays where it is.

        Raises:
            SessionError: they are still in the file.
        """
        self._remove(count)

    async def clear(self) -> None:
        self._first += len(self._entries)
        self._entries.clear()

    async def forget(self, doomed: Doomed) -> int:
        return len(self._forget(doomed))

    def _forget(self, doomed: Doomed) -> list[Entry]:
        """Those that were let go of. The places of those behind them stay what they were."""
        gone = [entry for turn in _turns(self._entries) if doomed(turn) for entry in turn]
        ids = {id(entry) for entry in gone}
        self._entries = [entry for entry in self._entries if id(entry) not in ids]
        self._first += len(gone)
        return gone

    def _remove(self, count: int) -> list[Entry]:
        """Those that were taken back."""
        start = len(self._entries)
        for place, end in reversed(groups(self._entries)):
            if count <= 0:
                break
            if self._entries[place].message.role is not ChatRole.SYSTEM:
                count -= end - place
            start = place
        removed = [entry for entry in self._entries[start:] if entry.message.role is not ChatRole.SYSTEM]
        self._entries[start:] = [entry for entry in self._entries[start:] if entry.message.role is ChatRole.SYSTEM]
        return removed

    def _take(self, entries: Iterable[Entry]) -> None:
        self._entries.extend(entries)
        while 0 < self._cap < len(self._entries):
            # The newest group may still be growing, and a conversation without its newest message is none.
            old = groups(self._entries)[:-1]
            oldest = next((one for one in old if self._entries[one[0]].message.role is not ChatRole.SYSTEM), None)
            if oldest is None:
                return
            del self._entries[slice(*oldest)]
            self._first += oldest[1] - oldest[0]


class FileSession(MemorySession):
    """A conversation kept on disk. Made by ``open``; system messages stay in memory."""

    def __init__(
        self,
        file: Path,
        entries: Iterable[Entry],
        problems: tuple[str, ...],
        cap: int,
        *,
        now: Callable[[], datetime] | None = None,
        keeps_raw_sound: bool = False,
    ) -> None:
        super().__init__(entries, cap=cap, name=file.name.removesuffix(_SUFFIX), now=now)
        self._file = file
        self._journal = Journal(file)
        self._keeps_raw_sound = keeps_raw_sound
        self._unwritten: list[Entry] = []
        self._writing = asyncio.Lock()
        self.problems = problems
        """What was wrong with the file and was mended or left out, one line each."""
        self.last_error = SessionError(problems[-1]) if problems else None
        """What the file last failed with, or was found with; None once it was written well."""

    @classmethod
    async def open(
        cls,
        folder: Path,
        name: str,
        *,
        cap: int = CAP,
        now: Callable[[], datetime] | None = None,
        keeps_raw_sound: bool = False,
    ) -> FileSession:
        """Go on with the conversation ``name``, or begin it.

        cap: messages in memory; zero or less for no limit. keeps_raw_sound: whether what a microphone heard is written.

        Raises:
            SessionError: the name could leave the folder, or the file cannot be used.
        """
        file = session_file(folder, name)
        try:
            # The oldest of them may be the rest of a group, so more are read than are wanted.
            entries, problems = await finish_in_thread(
                lambda: Journal(file).recover(cap + MOST_CALLS if cap > 0 else 0)
            )
        except OSError as error:
            raise _unusable(file, error) from error
        for problem in problems:
            logger.warning("%s", problem)
        whole_groups = next((place for place, entry in enumerate(entries) if not entry.is_tool_result), len(entries))
        known = [entry for turn in _turns(entries[whole_groups:]) if turn[0].message.text != GONE for entry in turn]
        return cls(file, known, problems, cap, now=now, keeps_raw_sound=keeps_raw_sound)

    async def add(self, *entries: Entry) -> None:
        await super().add(*entries)
        fresh = [entry for entry in entries if entry.message.role is not ChatRole.SYSTEM]
        if not fresh:
            return
        self._unwritten += fresh
        if (over := len(self._unwritten) - MOST_UNWRITTEN) > 0:
            logger.warning("%s: %d messages could not be kept", self._file, over)
            del self._unwritten[:over]
        async with self._writing:
            await self._write_up_to(fresh[-1])

    async def remove_latest(self, count: int) -> None:
        removed = self._remove(count)
        async with self._writing:
            left = len(self._unwritten)
            self._drop_unwritten(removed)
            written = len(removed) - (left - len(self._unwritten))
            if written:
                await self._on_disk(lambda: self._journal.drop_latest(written))

    async def clear(self) -> None:
        await super().clear()
        forgotten = tuple(self._unwritten)
        async with self._writing:
            self._drop_unwritten(forgotten)
            await self._on_disk(self._journal.remove)

    async def forget(self, doomed: Doomed) -> int:
        gone = self._forget(doomed)
        # What waits may be older than what is in memory.
        waiting = [entry for turn in _turns(self._unwritten) if doomed(turn) for entry in turn]
        async with self._writing:
            self._drop_unwritten([*gone, *waiting])
        return len({id(entry) for entry in (*gone, *waiting)})

    async def _write_up_to(self, last: Entry) -> None:
        """Append what is not in the file yet, ``last`` and what earlier calls could not write, but nothing newer: that
        comes behind whatever happens to the file in between."""
        place = next((place for place, entry in enumerate(self._unwritten) if entry is last), -1)
        entries = self._unwritten[: place + 1]
        lines = "".join(to_line(entry, keeps_raw_sound=self._keeps_raw_sound) for entry in entries)

        written: list[Entry] = []

        def work() -> None:
            self._journal.append(lines)
            written.extend(entries)

        try:
            if entries:
                await self._on_disk(work)
        finally:
            # Whoever is called off has written all the same.
            self._drop_unwritten(written)

    def _drop_unwritten(self, entries: Iterable[Entry]) -> None:
        gone = {id(entry) for entry in entries}
        self._unwritten = [entry for entry in self._unwritten if id(entry) not in gone]

    async def _on_disk(self, work: Callable[[], None]) -> None:
        try:
            await finish_in_thread(work)
        except OSError as error:
            self.last_error = _unusable(self._file, error)
            raise self.last_error from error
        self.last_error = None


def session_file(folder: Path, name: str) -> Path:
    """Where the conversation ``name`` is kept.

    Raises:
        SessionError: no conversation may have that name.
    """
    if not _NAME.fullmatch(name):
        raise SessionError(
            f"{name[:80]!r} cannot be the name of a conversation",
            mend="Use up to 64 letters, digits, - and _ in history.session.",
        )
    return folder / f"{name}{_SUFFIX}"


def _turns(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """The entries of each turn; system texts belong to none."""
    turn: list[Entry] = []
    for entry in entries:
        if entry.message.role is ChatRole.SYSTEM:
            continue
        if entry.message.role is ChatRole.USER and turn:
            yield turn
            turn = []
        turn.append(entry)
    if turn:
        yield turn


def _window_start(entries: list[Entry], window: int) -> int:
    """Where the newest ``window`` entries begin, once moved to a place where a conversation can begin."""
    if window <= 0 or window >= len(entries):
        start = 0
    else:
        start = max(place for place, _ in groups(entries) if place <= len(entries) - window)
    users = [place for place, entry in enumerate(entries) if entry.message.role is ChatRole.USER]
    before = [place for place in users if place <= start]
    if before:
        return before[-1]
    return users[0] if users else start


def _from_user(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """The system texts, and the others from the first of the user on: answers to what is gone make no sense."""
    start = next((at for at, one in enumerate(messages) if one.role is ChatRole.USER), 0)
    return (*(one for one in messages[:start] if one.role is ChatRole.SYSTEM), *messages[start:])


def _unusable(file: Path, error: OSError) -> SessionError:
    return SessionError(f"{file}: {reason_of(error)}", mend="Free some space, or allow writing there.")
