"""An agent that knows a few answers and keeps its history in a list."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from functools import partial

from companion.agent.answer import Answer, Said
from companion.agent.plugin import Effect, StopSpeaking
from companion.errors import EndOfStream, StreamInterrupted
from companion.stream import MessageChunk, PulledStream, Role, Stream, StreamCtrl, Text, stream_of

TOKEN_SECONDS = 0.01


@dataclass(frozen=True)
class Kept:
    """One turn in the history."""

    said: str
    heard: str
    whole: bool


class Memory:
    """Implements Answerer. ``answers``: what the model says; ``commands``: what rules say at once."""

    def __init__(self, answers: dict[str, str] | None = None, commands: dict[str, str] | None = None) -> None:
        self.answers = answers or {}
        self.commands = {"stop": "", **(commands or {})}
        self.effects: dict[str, tuple[Effect, ...]] = {"stop": (StopSpeaking(),)}
        self.history: list[Kept] = []
        self.asked: list[str] = []
        self.confirmed: list[str] = []
        self.first_token = 0.05
        self.error: Exception | None = None
        self.dies_after: int | None = None
        self.hangs_after: int | None = None
        self.writing = 0

    def is_command(self, said: Said) -> bool:
        return said.text in self.commands

    def may_go_on(self, said: Said) -> bool:
        return False

    async def answer(self, said: Said) -> Answer:
        self.asked.append(said.text)
        if said.text in self.commands:
            text = stream_of(_chunks(self.commands[said.text]))
            effects = self.effects.get(said.text, ())
            return Answer(said, text, said.language, f"rule:{said.text}", effects)
        if self.error is not None:
            raise self.error
        text = self._written(self.answers.get(said.text, "I do not know."))
        confirm = partial(self.confirmed.append, said.text)
        return Answer(said, text, said.language, "model:test", confirm=confirm)

    def _written(self, text: str) -> Stream:
        closed = _Closing()

        async def tokens() -> AsyncGenerator[MessageChunk, None]:
            self.writing += 1
            try:
                await closed.wait(self.first_token)
                for number, chunk in enumerate(_chunks(text)):
                    if number == self.dies_after:
                        raise RuntimeError("out of memory")
                    await closed.wait(1e9 if number == self.hangs_after else TOKEN_SECONDS)
                    yield chunk
            finally:
                self.writing -= 1

        return PulledStream(tokens(), closed)

    async def commit(self, answer: Answer, heard: str, *, whole: bool) -> None:
        self.history.append(Kept(answer.said.text, heard, whole))


class _Closing:
    """A source that only wakes whoever waits inside a generator when the stream is closed."""

    def __init__(self) -> None:
        self._closed = asyncio.Event()
        self.state = None

    async def wait(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._closed.wait()
        except TimeoutError:
            return
        raise StreamInterrupted

    async def next(self) -> MessageChunk:
        raise EndOfStream

    async def close(self) -> None:
        self._closed.set()

    async def close_with_error(self, error: BaseException) -> None:
        self._closed.set()

    def __aiter__(self):
        return self


def _chunks(text: str) -> list[MessageChunk]:
    words = text.split(" ")
    tokens = [word + " " for word in words[:-1]] + words[-1:]
    return [MessageChunk(role=Role.MODEL, part=Text(token), ctrl=StreamCtrl("answer")) for token in tokens if token]
