"""What every synthesiser does with a stream: captions, sound, ends, one piece ahead and no more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from companion.errors import ModelDied, RouteError, StreamFailed
from companion.providers.spoken import slices, spoken_stream
from companion.stream import (
    Blob,
    FuncCall,
    MessageChunk,
    Role,
    Status,
    Stream,
    StreamBuilder,
    StreamCtrl,
    Text,
    ToolCall,
    begin_of_stream,
    end_of_stream,
    pcm,
    stream_of,
)


class Voice:
    """Says a piece as its letters, one a slice."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ended: list[str] = []
        self.rates = {"en": 16_000, "de": 22_050}

    async def speak(self, text: Text) -> AsyncGenerator[Blob, None]:
        self.begun.append(text.text)
        try:
            for letter in text.spoken or text.text:
                await asyncio.sleep(0)
                if letter == "!":
                    raise OSError("hoarse")
                yield pcm(letter.encode() * 2, self.rates[text.language or "en"])
        finally:
            self.ended.append(text.text)


def piece(text: str, *, language: str = "en", spoken: str = "", route: str = "r") -> MessageChunk:
    return MessageChunk(
        role=Role.MODEL, part=Text(text, language, spoken=spoken), ctrl=StreamCtrl(route, label="reply")
    )


def reply(*texts: str, route: str = "r") -> list[MessageChunk]:
    return [
        begin_of_stream(route, role=Role.MODEL, label="reply"),
        *[piece(text, route=route) for text in texts],
        end_of_stream(route, role=Role.MODEL, label="reply", part=Text("")),
        end_of_stream(route, role=Role.MODEL, label="reply"),
    ]


async def heard(stream: Stream) -> list[str]:
    return [shown(chunk) async for chunk in stream]


def shown(chunk: MessageChunk) -> str:
    mark = "begin" if chunk.is_begin else "end" if chunk.is_end else ""
    match chunk.part:
        case Text(text):
            return f"{mark} text".strip() if mark else text
        case Blob(mime_type, data):
            sound = data[:1].decode() or mime_type.rpartition("=")[2]
            return f"{mark} {sound}".strip()
        case None:
            return f"{mark} {chunk.stream_id}"


async def settle() -> None:
    for _ in range(200):
        await asyncio.sleep(0)


async def test_each_piece_is_its_caption_then_its_sound_and_sound_ends_before_the_route() -> None:
    stream = spoken_stream(stream_of(reply("ab", "cd")), Voice().speak)
    assert await heard(stream) == [
        "begin r", "ab", "begin a", "b", "cd", "c", "d", "end 16000", "end text", "end r",
    ]  # fmt: skip
    assert stream.state is not None
    assert stream.state.status is Status.DONE


async def test_sound_carries_the_marks_of_its_caption_from_its_one_begin_to_its_one_end() -> None:
    caption = MessageChunk(Role.TOOL, "nabu", Text("ab", "en"), ctrl=StreamCtrl("r", label="reply"))
    chunks = [chunk async for chunk in spoken_stream(stream_of([caption]), Voice().speak)]
    sound = [chunk for chunk in chunks if isinstance(chunk.part, Blob)]
    assert [(chunk.role, chunk.name, chunk.ctrl) for chunk in sound] == [
        (Role.TOOL, "nabu", StreamCtrl("r", label="reply", begin_of_stream=True)),
        (Role.TOOL, "nabu", StreamCtrl("r", label="reply")),
        (Role.TOOL, "nabu", StreamCtrl("r", label="reply", end_of_stream=True)),
    ]


async def test_text_without_a_stream_id_gets_a_fresh_one_for_itself_and_its_sound() -> None:
    end = MessageChunk(part=Text(""), ctrl=StreamCtrl(end_of_stream=True))
    unnamed = [MessageChunk(part=Text("ab", "en")), end, MessageChunk(part=Text("c", "en")), end]
    chunks = [chunk async for chunk in spoken_stream(stream_of(unnamed), Voice().speak)]
    routes = list(dict.fromkeys(chunk.stream_id for chunk in chunks))
    assert len(routes) == 2
    assert all(routes)
    of_first = [shown(chunk) for chunk in chunks if chunk.stream_id == routes[0]]
    assert of_first == ["ab", "begin a", "b", "end 16000", "end text", f"end {routes[0]}"]


async def test_an_end_with_an_error_ends_the_sound_with_it() -> None:
    source = [piece("a"), end_of_stream("r", role=Role.MODEL, error="interrupted")]
    chunks = [chunk async for chunk in spoken_stream(stream_of(source), Voice().speak)]
    assert [(shown(chunk), chunk.ctrl and chunk.ctrl.error) for chunk in chunks if chunk.is_end] == [
        ("end 16000", "interrupted"),
        ("end r", "interrupted"),
    ]


async def test_what_is_no_text_passes_where_it_was() -> None:
    picture = MessageChunk(part=Blob("image/png", b"x"), ctrl=StreamCtrl("r"))
    call = MessageChunk(tool_call=ToolCall("1", FuncCall("f", "{}")), ctrl=StreamCtrl("r"))
    chunks = [chunk async for chunk in spoken_stream(stream_of([piece("a"), picture, call]), Voice().speak)]
    assert chunks[2:4] == [picture, call]


