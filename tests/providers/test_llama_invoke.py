"""The language model in this process, held to a schema."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from companion.errors import InvalidAnswer, ModelDied, Unsupported
from companion.model import ChatRole, Contents, FuncTool, Message, ModelContext, ModelParams, SystemPrompt
from companion.providers.local.llama_cpp import LlamaGenerator
from companion.providers.local.llama_engine import LlamaEngine
from companion.providers.local.llama_sampler import Sampler
from companion.stream import Blob, Text

PERSON = FuncTool(
    "note_person",
    "Keeps what was said about somebody.",
    {
        "type": "object",
        "properties": {
            "name": {"type": "string", "maxLength": 24},
            "age": {"type": "integer", "minimum": 0, "maximum": 120},
            "mood": {"enum": ["glad", 'so "so"', "难过"]},
        },
        "required": ["name", "age", "mood"],
        "additionalProperties": False,
    },
)


@asynccontextmanager
async def generator(shelf: Path) -> AsyncIterator[LlamaGenerator]:
    file = shelf / "smollm2-135m" / "SmolLM2-135M-Instruct.Q4_1.gguf"
    model = LlamaGenerator(file, context_tokens=1024, threads=2)
    try:
        yield model
    finally:
        await model.close()


def told(text: str, params: ModelParams | None = None) -> ModelContext:
    return ModelContext((), (Message.of(ChatRole.USER, text),), params=params or ModelParams(max_tokens=60))


ADA = told("Ada is 36 years old.")


async def test_a_small_model_answers_as_the_schema_asks(shelf_folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    async with generator(shelf_folder) as model:
        usage, call = await model.invoke(ADA, PERSON)

    said = json.loads(call.arguments)
    Draft202012Validator(dict(PERSON.parameters)).validate(said)
    assert call.name == "note_person"
    assert said["name"] == "Ada"
    assert said["age"] == 36
    assert usage.prompt_tokens > 100
    assert 10 < usage.completion_tokens <= 60
    assert capfd.readouterr() == ("", "")


async def test_chance_keeps_to_the_grammar(shelf_folder: Path) -> None:
    context = told("Say anything at all.", ModelParams(temperature=2.0, top_k=0, top_p=1.0, seed=7, max_tokens=60))
    async with generator(shelf_folder) as model:
        _, call = await model.invoke(context, PERSON)

    Draft202012Validator(dict(PERSON.parameters)).validate(json.loads(call.arguments))


async def test_a_conversation_goes_on_beside_it(shelf_folder: Path) -> None:
    talk = told("What is the capital of France?", ModelParams(max_tokens=12, temperature=0.0))

    async def said(model: LlamaGenerator) -> str:
        parts = [chunk.part async for chunk in await model.generate_stream(talk)]
        return "".join(part.text for part in parts if isinstance(part, Text))

    async with generator(shelf_folder) as model, asyncio.TaskGroup() as tasks:
        talking, invoking = tasks.create_task(said(model)), tasks.create_task(model.invoke(ADA, PERSON))
        assert "Paris" in await talking
        assert json.loads((await invoking)[1].arguments)["name"]


async def test_an_answer_that_is_cut_twice_is_invalid(shelf_folder: Path) -> None:
    async with generator(shelf_folder) as model:
        with pytest.raises(InvalidAnswer, match="cut off"):
            await model.invoke(told("Ada is 36.", ModelParams(max_tokens=2)), PERSON)


async def test_a_schema_no_grammar_can_say_is_asked_for_in_words(shelf_folder: Path) -> None:
    deep: dict[str, object] = {"type": "integer"}
    for _ in range(40):
        deep = {"anyOf": [deep]}
    tool = FuncTool("count", "", {"type": "object", "properties": {"n": deep}, "required": ["n"]})
    async with generator(shelf_folder) as model:
        # One token is too little for any answer, but enough to see that it was asked.
        with pytest.raises(InvalidAnswer, match="count"):
            await model.invoke(told("Answer.", ModelParams(max_tokens=1)), tool)


async def test_giving_up_ends_the_work_between_two_tokens(shelf_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loop, begun, chosen = asyncio.get_running_loop(), asyncio.Event(), list[int]()
    sample = LlamaEngine.sample

    def counted(self: LlamaEngine, sampler: Sampler) -> int:
        chosen.append(sample(self, sampler))
        loop.call_soon_threadsafe(begun.set)
        return chosen[-1]

    monkeypatch.setattr(LlamaEngine, "sample", counted)
    endless = {"type": "object", "additionalProperties": {"type": "string", "minLength": 300}, "properties": {}}
    async with generator(shelf_folder) as model, asyncio.TaskGroup() as tasks:
        context = told("Tell me a story.", ModelParams(max_tokens=400))
        invoking = tasks.create_task(model.invoke(context, FuncTool("tell", "", endless)))
        await begun.wait()
        invoking.cancel()
        # Comes after the work that was under way.
        await model.load()
        assert len(chosen) < 100


async def test_closing_the_model_ends_it(shelf_folder: Path) -> None:
    async with generator(shelf_folder) as model:
        await model.load()
        async with asyncio.TaskGroup() as tasks:
            invoking = tasks.create_task(failure(model))
            await asyncio.sleep(0)
            await model.close()
        assert isinstance(invoking.result(), ModelDied)


async def failure(model: LlamaGenerator) -> BaseException | None:
    try:
        await model.invoke(ADA, PERSON)
    except ModelDied as error:
        return error
    return None


async def test_pictures_are_refused(shelf_folder: Path) -> None:
    picture = ModelContext(
        (SystemPrompt("who", "Nabu"),), (Message(ChatRole.USER, Contents((Blob("image/png", b"x"),))),)
    )
    async with generator(shelf_folder) as model:
        with pytest.raises(Unsupported, match="image/png"):
            await model.invoke(picture, PERSON)
        assert not model.report.loaded
