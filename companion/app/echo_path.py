"""A room between a loudspeaker and a microphone: raw sound in, its echo out, as a filter process.

Run as ``python -m companion.app.echo_path DELAY_MS LOSS_DB REVERBERATION_S``; 16 kHz mono PCM on
standard input and output.
"""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

RATE = 16_000
BLOCK = 160
OWN_DELAY_MS = 45
"""What the virtual sound card's own buffers add around this process."""
_LONGEST_TAIL = 0.25


@dataclass(frozen=True, slots=True)
class Room:
    """How the loudspeaker reaches the microphone."""

    delay_ms: int = 50
    """From the loudspeaker to the microphone, all in all."""
    loss_db: float = 6.0
    """How much weaker the echo is than what was played."""
    reverberation: float = 0.3
    """Seconds until the room's sound has died by 60 dB; 0 for no room."""

    def command(self, python: str) -> tuple[str, ...]:
        """The command line of the filter."""
        return (python, "-m", __name__, str(self.delay_ms), str(self.loss_db), str(self.reverberation))

    def response(self) -> npt.NDArray[np.float32]:
        """The impulse response without its delay: the direct sound, then noise that dies away."""
        count = int(min(self.reverberation, _LONGEST_TAIL) * RATE) + 1
        taps = np.random.default_rng(7).standard_normal(count) * 0.2
        taps *= 10 ** (-3 * np.arange(count) / RATE / max(self.reverberation, 1e-3))
        taps[: RATE // 400] = 0
        taps[0] = 1.0
        response: npt.NDArray[np.float32] = taps.astype(np.float32)
        response *= 10 ** (-self.loss_db / 20) / np.sqrt((response**2).sum())
        return response


def main() -> None:
    """Filter until the input ends."""
    room = Room(int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]))
    taps = room.response()
    waiting = bytearray(2 * RATE * max(room.delay_ms - OWN_DELAY_MS, 0) // 1000)
    before = np.zeros(len(taps) - 1, np.float32)
    _forget_the_past()
    while sound := sys.stdin.buffer.read(2 * BLOCK):
        block = np.concatenate([before, np.frombuffer(sound, "<i2").astype(np.float32)])
        before = block[len(block) - len(taps) + 1 :]
        echo = np.convolve(block, taps, mode="valid")
        waiting += np.clip(np.rint(echo), -32768, 32767).astype("<i2").tobytes()
        sys.stdout.buffer.write(waiting[: len(sound)])
        sys.stdout.buffer.flush()
        del waiting[: len(sound)]


def _forget_the_past() -> None:
    """Drop what was recorded while this process started: it would delay the echo for good."""
    os.set_blocking(0, False)
    with contextlib.suppress(BlockingIOError):
        while os.read(0, 1 << 16):
            pass
    os.set_blocking(0, True)


if __name__ == "__main__":
    main()
