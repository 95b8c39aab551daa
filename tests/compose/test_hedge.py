"""A second backend is asked where the first lets one wait, and whoever begins first is heard."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine

import pytest
from doubles import virtual_time
from doubles.backends import PlayedBackend, question, read, text_of, words

from companion.compose.hedge import Hedge
from companion.errors import ProviderFailed, Unreachable
from companion.model import ChatRequest, ChatRole, Contents, Message, ModelContext, Thought
from companion.model.deltas import Counted, Finish, Finished, TextDelta, ThoughtDelta
from companion.model.request import answered_by
from companion.stream import Usage


def in_virtual_time(scene: Coroutine[None, None, None]) -> None:
    virtual_time.run(scene)


async def ask(hedge: Hedge) -> tuple[str, tuple[str, ...], float]:
    """The words, whose they are, and the seconds until they began."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    source = await hedge.ask(question())
    seconds = loop.time() - began
    return text_of(await read(source)), answered_by(source, hedge), pytest.approx(seconds)


def test_it_is_off_unless_there_is_a_delay() -> None:
    async def scene() -> None:
        slow, fast = (
            PlayedBackend("slow", [TextDelta(""), 30.0, *words("at last")]),
            PlayedBackend("fast", words("?")),
        )
        assert (await ask(Hedge(slow, fast)))[:2] == ("at last", ("slow",))
        assert fast.asked == 0

    in_virtual_time(scene())


def test_who_begins_in_time_is_the_only_one_asked() -> None:
    async def scene() -> None:
        first, second = PlayedBackend("first", [1.0, *words("hi")]), PlayedBackend("second", words("?"))
        assert await ask(Hedge(first, second, delay=2.0)) == ("hi", ("first",), 1.0)
        assert second.asked == 0

    in_virtual_time(scene())


def test_who_lets_one_wait_is_overtaken_and_closed() -> None:
    async def scene() -> None:
        counted = Counted(Usage(prompt_tokens=3))
        first = PlayedBackend("first", [counted, 30.0, *words("late")])
        second = PlayedBackend("second", [1.0, *words("here")])
        assert await ask(Hedge(first, second, delay=2.0)) == ("here", ("second",), 3.0)
        assert (first.open, second.open) == (0, 0)

    in_virtual_time(scene())


def test_the_first_may_still_win_and_the_second_is_closed() -> None:
    async def scene() -> None:
        first = PlayedBackend("first", [3.0, *words("here")])
        second = PlayedBackend("second", [TextDelta(""), 30.0, *words("late")])
        assert await ask(Hedge(first, second, delay=2.0)) == ("here", ("first",), 3.0)
        assert (first.open, second.open) == (0, 0)

    in_virtual_time(scene())


def test_one_that_fails_leaves_the_answer_to_the_other() -> None:
    async def scene() -> None:
        first = PlayedBackend("first", [3.0, Unreachable("gone")])
        second = PlayedBackend("second", [5.0, *words("here")])
        assert await ask(Hedge(first, second, delay=2.0)) == ("here", ("second",), 7.0)

    in_virtual_time(scene())


def test_a_failure_before_the_delay_is_the_answer() -> None:
    async def scene() -> None:
        first, second = PlayedBackend("first", [1.0, Unreachable("gone")]), PlayedBackend("second", words("?"))
        with pytest.raises(Unreachable):
            await ask(Hedge(first, second, delay=2.0))
        assert second.asked == 0

    in_virtual_time(scene())


def test_where_both_fail_the_first_ones_error_is_raised() -> None:
    async def scene() -> None:
        first, second = PlayedBackend("a", [9.0, Unreachable("gone")]), PlayedBackend("b", [ProviderFailed("ill")])
        with pytest.raises(Unreachable):
            await ask(Hedge(first, second, delay=2.0))

    in_virtual_time(scene())


def test_cancelling_leaves_nobody_at_work() -> None:
    async def scene() -> None:
        first = PlayedBackend("first", [TextDelta(""), 30.0])
        second = PlayedBackend("second", [TextDelta(""), 30.0])
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(10.0):
                await Hedge(first, second, delay=2.0).ask(question())
        assert (first.asked, second.asked) == (1, 1)
        assert (first.open, second.open) == (0, 0)

    in_virtual_time(scene())


def test_the_second_never_sees_what_the_first_has_signed() -> None:
    async def scene() -> None:
        first = PlayedBackend("a", [ThoughtDelta("hm", "sealed"), Finished(Finish.STOP)], [30.0, *words("late")])
        second = PlayedBackend("b", words("here"))
        hedge = Hedge(first, second, delay=2.0)
        await read(await hedge.ask(question()))
        thought = Message(ChatRole.ASSISTANT, Contents((Thought("hm", "sealed"),)))
        request = ChatRequest(ModelContext(messages=(thought, Message.of(ChatRole.USER, "and?"))))
        await read(await hedge.ask(request))

        assert first.requests[1].context.messages[0] == thought
        assert [message.text for message in second.requests[0].context.messages] == ["and?"]

    in_virtual_time(scene())


def test_who_has_won_is_closed_where_nobody_waits_any_more_while_the_other_ends() -> None:
    class Clinging(PlayedBackend):
        async def ask(self, request: ChatRequest):
            try:
                await asyncio.sleep(30)
            finally:
                await asyncio.sleep(1)

    async def scene() -> None:
        slow, fast = Clinging("slow"), PlayedBackend("fast", words("here"))
        asking = asyncio.get_running_loop().create_task(Hedge(slow, fast, delay=2.0).ask(question()))
        await asyncio.sleep(2.5)
        asking.cancel()
        await asyncio.wait([asking])
        assert asking.cancelled()
        assert (fast.asked, fast.open) == (1, 0)

    in_virtual_time(scene())
