"""Text to speech by a provider: what is sent, that sound comes as it arrives, and each way in which it can go wrong."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from doubles.provider_server import Ending, ProviderServer, Reply

from companion.errors import ModelMissing, Refused, StreamFailed, Unreachable, WireBroken
from companion.model import Kind
from companion.providers.remote.endpoint import Door, Endpoint
from companion.providers.remote.exchange import Deadlines
from companion.providers.remote.http import Http
from companion.providers.remote.provider_link import ProviderLink
from companion.providers.remote.sent import Sent
from companion.providers.remote.speech import RemoteSynthesiser
from companion.stream import Blob, MessageChunk, Role, StreamCtrl, Text, begin_of_stream, end_of_stream, stream_of
from companion.stream.wav import wav

SOUND = bytes(range(250)) * 48
"""A quarter of a second."""
VOICES = {"en": "alloy", "de": "coral", "pt-BR": "sage"}


def sound(*pieces: bytes | asyncio.Event, kind: str = "audio/pcm", ending: Ending = Ending.WELL) -> Reply:
    return Reply(pieces, content_type=kind, ending=ending)


@asynccontextmanager
async def synthesiser(
    server: ProviderServer, *, told: list[Sent] | None = None, path: str = "/v1/", **others: object
) -> AsyncIterator[RemoteSynthesiser]:
    http = Http()
    endpoint = Endpoint("here", "Here", (Door("openai-completions", server.url + path),))
    watch = told.append if told is not None else None
    line = ProviderLink(endpoint, http, lambda: "", Deadlines(connect=5, first=5, silence=5, total=10), watch)
    try:
        yield RemoteSynthesiser(line, "speaks", VOICES, **others)  # type: ignore[arg-type]
    finally:
        await http.close()


async def said(model: RemoteSynthesiser, text: Text) -> list[Blob]:
    return [blob async for blob in model.speak(text)]


@pytest.mark.parametrize("path", ["", "/v1"])
async def test_an_address_is_completed(path: str) -> None:
    async with ProviderServer([sound(SOUND)]) as server, synthesiser(server, path=path) as model:
        await said(model, Text("Good day."))
    assert server.asked[0].path == "/v1/audio/speech"


def reply(*texts: str) -> list[MessageChunk]:
    return [
        begin_of_stream("r", role=Role.MODEL),
        *[MessageChunk(Role.MODEL, part=Text(text, "en"), ctrl=StreamCtrl("r")) for text in texts],
        end_of_stream("r", role=Role.MODEL, part=Text("")),
        end_of_stream("r", role=Role.MODEL),
    ]


async def test_a_piece_is_its_caption_and_then_its_sound() -> None:
    told: list[Sent] = []
    async with ProviderServer([sound(SOUND)]) as server, synthesiser(server, told=told) as model:
        chunks = [chunk async for chunk in await model.transform(stream_of(reply("Good day.")))]

    assert chunks[1].part == Text("Good day.", "en")
    blobs = [chunk.part for chunk in chunks if isinstance(chunk.part, Blob)]
    assert {blob.mime_type for blob in blobs} == {"audio/pcm; channels=1; rate=24000"}
    assert [len(blob.data) for blob in blobs] == [4800, 4800, 2400, 0]
    assert b"".join(blob.data for blob in blobs) == SOUND
    (asked,) = server.asked
    assert (asked.method, asked.path) == ("POST", "/v1/audio/speech")
    assert asked.json == {"model": "speaks", "input": "Good day.", "voice": "alloy", "response_format": "pcm"}
    assert told == [Sent("here", asked.headers["host"], len(asked.body), frozenset({Kind.TEXT}), is_local=False)]


async def test_sound_comes_as_it_arrives() -> None:
    more = asyncio.Event()
    async with ProviderServer([sound(SOUND[:5000], more, SOUND[5000:])]) as server, synthesiser(server) as model:
        speech = model.speak(Text("Good day."))
        first = await anext(speech)
        assert first.data == SOUND[:4800]
        more.set()
        assert first.data + b"".join([blob.data async for blob in speech]) == SOUND


@pytest.mark.parametrize("size", [1, 7, 4801])
async def test_where_the_line_cuts_makes_no_difference(size: int) -> None:
    for whole, rate in ((SOUND, 24_000), (wav(SOUND, 16_000), 16_000)):
        pieces = [whole[place : place + size] for place in range(0, len(whole), size)]
        async with ProviderServer([sound(*pieces)]) as server, synthesiser(server) as model:
            blobs = await said(model, Text("Good day."))
        assert b"".join(blob.data for blob in blobs) == SOUND
        assert {blob.mime_type for blob in blobs} == {f"audio/pcm; channels=1; rate={rate}"}


PIECES = (Text("a"), Text("b", "en-GB"), Text("c", "pt_PT"), Text("d", "pt-br"), Text("2", "ja", spoken="ni"))


async def test_each_language_has_its_voice_and_each_voice_its_manner() -> None:
    manner = {"language": "de", "speed": 1.5, "instructions": "Softly."}
    async with ProviderServer([sound(SOUND)]) as server, synthesiser(server, **manner) as model:
        for text in PIECES:
            await said(model, text)

    assert [asked.json["voice"] for asked in server.asked] == ["coral", "alloy", "sage", "sage", "alloy"]
    assert server.asked[-1].json["input"] == "ni"
    assert (server.asked[0].json["speed"], server.asked[0].json["instructions"]) == (1.5, "Softly.")


async def test_half_a_sample_is_left_out() -> None:
    async with ProviderServer([sound(SOUND + b"x")]) as server, synthesiser(server) as model:
        assert b"".join(blob.data for blob in await said(model, Text("a"))) == SOUND


def wav_head(*, rate: int = 24_000, channels: int = 1) -> bytes:
    """A WAV file as nobody would write it, with some sound."""
    form = struct.pack("<HHIIHH", 1, channels, rate, 0, 2 * channels % 65_536, 16)
    return b"RIFF\0\0\0\0WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + bytes(4) + SOUND


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (Reply.json({"error": {"message": "there is no such voice"}}, 400), Refused),
        (sound(), WireBroken),
        (sound(b"RIFF\0\0\0\0WAVEfmt "), WireBroken),
        (sound(wav(SOUND, 16_000)[:20] + b"\3\0" + wav(SOUND, 16_000)[22:]), WireBroken),
        (sound(b"RIFF\0\0\0\0WAVE" + b"junk\xff\xff\0\0" + bytes(5000)), WireBroken),
        (sound(wav_head(rate=5)), WireBroken),
        (sound(wav_head(rate=4_000_000_000)), WireBroken),
        (sound(wav_head(channels=0)), WireBroken),
        (sound(wav_head(channels=65_535)), WireBroken),
        (sound(SOUND[:100], ending=Ending.CUT), Unreachable),
    ],
)
async def test_a_failure_is_told(answer: Reply, error: type[Exception]) -> None:
    async with ProviderServer([answer]) as server, synthesiser(server) as model:
        with pytest.raises(StreamFailed) as caught:
            [chunk async for chunk in await model.transform(stream_of(reply("Good day.")))]
    assert isinstance(caught.value.__cause__, error)


async def test_closing_leaves_the_provider_in_the_middle() -> None:
    endless = sound(SOUND, ending=Ending.STALL)
    async with ProviderServer([endless]) as server, synthesiser(server) as model:
        stream = await model.transform(stream_of(reply("Good day.")))
        for _ in range(3):
            await stream.next()
        await stream.close()
        await server.until(lambda told: told.cut_off == 1)


async def test_a_synthesiser_has_a_voice() -> None:
    async with ProviderServer([]) as server, synthesiser(server) as model:
        with pytest.raises(ModelMissing):
            RemoteSynthesiser(model._line, "speaks", {})
