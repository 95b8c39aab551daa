"""Piper's voice: real sound, the right voice for a language, and clear words where there is none."""

from __future__ import annotations

import threading
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
import pytest

from companion.errors import ModelBroken, ModelMissing
from companion.providers.local.log_mel import Floats
from companion.providers.local.piper import PiperSynthesiser, from_first_sound
from companion.providers.spoken import words_to_say
from companion.stream import Blob, Text, pcm


def joe(shelf: Path) -> Path:
    return shelf / "piper-en_US-joe-medium" / "en_US-joe-medium.onnx"


@asynccontextmanager
async def synthesiser(voices: dict[str, Path], **settings: object) -> AsyncIterator[PiperSynthesiser]:
    model = PiperSynthesiser(voices, threads=2, **settings)  # type: ignore[arg-type]
    try:
        yield model
    finally:
        await model.close()


async def sound(model: PiperSynthesiser, text: Text) -> list[Blob]:
    return [blob async for blob in model.speak(text)]


def seconds(blobs: list[Blob]) -> float:
    return sum(len(blob.data) for blob in blobs) / 2 / 22_050


async def test_it_speaks(shelf_folder: Path) -> None:
    async with synthesiser({"en": joe(shelf_folder)}) as model:
        blobs = await sound(model, Text("The kettle is boiling.", "en"))
        assert {blob.mime_type for blob in blobs} == {"audio/pcm; channels=1; rate=22050"}
        assert 0.8 < seconds(blobs) < 3
        samples = np.frombuffer(b"".join(blob.data for blob in blobs), np.int16)
        assert np.abs(samples).max() > 10_000
        assert model.report.loaded
        assert model.report.speed > 0


async def test_the_first_sentence_is_heard_before_the_second_is_made(
    shelf_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from piper import PiperVoice

    make, made = PiperVoice.phoneme_ids_to_audio, list[int]()

    def counted(self: PiperVoice, *arguments: object, **named: object) -> object:
        made.append(1)
        return make(self, *arguments, **named)

    async with synthesiser({"en": joe(shelf_folder)}) as model:
        await model.load()
        monkeypatch.setattr(PiperVoice, "phoneme_ids_to_audio", counted)
        speaking = model.speak(Text("Sure. " + "And then a very long sentence follows. " * 8, "en"))
        await anext(speaking)
        assert len(made) < 4
        await speaking.aclose()
        await model.load()
        assert len(made) < 6


async def test_a_reply_that_is_broken_off_ends_with_the_window_at_hand(
    shelf_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.providers.local.piper_voice import Vocoder

    make, made, may_go_on = Vocoder._run, list[int](), threading.Event()

    def held(self: Vocoder, frames: Floats, start: int, end: int) -> Floats:
        self.pace = 0.2
        made.append(end)
        if start:
            may_go_on.wait(10)
        return make(self, frames, start, end)

    async with synthesiser({"en": joe(shelf_folder)}) as model:
        await model.load()
        monkeypatch.setattr(Vocoder, "_run", held)
        speaking = model.speak(Text("This is a sentence that goes on for some time before it comes to its end.", "en"))
        await anext(speaking)
        await speaking.aclose()
        may_go_on.set()
        await model.load()
        assert len(made) <= 2


async def test_twice_the_speed_is_half_the_sound(shelf_folder: Path) -> None:
    text = Text("The kettle is boiling and the tea is nearly ready.", "en")
    voices = {"en": joe(shelf_folder)}
    async with synthesiser(voices, variation=0.0) as plain, synthesiser(voices, variation=0.0, speed=2.0) as quick:
        slow, fast = seconds(await sound(plain, text)), seconds(await sound(quick, text))
    assert 0.4 < fast / slow < 0.65


async def test_the_language_chooses_the_voice(tmp_path: Path) -> None:
    english, brazilian = tmp_path / "a.onnx", tmp_path / "b.onnx"
    model = PiperSynthesiser({"en": english, "pt-BR": brazilian}, language="pt")
    chosen = {tag: model._voice_for(tag) for tag in ("", "en", "en-GB", "EN_us", "pt", "pt-PT", "pt-br", "zh")}
    assert chosen == {
        "": english, "en": english, "en-GB": english, "EN_us": english,
        "pt": brazilian, "pt-PT": brazilian, "pt-br": brazilian, "zh": None,
    }  # fmt: skip


async def test_no_voice_for_a_language_is_said_with_the_mend(tmp_path: Path) -> None:
    async with synthesiser({"en": tmp_path / "a.onnx"}) as model:
        with pytest.raises(ModelMissing, match='no voice for "zh"') as caught:
            await sound(model, Text("你好", "zh"))
        assert "companion models" in caught.value.mend


async def test_another_voice_says_what_there_is_no_voice_for(tmp_path: Path) -> None:
    class Other:
        async def speak(self, text: Text) -> AsyncGenerator[Blob, None]:
            yield pcm(words_to_say(text).encode(), 8000)

    async with synthesiser({"en": tmp_path / "a.onnx"}, otherwise=Other()) as model:
        assert await sound(model, Text("你好", "zh")) == [pcm("你好".encode(), 8000)]


async def test_a_voice_that_does_not_load_is_broken(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "voice.onnx"
    file.write_bytes(b"not a model")
    async with synthesiser({"en": file}) as model:
        with pytest.raises(ModelBroken, match="voice does not load"):
            await model.load()
        file.with_name("voice.onnx.json").write_text("{}")
        with pytest.raises(ModelBroken, match="voice does not load"):
            await model.load()
    assert capfd.readouterr() == ("", "")


def test_no_voice_at_all_is_missing() -> None:
    with pytest.raises(ModelMissing):
        PiperSynthesiser({})


def test_a_voice_does_not_begin_with_silence() -> None:
    rate = 22_050
    silence, voice = bytes(2 * 1000), b"\x00\x10" * 500

    assert from_first_sound(silence + voice, rate) == bytes(2 * 176) + voice
    assert from_first_sound(voice, rate) == voice
    assert from_first_sound(silence, rate) == silence
