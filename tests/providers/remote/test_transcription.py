"""Speech to text by a provider: what is sent, what comes of it, and each way in which it can go wrong."""

from __future__ import annotations

import asyncio
import io
import math
import struct
import wave
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from email.parser import BytesParser
from email.policy import HTTP

import pytest
from doubles.provider_server import Asked, Ending, ProviderServer, Reply

from companion.dialects import choose_dialect
from companion.dialects.contract import WireCall
from companion.errors import (
    MissingKey,
    ModelError,
    Refused,
    StreamFailed,
    StreamInterrupted,
    Throttled,
    Unsupported,
    WireBroken,
)
from companion.model import Kind
from companion.providers.remote.endpoint import Door, Endpoint
from companion.providers.remote.exchange import Deadlines
from companion.providers.remote.http import Http
from companion.providers.remote.provider_link import ProviderLink
from companion.providers.remote.sent import Sent
from companion.providers.remote.transcription import RemoteRecogniser, is_audible
from companion.stream import MessageChunk, Role, StreamCtrl, Text, begin_of_stream, end_of_stream, pcm, stream_of
from companion.stream.wav import wav

KEY = "a-key-that-is-none"
TONE = struct.pack("<3200h", *(int(8000 * math.sin(place / 5)) for place in range(3200)))
SAID = Reply.json({"text": " Turn on the light. "})


@asynccontextmanager
async def recogniser(
    server: ProviderServer,
    *,
    key: Callable[[], str] = lambda: KEY,
    watch: Callable[[Sent], None] | None = None,
    path: str = "/v1",
    **others: object,
) -> AsyncIterator[RemoteRecogniser]:
    http = Http()
    endpoint = Endpoint("here", "Here", (Door("openai-completions", server.url + path),), is_local=True)
    line = ProviderLink(endpoint, http, key, Deadlines(connect=5, first=5, silence=5, total=10), watch)
    try:
        yield RemoteRecogniser(line, "hears", **others)  # type: ignore[arg-type]
    finally:
        await http.close()


def spoken(sound: bytes = TONE, *, error: str = "") -> list[MessageChunk]:
    marks = StreamCtrl("s", label="mic")
    return [
        begin_of_stream("s", role=Role.USER, label="mic"),
        MessageChunk(Role.USER, "ada", pcm(sound, 16_000), ctrl=marks),
        end_of_stream("s", role=Role.USER, label="mic", part=pcm(b"", 16_000)),
        end_of_stream("s", role=Role.USER, label="mic", error=error),
    ]


@pytest.mark.parametrize("path", ["", "/", "/v1/", "/v1/audio/transcriptions"])
async def test_an_address_is_completed(path: str) -> None:
    async with ProviderServer([SAID]) as server, recogniser(server, path=path) as model:
        await model.hear(TONE)
    assert server.asked[0].path == "/v1/audio/transcriptions"


def form_of(asked: Asked) -> dict[str, object]:
    """The fields of a form, as Python's own reader of messages takes it apart."""
    head = f"Content-Type: {asked.headers['content-type']}\r\n\r\n".encode()
    message = BytesParser(policy=HTTP).parsebytes(head + asked.body)
    parts = {part.get_param("name", header="content-disposition"): part for part in message.iter_parts()}
    fields = {str(name): part.get_payload(decode=True) for name, part in parts.items()}
    return {"filename": parts["file"].get_filename(), "kind": parts["file"].get_content_type(), **fields}


async def test_the_sound_of_a_route_becomes_its_words() -> None:
    told: list[Sent] = []
    async with ProviderServer([SAID]) as server, recogniser(server, language="en-GB", watch=told.append) as model:
        chunks = [chunk async for chunk in await model.transform(stream_of(spoken()))]

    marks = StreamCtrl("s", label="mic")
    assert chunks[1] == MessageChunk(Role.USER, "ada", Text("Turn on the light.", "en-GB"), ctrl=marks)
    assert [chunk.is_end for chunk in chunks] == [False, False, True, True]
    (asked,) = server.asked
    form = form_of(asked)
    assert (asked.method, asked.path) == ("POST", "/v1/audio/transcriptions")
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert (form["model"], form["language"], form["response_format"]) == (b"hears", b"en", b"json")
    assert (form["filename"], form["kind"]) == ("speech.wav", "audio/wav")
    with wave.open(io.BytesIO(form["file"]), "rb") as file:  # type: ignore[arg-type]
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (16_000, 1, 2)
        assert file.readframes(file.getnframes()) == TONE
    assert told == [Sent("here", asked.headers["host"], len(asked.body), frozenset({Kind.AUDIO}), is_local=True)]


async def test_what_a_provider_tells_of_language_and_confidence_is_kept() -> None:
    answers = [
        {"text": "Oui.", "language": "fr", "segments": [{"avg_logprob": -0.1}, {"avg_logprob": -0.3}]},
        {"text": "Yes.", "language": "english", "logprobs": [{"token": "Yes", "logprob": -0.5}]},
        {"text": "", "logprobs": []},
    ]
    replies = [Reply.json(answer) for answer in answers]
    async with ProviderServer(replies) as server, recogniser(server, is_detailed=True, prompt="Nabu") as model:
        french, english, nothing = [await model.hear(TONE) for _ in answers]

    assert (french.language, round(french.confidence or 0, 3)) == ("fr", 0.819)
    assert (english.language, round(english.confidence or 0, 3)) == ("", 0.607)
    assert nothing == Text("")
    assert form_of(server.asked[0])["response_format"] == b"verbose_json"
    assert form_of(server.asked[0])["prompt"] == b"Nabu"
    assert "language" not in form_of(server.asked[0])


