"""Inputs that are not the user's: they wait, pass the same stages, and leave by their own channel or not at all."""

from __future__ import annotations

import asyncio

import pytest
from doubles import virtual_time
from doubles.acting import Remembering, Scene
from doubles.chat_backend import calls, says

from companion.agent.output import TextChannel
from companion.agent.scheduler import CONSOLIDATION, Fate, Input, Priority
from companion.agent.stages import StageContext
from companion.stream.tasks import Tasks


class House:
    """A scene whose scheduler is at work, with a screen."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.shown: list[str] = []
        self.fates: list[Fate] = []
        self.answers: list[str] = []
        self.tasks = Tasks()
        outputs = scene.agent.registry.outputs
        outputs.add(TextChannel("screen", lambda delivery: self.shown.append(str(delivery.content))))

    async def __aenter__(self) -> House:
        self.tasks.start(self.scene.agent.scheduler.run(), name="scheduler")
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.tasks.close()
        await self.scene.agent.close()

    def submit(self, text: str, priority: Priority = Priority.PLUGIN, channel: str = "screen") -> None:
        self.scene.agent.scheduler.submit(
            Input(
                text,
                channel,
                priority,
                "washer",
                on_answer=self.answers.append,
                on_end=self.fates.append,
            )
        )


def test_an_input_of_a_plugin_is_answered_on_its_channel() -> None:
    async def scene() -> None:
        memory = Remembering()
        async with House(Scene(says("The washing is done."), memory=memory)) as house:
            house.submit("The washer has ended.")
            await asyncio.sleep(1)

            assert house.shown == ["The washing is done."]
            assert house.fates == [Fate.DONE]
            assert house.scene.endings() == ["answered"]
            # Its words are nobody's facts, and no part of what the user said.
            assert [kept.said for kept in memory.appended] == ["The washer has ended."]
            assert memory.considered == []
            assert house.scene.session.entries == ()

    virtual_time.run(scene())


def test_commands_are_the_users_alone() -> None:
    async def scene() -> None:
        async with House(Scene(says("I do not know."))) as house:
            house.submit("What time is it?")
            await asyncio.sleep(1)
            assert house.shown == ["I do not know."]

    virtual_time.run(scene())


def test_a_task_of_the_self_stays_inside() -> None:
    async def scene() -> None:
        async with House(Scene(says("different"))) as house:
            house.submit("Are they the same?", Priority.SELF, CONSOLIDATION)
            await asyncio.sleep(1)

            assert (house.shown, house.answers, house.fates) == ([], ["different"], [Fate.DONE])

    virtual_time.run(scene())


def test_a_consolidation_gives_way_to_the_user_and_is_asked_again() -> None:
    async def scene() -> None:
        async with House(Scene([50.0, *says("never")], says("Once upon a time."), says("merge"))) as house:
            house.submit("Are they the same?", Priority.SELF, CONSOLIDATION)
            await asyncio.sleep(1)
            assert house.scene.backend is not None
            assert house.scene.backend.open_sources == 1
            began = asyncio.get_running_loop().time()

            assert await house.scene.turn() == "Once upon a time."
            assert asyncio.get_running_loop().time() - began < 0.01
            await asyncio.sleep(5)

            assert house.answers == ["merge"]
            assert house.fates == [Fate.DONE]
            assert sorted(house.scene.endings()) == ["answered", "answered", "dropped"]
            begun = [event for event in house.scene.events if event.kind == "raw_input"]
            assert len(begun) == 3

    virtual_time.run(scene())


def test_nothing_begins_while_the_user_is_being_answered() -> None:
    async def scene() -> None:
        async with House(Scene(says("Once upon a time."), says("The washing is done."))) as house:
            answer = await house.scene.ask()
            answer.confirm()
            house.submit("The washer has ended.")
            await asyncio.sleep(5)
            assert house.shown == []
            words = [chunk async for chunk in answer.text]
            assert words
            await house.scene.agent.commit(answer, "Once upon a time.", whole=True)
            await asyncio.sleep(5)
            assert house.shown == ["The washing is done."]

    virtual_time.run(scene())


def test_what_acts_is_not_cut_in_two() -> None:
    sent: list[str] = []

    async def send_mail(to: str) -> str:
        """Send a mail."""
        sent.append("begun")
        await asyncio.sleep(2)
        sent.append("ended")
        return "sent"

    async def scene() -> None:
        script = [calls(("send_mail", '{"to": "Emma"}')), says("Once upon a time."), says("It is sent.")]
        async with House(Scene(*script, tools=[send_mail])) as house:
            house.submit("Mail Emma.")
            await asyncio.sleep(1)
            assert await house.scene.turn() == "Once upon a time."
            assert sent == ["begun"]
            await asyncio.sleep(10)
            assert sent == ["begun", "ended"]
            assert house.fates == [Fate.GIVEN_UP]

    virtual_time.run(scene())


@pytest.mark.parametrize("channel", ["nowhere", "screen"])
def test_what_a_handler_answers_goes_out_too(channel: str) -> None:
    async def scene() -> None:
        after: list[str] = []

        async def look(context: StageContext) -> None:
            after.append(context.final_text)

        own = Scene(says("Never."))
        own.on("on_input", response="Done.")
        own.on("after_output", look)
        async with House(own) as house:
            house.submit("The washer has ended.", channel=channel)
            await asyncio.sleep(1)

            was_shown = channel == "screen"
            assert house.shown == (["Done."] if was_shown else [])
            assert after == (["Done."] if was_shown else [""])
            assert house.fates == [Fate.DONE]

    virtual_time.run(scene())
