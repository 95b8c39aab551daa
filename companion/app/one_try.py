"""The microphone for a command that somebody waits for: given up at its first failure instead of sought for ever."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from companion.audio.devices import Devices
from companion.audio.microphone import Microphone, MicrophoneState
from companion.errors import DeviceError, StreamFailed


@asynccontextmanager
async def one_try(name: str, devices: Devices | None = None, *, block_ms: int = 20) -> AsyncIterator[Microphone]:
    """The microphone, open while the block runs.

    Raises:
        DeviceError: it does not open, or goes away.
    """
    microphone = Microphone(name, devices=devices, block_ms=block_ms, on_state=_give_up)
    try:
        yield microphone
    except StreamFailed as failure:
        if isinstance(failure.__cause__, DeviceError):
            raise failure.__cause__ from failure
        raise
    finally:
        await microphone.close()


def _give_up(state: MicrophoneState) -> None:
    # Raised into the microphone's own search, which it ends.
    if not state.is_open:
        raise DeviceError(state.error, mend=state.mend)
