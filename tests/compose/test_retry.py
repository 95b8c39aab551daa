"""A request is made again where that may help, and never once something was handed out."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from doubles import virtual_time
from doubles.backends import PlayedBackend, question, read, text_of, words
from hypothesis import given
from hypothesis import strategies as st

from companion.compose.retry import Attempt, Retry, RetryPolicy, Verdict
from companion.errors import InvalidAnswer, ModelError, ProviderFailed, Refused, Throttled, Unreachable, WireBroken
from companion.model.deltas import Counted, Finish, Finished, RawDelta, TextDelta
from companion.model.request import answered_by
from companion.stream import Usage

GONE = Unreachable("the line is dead")


class Clock:
    """Stands still but for those who sleep."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 6))
        self.now += seconds


def retrying(backend: PlayedBackend, clock: Clock, policy: RetryPolicy | None = None, **options) -> Retry:
    return Retry(backend, policy, clock=clock, sleep=clock.sleep, chance=lambda: 0.0, **options)


async def test_so_many_retries_are_one_call_more() -> None:
    backend, clock = PlayedBackend("cloud", [GONE]), Clock()

    with pytest.raises(Unreachable, match="the line is dead"):
        await retrying(backend, clock, RetryPolicy(max_retries=3)).ask(question())

    assert backend.asked == 4
    assert clock.slept == [0.1, 0.2, 0.4]


@pytest.mark.parametrize(("attempt", "seconds"), [(1, 0.1), (2, 0.2), (7, 6.4), (8, 10.0), (9, 10.0), (5000, 10.0)])
def test_pauses_double_up_to_ten_seconds(attempt: int, seconds: float) -> None:
    assert RetryPolicy().pause_behind(attempt, 0.0) == pytest.approx(seconds)


@given(st.integers(1, 100), st.floats(0, 1))
def test_chance_adds_up_to_half_a_pause(attempt: int, chance: float) -> None:
    plain = RetryPolicy().pause_behind(attempt, 0.0)

    assert plain <= RetryPolicy().pause_behind(attempt, chance) <= 1.5 * plain


async def test_a_provider_is_left_alone_as_long_as_it_asks() -> None:
    backend, clock = PlayedBackend("cloud", [Throttled("busy", after=7.5)], words("hi")), Clock()

    assert text_of(await read(await retrying(backend, clock).ask(question()))) == "hi"
    assert clock.slept == [7.5]


async def test_nobody_waits_beyond_the_deadline() -> None:
    backend, clock = PlayedBackend("cloud", [Throttled("busy", after=600.0)]), Clock()

    with pytest.raises(Throttled):
        await retrying(backend, clock, RetryPolicy(deadline=30.0)).ask(question())

    assert (backend.asked, clock.slept) == (1, [])


def test_a_backend_that_never_begins_is_given_up_at_the_deadline() -> None:
    async def scene() -> None:
        backend = PlayedBackend("cloud", [1000.0])
        with pytest.raises(TimeoutError, match="cloud did not begin to answer within 5 s"):
            await Retry(backend, RetryPolicy(deadline=5.0)).ask(question())
        assert asyncio.get_running_loop().time() == pytest.approx(5.0)

    virtual_time.run(scene())


@pytest.mark.parametrize(
    "error", [GONE, Throttled("busy"), ProviderFailed("overloaded", status=529), WireBroken("?"), TimeoutError()]
)
async def test_what_may_help_is_tried_again(error: Exception) -> None:
    backend = PlayedBackend("cloud", [error], words("hi"))

    assert text_of(await read(await retrying(backend, Clock()).ask(question()))) == "hi"


@pytest.mark.parametrize("error", [Refused("wrong key", status=401), ModelError("no"), ValueError("a mistake")])
async def test_what_does_not_help_is_not_tried_again(error: Exception) -> None:
    backend = PlayedBackend("cloud", [error], words("hi"))

    with pytest.raises(type(error)):
        await retrying(backend, Clock()).ask(question())
    assert backend.asked == 1


