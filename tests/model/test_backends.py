"""Whoever answers stands behind a chat model: a backend, any Generator, or another chat model."""

from __future__ import annotations

import pytest
from doubles.chat_backend import ScriptedBackend, ScriptedSource, says

from companion.errors import BadInput, EndOfStream, ModelDied, Unsupported
from companion.model import (
    Calling,
    ChatRequest,
    ChatRole,
    FuncTool,
    Message,
    ModelContext,
    SystemPrompt,
    ToolChoice,
)
from companion.model.answer_stream import answer_of
from companion.model.backends import backend_of
from companion.model.chat import ChatModel
from companion.model.chat_options import with_model, with_temperature
from companion.model.deltas import Counted, Delta, DeltaSource, Finish, Finished, TextDelta
from companion.model.event_order import EventOrder
from companion.model.laws import check_generator
from companion.providers.scripted import ScriptedGenerator
from companion.stream import FuncCall, Stream, Usage


def add(one: int, two: int) -> int:
    """Adds two numbers."""
    return one + two


ADD = FuncTool.of(add)
ASKED = ModelContext(messages=(Message.of(ChatRole.USER, "?"),), tools=(ADD, FuncTool("note", "", {})))


class Giving:
    """A Generator whose answers are those of a backend."""

    def __init__(self, *pieces: Delta | Exception) -> None:
        self._backend = ScriptedBackend(pieces)
        self.contexts: list[ModelContext] = []

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        self.contexts.append(context)
        return answer_of(await self._backend.ask(ChatRequest(context, model)))

    async def invoke(self, context: ModelContext, tool: FuncTool, *, model: str = "") -> tuple[Usage, FuncCall]:
        return Usage(3, 4), FuncCall(tool.name, '{"one": 1}')


async def deltas_of(source: DeltaSource) -> list[Delta]:
    deltas: list[Delta] = []
    try:
        while True:
            deltas.append(await source.next())
    except EndOfStream:
        return deltas


@pytest.mark.parametrize(
    ("choice", "offered"),
    [
        (None, ["add", "note"]),
        (ToolChoice(), ["add", "note"]),
        (ToolChoice(Calling.ALLOWED, ("note",)), ["note"]),
        (ToolChoice(Calling.FORBIDDEN), []),
    ],
)
async def test_a_generator_is_offered_what_it_may_call(choice: ToolChoice | None, offered: list[str]) -> None:
    generator = Giving(*says("Hi"))
    await (await backend_of(generator).ask(ChatRequest(ASKED, tool_choice=choice))).close()

    assert [tool.name for tool in generator.contexts[0].tools] == offered


async def test_a_generator_cannot_be_held_to_a_call_and_to_tools_and_a_form_at_once() -> None:
    backend = backend_of(Giving(), name="small")
    with pytest.raises(Unsupported, match="made to call"):
        await backend.ask(ChatRequest(ASKED, tool_choice=ToolChoice(Calling.FORCED)))
    with pytest.raises(Unsupported, match="small cannot be offered tools"):
        await backend.ask(ChatRequest(ASKED, answer_form=ADD))

    source = await backend.ask(ChatRequest(ASKED, tool_choice=ToolChoice(Calling.FORBIDDEN), answer_form=ADD))
    assert await deltas_of(source) == [TextDelta('{"one": 1}'), Counted(Usage(3, 4)), Finished(Finish.STOP)]


@pytest.mark.parametrize(
    "finished", [Finished(Finish.STOP), Finished(Finish.LENGTH), Finished(Finish.REFUSED, "not that")]
)
async def test_how_a_generator_has_ended_is_how_its_backend_ends(finished: Finished) -> None:
    answer = [TextDelta("Hi"), Counted(Usage(3, 4)), finished]

    assert await deltas_of(await backend_of(Giving(*answer)).ask(ChatRequest(ASKED))) == answer


