"""espeak-ng: real sound in many languages, and what happens when the program is not what it should be."""

from __future__ import annotations

import asyncio
import shutil
import wave
from pathlib import Path

import pytest

from companion.errors import ModelDied, SetupError
from companion.providers.local.espeak import EspeakSynthesiser
from companion.stream import Text, pcm_format


def installed() -> Path:
    program = shutil.which("espeak-ng")
    assert program, "espeak-ng is not installed"
    return Path(program)


def script(folder: Path, body: str) -> Path:
    file = folder / "espeak-ng"
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)
    return file


def wave_file(file: Path, *, seconds: int) -> None:
    with wave.open(str(file), "wb") as out:
        out.setparams((1, 2, 22_050, 0, "NONE", ""))
        out.writeframes(bytes(2 * 22_050 * seconds))


def is_running(pid_file: Path) -> bool:
    return Path("/proc", pid_file.read_text().strip()).exists()


async def seconds(model: EspeakSynthesiser, text: Text) -> float:
    total = 0.0
    async for blob in model.speak(text):
        form = pcm_format(blob.mime_type)
        assert form is not None
        assert len(blob.data) % 2 == 0
        total += len(blob.data) / (2 * form.channels * form.rate)
    return total


@pytest.mark.parametrize(("text", "language"), [("Good morning", "en-GB"), ("你好", "zh"), ("Guten Tag", "de")])
async def test_it_speaks_many_languages(text: str, language: str) -> None:
    assert 0.3 < await seconds(EspeakSynthesiser(installed()), Text(text, language)) < 3


async def test_twice_the_speed_is_shorter() -> None:
    text = Text("The kettle is boiling and the tea is nearly ready.", "en")
    slow = await seconds(EspeakSynthesiser(installed()), text)
    assert await seconds(EspeakSynthesiser(installed(), speed=2.0), text) < 0.7 * slow


async def test_words_are_never_options() -> None:
    assert await seconds(EspeakSynthesiser(installed()), Text("--version -f /etc/passwd", "en")) > 0.5


async def test_a_language_it_does_not_know_is_told() -> None:
    with pytest.raises(ModelDied, match='does not speak "xx"'):
        await seconds(EspeakSynthesiser(installed()), Text("hello", "xx"))


async def test_a_missing_program_is_a_matter_of_set_up(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="cannot be started") as caught:
        await seconds(EspeakSynthesiser(tmp_path / "espeak-ng"), Text("hello"))
    assert "install" in caught.value.mend


async def test_closing_ends_the_program_and_what_it_started(tmp_path: Path) -> None:
    wave_file(tmp_path / "long.wav", seconds=60)
    program = script(tmp_path, f"echo $$ > {tmp_path}/pid; cat {tmp_path}/long.wav; sleep 60")
    speaking = EspeakSynthesiser(program).speak(Text("hello"))
    await asyncio.wait_for(anext(speaking), 10)
    await asyncio.wait_for(speaking.aclose(), 10)
    assert not is_running(tmp_path / "pid")


async def test_a_program_that_makes_something_else_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelDied, match="no wave file"):
        await seconds(EspeakSynthesiser(script(tmp_path, "head -c 500 /dev/zero")), Text("hello"))


async def test_a_program_that_says_nothing_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.providers.local.espeak._DEADLINE", 0.2)
    with pytest.raises(ModelDied, match="stopped in the middle"):
        await seconds(EspeakSynthesiser(script(tmp_path, "exec sleep 60")), Text("hello"))
