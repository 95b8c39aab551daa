"""Inputs wait for their turn, give way to the user, and end once."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest
from doubles import virtual_time
from hypothesis import given
from hypothesis import strategies as st

from companion.agent.scheduler import CONSOLIDATION, MOST_TRIES, MOST_WAITING, Fate, Input, Priority, Run, Scheduler
from companion.stream.tasks import Tasks


class Desk:
    """A scheduler at work, and what became of everything. seconds: how long an input takes."""

    def __init__(self, *, seconds: float = 1.0, **options: Any) -> None:
        self.seconds = seconds
        self.begun: list[str] = []
        self.done: list[str] = []
        self.fates: list[tuple[str, str]] = []
        self.errors: dict[str, Exception] = {}
        self.acts: set[str] = set()
        self.scheduler = Scheduler(self.perform, **options)
        self.tasks = Tasks()

    async def perform(self, given: Input, run: Run) -> None:
        self.begun.append(given.text)
        if given.text in self.errors:
            raise self.errors[given.text]
        if given.text in self.acts:
            async with run.acting():
                await asyncio.sleep(self.seconds)
        await asyncio.sleep(self.seconds)
        self.done.append(given.text)

    def submit(self, text: str, priority: Priority = Priority.SELF) -> bool:
        fate = lambda fate: self.fates.append((text, fate.value))  # noqa: E731 - it needs the name
        return self.scheduler.submit(Input(text, CONSOLIDATION, priority, "test", on_end=fate))

    async def __aenter__(self) -> Desk:
        self.tasks.start(self.scheduler.run(), name="scheduler")
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.tasks.close()
        await self.scheduler.close()


def test_the_user_goes_first_then_plugins_then_the_self() -> None:
    async def scene() -> None:
        async with Desk() as desk:
            desk.submit("self 1")
            desk.submit("self 2")
            desk.submit("plugin", Priority.PLUGIN)
            desk.submit("user", Priority.USER)
            await asyncio.sleep(10)
        assert desk.done == ["user", "plugin", "self 1", "self 2"]
        assert Counter(fate for _, fate in desk.fates) == {"done": 4}

    virtual_time.run(scene())


def test_a_running_task_of_the_self_gives_way_at_once_and_is_asked_again() -> None:
    async def scene() -> None:
        async with Desk(seconds=5) as desk:
            desk.submit("merge")
            await asyncio.sleep(1)
            began = asyncio.get_running_loop().time()
            desk.scheduler.user_begins()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert asyncio.get_running_loop().time() == began
            assert not desk.scheduler._current
            assert desk.scheduler.is_busy
            await asyncio.sleep(60)
            assert desk.begun == ["merge"]
            desk.scheduler.user_ends()
            await asyncio.sleep(10)
        assert desk.begun == ["merge", "merge"]
        assert desk.fates == [("merge", "done")]

    virtual_time.run(scene())


def test_what_acts_comes_to_its_end_before_it_gives_way() -> None:
    async def scene() -> None:
        async with Desk(seconds=5) as desk:
            desk.acts = {"send", "merge"}
            desk.submit("send", Priority.PLUGIN)
            await asyncio.sleep(1)
            desk.scheduler.user_begins()
            await asyncio.sleep(3)
            assert desk.fates == []
            await asyncio.sleep(3)
            # It has acted, so to ask it again would act twice.
            assert desk.fates == [("send", "given up")]
            desk.scheduler.user_ends()
            desk.submit("merge")
            await asyncio.sleep(1)
            desk.scheduler.user_begins()
            desk.scheduler.user_ends()
            await asyncio.sleep(30)
        assert desk.begun == ["send", "merge", "merge"]
        assert desk.fates[1:] == [("merge", "done")]

    virtual_time.run(scene())


def test_an_input_that_always_gives_way_is_given_up_in_the_end() -> None:
    async def scene() -> None:
        async with Desk(seconds=5) as desk:
            desk.submit("merge")
            for _ in range(MOST_TRIES + 2):
                await asyncio.sleep(1)
                desk.scheduler.user_begins()
                await asyncio.sleep(1)
                desk.scheduler.user_ends()
        assert desk.fates == [("merge", "given up")]
        assert len(desk.begun) == MOST_TRIES

    virtual_time.run(scene())


def test_a_failing_input_ends_and_the_next_one_goes_on() -> None:
    async def scene() -> None:
        async with Desk() as desk:
            desk.errors["bad"] = ValueError("no")
            desk.submit("bad", Priority.PLUGIN)
            desk.submit("good", Priority.PLUGIN)
            await asyncio.sleep(10)
        assert desk.fates == [("bad", "failed"), ("good", "done")]

    virtual_time.run(scene())


def test_one_that_hangs_is_ended() -> None:
    async def scene() -> None:
        async with Desk(seconds=1e6) as desk:
            desk.submit("hang", Priority.PLUGIN)
            await asyncio.sleep(301)
        assert desk.fates == [("hang", "failed")]

    virtual_time.run(scene())


def test_the_self_waits_until_it_may_run() -> None:
    async def scene() -> None:
        allowed = False
        async with Desk(may_run=lambda: allowed) as desk:
            desk.submit("merge")
            desk.submit("plugin", Priority.PLUGIN)
            await asyncio.sleep(10)
            assert desk.done == ["plugin"]
            allowed = True
            desk.scheduler.look_again()
            await asyncio.sleep(10)
        assert desk.done == ["plugin", "merge"]

    virtual_time.run(scene())


def test_the_queue_is_bounded_and_the_more_urgent_takes_the_last_place() -> None:
    async def scene() -> None:
        desk = Desk()
        assert all(desk.submit(str(number)) for number in range(MOST_WAITING))
        assert not desk.submit("one more")
        assert desk.submit("urgent", Priority.PLUGIN)
        assert desk.fates == [("one more", "turned away"), (str(MOST_WAITING - 1), "turned away")]
        assert len(desk.scheduler) == MOST_WAITING
        await desk.scheduler.close()
        assert len(desk.fates) == MOST_WAITING + 2
        assert not desk.submit("too late")

    virtual_time.run(scene())


STEPS = st.lists(
    st.tuples(st.sampled_from(["self", "plugin", "user", "begin", "end", "wait"]), st.floats(0, 3)), max_size=25
)


@given(steps=STEPS)
def test_every_input_ends_exactly_once(steps: list[tuple[str, float]]) -> None:
    async def scene() -> None:
        async with Desk(seconds=1) as desk:
            submitted, users = 0, 0
            for number, (step, seconds) in enumerate(steps):
                match step:
                    case "begin":
                        users += 1
                        desk.scheduler.user_begins()
                    case "end" if users:
                        users -= 1
                        desk.scheduler.user_ends()
                    case "self" | "plugin" | "user":
                        submitted += 1
                        if number % 3 == 0:
                            desk.acts.add(str(number))
                        desk.submit(str(number), Priority[step.upper()])
                    case _:
                        pass
                await asyncio.sleep(seconds)
        ended = Counter(name for name, _ in desk.fates)
        assert sum(ended.values()) == submitted
        assert all(count == 1 for count in ended.values())
        assert {fate for _, fate in desk.fates} <= {fate.value for fate in Fate}

    virtual_time.run(scene())


@pytest.mark.parametrize("priority", list(Priority))
def test_an_input_says_whose_it_is(priority: Priority) -> None:
    assert Input("a", "b", priority).origin.value == priority.name.lower()
