"""A microphone and a loudspeaker made of files, in step on one sample clock, for the whole loop without devices."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from pathlib import Path

import numpy as np

from companion.audio.mixer import Mixer
from companion.audio.reply import Reply
from companion.audio.resample import Samples, samples_of
from companion.audio.wave import write_sound
from companion.stream import (
    MessageChunk,
    PulledStream,
    Role,
    State,
    Stream,
    StreamCtrl,
    begin_of_stream,
    end_of_stream,
    new_stream_id,
    pcm,
)
from companion.voice.contract import BYTES_PER_SECOND, RATE, Played

SPEAKER_RATE = 24_000
LONGEST_RECORDING = 1800
"""Seconds a FileSpeaker keeps; what is played later is played, but not kept."""
LOW_WATER = 1.0
"""Seconds of queued reply below which more is asked for."""

Pace = Callable[[float], Awaitable[None]]
"""Awaited before the sound at so many seconds on the sample clock is handed out."""


class RealTime:
    """A Pace: one second a second, by the event loop's clock."""

    def __init__(self) -> None:
        self._began: float | None = None

    async def __call__(self, at: float) -> None:
        now = asyncio.get_running_loop().time()
        self._began = now - at if self._began is None else self._began
        await asyncio.sleep(max(self._began + at - now, 0.0))


async def at_once(at: float) -> None:
    """A Pace: as fast as the reader reads, while others get their turn."""
    await asyncio.sleep(0)


class FileMicrophone:
    """A Stream like ``Microphone``'s: the sound, then ``silence`` seconds of silence, on one route.

    sound: 16 kHz mono PCM, as from ``read_sound``.
    on_advance: hears the seconds of every chunk when it is handed out; a FileSpeaker lives by it.
    """

    def __init__(self, sound: bytes, *, silence: float = 60.0, pace: Pace | None = None, block_ms: int = 20) -> None:
        size = BYTES_PER_SECOND * block_ms // 1000
        whole = sound + bytes(-len(sound) % size)
        self._blocks = [whole[at : at + size] for at in range(0, len(whole), size)]
        self._count = len(self._blocks) + round(silence * 1000 / block_ms)
        self._silence = bytes(size)
        self._pace: Pace = pace or RealTime()
        self._gate = _Gate()
        self._position = 0
        self.block_ms = block_ms
        self.is_over = False
        """Whether its sample clock has stopped for good."""
        self.on_advance: Callable[[float], None] = lambda seconds: None
        self._stream = PulledStream(self._chunks(), self._gate)

    @property
    def state(self) -> State | None:
        return self._stream.state

    @property
    def at(self) -> float:
        """Seconds on the sample clock."""
        return self._position * self.block_ms / 1000

    def time_of(self, milliseconds: int) -> float | None:
        """Its sample clock is its only clock."""
        return milliseconds / 1000

    async def next(self) -> MessageChunk:
        return await self._stream.next()

    async def close(self) -> None:
        await self._stream.close()
        self._stop()

    async def close_with_error(self, error: BaseException) -> None:
        await self._stream.close_with_error(error)
        self._stop()

    def __aiter__(self) -> AsyncIterator[MessageChunk]:
        return self._stream.__aiter__()

    async def _chunks(self) -> AsyncGenerator[MessageChunk, None]:
        stream_id = new_stream_id()
        yield begin_of_stream(stream_id, role=Role.USER)
        for number in range(self._count):
            await self._pace(self.at)
            if self._gate.is_closed:
                return
            sound = self._blocks[number] if number < len(self._blocks) else self._silence
            ctrl = StreamCtrl(stream_id, timestamp=number * self.block_ms)
            self._position = number + 1
            self.on_advance(self.block_ms / 1000)
            yield MessageChunk(role=Role.USER, part=pcm(sound, RATE), ctrl=ctrl)
        self._stop()
        yield end_of_stream(stream_id, role=Role.USER)

    def _stop(self) -> None:
        self.is_over = True
        self.on_advance(0.0)


class _Gate:
    """What the reader waits on: closing it ends the sound at the next chunk."""

    is_closed = False

    async def close(self) -> None:
        self.is_closed = True


class FileSpeaker:
    """Implements ``voice.contract.Mouth``: plays in step with a FileMicrophone and keeps what was played.

    volume: does not change what is kept, so that the file is as loud as the voice was made.
    chimes: sounds by name, mono at ``SPEAKER_RATE``.
    """

    def __init__(self, microphone: FileMicrophone, *, chimes: dict[str, bytes] | None = None) -> None:
        self._mixer = Mixer(SPEAKER_RATE)
        self._chimes = chimes or {}
        self._kept: list[Samples] = []
        self._kept_samples = 0
        self._owed = 0.0
        self._moved = asyncio.Event()
        self._room = asyncio.Event()
        self._is_playing = False
        self._microphone = microphone
        self.volume = 1.0
        microphone.on_advance = self._advance

    async def play(self, sound: Stream, *, on_first_sound: Callable[[], None]) -> Played:
        if self._is_playing:
            raise RuntimeError("one reply at a time")
        self._is_playing = True
        self._mixer.begin()
        reply = Reply(self._mixer)
        try:
            await reply.fill_while(sound, self._room, self._until_played(on_first_sound))
            return reply.played()
        finally:
            self._mixer.hush()
            self._is_playing = False
            await sound.close()

    def duck(self) -> None:
        self._mixer.duck()

    def unduck(self) -> None:
        self._mixer.unduck()

    def hush(self) -> None:
        if self._is_playing:
            self._mixer.hush()
            self._room.set()
            self._moved.set()

    def chime(self, name: str) -> None:
        if name in self._chimes:
            self._mixer.chime(samples_of(self._chimes[name]))

    def recording(self) -> bytes:
        """What was played, at ``SPEAKER_RATE``, from the first sound to the last."""
        played = np.concatenate(self._kept) if self._kept else np.empty(0, np.int16)
        loud = np.flatnonzero(played)
        return played[loud[0] : loud[-1] + 1].tobytes() if len(loud) else b""

    def write(self, path: Path) -> None:
        """Write the recording.

        Raises:
            SoundFileError: the place cannot be written.
        """
        write_sound(path, self.recording(), SPEAKER_RATE)

    async def _until_played(self, on_first_sound: Callable[[], None]) -> None:
        told = False
        while not self._mixer.reply_ended and not self._mixer.is_hushed:
            if self._microphone.is_over:
                self._mixer.hush()
                return
            await self._moved.wait()
            self._moved.clear()
            if self._mixer.first_loud is not None and not told:
                told = True
                on_first_sound()

    def _advance(self, seconds: float) -> None:
        self._owed += seconds * SPEAKER_RATE
        frames = int(self._owed)
        self._owed -= frames
        sound, _ = self._mixer.render(frames)
        if self._kept_samples < LONGEST_RECORDING * SPEAKER_RATE:
            self._kept.append(samples_of(sound))
            self._kept_samples += frames
        if self._mixer.waiting_seconds < LOW_WATER:
            self._room.set()
        self._moved.set()
