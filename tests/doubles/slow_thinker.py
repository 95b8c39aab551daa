"""A language model that writes at a steady pace."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from companion.errors import ModelError
from companion.model import FuncTool, ModelContext
from companion.model.structured import invoke_by_text
from companion.stream import (
    FuncCall,
    MessageChunk,
    PulledStream,
    Role,
    Stream,
    StreamCtrl,
    Text,
    Usage,
    begin_of_stream,
    end_of_stream,
    new_stream_id,
    stream_of,
)


class SlowThinker:
    """Says ``answer`` to everything, ``pace`` seconds a word, ``loads`` seconds behind the question.

    error: raised instead of an answer.
    """

    def __init__(self, answer: str, *, pace: float = 0.05, loads: float = 0.0, error: ModelError | None = None) -> None:
        self.answer = answer
        self.pace = pace
        self.loads = loads
        self.error = error
        self.writing = 0

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        if self.error is not None:
            raise self.error
        await asyncio.sleep(self.loads)
        return PulledStream(self._words(), stream_of([]))

    async def invoke(self, context: ModelContext, tool: FuncTool, *, model: str = "") -> tuple[Usage, FuncCall]:
        return await invoke_by_text(self.generate_stream, context, tool, model=model)

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    async def warm(self, context: ModelContext) -> None:
        """It is warm."""

    async def _words(self) -> AsyncGenerator[MessageChunk, None]:
        route = new_stream_id()
        self.writing += 1
        try:
            yield begin_of_stream(route, role=Role.MODEL)
            for number, word in enumerate(self.answer.split(" ")):
                await asyncio.sleep(self.pace)
                text = f" {word}" if number else word
                yield MessageChunk(role=Role.MODEL, part=Text(text), ctrl=StreamCtrl(route))
            yield end_of_stream(route, role=Role.MODEL, part=Text(""))
            yield end_of_stream(route, role=Role.MODEL)
        finally:
            self.writing -= 1
