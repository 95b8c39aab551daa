"""Small models that do as they are told: for tests, for plugin authors, and for trying the loop without a model."""

from __future__ import annotations

import asyncio
import math
import struct
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from functools import partial

from companion.model import FuncTool, ModelContext
from companion.model.structured import invoke_by_text
from companion.providers.spoken import slices, spoken_stream, words_to_say
from companion.stream import (
    Blob,
    FuncCall,
    MessageChunk,
    PulledStream,
    Role,
    State,
    Status,
    Stream,
    StreamCtrl,
    Text,
    Usage,
    begin_of_stream,
    end_of_stream,
    new_stream_id,
)
from companion.stream.wakeable import Wakeable
from companion.voice.contract import RATE

Sleep = Callable[[float], Awaitable[None]]
"""Waits for so many seconds of somebody's clock."""

CHARACTER_SECONDS = 0.06
_LOUDNESS = 8_000
_LOWEST_HERTZ = 220.0


async def no_time(seconds: float) -> None:
    """A clock on which waiting takes no time."""
    await asyncio.sleep(0)


class ScriptedRecogniser:
    """A Transformer that hears the next of ``texts`` in each route that carried sound, and nothing in others.

    seconds: it takes for that, on the clock of ``sleep``. When the texts run out, the last is repeated.
    """

    def __init__(
        self, texts: Sequence[str], *, language: str = "en", seconds: float = 0.0, sleep: Sleep = no_time
    ) -> None:
        self._texts = list(texts)
        self._language = language
        self._seconds = seconds
        self._sleep = sleep
        self.heard: list[bytes] = []
        """The sound of each route."""

    async def transform(self, source: Stream) -> Stream:
        wake = Wakeable()
        return PulledStream(self._recognise(source, wake), source, wake)

    async def _recognise(self, source: Stream, wake: Wakeable) -> AsyncGenerator[MessageChunk, None]:
        sounds: dict[str, bytearray] = {}
        async for chunk in source:
            if isinstance(chunk.part, Blob):
                sounds.setdefault(chunk.stream_id, bytearray()).extend(chunk.part.data)
                continue
            if chunk.is_end and chunk.part is None and chunk.ctrl is not None and not chunk.ctrl.error:
                text = await self._hear(bytes(sounds.pop(chunk.stream_id, b"")), wake)
                yield MessageChunk(role=Role.USER, part=text, ctrl=StreamCtrl(chunk.stream_id, chunk.ctrl.label))
                yield end_of_stream(chunk.stream_id, role=Role.USER, label=chunk.ctrl.label, part=Text(""))
            yield chunk

    async def _hear(self, sound: bytes, wake: Wakeable) -> Text:
        if self._seconds:
            await wake.unless_closed(partial(self._sleep, self._seconds))
        self.heard.append(sound)
        if not sound or not self._texts:
            return Text("", self._language)
        text = self._texts.pop(0) if len(self._texts) > 1 else self._texts[0]
        return Text(text, self._language, confidence=1.0)


class ScriptedGenerator:
    """A Generator that answers with the next of ``answers``, each a list of pieces, and keeps what it was asked.

    seconds: before each piece, on the clock of ``sleep``. When the answers run out, the last is repeated.
    """

    def __init__(self, answers: Sequence[str | Sequence[str]], *, seconds: float = 0.0, sleep: Sleep = no_time) -> None:
        self._answers = [_words(answer) if isinstance(answer, str) else list(answer) for answer in answers]
        self._seconds = seconds
        self._sleep = sleep
        self.asked: list[ModelContext] = []

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        self.asked.append(context)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        wake = Wakeable()
        stream = PulledStream(self._write(answer, lambda state: stream.finish(state), wake), wake)
        return stream

    async def invoke(self, context: ModelContext, tool: FuncTool, *, model: str = "") -> tuple[Usage, FuncCall]:
        """The next answer, as the arguments of ``tool``; the one after it where that does not fit."""
        return await invoke_by_text(self.generate_stream, context, tool, model=model)

    async def _write(
        self, pieces: Sequence[str], finish: Callable[[State], None], wake: Wakeable
    ) -> AsyncGenerator[MessageChunk, None]:
        route = new_stream_id()
        yield begin_of_stream(route, role=Role.MODEL)
        for piece in pieces:
            if self._seconds:
                await wake.unless_closed(partial(self._sleep, self._seconds))
            yield MessageChunk(role=Role.MODEL, part=Text(piece), ctrl=StreamCtrl(route))
        yield end_of_stream(route, role=Role.MODEL, part=Text(""))
        yield end_of_stream(route, role=Role.MODEL)
        finish(State(Status.DONE, Usage(completion_tokens=len(pieces))))

    def count_tokens(self, text: str) -> int:
        """A word is a token."""
        return len(text.split())


class ScriptedSynthesiser:
    """A Transformer that says each piece as tones, 60 ms a character, the same for the same letters."""

    def __init__(self) -> None:
        self.said: list[str] = []

    async def transform(self, source: Stream) -> PulledStream:
        return spoken_stream(source, self.speak)

    async def speak(self, text: Text) -> AsyncGenerator[Blob, None]:
        """The tones of one piece."""
        words = words_to_say(text)
        self.said.append(words)
        for blob in slices(b"".join(_tone(letter) for letter in words), RATE):
            yield blob


def _words(text: str) -> list[str]:
    words = text.split(" ")
    return [word + " " for word in words[:-1]] + words[-1:]


def _tone(letter: str) -> bytes:
    pitch = _LOWEST_HERTZ * 2 ** (ord(letter.lower()) % 24 / 12)
    count = int(CHARACTER_SECONDS * RATE)
    samples = (int(_LOUDNESS * math.sin(2 * math.pi * pitch * place / RATE)) for place in range(count))
    return struct.pack(f"<{count}h", *samples)
