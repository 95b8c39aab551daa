"""The name to call, tried out: what was heard of it, and how sure the detector was."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from companion.app.events import Metered, Telling, WakeTried
from companion.app.trials.equipment import Equipment, loudness, sound_in
from companion.audio.wake import WakeDetector, WakeVerifier
from companion.errors import StreamInterrupted
from companion.voice.contract import BYTES_PER_SECOND

LONGEST = 180.0
"""Seconds one trial may last."""
BLOCK_MS = 80
READY, HEARD, ALMOST, ALIKE = "ready", "heard", "almost", "alike"
ALMOST_FROM = 0.35
"""A detector that was this sure, and no surer, has nearly heard it."""
AFTERWARDS = 75
"""Frames of 20 ms after it was heard in which nothing is almost the word: a room echoes."""
FELL = 0.5
"""Share of its peak to which it falls when the word is over."""
_VERIFIED_BYTES = 2 * BYTES_PER_SECOND
_FRAME = BYTES_PER_SECOND // 50


async def try_wake(equipment: Equipment, telling: Telling, word: str, *, threshold: float, verifier: float) -> None:
    """Listen for the word and tell each time it is heard, or nearly is, until cancelled or ``LONGEST`` has passed.

    verifier: how sure the second detector must be.

    Raises:
        DeviceError: the microphone does not open, or goes away.
        ModelMissing: there is no such word.
    """
    listener = Listener(
        telling,
        await asyncio.to_thread(WakeDetector, word, threshold=threshold),
        WakeVerifier(word, threshold=verifier),
    )
    await listener.prepare()
    with suppress(TimeoutError, StreamInterrupted):
        async with asyncio.timeout(LONGEST), equipment.borrow(), equipment.ears(block_ms=BLOCK_MS) as ears:
            async for chunk in ears:
                if sound := sound_in(chunk):
                    telling.tell(Metered(loudness(sound)))
                    await listener.hear(sound)


class Listener:
    """Hears sound and tells what it made of it."""

    def __init__(self, telling: Telling, detector: WakeDetector, verifier: WakeVerifier) -> None:
        self._telling = telling
        self._detector = detector
        self._verifier = verifier
        self._heard = 0
        self._peak = 0.0
        self._has_fired = False
        self._frames = 0
        self._calm_from = 0
        self._is_ready = False
        self._lately = b""

    async def prepare(self) -> None:
        """Load the second detector."""
        await self._verifier.prepare()

    async def hear(self, sound: bytes) -> None:
        """Take the next samples, a multiple of 10 ms."""
        if not self._is_ready:
            self._is_ready = True
            self._tell(READY, 0.0)
        self._lately = (self._lately + sound)[-_VERIFIED_BYTES:]
        for start in range(0, len(sound), _FRAME):
            if self._detector.hear(sound[start : start + _FRAME]):
                await self._fired()
            self._frames += 1
            self._follow(self._detector.score)

    async def _fired(self) -> None:
        self._has_fired = True
        self._calm_from = self._frames + AFTERWARDS
        if await self._verifier.verify(self._lately):
            self._heard += 1
            self._tell(HEARD, self._detector.score)
        else:
            self._tell(ALIKE, self._detector.score)

    def _follow(self, score: float) -> None:
        """A peak that has passed without the detector firing was almost the word."""
        self._peak = max(self._peak, score)
        if self._peak < ALMOST_FROM or score > FELL * self._peak:
            return
        if not self._has_fired and self._frames > self._calm_from:
            self._tell(ALMOST, self._peak)
        self._peak, self._has_fired = 0.0, False

    def _tell(self, outcome: str, sure: float) -> None:
        self._telling.tell(WakeTried(self._detector.word, outcome, self._heard, sure))
