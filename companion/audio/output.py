"""The open loudspeaker: a callback that copies what the mixer rendered, and what it learned on the way."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from pathlib import Path
from typing import Any

import numpy as np

from companion.audio.devices import Device, Devices, Direction, OpenDevice, Opening, open_aside
from companion.audio.mixer import Mixer
from companion.audio.portaudio import hurry_this_thread
from companion.audio.reference import PlayedSound
from companion.audio.resample import Samples, samples_of
from companion.audio.wave import read_sound
from companion.errors import NoSpeaker, SoundFileError

logger = logging.getLogger(__name__)

BLOCK_SECONDS = 0.01
FIRST_LATENCY = 0.06
"""Measured on PulseAudio, two cores with six busy programs: 0.04 ran dry every 5 s, 0.06 once in 16 s."""
LATENCY_STEP = 0.02
LONGEST_LATENCY = 0.2
SILENT_AFTER = 1.5
FIRST_CALL_WITHIN = 6.0
"""Seconds until the first callback: a sound server whose device slept may take two to wake it."""
LOW_WATER = 1.0
"""Seconds of queued reply below which more is asked for."""


class Output:
    """One loudspeaker, opened and closed many times. Everything but the callback runs on the event loop."""

    def __init__(self, name: str, devices: Devices, sounds: Path | None) -> None:
        self.mixer = Mixer(48_000)
        self.reference = PlayedSound()
        self.news = asyncio.Event()
        """Set when the reply first sounds, has ended, or the device has gone."""
        self.gone = asyncio.Event()
        """Set when the device has ended its stream."""
        self.room = asyncio.Event()
        """Set when the queue runs low."""
        self.underruns = 0
        self.errors = 0
        self.first_sound_at: float | None = None
        """Monotonic seconds at which the reply's first sound leaves the device."""
        self.ended_at: float | None = None
        """Monotonic seconds at which the reply's last sample leaves the device."""
        self._name = name
        self._devices = devices
        self._sounds = sounds
        self.chimes = True
        """Whether chimes are to be heard."""
        self._chimes: dict[str, Samples] = {}
        self.latency = FIRST_LATENCY
        """Seconds of buffer asked of the device."""
        self._underruns_seen = 0
        self._opened: OpenDevice | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._opening = asyncio.Lock()
        self._called_at = 0.0
        self._patience = FIRST_CALL_WITHIN
        self._finished = False

    @property
    def is_open(self) -> bool:
        return self._opened is not None

    @property
    def is_lost(self) -> bool:
        """Whether the open device has stopped taking sound."""
        return self.is_open and (self._finished or time.monotonic() - self._called_at > self._patience)

    async def open(self) -> None:
        """Open the named device, or the default where that one is missing. Does nothing if open.

        Raises:
            DeviceError: nothing will open.
        """
        async with self._opening:
            if self._opened is not None:
                return
            self._loop = asyncio.get_running_loop()
            self.gone.clear()
            self._finished, self._patience, self._called_at = False, FIRST_CALL_WITHIN, time.monotonic()
            device = await asyncio.to_thread(self._find)
            # The callback may run before the call returns, so the mixer must know the rate by then.
            self.mixer.change_rate(device.rate)
            how = self._how()
            opened = await open_aside(self._devices, lambda: self._devices.open(Direction.OUTPUT, device, how))
            self.mixer.change_rate(opened.rate)
            self._opened = opened
            self._chimes = await asyncio.to_thread(self._load_chimes, opened.rate)
            logger.debug("loudspeaker %s at %d Hz", device.name, opened.rate)

    async def close(self) -> None:
        """Let the device go. Never raises."""
        async with self._opening:
            opened, self._opened = self._opened, None
            if opened is not None:
                await asyncio.to_thread(self._devices.close, opened)

    def begin(self) -> None:
        """A new reply."""
        self.first_sound_at = self.ended_at = None
        self.news.clear()
        self.mixer.begin()

    def chime(self, name: str) -> None:
        """Mix in a sound by name; unknown names are silent."""
        if self.chimes and name in self._chimes:
            self.mixer.chime(self._chimes[name])

    @property
    def has_underrun(self) -> bool:
        """Whether the device ran dry since it was opened: the next opening asks for a longer buffer."""
        return self.underruns > self._underruns_seen

    def _how(self) -> Opening:
        if self.has_underrun:
            self._underruns_seen = self.underruns
            self.latency = min(self.latency + LATENCY_STEP, LONGEST_LATENCY)
            logger.warning("the loudspeaker ran dry: its buffer is now %d ms", round(self.latency * 1000))
        return Opening(BLOCK_SECONDS, self.latency, self._callback, self._has_finished)

    def _find(self) -> Device:
        self._devices.refresh()
        try:
            return self._devices.choose(Direction.OUTPUT, self._name)
        except NoSpeaker as error:
            if not self._name:
                raise
            logger.warning("%s: speaking through the default one", error)
            return self._devices.choose(Direction.OUTPUT, "")

    def _load_chimes(self, rate: int) -> dict[str, Samples]:
        loaded = {}
        for path in sorted(self._sounds.glob("*.wav")) if self._sounds else ():
            try:
                loaded[path.stem] = samples_of(read_sound(path, rate))
            except SoundFileError as error:
                logger.warning("chime left out: %s", error)
        return loaded

    def _callback(self, out: Any, frames: int, times: Any, status: Any) -> None:
        """On PortAudio's thread: copy one block and note when it leaves."""
        try:
            self._called_at = time.monotonic()
            if self._patience != SILENT_AFTER:
                hurry_this_thread()
                self._patience = SILENT_AFTER
            self.underruns += bool(status.output_underflow)
            at = self._called_at + max(times.outputBufferDacTime - times.currentTime, 0.0)
            before = self.mixer.taken
            sound, silent = self.mixer.render(frames)
            channels = len(out) // len(sound)
            out[:] = sound if channels == 1 else np.repeat(samples_of(sound), channels).tobytes()
            self.reference.played(at, self.mixer.rate, sound, silent=silent, speech=self.mixer.taken > before)
            self._learn(at, before, frames)
        except Exception:  # noqa: BLE001 - PortAudio would end the stream in silence
            self.errors += 1
            out[:] = bytes(len(out))

    def _learn(self, at: float, before: int, frames: int) -> None:
        mixer = self.mixer
        if mixer.first_loud is not None and self.first_sound_at is None:
            self.first_sound_at = at + (mixer.first_loud - before) / mixer.rate
            self._tell(self.news)
        if mixer.reply_ended and self.ended_at is None:
            self.ended_at = at + frames / mixer.rate
            self._tell(self.news)
        if mixer.waiting_seconds < LOW_WATER and not self.room.is_set():
            self._tell(self.room)

    def _has_finished(self) -> None:
        self._finished = True
        self._tell(self.news)
        self._tell(self.gone)

    def _tell(self, event: asyncio.Event) -> None:
        if self._loop is not None:
            try:
                self._loop.call_soon_threadsafe(event.set)
            except RuntimeError:
                self.errors += 1  # the loop has ended before its loudspeaker


def seconds_until(moment: float | None) -> float:
    """From now to ``moment`` (monotonic seconds), at least 0; 0 for None."""
    return max((moment or -math.inf) - time.monotonic(), 0.0)
