"""A conversation: in memory the newest messages, on disk all of them.

A FileSession is one file, ``<name>.messages.ndjson``, that is only ever appended to; an entry is on the
disk when ``add`` returns. Whoever owns the data folder is its one writer.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

from companion.compose.entry import Entry, to_line
from companion.compose.journal import Journal
from companion.errors import SessionError
from companion.model import ChatRole
from companion.stream.threads import finish_in_thread

logger = logging.getLogger(__name__)

CAP = 50
"""Messages in memory; zero or less for no limit."""

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


class MemorySession:
    """A conversation that ends with the program."""

    def __init__(self, entries: Iterable[Entry] = (), *, cap: int = CAP) -> None:
        self._cap = cap
        self._entries: list[Entry] = []
        self._first = 0
        self._take(entries)

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(self._entries)

    @property
    def first(self) -> int:
        return self._first

    async def add(self, *entries: Entry) -> None:
        self._take(entries)

    async def clear(self) -> None:
        self._first += len(self._entries)
        self._entries.clear()

    def _take(self, entries: Iterable[Entry]) -> None:
        self._entries.extend(entries)
        while 0 < self._cap < len(self._entries):
            oldest = self._oldest_to_go()
            if oldest is None:
                return
            self._evict(oldest)

    def _oldest_to_go(self) -> int | None:
        """The oldest message but for system text and the newest of all."""
        places = enumerate(self._entries[:-1])
        return next((place for place, entry in places if entry.message.role is not ChatRole.SYSTEM), None)

    def _evict(self, place: int) -> None:
        """Let a message go, and with a tool call the calls made beside it and all their results."""
        is_call = self._entries[place].is_tool_call
        self._drop(place)
        while is_call and place < len(self._entries) and self._entries[place].is_tool_call:
            self._drop(place)
        while place < len(self._entries) and self._entries[place].is_tool_result:
            self._drop(place)

    def _drop(self, place: int) -> None:
        del self._entries[place]
        self._first += 1


class FileSession(MemorySession):
    """A conversation kept on disk. Made by ``open``; system messages stay in memory."""

    def __init__(self, file: Path, entries: Iterable[Entry], problems: tuple[str, ...], cap: int) -> None:
        super().__init__(entries, cap=cap)
        self._file = file
        self._journal = Journal(file)
        self._writing = asyncio.Lock()
        self.problems = problems
        """What was wrong with the file and was mended or left out, one line each."""

    @classmethod
    async def open(cls, folder: Path, name: str, *, cap: int = CAP) -> FileSession:
        """Go on with the conversation ``name``, or begin it.

        Raises:
            SessionError: the name could leave the folder, or the file cannot be used.
        """
        file = session_file(folder, name)
        try:
            entries, problems = await finish_in_thread(lambda: Journal(file).recover(cap))
        except OSError as error:
            raise _unusable(file, error) from error
        for problem in problems:
            logger.warning("%s", problem)
        whole_groups = next((place for place, entry in enumerate(entries) if not entry.is_tool_result), len(entries))
        return cls(file, entries[whole_groups:], problems, cap)

    async def add(self, *entries: Entry) -> None:
        await super().add(*entries)
        lines = "".join(to_line(entry) for entry in entries if entry.message.role is not ChatRole.SYSTEM)
        if lines:
            await self._write(lambda: self._journal.append(lines))

    async def clear(self) -> None:
        await super().clear()
        await self._write(self._journal.remove)

    async def _write(self, work: Callable[[], None]) -> None:
        async with self._writing:
            try:
                await finish_in_thread(work)
            except OSError as error:
                raise _unusable(self._file, error) from error


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
    return folder / f"{name}.messages.ndjson"


def _unusable(file: Path, error: OSError) -> SessionError:
    return SessionError(f"{file}: {error.strerror or error}", mend="Free some space, or allow writing there.")
