"""One source read for several readers, none of whom can hold up, truncate or cancel another.

Reading is done in a task, because a reader that is closed or cancelled while it waits must not take the
others' chunk with it. The task lives only while somebody waits: nothing is read ahead, and between two
chunks, or once the last reader has gone, nothing runs.
"""

from __future__ import annotations

from typing import Protocol

from companion.stream.chunk import MessageChunk
from companion.stream.contract import State, Status, Stream, quietly, state_for
from companion.stream.tasks import Tasks


class Readers(Protocol):
    """Those who share a source."""

    @property
    def are_waiting(self) -> bool:
        """One of them waits, and nothing has come for it yet."""

    @property
    def are_gone(self) -> bool:
        """None of them can be given more."""

    def take(self, chunk: MessageChunk) -> None:
        """Give ``chunk`` to those it concerns. Whatever this raises ends the source and all readers."""

    def end(self, state: State) -> None:
        """No more chunks come, for this reason. It must not raise."""


class SharedSource:
    """Reads ``source`` for ``readers``, from the first time one of them wants a chunk."""

    def __init__(self, source: Stream, readers: Readers) -> None:
        self._source = source
        self._readers = readers
        self._tasks = Tasks()
        self._is_reading = False

    def want(self) -> None:
        """Read for as long as somebody waits. A reader calls this right before it waits."""
        if not self._is_reading:
            self._is_reading = True
            self._tasks.start(self._read(), name="shared source")

    async def _read(self) -> None:
        try:
            while self._readers.are_waiting:
                self._readers.take(await self._source.next())
            if self._readers.are_gone:
                await quietly(self._source.close())
        except Exception as error:  # noqa: BLE001 - whatever it is, it is how the readers end, told by their state
            self._readers.end(self._source.state or state_for(error))
            await quietly(self._source.close())
        except BaseException:
            self._readers.end(State(Status.INTERRUPTED))
            raise
        finally:
            self._is_reading = False

    async def close(self) -> None:
        """End the source and the work here. Never raises."""
        await quietly(self._source.close())
        await quietly(self._tasks.close())
