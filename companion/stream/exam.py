"""The tools of the examination in ``stream.laws``: demands, deadlines, work beside work."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from enum import StrEnum
from typing import NoReturn, TypeVar

from companion.errors import LawBroken, StreamError
from companion.stream.chunk import MessageChunk
from companion.stream.contract import Stream

T = TypeVar("T")
_PATIENCE = 5.0
"""Seconds for work that was cancelled to end."""


class Law(StrEnum):
    """The laws of ``stream.contract``, by name."""

    ONE_READER = "one reader"
    ORDER = "in order, none lost"
    PAIRS = "who opens, ends"
    CLOSING = "closing is felt upstream"
    STICKY = "the end is said once and stays"
    MANY_CALLS = "a transformer serves many calls"
    LAZY = "work starts at the first next"


def broken(law: Law, why: str) -> NoReturn:
    raise LawBroken(f"{law.value}: {why}")


def demand(holds: bool, law: Law, why: str) -> None:
    if not holds:
        broken(law, why)


async def within(deadline: float, law: Law, what: str, waiting: Awaitable[T]) -> T:
    try:
        async with asyncio.timeout(deadline) as limit:
            return await waiting
    except TimeoutError:
        if limit.expired():
            broken(law, f"{what} within {deadline} s")
        raise


def _bare(chunk: MessageChunk) -> MessageChunk:
    """Without what differs from one making to the next."""
    return replace(chunk, ctrl=replace(chunk.ctrl, stream_id="", timestamp=None)) if chunk.ctrl else chunk


def same(some: Sequence[MessageChunk], others: Sequence[MessageChunk]) -> bool:
    return [_bare(chunk) for chunk in some] == [_bare(chunk) for chunk in others]


@asynccontextmanager
async def beside(work: Awaitable[T]) -> AsyncIterator[asyncio.Future[T]]:
    """Run ``work`` beside the block, and end it with the block."""

    async def run() -> T:
        return await work

    task = asyncio.get_running_loop().create_task(run(), name="examiner")
    try:
        # One turn of the loop: it has begun, and waits or is done.
        await asyncio.sleep(0)
        yield task
    finally:
        task.cancel()
        done, _ = await asyncio.wait({task}, timeout=_PATIENCE)
        for ended in done:
            # Looked at here, so that the event loop does not complain about it later.
            ended.cancelled() or ended.exception()


async def drain(stream: Stream) -> tuple[list[MessageChunk], StreamError]:
    chunks: list[MessageChunk] = []
    while True:
        try:
            chunks.append(await stream.next())
        except StreamError as end:
            return chunks, end
        except Exception as error:
            raise LawBroken(f"{Law.STICKY.value}: next raised {error!r}, which is no StreamError") from error
