"""A child does one task with what it was granted, and gives one text."""

from __future__ import annotations

import asyncio

import pytest
from doubles import virtual_time
from doubles.chat_backend import ScriptedBackend, calls, says

from companion.agent.bus import Bus
from companion.agent.child import DEADLINE, MOST_AT_ONCE, ROUNDS, Children, ChildResult, ChildState
from companion.agent.guests import Guests
from companion.agent.output import Outputs, TextChannel
from companion.agent.safety import SENSITIVE, Sensitive
from companion.agent.tools import output_tool
from companion.errors import ModelDied, ToolDenied, UnknownTool
from companion.model import FuncTool


class Family:
    """Children of a scripted model, and what they have done."""

    def __init__(self, *answers) -> None:
        self.backend = ScriptedBackend(*answers)
        self.sent: list[str] = []
        self.looked: list[str] = []
        self.ended: list[ChildResult] = []
        guests = Guests()
        outputs = Outputs(Bus(guests), guests)
        outputs.add(TextChannel("screen", lambda delivery: self.sent.append(str(delivery.content))))

        async def look(what: str) -> str:
            """Look."""
            self.looked.append(what)
            return "seen"

        async def memory_commit(what: str) -> str:
            """Write."""
            return "kept"

        write = FuncTool.of(memory_commit)
        write.meta[SENSITIVE] = Sensitive.MEMORY_WRITE  # type: ignore[index]
        tools = [output_tool(outputs), FuncTool.of(look), write]
        self.children = Children(self.backend, lambda: tools, on_end=self.ended.append)  # type: ignore[arg-type]

    async def end(self) -> None:
        for number in range(1, 10):
            await self.children.wait(f"child_{number}")


def test_a_child_gives_one_text_that_is_fetched_once() -> None:
    async def scene() -> None:
        family = Family(says("Four."))
        name = family.children.spawn("What is two and two?")
        assert (name, family.children.state(name)) == ("child_1", ChildState.RUNNING)
        await family.end()

        assert family.ended == [ChildResult("child_1", ChildState.DONE, "Four.")]
        assert family.children.state(name) is ChildState.DONE
        assert family.children.result(name) == ChildResult("child_1", ChildState.DONE, "Four.")
        assert family.children.result(name) is None
        assert family.children.state(name) is None
        await family.children.close()

    virtual_time.run(scene())


def test_a_child_sees_its_task_alone_and_may_only_send() -> None:
    async def scene() -> None:
        send = calls(("output_send", '{"channel": "screen", "content": "Half way."}'))
        family = Family(send, calls(("look", '{"what": "a"}')), says("Done."))
        family.children.spawn("Do it.")
        await family.end()

        request = family.backend.requests[0]
        assert [tool.name for tool in request.context.tools] == ["output_send"]
        assert [message.text for message in request.context.messages] == ["Do it."]
        assert family.sent == ["Half way."]
        assert family.looked == []
        await family.children.close()

    virtual_time.run(scene())


def test_a_parent_can_grant_a_tool_by_name() -> None:
    async def scene() -> None:
        family = Family(calls(("look", '{"what": "a"}')), says("Done."))
        family.children.spawn("Do it.", grant=["look"])
        await family.end()

        assert family.looked == ["a"]
        with pytest.raises(UnknownTool):
            family.children.spawn("Do it.", grant=["fly"])
        with pytest.raises(ToolDenied, match="not for children"):
            family.children.spawn("Do it.", grant=["memory_commit"])
        await family.children.close()

    virtual_time.run(scene())


def test_a_child_has_five_rounds() -> None:
    async def scene() -> None:
        family = Family(*(calls(("look", f'{{"what": "{number}"}}')) for number in range(20)))
        name = family.children.spawn("Do it.", grant=["look"])
        await family.end()

        assert len(family.looked) == ROUNDS
        result = family.children.result(name)
        assert result == ChildResult(name, ChildState.TIMEOUT, "timeout (over 5 rounds)")
        await family.children.close()

    virtual_time.run(scene())


def test_a_child_that_takes_too_long_or_is_cancelled_has_ended() -> None:
    async def scene() -> None:
        family = Family([1e6])
        family.children.spawn("Wait.")
        assert not family.children.cancel("child_9")
        second = family.children.spawn("Wait, too.")
        third = family.children.spawn("And wait.")
        assert family.children.cancel(third)  # before its first step
        await asyncio.sleep(1)
        assert family.children.cancel(second)
        await asyncio.sleep(1)
        await family.end()

        assert asyncio.get_running_loop().time() == pytest.approx(DEADLINE, abs=0.1)
        assert {result.id: result.state for result in family.ended} == {
            "child_1": ChildState.TIMEOUT,
            "child_2": ChildState.CANCELLED,
            "child_3": ChildState.CANCELLED,
        }
        assert len(family.ended) == 3
        await family.children.close()

    virtual_time.run(scene())


def test_a_child_whose_model_dies_has_failed() -> None:
    async def scene() -> None:
        family = Family(ModelDied("gone"))
        name = family.children.spawn("Do it.")
        await family.end()

        assert family.children.result(name) == ChildResult(name, ChildState.FAILED, "gone")
        await family.children.close()

    virtual_time.run(scene())


def test_there_are_only_so_many_at_once() -> None:
    async def scene() -> None:
        family = Family([1e6])
        for _ in range(MOST_AT_ONCE):
            family.children.spawn("Wait.")
        with pytest.raises(ToolDenied, match="at work already"):
            family.children.spawn("Wait.")
        with pytest.raises(ToolDenied, match="characters"):
            family.children.spawn(" ")
        await family.children.close()

    virtual_time.run(scene())


async def test_without_a_model_there_are_no_children() -> None:
    with pytest.raises(ToolDenied, match="no model"):
        Children(None, list).spawn("Do it.")
