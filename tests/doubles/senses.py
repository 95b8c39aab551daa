"""Senses for the room where words are numbers."""

from __future__ import annotations

import asyncio
import struct

from doubles.ears import NOISE, WAKE, WAKE_END, values

from companion.voice.contract import Sensed


class RoomSenses:
    """Hears a voice in every sample that is not silence, and the wake word at its last block."""

    def __init__(self, *, word: str = "okay_nabu", verifying: float = 0.08) -> None:
        self.word = word
        self.verifying = verifying
        self.believes = True
        self.verified = 0
        self.forgotten = 0

    def hear(self, sound: bytes) -> Sensed:
        (last,) = struct.unpack("<h", sound[-2:])
        voice = abs(last) >= NOISE
        return Sensed(0.95 if voice else 0.05, -25.0 if voice else -65.0, self.word if last == WAKE_END else "")

    async def verify(self, wake: str, sound: bytes) -> bool:
        self.verified += 1
        await asyncio.sleep(self.verifying)
        return self.believes and any(value == WAKE for value, _ in values(sound))

    def forget(self) -> None:
        self.forgotten += 1


class SureJudge:
    """Gives every sentence the same score."""

    def __init__(self, score: float = 0.9, seconds: float = 0.05) -> None:
        self.score = score
        self.seconds = seconds
        self.error: Exception | None = None

    async def judge(self, sound: bytes) -> float:
        await asyncio.sleep(self.seconds)
        if self.error is not None:
            raise self.error
        return self.score
