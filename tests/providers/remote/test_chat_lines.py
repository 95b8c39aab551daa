"""A chat model over HTTP: answers that break, fall silent, are left, or come faster than they are read."""

from __future__ import annotations

import asyncio

import pytest
from doubles.fault_proxy import Cut, FaultProxy, Reset, Trickle
from doubles.plain_chat import HELLO, all_of, asked, chat, words
from doubles.provider_server import Ending, ProviderServer, Reply

from companion.errors import (
    ModelError,
    ProviderFailed,
    StreamFailed,
    Unreachable,
    WireBroken,
)
from companion.model import (
    ChatRequest,
)
from companion.model.deltas import Delta, TextDelta
from companion.providers.remote.chat import RemoteChat
from companion.providers.remote.exchange import Deadlines
from companion.providers.remote.http import CONNECTIONS


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


async def test_answers_that_are_left_give_their_connections_back() -> None:
    """A pool that loses one at each closing has none left before long."""
    async with ProviderServer([HELLO]) as server, chat(server.url, deadlines=Deadlines(0.5, 0.5)) as model:
        for left_after in range(2 * CONNECTIONS):
            source = await model.ask(ChatRequest(asked()))
            for _ in range(left_after % 3):
                await source.next()
            await source.close()
        assert await words(model) == "Hello"


async def test_questions_that_are_cancelled_give_their_connections_back() -> None:
    async with ProviderServer([HELLO]) as server, chat(server.url, deadlines=Deadlines(0.5, 0.5)) as model:
        for turns in range(4 * CONNECTIONS):
            async with asyncio.TaskGroup() as tasks:
                asking = tasks.create_task(words(model))
                for _ in range(turns):
                    await asyncio.sleep(0)
                asking.cancel()
        assert await words(model) == "Hello"


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
