"""Many models behind one door, each kept in use until its call has ended."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from companion.compose.held import HeldStream
from companion.compose.mux import GeneratorMux, LabelerMux, ProcessorMux, ProfilerMux, SegmentorMux, TransformerMux
from companion.errors import ModelDied, NotRegistered, PatternError, StreamInterrupted
from companion.model import FuncTool, Generator, ModelContext
from companion.stream import (
    FuncCall,
    MessageChunk,
    Role,
    Status,
    Stream,
    StreamCtrl,
    Text,
    Transformer,
    Usage,
    begin_of_stream,
    end_of_stream,
    stream_of,
)
from companion.stream.laws import check_stream, check_transformer

TOOL = FuncTool("answer", "", {"type": "object"})


def chunks(*words: str) -> list[MessageChunk]:
    said = [MessageChunk(role=Role.MODEL, part=Text(word), ctrl=StreamCtrl("s")) for word in words]
    last = end_of_stream("s", role=Role.MODEL, part=Text(""))
    return [begin_of_stream("s", role=Role.MODEL), *said, last, end_of_stream("s", role=Role.MODEL)]


@dataclass
class Echo:
    """A generator that answers by the name it was asked for."""

    asked: list[str] = field(default_factory=list)
    error: ModelDied | None = None

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        self.asked.append(model)
        if self.error is not None:
            raise self.error
        return stream_of(chunks(model))

    async def invoke(self, context: ModelContext, tool: FuncTool, *, model: str = "") -> tuple[Usage, FuncCall]:
        self.asked.append(model)
        return Usage(1, 2), FuncCall(tool.name, f'{{"model": "{model}"}}')


class Through:
    """A transformer that changes nothing."""

    async def transform(self, source: Stream) -> Stream:
        return source


@dataclass
class Measure:
    """A processor that waits until it may answer."""

    may_answer: asyncio.Event

    async def process(self, source: str, /) -> int:
        await self.may_answer.wait()
        return len(source)


async def words_of(stream: Stream) -> list[str]:
    return [chunk.part.text async for chunk in stream if isinstance(chunk.part, Text) and chunk.part.text]


async def test_a_generator_hears_the_name_it_was_asked_for() -> None:
    mux, echo = GeneratorMux(), Echo()
    mux.register("qwen/+", echo)
    door: Generator = mux

    assert await words_of(await door.generate_stream(ModelContext(), model="qwen/turbo")) == ["qwen/turbo"]
    assert await door.invoke(ModelContext(), TOOL, model="qwen/max") == (
        Usage(1, 2),
        FuncCall("answer", '{"model": "qwen/max"}'),
    )
    assert echo.asked == ["qwen/turbo", "qwen/max"]


async def test_a_call_that_nothing_serves_names_what_was_wanted() -> None:
    with pytest.raises(NotRegistered, match="no generator is registered for 'gpt'"):
        await GeneratorMux().generate_stream(ModelContext(), model="gpt")
    with pytest.raises(NotRegistered, match="no transformer is registered for 'whisper'"):
        await TransformerMux().transform("whisper", stream_of([]))


@pytest.mark.parametrize("mux", [SegmentorMux, ProfilerMux, LabelerMux])
async def test_a_processor_is_found_by_its_name(mux: type[ProcessorMux[str, int]]) -> None:
    processors = mux()
    word = mux.what
    may_answer = asyncio.Event()
    processors.register(f"{word}/#", Measure(may_answer))
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        answering = tasks.create_task(processors.process(f"{word}/small", "four"))
        await asyncio.sleep(0)
        assert processors.find(f"{word}/small").users == 1
        may_answer.set()
    assert answering.result() == 4
    assert processors.find(f"{word}/small").users == 0
    with pytest.raises(NotRegistered, match=f"no {word} is registered for 'other'"):
        await processors.process("other", "")
    with pytest.raises(PatternError, match=f"a {word} needs a name"):
        processors.register("", Measure(may_answer))


async def test_two_muxes_know_nothing_of_each_other() -> None:
    one, other = GeneratorMux(), GeneratorMux()
    one.register("a", Echo())
    other.register("a", Echo())

    assert one.find("a").value is not other.find("a").value


@pytest.mark.parametrize("ending", ["read", "closed", "failed"])
async def test_what_was_unregistered_serves_its_running_calls_to_the_end(ending: str) -> None:
    freed: list[bool] = []
    mux = GeneratorMux()
    mux.register("a", Echo(), when_free=lambda: freed.append(True))
    stream = await mux.generate_stream(ModelContext(), model="a")
    assert (await stream.next()).is_begin
    mux.unregister("a")
    assert not freed

    match ending:
        case "read":
            assert await words_of(stream) == ["a"]
        case "closed":
            await stream.close()
            await stream.close()
        case _:
            await stream.close_with_error(ValueError("enough"))
    assert freed == [True]
    assert stream.state is not None


async def test_a_call_that_fails_at_the_start_is_no_longer_running() -> None:
    mux = GeneratorMux()
    mux.register("a", Echo(error=ModelDied("it died")))
    with pytest.raises(ModelDied):
        await mux.generate_stream(ModelContext(), model="a")

    assert mux.find("a").users == 0


async def test_a_named_transformer_follows_what_is_registered() -> None:
    mux = TransformerMux()
    voice: Transformer = mux.named("voice")
    with pytest.raises(NotRegistered):
        await voice.transform(stream_of([]))
    mux.register("voice", Through())

    assert await words_of(await voice.transform(stream_of(chunks("hello")))) == ["hello"]


async def test_a_stream_of_a_mux_keeps_every_law() -> None:
    mux, transformers = GeneratorMux(), TransformerMux()
    mux.register("a", Echo())
    transformers.register("b", Through())

    await check_stream(lambda: mux.generate_stream(ModelContext(), model="a"), expect=chunks("a"))
    await check_transformer(lambda: transformers.named("b"), chunks("x", "y"))
    assert mux.find("a").users == transformers.find("b").users == 0


async def test_a_held_stream_lets_go_once() -> None:
    gone: list[bool] = []
    stream = HeldStream(stream_of(chunks("a")), lambda: gone.append(True))
    await stream.close()
    with pytest.raises(StreamInterrupted):
        await stream.next()
    await stream.close()

    assert gone == [True]
    assert stream.state is not None
    assert stream.state.status is Status.INTERRUPTED
