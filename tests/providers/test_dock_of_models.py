"""The dock with real models in it: a spoken question goes in, and an answer that can be heard comes out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import soundfile
import soxr

from companion.model import Message, ModelContext, ModelParams, SystemPrompt
from companion.providers.local.faster_whisper import WhisperRecogniser
from companion.providers.local.llama_cpp import LlamaGenerator
from companion.providers.local.piper import PiperSynthesiser
from companion.stream import (
    Blob,
    MessageChunk,
    Role,
    Routes,
    StreamCtrl,
    Text,
    begin_of_stream,
    end_of_stream,
    pcm,
    pcm_format,
    stream_of,
)
from companion.stream.chain import Chain
from companion.voice.dock import AudioDock
from companion.voice.speech import SpeechCutter

RATE = 16_000
SPOKEN = Path(__file__).parent.parent / "spoken"


def question() -> list[MessageChunk]:
    samples, rate = soundfile.read(next((SPOKEN / "lj").glob("*.flac")), dtype="int16")
    sound = soxr.resample(samples, rate, RATE).astype("<i2").tobytes()
    slices = [sound[place : place + 640] for place in range(0, len(sound), 640)]
    marks = StreamCtrl("q", "mic")
    return [
        begin_of_stream("q", role=Role.USER, label="mic"),
        *[MessageChunk(Role.USER, "ann", pcm(data, RATE), ctrl=marks) for data in slices],
        end_of_stream("q", role=Role.USER, label="mic", part=pcm(b"", RATE)),
        end_of_stream("q", role=Role.USER, label="mic"),
    ]


def ask(message: Message) -> ModelContext:
    prompt = SystemPrompt("style", "Answer in one short sentence.")
    return ModelContext((prompt,), (message,), params=ModelParams(max_tokens=24, temperature=0.0))


async def test_a_spoken_question_is_answered_aloud(shelf_folder: Path) -> None:
    hear = WhisperRecogniser(shelf_folder / "whisper-tiny.en", threads=2)
    think = LlamaGenerator(shelf_folder / "smollm2-135m" / "SmolLM2-135M-Instruct.Q4_1.gguf", threads=2)
    speak = PiperSynthesiser(
        {"en": shelf_folder / "piper-en_US-joe-medium" / "en_US-joe-medium.onnx"}, variation=0.0, threads=2
    )
    voice = Chain(SpeechCutter("en"), speak)
    dock = AudioDock(think, voices=lambda name: voice, hear=hear, ask=ask)
    try:
        out = [chunk async for chunk in await dock.transform(stream_of(question()))]
        sound = [chunk.part for chunk in out if isinstance(chunk.part, Blob) and chunk.part.data]
        form = pcm_format(sound[0].mime_type)
        assert form is not None
        samples = np.frombuffer(b"".join(blob.data for blob in sound), "<i2")
        heard = await hear.hear(soxr.resample(samples, form.rate, RATE).astype("<i2").tobytes())
    finally:
        for model in (hear, think, speak):
            await model.close()

    said, answered = (
        "".join(chunk.part.text for chunk in out if isinstance(chunk.part, Text) and chunk.role is role)
        for role in (Role.USER, Role.MODEL)
    )
    assert len(said.split()) > 3
    assert len(answered.split()) > 1
    wanted = {word for word in answered.lower().replace(",", " ").replace(".", " ").split() if len(word) > 3}
    assert sum(word in heard.text.lower() for word in wanted) >= len(wanted) / 2, (answered, heard.text)
    routes = Routes()
    for chunk in out:
        routes.accept(chunk)
    routes.finish()
    assert not [chunk for chunk in out if chunk.ctrl and chunk.ctrl.error]
