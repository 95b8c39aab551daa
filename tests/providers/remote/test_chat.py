"""A chat model over HTTP: what it sends, what it reads, and what a provider may answer instead."""

from __future__ import annotations

import asyncio
import logging

import pytest
from doubles.plain_chat import HELLO, KEY, all_of, asked, chat, words
from doubles.provider_server import Ending, ProviderServer, Reply
from doubles.trickle import read_all

from companion.dialects import Framing
from companion.errors import (
    MissingKey,
    ModelError,
    ProviderFailed,
    Refused,
    StreamFailed,
    Throttled,
    Unreachable,
    Unsupported,
    WireBroken,
)
from companion.model import (
    ChatBackend,
    ChatRequest,
    ChatRole,
    Contents,
    Generator,
    Kind,
    Message,
    ModelContext,
    Status,
    image,
)
from companion.model.chat import ChatModel
from companion.model.deltas import Counted, Finish, Finished, TextDelta
from companion.providers.remote.endpoint import Door, KeyHeader
from companion.providers.remote.sent import Sent
from companion.stream import Text, Usage


async def test_an_answer_is_streamed_with_its_counts() -> None:
    async with ProviderServer([HELLO]) as server, chat(server.url, key=lambda: KEY) as model:
        stream = await model.generate_stream(asked())
        chunks = await read_all(stream)

    assert "".join(chunk.part.text for chunk in chunks if isinstance(chunk.part, Text)) == "Hello"
    assert stream.state is not None
    assert (stream.state.status, stream.state.usage) == (Status.DONE, Usage(7, 2))
    (request,) = server.asked
    assert (request.method, request.path) == ("POST", "/plain")
    assert request.json == {"model": "small", "words": ["Say hello."], "stream": True}
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["plain-version"] == "1"
    assert (request.headers["content-type"], request.headers["accept"]) == ("application/json", "text/event-stream")


async def test_an_answer_can_come_whole() -> None:
    whole = Reply.json([{"say": "Hello"}, {"count": [7, 2]}, {"end": "length"}])
    async with ProviderServer([whole]) as server, chat(server.url) as model:
        deltas = await all_of(await model.ask(ChatRequest(asked(), is_streamed=False)))

    assert deltas == [TextDelta("Hello"), Counted(Usage(7, 2)), Finished(Finish.LENGTH)]
    assert server.asked[0].json["stream"] is False


async def test_an_answer_that_comes_in_pieces_where_it_was_asked_for_as_a_whole_is_read() -> None:
    async with ProviderServer([HELLO]) as server, chat(server.url) as model:
        deltas = await all_of(await model.ask(ChatRequest(asked(), is_streamed=False)))
        response = await ChatModel(model).generate("Say hello.")

    assert [delta.text for delta in deltas if isinstance(delta, TextDelta)] == ["Hel", "lo"]
    assert response.text == "Hello"


async def test_an_answer_that_comes_whole_where_pieces_were_asked_for_is_read() -> None:
    async with ProviderServer([Reply.json([{"say": "Hello"}, {"end": "stop"}])]) as server, chat(server.url) as model:
        assert await words(model) == "Hello"


async def test_an_answer_comes_by_lines_where_the_dialect_says_so() -> None:
    lines = Reply((b'{"say": "Hel"}\n{"sa', b'y": "lo"}\n{"end": "stop"}\n'), content_type="application/json")
    async with ProviderServer([lines]) as server, chat(server.url, framing=Framing.NDJSON) as model:
        assert await words(model) == "Hello"


async def test_each_piece_is_given_on_as_it_comes() -> None:
    gate = asyncio.Event()
    pieces = [HELLO.pieces[0], gate, *HELLO.pieces[1:]]
    async with ProviderServer([Reply(pieces)]) as server, chat(server.url) as model:
        source = await model.ask(ChatRequest(asked()))
        assert await source.next() == TextDelta("Hel")
        gate.set()
        assert await source.next() == TextDelta("lo")
        await source.close()


async def test_it_is_a_backend_and_a_generator_and_says_who_it_is() -> None:
    async with chat("http://127.0.0.1:9") as model:
        backend: ChatBackend = model
        assert isinstance(model, Generator)
        assert (backend.name, model.is_local) == ("plain/small", True)


async def test_another_model_can_be_asked_for() -> None:
    async with ProviderServer([HELLO]) as server, chat(server.url) as model:
        await read_all(await model.generate_stream(asked(), model="large"))

    assert server.asked[0].json["model"] == "large"


async def test_a_body_is_fitted_to_the_endpoint() -> None:
    async with ProviderServer([HELLO]) as server:
        door = Door("plain", server.url, KeyHeader.X_API_KEY, renames={"limit": "longest"}, drops=frozenset({"stream"}))
        async with chat(server.url, door=door, key=lambda: KEY) as model:
            await words(model, asked(most=5))

    assert server.asked[0].json == {"model": "small", "words": ["Say hello."], "longest": 5}
    assert server.asked[0].headers["x-api-key"] == KEY
    assert "authorization" not in server.asked[0].headers


async def test_what_is_not_served_is_not_sent() -> None:
    async with (
        ProviderServer([HELLO]) as server,
        chat(server.url, door=Door("plain", server.url, refuses=frozenset({"limit"}))) as model,
    ):
        with pytest.raises(Unsupported, match="does not serve limit"):
            await model.ask(ChatRequest(asked(most=5)))
        assert server.connections == 0


async def test_a_missing_key_is_told_before_anything_is_sent() -> None:
    def missing() -> str:
        raise MissingKey("there is no key for Plain")

    async with ProviderServer([HELLO]) as server, chat(server.url, key=missing) as model:
        with pytest.raises(MissingKey):
            await model.ask(ChatRequest(asked()))
        assert server.connections == 0


