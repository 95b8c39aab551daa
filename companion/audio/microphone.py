"""The microphone as a stream that outlives its device.

While a device delivers, chunks of 16 kHz mono sound flow on one route. When it goes away the route ends
with an error, the device is sought for ever with growing pauses, and a new route begins.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.audio.clock import ArrivalClock
from companion.audio.devices import Devices, Direction, OpenDevice, Opening, open_aside
from companion.audio.portaudio import hurry_this_thread
from companion.audio.resample import Samples, mono, resampler, samples_of
from companion.errors import DeviceError, DeviceLost
from companion.stream import (
    MessageChunk,
    PulledStream,
    Role,
    State,
    StreamCtrl,
    begin_of_stream,
    end_of_stream,
    new_stream_id,
    pcm,
)
from companion.voice.contract import BYTES_PER_SECOND, RATE

logger = logging.getLogger(__name__)

FIRST_PAUSE = 0.2
LONGEST_PAUSE = 5.0
SILENT_AFTER = 2.0
"""Seconds without a callback after which a device counts as lost."""
FIRST_SOUND_WITHIN = 6.0
"""Seconds until the first callback: a sound server whose device slept may take two to wake it."""
DEAF_AFTER = 600.0
"""Seconds of digital silence after which a device is opened afresh: some fall deaf after a suspend."""
_DEAF_AT_MOST = 7200.0
# Two periods of 20 ms: with other ratios PortAudio's ALSA loop spins on PulseAudio (a tenth of a core and more). Two of
# 40 ms would save 1.2 % of a core, and every answer would come 45 ms later.
_CALLBACK_SECONDS = 0.02
_LATENCY = 0.04
_MOST_BLOCKS = 50

Wait = Callable[[asyncio.Event, float], Awaitable[bool]]
"""Wait for an event at most so many seconds; whether it came."""


@dataclass(frozen=True, slots=True)
class MicrophoneState:
    """Whether the microphone hears, and if not, why."""

    is_open: bool
    device: str = ""
    error: str = ""
    mend: str = ""


async def wait_for(event: asyncio.Event, seconds: float) -> bool:
    """The real ``Wait``."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True


