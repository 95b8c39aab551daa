"""The language model in this process: streams, its memory of prompts, and what happens when it is disturbed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from companion.errors import ModelBroken, ModelDied, StreamFailed, Unsupported
from companion.model import (
    ChatRole,
    Contents,
    Generator,
    Message,
    ModelContext,
    ModelParams,
    SearchWebTool,
    SystemPrompt,
)
from companion.providers.local.llama_cpp import LlamaGenerator
from companion.providers.local.llama_engine import LlamaEngine
from companion.stream import Blob, MessageChunk, Role, Status, Stream, Text

NABU = (SystemPrompt("who", "You are Nabu, a friendly voice in this home. You answer in one short sentence."),)
PATIENCE = 60.0


@asynccontextmanager
async def generator(shelf: Path, *, context_tokens: int = 512) -> AsyncIterator[LlamaGenerator]:
    file = shelf / "smollm2-135m" / "SmolLM2-135M-Instruct.Q4_1.gguf"
    model = LlamaGenerator(file, context_tokens=context_tokens, threads=2)
    try:
        yield model
    finally:
        await model.close()


def asked(*texts: str, most: int = 12) -> ModelContext:
    roles = (ChatRole.USER, ChatRole.ASSISTANT)
    messages = tuple(Message.of(roles[place % 2], text) for place, text in enumerate(texts))
    return ModelContext(NABU, messages, params=ModelParams(max_tokens=most, temperature=0.0))


async def rest(stream: Stream) -> list[MessageChunk]:
    return [chunk async for chunk in stream]


def text_of(chunks: list[MessageChunk]) -> str:
    return "".join(chunk.part.text for chunk in chunks if isinstance(chunk.part, Text))


async def answer(model: Generator, context: ModelContext) -> str:
    return text_of(await rest(await model.generate_stream(context)))


async def test_an_answer_begins_flows_and_ends(shelf_folder: Path) -> None:
    async with generator(shelf_folder) as model:
        stream = await model.generate_stream(asked("What is the capital of France?", most=40))
        begin, *chunks, text_end, end = await rest(stream)

        assert begin.is_begin
        assert "Paris" in text_of(chunks)
        assert len(chunks) > 3
        assert {chunk.role for chunk in chunks} == {Role.MODEL}
        assert {chunk.stream_id for chunk in (begin, *chunks, text_end, end)} == {begin.stream_id}
        assert (text_end.is_end, text_end.mime_type) == (True, "text/plain")
        assert (end.is_end, end.part) == (True, None)
        assert stream.state is not None
        assert stream.state.status is Status.DONE
        assert stream.state.usage.prompt_tokens > 20
        assert stream.state.usage.completion_tokens >= len(chunks)
        assert model.report.speed > 0
        assert model.report.memory_bytes > 0


async def test_a_conversation_is_never_read_twice(shelf_folder: Path) -> None:
    async with generator(shelf_folder) as model:
        first = await model.generate_stream(asked("What is the capital of France?", most=40))
        said = text_of(await rest(first))
        second = await model.generate_stream(asked("What is the capital of France?", said, "And of Spain?", most=4))
        await rest(second)

        assert first.state is not None
        assert second.state is not None
        known = first.state.usage.prompt_tokens + first.state.usage.completion_tokens
        # All of the first turn but the mark that ends its answer.
        assert second.state.usage.cached_tokens >= known


async def test_what_was_warmed_need_not_be_read(shelf_folder: Path) -> None:
    context = asked("Hello", most=2)
    async with generator(shelf_folder) as model:
        await model.warm(ModelContext(NABU))
        stream = await model.generate_stream(context)
        await rest(stream)
        assert stream.state is not None
        assert stream.state.usage.cached_tokens > 15


async def test_an_answer_cut_by_its_limit_says_so(shelf_folder: Path) -> None:
    async with generator(shelf_folder) as model:
        stream = await model.generate_stream(asked("Tell me a long story about a dragon.", most=5))
        await rest(stream)
        assert stream.state is not None
        assert stream.state.status is Status.TRUNCATED
        assert stream.state.usage.completion_tokens == 5


async def test_a_full_context_ends_the_answer_and_not_the_model(shelf_folder: Path) -> None:
    endless = ModelContext(NABU, (Message.of(ChatRole.USER, "Count from one to a thousand."),))
    async with generator(shelf_folder, context_tokens=128) as model:
        stream = await model.generate_stream(endless)
        await rest(stream)
        assert stream.state is not None
        usage = stream.state.usage
        assert usage.prompt_tokens + usage.completion_tokens <= 128
        cut = await model.generate_stream(asked("word " * 400 + "Say yes.", most=4))
        await rest(cut)
        assert cut.state is not None
        assert 64 < cut.state.usage.prompt_tokens <= 124


async def test_two_answers_at_once_are_the_same_as_one_after_the_other(shelf_folder: Path) -> None:
    one, other = asked("What is the capital of France?"), asked("What is the capital of Italy?")
    async with generator(shelf_folder) as model:
        alone = [await answer(model, one), await answer(model, other)]

        slow, quick = await model.generate_stream(one), await model.generate_stream(other)
        begun = [await slow.next(), await slow.next()]
        together = await asyncio.wait_for(rest(quick), PATIENCE)
        begun += await asyncio.wait_for(rest(slow), PATIENCE)

        assert [text_of(begun), text_of(together)] == alone


async def test_closing_one_answer_does_not_end_the_other(shelf_folder: Path) -> None:
    context = asked("What is the capital of France?")
    async with generator(shelf_folder) as model:
        alone = await answer(model, context)
        closed, read = await model.generate_stream(context), await model.generate_stream(context)
        await closed.next()
        await closed.next()
        await closed.close()
        assert text_of(await rest(read)) == alone


async def test_an_answer_goes_on_after_an_unloading(shelf_folder: Path) -> None:
    context = asked("What is the capital of France?")
    async with generator(shelf_folder) as model:
        alone = await answer(model, context)
        stream = await model.generate_stream(context)
        begun = [await stream.next(), await stream.next()]
        await model.unload()
        assert text_of(begun + await rest(stream)) == alone


async def test_closing_the_model_ends_its_answers(shelf_folder: Path) -> None:
    async with generator(shelf_folder) as model:
        stream = await model.generate_stream(asked("Tell me a long story.", most=200))
        begin = end = await stream.next()
        await stream.next()
    while not end.is_end:
        end = await stream.next()
    with pytest.raises(StreamFailed) as caught:
        await stream.next()
    assert (end.stream_id, end.part) == (begin.stream_id, None)
    assert end.ctrl is not None
    assert end.ctrl.error == str(caught.value.__cause__)
    assert isinstance(caught.value.__cause__, ModelDied)
    assert not model.report.loaded


async def test_a_model_that_fails_in_the_middle_says_so_and_is_loaded_afresh(
    shelf_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, calls = LlamaEngine.read, list[int]()

    def failing(self: LlamaEngine, tokens: list[int]) -> None:
        calls.append(len(tokens))
        if len(calls) == 6:
            raise RuntimeError("llama_decode returned -3")
        read(self, tokens)

    context = asked("What is the capital of France?")
    async with generator(shelf_folder) as model:
        alone = await answer(model, context)
        monkeypatch.setattr(LlamaEngine, "read", failing)
        with pytest.raises(StreamFailed, match="llama_decode"):
            await answer(model, context)
        assert not model.report.loaded
        assert await answer(model, context) == alone


async def test_letters_cut_between_tokens_arrive_whole(shelf_folder: Path) -> None:
    async with generator(shelf_folder) as model:
        stream = await model.generate_stream(asked("Repeat exactly: 😀 中文 é 😀 中文 é", most=24))
        pieces = [chunk.part.text for chunk in await rest(stream) if isinstance(chunk.part, Text)]
        assert not any("\ufffd" in piece for piece in pieces[:-2])


async def test_tokens_are_counted_or_guessed(shelf_folder: Path) -> None:
    text = "What is the capital of France?"
    async with generator(shelf_folder) as model:
        guess = model.count_tokens(text)
        await model.load()
        exact = model.count_tokens(text)
        await model.unload()
        assert model.count_tokens(text) == guess
    assert exact == 7
    assert exact <= guess <= 2 * exact


async def test_pictures_are_refused_before_it_is_loaded(shelf_folder: Path) -> None:
    picture = ModelContext((), (Message(ChatRole.USER, Contents((Blob("image/png", b"x"),))),))
    async with generator(shelf_folder) as model:
        with pytest.raises(Unsupported, match="image/png"):
            await model.generate_stream(picture)
        assert not model.report.loaded


async def test_a_tool_that_is_no_function_is_refused_before_it_is_loaded(shelf_folder: Path) -> None:
    async with generator(shelf_folder) as model:
        with pytest.raises(Unsupported, match="search_web"):
            await model.generate_stream(ModelContext(NABU, tools=(SearchWebTool(),)))
        assert not model.report.loaded


@pytest.mark.parametrize("content", [b"", b"GGUF\x03\x00\x00\x00 and then nothing of use", None])
async def test_a_file_that_is_no_model_is_broken(
    tmp_path: Path, content: bytes | None, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "small.gguf"
    if content is not None:
        file.write_bytes(content)
    model = LlamaGenerator(file)
    with pytest.raises(ModelBroken, match=r"small\.gguf") as caught:
        await model.generate_stream(asked("Hello"))
    assert "\n" not in str(caught.value)
    assert caught.value.mend
    await model.close()
    assert capfd.readouterr() == ("", "")


async def test_nothing_is_said_on_the_terminal(shelf_folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    async with generator(shelf_folder) as model:
        await answer(model, asked("Hello", most=2))
    assert capfd.readouterr() == ("", "")
