"""A room between a loudspeaker and a microphone: raw sound in, its echo out, as a filter process.

Run as ``python -m companion.app.echo_path DELAY_MS LOSS_DB REVERBERATION_S``; 16 kHz mono PCM on
standard input and output.
"""

from __future__ import annotations

import array
import fcntl
import os
import sys
import termios
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

RATE = 16_000
BLOCK = 160
OWN_DELAY_MS = 45
"""What the virtual sound card's own buffers add around this process."""
_LONGEST_TAIL = 0.25
_MOST_WAITING = 2 * RATE * 40 // 1000


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
    while sound := _next_block():
        block = np.concatenate([before, np.frombuffer(sound, "<i2").astype(np.float32)])
        before = block[len(block) - len(taps) + 1 :]
        echo = np.convolve(block, taps, mode="valid")
        waiting += np.clip(np.rint(echo), -32768, 32767).astype("<i2").tobytes()
        if _bytes_in(1) <= _MOST_WAITING:
            os.write(1, waiting[: len(sound)])
        del waiting[: len(sound)]


def _next_block() -> bytes:
    """The next block; what waits before it is dropped. A backlog would lengthen the way of the sound for good."""
    while _bytes_in(0) > _MOST_WAITING:
        _read()
    return _read()


def _read() -> bytes:
    # Unbuffered: what a buffer holds would be invisible to ``_bytes_in``.
    sound = b""
    while len(sound) < 2 * BLOCK and (more := os.read(0, 2 * BLOCK - len(sound))):
        sound += more
    return sound if len(sound) == 2 * BLOCK else b""


def _bytes_in(pipe: int) -> int:
    """How much has been written to a pipe and not been read yet."""
    count = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, count)
    return count[0]


if __name__ == "__main__":
    main()
