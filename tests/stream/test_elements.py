"""A stream as elements: what becomes one, how they are read, and how they end."""

from __future__ import annotations

import asyncio
import io
import logging

import pytest
from doubles.trickle import Trickle, read_all

from companion.errors import OutputLimit, StreamBusy, StreamFailed, StreamInterrupted
from companion.stream import (
    Blob,
    FuncCall,
    MessageChunk,
    Role,
    State,
    Status,
    StreamBuilder,
    Text,
    ToolCall,
    begin_of_stream,
    end_of_stream,
    stream_of,
)
from companion.stream.elements import Element, Elements, StreamElement, ToolCallElement
from companion.stream.growing import GrowingStreamBuilder, Limit

SAID = MessageChunk(Role.MODEL, "anna", Text("good "))
SOUND = MessageChunk(Role.MODEL, "anna", Blob("audio/opus", b"sound"))
MORE = MessageChunk(Role.MODEL, "anna", Text("morning"))
OTHER = MessageChunk(Role.USER, "ben", Text("Grüße"))


def call(number: int) -> MessageChunk:
    return MessageChunk(Role.MODEL, "anna", tool_call=ToolCall(f"call_{number}", FuncCall("tell_time", "{}")))


def is_words(element: Element) -> bool:
    return isinstance(element, StreamElement) and element.mime_type == "text/plain"


async def all_of(elements: Elements) -> list[Element]:
    return [element async for element in elements]


async def test_each_name_role_and_kind_is_an_element_and_each_tool_call_is_one() -> None:
    elements = await all_of(Elements(stream_of([SAID, call(1), SOUND, OTHER, MORE, call(2)])))

    words, first, sound, other, second = elements
    assert isinstance(words, StreamElement)
    assert (words.name, words.role, words.mime_type) == ("anna", Role.MODEL, "text/plain")
    assert await words.read_all() == b"good morning"
    assert isinstance(sound, StreamElement)
    assert (sound.mime_type, await sound.read_all()) == ("audio/opus", b"sound")
    assert isinstance(other, StreamElement)
    assert await other.read_all() == "Grüße".encode()
    assert [first, second] == [ToolCallElement("anna", Role.MODEL, call(n).tool_call) for n in (1, 2)]


async def test_begins_and_ends_that_only_mark_a_route_or_channel_are_skipped() -> None:
    marked = [begin_of_stream("a"), SAID, end_of_stream("a", part=Text("")), MessageChunk(), end_of_stream("a")]
    elements = Elements(stream_of([*marked, begin_of_stream("b"), end_of_stream("b"), MORE]))

    (words,) = await all_of(elements)
    assert isinstance(words, StreamElement)
    assert await words.read_all() == b"good morning"


async def test_a_consumer_that_starts_late_gets_every_tool_call() -> None:
    source = GrowingStreamBuilder()
    source.add(*map(call, range(20)))
    source.done()
    elements = Elements(source.stream)
    for _ in range(5):
        await asyncio.sleep(0)

    ids = [element.tool_call.id for element in await all_of(elements) if isinstance(element, ToolCallElement)]
    assert ids == [f"call_{number}" for number in range(20)]


async def test_one_kind_written_in_two_ways_is_one_element() -> None:
    written = ["audio/L16; rate=16000; channels=1", "Audio/L16; CHANNELS=1; RATE=16000"]
    (sound,) = await all_of(Elements(stream_of([MessageChunk(part=Blob(mime, b"ab")) for mime in written])))

    assert isinstance(sound, StreamElement)
    assert (sound.mime_type, await sound.read_all()) == ("audio/l16; channels=1; rate=16000", b"abab")


async def test_a_kind_that_does_not_parse_is_named_as_it_is_written() -> None:
    (odd,) = await all_of(Elements(stream_of([MessageChunk(part=Blob("audio/ogg; codecs", b"ab"))])))

    assert isinstance(odd, StreamElement)
    assert (odd.mime_type, await odd.read()) == ("audio/ogg; codecs", b"ab")


@pytest.mark.parametrize("source", [stream_of, Trickle])
async def test_an_element_may_be_read_to_its_end_before_the_next_is_taken(source) -> None:
    read = []
    async for element in Elements(source([SAID, SOUND, MORE, OTHER])):
        assert isinstance(element, StreamElement)
        read.append(await element.read_all())

    assert read == [b"good morning", b"sound", "Grüße".encode()]


async def test_all_elements_may_be_read_at_once_as_their_bytes_come() -> None:
    source = StreamBuilder()
    read: list[bytes] = []

    async def follow(element: Element) -> None:
        assert isinstance(element, StreamElement)
        while data := await element.read():
            read.append(data)

    async def take() -> None:
        async with asyncio.TaskGroup() as group:
            async for element in Elements(source.stream):
                group.create_task(follow(element))

    async with asyncio.TaskGroup() as group:
        group.create_task(take())
        for chunk in (SAID, SOUND, MORE, OTHER):
            await source.add(chunk)
            for _ in range(5):
                await asyncio.sleep(0)
        assert read == [b"good ", b"sound", b"morning", "Grüße".encode()]
        source.done()


