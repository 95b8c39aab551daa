"""The examination of a generator passes a good one and finds the fault of each broken one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from companion.errors import LawBroken
from companion.model import FuncTool, ModelContext
from companion.model.laws import check_generator
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
)
from companion.stream.exam import Law


class Echo:
    """Good."""

    role = Role.MODEL

    def name_of_answer(self) -> str:
        return new_stream_id()

    async def answer(self) -> AsyncGenerator[MessageChunk, None]:
        route = self.name_of_answer()
        yield begin_of_stream(route, role=self.role)
        for word in ("one", "two", "three"):
            yield MessageChunk(self.role, part=Text(word), ctrl=StreamCtrl(route))
        yield end_of_stream(route, role=self.role, part=Text(""))
        yield end_of_stream(route, role=self.role)

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        return PulledStream(self.answer())

    async def invoke(self, context: ModelContext, tool: FuncTool, *, model: str = "") -> tuple[Usage, FuncCall]:
        return Usage(), FuncCall(tool.name, "{}")


class SpeaksForTheUser(Echo):
    role = Role.USER


class AlwaysTheSameId(Echo):
    def name_of_answer(self) -> str:
        return "answer"


class WithoutAnId(Echo):
    def name_of_answer(self) -> str:
        return ""


class OneAtATime(Echo):
    def __init__(self) -> None:
        self.lock = asyncio.Lock()

    async def answer(self) -> AsyncGenerator[MessageChunk, None]:
        async with self.lock:
            async for chunk in super().answer():
                yield chunk


async def test_a_good_generator_passes() -> None:
    await check_generator(Echo())


@pytest.mark.parametrize(
    ("broken", "law", "what"),
    [
        (SpeaksForTheUser, Law.PAIRS, "of the role user, not model"),
        (AlwaysTheSameId, Law.PAIRS, "share the stream id 'answer'"),
        (WithoutAnId, Law.PAIRS, "share the stream id ''"),
        (OneAtATime, Law.MANY_CALLS, "a call waits for another"),
    ],
)
async def test_the_examination_finds(broken: type[Echo], law: Law, what: str) -> None:
    with pytest.raises(LawBroken, match=f"^{law.value}: .*{what}"):
        await check_generator(broken(), deadline=0.2)
