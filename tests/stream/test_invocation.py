"""An invocation tells exactly what its reader got, however it is cut short."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest
from doubles.ledger import Ledger

from companion.errors import (
    EndOfStream,
    InactiveResponse,
    OutputLimit,
    ResponseActive,
    RouteError,
    StreamClosed,
    StreamFailed,
    StreamInterrupted,
)
from companion.stream import (
    Blob,
    Invocation,
    MessageChunk,
    PulledStream,
    Response,
    Role,
    Status,
    Stream,
    StreamCtrl,
    Text,
    Usage,
    begin_of_stream,
    end_of_stream,
)
from companion.stream.laws import check_stream

OPUS = Blob("audio/opus", b"...")


def says(text: str) -> MessageChunk:
    return MessageChunk(part=Text(text))


def texts(chunks: list[MessageChunk]) -> list[str]:
    return [chunk.part.text for chunk in chunks if isinstance(chunk.part, Text) and chunk.part.text]


def errors(chunks: list[MessageChunk]) -> list[tuple[str | None, str]]:
    return [(chunk.mime_type, chunk.ctrl.error) for chunk in chunks if chunk.ctrl and chunk.is_end]


async def read(invocation: Invocation, count: int) -> list[MessageChunk]:
    return [await invocation.stream.next() for _ in range(count)]


async def read_all(invocation: Invocation) -> list[MessageChunk]:
    return [chunk async for chunk in invocation.stream]


async def test_its_stream_keeps_the_laws() -> None:
    chunks = [
        begin_of_stream("r"),
        MessageChunk(part=Text("one"), ctrl=StreamCtrl("r")),
        MessageChunk(part=Text("two"), ctrl=StreamCtrl("r")),
        end_of_stream("r", part=Text("")),
        end_of_stream("r"),
    ]

    async def make():
        invocation = Invocation()
        response = invocation.start_response("r")
        invocation.emit(response, *chunks[:3])
        invocation.done()
        return invocation.stream

    await check_stream(make, expect=chunks)


async def test_its_stream_keeps_the_laws_after_an_interruption() -> None:
    async def make():
        invocation = Invocation()
        response = invocation.start_response()
        invocation.emit(response, begin_of_stream(response.stream_id), says("lost"), MessageChunk(part=OPUS))
        invocation.interrupt(response)
        invocation.emit(invocation.start_response(), says("said instead"))
        invocation.done()
        return invocation.stream

    await check_stream(make)


async def test_an_interruption_ends_every_channel_and_only_what_was_pulled_counts_as_heard() -> None:
    ledger = Ledger()
    invocation = Invocation(observer=ledger)
    response = invocation.start_response()
    invocation.emit(response, says("A"), says("B"), MessageChunk(part=OPUS))
    heard = await read(invocation, 1)

    invocation.interrupt(response)

    with pytest.raises(InactiveResponse, match="interrupted"):
        invocation.emit(response, says("late"))
    replacement = invocation.start_response()
    assert replacement.stream_id != response.stream_id
    invocation.done()
    rest = await read_all(invocation)
    assert errors(rest)[:3] == [("audio/opus", "interrupted"), ("text/plain", "interrupted"), (None, "interrupted")]
    assert texts(heard + rest) == ["A"]
    assert texts(ledger.got) == ["A"]
    assert [chunk.part for chunk in ledger.lost] == [Text("B"), OPUS]


async def test_a_channel_whose_end_was_dropped_is_ended_again_and_one_whose_end_was_heard_is_not() -> None:
    invocation = Invocation()
    response = invocation.start_response()
    invocation.emit(response, says("hi"), end_of_stream("", part=Text("")), MessageChunk(part=OPUS))
    await read(invocation, 2)
    invocation.emit(response, end_of_stream("", part=OPUS))

    invocation.interrupt(response)
    invocation.done()

    assert errors(await read_all(invocation)) == [("audio/opus", "interrupted"), (None, "interrupted")]


async def test_a_response_that_was_ended_but_not_heard_out_can_be_interrupted() -> None:
    invocation = Invocation()
    response = invocation.start_response()
    invocation.emit(response, says("a long answer"))
    invocation.end(response)

    assert invocation.interrupt(response, "barged in on")
    invocation.done()

    assert errors(await read_all(invocation)) == [("text/plain", "barged in on"), (None, "barged in on")]


async def test_a_begin_that_was_dropped_is_given_again_empty() -> None:
    invocation = Invocation()
    response = invocation.start_response(role=Role.MODEL, label="speech")
    begin = MessageChunk(part=Text("words"), ctrl=StreamCtrl(begin_of_stream=True))
    invocation.emit(response, begin_of_stream(""), begin)

    invocation.interrupt(response)
    first, second = await read(invocation, 2)

    assert first == begin_of_stream(response.stream_id, role=Role.MODEL, label="speech")
    assert (second.is_begin, second.part) == (True, Text(""))


async def test_a_begin_that_nobody_made_is_not_invented() -> None:
    invocation = Invocation()
    response = invocation.start_response()
    invocation.emit(response, says("hi"))

    invocation.interrupt(response)
    invocation.done()

    assert not any(chunk.is_begin for chunk in await read_all(invocation))


async def test_an_interruption_is_heard_before_what_others_have_queued_and_leaves_that_whole() -> None:
    invocation = Invocation()
    other, response = invocation.start_response("other"), invocation.start_response("r")
    invocation.emit(other, says("one"))
    invocation.emit(response, says("lost"))
    invocation.emit(other, says("two"))

    invocation.interrupt(response)
    invocation.done()

    chunks = await read_all(invocation)
    assert [chunk.stream_id for chunk in chunks] == ["r", "r", "other", "other", "other", "other"]
    assert texts(chunks) == ["one", "two"]


async def test_a_response_can_be_interrupted_once_and_not_after_it_was_heard_out() -> None:
    invocation = Invocation()
    heard_out, cut = invocation.start_response(), invocation.start_response()
    invocation.end(heard_out)
    await read(invocation, 1)

    assert not invocation.interrupt(heard_out)
    assert invocation.interrupt(cut)
    assert not invocation.interrupt(cut)
    assert not invocation.interrupt(Response("foreign"))


async def test_a_waiting_reader_is_woken_by_an_interruption() -> None:
    invocation = Invocation()
    response = invocation.start_response("r")
    async with asyncio.TaskGroup() as group:
        reading = group.create_task(invocation.stream.next())
        await asyncio.sleep(0)
        invocation.interrupt(response)

    assert reading.result() == end_of_stream("r", error="interrupted")


async def test_a_read_that_is_cancelled_delivers_nothing() -> None:
    ledger = Ledger()
    invocation = Invocation(observer=ledger)
    response = invocation.start_response()
    async with asyncio.TaskGroup() as group:
        reading = group.create_task(invocation.stream.next())
        await asyncio.sleep(0)
        invocation.emit(response, says("hi"))
        reading.cancel()

    assert ledger.got == []
    assert texts(await read(invocation, 1)) == texts(ledger.got) == ["hi"]


async def test_cancelling_drops_all_that_is_queued_ends_each_response_and_then_the_stream_and_its_work() -> None:
    ledger, closed = Ledger(), []
    invocation = Invocation(observer=ledger, on_close=lambda: closed.append(True))
    for name in ("a", "b"):
        invocation.emit(invocation.start_response(name), says(name))
    await read(invocation, 1)

    invocation.cancel()

    chunks = await read_all(invocation)
    assert [(chunk.stream_id, chunk.mime_type) for chunk in chunks] == [
        ("a", "text/plain"),
        ("a", None),
        ("b", "text/plain"),
        ("b", None),
    ]
    assert {error for _, error in errors(chunks)} == {"cancelled"}
    assert (texts(ledger.got), texts(ledger.lost)) == (["a"], ["b"])
    assert closed == [True]
    assert invocation.stream.state is not None
    assert invocation.stream.state.status is Status.TRUNCATED


async def test_a_reader_who_leaves_abandons_what_is_queued_and_ends_the_work() -> None:
    ledger, closed = Ledger(), []
    invocation = Invocation(observer=ledger, on_close=lambda: closed.append(True))
    response = invocation.start_response()
    invocation.emit(response, says("A"), says("B"))
    await read(invocation, 1)

    await invocation.stream.close()
    await invocation.stream.close()

    assert (texts(ledger.got), texts(ledger.lost), closed) == (["A"], ["B"], [True])
    with pytest.raises(StreamClosed):
        invocation.emit(response, says("late"))
    invocation.end(response)
    assert not invocation.interrupt(response)
    with pytest.raises(StreamInterrupted):
        await invocation.stream.next()


async def test_a_failure_is_heard_after_what_was_queued_and_ends_what_was_open() -> None:
    invocation = Invocation()
    invocation.emit(invocation.start_response(), says("hi"))

    invocation.fail(OSError("the voice broke"))

    chunks = await read(invocation, 3)
    assert texts(chunks) == ["hi"]
    assert errors(chunks) == [("text/plain", "the voice broke"), (None, "the voice broke")]
    with pytest.raises(StreamFailed, match="the voice broke"):
        await invocation.stream.next()


async def test_output_beyond_its_bound_fails_and_ends_only_that_invocation() -> None:
    ledger, closed = Ledger(), []
    invocation = Invocation(max_bytes=150, observer=ledger, on_close=lambda: closed.append(True))
    bystander = Invocation(max_bytes=150)
    response = invocation.start_response("r")
    invocation.emit(response, says("x" * 100))

    with pytest.raises(OutputLimit, match="stream 'r': more than 65536 items and 150 bytes"):
        invocation.emit(response, says("y" * 100))

    assert (texts(ledger.lost), closed) == (["x" * 100], [True])
    with pytest.raises(StreamFailed) as failed:
        await invocation.stream.next()
    assert isinstance(failed.value.__cause__, OutputLimit)
    bystander.emit(bystander.start_response(), says("still here"))
    assert texts(await read(bystander, 1)) == ["still here"]


async def test_what_has_been_read_makes_room_again() -> None:
    invocation = Invocation(max_bytes=150)
    response = invocation.start_response()
    for _ in range(10):
        invocation.emit(response, says("x" * 100))
        await read(invocation, 1)


async def test_what_an_interruption_drops_makes_room_again() -> None:
    invocation = Invocation(max_bytes=300)
    response = invocation.start_response()
    invocation.emit(response, says("x" * 300))

    invocation.interrupt(response)

    invocation.emit(invocation.start_response(), says("x" * 100))


async def test_responses_without_words_are_bounded_too() -> None:
    invocation = Invocation(max_items=15)

    def answer(times: int) -> None:
        for _ in range(times):
            invocation.end(invocation.start_response())

    answer(15)
    with pytest.raises(OutputLimit):
        answer(3)


async def test_a_stream_id_has_one_response() -> None:
    invocation = Invocation()
    response = invocation.start_response("r")
    with pytest.raises(ResponseActive, match="'r'"):
        invocation.start_response("r")

    invocation.end(response)
    with pytest.raises(RouteError, match="'r' has ended"):
        invocation.start_response("r")
    await read(invocation, 1)
    with pytest.raises(RouteError, match="'r' has ended"):
        invocation.start_response("r")


async def test_a_response_of_another_invocation_is_refused() -> None:
    mine, theirs = Invocation(), Invocation()
    mine.start_response("r")

    foreign = theirs.start_response("r")

    with pytest.raises(InactiveResponse, match="no response of this invocation"):
        mine.emit(foreign, says("hi"))
    with pytest.raises(InactiveResponse, match="no response of this invocation"):
        mine.end(foreign)
    assert foreign.is_active


async def test_nothing_is_emitted_after_the_end() -> None:
    invocation = Invocation()
    response = invocation.start_response("r")
    invocation.emit(response, end_of_stream("r"))

    with pytest.raises(InactiveResponse, match="'r' has ended"):
        invocation.emit(response, says("late"))


async def test_usage_is_known_at_the_end() -> None:
    invocation = Invocation()
    invocation.done(Usage(3, 4))

    with pytest.raises(EndOfStream):
        await invocation.stream.next()
    assert invocation.stream.state is not None
    assert invocation.stream.state.usage == Usage(3, 4)


async def test_nothing_stale_comes_through_eight_stages_after_an_interruption() -> None:
    invocation = Invocation()
    stream: Stream = invocation.stream
    for _ in range(8):
        stream = passed_on(stream)
    response = invocation.start_response()
    invocation.emit(response, *[says(str(number)) for number in range(1000)])
    await stream.next()

    invocation.interrupt(response)
    invocation.done()

    assert errors([chunk async for chunk in stream]) == [("text/plain", "interrupted"), (None, "interrupted")]


def passed_on(source: Stream) -> Stream:
    async def chunks() -> AsyncGenerator[MessageChunk, None]:
        async for chunk in source:
            yield chunk

    return PulledStream(chunks(), source)
