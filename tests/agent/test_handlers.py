"""Handlers run in order, within their time, and none of them ends a turn by failing."""

from __future__ import annotations

import asyncio
import random
import time

import pytest
from doubles import virtual_time
from doubles.said import MONDAY

from companion.agent.guests import Failure, Guests
from companion.agent.handlers import PLUGIN_SECONDS, Handler, Handlers
from companion.agent.stages import About, Stage, StageContext, StageFunction
from companion.agent.turns import Turn


def adding(letter: str) -> StageFunction:
    async def add(context: StageContext) -> None:
        await asyncio.sleep(random.random() / 1000)
        context.llm_text += letter

    return add


async def run(*handlers: Handler, guests: Guests | None = None, stage: Stage = Stage.POST_ACTION) -> tuple[str, Turn]:
    own = Handlers(guests or Guests())
    for handler in handlers:
        own.add(handler)
    turn = Turn(About(1, "voice", "en", MONDAY), "Hello.")
    passing: dict[str, object] = {"llm_text": "", "tool_calls": ()}
    await own.run(stage, turn, passing)
    return str(passing["llm_text"]), turn


def at(function: StageFunction, owner: str = "guest", priority: int = 0, seconds: float = 1.0) -> Handler:
    return Handler(Stage.POST_ACTION, function, owner, priority, seconds=seconds)


async def test_two_handlers_of_one_text_give_the_same_result_a_hundred_times() -> None:
    found = {(await run(at(adding("a")), at(adding("b"))))[0] for _ in range(100)}

    assert found == {"ab"}


async def test_the_lower_priority_goes_first_and_then_who_came_first() -> None:
    text, _ = await run(
        at(adding("c"), priority=5), at(adding("a"), priority=-1), at(adding("b")), at(adding("d"), priority=5)
    )

    assert text == "abcd"


async def test_what_a_failing_handler_wrote_is_dropped_and_the_others_go_on() -> None:
    async def fail(context: StageContext) -> None:
        context.llm_text = "half"
        raise ValueError("no more\nthan this")

    text, turn = await run(at(adding("a")), at(fail, "broken"), at(adding("b")))

    assert text == "ab"
    assert turn.failures == [Failure("broken", "post_action", "no more than this")]


async def test_a_forbidden_write_is_a_failure_that_names_stage_and_field() -> None:
    async def write(context: StageContext) -> None:
        context.final_text = "mine"

    _, turn = await run(at(write))

    assert "final_text" in turn.failures[0].reason
    assert "post_action" in turn.failures[0].reason


@pytest.mark.parametrize("error", [SystemExit(3), asyncio.CancelledError(), KeyError("x"), TimeoutError()])
async def test_nothing_a_handler_raises_ends_the_turn(error: BaseException) -> None:
    async def fail(context: StageContext) -> None:
        raise error

    text, turn = await run(at(fail), at(adding("b"), "other"))

    assert text == "b"
    assert len(turn.failures) == 1


def test_a_handler_that_takes_too_long_is_passed_over() -> None:
    late: list[str] = []

    async def dawdle(context: StageContext) -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(0.05)  # it cleans up
            try:
                context.llm_text = "late"
            finally:
                late.append("tried")

    async def scene() -> None:
        began = asyncio.get_running_loop().time()
        text, turn = await run(at(dawdle, seconds=0.5), at(adding("b"), "other"))

        assert text == "b"
        assert asyncio.get_running_loop().time() - began < 1
        assert turn.failures[0].owner == "guest"
        assert late == ["tried"]

    virtual_time.run(scene())


def test_one_that_ignores_being_cancelled_holds_nothing_up() -> None:
    ended = asyncio.Event()

    async def ignore(context: StageContext) -> None:
        for _ in range(3):
            try:
                await asyncio.sleep(10)
            except asyncio.CancelledError:
                continue
        ended.set()

    async def scene() -> None:
        began = asyncio.get_running_loop().time()
        text, _ = await run(at(ignore, seconds=0.5), at(adding("b"), "other"))

        assert text == "b"
        assert asyncio.get_running_loop().time() - began < 1
        await ended.wait()
        await asyncio.sleep(0)

    virtual_time.run(scene())