async def test_a_key_is_fetched_once_and_again_when_it_was_refused() -> None:
    keys = iter(["old-key", "new-key", "unused"])
    replies = [HELLO, Reply.json({"why": "the key old-key is revoked"}, 401), HELLO]
    async with ProviderServer(replies) as server, chat(server.url, key=lambda: next(keys)) as model:
        await words(model)
        with pytest.raises(Refused, match=r"the key \*\*\* is revoked") as caught:
            await words(model)
        await words(model)

    assert caught.value.status == 401
    used = [request.headers["authorization"].removeprefix("Bearer ") for request in server.asked]
    assert used == ["old-key", "old-key", "new-key"]


async def test_what_left_is_told_with_its_kinds_and_without_its_words() -> None:
    left: list[Sent] = []
    seen = Message(ChatRole.USER, Contents((Text("What is this?"), image(b"picture"))))
    async with ProviderServer([HELLO]) as server, chat(server.url, watch=left.append) as model:
        await all_of(await model.ask(ChatRequest(ModelContext((), (seen,)))))

    (sent,) = left
    assert sent == Sent("plain", f"127.0.0.1:{server.port}", len(server.asked[0].body), sent.kinds, is_local=True)
    assert sent.kinds == {Kind.TEXT, Kind.IMAGE}
    assert "What is this" not in repr(sent)


async def test_nothing_has_left_where_nobody_is() -> None:
    left: list[Sent] = []
    async with ProviderServer([HELLO]) as server:
        url = server.url
    async with chat(url, watch=left.append) as model:
        with pytest.raises(Unreachable):
            await model.ask(ChatRequest(asked()))
    assert left == []


@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, Refused), (404, Refused), (408, ProviderFailed), (500, ProviderFailed), (529, ProviderFailed)],
)
async def test_a_refusal_is_told_in_the_words_of_the_provider(status: int, kind: type[ModelError]) -> None:
    async with ProviderServer([Reply.json({"why": "no such model"}, status)]) as server, chat(server.url) as model:
        with pytest.raises(kind, match="Plain: no such model"):
            await model.ask(ChatRequest(asked()))


async def test_a_busy_provider_says_when_to_ask_again() -> None:
    busy = Reply.json({"why": "slow down"}, 429, {"retry-after": "12"})
    async with ProviderServer([busy]) as server, chat(server.url) as model:
        with pytest.raises(Throttled) as caught:
            await model.ask(ChatRequest(asked()))
    assert caught.value.after == 12


async def test_the_page_of_a_gateway_is_no_answer() -> None:
    page = Reply((b"<html><title>Welcome to the hotel</title></html>",), content_type="text/html; charset=utf-8")
    async with ProviderServer([page]) as server, chat(server.url) as model:
        with pytest.raises(Unreachable, match="Welcome to the hotel") as caught:
            await model.ask(ChatRequest(asked()))
    assert caught.value.retryable


async def test_a_redirect_is_refused_and_the_key_goes_nowhere_else() -> None:
    async with (
        ProviderServer([HELLO]) as other,
        ProviderServer([Reply(status=307, headers={"location": other.url})]) as server,
    ):
        async with chat(server.url, key=lambda: KEY) as model:
            with pytest.raises(Refused, match="another address"):
                await model.ask(ChatRequest(asked()))
        assert other.asked == []


async def test_an_answer_that_is_no_json_is_broken() -> None:
    odd = Reply((b"well, hello",), content_type="application/json")
    async with ProviderServer([odd]) as server, chat(server.url) as model:
        with pytest.raises(WireBroken, match="no JSON"):
            await model.ask(ChatRequest(asked(), is_streamed=False))


async def test_many_answers_at_once_are_each_their_own() -> None:
    def echo(request) -> Reply:
        return Reply.sse({"say": request.json["words"][0]}, {"end": "stop"})

    questions = [f"question {number}" for number in range(30)]
    async with ProviderServer(echo) as server, chat(server.url) as model, asyncio.TaskGroup() as tasks:
        answers = [tasks.create_task(words(model, asked(question))) for question in questions]
        assert [await answer for answer in answers] == questions


async def test_a_question_that_json_cannot_say_is_not_sent() -> None:
    async with ProviderServer([HELLO]) as server, chat(server.url) as model:
        with pytest.raises(Unsupported, match="JSON"):
            await model.ask(ChatRequest(asked(most=float("nan"))))  # type: ignore[arg-type]
        assert await words(model, asked("half a letter: \ud83d")) == "Hello"

    assert server.asked[0].json["words"] == ["half a letter: \ufffd"]


async def test_a_large_picture_is_sent_whole() -> None:
    large = Message(ChatRole.USER, Contents((Text("x" * 400_000), image(b"p" * 400_000))))
    async with ProviderServer([HELLO]) as server, chat(server.url) as model:
        assert await words(model, ModelContext((), (large,))) == "Hello"

    assert len(server.asked[0].json["words"][0]) == 400_000


async def test_nothing_that_was_said_and_no_key_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    replies = [HELLO, Reply.json({"why": f"wrong: {KEY}"}, 401), Reply.sse({"say": "Hello"}, ending=Ending.CUT)]
    async with ProviderServer(replies) as server, chat(server.url, key=lambda: KEY) as model:
        await words(model, asked("my secret"))
        for _ in range(2):
            with pytest.raises((Refused, StreamFailed)):
                await words(model, asked("my secret"))

    for said in (KEY, "my secret", "Hello"):
        assert said not in caplog.text