async def test_how_the_source_breaks_the_loop_and_every_element_tell_after_what_came() -> None:
    source = StreamBuilder()
    await source.add(SAID)
    source.abort(OSError("no more paper"))
    elements = Elements(source.stream)
    words = await anext(elements)

    with pytest.raises(StreamFailed, match="no more paper"):
        await anext(elements)
    assert isinstance(words, StreamElement)
    assert await words.read() == b"good "
    for _ in range(2):
        with pytest.raises(StreamFailed, match="no more paper"):
            await words.read()


async def test_an_element_nobody_reads_ends_at_its_limit_and_the_others_go_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    elements = Elements(stream_of([SAID, *[SOUND] * 10, MORE]), limit=Limit(bytes=12))
    with caplog.at_level(logging.WARNING):
        words, sound = await all_of(elements)

    assert "an element of 'audio/opus' fell behind and ends: 2 items of 10 bytes" in caplog.text
    assert isinstance(words, StreamElement)
    assert await words.read_all() == b"good morning"
    assert isinstance(sound, StreamElement)
    assert await sound.read() + await sound.read() == b"soundsound"
    with pytest.raises(OutputLimit):
        await sound.read()


async def test_tool_calls_nobody_takes_end_the_loop_at_the_limit_and_the_words_go_on() -> None:
    elements = Elements(stream_of([SAID, *map(call, range(9)), MORE]), limit=Limit(items=3))
    words = await anext(elements)
    assert isinstance(words, StreamElement)

    assert await words.read_all() == b"good morning"
    assert [await anext(elements) for _ in range(3)]
    with pytest.raises(OutputLimit, match="the limit is 3 items"):
        await anext(elements)


async def test_more_elements_than_the_limit_end_the_whole() -> None:
    source = stream_of([MessageChunk(name=str(number), part=Text("hello")) for number in range(9)])
    elements = Elements(source, limit=Limit(items=3))
    taken = [await anext(elements) for _ in range(3)]

    with pytest.raises(StreamFailed, match="more than 3 elements carry bytes"):
        await anext(elements)
    assert source.state == State(Status.INTERRUPTED)
    assert isinstance(taken[0], StreamElement)
    assert await taken[0].read() == b"hello"


async def test_a_closed_element_leaves_the_others_their_bytes() -> None:
    elements = Elements(stream_of([SAID, SOUND, MORE]), limit=Limit(items=2))
    words = await anext(elements)
    assert isinstance(words, StreamElement)
    words.close()
    sound = await anext(elements)

    assert isinstance(sound, StreamElement)
    assert await sound.read_all() == b"sound"
    with pytest.raises(StreamInterrupted):
        await words.read()


async def test_closing_the_elements_closes_the_source_and_wakes_their_readers() -> None:
    source = StreamBuilder()
    elements = Elements(source.stream)
    await source.add(SAID)
    words = await anext(elements)
    assert isinstance(words, StreamElement)
    await words.read()

    async def is_interrupted(waiting) -> None:
        with pytest.raises(StreamInterrupted):
            await waiting

    async with asyncio.TaskGroup() as group:
        group.create_task(is_interrupted(words.read()))
        group.create_task(is_interrupted(anext(elements)))
        await asyncio.sleep(0)
        with pytest.raises(StreamBusy):
            await words.read()
        await elements.close()
        await elements.close()
    assert not source.is_open


async def test_a_reader_that_is_cancelled_loses_nothing() -> None:
    source = StreamBuilder()
    elements = Elements(source.stream)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await anext(elements)
    await source.add(SAID)
    source.done()

    (words,) = await all_of(elements)
    assert isinstance(words, StreamElement)
    assert await words.read_all() == b"good "


async def test_a_loop_that_is_left_leaves_nothing_running() -> None:
    source = StreamBuilder()
    await source.add(SAID, SOUND)
    async for _ in Elements(source.stream):
        break

    assert source.is_open


async def test_only_the_wanted_elements_come_and_the_others_keep_nothing() -> None:
    elements = Elements(stream_of([SAID, *[SOUND] * 10, OTHER, MORE]), limit=Limit(items=3))
    wanted = [element async for element in elements.where(is_words)]

    assert [await element.read_all() for element in wanted if isinstance(element, StreamElement)] == [
        b"good morning",
        "Grüße".encode(),
    ]


async def test_the_first_wanted_element_is_found_or_none() -> None:
    found = await Elements(stream_of([SOUND, OTHER, SAID])).first_where(is_words)
    assert isinstance(found, StreamElement)
    assert found.name == "ben"

    assert await Elements(stream_of([SOUND, call(1)])).first_where(is_words) is None


async def test_the_bytes_of_one_kind_can_be_written_out() -> None:
    source, written = stream_of([SAID, SOUND, MORE, SOUND]), io.BytesIO()

    assert await Elements(source).write_to("Audio/OPUS", written) == 10
    assert written.getvalue() == b"soundsound"


async def test_nothing_is_written_of_a_kind_that_is_not_there() -> None:
    source, written = stream_of([SAID, call(1)]), io.BytesIO()

    assert await Elements(source).write_to("audio/opus", written) == 0
    assert written.getvalue() == b""
    assert await read_all(source) == []
