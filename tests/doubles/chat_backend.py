"""A chat backend that answers what it was told to, delta by delta."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from companion.errors import EndOfStream
from companion.model import ChatRequest
from companion.model.calls import CallDelta
from companion.model.deltas import Counted, Delta, Finish, Finished, TextDelta
from companion.stream import Usage

Piece = Delta | Exception | float
"""A float is so many seconds of waiting."""


class ScriptedBackend:
    """Answers with the next of ``answers``, the last one again and again; an error is raised where it stands."""

    def __init__(self, *answers: Sequence[Piece] | Exception, name: str = "scripted") -> None:
        self._answers = list(answers)
        self.name = name
        self.requests: list[ChatRequest] = []
        self.sources: list[ScriptedSource] = []

    async def ask(self, request: ChatRequest) -> ScriptedSource:
        self.requests.append(request)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        self.sources.append(ScriptedSource(answer))
        return self.sources[-1]

    @property
    def open_sources(self) -> int:
        return sum(not source.is_closed for source in self.sources)


class ScriptedSource:
    """The deltas of one answer."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = list(pieces)
        self._waiting: asyncio.Future[None] | None = None
        self.is_closed = False

    async def next(self) -> Delta:
        while self._pieces and not self.is_closed:
            match self._pieces.pop(0):
                case Exception() as error:
                    raise error
                case float() | int() as seconds:
                    await self._wait(seconds)
                case delta:
                    return delta
        raise EndOfStream

    async def _wait(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._waiting = loop.create_future()
        bell = loop.call_later(seconds, self._wake)
        try:
            await self._waiting
        finally:
            bell.cancel()
            self._waiting = None

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def close(self) -> None:
        self.is_closed = True
        self._wake()


def says(text: str, *, usage: Usage = Usage(10, 2), why: Finish = Finish.STOP) -> list[Piece]:  # noqa: B008
    """An answer of words."""
    words = [word + " " for word in text.split(" ")]
    return [*(TextDelta(word) for word in [*words[:-1], words[-1].rstrip()]), Counted(usage), Finished(why)]


def calls(*wanted: tuple[str, str], usage: Usage = Usage(10, 2), text: str = "") -> list[Piece]:  # noqa: B008
    """An answer that calls tools: names and arguments."""
    pieces = [CallDelta(place, f"id{place}", name, arguments) for place, (name, arguments) in enumerate(wanted)]
    said = [TextDelta(text)] if text else []
    return [*said, *pieces, Counted(usage), Finished(Finish.TOOL_CALLS, reason="tool_calls")]
