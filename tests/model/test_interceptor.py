"""Interceptors stand around a turn like the skins of an onion; talents come in where a prompt asks for them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from doubles.chat_backend import ScriptedBackend, calls, says

from companion.errors import BadInput, BadTool, ProviderFailed
from companion.model import ChatRequest, FuncTool, Prompt, SystemPrompt
from companion.model.chat import ChatModel
from companion.model.chat_options import with_temperature, with_tools
from companion.model.deltas import Delta, DeltaSource, TextDelta
from companion.model.event_order import EventOrder
from companion.model.gathered import Gathered
from companion.model.interceptor import Draft
from companion.model.teaching import Teaching
from companion.model.tool_builder import NewTool
from companion.model.tool_context import ToolContext
from companion.stream import ToolCall

Calling = Callable[[ChatRequest], Awaitable[Gathered]]


class Noting:
    """Notes when it is passed, on the way in and out."""

    def __init__(self, name: str, notes: list[str], index: int = 0) -> None:
        self.name, self.notes, self.index = name, notes, index

    async def call(self, request: ChatRequest, proceed: Calling) -> Gathered:
        self.notes.append(f"{self.name} in")
        try:
            return await proceed(request)
        finally:
            self.notes.append(f"{self.name} out")


class Again:
    """Calls on twice where the first try fails."""

    index = -1

    async def call(self, request: ChatRequest, proceed: Calling) -> Gathered:
        try:
            return await proceed(request)
        except ProviderFailed:
            return await proceed(request)


async def test_a_retry_that_calls_on_twice_runs_the_inner_ones_twice() -> None:
    notes: list[str] = []
    backend = ScriptedBackend(ProviderFailed("busy"), says("ok"))
    model = ChatModel(backend, interceptors=[Noting("outer", notes, -2), Noting("inner", notes), Again()])

    assert (await model.generate("?")).text == "ok"
    assert notes == ["outer in", "inner in", "inner out", "inner in", "inner out", "outer out"]


async def test_lower_indexes_stand_further_out_and_equal_ones_as_they_were_given() -> None:
    notes: list[str] = []
    given = [Noting("c", notes, 5), Noting("a", notes, -5), Noting("b", notes, 5)]
    await ChatModel(ScriptedBackend(says("ok")), interceptors=given).generate("?")

    assert notes[:3] == ["a in", "c in", "b in"]


async def test_one_that_does_not_proceed_answers_in_its_place() -> None:
    class Cache:
        async def call(self, request: ChatRequest, proceed: Calling) -> Gathered:
            return replace(ready, raw=("cached",))

    ready = Gathered()
    seen: list[Gathered] = []

    class See:
        index = -1

        async def call(self, request: ChatRequest, proceed: Calling) -> Gathered:
            seen.append(await proceed(request))
            return seen[-1]

    backend = ScriptedBackend(says("ok"))
    response = await ChatModel(backend, interceptors=[Cache(), See()]).generate("?")

    assert not backend.requests
    assert seen[0].raw == response.raw == ("cached",)
    EventOrder.check(response.events)


async def test_only_what_is_implemented_joins() -> None:
    notes: list[str] = []
    backend = ScriptedBackend(says("ok"))
    await ChatModel(backend, interceptors=[Noting("call", notes)]).prompt("?").call_stream()

    assert not notes
    with pytest.raises(BadInput, match="intercepts nothing"):
        ChatModel(backend, interceptors=[object()])  # type: ignore[list-item]


class Loud:
    """Says everything in capitals."""

    def __init__(self, source: DeltaSource) -> None:
        self._source = source

    async def next(self) -> Delta:
        match await self._source.next():
            case TextDelta(text):
                return TextDelta(text.upper())
            case delta:
                return delta

    async def close(self) -> None:
        await self._source.close()


class Shouting:
    async def stream(
        self, request: ChatRequest, proceed: Callable[[ChatRequest], Awaitable[DeltaSource]]
    ) -> DeltaSource:
        return Loud(await proceed(replace(request, model="loud")))


async def test_a_stream_is_bent_as_it_comes() -> None:
    backend = ScriptedBackend(says("so it is"))
    response = await ChatModel(backend, interceptors=[Shouting()]).prompt("?").call_stream()

    assert response.text == "SO IT IS"
    assert backend.requests[0].model == "loud"
    assert not backend.open_sources


class Careful:
    """Prepares turns and stands around tools."""

    def __init__(self) -> None:
        self.sessions: list[str] = []

    async def prepare(self, draft: Draft) -> Draft:
        prompts = (*draft.prompts, SystemPrompt("care", f"Careful with {draft.asked.messages[0].text}"))
        return replace(draft, prompts=prompts, options=draft.options.merged(with_temperature(0.0)))

    async def tool(self, call: ToolCall, context: ToolContext, proceed: Callable[[ToolCall], Awaitable[str]]) -> str:
        self.sessions.append(context.session)
        first = await proceed(call)
        return f"{first}, {await proceed(call)}"


async def test_turns_are_prepared_and_tools_are_stood_around() -> None:
    numbers = iter(range(9))
    tool = NewTool("next").handler(lambda: str(next(numbers))).build()
    backend = ScriptedBackend(calls(("next", "")), says("ok"))
    careful = Careful()
    response = await ChatModel(backend, tools=[tool], interceptors=[careful]).generate("knives")

    assert [prompt.text for prompt in backend.requests[1].context.prompts] == ["Careful with knives"]
    assert backend.requests[0].context.params.temperature == 0.0
    assert response.messages[1].payload.result == "0, 1"  # type: ignore[union-attr]
    assert careful.sessions[0].startswith("passing-")


CLOCK = NewTool("clock").handler(lambda: "noon").build()
TIME = Teaching("time", "Say the time by the clock.", (CLOCK,), lambda asked: "time" in asked.messages[-1].text)


async def test_a_talent_comes_in_where_the_prompt_asks_for_it() -> None:
    backend = ScriptedBackend(says("ok"))
    model = ChatModel(backend, talents=[TIME], prompts=[SystemPrompt("me", "You are Ada.")])
    await model.generate("What time is it?")
    await model.generate("Who are you?")

    asked, other = (request.context for request in backend.requests)
    assert [prompt.text for prompt in asked.prompts] == [
        "You are Ada.",
        "# [Talent: time]\n\nSay the time by the clock.",
    ]
    (tool,) = asked.tools
    assert isinstance(tool, FuncTool)
    assert tool.meta == {"talent": "time"}
    assert (len(other.prompts), other.tools) == (1, ())
    assert not CLOCK.meta


async def test_the_tools_of_a_talent_run() -> None:
    backend = ScriptedBackend(calls(("clock", "")), says("Noon."))
    response = await ChatModel(backend, talents=[TIME]).generate("What time is it?")

    assert response.messages[1].payload.result == "noon"  # type: ignore[union-attr]


async def test_an_instruction_may_be_made_of_the_prompt() -> None:
    def words(asked: Prompt) -> str:
        return f"They said {asked.messages[0].text}"

    backend = ScriptedBackend(says("ok"))
    await ChatModel(backend, talents=[Teaching("echo", words)]).generate("Hi")

    assert backend.requests[0].context.prompts[0].text == "# [Talent: echo]\n\nThey said Hi"
    assert backend.requests[0].context.tools == ()


async def test_no_tools_is_none_of_a_talents_either() -> None:
    backend = ScriptedBackend(says("ok"))
    await ChatModel(backend, talents=[TIME]).generate("What time is it?", with_tools(None))

    assert backend.requests[0].context.tools == ()


async def test_a_tool_of_a_talent_and_one_of_the_models_cannot_have_one_name() -> None:
    with pytest.raises(BadTool, match="two of this name"):
        await ChatModel(ScriptedBackend(says("ok")), tools=[CLOCK], talents=[TIME]).generate("time?")