async def test_one_that_blocks_the_loop_has_failed_though_it_came_to_its_end() -> None:
    async def block(context: StageContext) -> None:
        time.sleep(0.03)  # noqa: ASYNC251 - that is the fault
        context.llm_text = "mine"

    text, turn = await run(at(block, seconds=0.01))

    assert text == ""
    assert "held up everything" in turn.failures[0].reason or "longer than" in turn.failures[0].reason


async def test_a_function_that_is_not_async_runs_on_a_thread() -> None:
    def shout(context: StageContext) -> None:
        time.sleep(0.001)
        context.llm_text = "A"

    assert (await run(at(shout)))[0] == "A"


def test_who_keeps_failing_is_left_alone_and_looked_at_again() -> None:
    calls: list[int] = []

    async def fail(context: StageContext) -> None:
        calls.append(1)
        if len(calls) < 5:
            raise ValueError

    async def scene() -> None:
        guests = Guests(threshold=3, cooldown=60)
        for _ in range(10):
            await run(at(fail), guests=guests)
        assert len(calls) == 3
        assert guests.is_left_alone("guest")
        await asyncio.sleep(61)
        await run(at(fail), guests=guests)
        assert len(calls) == 4
        assert guests.is_left_alone("guest")
        await asyncio.sleep(61)
        await run(at(fail), guests=guests)
        await run(at(fail), guests=guests)
        assert len(calls) == 6

    virtual_time.run(scene())


async def test_a_response_passes_over_the_rest_of_the_stage() -> None:
    async def answer(context: StageContext) -> None:
        context.response = "Done."

    text, turn = await run(at(adding("a")), at(answer, "quick"), at(adding("b")))

    assert (text, turn.response, turn.answered_by) == ("a", "Done.", "quick")


async def test_a_handler_that_was_taken_out_is_gone_and_no_other() -> None:
    own = Handlers(Guests())
    first, second = own.add(at(adding("a"))), own.add(at(adding("a")))
    first()
    first()

    assert len(own.at(Stage.POST_ACTION)) == 1
    second()
    assert own.at(Stage.POST_ACTION) == []


async def test_cancelling_the_turn_is_no_fault_of_the_handler() -> None:
    guests = Guests(threshold=1)
    begun = asyncio.Event()

    async def wait(context: StageContext) -> None:
        begun.set()
        await asyncio.sleep(60)

    task = asyncio.get_running_loop().create_task(run(at(wait), guests=guests))
    await begun.wait()
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert not guests.is_left_alone("guest")


async def test_who_may_not_see_the_memory_sees_an_empty_one() -> None:
    seen: list[object] = []

    async def look(context: StageContext) -> None:
        seen.append(context.memory)

    own = Handlers(Guests())
    own.add(Handler(Stage.PRE_ACTION, look, "a", sees_memory=False))
    own.add(Handler(Stage.PRE_ACTION, look, "b"))
    turn = Turn(About(1, "voice", "en", MONDAY), "Hello.")
    turn.values["memory"] = ("secret",)
    await own.run(Stage.PRE_ACTION, turn)

    assert seen == [(), ("secret",)]


async def test_notes_are_a_plugins_own_and_stay_for_the_turn() -> None:
    async def note(context: StageContext) -> None:
        context.notes["count"] = int(str(context.notes.get("count", 0))) + 1

    _, turn = await run(at(note, "a"), at(note, "a"), at(note, "b"))

    assert (turn.notes("a")["count"], turn.notes("b")["count"]) == (2, 1)


def test_all_handlers_of_one_plugin_share_its_time_in_a_turn() -> None:
    async def dawdle(context: StageContext) -> None:
        await asyncio.sleep(0.9)

    async def scene() -> None:
        began = asyncio.get_running_loop().time()
        text, turn = await run(*[at(dawdle) for _ in range(40)], at(adding("b"), "other"))

        assert text == "b"
        assert asyncio.get_running_loop().time() - began < PLUGIN_SECONDS + 1
        assert "had its time" in turn.failures[-1].reason

    virtual_time.run(scene())
