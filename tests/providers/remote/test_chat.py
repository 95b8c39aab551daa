"""A chat model over HTTP: what it sends, what it reads, and each way in which that can go wrong."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from doubles.fault_proxy import Cut, FaultProxy, Reset, Trickle
from doubles.plain_dialect import PlainDialect
from doubles.provider_server import Ending, ProviderServer, Reply
from doubles.trickle import read_all

from companion.dialects import Framing
from companion.errors import (
    EndOfStream,
    InvalidAnswer,
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
    FuncTool,
    Generator,
    Kind,
    Message,
    ModelContext,
    ModelParams,
    Status,
    image,
)
from companion.model.deltas import Counted, Delta, DeltaSource, Finish, Finished, TextDelta
from companion.model.laws import check_generator
from companion.providers.remote.chat import RemoteChat
from companion.providers.remote.endpoints import Door, Endpoint, KeyHeader
from companion.providers.remote.exchange import Deadlines
from companion.providers.remote.http import Http
from companion.providers.remote.sent import Sent
from companion.stream import Text, Usage

KEY = "a-key-that-is-none"
HELLO = Reply.sse({"say": "Hel"}, {"say": "lo"}, {"count": [7, 2]}, {"end": "stop"})
AGE = FuncTool(
    "note", "Notes an age.", {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}
)


def asked(text: str = "Say hello.", *, most: int | None = None) -> ModelContext:
    return ModelContext((), (Message.of(ChatRole.USER, text),), params=ModelParams(max_tokens=most))


@asynccontextmanager
async def chat(
    url: str, *, door: Door | None = None, framing: Framing = Framing.SSE, **others
) -> AsyncIterator[RemoteChat]:
    http = Http()
    endpoint = Endpoint("plain", "Plain", (door or Door("plain", url),), is_local=True)
    others.setdefault("deadlines", Deadlines(connect=5, first=5, silence=5, total=10))
    try:
        yield RemoteChat(endpoint, "small", http, dialect=PlainDialect(framing), **others)
    finally:
        await http.close()


async def all_of(source: DeltaSource) -> list[Delta]:
    deltas: list[Delta] = []
    try:
        while True:
            deltas.append(await source.next())
    except EndOfStream:
        return deltas
    finally:
        await source.close()


async def words(model: RemoteChat, context: ModelContext | None = None) -> str:
    chunks = await read_all(await model.generate_stream(context or asked()))
    return "".join(chunk.part.text for chunk in chunks if isinstance(chunk.part, Text))


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


async def test_its_answers_keep_the_laws() -> None:
    # The examination looks for tasks, and the server has one for each connection.
    alone = replace(HELLO, headers={"connection": "close"})
    async with ProviderServer([alone]) as server, chat(server.url) as model:
        await check_generator(model)


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
        source = await model.ask(ChatRequest(ModelContext((), (seen,))))
        await all_of(source)

    (sent,) = left
    assert source.sent is sent
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


async def failure(model: RemoteChat) -> tuple[list[Delta], BaseException]:
    """What came before an answer broke, and what broke it."""
    source, deltas = await model.ask(ChatRequest(asked())), list[Delta]()
    try:
        while True:
            deltas.append(await source.next())
    except (ModelError, TimeoutError) as error:
        return deltas, error
    finally:
        await source.close()


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply.sse({"say": "Hel"}, ending=Ending.CUT), Unreachable),
        (Reply.sse({"say": "Hel"}, ending=Ending.RESET), Unreachable),
        (Reply.sse({"say": "Hel"}), WireBroken),
        (Reply.sse({"say": "Hel"}, "{nonsense"), WireBroken),
        (Reply.sse({"say": "Hel"}, {"broken": "overloaded"}), ProviderFailed),
    ],
    ids=["cut", "reset", "stopped", "malformed", "failed"],
)
async def test_an_answer_that_breaks_gives_what_came_and_then_the_error(reply: Reply, kind: type[ModelError]) -> None:
    async with ProviderServer([reply]) as server, chat(server.url) as model:
        deltas, error = await failure(model)

    assert deltas == [TextDelta("Hel")]
    assert type(error) is kind
    assert error.retryable


@pytest.mark.parametrize("ending", [Ending.CUT, Ending.RESET])
async def test_a_line_that_breaks_behind_the_end_takes_nothing_from_the_answer(ending: Ending) -> None:
    async with ProviderServer([Reply(HELLO.pieces, ending=ending)]) as server, chat(server.url) as model:
        assert await words(model) == "Hello"


async def test_silence_in_the_middle_is_told_in_time() -> None:
    stalled = Reply.sse({"say": "Hel"}, ending=Ending.STALL)
    async with ProviderServer([stalled]) as server, chat(server.url, deadlines=Deadlines(silence=0.05)) as model:
        deltas, error = await failure(model)
        await server.until(lambda server: server.cut_off == 1)

    assert deltas == [TextDelta("Hel")]
    assert isinstance(error, TimeoutError)


async def test_a_provider_that_does_not_begin_is_given_up() -> None:
    silent = Reply(has_head=False, ending=Ending.STALL)
    async with ProviderServer([silent]) as server, chat(server.url, deadlines=Deadlines(0.05, 0.05)) as model:
        with pytest.raises(TimeoutError, match="did not begin"):
            await model.ask(ChatRequest(asked()))


async def test_closing_an_answer_ends_its_connection_and_wakes_its_reader() -> None:
    async with ProviderServer([Reply.sse({"say": "Hel"}, ending=Ending.STALL)]) as server, chat(server.url) as model:
        source = await model.ask(ChatRequest(asked()))
        assert await source.next() == TextDelta("Hel")
        async with asyncio.TaskGroup() as tasks:
            waiting = tasks.create_task(all_of(source))
            await asyncio.sleep(0)
            await source.close()
        await source.close()
        await server.until(lambda server: server.cut_off == 1)
        assert waiting.result() == []


async def test_an_answer_that_nobody_reads_can_be_closed() -> None:
    async with ProviderServer([Reply.sse({"say": "Hel"}, ending=Ending.STALL)]) as server, chat(server.url) as model:
        await (await model.ask(ChatRequest(asked()))).close()
        await server.until(lambda server: server.cut_off == 1)


async def test_a_cancelled_wait_loses_nothing() -> None:
    gate = asyncio.Event()
    pieces = [HELLO.pieces[0], gate, *HELLO.pieces[1:]]
    async with ProviderServer([Reply(pieces)]) as server, chat(server.url) as model:
        source = await model.ask(ChatRequest(asked()))
        assert await source.next() == TextDelta("Hel")
        for _ in range(3):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.01):
                    await source.next()
        gate.set()
        assert (await all_of(source))[0] == TextDelta("lo")


async def test_a_reader_that_stops_holds_up_the_provider_and_not_the_memory() -> None:
    flood = Reply.sse(*[{"say": "x" * 50_000}] * 400, {"end": "stop"})
    async with ProviderServer([flood]) as server, chat(server.url) as model:
        source = await model.ask(ChatRequest(asked()))
        await source.next()
        for _ in range(200):
            await asyncio.sleep(0)
        assert len(source._deltas) <= 64
        assert sum(len(delta.text) for delta in await all_of(source) if isinstance(delta, TextDelta)) == 399 * 50_000


@pytest.mark.parametrize("fault", [Cut(0), Reset(0), Cut(150), Reset(150), Trickle(1)], ids=repr)
async def test_a_bad_line_gives_an_error_or_the_whole_answer(fault: Cut | Reset | Trickle) -> None:
    async with ProviderServer([HELLO]) as server, FaultProxy(server.port, [fault]) as proxy, chat(proxy.url) as model:
        if isinstance(fault, Trickle):
            assert await words(model) == "Hello"
        else:
            with pytest.raises((Unreachable, StreamFailed)):
                await words(model)
        assert await words(model) == "Hello"


async def test_many_answers_at_once_are_each_their_own() -> None:
    def echo(request) -> Reply:
        return Reply.sse({"say": request.json["words"][0]}, {"end": "stop"})

    questions = [f"question {number}" for number in range(30)]
    async with ProviderServer(echo) as server, chat(server.url) as model, asyncio.TaskGroup() as tasks:
        answers = [tasks.create_task(words(model, asked(question))) for question in questions]
        assert [await answer for answer in answers] == questions


async def invoked(replies: Sequence[Reply], **others) -> tuple[object, list[dict]]:
    async with ProviderServer(replies) as server, chat(server.url, **others) as model:
        _, call = await model.invoke(asked("Ada is 36."), AGE)
        return json.loads(call.arguments), [request.json for request in server.asked]


ANSWERED = Reply.sse({"say": '{"age": 36}'}, {"end": "stop"})
CALLED = Reply.sse({"call": "note", "with": {"age": 36}}, {"end": "tool_calls"})
NO_SCHEMA = Reply.json({"why": "response_format: json_schema is not supported"}, 400)
NO_TOOLS = Reply.json({"why": "this model does not support tools"}, 400)


async def test_a_structured_answer_is_held_to_its_schema() -> None:
    answer, requests = await invoked([ANSWERED])

    assert answer == {"age": 36}
    assert [request["schema"] for request in requests] == [dict(AGE.parameters)]


async def test_where_there_are_no_schemas_it_is_a_tool() -> None:
    answer, requests = await invoked([NO_SCHEMA, CALLED])

    assert answer == {"age": 36}
    assert ["schema" in request for request in requests] == [True, False]
    assert requests[1]["tools"] == ["note"]


async def test_where_there_are_no_tools_it_is_told_in_words() -> None:
    answer, requests = await invoked([NO_SCHEMA, NO_TOOLS, ANSWERED])

    assert answer == {"age": 36}
    assert "schema" not in requests[2]
    assert "tools" not in requests[2]


async def test_what_a_provider_cannot_is_not_asked_of_it_twice() -> None:
    async with ProviderServer([NO_SCHEMA, NO_TOOLS, ANSWERED]) as server, chat(server.url) as model:
        for _ in range(2):
            await model.invoke(asked("Ada is 36."), AGE)

    assert len(server.asked) == 4


async def test_an_endpoint_without_schemas_is_not_asked_for_one() -> None:
    async with (
        ProviderServer([CALLED]) as server,
        chat(server.url, door=Door("plain", server.url, has_schema=False)) as model,
    ):
        _, call = await model.invoke(asked("Ada is 36."), AGE)

    assert json.loads(call.arguments) == {"age": 36}
    assert "schema" not in server.asked[0].json


async def test_another_refusal_is_not_taken_for_one_of_the_form() -> None:
    with pytest.raises(Refused, match="no such model"):
        await invoked([Reply.json({"why": "no such model"}, 404)])


async def test_an_answer_that_does_not_fit_is_asked_for_once_more() -> None:
    odd = Reply.sse({"say": '{"age": "old"}'}, {"end": "stop"})

    answer, requests = await invoked([odd, ANSWERED])

    assert answer == {"age": 36}
    assert len(requests) == 2
    with pytest.raises(InvalidAnswer):
        await invoked([odd, odd])


async def test_a_question_that_json_cannot_say_is_not_sent() -> None:
    async with ProviderServer([HELLO]) as server, chat(server.url) as model:
        with pytest.raises(Unsupported, match="JSON"):
            await model.ask(ChatRequest(asked(most=float("nan"))))  # type: ignore[arg-type]
        assert await words(model, asked("half a letter: \ud83d")) == "Hello"

    assert server.asked[0].json["words"] == ["half a letter: \ud83d"]


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
