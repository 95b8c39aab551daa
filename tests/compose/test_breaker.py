"""An endpoint that fails is left alone for a while, and tried again with one request."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from doubles.backends import PlayedBackend, Step, question, read, text_of, words

from companion.compose.breaker import TOO_LONG, Breaker, Circuit, CircuitState
from companion.compose.fallback import Failover
from companion.compose.retry import Retry, RetryPolicy
from companion.errors import ModelError, Refused, Throttled, Unreachable, Unsupported
from companion.model.deltas import TextDelta

CLOSED, OPEN, HALF_OPEN = CircuitState.CLOSED, CircuitState.OPEN, CircuitState.HALF_OPEN
GONE = Unreachable("the line is dead")


class Endpoint:
    """A breaker around a backend whose next answer the test chooses, and a clock that it moves."""

    def __init__(self, **options: float) -> None:
        self.now = 0.0
        self.play: list[Step] = words("hi")
        self.backend = PlayedBackend("cloud", lambda request: self.play)
        self.circuit = Circuit("cloud", clock=lambda: self.now, **options)
        self.breaker = Breaker(self.backend, self.circuit)

    async def ask(self, *steps: Step) -> str:
        self.play = list(steps)
        return text_of(await read(await self.breaker.ask(question())))

    async def fail(self, times: int, error: Exception = GONE) -> None:
        for _ in range(times):
            with pytest.raises(type(error)):
                await self.ask(error)


async def test_so_many_failures_in_a_row_open_the_circuit() -> None:
    endpoint = Endpoint(threshold=3)
    await endpoint.fail(2)
    await endpoint.ask(*words("hi"))
    await endpoint.fail(2)
    assert endpoint.breaker.state is CLOSED
    await endpoint.fail(1)
    assert endpoint.breaker.state is OPEN

    with pytest.raises(Unreachable, match="cloud has failed 3 times and is left alone for another 30 s") as caught:
        await endpoint.ask(*words("hi"))
    assert not caught.value.retryable
    assert endpoint.backend.asked == 6


async def test_after_a_while_one_question_is_let_through_and_its_answer_closes_the_circuit() -> None:
    endpoint = Endpoint(threshold=1, cooldown=30.0)
    await endpoint.fail(1)
    endpoint.now = 29.9
    assert endpoint.breaker.state is OPEN
    endpoint.now = 30.0
    assert endpoint.breaker.state is HALF_OPEN

    endpoint.play = words("hi")
    probe = await endpoint.breaker.ask(question())
    with pytest.raises(Unreachable, match="until one question has been answered"):
        await endpoint.breaker.ask(question())
    assert text_of(await read(probe)) == "hi"

    assert endpoint.breaker.state is CLOSED
    assert await endpoint.ask(*words("again")) == "again"


async def test_a_failed_probe_opens_it_again() -> None:
    endpoint = Endpoint(threshold=3, cooldown=30.0)
    await endpoint.fail(3)
    endpoint.now = 31.0
    await endpoint.fail(1)
    assert endpoint.breaker.state is OPEN
    endpoint.now = 61.5
    assert endpoint.breaker.state is HALF_OPEN


async def test_a_probe_that_nobody_waits_for_makes_room_for_the_next() -> None:
    endpoint = Endpoint(threshold=1)
    await endpoint.fail(1)
    endpoint.now = 31.0
    endpoint.play = [TextDelta(""), *words("hi")]
    await (await endpoint.breaker.ask(question())).close()
    assert endpoint.breaker.state is HALF_OPEN

    assert await endpoint.ask(*words("hi")) == "hi"
    assert endpoint.breaker.state is CLOSED


async def test_a_probe_that_has_begun_to_answer_is_a_success_though_it_is_left() -> None:
    endpoint = Endpoint(threshold=1)
    await endpoint.fail(1)
    endpoint.now = 31.0
    endpoint.play = words("hi", "you")
    source = await endpoint.breaker.ask(question())
    await source.next()
    await source.close()

    assert endpoint.breaker.state is CLOSED


@pytest.mark.parametrize("steps", [[TextDelta("half"), GONE], [TextDelta("half")]])
async def test_an_answer_that_breaks_or_stops_in_the_middle_is_a_failure(steps: list[Step]) -> None:
    endpoint = Endpoint(threshold=1)
    with contextlib.suppress(Unreachable):
        await endpoint.ask(*steps)

    assert endpoint.breaker.state is OPEN


@pytest.mark.parametrize("error", [Refused("bad field", status=400), Unsupported("no sound"), ModelError("no")])
async def test_what_is_wrong_with_the_question_says_nothing_of_the_endpoint(error: Exception) -> None:
    endpoint = Endpoint(threshold=1)
    await endpoint.fail(3, error)

    assert endpoint.breaker.state is CLOSED


async def test_it_is_left_alone_as_long_as_it_asks() -> None:
    endpoint = Endpoint(threshold=1, cooldown=30.0)
    await endpoint.fail(1, Throttled("busy", after=120.0))
    endpoint.now = 119.0

    assert endpoint.breaker.state is OPEN


@pytest.mark.parametrize(("seconds", "state"), [(TOO_LONG - 1, CLOSED), (TOO_LONG, OPEN)])
async def test_one_that_was_left_because_it_said_nothing_has_failed(seconds: float, state: CircuitState) -> None:
    endpoint = Endpoint(threshold=1)
    endpoint.play = [TextDelta(""), 1000.0]
    source = await endpoint.breaker.ask(question())
    endpoint.now = seconds
    await source.close()

    assert endpoint.breaker.state is state


async def test_all_models_of_an_endpoint_share_its_circuit() -> None:
    endpoint = Endpoint(threshold=1)
    other = Breaker(PlayedBackend("cloud/other", words("hi")), endpoint.circuit)
    await endpoint.fail(1)

    with pytest.raises(Unreachable):
        await other.ask(question())


async def test_a_cancelled_probe_makes_room_for_the_next() -> None:
    endpoint = Endpoint(threshold=1)
    await endpoint.fail(1)
    endpoint.now = 31.0
    endpoint.play = [1000.0]
    asking = asyncio.get_running_loop().create_task(endpoint.breaker.ask(question()))
    await asyncio.sleep(0)
    asking.cancel()
    await asyncio.wait([asking])

    assert await endpoint.ask(*words("hi")) == "hi"


async def test_an_endpoint_for_which_nobody_had_the_patience_has_failed() -> None:
    circuit = Circuit("cloud", threshold=1)
    cloud, here = PlayedBackend("cloud", [1000.0, *words("late")]), PlayedBackend("here", words("hi"))
    chain = Failover([Breaker(cloud, circuit), here], patience=0.02, rounds=1)
    for _ in range(3):
        assert text_of(await read(await chain.ask(question()))) == "hi"

    assert circuit.state is OPEN
    assert cloud.asked == 1


async def test_an_endpoint_that_lets_all_tries_wait_in_vain_has_failed() -> None:
    circuit = Circuit("cloud", threshold=1)
    cloud = Breaker(PlayedBackend("cloud", [1000.0, *words("late")]), circuit)
    with pytest.raises(TimeoutError):
        await Retry(cloud, RetryPolicy(deadline=0.02)).ask(question())
    assert circuit.state is OPEN