async def test_text_after_the_end_of_its_text_is_an_error_of_its_route() -> None:
    stream = spoken_stream(stream_of([*reply("a")[:-1], piece("b")]), Voice().speak)
    with pytest.raises(StreamFailed, match="'r': text after the end") as failure:
        await heard(stream)
    assert isinstance(failure.value.__cause__, RouteError)


async def test_what_is_said_is_the_spoken_form_and_what_is_shown_the_written() -> None:
    stream = spoken_stream(stream_of([piece("2", spoken="two")]), Voice().speak)
    assert (await heard(stream))[:4] == ["2", "begin t", "w", "o"]


async def test_a_silent_piece_passes_without_sound() -> None:
    voice = Voice()
    stream = spoken_stream(stream_of([piece("```code```", spoken=" ")]), voice.speak)
    assert await heard(stream) == ["```code```", "end r"]
    assert voice.begun == []


async def test_two_languages_end_two_channels() -> None:
    pieces = [piece("a"), piece("b", language="de"), piece("c")]
    ends = (await heard(spoken_stream(stream_of(pieces), Voice().speak)))[-3:]
    assert ends == ["end 16000", "end 22050", "end r"]


async def test_it_works_one_piece_ahead_of_its_reader_and_no_more() -> None:
    voice = Voice()
    stream = spoken_stream(stream_of(reply("ab", "cd", "ef")), voice.speak)
    assert voice.begun == []

    await stream.next()
    await settle()
    assert voice.begun == ["ab"]
    await stream.next()
    await settle()
    assert voice.begun == ["ab", "cd"]
    await stream.next()
    await stream.next()
    await settle()
    assert voice.begun == ["ab", "cd"]
    await stream.next()
    await settle()
    assert voice.begun == ["ab", "cd", "ef"]
    await stream.close()


async def test_sound_comes_before_the_piece_is_whole() -> None:
    builder = StreamBuilder()
    stream = spoken_stream(builder.stream, Voice().speak)
    await builder.add(piece("ab"))
    assert [shown(await asyncio.wait_for(stream.next(), 5)) for _ in range(3)] == ["ab", "begin a", "b"]
    await stream.close()


async def test_a_voice_that_fails_is_told_after_what_it_said() -> None:
    stream = spoken_stream(stream_of(reply("a!", "b")), Voice().speak)
    told = [await stream.next() for _ in range(5)]
    assert [shown(chunk) for chunk in told] == ["begin r", "a!", "begin a", "end 16000", "end r"]
    assert [chunk.ctrl and chunk.ctrl.error for chunk in told[2:]] == ["", "hoarse", "hoarse"]
    with pytest.raises(StreamFailed, match="hoarse"):
        await stream.next()


@pytest.mark.parametrize("cause", [ModelDied("out of breath", retryable=True), TimeoutError("out of breath")])
async def test_whether_it_is_worth_another_try_is_told_even_by_a_voice_behind_a_voice(cause: Exception) -> None:
    async def speak(text: Text) -> AsyncGenerator[Blob, None]:
        for blob in slices(b"aa", 16_000):
            yield blob
            raise StreamFailed("behind") from cause

    stream = spoken_stream(stream_of([piece("a")]), speak)
    told = [await stream.next() for _ in range(4)]
    assert [(chunk.ctrl.error, chunk.ctrl.error_retryable) for chunk in told[2:] if chunk.ctrl] == [
        ("out of breath", True),
        ("out of breath", True),
    ]
    await stream.close()


async def test_closing_ends_the_voice_in_the_middle() -> None:
    voice = Voice()
    source = stream_of(reply("abcdef"))
    stream = spoken_stream(source, voice.speak)
    for _ in range(3):
        await stream.next()
    await stream.close()
    assert voice.ended == ["abcdef"]
    assert source.state is not None


async def test_a_source_that_breaks_is_told_and_ends_what_was_begun_here() -> None:
    builder = StreamBuilder()
    await builder.add(piece("a"))
    builder.abort(OSError("the model died"))
    stream = spoken_stream(builder.stream, Voice().speak)
    told = [await stream.next() for _ in range(3)]
    assert [(shown(chunk), chunk.ctrl and chunk.ctrl.error) for chunk in told[2:]] == [("end 16000", "the model died")]
    with pytest.raises(StreamFailed, match="the model died"):
        await stream.next()


async def test_a_route_that_nobody_ended_is_ended() -> None:
    assert await heard(spoken_stream(stream_of([piece("a")]), Voice().speak)) == ["a", "begin a", "end 16000", "end r"]


async def test_a_truncated_reply_stays_truncated() -> None:
    builder = StreamBuilder()
    await builder.add(*reply("a"))
    builder.truncated()
    stream = spoken_stream(builder.stream, Voice().speak)
    await heard(stream)
    assert stream.state is not None
    assert stream.state.status is Status.TRUNCATED


def test_slices_are_tenths_of_a_second_and_lose_nothing() -> None:
    sound = bytes(range(250)) * 40
    parts = list(slices(sound, 22_050))
    assert {len(part.data) for part in parts[:-1]} == {4410}
    assert b"".join(part.data for part in parts) == sound
