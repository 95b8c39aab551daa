"""Tools are run within limits: checked arguments, a time limit, a budget, and nothing late counts."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from doubles import virtual_time

from companion.errors import (
    BadArguments,
    BadTool,
    DuplicateCall,
    ToolFailed,
    ToolTimeout,
    TooManyCalls,
    UnknownTool,
)
from companion.model import CallBudget, FuncTool, Toolkit, ToolResult
from companion.stream import FuncCall, MessageChunk, Role, StreamBuilder, ToolCall

ANY: dict[str, object] = {"type": "object"}


def call(id: str = "1", name: str = "double", arguments: str = '{"number": 4}') -> ToolCall:  # noqa: A002
    return ToolCall(id, FuncCall(name, arguments))


class Counted:
    """A tool that counts how often it ran."""

    def __init__(self) -> None:
        self.runs = 0

    async def double(self, number: int) -> int:
        """Twice a number."""
        self.runs += 1
        return 2 * number


async def test_a_call_is_answered_under_its_id() -> None:
    toolkit = Toolkit([FuncTool.of(Counted().double)])

    assert await toolkit.run(call("call_7"), CallBudget()) == ToolResult("call_7", "8")


async def test_a_tool_that_is_not_async_leaves_the_loop_free() -> None:
    def where(number: int) -> bool:
        return threading.current_thread() is threading.main_thread()

    assert await Toolkit([FuncTool.of(where)]).invoke(call(name="where").func_call) == "false"


@dataclass
class Weather:
    sky: str
    degrees: float


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ("it rains\n", "it rains\n"),
        (None, "null"),
        (True, "true"),
        ({"b": 1, "a": "中"}, '{"b": 1, "a": "中"}'),
        (Weather("grey", 3.5), '{"sky": "grey", "degrees": 3.5}'),
        ([Weather("blue", 0.0)], '[{"sky": "blue", "degrees": 0.0}]'),
    ],
)
async def test_a_result_is_text_as_it_is_or_json(result: object, text: str) -> None:
    toolkit = Toolkit([FuncTool("give", "", ANY, lambda: result)])

    assert await toolkit.invoke(FuncCall("give", "{}")) == text


@pytest.mark.parametrize(("result", "why"), [(object(), "nothing like object"), (float("nan"), "not JSON compliant")])
async def test_a_result_json_cannot_carry_is_the_tools_fault(result: object, why: str) -> None:
    toolkit = Toolkit([FuncTool("give", "", ANY, lambda: result)])

    with pytest.raises(ToolFailed, match=f"the tool 'give' failed: .*{why}"):
        await toolkit.invoke(FuncCall("give", "{}"))


async def test_a_tool_that_fails_says_why_in_one_line() -> None:
    def read() -> None:
        raise OSError("no such\nfile")

    with pytest.raises(ToolFailed, match="the tool 'read' failed: no such file") as caught:
        await Toolkit([FuncTool.of(read)]).invoke(FuncCall("read", "{}"))

    assert isinstance(caught.value.__cause__, OSError)


async def test_a_tool_that_cancels_itself_cancels_nobody_else() -> None:
    async def give_up() -> None:
        raise asyncio.CancelledError

    with pytest.raises(ToolFailed, match="CancelledError"):
        await Toolkit([FuncTool.of(give_up)]).invoke(FuncCall("give_up", ""))


async def test_arguments_are_checked_before_anything_runs() -> None:
    counted = Counted()

    with pytest.raises(BadArguments, match="at number: 'four' is not of type 'integer'"):
        await Toolkit([FuncTool.of(counted.double)]).invoke(FuncCall("double", '{"number": "four"}'))

    assert counted.runs == 0


async def test_a_call_of_an_unknown_tool_is_delivered_and_refused_when_it_is_run() -> None:
    toolkit = Toolkit([FuncTool.of(Counted().double)])
    builder = StreamBuilder()
    await builder.add(MessageChunk(Role.MODEL, tool_call=call(name="treble")))
    builder.done()

    chunk = await builder.stream.next()
    assert chunk.tool_call is not None
    assert chunk.tool_call.func_call.name == "treble"
    with pytest.raises(UnknownTool, match="there is no tool 'treble'") as caught:
        await toolkit.run(chunk.tool_call, CallBudget())
    assert (caught.value.tool, caught.value.mend) == ("treble", "there are: double")


async def test_the_33rd_call_of_a_turn_is_refused_and_does_not_run() -> None:
    counted = Counted()
    toolkit, budget = Toolkit([FuncTool.of(counted.double)]), CallBudget()
    for number in range(32):
        await toolkit.run(call(str(number)), budget)

    with pytest.raises(TooManyCalls, match="'double' would be call 33 of this turn, which may make 32"):
        await toolkit.run(call("33"), budget)

    assert (counted.runs, budget.left) == (32, 0)


async def test_a_call_id_that_comes_twice_is_refused_and_does_not_run() -> None:
    counted = Counted()
    toolkit, budget = Toolkit([FuncTool.of(counted.double)]), CallBudget()
    await toolkit.run(call("a"), budget)

    with pytest.raises(DuplicateCall, match="the call 'a' of 'double' came before"):
        await toolkit.run(call("a"), budget)

    assert (counted.runs, budget.left) == (1, 31)


async def test_two_calls_of_one_id_at_the_same_time_run_once() -> None:
    counted = Counted()
    toolkit, budget = Toolkit([FuncTool.of(counted.double)]), CallBudget()

    outcomes = await asyncio.gather(*(toolkit.run(call("a"), budget) for _ in range(2)), return_exceptions=True)

    assert [type(outcome) for outcome in outcomes] == [ToolResult, DuplicateCall]
    assert counted.runs == 1


async def test_a_call_that_cannot_run_takes_nothing_from_the_budget() -> None:
    toolkit, budget = Toolkit([FuncTool.of(Counted().double)]), CallBudget()
    for broken in (call(name="treble"), call(arguments="{}"), call(arguments="four")):
        with pytest.raises((UnknownTool, BadArguments)):
            await toolkit.run(broken, budget)

    assert budget.left == 32
    assert await toolkit.run(call(), budget) == ToolResult("1", "8")


async def test_a_tool_that_calls_tools_of_its_own_spends_the_same_budget() -> None:
    budget = CallBudget(2)
    inner = Toolkit([FuncTool.of(Counted().double)])

    async def ask(number: int) -> str:
        return (await inner.run(call(f"inner {number}"), budget)).result

    outer = Toolkit([FuncTool.of(ask)])
    assert await outer.run(call("outer 1", "ask"), budget) == ToolResult("outer 1", "8")

    with pytest.raises(TooManyCalls):
        await outer.run(call("outer 2", "ask"), budget)


def test_a_call_over_its_limit_is_ended() -> None:
    ended = []

    async def wait(number: int) -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            ended.append(number)

    async def scene() -> None:
        with pytest.raises(ToolTimeout, match="the tool 'wait' took longer than 30 s") as caught:
            await Toolkit([FuncTool.of(wait)]).invoke(call(name="wait").func_call)
        assert isinstance(caught.value, TimeoutError)
        assert asyncio.get_running_loop().time() == pytest.approx(30.0)

    virtual_time.run(scene())

    assert ended == [4]


def test_a_result_that_comes_after_the_limit_is_dropped() -> None:
    async def late(number: int) -> str:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            return "too late"
        return "never"

    async def scene() -> None:
        with pytest.raises(ToolTimeout):
            await Toolkit([FuncTool.of(late)], limit_seconds=2.0).invoke(call(name="late").func_call)

    virtual_time.run(scene())


def test_a_tool_that_ignores_its_end_holds_nobody_up() -> None:
    async def stubborn(number: int) -> str:
        for _ in range(number):
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                continue
        raise RuntimeError("nobody hears this")

    async def scene() -> None:
        loop = asyncio.get_running_loop()
        with pytest.raises(ToolTimeout):
            await Toolkit([FuncTool.of(stubborn)], limit_seconds=2.0).invoke(call(name="stubborn").func_call)
        assert loop.time() < 2.5
        await asyncio.sleep(300)

    virtual_time.run(scene())


async def test_a_turn_that_is_cancelled_ends_its_call() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with asyncio.timeout(5), asyncio.TaskGroup() as turn:
        running = turn.create_task(Toolkit([FuncTool.of(wait)]).invoke(FuncCall("wait", "")))
        await begun.wait()
        running.cancel()

    assert running.cancelled()
    assert ended.is_set()


async def test_calls_run_at_the_same_time() -> None:
    both = asyncio.Barrier(2)

    async def meet(number: int) -> int:
        async with asyncio.timeout(5):
            await both.wait()
        return number

    toolkit = Toolkit([FuncTool.of(meet)])
    calls = [FuncCall("meet", f'{{"number": {number}}}') for number in (1, 2)]

    assert await asyncio.gather(*(toolkit.invoke(one) for one in calls)) == ["1", "2"]


DOUBLE = FuncTool.of(Counted().double)


@pytest.mark.parametrize(
    ("tools", "why"),
    [
        ([replace(DOUBLE, name=" ")], "a tool has no name"),
        ([replace(DOUBLE, function=None)], "tool 'double': it has no function to run"),
        ([DOUBLE, replace(DOUBLE, name="double ")], "tool 'double': there are two of this name"),
        ([replace(DOUBLE, parameters={})], "tool 'double': its parameters are no schema of an object"),
    ],
)
def test_a_tool_that_cannot_be_offered_is_refused(tools: list[FuncTool], why: str) -> None:
    with pytest.raises(BadTool, match=why):
        Toolkit(tools)


def test_tools_keep_their_order_and_are_tidied() -> None:
    names = ["zoo", " ape ", "bee"]
    toolkit = Toolkit(replace(DOUBLE, name=name, description=" What. ") for name in names)

    assert [(tool.name, tool.description) for tool in toolkit.tools] == [
        ("zoo", "What."),
        ("ape", "What."),
        ("bee", "What."),
    ]


def schemas(toolkit: Toolkit, given: dict[str, object]) -> Iterator[dict[str, object]]:
    yield given
    (tool,) = toolkit.tools
    assert isinstance(tool.parameters, dict)
    yield tool.parameters


async def test_changing_a_schema_outside_changes_nothing_inside() -> None:
    given: dict[str, object] = {"type": "object", "properties": {"number": {"type": "integer"}}}
    toolkit = Toolkit([replace(DOUBLE, parameters=given)])

    for schema in schemas(toolkit, given):
        schema["properties"] = {"number": {"type": "string"}}

    assert await toolkit.invoke(call().func_call) == "8"
    assert toolkit.tools[0].parameters["properties"] == {"number": {"type": "integer"}}
