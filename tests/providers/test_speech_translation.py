"""Somebody speaks one language, and is heard in another: real models, one after the other."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import soxr

from companion.providers.local.espeak import EspeakSynthesiser
from companion.providers.local.faster_whisper import WhisperRecogniser
from companion.providers.local.piper import PiperSynthesiser
from companion.stream import (
    Blob,
    MessageChunk,
    Role,
    StreamCtrl,
    Text,
    begin_of_stream,
    end_of_stream,
    pcm,
    pcm_format,
    stream_of,
)
from companion.stream.chain import Chain
from companion.voice.speech import SpeechCutter

RATE = 16_000


async def spoken_by_espeak(text: str, language: str) -> bytes:
    program = shutil.which("espeak-ng")
    assert program, "espeak-ng is not installed"
    blobs = [blob async for blob in EspeakSynthesiser(Path(program), speed=0.9).speak(Text(text, language))]
    return at_16_khz(blobs)


def at_16_khz(blobs: list[Blob]) -> bytes:
    form = pcm_format(blobs[0].mime_type)
    assert form is not None
    samples = np.frombuffer(b"".join(blob.data for blob in blobs), "<i2")
    return bytes(soxr.resample(samples, form.rate, RATE).astype("<i2").tobytes())


async def test_french_goes_in_and_spoken_english_comes_out(shelf_folder: Path) -> None:
    french = await spoken_by_espeak("Bonjour, je voudrais un café, s'il vous plaît.", "fr")
    translate = WhisperRecogniser(shelf_folder / "whisper-base", language="fr", translate=True, threads=2)
    voice = PiperSynthesiser(
        {"en": shelf_folder / "piper-en_US-joe-medium" / "en_US-joe-medium.onnx"}, variation=0.0, threads=2
    )
    hear = WhisperRecogniser(shelf_folder / "whisper-tiny.en", threads=2)
    source = stream_of(
        [
            begin_of_stream("s", role=Role.USER, label="mic"),
            MessageChunk(Role.USER, "ann", pcm(french, RATE), ctrl=StreamCtrl("s", "mic")),
            end_of_stream("s", role=Role.USER, label="mic"),
        ]
    )
    try:
        interpreter = Chain(translate, SpeechCutter("en"), voice)
        chunks = [chunk async for chunk in await interpreter.transform(source)]
        sound = [chunk for chunk in chunks if isinstance(chunk.part, Blob)]
        heard = await hear.hear(at_16_khz([chunk.part for chunk in sound if isinstance(chunk.part, Blob)]))
    finally:
        for model in (translate, voice, hear):
            await model.close()

    assert "coffee" in heard.text.lower()
    assert {(chunk.role, chunk.name, chunk.stream_id, chunk.ctrl and chunk.ctrl.label) for chunk in sound} == {
        (Role.USER, "ann", "s", "mic")
    }
    assert [chunk.is_begin for chunk in sound].count(True) == [chunk.is_end for chunk in sound].count(True) == 1