async def test_an_answer_that_breaks_before_it_says_anything_is_asked_for_again() -> None:
    counted = Counted(Usage(prompt_tokens=3))
    backend = PlayedBackend("cloud", [counted, RawDelta("ping"), TextDelta(""), GONE], [counted], words("hi"))

    deltas = await read(await retrying(backend, Clock()).ask(question()))

    assert deltas == [TextDelta("hi"), Finished(Finish.STOP)]
    assert (backend.asked, backend.open) == (3, 0)


async def test_nothing_is_asked_for_again_once_something_was_handed_out() -> None:
    backend = PlayedBackend("cloud", [TextDelta("good "), GONE], words("good day"))
    source = await retrying(backend, Clock()).ask(question())

    assert await source.next() == TextDelta("good ")
    with pytest.raises(Unreachable):
        await source.next()
    await source.close()
    assert (backend.asked, backend.open) == (1, 0)


async def test_a_judge_may_reject_an_answer_and_nothing_of_it_comes_out() -> None:
    backend = PlayedBackend("cloud", words("I ", "am a teapot"), words("42"))
    seen: list[Attempt] = []

    def digits_only(attempt: Attempt) -> Verdict:
        seen.append(attempt)
        return Verdict(attempt.answer is not None and not attempt.answer.text.isdigit())

    retry = retrying(backend, Clock(), should_retry=digits_only, sees_answers=True)
    source = await retry.ask(question())

    assert await read(source) == [TextDelta("42"), Finished(Finish.STOP)]
    assert [attempt.answer.text for attempt in seen if attempt.answer] == ["I am a teapot", "42"]
    assert answered_by(source, backend) == ("cloud",)
    assert backend.open == 0


async def test_an_answer_that_is_rejected_to_the_end_is_an_error() -> None:
    backend = PlayedBackend("cloud", words("tea"))

    retry = retrying(backend, Clock(), should_retry=lambda attempt: Verdict(is_retried=True), sees_answers=True)
    with pytest.raises(InvalidAnswer, match="the answer of cloud was rejected"):
        await retry.ask(question())
    assert backend.asked == 3


async def test_a_judge_may_rewrite_the_error() -> None:
    backend = PlayedBackend("cloud", [Refused("model not found", status=404)])
    better = ModelError("choose another model")

    retry = retrying(backend, Clock(), should_retry=lambda attempt: Verdict(is_retried=False, error=better))
    with pytest.raises(ModelError, match="choose another model") as caught:
        await retry.ask(question())
    assert isinstance(caught.value.__cause__, Refused)


async def test_a_judge_may_change_the_question() -> None:
    backend = PlayedBackend("cloud", [GONE], words("hi"))

    def smaller(attempt: Attempt) -> Verdict:
        return Verdict(is_retried=True, request=replace(attempt.request, model="small"))

    await read(await retrying(backend, Clock(), should_retry=smaller).ask(question()))
    assert [request.model for request in backend.requests] == ["", "small"]


async def test_whoever_is_cancelled_is_not_asked_again() -> None:
    backend = PlayedBackend("cloud", [1000.0])
    asking = asyncio.get_running_loop().create_task(retrying(backend, Clock()).ask(question()))
    await asyncio.sleep(0)
    asking.cancel()
    await asyncio.wait([asking])

    assert asking.cancelled()
    assert backend.asked == 1


def test_cancelling_a_pause_ends_it() -> None:
    async def scene() -> None:
        backend = PlayedBackend("cloud", [Throttled("busy", after=20.0)])
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1.0):
                await Retry(backend).ask(question())
        assert backend.asked == 1

    virtual_time.run(scene())


async def test_what_an_error_came_of_stays_with_it() -> None:
    root, gone = OSError("no route"), Unreachable("the line is dead")
    gone.__cause__ = root
    with pytest.raises(Unreachable) as caught:
        await retrying(PlayedBackend("cloud", [gone]), Clock(), RetryPolicy(max_retries=1)).ask(question())
    assert caught.value is gone
    assert gone.__cause__ is root
