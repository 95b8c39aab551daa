"""The text of a reply, read, left and read on."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from companion.errors import StreamFailed
from companion.stream import MessageChunk, PulledStream, Role, Stream, StreamBuilder, StreamCtrl, Text, stream_of
from companion.stream.tasks import Tasks
from companion.voice.script import Script


def token(text: str) -> MessageChunk:
    return MessageChunk(role=Role.MODEL, part=Text(text), ctrl=StreamCtrl("answer"))


async def read(stream: Stream) -> str:
    return "".join([chunk.part.text async for chunk in stream if isinstance(chunk.part, Text)])


async def test_it_is_read_as_it_is_written() -> None:
    script = Script(stream_of([token("Hello "), token("there.")]), "en", on_first_words=lambda: None)
    tasks = Tasks()
    tasks.start(script.write(), name="write")
    assert await read(script.read()) == "Hello there."
    assert script.written == "Hello there."
    assert await read(script.read(6)) == "there."
    await tasks.close()


async def test_a_piece_that_says_how_it_is_spoken_keeps_that() -> None:
    piece = MessageChunk(role=Role.MODEL, part=Text("At 14:30.", spoken="At half past two."), ctrl=StreamCtrl("answer"))
    script = Script(stream_of([piece]), "en", on_first_words=lambda: None)
    tasks = Tasks()
    tasks.start(script.write(), name="write")
    parts = [chunk.part async for chunk in script.read()]
    assert Text("At 14:30.", "en", spoken="At half past two.") in parts
    await tasks.close()


async def test_a_reader_who_leaves_loses_nothing_and_the_writer_waits_for_him() -> None:
    writer = StreamBuilder(1)
    script = Script(writer.stream, "en", on_first_words=lambda: None)
    tasks = Tasks()
    tasks.start(script.write(), name="write")
    first = script.read()
    await writer.add(token("one "))
    assert (await first.next()).is_begin
    assert (await first.next()).part == Text("one ", "en")
    await first.close()
    await writer.add(token("two "), token("three "))
    assert not script.is_finished
    again = script.read(4)
    tasks.start(_write_rest(writer), name="rest")
    assert await read(again) == "two three four"
    await tasks.close()


async def _write_rest(writer: StreamBuilder) -> None:
    await writer.add(token("four"))
    writer.done()


async def test_a_writer_that_breaks_ends_the_text_normally_and_says_why() -> None:
    async def tokens() -> AsyncGenerator[MessageChunk, None]:
        yield token("Well, ")
        raise RuntimeError("out of memory")

    told: list[str] = []
    script = Script(PulledStream(tokens()), "en", on_first_words=lambda: told.append("words"))
    tasks = Tasks()
    tasks.start(script.write(), name="write")
    assert await read(script.read()) == "Well, "
    assert isinstance(script.failure, StreamFailed)
    assert told == ["words"]
    await tasks.close()
