"""One stream made two: split by what its chunks are, or copied to a mirror.

Both halves read the source only while one of them waits for a chunk. What the other half is to get
meanwhile is kept for it, up to a limit; a half that falls behind by more than that ends there, by
OutputLimit, after what was kept. So neither half ever waits for the other. A half that is closed leaves
all the rest to the other; when both are closed, so is the source.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable

from companion.errors import OutputLimit
from companion.stream.chunk import Blob, MessageChunk, canonical_mime
from companion.stream.contract import State, Stream, iterate
from companion.stream.growing import ROOMY, GrowingStreamBuilder, Limit
from companion.stream.shared import SharedSource

logger = logging.getLogger(__name__)

Match = Callable[[MessageChunk], bool]


def mime_matcher(prefix: str) -> Match:
    """Matches blobs whose MIME type, as it is written or in its canonical form, starts with ``prefix``.

    Words, tool calls and control-only chunks never match.
    """

    def matches(chunk: MessageChunk) -> bool:
        if not isinstance(chunk.part, Blob):
            return False
        written = chunk.part.mime_type
        return written.startswith(prefix) or (canonical_mime(written) or "").startswith(prefix)

    return matches


def split(
    source: Stream, match: Match, *, limit: Limit = ROOMY, boundaries_to_both: bool = False
) -> tuple[Stream, Stream]:
    """The chunks that match, and the rest. What ends the source, or is raised by ``match``, ends both.

    limit: how far one half may fall behind the other.
    boundaries_to_both: begins and ends without a part go to both halves, so that each tells the whole of
        its routes; otherwise they go where they match, and the halves together carry each chunk once.
    """

    def choose(chunk: MessageChunk) -> tuple[ForkedStream, ...]:
        if boundaries_to_both and chunk.part is None and (chunk.is_begin or chunk.is_end):
            return fork.halves
        return fork.halves[:1] if match(chunk) else fork.halves[1:]

    fork = _Fork(source, ("matched", "rest"), limit, choose)
    return fork.halves


def tee(source: Stream, *, limit: Limit = ROOMY) -> tuple[Stream, Stream]:
    """The main stream, and a mirror that gets a copy of each chunk the main stream pulls.

    The mirror never holds up the main stream: left unread beyond ``limit`` it loses the rest, which is
    logged at once and told to its reader by OutputLimit. Nothing is mirrored before the main stream pulls
    it; once that is closed, the mirror pulls for itself.
    """
    fork = _Fork(source, ("main", "mirror"), limit, lambda _: fork.halves, first_leads=True)
    return fork.halves


class ForkedStream:
    """One half of a fork."""

    def __init__(self, name: str, fork: _Fork, limit: Limit) -> None:
        self._name = name
        self._fork = fork
        self._kept = GrowingStreamBuilder(limit)

    @property
    def state(self) -> State | None:
        return self._kept.stream.state

    @property
    def is_open(self) -> bool:
        """It can be given more."""
        return self._kept.is_open

    @property
    def is_awaited(self) -> bool:
        return self._kept.is_awaited

    def put(self, chunk: MessageChunk) -> None:
        if not self._kept.is_open:
            return
        try:
            self._kept.add(chunk)
        except OutputLimit as overflow:
            logger.warning("the %s half of a stream fell behind and ends: %s", self._name, overflow)

    def end(self, state: State) -> None:
        self._kept.stream.end_with(state)

    async def next(self) -> MessageChunk:
        if self._kept.is_open and not len(self._kept):
            self._fork.want(self)
        return await self._kept.stream.next()

    async def close(self) -> None:
        await self._kept.stream.close()
        await self._fork.lose_a_reader()

    async def close_with_error(self, error: BaseException) -> None:
        await self._kept.stream.close_with_error(error)
        await self._fork.lose_a_reader()

    def __aiter__(self) -> AsyncIterator[MessageChunk]:
        return iterate(self)


class _Fork:
    """Two halves and the source they share."""

    def __init__(
        self,
        source: Stream,
        names: tuple[str, str],
        limit: Limit,
        choose: Callable[[MessageChunk], tuple[ForkedStream, ...]],
        *,
        first_leads: bool = False,
    ) -> None:
        first, second = names
        self.halves = (ForkedStream(first, self, limit), ForkedStream(second, self, limit))
        self._source = SharedSource(source, self)
        self._choose = choose
        self._first_leads = first_leads

    @property
    def are_waiting(self) -> bool:
        return any(half.is_awaited for half in self._pulling())

    @property
    def are_gone(self) -> bool:
        return not any(half.is_open for half in self.halves)

    def take(self, chunk: MessageChunk) -> None:
        for half in self._choose(chunk):
            half.put(chunk)

    def end(self, state: State) -> None:
        for half in self.halves:
            half.end(state)

    def want(self, half: ForkedStream) -> None:
        if half in self._pulling():
            self._source.want()

    async def lose_a_reader(self) -> None:
        """A reader has closed its half."""
        if self.are_gone:
            await self._source.close()
        elif self.are_waiting:
            self._source.want()

    def _pulling(self) -> tuple[ForkedStream, ...]:
        """The halves for which the source is read."""
        first = self.halves[0]
        return (first,) if self._first_leads and first.is_open else self.halves
