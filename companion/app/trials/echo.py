"""Whether the companion hears itself: a tune is played, and what the canceller leaves of it is measured."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from companion.app.events import Progress, Telling
from companion.app.trials.equipment import RATE, Equipment, sound_in, to_play
from companion.audio.echo import Cleaner
from companion.audio.echo_filter import HOP, Cancelled
from companion.audio.level import decibels
from companion.audio.microphone import Microphone
from companion.audio.resample import Floats, samples_of
from companion.audio.speaker import Speaker
from companion.audio.tune import tune

TASK = "sound.echo"
TUNE_SECONDS = 7.0
ROOM_SECONDS = 0.8
"""How long the room is listened to before the tune."""
LEARNING_SECONDS = 3.0
"""Of the tune, which are not counted: a canceller first learns the way."""
STRETCH = 25
"""Hops of half a second."""
OVER_ROOM = 2.0
"""How many times louder (3 dB) than the room an echo is."""
FAINTEST = 1e3
"""Mean power (-60 dBFS) that is taken for an echo at all."""
GOOD_DB, SOME_DB = 12.0, 10.0
"""How much of the echo must go."""
CLIPPED = 32_700
CLIPPED_SHARE = 0.001
_FULL_SCALE = 32768.0


class Verdict(StrEnum):
    """What is to be said of the echo."""

    UNHEARD = "unheard"
    """No echo: headphones, or a loudspeaker that is off."""
    GOOD = "good"
    TOO_LOUD = "too_loud"
    """Some of it goes; a lower volume helps."""
    HEADPHONES = "headphones"
    """It stays, as on a slow wireless loudspeaker."""


@dataclass(frozen=True, slots=True)
class Echo:
    """How the echo stands. Levels in dBFS."""

    verdict: Verdict
    heard: float
    left: float
    room: float


async def try_echo(equipment: Equipment, telling: Telling) -> Echo:
    """Play, listen, and judge. Takes some nine seconds, in which nobody should speak.

    Raises:
        DeviceError: the microphone or the loudspeaker does not open, or goes away.
    """
    async with equipment.borrow(), equipment.mouth() as mouth, equipment.ears() as ears:
        mouth.prime()
        watch = Watch()
        await _listen_to_room(ears, watch)
        try:
            async with asyncio.TaskGroup() as group:
                listening = group.create_task(_listen(ears, mouth, watch, telling), name="listen to the echo")
                await mouth.play(to_play(tune(TUNE_SECONDS)), on_first_sound=lambda: None)
                listening.cancel()
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None
    return watch.judged()


class Watch:
    """Keeps what was heard and what was left of it, half a second at a time.

    A busy computer loses the way for a moment and learns it anew, so what counts is how well it went at its best.
    """

    def __init__(self) -> None:
        self._room: list[float] = []
        self._hops = 0
        self._near: list[float] = []
        self._left: list[float] = []
        self._clipped = 0

    def room(self, sound: bytes) -> None:
        """Nothing is played yet."""
        self._room.append(_mean_power(samples_of(sound).astype(np.float32)))

    def hop(self, near: Floats, cancelled: Cancelled) -> None:
        """20 ms of the tune."""
        self._hops += 1
        if self._hops * HOP > LEARNING_SECONDS * RATE:
            self._near.append(_mean_power(near))
            self._left.append(_mean_power(cancelled.residual))
            self._clipped += int((np.abs(near) >= CLIPPED).sum())

    @property
    def seconds(self) -> float:
        return self._hops * HOP / RATE

    def judged(self) -> Echo:
        """What to think of it."""
        near, left = _stretches(self._near), _stretches(self._left)
        best = int(np.argmin(left / np.maximum(near, 1.0)))
        room, usual = float(np.median(self._room or [1.0])), float(np.median(near))
        clipped = self._clipped / max(len(self._near) * HOP, 1)
        # Measured where it went best, told for what is usual.
        verdict = verdict_of(usual, usual * float(left[best] / max(near[best], 1.0)), room, clipped=clipped)
        return Echo(verdict, _dbfs(usual), _dbfs(left[best]), _dbfs(room))


def verdict_of(near: float, left: float, room: float, *, clipped: float = 0.0) -> Verdict:
    """near, left, room: mean powers of what was heard, of what the canceller left, and of the room alone."""
    if near < max(OVER_ROOM * room, FAINTEST):
        return Verdict.UNHEARD
    removed = 10 * math.log10(near / max(left - room, 1e-3 * near))
    if removed < SOME_DB:
        return Verdict.HEADPHONES
    return Verdict.GOOD if removed >= GOOD_DB and clipped <= CLIPPED_SHARE else Verdict.TOO_LOUD


async def _listen_to_room(ears: Microphone, watch: Watch) -> None:
    left = round(ROOM_SECONDS * RATE * 2)
    async for chunk in ears:
        if sound := sound_in(chunk):
            watch.room(sound)
            left -= len(sound)
        if left <= 0:
            return


async def _listen(ears: Microphone, mouth: Speaker, watch: Watch, telling: Telling) -> None:
    cleaner = Cleaner(mouth.reference, noise_suppression=False, gain=1.0, on_hop=watch.hop)
    told = 0
    async for chunk in ears:
        sound = sound_in(chunk)
        if not sound or chunk.ctrl is None or chunk.ctrl.timestamp is None:
            continue
        cleaner.clean(sound, ears.time_of(chunk.ctrl.timestamp))
        if int(4 * watch.seconds) != told:
            told = int(4 * watch.seconds)
            done = min(watch.seconds, TUNE_SECONDS)
            telling.tell(Progress(TASK, done, TUNE_SECONDS, TUNE_SECONDS - done))


def _stretches(powers: list[float]) -> npt.NDArray[np.float64]:
    """The mean power of each half second; of one that is silent where there is none."""
    whole = len(powers) // STRETCH * STRETCH
    return np.array(powers[:whole]).reshape(-1, STRETCH).mean(axis=1) if whole else np.zeros(1)


def _mean_power(samples: Floats) -> float:
    return float(samples @ samples) / max(len(samples), 1)


def _dbfs(power: float) -> float:
    return decibels(math.sqrt(power) / _FULL_SCALE)
