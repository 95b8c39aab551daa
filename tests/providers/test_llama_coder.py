"""A small model in this process that can call tools: it calls them, and goes on with what they return."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from doubles.coder_model import coder_file

from companion.errors import EndOfStream
from companion.model import (
    Calling,
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
from companion.model.deltas import Counted, Finish, Finished, TextDelta
from companion.providers.local.llama_cpp import LlamaGenerator
from companion.stream import FuncCall, ToolCall, Usage

HOUSE = (SystemPrompt("who", "You are Nabu, a voice at home. Use the tools when they help."),)


def record(**properties: object) -> dict[str, object]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


TOOLS = (
    FuncTool(
        "set_lamp",
        "Switches a lamp on or off.",
        record(room={"type": "string", "enum": ["kitchen", "bedroom"]}, on={"type": "boolean"}),
    ),
    FuncTool("get_time", "Tells the time in a city.", record(city={"type": "string"})),
    FuncTool("add", "Adds two numbers.", record(a={"type": "number"}, b={"type": "number"})),
)


@asynccontextmanager
async def coder(shelf: Path) -> AsyncIterator[LlamaGenerator]:
    model = LlamaGenerator(coder_file(shelf), context_tokens=1024, threads=2)
    try:
        yield model
    finally:
        await model.close()


def asked(text: str) -> ModelContext:
    params = ModelParams(max_tokens=80, temperature=0.0)
    return ModelContext(HOUSE, (Message.of(ChatRole.USER, text),), params=params, tools=TOOLS)


async def answer(
    model: LlamaGenerator, context: ModelContext, choice: ToolChoice | None = None
) -> tuple[str, list[FuncCall], Usage, Finish]:
    source = await model.ask(ChatRequest(context, tool_choice=choice))
    words, calls, usage, why = "", list[FuncCall](), Usage(), Finish.REFUSED
    try:
        while True:
            match await source.next():
                case TextDelta(text):
                    words += text
                case CallDelta(name=name, arguments=arguments):
                    calls.append(FuncCall(name, arguments))
                case Counted(counted):
                    usage = counted
                case Finished(why):
                    pass
    except EndOfStream:
        return words, calls, usage, why
    finally:
        await source.close()


@pytest.mark.parametrize(
    ("question", "name", "arguments"),
    [
        ("Switch on the lamp in the kitchen.", "set_lamp", {"room": "kitchen", "on": True}),
        ("What time is it in Paris?", "get_time", {"city": "Paris"}),
        ("What is 17 plus 25?", "add", {"a": 17, "b": 25}),
    ],
)
async def test_it_calls_the_tool_that_helps(
    shelf_folder: Path, question: str, name: str, arguments: dict[str, object]
) -> None:
    async with coder(shelf_folder) as model:
        words, calls, _, why = await answer(model, asked(question))

    assert words == ""
    assert [(call.name, json.loads(call.arguments)) for call in calls] == [(name, arguments)]
    assert why is Finish.TOOL_CALLS


async def test_it_reads_nothing_twice_and_answers_from_what_a_tool_returned(shelf_folder: Path) -> None:
    context = asked("What time is it in Paris?")
    async with coder(shelf_folder) as model:
        _, (call,), first, _ = await answer(model, context)
        told = (
            Message(ChatRole.ASSISTANT, ToolCall("1", call)),
            Message(ChatRole.TOOL, ToolResult("1", '{"time": "21:47"}')),
        )
        context = replace(context, messages=(*context.messages, *told))
        _, _, second, _ = await answer(model, context)
        words, calls, _, why = await answer(model, context, ToolChoice(Calling.FORBIDDEN))

    assert second.cached_tokens >= first.prompt_tokens + first.completion_tokens
    assert "21:47" in words
    assert (calls, why) == ([], Finish.STOP)


async def test_a_forced_call_is_of_the_tool_that_was_named(shelf_folder: Path) -> None:
    async with coder(shelf_folder) as model:
        choice = ToolChoice(Calling.FORCED, ("set_lamp",))
        words, (call,), _, why = await answer(model, asked("It is so dark in my bedroom."), choice)

    assert (words, why) == ("", Finish.TOOL_CALLS)
    assert call.name == "set_lamp"
    assert json.loads(call.arguments) == {"room": "bedroom", "on": True}
