"""A chat model leaves nothing open, keeps no more than it may, and can stand in another one."""

from __future__ import annotations

import asyncio
import gc
from dataclasses import replace

import pytest
from doubles.chat_backend import ScriptedBackend, ScriptedSource, calls, says

from companion.errors import Unsupported
from companion.model import Calling, ChatRequest, ChatRole, FuncTool, Message, ModelContext, ToolResult
from companion.model.chat import ChatModel
from companion.model.chat_options import with_answer_form, with_limits
from companion.model.deltas import Finish, Finished, RawDelta, TextDelta
from companion.model.events import Event, Raw
from companion.model.gathered import concat

STOP = Finished(Finish.STOP)


def double(number: int) -> int:
    """Twice the number."""
    return 2 * number


async def test_a_break_out_of_the_events_ends_the_work() -> None:
    backend = ScriptedBackend([TextDelta("a"), 3600.0, STOP])
    model = ChatModel(backend)
    for _ in range(3):
        async for event in model.stream("?"):
            if isinstance(event, TextDelta):
                break
        gc.collect()
        for _ in range(20):
            await asyncio.sleep(0)
        assert not backend.open_sources
    assert [task for task in asyncio.all_tasks() if task.get_name() == "chat turn"] == []


async def test_events_that_are_forgotten_after_their_loop_harm_nobody() -> None:
    backend = ScriptedBackend(says("Hi"))
    kept: list[object] = []

    def elsewhere() -> None:
        async def read() -> None:
            events = ChatModel(backend).stream("?")
            await anext(events)
            kept.append(events)

        asyncio.run(read())

    await asyncio.to_thread(elsewhere)
    kept.clear()
    gc.collect()


async def test_what_has_no_name_here_is_told_but_kept_within_bounds() -> None:
    raw = RawDelta({"odds": [{"token": str(number), "value": 0.5} for number in range(1_000)]})
    told: list[Event] = []
    response = await ChatModel(ScriptedBackend([TextDelta("a"), *[raw] * 300, STOP])).prompt("?").stream_to(told.append)

    assert sum(isinstance(event, Raw) for event in told) == 300
    assert 0 < len(response.raw) < 100
    assert response.raw == tuple(event.data for event in response.events if isinstance(event, Raw))
    gathered = concat([*[raw] * 300, STOP])
    assert len(gathered.raw) == len(response.raw)


async def test_a_chat_model_in_another_can_be_told_of_no_tools_at_all() -> None:
    backend = ScriptedBackend(says("{}"))
    inner = ChatModel(backend, tools=[double])
    asked = ModelContext(messages=(Message.of(ChatRole.USER, "?"),))

    await ChatModel(inner).generate("?")
    await ChatModel(inner).with_tools([]).generate("?")
    await ChatModel(ChatModel(inner)).with_tools([]).generate("?")
    await ChatModel(inner).invoke(asked, FuncTool("note", "", {"type": "object"}))

    assert [len(request.context.tools) for request in backend.requests[:3]] == [1, 0, 0]
    assert all(double.__name__ not in [tool.name for tool in one.context.tools] for one in backend.requests[3:])


async def test_the_last_answer_of_a_turn_is_without_the_tools_of_an_inner_model() -> None:
    class Picky(ScriptedBackend):
        """Forbids nothing."""

        async def ask(self, request: ChatRequest) -> ScriptedSource:
            if request.tool_choice is not None and request.tool_choice.calling is Calling.FORBIDDEN:
                raise Unsupported("no choice here")
            return await super().ask(request)

    backend = Picky(calls(("double", '{"number": 1}')), says("Done"))
    inner = ChatModel(backend, tools=[double])
    response = await ChatModel(inner, tools=[double], options=[with_limits(rounds=1)]).generate("?")

    assert response.text == "Done"
    assert [len(request.context.tools) for request in backend.requests] == [1, 0]


async def test_the_form_that_a_model_answers_in_is_kept_where_it_answers_for_another() -> None:
    backend = ScriptedBackend(says("{}"))
    form = FuncTool("note", "", {"type": "object", "properties": {}})
    inner = ChatModel(backend, options=[with_answer_form(form)])
    await ChatModel(inner).generate("?")
    assert backend.requests[0].answer_form == form
    other = replace(form, name="other")
    await inner.ask(ChatRequest(ModelContext(), answer_form=other))
    assert backend.requests[1].answer_form == other


async def test_a_turn_that_is_ended_for_its_repeats_came_to_a_limit() -> None:
    backend = ScriptedBackend(calls(("double", '{"number": 1}')))
    response = await ChatModel(backend, tools=[double]).generate("?")
    assert (response.text, response.tool_calls, response.finish_reason) == ("", (), "length")


@pytest.mark.parametrize("is_async", [True, False])
async def test_a_tool_that_wants_to_end_the_program_has_failed(is_async: bool) -> None:
    def leave() -> None:
        raise SystemExit(3)

    async def leave_later() -> None:
        raise SystemExit(3)

    backend = ScriptedBackend(calls(("leave", "{}")), says("Well."))
    tool = FuncTool.of(leave_later if is_async else leave, name="leave")
    response = await ChatModel(backend, tools=[tool]).generate("?")
    assert response.text == "Well."
    (result,) = [m.payload for m in response.messages if isinstance(m.payload, ToolResult)]
    assert (result.is_error, "end the program" in result.result) == (True, True)
