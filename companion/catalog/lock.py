"""One process at a time: a lock on a file, which the system takes back when its holder dies."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

from companion.errors import ShelfError

POLL_SECONDS = 0.1


@contextlib.asynccontextmanager
async def held(path: Path, *, seconds: float, waiting: Callable[[], None]) -> AsyncIterator[None]:
    """Hold the lock for the length of the block; ``waiting`` is called while somebody else holds it.

    Raises:
        ShelfError: still locked after ``seconds``.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    with _opened(path) as descriptor:
        while not _try(descriptor):
            if loop.time() >= deadline:
                raise _busy(path)
            waiting()
            await asyncio.sleep(POLL_SECONDS)
        yield


@contextlib.contextmanager
def held_at_once(path: Path) -> Iterator[None]:
    """Hold the lock for the length of the block, without waiting.

    Raises:
        ShelfError: somebody else holds it.
    """
    with _opened(path) as descriptor:
        if not _try(descriptor):
            raise _busy(path)
        yield


def _busy(path: Path) -> ShelfError:
    return ShelfError(
        f"another process is working on the model {path.stem}", mend="Wait until it has finished, or stop it."
    )


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[int]:
    # The file is never removed: a second process may have it open and would then lock nothing.
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


if sys.platform == "win32":
    import msvcrt

    def _try(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
