"""Three dialects against a real engine, llama.cpp's own server, and the same questions to the model in this process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from doubles.coder_model import coder_file
from doubles.trickle import read_all

from companion.errors import ContextTooLong
from companion.model import (
    Calling,
    ChatBackend,
    ChatRequest,
    ChatRole,
    FuncTool,
    Message,
    ModelContext,
    ModelParams,
    Status,
    SystemPrompt,
    ToolChoice,
    ToolResult,
    Usage,
)
from companion.model.answer_stream import answer_of
from companion.model.message import Payload
from companion.providers.local.llama_cpp import LlamaGenerator
from companion.providers.remote.chat import RemoteChat
from companion.providers.remote.endpoints import endpoint
from companion.providers.remote.http import Http
from companion.stream import FuncCall, MessageChunk, State, Text, ToolCall

DIALECTS = ("openai-completions", "openai-responses", "anthropic")
HELPFUL = (SystemPrompt("who", "You are a helpful assistant."),)
WEATHER = FuncTool(
    "get_weather",
    "Tells the weather of a city.",
    {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)
NOTE = FuncTool(
    "note_person",
    "Notes a person.",
    {
        "type": "object",
        "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
        "required": ["name", "age"],
        "additionalProperties": False,
    },
)
FRANCE = "What is the capital of France?"
PARIS = "What is the weather in Paris?"


def asked(*payloads: str | Payload, most: int = 40, tools: Sequence[FuncTool] = ()) -> ModelContext:
    """A conversation: words of the user and the model in turn, calls and results as they are."""
    messages: list[Message] = []
    for payload in payloads:
        match payload:
            case str():
                role = ChatRole.ASSISTANT if messages and messages[-1].role is ChatRole.USER else ChatRole.USER
                messages.append(Message.of(role, payload))
            case ToolCall():
                messages.append(Message(ChatRole.ASSISTANT, payload))
            case _:
                messages.append(Message(ChatRole.TOOL, payload))
    return ModelContext(
        HELPFUL, tuple(messages), params=ModelParams(max_tokens=most, temperature=0.0), tools=tuple(tools)
    )


@asynccontextmanager
async def remote(address: str, dialect: str) -> AsyncIterator[RemoteChat]:
    http = Http()
    base_url = address if dialect == "anthropic" else f"{address}/v1"
    try:
        yield RemoteChat(endpoint("llama-server").speaking(dialect).at(base_url), "", http)
    finally:
        await http.close()


@asynccontextmanager
async def local(file: Path) -> AsyncIterator[LlamaGenerator]:
    model = LlamaGenerator(file, context_tokens=1024, threads=2)
    try:
        yield model
    finally:
        await model.close()


async def answer(model: ChatBackend, request: ChatRequest) -> tuple[list[MessageChunk], State]:
    stream = answer_of(await model.ask(request))
    chunks = await read_all(stream)
    assert stream.state is not None
    return chunks, stream.state


def words(chunks: Sequence[MessageChunk]) -> str:
    return "".join(chunk.part.text for chunk in chunks if isinstance(chunk.part, Text))


def calls(chunks: Sequence[MessageChunk]) -> list[ToolCall]:
    return [chunk.tool_call for chunk in chunks if chunk.tool_call is not None]


@pytest.mark.parametrize("is_streamed", [True, False], ids=["streamed", "whole"])
@pytest.mark.parametrize("dialect", DIALECTS)
async def test_an_engine_answers_a_question(small_engine: str, dialect: str, is_streamed: bool) -> None:
    async with remote(small_engine, dialect) as model:
        chunks, state = await answer(model, ChatRequest(asked(FRANCE), is_streamed=is_streamed))

    assert words(chunks) == "The capital of France is Paris."
    assert state.status is Status.DONE
    assert 20 < state.usage.prompt_tokens < 40
    assert 5 < state.usage.completion_tokens < 12
    pieces = [chunk for chunk in chunks if isinstance(chunk.part, Text) and chunk.part.text]
    assert (len(pieces) > 3) is is_streamed


async def test_the_model_in_this_process_answers_the_same(shelf_folder: Path) -> None:
    async with local(shelf_folder / "smollm2-135m" / "SmolLM2-135M-Instruct.Q4_1.gguf") as model:
        chunks, state = await answer(model, ChatRequest(asked(FRANCE)))

    assert words(chunks) == "The capital of France is Paris."
    assert state.status is Status.DONE


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_an_engine_remembers_what_was_said(small_engine: str, dialect: str) -> None:
    async with remote(small_engine, dialect) as model:
        _, first = await answer(model, ChatRequest(asked(FRANCE)))
        talk = asked(FRANCE, "The capital of France is Paris.", "And of Italy?")
        chunks, second = await answer(model, ChatRequest(talk))

    assert "Rome" in words(chunks)
    # It kept the beginning of the conversation, and says so.
    assert second.usage.cached_tokens >= first.usage.prompt_tokens - 5
    assert second.usage.prompt_tokens > second.usage.cached_tokens


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_an_answer_at_its_limit_says_so(small_engine: str, dialect: str) -> None:
    async with remote(small_engine, dialect) as model:
        _, state = await answer(model, ChatRequest(asked("Tell me a long story.", most=5)))

    # In the responses protocol this server calls every answer completed.
    assert state.status is (Status.DONE if dialect == "openai-responses" else Status.TRUNCATED)
    assert state.usage.completion_tokens == 5


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_question_that_is_too_long_says_how_much_too_long(small_engine: str, dialect: str) -> None:
    async with remote(small_engine, dialect) as model:
        with pytest.raises(ContextTooLong) as caught:
            await model.ask(ChatRequest(asked("word " * 5_000)))

    assert caught.value.needed > 5_000
    assert caught.value.room == 4_096


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_an_answer_that_is_left_makes_room_for_the_next(small_engine: str, dialect: str) -> None:
    async with remote(small_engine, dialect) as model:
        stream = answer_of(await model.ask(ChatRequest(asked("Tell me a very long story.", most=2_000))))
        for _ in range(5):
            await stream.next()
        await stream.close()
        async with asyncio.timeout(20):
            chunks, _ = await answer(model, ChatRequest(asked(FRANCE)))

    assert "Paris" in words(chunks)


async def test_answers_at_once_are_each_their_own(small_engine: str) -> None:
    questions = [FRANCE, "What is two and two?", "Say good night."]
    async with remote(small_engine, "openai-completions") as model:
        alone = [words((await answer(model, ChatRequest(asked(question))))[0]) for question in questions]
        async with asyncio.TaskGroup() as tasks:
            running = [tasks.create_task(answer(model, ChatRequest(asked(question)))) for question in questions]

    assert [words(task.result()[0]) for task in running] == alone
    assert len(set(alone)) == 3


@pytest.mark.parametrize("is_streamed", [True, False], ids=["streamed", "whole"])
@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_model_calls_a_tool(calling_engine: str, dialect: str, is_streamed: bool) -> None:
    async with remote(calling_engine, dialect) as model:
        chunks, state = await answer(model, ChatRequest(asked(PARIS, tools=[WEATHER]), is_streamed=is_streamed))

    (call,) = calls(chunks)
    assert call.func_call.name == "get_weather"
    assert json.loads(call.func_call.arguments) == {"city": "Paris"}
    assert call.id
    assert words(chunks) == ""
    assert state.status is Status.DONE
    assert state.usage.completion_tokens > 10


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_the_result_of_a_tool_reaches_the_model(calling_engine: str, dialect: str) -> None:
    call = ToolCall("call-1", FuncCall("get_weather", '{"city": "Paris"}'))
    told = asked(PARIS, call, ToolResult("call-1", "It is 21 degrees and it snows."), tools=[WEATHER])
    async with remote(calling_engine, dialect) as model:
        chunks, _ = await answer(model, ChatRequest(told, tool_choice=ToolChoice(Calling.FORBIDDEN)))

    assert "snow" in words(chunks)
    assert calls(chunks) == []


@pytest.mark.parametrize(("dialect", "is_streamed"), [*((name, True) for name in DIALECTS), ("anthropic", False)])
async def test_a_call_that_the_server_takes_for_words_is_a_call(
    coder_engine: str, dialect: str, is_streamed: bool
) -> None:
    async with remote(coder_engine, dialect) as model:
        chunks, _ = await answer(model, ChatRequest(asked(PARIS, tools=[WEATHER]), is_streamed=is_streamed))

    assert [call.func_call for call in calls(chunks)] == [FuncCall("get_weather", '{"city": "Paris"}')]
    assert words(chunks) == ""


async def test_the_model_in_this_process_calls_the_same_tool(shelf_folder: Path) -> None:
    async with local(coder_file(shelf_folder)) as model:
        choice = ToolChoice(Calling.FORCED, ("get_weather",))
        chunks, _ = await answer(model, ChatRequest(asked(PARIS, tools=[WEATHER]), tool_choice=choice))

    (call,) = calls(chunks)
    assert call.func_call.name == "get_weather"
    assert json.loads(call.func_call.arguments) == {"city": "Paris"}


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_an_answer_fits_its_schema(calling_engine: str, dialect: str) -> None:
    async with remote(calling_engine, dialect) as model:
        usage, call = await model.invoke(asked("Ada is 36 years old."), NOTE)

    assert json.loads(call.arguments) == {"name": "Ada", "age": 36}
    assert usage.completion_tokens > 5
    assert usage != Usage()
