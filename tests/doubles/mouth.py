"""A voice and a loudspeaker in the loop's time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass

from companion.errors import DeviceError
from companion.stream import Blob, MessageChunk, PulledStream, Stream, StreamCtrl, Text, pcm, pcm_format
from companion.voice.contract import Played, PlayedPiece

RATE = 8_000
SECONDS_PER_CHARACTER = 0.06
SLICE = 0.1


class Voice:
    """Transformer: says pieces at a steady pace, ``seconds`` after each was asked for."""

    def __init__(self, seconds: float = 0.1) -> None:
        self.seconds = seconds
        self.error: Exception | None = None
        self.said: list[str] = []
        self.languages: list[str] = []
        self.open = 0

    async def transform(self, source: Stream) -> Stream:
        async def speech() -> AsyncGenerator[MessageChunk, None]:
            self.open += 1
            try:
                async for chunk in source:
                    yield chunk
                    if isinstance(chunk.part, Text) and chunk.part.text:
                        await asyncio.sleep(self.seconds)
                        if self.error is not None:
                            raise self.error
                        self.said.append(chunk.part.text)
                        self.languages.append(chunk.part.language)
                        for part in _sound(chunk.part.text):
                            yield MessageChunk(role=chunk.role, part=part, ctrl=StreamCtrl(chunk.stream_id))
            finally:
                self.open -= 1

        return PulledStream(speech(), source)


def _sound(text: str) -> list[Blob]:
    seconds = len(text.strip()) * SECONDS_PER_CHARACTER
    whole, rest = divmod(round(seconds * 1000), round(SLICE * 1000))
    lengths = [SLICE] * whole + ([rest / 1000] if rest else [])
    return [pcm(bytes(2 * round(length * RATE)), RATE) for length in lengths]


@dataclass
class _Piece:
    text: str
    seconds: float = 0.0
    played: float = 0.0


class Loudspeaker:
    """Implements Mouth: plays in the loop's time and keeps a log of what happened when."""

    def __init__(self) -> None:
        self.log: list[tuple[float, str]] = []
        self.chimes: list[str] = []
        self.error: DeviceError | None = None
        self.is_stuck = False
        self.volume = 0.8
        self.is_ducked = False
        self.is_playing = False
        self._hushed = asyncio.Event()

    def _note(self, what: str) -> None:
        self.log.append((asyncio.get_running_loop().time(), what))

    def when(self, what: str) -> float:
        """When that happened last."""
        return next(at for at, noted in reversed(self.log) if noted == what)

    async def play(self, sound: Stream, *, on_first_sound: Callable[[], None]) -> Played:
        assert not self.is_playing, "one reply at a time"
        self.is_playing = True
        self._hushed.clear()
        pieces: list[_Piece] = []
        try:
            ended = await self._play(sound, pieces, on_first_sound)
        finally:
            self.is_playing = False
            await sound.close()
        self._note("silent")
        last = len(pieces) - 1
        reports = [
            PlayedPiece(piece.text, piece.seconds, piece.played, whole=ended or number < last)
            for number, piece in enumerate(pieces)
        ]
        return Played(tuple(reports), hushed=self._hushed.is_set())

    async def _play(self, sound: Stream, pieces: list[_Piece], on_first_sound: Callable[[], None]) -> bool:
        begun = False
        async for chunk in sound:
            if self.error is not None:
                raise self.error
            match chunk.part:
                case Text(text):
                    pieces.append(_Piece(text))
                case Blob(mime_type, data):
                    form = pcm_format(mime_type)
                    assert form is not None
                    seconds = len(data) / (2 * form.channels * form.rate)
                    pieces[-1].seconds += seconds
                    if not begun:
                        begun = True
                        self._note("sound")
                        on_first_sound()
                    pieces[-1].played += await self._listen_to(seconds)
                case None:
                    raise AssertionError("a chunk without a part came to the loudspeaker")
            if self._hushed.is_set():
                return False
        return True

    async def _listen_to(self, seconds: float) -> float:
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            async with asyncio.timeout(None if self.is_stuck else seconds):
                await self._hushed.wait()
                await asyncio.sleep(0.03)
        except TimeoutError:
            return seconds
        return min(loop.time() - began, seconds)

    def duck(self) -> None:
        self.is_ducked = True
        self._note("duck")

    def unduck(self) -> None:
        if self.is_ducked:
            self.is_ducked = False
            self._note("unduck")

    def hush(self) -> None:
        self._note("hush")
        self._hushed.set()

    def chime(self, name: str) -> None:
        self.chimes.append(name)
