"""Every provider passes the examination of the stream contract."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from companion.model import ChatRole, Message, ModelContext, ModelParams, SystemPrompt
from companion.providers.local.espeak import EspeakSynthesiser
from companion.providers.local.faster_whisper import WhisperRecogniser
from companion.providers.local.llama_cpp import LlamaGenerator
from companion.providers.local.phrases import PhraseCache
from companion.providers.local.piper import PiperSynthesiser
from companion.providers.scripted import ScriptedGenerator, ScriptedRecogniser, ScriptedSynthesiser
from companion.stream import (
    MessageChunk,
    Role,
    StreamCtrl,
    Text,
    begin_of_stream,
    end_of_stream,
    pcm,
)
from companion.stream.laws import check_stream, check_transformer

SILENCE = bytes(3200)
SOUND = [
    begin_of_stream("s", role=Role.USER),
    *[MessageChunk(role=Role.USER, part=pcm(SILENCE, 16_000), ctrl=StreamCtrl("s")) for _ in range(3)],
    end_of_stream("s", role=Role.USER, part=pcm(b"", 16_000)),
    end_of_stream("s", role=Role.USER),
]
PIECES = [
    begin_of_stream("r", role=Role.MODEL),
    *[MessageChunk(role=Role.MODEL, part=Text(text, "en"), ctrl=StreamCtrl("r")) for text in ("Yes.", "No.")],
    end_of_stream("r", role=Role.MODEL, part=Text("")),
    end_of_stream("r", role=Role.MODEL),
]
QUESTION = ModelContext(
    (SystemPrompt("p", "Be short."),),
    (Message.of(ChatRole.USER, "Say yes."),),
    params=ModelParams(max_tokens=4, temperature=0.0),
)
PATIENCE = 20.0


@asynccontextmanager
async def whisper(shelf: Path) -> AsyncIterator[WhisperRecogniser]:
    model = WhisperRecogniser(shelf / "whisper-tiny.en", threads=2)
    await model.load()
    yield model
    await model.close()


async def test_the_scripted_models() -> None:
    await check_transformer(lambda: ScriptedRecogniser(["hello"]), SOUND)
    await check_transformer(ScriptedSynthesiser, PIECES)
    await check_stream(lambda: ScriptedGenerator(["one two three"]).generate_stream(QUESTION))


async def test_the_recogniser(shelf_folder: Path) -> None:
    async with whisper(shelf_folder) as model:
        await check_transformer(lambda: model, SOUND, deadline=PATIENCE)


async def test_the_phrase_cache(tmp_path: Path) -> None:
    cache = PhraseCache(ScriptedSynthesiser(), tmp_path, max_bytes=10_000_000)
    await check_transformer(lambda: cache, PIECES)
    await cache.prepare(["Yes."], "en")
    await check_transformer(lambda: cache, PIECES)


async def test_espeak() -> None:
    program = shutil.which("espeak-ng")
    assert program, "espeak-ng is not installed"
    model = EspeakSynthesiser(Path(program))
    await check_transformer(lambda: model, PIECES, deadline=PATIENCE)


async def test_the_language_model(shelf_folder: Path) -> None:
    model = LlamaGenerator(shelf_folder / "smollm2-135m" / "SmolLM2-135M-Instruct.Q4_1.gguf", threads=2)
    await model.load()
    await check_stream(lambda: model.generate_stream(QUESTION), deadline=PATIENCE)
    await model.close()


async def test_piper(shelf_folder: Path) -> None:
    model = PiperSynthesiser(voices(shelf_folder), threads=2, variation=0.0)
    await model.load()
    await check_transformer(lambda: model, PIECES, deadline=PATIENCE)
    await model.close()


def voices(shelf: Path) -> dict[str, Path]:
    return {"en": shelf / "piper-en_US-joe-medium" / "en_US-joe-medium.onnx"}