@pytest.mark.parametrize(
    ("odds", "confidence"),
    [
        ("[{}]", None),
        ('[{"logprob": 1e4}]', None),
        ('[{"logprob": NaN}, {"logprob": -0.5}]', math.exp(-0.5)),
        ('[{"logprob": -1e999}]', 0.0),
        ('[{"logprob": -1%s}]' % ("0" * 400), 0.0),
        ('[{"logprob": 1%s}]' % ("0" * 400), None),
    ],
)
async def test_odds_that_are_none_do_not_break_what_was_heard(odds: str, confidence: float | None) -> None:
    body = f'{{"text": "Yes.", "logprobs": {odds}}}'.encode()
    reply = Reply((body,), content_type="application/json")
    async with ProviderServer([reply]) as server, recogniser(server) as model:
        heard = await model.hear(TONE)
    assert heard.text == "Yes."
    assert heard.confidence == (None if confidence is None else pytest.approx(confidence, abs=1e-6))


async def test_half_a_letter_becomes_a_replacement() -> None:
    answer = {"text": "Yes \ud800.", "language": "e\ud800"}
    async with ProviderServer([Reply.json(answer)]) as server, recogniser(server) as model:
        assert await model.hear(TONE) == Text("Yes \ufffd.", "e\ufffd")


async def test_whatever_a_reader_trips_over_is_the_fault_of_the_provider() -> None:
    def read(answer: object) -> float:
        return 1 / len(answer)  # type: ignore[arg-type]

    async with ProviderServer([Reply.json({}), Reply.json(5)]) as server:
        http = Http()
        endpoint = Endpoint("here", "Here", (Door("openai-completions", f"{server.url}/v1"),), is_local=True)
        line = ProviderLink(endpoint, http, lambda: "")
        call = WireCall.of_json(f"{server.url}/v1", {}, {})
        for _ in range(2):
            with pytest.raises(WireBroken, match="cannot be read"):
                await line.ask(call, choose_dialect(standard="openai-completions"), read)
        await http.close()


@pytest.mark.parametrize("sound", [b"", bytes(32_000), struct.pack("<2h", 20, -20)])
async def test_silence_does_not_leave_the_house(sound: bytes) -> None:
    async with ProviderServer([SAID]) as server, recogniser(server, language="en") as model:
        chunks = [chunk async for chunk in await model.transform(stream_of(spoken(sound)))]

    assert [chunk.part for chunk in chunks if chunk.part] == [Text("", "en"), Text("")]
    assert server.asked == []


async def test_whether_somebody_spoke_can_be_judged_by_another() -> None:
    async with ProviderServer([SAID]) as server, recogniser(server, has_voice=lambda sound: False) as model:
        assert await model.hear(TONE) == Text("")
    assert server.asked == []
    assert is_audible(TONE)


async def test_a_route_that_ended_by_an_error_is_not_sent() -> None:
    async with ProviderServer([SAID]) as server, recogniser(server) as model:
        chunks = [chunk async for chunk in await model.transform(stream_of(spoken(error="the microphone is gone")))]

    assert [chunk.part for chunk in chunks if isinstance(chunk.part, Text)] == []
    assert server.asked == []


async def test_without_a_key_nothing_is_sent() -> None:
    def none() -> str:
        raise MissingKey("there is no key for Here", mend="set HERE_KEY")

    async with ProviderServer([SAID]) as server, recogniser(server, key=none) as model:
        with pytest.raises(MissingKey):
            await model.hear(TONE)
    assert server.asked == []


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply.json({"error": {"message": f"no such key: {KEY}"}}, 401), Refused),
        (Reply.json({"error": {"message": "slower"}}, 429), Throttled),
        (Reply.json({"words": "?"}), WireBroken),
        (Reply((b"no json",), content_type="application/json"), WireBroken),
    ],
)
async def test_a_failure_ends_the_route_with_its_words_and_then_the_stream(
    reply: Reply, error: type[ModelError]
) -> None:
    async with ProviderServer([reply]) as server, recogniser(server) as model:
        stream = await model.transform(stream_of(spoken()))
        _, end = await stream.next(), await stream.next()
        with pytest.raises(StreamFailed) as caught:
            await stream.next()

    cause = caught.value.__cause__
    assert isinstance(cause, error)
    assert end.is_end
    assert end.ctrl is not None
    assert (end.ctrl.error, end.ctrl.error_retryable) == (str(cause), cause.retryable)
    assert KEY not in str(cause)


async def test_closing_the_stream_leaves_the_provider() -> None:
    silent = Reply(ending=Ending.STALL, has_head=False)
    async with ProviderServer([silent]) as server, recogniser(server) as model:
        stream = await model.transform(stream_of(spoken()))
        await stream.next()
        async with asyncio.TaskGroup() as tasks:
            waiting = tasks.create_task(_end_of(stream.next()))
            await server.until(lambda told: len(told.asked) == 1)
            await stream.close()
        assert isinstance(waiting.result(), StreamInterrupted)
        await server.until(lambda told: told.cut_off == 1)


async def _end_of(waiting: object) -> Exception | None:
    try:
        await waiting  # type: ignore[misc]
    except Exception as error:  # noqa: BLE001
        return error
    return None


async def test_too_much_sound_is_refused_before_it_is_sent() -> None:
    async with ProviderServer([SAID]) as server, recogniser(server) as model:
        with pytest.raises(Unsupported):
            await model.hear(bytes(61 * 32_000))
    assert server.asked == []


def test_a_wav_file_has_its_rate() -> None:
    with wave.open(io.BytesIO(wav(TONE, 24_000)), "rb") as file:
        assert file.getframerate() == 24_000
