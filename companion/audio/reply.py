"""One reply on its way to the loudspeaker: its captioned pieces, and how much of each was heard."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass

from companion.audio.mixer import Mixer
from companion.audio.resample import Resampler, mono, resampler, samples_of
from companion.errors import StreamError, StreamInterrupted
from companion.stream import Blob, MessageChunk, Stream, Text, pcm_format
from companion.voice.contract import Played, PlayedPiece

AHEAD_SECONDS = 2.0
"""Sound of a reply that may wait in the mixer."""


@dataclass(slots=True)
class _Piece:
    text: str
    start: float
    seconds: float = 0.0


class Reply:
    """Which captioned pieces went to the mixer, and how much of each was heard."""

    def __init__(self, mixer: Mixer) -> None:
        self._mixer = mixer
        self._pieces: list[_Piece] = []
        self._ended = False
        self._rates = (0, 0)
        self._resampler: Resampler | None = None
        self.failure: StreamError | None = None

    async def fill_while(self, sound: Stream, room: asyncio.Event, playing: Awaitable[None]) -> None:
        """Queue ``sound`` until ``playing`` is done.

        Raises:
            StreamError: the sound broke; what had been made of it was played.
        """
        try:
            async with asyncio.TaskGroup() as group:
                filling = group.create_task(self.fill(sound, room), name="fill the loudspeaker")
                await playing
                filling.cancel()
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None
        if self.failure is not None:
            raise self.failure

    async def fill(self, sound: Stream, room: asyncio.Event) -> None:
        """Queue all of ``sound``, no further ahead than two seconds; ``room`` is set when that runs low."""
        try:
            async for chunk in sound:
                while self._mixer.waiting_seconds > AHEAD_SECONDS and not self._mixer.is_hushed:
                    room.clear()
                    await room.wait()
                if self._mixer.is_hushed:
                    return
                self.take(chunk)
        except StreamInterrupted:
            self._mixer.hush()
        except StreamError as error:
            self.failure = error
        self.end()

    def take(self, chunk: MessageChunk) -> None:
        """A caption begins a piece; sound belongs to the newest one."""
        if chunk.is_end or chunk.part is None:
            return
        match chunk.part:
            case Text(text=text):
                self._flush()
                self._pieces.append(_Piece(text, self._mixer.queued_seconds))
            case Blob(mime_type, data):
                self._add(mime_type, data)

    def end(self) -> None:
        """No more will come."""
        self._flush()
        self._ended = self.failure is None
        self._mixer.finish()

    def played(self) -> Played:
        """What was heard of each piece by now."""
        heard = self._mixer.heard_seconds
        starts = [piece.start for piece in self._pieces] + [self._mixer.queued_seconds]
        pieces = []
        for piece, end in zip(self._pieces, starts[1:], strict=True):
            played = min(max(heard - piece.start, 0.0), end - piece.start)
            whole = self._ended or piece is not self._pieces[-1]
            pieces.append(PlayedPiece(piece.text, piece.seconds, played, whole))
        return Played(tuple(pieces), hushed=self._mixer.is_hushed)

    def _add(self, mime_type: str, data: bytes) -> None:
        sound = pcm_format(mime_type)
        if sound is None:
            return
        samples = mono(samples_of(data), sound.channels)
        if not self._pieces:
            self._pieces.append(_Piece("", self._mixer.queued_seconds))
        self._pieces[-1].seconds += len(samples) / sound.rate
        if self._resampler is None or self._rates != (sound.rate, self._mixer.rate):
            self._flush()
            self._rates = (sound.rate, self._mixer.rate)
            self._resampler = resampler(*self._rates)
        self._mixer.add(self._resampler.push(samples))

    def _flush(self) -> None:
        if self._resampler is not None and self._rates[1] == self._mixer.rate:
            self._mixer.add(self._resampler.flush())
        self._resampler = None
