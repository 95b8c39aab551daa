"""Ears in a room where words are numbers: every word is a run of samples of one value."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncGenerator, AsyncIterator
from itertools import groupby

from companion.stream import (
    Blob,
    Channel,
    MessageChunk,
    PulledStream,
    Role,
    State,
    Stream,
    StreamCtrl,
    Text,
    begin_of_stream,
    end_of_stream,
    new_stream_id,
    pcm,
)
from companion.voice.contract import RATE

BLOCK = 0.02
NOISE = 450
WAKE, WAKE_END = 500, 501
_FIRST_WORD = 1000
_words: list[str] = []


def _value(word: str) -> int:
    if word not in _words:
        _words.append(word)
    return _FIRST_WORD + _words.index(word)


class Room:
    """A microphone in a room that is quiet until a test speaks: a Stream of 20 ms chunks in the loop's time."""

    def __init__(self) -> None:
        self._queue: Channel[int] = Channel(100_000)
        self._lost = False
        self._stalled = False
        self._ended = False
        self._route = new_stream_id()
        self._stream = PulledStream(self._chunks(), self)

    # -- what happens in it

    async def say(self, words: str, *, pace: float = 0.3) -> None:
        """Somebody says words, each ``pace`` seconds long. Returns when they were heard."""
        for word in words.split():
            self._put(_value(word), pace)
        await self._drain()

    async def wake(self) -> None:
        """Somebody says the wake word."""
        self._put(WAKE, 0.78)
        self._put(WAKE_END, BLOCK)
        await self._drain()

    async def cough(self, seconds: float = 0.2) -> None:
        """A voice without words."""
        self._put(NOISE, seconds)
        await self._drain()

    async def quiet(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def lose(self) -> None:
        """The microphone is unplugged."""
        self._lost = True

    def find(self) -> None:
        self._lost = False

    def stall(self, on: bool = True) -> None:
        """The microphone says nothing, and does not say why."""
        self._stalled = on

    def end(self) -> None:
        """The sound is over, as that of a file."""
        self._ended = True

    def _put(self, value: int, seconds: float) -> None:
        for _ in range(round(seconds / BLOCK)):
            assert self._queue.send_nowait(value)

    async def _drain(self) -> None:
        while len(self._queue):  # noqa: ASYNC110 - waiting costs nothing in virtual time
            await asyncio.sleep(BLOCK)

    # -- the Stream

    async def _chunks(self) -> AsyncGenerator[MessageChunk, None]:
        yield begin_of_stream(self._route, role=Role.USER)
        due = asyncio.get_running_loop().time()
        while not self._ended:
            due = max(due + BLOCK, asyncio.get_running_loop().time())
            await asyncio.sleep(due - asyncio.get_running_loop().time())
            if self._lost:
                yield end_of_stream(self._route, role=Role.USER, error="unplugged")
                while self._lost and not self._ended:  # noqa: ASYNC110 - waiting costs nothing in virtual time
                    await asyncio.sleep(BLOCK)
                self._route = new_stream_id()
                yield begin_of_stream(self._route, role=Role.USER)
            elif not self._stalled:
                value = await self._queue.receive() if len(self._queue) else 0
                yield MessageChunk(role=Role.USER, part=pcm(sound(value), RATE), ctrl=StreamCtrl(self._route))

    @property
    def state(self) -> State | None:
        return self._stream.state

    async def next(self) -> MessageChunk:
        return await self._stream.next()

    async def close(self) -> None:
        self._ended = True
        if self._stream.state is None:
            await self._stream.close()

    async def close_with_error(self, error: BaseException) -> None:
        self._ended = True
        await self._stream.close_with_error(error)

    def __aiter__(self) -> AsyncIterator[MessageChunk]:
        return self._stream.__aiter__()


def sound(value: int, seconds: float = BLOCK) -> bytes:
    return struct.pack("<h", value) * round(seconds * RATE)


def values(data: bytes) -> list[tuple[int, float]]:
    """Runs of samples: value and seconds."""
    samples = struct.unpack(f"<{len(data) // 2}h", data)
    return [(value, len(list(run)) / RATE) for value, run in groupby(samples)]


def words_in(data: bytes) -> str:
    """The words of which at least half is there."""
    heard = [(value - _FIRST_WORD, seconds) for value, seconds in values(data) if value >= _FIRST_WORD]
    return " ".join(_words[index] for index, seconds in heard if seconds >= 0.1)


class Recogniser:
    """Transformer: reads the words off the samples, in ``seconds`` of the loop's time."""

    def __init__(self, seconds: float = 0.18) -> None:
        self.seconds = seconds
        self.error: Exception | None = None
        self.heard: list[str] = []
        self.dropped = 0

    async def transform(self, source: Stream) -> Stream:
        async def texts() -> AsyncGenerator[MessageChunk, None]:
            data = b""
            async for chunk in source:
                if isinstance(chunk.part, Blob):
                    data += chunk.part.data
            try:
                await asyncio.sleep(self.seconds)
            except asyncio.CancelledError:
                self.dropped += 1
                raise
            if self.error is not None:
                raise self.error
            self.heard.append(words_in(data))
            yield MessageChunk(role=Role.USER, part=Text(self.heard[-1], "en", 0.9))

        return PulledStream(texts(), source)