class Microphone:
    """A Stream of ``Role.USER`` sound: ``block_ms`` of 16 kHz mono PCM a chunk, stamped on the sample clock.

    block_ms: a multiple of 20; may be changed at any time (long while asleep saves wake-ups, short
        while somebody speaks saves delay).
    buffered: seconds kept for a reader that is late; beyond that the oldest sound is dropped, the
        clock steps over it and ``dropped_seconds`` tells.
    """

    def __init__(
        self,
        name: str = "",
        *,
        devices: Devices | None = None,
        block_ms: int = 20,
        buffered: float = 5.0,
        on_state: Callable[[MicrophoneState], None] = lambda state: None,
        wait: Wait = wait_for,
    ) -> None:
        self._name = name
        self._devices = devices or Devices()
        self._on_state = on_state
        self._wait = wait
        self._inbox = _Inbox(buffered, block_ms)
        self._clock = ArrivalClock(RATE)
        self._position = 0
        self._deaf_after = DEAF_AFTER
        self._told = MicrophoneState(is_open=False)
        self._stream = PulledStream(self._routes(), self._inbox)

    @property
    def state(self) -> State | None:
        return self._stream.state

    @property
    def block_ms(self) -> int:
        return self._inbox.block_ms

    @block_ms.setter
    def block_ms(self, milliseconds: int) -> None:
        if milliseconds < 20 or milliseconds % 20:
            raise ValueError("a block is a multiple of 20 ms")
        self._inbox.block_ms = milliseconds

    @property
    def dropped_seconds(self) -> float:
        """Sound thrown away because nobody read it in time."""
        return self._inbox.dropped_seconds

    @property
    def callback_errors(self) -> int:
        """Faults inside the audio callback; each one was survived."""
        return self._inbox.errors

    def time_of(self, milliseconds: int) -> float | None:
        """Monotonic seconds at which that moment of the sample clock was heard; None before any sound."""
        return self._clock.time_of(milliseconds)

    async def next(self) -> MessageChunk:
        return await self._stream.next()

    async def close(self) -> None:
        await self._stream.close()

    async def close_with_error(self, error: BaseException) -> None:
        await self._stream.close_with_error(error)

    def __aiter__(self) -> AsyncIterator[MessageChunk]:
        return self._stream.__aiter__()

    async def _routes(self) -> AsyncGenerator[MessageChunk, None]:
        pause = FIRST_PAUSE
        while not self._inbox.closed.is_set():
            try:
                opened = await self._open()
            except DeviceError as error:
                self._tell(MicrophoneState(is_open=False, error=str(error), mend=error.mend))
                self._devices.make_way()
                await self._wait(self._inbox.closed, pause)
                pause = min(pause * 2, LONGEST_PAUSE)
                continue
            stream_id = new_stream_id()
            watch = self._devices.watch(Direction.INPUT, opened.device, self._inbox.suspect)
            try:
                if watch is not None:
                    await watch.start()
                yield begin_of_stream(stream_id, role=Role.USER)
                async with aclosing(self._chunks(opened, stream_id)) as chunks:
                    async for chunk in chunks:
                        pause = FIRST_PAUSE
                        yield chunk
            except DeviceLost as lost:
                self._tell(MicrophoneState(is_open=False, device=opened.device.name, error=str(lost), mend=lost.mend))
                yield end_of_stream(stream_id, role=Role.USER, error=str(lost))
            finally:
                if watch is not None:
                    await watch.stop()
                await asyncio.to_thread(self._devices.close, opened)
            await self._wait(self._inbox.closed, pause)
            pause = min(pause * 2, LONGEST_PAUSE)

    async def _open(self) -> OpenDevice:
        loop = asyncio.get_running_loop()
        self._inbox.start(loop)
        opened = await open_aside(self._devices, self._find_and_open)
        self._inbox.opened(opened)
        self._clock.restart()
        self._tell(MicrophoneState(is_open=True, device=opened.device.name))
        return opened

    def _find_and_open(self) -> OpenDevice:
        self._devices.refresh()
        device = self._devices.choose(Direction.INPUT, self._name)
        opening = Opening(_CALLBACK_SECONDS, _LATENCY, self._inbox.callback, self._inbox.finished)
        return self._devices.open(Direction.INPUT, device, opening)

    async def _chunks(self, opened: OpenDevice, stream_id: str) -> AsyncGenerator[MessageChunk, None]:
        converter = resampler(opened.rate, RATE)
        held = np.empty(0, np.int16)
        zeros = 0
        patience = FIRST_SOUND_WITHIN
        while not self._inbox.closed.is_set():
            block = self._inbox.take()
            if block is None:
                await self._more(opened, patience)
                continue
            patience = SILENT_AFTER
            heard = converter.push(mono(block.samples, opened.channels))
            held = np.concatenate([held, heard])
            self._position += round(self._inbox.dropped_since() * RATE)
            self._clock.arrived(self._position + len(held), block.at)
            size = self.block_ms * RATE // 1000
            for start in range(0, len(held) - size + 1, size):
                yield self._chunk(held[start : start + size], stream_id)
            held = held[len(held) // size * size :]
            zeros = 0 if heard.any() else zeros + len(heard)
            self._refuse_deafness(zeros)

    def _chunk(self, samples: Samples, stream_id: str) -> MessageChunk:
        ctrl = StreamCtrl(stream_id, timestamp=self._position * 1000 // RATE)
        self._position += len(samples)
        return MessageChunk(role=Role.USER, part=pcm(samples.astype("<i2").tobytes(), RATE), ctrl=ctrl)

    async def _more(self, opened: OpenDevice, patience: float) -> None:
        if self._inbox.has_finished:
            raise DeviceLost(f"the microphone {opened.device.name!r} has gone", mend="plug it in again")
        if self._inbox.is_suspect:
            self._inbox.is_suspect = False
            if not await asyncio.to_thread(self._devices.is_there, Direction.INPUT, opened.device):
                raise DeviceLost(f"the microphone {opened.device.name!r} has been unplugged", mend="plug it in again")
        if not await self._wait(self._inbox.news, patience):
            raise DeviceLost(f"the microphone {opened.device.name!r} has fallen silent", mend="plug it in again")

    def _refuse_deafness(self, zeros: int) -> None:
        if zeros == 0:
            self._deaf_after = DEAF_AFTER
        elif zeros >= self._deaf_after * RATE:
            # A microphone that is switched off also sends zeros: look again ever more rarely.
            self._deaf_after = min(self._deaf_after * 2, _DEAF_AT_MOST)
            raise DeviceLost("the microphone has sent only zeros for a long time", mend="check that it is not muted")

    def _tell(self, state: MicrophoneState) -> None:
        if state != self._told:
            self._told = state
            level = logging.INFO if state.is_open else logging.WARNING
            logger.log(level, "microphone: %s", state.device if state.is_open else state.error)
            self._on_state(state)


@dataclass(frozen=True, slots=True)
class _Block:
    samples: Samples
    at: float


class _Inbox:
    """Where the audio callback leaves its bytes. It drops the oldest when the reader is late."""

    def __init__(self, buffered: float, block_ms: int) -> None:
        self.block_ms = block_ms
        self.closed = asyncio.Event()
        self.news = asyncio.Event()
        self.errors = 0
        self.dropped_seconds = 0.0
        self.has_finished = False
        self.is_suspect = False
        self._buffered = buffered
        self._blocks: deque[tuple[bytes, float]] = deque()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bytes_per_second = BYTES_PER_SECOND
        self._arrived = 0
        self._taken = 0
        self._dropped = 0
        self._reported = 0.0

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Be ready for a device that is about to be opened."""
        self._loop = loop
        self._blocks.clear()
        self._arrived = self._taken = self._dropped = 0
        self._reported = 0.0
        self.has_finished = self.is_suspect = False
        self.news.clear()

    def opened(self, opened: OpenDevice) -> None:
        self._bytes_per_second = 2 * opened.rate * opened.channels

    def callback(self, data: Any, frames: int, times: Any, status: Any) -> None:
        """On PortAudio's thread: copy, and ring once there is a block's worth."""
        try:
            if not self._arrived:
                hurry_this_thread()
            self._blocks.append((bytes(data), time.monotonic()))
            self._arrived += len(data)
            waiting = self._arrived - self._taken - self._dropped
            if waiting > self._buffered * self._bytes_per_second:
                self._dropped += len(self._blocks.popleft()[0])
            if waiting * 1000 >= self.block_ms * self._bytes_per_second:
                self._ring()
        except Exception:  # noqa: BLE001 - PortAudio would end the stream in silence
            self.errors += 1

    def finished(self) -> None:
        """On PortAudio's thread: the stream has ended, for whatever reason."""
        self.has_finished = True
        try:
            self._ring()
        except RuntimeError:
            self.errors += 1

    def suspect(self) -> None:
        """Something about the server's devices has changed: look before trusting what is heard."""
        self.is_suspect = True
        self.news.set()

    def take(self) -> _Block | None:
        """What waits, up to a second of it in blocks of 20 ms; None where nothing does."""
        taken: list[bytes] = []
        at = 0.0
        with suppress(IndexError):
            while len(taken) < _MOST_BLOCKS:
                data, at = self._blocks.popleft()
                taken.append(data)
        if not taken:
            self.news.clear()
            return None
        sound = b"".join(taken)
        self._taken += len(sound)
        return _Block(samples_of(sound), at)

    def dropped_since(self) -> float:
        """Seconds dropped since the last call."""
        dropped = self._dropped / self._bytes_per_second
        new = max(dropped - self._reported, 0.0)
        self._reported = dropped
        self.dropped_seconds += new
        return new

    async def close(self) -> None:
        self.closed.set()
        self.news.set()

    def _ring(self) -> None:
        if self._loop is not None and not self.closed.is_set():
            self._loop.call_soon_threadsafe(self.news.set)
