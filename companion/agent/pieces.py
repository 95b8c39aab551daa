"""The answer of a model on its way through ``post_action``: piece by piece, or held back until all of it is there.

Pieces are those the cutter makes, so that each can be spoken as soon as it has passed. What is no text passes at once;
calls come as a whole at the end, behind the words.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from types import AsyncGeneratorType
from typing import cast

from companion.errors import EndOfStream
from companion.model.calls import CallAssembler, CallDelta
from companion.model.deltas import Counted, Delta, DeltaSource, Finish, Finished, TextDelta
from companion.stream import (
    MessageChunk,
    PulledStream,
    Role,
    Stream,
    StreamCtrl,
    Text,
    ToolCall,
    Transformer,
    end_of_stream,
    new_stream_id,
)

Act = Callable[[str, Sequence[ToolCall]], Awaitable[tuple[str, Sequence[ToolCall]]]]
"""What the stage makes of words and calls."""


@dataclass(frozen=True, slots=True)
class Piece(TextDelta):
    """A piece that can be spoken as it is. spoken: how; empty where the cutter has not said."""

    spoken: str = ""
    language: str = ""


class ActedSource:
    """A DeltaSource behind ``post_action``.

    cut: makes the pieces; None takes them as they come. whole: hold everything back.
    """

    def __init__(
        self, source: DeltaSource, act: Act, *, cut: Transformer | None, language: str, whole: bool = False
    ) -> None:
        self._source = source
        self._act = act
        self._cut = cut
        self._language = language
        self._calls = CallAssembler()
        self._tail: list[Delta] = []
        self._is_cut_off = False
        self._is_closed = False
        self._pieces: Stream | None = None
        # What an ``async def`` with a ``yield`` returns: it knows itself whether it runs.
        self._deltas = cast("AsyncGeneratorType[Delta, None]", self._held() if whole else self._passed())

    @property
    def answered_by(self) -> tuple[str, ...]:
        """Whose words they are, where the source says so."""
        return getattr(self._source, "answered_by", ())

    async def next(self) -> Delta:
        try:
            return await anext(self._deltas)
        except StopAsyncIteration:
            raise EndOfStream from None

    async def close(self) -> None:
        self._is_closed = True
        await self._source.close()
        if self._pieces is not None:
            await self._pieces.close()
        if not self._deltas.ag_running:
            await self._deltas.aclose()

    async def _held(self) -> AsyncGenerator[Delta, None]:
        words: list[str] = []
        while (delta := await self._read()) is not None:
            if isinstance(delta, TextDelta):
                words.append(delta.text)
            else:
                yield delta
        text, calls = await self._act("".join(words), self._taken())
        if text:
            yield Piece(text)
        for delta in self._ending(calls):
            yield delta

    async def _passed(self) -> AsyncGenerator[Delta, None]:
        others: deque[Delta] = deque()
        source = PulledStream(self._chunks(others), self._source)
        self._pieces = source if self._cut is None else await self._cut.transform(source)
        async for chunk in self._pieces:
            while others:
                yield others.popleft()
            if isinstance(chunk.part, Text) and chunk.part.text:
                text, _ = await self._act(chunk.part.text, ())
                is_same = text == chunk.part.text
                if text:
                    yield Piece(text, chunk.part.spoken if is_same else "", chunk.part.language)
        calls = self._taken()
        if calls:
            _, calls = await self._act("", calls)
        for delta in self._ending(calls):
            yield delta

    async def _chunks(self, others: deque[Delta]) -> AsyncGenerator[MessageChunk, None]:
        route = new_stream_id()
        while (delta := await self._read()) is not None:
            if isinstance(delta, TextDelta):
                yield MessageChunk(Role.MODEL, part=Text(delta.text, self._language), ctrl=StreamCtrl(route))
            else:
                others.append(delta)
                yield MessageChunk(Role.MODEL, ctrl=StreamCtrl(route))  # so that it is not waited for
        yield end_of_stream(route, role=Role.MODEL, part=Text(""))

    async def _read(self) -> Delta | None:
        """What passes at once; calls and what stands behind them are put aside. None at the end.

        Raises:
            EndOfStream: this was closed.
        """
        while True:
            try:
                delta = await self._source.next()
            except EndOfStream:
                if self._is_closed:
                    raise
                return None
            match delta:
                case CallDelta():
                    self._calls.add(delta)
                case Finished(why):
                    self._is_cut_off = self._is_cut_off or why is Finish.LENGTH
                    self._tail.append(delta)
                case Counted():
                    self._tail.append(delta)
                case _:
                    return delta

    def _taken(self) -> Sequence[ToolCall]:
        return self._calls.take(is_cut=self._is_cut_off)

    def _ending(self, calls: Sequence[ToolCall]) -> list[Delta]:
        wanted: list[Delta] = [
            CallDelta(place, call.id, call.func_call.name, call.func_call.arguments, call.signature)
            for place, call in enumerate(calls)
        ]
        return [*wanted, *self._tail]
