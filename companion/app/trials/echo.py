"""Whether the companion hears itself: a tune is played, and what the canceller leaves of it is measured."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from companion.app.events import Progress, Telling
from companion.app.trials.equipment import Equipment, sound_in, to_play
from companion.audio.echo import EARLY_SECONDS, LATE_SECONDS, LEAD_SECONDS, TAIL_SECONDS
from companion.audio.echo_filter import HOP, Cancelled, EchoFilter
from companion.audio.level import power_dbfs
from companion.audio.microphone import Microphone
from companion.audio.reference import Reference
from companion.audio.resample import Floats, Samples, samples_of
from companion.audio.speaker import Speaker
from companion.audio.tune import tune
from companion.voice.contract import RATE

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
        watch, heard = Watch(), Heard()
        await _listen_to_room(ears, watch)
        try:
            async with asyncio.TaskGroup() as group:
                listening = group.create_task(_listen(ears, mouth, heard, telling), name="listen to the echo")
                await mouth.play(to_play(tune(TUNE_SECONDS)), on_first_sound=lambda: None)
                listening.cancel()
        except BaseExceptionGroup as errors:
            first = errors.exceptions[0]
            raise first from first.__cause__  # which says that it was a device
    await asyncio.to_thread(heard.tell, watch)
    return watch.judged()


class Heard:
    """What was heard and what was played meanwhile, side by side; looked into afterwards, when there is time."""

    def __init__(self) -> None:
        self._pairs: list[tuple[bytes, Samples]] = []
        self._breaks: set[int] = set()
        """Before which of them both were laid on each other anew, as the canceller does it."""
        self._played_to: float | None = None
        self._samples = 0

    @property
    def seconds(self) -> float:
        return self._samples / RATE

    def hear(self, sound: bytes, heard_at: float, reference: Reference) -> None:
        """Take 20 ms; heard_at: monotonic seconds of its first sample."""
        if heard_at - reference.last_sound > TAIL_SECONDS:
            return
        at, count = heard_at + LEAD_SECONDS, len(sound) // 2
        if self._played_to is None or not -EARLY_SECONDS < at - self._played_to < LATE_SECONDS:
            self._played_to = at
            self._breaks.add(len(self._pairs))
        self._pairs.append((sound, reference.read(self._played_to, count)))
        self._played_to += count / RATE
        self._samples += count

    def tell(self, watch: Watch) -> None:
        """Take the echo out of it, hop by hop. Works for a second or two."""
        canceller = EchoFilter()
        for number, (sound, played) in enumerate(self._pairs):
            if number in self._breaks:
                canceller.forget()
            near, far = samples_of(sound).astype(np.float32), played.astype(np.float32)
            for at in range(0, len(near) - HOP + 1, HOP):
                watch.hop(near[at : at + HOP], canceller.cancel(near[at : at + HOP], far[at : at + HOP]))


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

    def judged(self) -> Echo:
        """What to think of it."""
        near, left = _stretches(self._near), _stretches(self._left)
        best = int(np.argmin(left / np.maximum(near, 1.0)))
        room, usual = float(np.median(self._room or [1.0])), float(np.median(near))
        clipped = self._clipped / max(len(self._near) * HOP, 1)
        # Measured where it went best, told for what is usual.
        verdict = verdict_of(usual, usual * float(left[best] / max(near[best], 1.0)), room, clipped=clipped)
        return Echo(verdict, power_dbfs(usual), power_dbfs(left[best]), power_dbfs(room))


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


async def _listen(ears: Microphone, mouth: Speaker, heard: Heard, telling: Telling) -> None:
    told = 0
    async for chunk in ears:
        sound = sound_in(chunk)
        heard_at = ears.time_of(chunk.ctrl.timestamp or 0) if sound and chunk.ctrl is not None else None
        if heard_at is None:
            continue
        heard.hear(sound, heard_at, mouth.reference)
        if int(4 * heard.seconds) != told:
            told = int(4 * heard.seconds)
            done = min(heard.seconds, TUNE_SECONDS)
            telling.tell(Progress(TASK, done, TUNE_SECONDS, TUNE_SECONDS - done))
        await asyncio.sleep(0)  # what has piled up on a busy computer must not keep the tune from being played


def _stretches(powers: list[float]) -> npt.NDArray[np.float64]:
    """The mean power of each half second; of one that is silent where there is none."""
    whole = len(powers) // STRETCH * STRETCH
    return np.array(powers[:whole]).reshape(-1, STRETCH).mean(axis=1) if whole else np.zeros(1)


def _mean_power(samples: Floats) -> float:
    return float(samples @ samples) / max(len(samples), 1)
