"""The system's keyring, asked on one thread of its own and within a deadline: it may be locked, gone, or wait for its
user.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

import keyring
import keyring.backends.fail
from keyring.errors import PasswordDeleteError

from companion.errors import StorageError

T = TypeVar("T")

SERVICE = "companion"
PATIENCE = 20.0
"""Seconds it has to answer: it may have to be unlocked first."""


class RingRefused(Exception):
    """There is no keyring, or it does not do what it was asked to."""


class Ring:
    """Callable from any thread; blocks for up to ``PATIENCE``.

    Every way raises:
        RingRefused: as above.
        StorageError: it hangs. While it does, nobody else waits for it.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "keyring")
        self._hanging: Future[Any] | None = None

    def get(self, name: str) -> str | None:
        """The secret; None where it holds none of that name."""
        secret = self._asked(lambda: keyring.get_password(SERVICE, name))
        return None if secret is None else str(secret)

    def set(self, name: str, secret: str) -> None:
        """Keep it."""
        self._asked(lambda: keyring.set_password(SERVICE, name, secret))

    def remove(self, name: str) -> None:
        """Forget it, if it is there."""
        self._asked(lambda: _removed(name))

    def _asked(self, work: Callable[[], T]) -> T:
        if self._hanging is not None and not self._hanging.done():
            raise _hangs()
        job = self._thread.submit(lambda: _through_ring(work))
        try:
            return job.result(PATIENCE)
        except Exception as error:
            if not job.done():
                if not job.cancel():  # else it waited behind one that hangs
                    self._hanging = job
                raise _hangs() from error
            # Its backends let errors of D-Bus, of the system and of their own out.
            raise RingRefused(f"the keyring does not answer ({type(error).__name__})") from error


RING = Ring()


def _through_ring(work: Callable[[], T]) -> T:
    if isinstance(keyring.get_keyring(), keyring.backends.fail.Keyring):
        raise RingRefused("there is none")
    return work()


def _removed(name: str) -> None:
    try:
        keyring.delete_password(SERVICE, name)
    except PasswordDeleteError:
        return


def _hangs() -> StorageError:
    return StorageError(
        "the keyring does not answer", file="keyring", mend="Unlock it, or log in again, then try once more."
    )
