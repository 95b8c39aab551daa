"""The calls of a turn: each gets one result, in order and within bounds, whatever becomes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from doubles.chat_backend import ScriptedBackend, calls, says

from companion.errors import BadTool, ToolDenied, Unsupported
from companion.model import Calling, ChatRole, FuncTool, Message, ToolChoice, ToolResult
from companion.model.calls import CallDelta
from companion.model.chat import ChatModel
from companion.model.chat_options import with_answer_form, with_limits, with_timeouts, with_tool_choice
from companion.model.conversation import PassingConversation
from companion.model.deltas import Finish, Finished, TextDelta
from companion.model.event_order import EventOrder
from companion.model.response import ChatResponse
from companion.model.tool_builder import NewTool
from companion.model.tool_context import ToolContext, tool_context
from companion.stream import ToolCall


def results_of(conversation: PassingConversation) -> list[tuple[str, str]]:
    """Call ids and results, once it is sure that every call has one of its own."""
    results: list[tuple[str, str]] = []
    waiting: list[str] = []
    for message in conversation.messages:
        match message.payload:
            case ToolCall(id):
                waiting.append(id)
            case ToolResult(id, result, is_error):
                assert is_error == result.startswith("Error: ")
                assert waiting.pop(0) == id
                results.append((id, result))
            case _:
                assert not waiting
    assert not waiting
    assert len({call_id for call_id, _ in results}) == len(results)
    return results


class Counter:
    def __init__(self) -> None:
        self.ran: list[object] = []

    def note(self, what: str) -> str:
        """Notes something."""
        self.ran.append(what)
        return f"noted {what}"


async def turn(
    *answers: list[object] | Exception, tools: list[FuncTool], **asked: object
) -> tuple[ChatResponse, list[tuple[str, str]], ScriptedBackend]:
    backend = ScriptedBackend(*answers)  # type: ignore[arg-type]
    conversation = PassingConversation()
    asking = ChatModel(backend, tools=tools).prompt("?").session(conversation)
    options = asked.get("options", ())
    response = await asking.options(*options).call_stream()  # type: ignore[misc]
    EventOrder.check(response.events)
    assert not backend.open_sources
    return response, results_of(conversation), backend


async def test_tools_run_in_order_and_the_model_is_asked_again() -> None:
    counter = Counter()
    response, results, backend = await turn(
        calls(("note", '{"what": "a"}'), ("note", '{"what": "b"}')), says("Done."), tools=[FuncTool.of(counter.note)]
    )

    assert response.text == "Done."
    assert counter.ran == ["a", "b"]
    assert results == [("id0", "noted a"), ("id1", "noted b")]
    shown = backend.requests[1].context.messages
    assert [message.role for message in shown] == [
        ChatRole.USER, ChatRole.ASSISTANT, ChatRole.ASSISTANT, ChatRole.TOOL, ChatRole.TOOL
    ]  # fmt: skip
    assert response.messages == (*shown[1:], Message.of(ChatRole.ASSISTANT, "Done."))


async def test_the_loop_goes_on_where_one_of_two_tools_is_return_direct() -> None:
    direct = NewTool("weather").handler(lambda: "rain").return_direct().build()
    other = NewTool("time").handler(lambda: "noon").build()
    response, results, backend = await turn(calls(("weather", ""), ("time", "")), says("Wet."), tools=[direct, other])

    assert response.text == "Wet."
    assert len(backend.requests) == 2
    assert results == [("id0", "rain"), ("id1", "noon")]


async def test_where_all_tools_are_return_direct_the_model_is_not_asked_again() -> None:
    one = NewTool("weather").handler(lambda: "rain").return_direct().build()
    two = NewTool("time").handler(lambda: "noon").return_direct().build()
    response, results, backend = await turn(calls(("weather", ""), ("time", "")), tools=[one, two])

    assert response.text == "rain\nnoon"
    assert (response.finish_reason, response.is_terminal) == ("tool", True)
    assert len(backend.requests) == 1
    assert len(results) == 2
    assert response.messages[-1] == Message.of(ChatRole.ASSISTANT, "rain\nnoon")


async def test_a_return_direct_tool_that_failed_is_told_to_the_model() -> None:
    def weather() -> str:
        """The weather."""
        raise OSError("no line")

    tool = replace(FuncTool.of(weather), return_direct=True)
    response, results, _ = await turn(calls(("weather", "")), says("Sorry."), tools=[tool])

    assert response.text == "Sorry."
    assert results == [("id0", "Error: the tool 'weather' failed: no line")]


async def test_a_tool_that_does_not_exist_gets_an_error_for_a_result() -> None:
    tool = NewTool("time").handler(lambda: "noon").build()
    _, results, backend = await turn(calls(("clock", "")), says("?"), tools=[tool])

    assert results == [("id0", "Error: there is no tool 'clock' (there are: time)")]
    assert backend.requests[1].context.messages[-1].role is ChatRole.TOOL


async def slow() -> str:
    """Takes its time."""
    await asyncio.sleep(3600)
    return ""


def cancels_itself() -> str:
    """Cancels itself."""
    raise asyncio.CancelledError


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("broken", "{}", "Error: the tool 'broken' failed: no luck"),
        ("slow", "{}", "Error: the tool 'slow' took longer than 0.01 s"),
        ("note", "[1]", "Error: the arguments of 'note' do not fit: [1] is not of type 'object'"),
        ("note", '{"what": 3}', "Error: the arguments of 'note' do not fit at what: 3 is not of type 'string'"),
        ("cancels_itself", "{}", "Error: the tool 'cancels_itself' failed: CancelledError"),
    ],
)
async def test_whatever_goes_wrong_is_one_result(name: str, arguments: str, result: str) -> None:
    def broken() -> str:
        """Breaks."""
        raise ValueError("no luck")

    tools = [FuncTool.of(tool) for tool in (broken, slow, Counter().note, cancels_itself)]
    options = [with_timeouts(tool=0.01)]
    _, results, _ = await turn(calls((name, arguments)), says("ok"), tools=tools, options=options)

    assert results == [("id0", result)]


async def test_a_tool_may_know_better_how_long_it_takes() -> None:
    tool = replace(FuncTool.of(slow), limit_seconds=0.01)
    _, results, _ = await turn(calls(("slow", "")), says("ok"), tools=[tool])

    assert results == [("id0", "Error: the tool 'slow' took longer than 0.01 s")]


async def test_a_denied_call_is_told_and_the_others_run() -> None:
    class Gate:
        async def tool(
            self, call: ToolCall, context: ToolContext, proceed: Callable[[ToolCall], Awaitable[str]]
        ) -> str:
            if '"a"' in call.func_call.arguments:
                raise ToolDenied("the user said no", tool=call.func_call.name)
            return await proceed(call)

    counter = Counter()
    backend = ScriptedBackend(calls(("note", '{"what": "a"}'), ("note", '{"what": "b"}')), says("ok"))
    conversation = PassingConversation()
    model = ChatModel(backend, tools=[counter.note], interceptors=[Gate()])  # type: ignore[list-item]
    await model.prompt("?").session(conversation).call()

    assert results_of(conversation) == [("id0", "Error: the user said no"), ("id1", "noted b")]
    assert counter.ran == ["b"]


async def test_the_same_call_runs_once_and_is_stopped_at_the_third_repeat() -> None:
    counter = Counter()
    again = calls(("note", '{"what": "a"}'))
    spaced = calls(("note", '{"what":"a" }'))
    response, results, backend = await turn(again, spaced, again, again, says("ok"), tools=[FuncTool.of(counter.note)])

    assert counter.ran == ["a"]
    assert [result for _, result in results[:3]] == ["noted a"] * 3
    assert results[3][1].startswith("Error: this call was made 4 times")
    assert backend.requests[-1].tool_choice == ToolChoice(Calling.FORBIDDEN)
    assert len(backend.requests) == 5
    assert response.text == "ok"


async def test_the_same_call_twice_in_one_step_runs_once() -> None:
    counter = Counter()
    tool = replace(FuncTool.of(counter.note), is_parallel=True)
    one = ("note", '{"what": "a"}')
    _, results, _ = await turn(calls(one, one, one), says("ok"), tools=[tool])

    assert counter.ran == ["a"]
    assert [result for _, result in results] == ["noted a"] * 3


async def test_rounds_are_bounded_and_an_answer_is_asked_for() -> None:
    counter = Counter()
    wanted = [calls(("note", f'{{"what": "{number}"}}')) for number in range(3)]
    response, _, backend = await turn(
        *wanted, says("Enough."), tools=[FuncTool.of(counter.note)], options=[with_limits(rounds=3)]
    )

    assert response.text == "Enough."
    assert len(counter.ran) == 3
    assert [request.tool_choice for request in backend.requests] == [None] * 3 + [ToolChoice(Calling.FORBIDDEN)]


async def test_a_model_that_calls_for_ever_is_stopped() -> None:
    counter = Counter()
    many = [calls(("note", f'{{"what": "{number}"}}'), text="So") for number in range(20)]
    response, results, backend = await turn(*many, tools=[FuncTool.of(counter.note)])

    assert len(backend.requests) == 11
    assert len(counter.ran) == 10
    assert results[-1][1] == "Error: no more calls may be made in this turn"
    assert (response.text, response.finish_reason, response.is_terminal) == ("So", "length", True)


async def test_who_knows_no_tool_choice_is_asked_without_tools_in_the_end() -> None:
    counter = Counter()
    first = calls(("note", '{"what": "a"}'))
    response, _, backend = await turn(
        first,
        Unsupported("no choice"),
        says("ok"),
        tools=[FuncTool.of(counter.note)],
        options=[with_limits(rounds=1)],
    )

    assert response.text == "ok"
    assert backend.requests[-1].context.tools == ()


async def test_who_knows_neither_choice_nor_form_is_asked_in_words_and_without_tools() -> None:
    no = Unsupported("no")
    _, _, backend = await turn(
        no,
        no,
        says("{}"),
        tools=[FuncTool.of(Counter().note)],
        options=[with_limits(rounds=0), with_answer_form(NewTool("form").build())],
    )

    forms = [request.answer_form is not None for request in backend.requests]
    assert (forms, [len(request.context.tools) for request in backend.requests]) == ([True, False, False], [1, 1, 0])


async def test_the_calls_of_a_turn_are_bounded() -> None:
    counter = Counter()
    many = calls(*(("note", f'{{"what": "{number}"}}') for number in range(5)))
    _, results, _ = await turn(many, says("ok"), tools=[FuncTool.of(counter.note)], options=[with_limits(calls=3)])

    assert len(counter.ran) == 3
    assert results[3][1].startswith("Error: 'note' would be call 4 of this turn")


async def test_a_result_is_shown_up_to_a_size() -> None:
    tool = NewTool("long").handler(lambda: "x" * 100).build()
    _, results, _ = await turn(calls(("long", "")), says("ok"), tools=[tool], options=[with_limits(result=10)])

    assert results == [("id0", "x" * 10 + "... (cut off: it has 100 characters)")]


async def test_only_tools_that_say_so_run_side_by_side() -> None:
    running: list[str] = []
    most: list[int] = []

    async def work(what: str) -> str:
        """Works."""
        running.append(what)
        await asyncio.sleep(0.001)
        most.append(len(running))
        running.remove(what)
        return what

    wanted = calls(*(("work", f'{{"what": "{number}"}}') for number in range(3)))
    _, results, _ = await turn(wanted, says("ok"), tools=[FuncTool.of(work)])
    assert most == [1, 1, 1]

    most.clear()
    _, results, _ = await turn(wanted, says("ok"), tools=[replace(FuncTool.of(work), is_parallel=True)])
    assert max(most) == 3
    assert [result for _, result in results] == ["0", "1", "2"]


async def test_a_cancelled_turn_leaves_a_result_for_every_call() -> None:
    conversation = PassingConversation()
    counter = Counter()
    backend = ScriptedBackend(calls(("note", '{"what": "a"}'), ("slow", ""), ("note", '{"what": "b"}')), says("ok"))
    events = ChatModel(backend, tools=[counter.note, slow]).prompt("?").session(conversation).stream()
    async for event in events:
        if isinstance(event, ToolResult):
            break
    for _ in range(10):
        await asyncio.sleep(0)
    await events.aclose()

    assert counter.ran == ["a"]
    assert results_of(conversation) == [
        ("id0", "noted a"),
        ("id1", "Error: the turn was cancelled"),
        ("id2", "Error: the turn was cancelled"),
    ]


async def test_a_tool_knows_its_turn() -> None:
    seen: list[ToolContext] = []

    def look() -> str:
        """Looks around."""
        seen.append(tool_context())
        return "seen"

    conversation = PassingConversation()
    backend = ScriptedBackend(calls(("look", "")), says("ok"))
    await ChatModel(backend, tools=[look]).prompt("?").session(conversation).call()

    assert (seen[0].session, seen[0].call_id, seen[0].budget.left) == (conversation.name, "id0", 31)
    assert tool_context().session == ""


async def test_a_call_of_a_tool_that_is_only_declared_is_the_callers() -> None:
    counter = Counter()
    tools = [FuncTool.of(counter.note), NewTool("choose").string_param("what").build()]
    backend = ScriptedBackend(calls(("note", '{"what": "a"}'), ("choose", '{"what": "b"}')))
    response = await ChatModel(backend, tools=tools).generate("?")

    assert [call.func_call.name for call in response.tool_calls] == ["note", "choose"]
    assert not counter.ran


async def test_a_caller_that_answers_goes_on_with_the_session() -> None:
    conversation = PassingConversation()
    tools = [NewTool("choose").build()]
    model = ChatModel(ScriptedBackend(calls(("choose", "{}")), says("Fine.")), tools=tools)
    first = await model.prompt("?").session(conversation).call()
    answer = Message(ChatRole.TOOL, ToolResult(first.tool_calls[0].id, "the left one"))
    second = await model.prompt(answer).session(conversation).call()

    assert second.text == "Fine."
    assert results_of(conversation) == [("id0", "the left one")]


async def test_a_forced_call_is_forced_once() -> None:
    counter = Counter()
    _, _, backend = await turn(
        calls(("note", '{"what": "a"}')),
        says("ok"),
        tools=[FuncTool.of(counter.note)],
        options=[with_tool_choice(Calling.FORCED, "note")],
    )

    assert [request.tool_choice for request in backend.requests] == [
        ToolChoice(Calling.FORCED, ("note",)),
        ToolChoice(Calling.ALLOWED, ("note",)),
    ]


async def test_a_tool_that_may_not_be_called_is_not_run() -> None:
    counter = Counter()
    tools = [FuncTool.of(counter.note), NewTool("time").handler(lambda: "noon").build()]
    wanted = calls(("note", '{"what": "a"}'))
    _, results, _ = await turn(wanted, says("ok"), tools=tools, options=[with_tool_choice(Calling.ALLOWED, "time")])

    assert results == [("id0", "Error: there is no tool 'note' (there are: time)")]
    assert not counter.ran


async def test_ids_that_come_twice_are_told_apart() -> None:
    counter = Counter()
    first, second = calls(("note", '{"what": "a"}')), calls(("note", '{"what": "b"}'))
    twice = [CallDelta(0, "x", "note", '{"what": "c"}'), CallDelta(1, "x", "note", '{"what": "d"}'), *first[1:]]
    _, results, _ = await turn(first, second, twice, says("ok"), tools=[FuncTool.of(counter.note)])

    assert [result for _, result in results] == ["noted a", "noted b", "noted c", "noted d"]


async def test_a_call_that_was_cut_off_is_not_run() -> None:
    counter = Counter()
    cut = [
        TextDelta("So"),
        CallDelta(0, "a", "note", '{"what": "a"}'),
        CallDelta(1, "b", "note", '{"wh'),
        Finished(Finish.LENGTH, reason="length"),
    ]
    response, results, _ = await turn(cut, says("ok"), tools=[FuncTool.of(counter.note)])

    assert response.text == "ok"
    assert results == [("a", "noted a")]


async def test_two_tools_of_one_name_are_refused_before_anything_is_sent() -> None:
    tool = NewTool("time").handler(lambda: "noon").build()
    backend = ScriptedBackend(says("ok"))
    with pytest.raises(BadTool, match="two of this name"):
        await ChatModel(backend, tools=[tool, tool]).generate("?")
    assert not backend.requests