async def test_what_has_broken_a_generator_is_the_error_of_its_backend() -> None:
    source = await backend_of(Giving(TextDelta("Hi"), ModelDied("out of breath"))).ask(ChatRequest(ASKED))

    assert await source.next() == TextDelta("Hi")
    with pytest.raises(ModelDied, match="out of breath"):
        await source.next()


async def test_closing_an_answer_closes_the_stream_of_the_generator() -> None:
    generator = Giving(TextDelta("Hi"), Finished(Finish.STOP))
    source = await backend_of(generator).ask(ChatRequest(ASKED))
    await source.close()

    assert await deltas_of(source) == []
    assert not generator._backend.open_sources


async def test_a_chat_model_keeps_the_laws_of_a_generator() -> None:
    await check_generator(ChatModel(ScriptedBackend(says("one two three"))))


async def test_any_generator_is_a_backend() -> None:
    model = ChatModel(ScriptedGenerator(["one two"]))
    response = await model.prompt("?").call_stream()

    assert response.text == "one two"
    assert response.finish_reason == "stop"
    assert response.usage.completion_tokens == 2
    assert model.name == "ScriptedGenerator"
    EventOrder.check(response.events)


async def test_a_backend_is_its_own_backend_and_models_stand_in_for_one_another() -> None:
    backend = ScriptedBackend(says("Hi"))
    inner = ChatModel(backend, options=[with_temperature(0.5)])
    outer = ChatModel(inner)

    assert backend_of(backend) is backend
    assert (await outer.generate("?")).text == "Hi"
    assert backend.requests[0].context.params.temperature == 0.5


async def test_a_response_says_who_has_answered() -> None:
    class Choosing(ScriptedBackend):
        async def ask(self, request: ChatRequest) -> ScriptedSource:
            source = await super().ask(request)
            source.answered_by = ("local", "cloud")  # type: ignore[attr-defined]
            return source

    assert (await ChatModel(ScriptedBackend(says("Hi"), name="local")).generate("?")).answered_by == ("local",)
    assert (await ChatModel(Choosing(says("Hi"))).prompt("?").call_stream()).answered_by == ("local", "cloud")


async def test_a_chat_model_has_a_tool_called_with_arguments_that_fit() -> None:
    model = ChatModel(ScriptedBackend(says('{"one": 1, "two": 2}', usage=Usage(5, 5))))
    usage, call = await model.invoke(ModelContext(messages=(Message.of(ChatRole.USER, "?"),)), ADD)

    assert (usage, call.arguments) == (Usage(5, 5), '{"one": 1, "two": 2}')


async def test_a_backend_that_has_a_way_of_its_own_to_call_a_tool_is_asked_in_it() -> None:
    class Knowing(ScriptedBackend, ScriptedGenerator):
        def __init__(self) -> None:
            ScriptedBackend.__init__(self, says("words"))
            self.asked: list[tuple[ModelContext, str]] = []

        async def invoke(self, context: ModelContext, tool: FuncTool, *, model: str = "") -> tuple[Usage, FuncCall]:
            self.asked.append((context, model))
            return Usage(1, 1), FuncCall(tool.name, "{}")

    backend = Knowing()
    options = [with_temperature(0.5), with_model("small")]
    model = ChatModel(backend, tools=[ADD], options=options, prompts=[SystemPrompt("who", "Ada")])
    asked = ModelContext(messages=(Message.of(ChatRole.USER, "?"),))

    assert await model.invoke(asked, ADD) == (Usage(1, 1), FuncCall("add", "{}"))
    [(context, name)] = backend.asked
    assert (name, context.tools, context.params.temperature) == ("small", (), 0.5)
    assert context.prompts == (SystemPrompt("who", "Ada"),)
    assert not backend.requests


def test_what_answers_no_chat_is_no_backend() -> None:
    class Odd:
        def ask(self) -> None: ...

    for odd in (Odd(), object()):
        with pytest.raises(BadInput, match="answers no chat"):
            ChatModel(odd)  # type: ignore[arg-type]
