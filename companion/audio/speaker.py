"""The loudspeaker as the voice loop's mouth: one reply at a time, and the truth about what was heard."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from pathlib import Path

from companion.audio.devices import Devices
from companion.audio.microphone import wait_for
from companion.audio.output import Output, seconds_until
from companion.audio.reference import PlayedSound
from companion.audio.reply import Reply
from companion.errors import DeviceError, NoSoundServer, NoSpeaker
from companion.stream import Stream
from companion.stream.tasks import Tasks
from companion.voice.contract import Played

logger = logging.getLogger(__name__)

KEEP_OPEN = 20.0
"""Seconds a silent loudspeaker stays open: opening costs time, staying open costs a percent of a core."""
_LOOK_SECONDS = 0.5
_CHIME_SECONDS = 1.0
"""Left for a chime to be heard, when the loudspeaker is to be closed."""
PAUSES = (0.2, 0.4, 0.8, 1.6, 2.0)


class Speaker:
    """Implements ``voice.contract.Mouth`` on a real loudspeaker.

    It opens when it is first needed and closes when it has been silent for ``keep_open`` seconds; call
    ``prime`` when somebody begins to speak, so that the reply need not wait for the device.

    name: the loudspeaker, or part of its name; "" follows the system's default.
    sounds: folder of the chimes, ``<name>.wav``.
    is_patient: whether a loudspeaker that is not there is waited for, as it may be plugged in again.
    """

    def __init__(
        self,
        name: str = "",
        *,
        devices: Devices | None = None,
        volume: float = 0.8,
        sounds: Path | None = None,
        chimes: bool = True,
        keep_open: float = KEEP_OPEN,
        is_patient: bool = True,
    ) -> None:
        devices = devices or Devices()
        devices.on_make_way(self._make_way)
        self._output = Output(name, devices, sounds)
        self._output.chimes = chimes
        self._keep_open = keep_open
        self._is_patient = is_patient
        self._tasks = Tasks()
        self._is_playing = False
        self._used_at = 0.0
        self._closes = False
        self.volume = volume

    @property
    def reference(self) -> PlayedSound:
        """What was really played, for the echo canceller."""
        return self._output.reference

    @property
    def volume(self) -> float:
        return self._output.mixer.volume

    @volume.setter
    def volume(self, volume: float) -> None:
        self._output.mixer.volume = min(max(volume, 0.0), 1.0)

    @property
    def chimes(self) -> bool:
        """Whether chimes are to be heard."""
        return self._output.chimes

    @chimes.setter
    def chimes(self, chimes: bool) -> None:
        self._output.chimes = chimes

    @property
    def underruns(self) -> int:
        """How often the device ran dry; each time the next opening asks for a longer buffer."""
        return self._output.underruns

    @property
    def buffer_seconds(self) -> float:
        """How much sound the device holds: the least that has not run dry yet."""
        return self._output.latency

    @property
    def starved(self) -> int:
        """How often the current reply fell silent because its sound was not made in time."""
        return self._output.mixer.starved

    @property
    def is_open(self) -> bool:
        return self._output.is_open

    async def play(self, sound: Stream, *, on_first_sound: Callable[[], None]) -> Played:
        """See ``voice.contract.Mouth``. A second reply at the same time is refused.

        Raises:
            DeviceError: no loudspeaker, for longer than a few seconds.
            StreamError: the sound broke; what had been made of it was played.
        """
        if self._is_playing:
            raise RuntimeError("one reply at a time")
        self._is_playing = True
        self._output.begin()
        reply = Reply(self._output.mixer)
        try:
            await self._open()
            await reply.fill_while(sound, self._output.room, self._until_played(on_first_sound))
            return reply.played()
        finally:
            self._output.mixer.hush()
            self._is_playing = False
            await sound.close()
            await self._heal()
            self._used()

    def duck(self) -> None:
        self._output.mixer.duck()

    def unduck(self) -> None:
        self._output.mixer.unduck()

    def hush(self) -> None:
        if self._is_playing:
            self._output.mixer.hush()
            self._output.room.set()
            self._output.news.set()

    def chime(self, name: str) -> None:
        if self.is_open and not self._output.is_lost:
            self._output.chime(name)
            self._used()
        else:
            self._tasks.start(self._open_and_chime(name), name="chime")

    def prime(self) -> None:
        """Open the loudspeaker now, because a reply is likely soon."""
        if not self.is_open or self._output.is_lost:
            self._tasks.start(self._open_and_chime(""), name="prime the loudspeaker")
        self._used()

    async def close(self) -> None:
        """Fall silent and let the device go."""
        self.hush()
        try:
            await self._tasks.close()
        finally:
            await self._output.close()

    async def _until_played(self, on_first_sound: Callable[[], None]) -> None:
        output = self._output
        telling: asyncio.TimerHandle | None = None
        try:
            while output.ended_at is None and output.is_open:
                await wait_for(output.news, _LOOK_SECONDS)
                output.news.clear()
                if output.first_sound_at is not None and telling is None:
                    delay = seconds_until(output.first_sound_at)
                    telling = asyncio.get_running_loop().call_later(delay, on_first_sound)
                if output.is_lost:
                    await output.close()
                    await self._open()
            await asyncio.sleep(seconds_until(output.ended_at))
        except BaseException:
            if telling is not None:
                telling.cancel()
            raise

    async def _open(self) -> None:
        for pause in PAUSES:
            try:
                await self._output.open()
            except DeviceError as error:
                if not self._is_patient and isinstance(error, NoSpeaker | NoSoundServer):
                    raise
                logger.warning("loudspeaker: %s", error)
                await asyncio.sleep(pause)
            if self._output.is_open or self._output.mixer.is_hushed:
                return
        await self._output.open()

    async def _open_and_chime(self, name: str) -> None:
        try:
            if self._output.is_lost:
                await self._output.close()
            await self._output.open()
        except DeviceError as error:
            logger.warning("loudspeaker: %s", error)
            return
        self._output.chime(name)
        self._used()

    async def _heal(self) -> None:
        if self._output.has_underrun or self._output.is_lost:
            await self._output.close()

    def _used(self) -> None:
        self._used_at = time.monotonic()
        if self.is_open and not self._closes:
            self._closes = True
            self._tasks.start(self._close_when_silent(), name="close the silent loudspeaker")

    def _make_way(self) -> None:
        self._used_at = min(self._used_at, time.monotonic() + _CHIME_SECONDS - self._keep_open)

    async def _close_when_silent(self) -> None:
        try:
            left = self._keep_open
            while left > 0:
                if self._is_playing:
                    await asyncio.sleep(min(left, _LOOK_SECONDS))
                elif await wait_for(self._output.gone, min(left, _LOOK_SECONDS)):
                    break
                left = self._keep_open if self._is_playing else self._used_at + self._keep_open - time.monotonic()
            await self._output.close()
        finally:
            self._closes = False
