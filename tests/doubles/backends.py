"""Chat backends that answer, fail and dawdle as they are told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence

from companion.errors import EndOfStream
from companion.model import ChatRequest, ChatRole, Message, ModelContext
from companion.model.deltas import Delta, DeltaSource, Finish, Finished, TextDelta

Step = Delta | BaseException | float
"""A delta to give, an error to raise, or seconds to wait."""


def words(*texts: str) -> list[Step]:
    """An answer of these pieces, to its end."""
    return [*map(TextDelta, texts), Finished(Finish.STOP)]


def question(text: str = "how are you?", **attributes: object) -> ChatRequest:
    return ChatRequest(ModelContext(messages=(Message.of(ChatRole.USER, text),)), attributes=attributes)


class PlayedBackend:
    """Plays the next of ``plays`` for each question; when they run out, the last one again.

    A play is a list of steps, or a function that makes one of the request. An error as its first step is raised by
    ``ask`` itself, and seconds before it are waited there.
    """

    def __init__(self, name: str, *plays: Sequence[Step] | Callable[[ChatRequest], Sequence[Step]]) -> None:
        self.name = name
        self._plays = list(plays)
        self.requests: list[ChatRequest] = []
        self.open = 0
        """Answers that were neither closed nor read to their end."""

    async def ask(self, request: ChatRequest) -> DeltaSource:
        self.requests.append(request)
        play = self._plays.pop(0) if len(self._plays) > 1 else self._plays[0]
        steps = list(play(request) if callable(play) else play)
        while steps and not _is_delta(steps[0]):
            await _step(steps.pop(0))
        self.open += 1
        return _PlayedSource(self, steps)

    @property
    def asked(self) -> int:
        return len(self.requests)


class _PlayedSource:
    def __init__(self, backend: PlayedBackend, steps: list[Step]) -> None:
        self._backend = backend
        self._steps = steps
        self._closed = asyncio.Event()
        self._is_open = True

    async def next(self) -> Delta:
        while self._steps and not self._closed.is_set():
            step = self._steps.pop(0)
            if _is_delta(step):
                return step
            if isinstance(step, float):
                try:
                    async with asyncio.timeout(step):
                        await self._closed.wait()
                except TimeoutError:
                    continue
            else:
                raise step
        self._end()
        raise EndOfStream

    async def close(self) -> None:
        self._closed.set()
        self._end()

    def _end(self) -> None:
        self._backend.open -= self._is_open
        self._is_open = False


def _is_delta(step: Step) -> bool:
    return not isinstance(step, BaseException | float)


async def _step(step: Step) -> None:
    if isinstance(step, float):
        await asyncio.sleep(step)
    else:
        raise step


async def read(source: DeltaSource) -> list[Delta]:
    """All that comes of it; it is closed at the end, whatever happens."""
    deltas: list[Delta] = []
    try:
        while True:
            deltas.append(await source.next())
    except EndOfStream:
        return deltas
    finally:
        await source.close()


def text_of(deltas: Iterable[Delta]) -> str:
    return "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
