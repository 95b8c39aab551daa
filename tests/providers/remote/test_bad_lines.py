"""A line that is as bad as its plan says, and a chat model over it: an answer or an error, never neither."""

from __future__ import annotations

import asyncio
import os
from itertools import islice

import pytest
from doubles.fault_proxy import Cut, Delay, Fault, FaultProxy, Good, Reset, Silence, Trickle, seeded_plan
from doubles.plain_chat import HELLO, all_of, asked, chat
from doubles.provider_server import ProviderServer, Reply

from companion.errors import ModelError
from companion.model import ChatRequest
from companion.model.deltas import Delta, Finished, TextDelta
from companion.providers.remote.chat import RemoteChat
from companion.providers.remote.exchange import Deadlines

TURNS = int(os.environ.get("COMPANION_TEST_TURNS", "40"))


def test_a_plan_is_the_same_for_the_same_seed() -> None:
    plan = list(islice(seeded_plan(7), 200))

    assert plan == list(islice(seeded_plan(7), 200))
    assert plan != list(islice(seeded_plan(8), 200))
    assert {type(fault) for fault in plan} == {Good, Delay, Cut, Reset, Trickle}


async def passed(fault: Fault, sent: bytes) -> bytes:
    """What of ``sent`` comes through."""

    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(sent)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server, FaultProxy(server.sockets[0].getsockname()[1], [fault]) as proxy:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(proxy.url.rpartition(":")[2]))
        came = bytearray()
        try:
            while data := await reader.read(1 << 16):
                came += data
        except ConnectionResetError:
            came += b"!"
        writer.close()
        assert proxy.met == [fault]
    return bytes(came)


@pytest.mark.parametrize(
    ("fault", "came"),
    [
        (Good(), b"twelve bytes"),
        (Delay(0.01), b"twelve bytes"),
        (Trickle(5), b"twelve bytes"),
        (Cut(6), b"twelve"),
        (Cut(0), b""),
        (Silence(), b""),
    ],
    ids=repr,
)
async def test_a_fault_does_what_it_says(fault: Fault, came: bytes) -> None:
    assert await passed(fault, b"twelve bytes") == came


async def test_a_reset_is_none_of_a_normal_end() -> None:
    assert (await passed(Reset(6), b"twelve bytes")).endswith(b"!")


async def turn(model: RemoteChat) -> tuple[list[Delta], BaseException | None]:
    try:
        return await all_of(await model.ask(ChatRequest(asked()))), None
    except (ModelError, TimeoutError) as error:
        return [], error


async def test_every_turn_over_a_bad_line_is_an_answer_or_an_error_that_may_be_tried_again() -> None:
    whole = "".join(f"word {number} " for number in range(30))
    answer = Reply.sse(*[{"say": f"word {number} "} for number in range(30)], {"end": "stop"})
    deadlines = Deadlines(connect=1, first=1, silence=1, total=5)
    answered = broken = 0
    async with ProviderServer([answer]) as server, FaultProxy(server.port, seeded_plan(11)) as proxy:
        for _ in range(TURNS):
            # A connection of its own for each, so that each meets its fault.
            async with chat(proxy.url, deadlines=deadlines) as model, asyncio.timeout(10):
                deltas, error = await turn(model)
            if error is None:
                assert "".join(delta.text for delta in deltas if isinstance(delta, TextDelta)) == whole
                assert isinstance(deltas[-1], Finished)
                answered += 1
            else:
                assert isinstance(error, TimeoutError) or error.retryable
                broken += 1

    assert answered + broken == TURNS
    assert answered > TURNS // 4
    assert broken > TURNS // 8


async def test_a_connection_that_went_while_it_was_kept_is_told_as_one_that_may_be_tried_again() -> None:
    """The server closes a connection that we keep; the next question gets an answer or an error, and then an answer."""
    once = Reply(HELLO.pieces, headers={"connection": "close"})
    async with ProviderServer([once]) as server, chat(server.url) as model:
        for _ in range(20):
            deltas, error = await turn(model)
            assert deltas or (isinstance(error, ModelError) and error.retryable)
