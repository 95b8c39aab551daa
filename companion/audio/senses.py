"""All detectors behind one door: how loud, whether somebody speaks, whether the wake word was said."""

from __future__ import annotations

from collections import deque

from companion.audio.level import rms_dbfs
from companion.audio.resample import samples_of
from companion.audio.vad import QUIET_BELOW, VoiceDetector
from companion.audio.wake import WakeDetector, WakeVerifier
from companion.voice.contract import BYTES_PER_SECOND, Sensed

_REMEMBERED_BYTES = BYTES_PER_SECOND * 3 // 10
_AWAKE_BYTES = BYTES_PER_SECOND


class RoomSenses:
    """Implements ``voice.contract.Senses``.

    In a really quiet room only loudness is measured. Sound wakes the detectors, which first hear
    the 0.3 s before it, and they stay awake for a second of quiet.
    """

    def __init__(
        self,
        word: str = "okay_nabu",
        *,
        threshold: float = 0.7,
        verifier_threshold: float = 0.1,
        voice: VoiceDetector | None = None,
    ) -> None:
        self._voice = voice or VoiceDetector()
        self._wake = WakeDetector(word, threshold=threshold)
        self._verifier = WakeVerifier(word, threshold=verifier_threshold)
        self._before: deque[bytes] = deque()
        self._before_bytes = 0
        self._awake_bytes = 0

    @property
    def word(self) -> str:
        return self._wake.word

    def adopt(self, *, threshold: float, verifier_threshold: float) -> None:
        """Be more or less sure of the wake word from now on."""
        self._wake.threshold = threshold
        self._verifier.threshold = verifier_threshold

    async def prepare(self) -> None:
        """Load what the first wake word would else wait for."""
        await self._verifier.prepare()

    def hear(self, sound: bytes) -> Sensed:
        samples = samples_of(sound)
        level = rms_dbfs(samples)
        voice = self._voice.hear(samples, level)
        fired = self._hears_wake(sound, level)
        return Sensed(voice, level, self._wake.word if fired else "")

    async def verify(self, wake: str, sound: bytes) -> bool:
        return wake == self._wake.word and await self._verifier.verify(sound)

    def forget(self) -> None:
        self._voice.forget()
        self._wake.forget()
        self._before.clear()
        self._before_bytes = self._awake_bytes = 0

    def _hears_wake(self, sound: bytes, level: float) -> bool:
        if level >= QUIET_BELOW:
            self._awake_bytes = _AWAKE_BYTES
        if self._awake_bytes <= 0:
            self._remember(sound)
            return False
        self._awake_bytes -= len(sound)
        heard = b"".join(self._before) + sound
        self._before.clear()
        self._before_bytes = 0
        return self._wake.hear(heard)

    def _remember(self, sound: bytes) -> None:
        self._before.append(sound)
        self._before_bytes += len(sound)
        while self._before_bytes - len(self._before[0]) >= _REMEMBERED_BYTES:
            self._before_bytes -= len(self._before.popleft())
