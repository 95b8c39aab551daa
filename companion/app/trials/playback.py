"""Some seconds of the microphone, played back, so that a person hears what the companion hears."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from companion.app.events import Metered, Progress, Telling
from companion.app.trials.equipment import Equipment, loudness, sound_in, to_play
from companion.audio.level import SILENCE
from companion.audio.resample import samples_of, to_int16
from companion.voice.contract import BYTES_PER_SECOND

TASK = "sound.record"
LISTENING, PLAYING = "listening", "playing"
DEAD = -110.0
UNHEARD = -60.0
FAINT = -45.0
"""dBFS of the loudest tenth of a second."""
CLIPPED = 32_700
CLIPPED_SHARE = 0.002
_TENTH = BYTES_PER_SECOND // 10
_SHORTEST, _LONGEST = 1, 10


class Verdict(StrEnum):
    """What is to be said of a recording."""

    GOOD = "good"
    FAINT = "faint"
    """A voice is there, but low."""
    UNHEARD = "unheard"
    """Nobody spoke, or so low that it is not heard."""
    SILENT = "silent"
    """Digital silence: it is switched off or muted."""
    LOUD = "loud"
    """So loud that it is distorted."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recording. ``loudest``: dBFS of its loudest tenth of a second."""

    verdict: Verdict
    loudest: float


async def record_and_play(equipment: Equipment, telling: Telling, *, seconds: int) -> Recorded:
    """Listen so long, play it, and say what to think of it.

    Raises:
        DeviceError: the microphone or the loudspeaker does not open, or goes away.
    """
    seconds = min(max(seconds, _SHORTEST), _LONGEST)
    async with equipment.borrow():
        sound = await _record(equipment, telling, seconds)
        recorded = judged(sound)
        if recorded.verdict is not Verdict.SILENT:
            telling.tell(Progress(TASK, 0, seconds, seconds, PLAYING))
            async with equipment.mouth() as mouth:
                await mouth.play(to_play(sound), on_first_sound=lambda: None)
    return recorded


def judged(sound: bytes) -> Recorded:
    """What to think of 16 kHz sound."""
    tenths = [loudness(sound[at : at + _TENTH]) for at in range(0, len(sound), _TENTH)]
    loudest = max(tenths, default=SILENCE)
    samples = np.abs(samples_of(sound).astype(np.int32))
    clipped = float((samples >= CLIPPED).mean()) if len(samples) else 0.0
    if loudest <= DEAD:
        return Recorded(Verdict.SILENT, loudest)
    if loudest < UNHEARD:
        return Recorded(Verdict.UNHEARD, loudest)
    if clipped > CLIPPED_SHARE:
        return Recorded(Verdict.LOUD, loudest)
    return Recorded(Verdict.FAINT if loudest < FAINT else Verdict.GOOD, loudest)


async def _record(equipment: Equipment, telling: Telling, seconds: int) -> bytes:
    heard, wanted = bytearray(), BYTES_PER_SECOND * seconds
    gain = np.float32(10 ** (equipment.sound.gain / 20))
    async with equipment.ears(block_ms=100) as ears:
        async for chunk in ears:
            if not (sound := sound_in(chunk)):
                continue
            if gain != 1.0:
                sound = to_int16(samples_of(sound) * gain).tobytes()
            heard += sound
            done = len(heard) / BYTES_PER_SECOND
            telling.tell(Metered(loudness(sound)))
            telling.tell(Progress(TASK, done, seconds, max(seconds - done, 0.0), LISTENING))
            if len(heard) >= wanted:
                break
    return bytes(heard[:wanted])
