"""Tools of the language model in this process: offered, called, forced, and stop texts kept."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from companion.errors import EndOfStream, Unsupported
from companion.model import (
    Calling,
    ChatBackend,
    ChatRequest,
    ChatRole,
    FuncTool,
    Message,
    ModelContext,
    ModelParams,
    SystemPrompt,
    ToolChoice,
    ToolResult,
)
from companion.model.calls import CallDelta
from companion.model.deltas import Counted, Delta, DeltaSource, Finish, Finished, TextDelta
from companion.providers.local.llama_answer import _Reading
from companion.providers.local.llama_cpp import LlamaGenerator
from companion.stream import FuncCall, Status, Text, ToolCall

LAMP = FuncTool(
    "set_lamp",
    "Switches a lamp on or off.",
    {
        "type": "object",
        "properties": {"room": {"enum": ["kitchen", "bedroom"]}, "on": {"type": "boolean"}},
        "required": ["room", "on"],
        "additionalProperties": False,
    },
)
CLOCK = FuncTool("get_time", "Tells the time.", {"type": "object", "properties": {}, "additionalProperties": False})
FORCED = ToolChoice(Calling.FORCED)


@asynccontextmanager
async def generator(shelf: Path) -> AsyncIterator[LlamaGenerator]:
    file = shelf / "smollm2-135m" / "SmolLM2-135M-Instruct.Q4_1.gguf"
    model = LlamaGenerator(file, context_tokens=1024, threads=2)
    try:
        yield model
    finally:
        await model.close()


def asked(text: str, *tools: FuncTool, most: int = 60, stop: tuple[str, ...] | None = None) -> ModelContext:
    params = ModelParams(max_tokens=most, temperature=0.0, stop=stop)
    house = (SystemPrompt("who", "You are Nabu."),)
    return ModelContext(house, (Message.of(ChatRole.USER, text),), params=params, tools=tools)


async def rest(source: DeltaSource) -> list[Delta]:
    deltas: list[Delta] = []
    try:
        while True:
            deltas.append(await source.next())
    except EndOfStream:
        return deltas
    finally:
        await source.close()


def calls_of(deltas: Sequence[Delta]) -> list[FuncCall]:
    return [FuncCall(delta.name, delta.arguments) for delta in deltas if isinstance(delta, CallDelta)]


def words_of(deltas: Sequence[Delta]) -> str:
    return "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))


async def test_it_is_a_backend_of_a_chat(shelf_folder: Path) -> None:
    async with generator(shelf_folder) as model:
        backend: ChatBackend = model
        deltas = await rest(await backend.ask(ChatRequest(asked("What is the capital of France?"))))

    assert backend.name == "SmolLM2-135M-Instruct.Q4_1"
    assert "Paris" in words_of(deltas)
    *_, counted, finished = deltas
    assert isinstance(counted, Counted)
    assert counted.usage.prompt_tokens > 20
    assert finished == Finished(Finish.STOP)


async def test_a_forced_call_fits_the_schema_of_a_tool(shelf_folder: Path) -> None:
    async with generator(shelf_folder) as model:
        request = ChatRequest(asked("Light in the kitchen, please.", LAMP, CLOCK), tool_choice=FORCED)
        deltas = await rest(await model.ask(request))
        named = replace(request, tool_choice=ToolChoice(Calling.FORCED, ("get_time",)))
        time = await rest(await model.ask(named))

    (call,) = calls_of(deltas)
    tool = {LAMP.name: LAMP, CLOCK.name: CLOCK}[call.name]
    Draft202012Validator(dict(tool.parameters)).validate(json.loads(call.arguments))
    assert words_of(deltas) == ""
    assert deltas[-1] == Finished(Finish.TOOL_CALLS)
    assert calls_of(time) == [FuncCall("get_time", "{}")]


async def test_a_conversation_with_calls_is_never_read_twice(shelf_folder: Path) -> None:
    async with generator(shelf_folder) as model:
        context = asked("Light in the kitchen, please.", LAMP, CLOCK)
        first = await rest(await model.ask(ChatRequest(context, tool_choice=FORCED)))
        (call,) = calls_of(first)
        told = (Message(ChatRole.ASSISTANT, ToolCall("1", call)), Message(ChatRole.TOOL, ToolResult("1", "done")))
        second = await rest(await model.ask(ChatRequest(replace(context, messages=(*context.messages, *told)))))

    (before,), (after,) = ([delta for delta in deltas if isinstance(delta, Counted)] for deltas in (first, second))
    assert after.usage.cached_tokens >= before.usage.prompt_tokens + before.usage.completion_tokens


async def test_a_call_comes_out_of_the_stream_as_a_call(shelf_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context = asked("What time is it?", CLOCK)
    async with generator(shelf_folder) as model:
        await model.load()
        spelt = model._engine.tokenise('Sure. ```json\n{"name": "get_time", "arguments": {}}\n```')  # type: ignore[union-attr]
        tokens = iter(spelt)
        monkeypatch.setattr(type(model._engine), "sample", lambda self, sampler: next(tokens, 2))
        stream = await model.generate_stream(context)
        chunks = [chunk async for chunk in stream]

    assert "".join(chunk.part.text for chunk in chunks if isinstance(chunk.part, Text)) == "Sure. "
    assert [chunk.tool_call.func_call for chunk in chunks if chunk.tool_call] == [FuncCall("get_time", "{}")]
    assert stream.state is not None
    assert stream.state.status is Status.DONE


async def test_a_tool_that_is_forbidden_or_not_named_is_words(shelf_folder: Path) -> None:
    async with generator(shelf_folder) as model:
        with pytest.raises(Unsupported, match="oven"):
            await model.ask(ChatRequest(asked("Hm?", LAMP), tool_choice=ToolChoice(names=("oven",))))
        with pytest.raises(Unsupported):
            await model.ask(ChatRequest(asked("Hm?"), tool_choice=FORCED))
        request = ChatRequest(asked("Hm?", LAMP, most=2), tool_choice=ToolChoice(Calling.FORBIDDEN))
        (counted,) = (one for one in await rest(await model.ask(request)) if isinstance(one, Counted))
        assert counted.usage.prompt_tokens < 40


async def test_an_answer_has_the_form_that_was_asked_for(shelf_folder: Path) -> None:
    async with generator(shelf_folder) as model:
        deltas = await rest(await model.ask(ChatRequest(asked("The bedroom lamp is on."), answer_form=LAMP)))

    Draft202012Validator(dict(LAMP.parameters)).validate(json.loads(words_of(deltas)))
    assert deltas[-1] == Finished(Finish.STOP)


async def test_an_answer_ends_before_its_stop_text(shelf_folder: Path) -> None:
    question = "What is the capital of France?"
    async with generator(shelf_folder) as model:
        whole = words_of(await rest(await model.ask(ChatRequest(asked(question)))))
        for stop in ("Paris", "ris"):
            deltas = await rest(await model.ask(ChatRequest(asked(question, stop=("xyz", stop)))))
            assert words_of(deltas) == whole.partition(stop)[0]
            assert deltas[-1] == Finished(Finish.STOP)


def test_what_a_model_imagines_a_tool_to_return_is_left_out() -> None:
    reading = _Reading(["get_time"], [])
    written = '<tool_call>{"name": "get_time", "arguments": {}}</tool_call>\n<tool_response>\nnoon'
    deltas = [delta for letter in written.encode() for delta in reading.take(bytes([letter]))]
    deltas += reading.end(is_cut=False)

    assert deltas == [CallDelta(0, name="get_time", arguments="{}")]
    assert reading.has_stopped


def test_what_was_held_back_when_an_answer_is_cut_is_said() -> None:
    reading = _Reading(["get_time"], ["###"])
    deltas = [
        *reading.take(b' Well.\n{"name": "get_'),
        *reading.take(b'time", "a##'),
        *reading.end(is_cut=True),
    ]

    assert words_of(deltas) == 'Well.\n{"name": "get_time", "a##'
