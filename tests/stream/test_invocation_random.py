"""Wherever an invocation is cut short, what was delivered and what was abandoned add up to what was emitted."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

import pytest
from doubles.ledger import Ledger
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import InactiveResponse, StreamClosed, StreamError
from companion.stream import (
    Blob,
    Invocation,
    MessageChunk,
    Part,
    Response,
    Routes,
    StreamCtrl,
    Text,
    begin_of_stream,
    end_of_stream,
)
from companion.stream.lifecycle import Route

OPUS = Blob("audio/opus", b"...")


def chunk(part: Part, *, begin: bool = False, end: bool = False) -> MessageChunk:
    return MessageChunk(part=part, ctrl=StreamCtrl(begin_of_stream=begin, end_of_stream=end))


ANSWER = {
    "begin": begin_of_stream(""),
    "words": chunk(Text("words")),
    "begin of sound": chunk(OPUS, begin=True),
    "sound": chunk(OPUS),
    "end of words": chunk(Text(""), end=True),
    "end of sound": chunk(OPUS, end=True),
    "end": end_of_stream(""),
}


@dataclass(frozen=True)
class Emit:
    who: str
    what: str


@dataclass(frozen=True)
class End:
    who: str


@dataclass(frozen=True)
class Interrupt:
    who: str


@dataclass(frozen=True)
class Cancel:
    pass


@dataclass(frozen=True)
class Read:
    times: int


Step = Emit | End | Interrupt | Cancel | Read


class Run:
    """One invocation, and a note of all that was emitted and heard. Each speaker has a response at a time."""

    def __init__(self) -> None:
        self.ledger = Ledger()
        self.invocation = Invocation(observer=self.ledger)
        self.responses: dict[str, Response] = {}
        self.emitted: list[MessageChunk] = []
        self.heard: list[MessageChunk] = []
        self.cut: set[str] = set()

    async def play(self, steps: list[Step]) -> None:
        for step in steps:
            match step:
                case Emit(who, what):
                    self.emit(who, ANSWER[what])
                case End(who):
                    self.invocation.end(self.response_of(who))
                case Interrupt(who):
                    self.interrupt(who)
                case Cancel():
                    self.invocation.cancel()
                    self.cut |= {response.stream_id for response in self.responses.values()}
                case Read(times):
                    await self.read(times)

    def response_of(self, who: str) -> Response:
        response = self.responses.get(who)
        if response is None or not response.is_active:
            response = self.responses[who] = self.invocation.start_response()
        return response

    def emit(self, who: str, one: MessageChunk) -> None:
        response = self.response_of(who)
        # A name of its own tells where each one went.
        named = response.filled(replace(one, name=str(len(self.emitted))))
        with suppress(InactiveResponse, StreamClosed):
            self.invocation.emit(response, named)
            self.emitted.append(named)

    def interrupt(self, who: str) -> None:
        response = self.responses.get(who)
        if response is not None and self.invocation.interrupt(response):
            self.cut.add(response.stream_id)

    async def read(self, times: int) -> None:
        for _ in range(times):
            async with asyncio.TaskGroup() as group:
                reading = group.create_task(self.next())
                await asyncio.sleep(0)
                reading.cancel()
            if not reading.cancelled() and (one := reading.result()):
                self.hear(one)

    async def next(self) -> MessageChunk | None:
        with suppress(StreamError):
            return await self.invocation.stream.next()
        return None

    def hear(self, one: MessageChunk) -> None:
        assert not (one.name and one.stream_id in self.cut), "a stale chunk after an interruption"
        self.heard.append(one)

    async def finish(self, how: Callable[[Invocation], None]) -> None:
        how(self.invocation)
        while one := await self.next():
            self.hear(one)
        self.adds_up()
        routes, heard = Routes(remember=1000), defaultdict[str, Route](lambda: Route(""))
        for one in self.heard:
            is_inserted_end = one.part is None and one.is_end and not one.name
            route = heard[one.stream_id]
            assert not (is_inserted_end and route.open_channels), "a channel was not ended by itself"
            route.admit(one)
            routes.accept(one)
        routes.finish()

    def adds_up(self) -> None:
        """Each emitted chunk was delivered or abandoned, once; what was delivered is what was heard, in order."""
        got = [one for one in self.ledger.got if one.name]
        lost = [one for one in self.ledger.lost if one.name]
        assert sorted([*got, *lost], key=lambda one: int(one.name)) == self.emitted
        assert [one for one in self.heard if one.name] == got
        for stream_id in {one.stream_id for one in self.emitted}:
            emitted, delivered = (
                [one for one in chunks if one.stream_id == stream_id] for chunks in (self.emitted, got)
            )
            assert emitted[: len(delivered)] == delivered, "not the beginning was delivered"


TALK: list[Step] = [
    Emit("a", "begin"),
    Emit("a", "words"),
    Emit("b", "words"),
    Emit("a", "begin of sound"),
    Emit("a", "sound"),
    Emit("a", "end of words"),
    Emit("b", "words"),
    Emit("a", "end of sound"),
    Emit("a", "end"),
    Emit("b", "end"),
]
CUTS: list[Step] = [Interrupt("a"), Interrupt("b"), Cancel()]


@pytest.mark.parametrize("cut", CUTS, ids=lambda cut: f"{type(cut).__name__} {getattr(cut, 'who', '')}".strip())
@pytest.mark.parametrize("at", range(len(TALK) + 1))
async def test_cut_at_any_point_after_any_number_of_reads(at: int, cut: Step) -> None:
    for reads in range(at + 1):
        run = Run()
        await run.play([*TALK[:at], Read(reads), cut, *TALK[at:]])
        await run.finish(Invocation.done)


WHO = st.sampled_from("abc")
STEPS: st.SearchStrategy[Step] = st.one_of(
    st.builds(Emit, WHO, st.sampled_from(list(ANSWER))),
    st.builds(Emit, WHO, st.sampled_from(list(ANSWER))),
    st.builds(Interrupt, WHO),
    st.builds(End, WHO),
    st.builds(Read, st.integers(1, 4)),
)
LAST: st.SearchStrategy[list[Step]] = st.sampled_from([[], [], [Cancel()]])


def fail(invocation: Invocation) -> None:
    invocation.fail(OSError("broken"))


@given(st.lists(STEPS, max_size=40), LAST, st.sampled_from([Invocation.done, Invocation.cancel, fail]))
def test_any_program(steps: list[Step], last: list[Step], how: Callable[[Invocation], None]) -> None:
    async def scene() -> None:
        run = Run()
        await run.play([*steps, *last])
        if how is Invocation.cancel:
            run.cut |= {response.stream_id for response in run.responses.values()}
        await run.finish(how)

    asyncio.run(scene())


@given(st.lists(STEPS, max_size=40))
def test_a_reader_who_leaves_leaves_nothing_unaccounted(steps: list[Step]) -> None:
    async def scene() -> None:
        run = Run()
        await run.play(steps)
        await run.invocation.stream.close()
        run.adds_up()

    asyncio.run(scene())
