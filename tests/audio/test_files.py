"""The loop's ears and mouth on files: in step, bounded, and as fast as asked."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest
from doubles.sounds import reply_of, tone, voice

from companion.audio.files import SPEAKER_RATE, FileMicrophone, FileSpeaker, RealTime, at_once
from companion.audio.resample import samples_of
from companion.audio.wave import read_sound
from companion.stream import Blob
from companion.voice.contract import Played


async def drain(microphone: FileMicrophone) -> bytes:
    return b"".join([chunk.part.data async for chunk in microphone if isinstance(chunk.part, Blob)])


async def test_the_sound_is_heard_whole_and_then_silence() -> None:
    sound = voice("alexa").tobytes()
    microphone = FileMicrophone(sound, silence=1.0, pace=at_once)

    heard = await drain(microphone)

    assert heard[: len(sound)] == sound
    assert not samples_of(heard[len(sound) :]).any()
    assert 1.0 <= (len(heard) - len(sound)) / 32_000 < 1.021
    assert microphone.is_over


async def test_real_time_is_one_second_a_second() -> None:
    loop = asyncio.get_running_loop()
    began = loop.time()
    await drain(FileMicrophone(b"", silence=0.3, pace=RealTime()))

    assert 0.25 <= loop.time() - began < 1.0


async def test_a_reply_is_played_in_step_with_the_microphone_and_written(tmp_path: Path) -> None:
    microphone = FileMicrophone(b"", silence=5.0, pace=at_once)
    speaker = FileSpeaker(microphone)
    first: list[float] = []
    sound = tone(440, 1.0).tobytes()

    async with asyncio.TaskGroup() as group:
        hearing = group.create_task(drain(microphone))
        told = await speaker.play(reply_of(("Hello.", sound)), on_first_sound=lambda: first.append(microphone.at))
        ended = microphone.at
        await microphone.close()
        hearing.cancel()
    speaker.write(tmp_path / "a.wav")

    assert told.pieces[0].played == pytest.approx(1.0, abs=0.001)
    assert 1.0 <= ended - first[0] + 0.1 < 1.3
    written = samples_of(read_sound(tmp_path / "a.wav"))
    assert len(written) == pytest.approx(16_000, abs=20)
    assert np.abs(written[2000:14_000].astype(float)).max() == pytest.approx(0.3 * 32767, rel=0.02)


async def test_a_hushed_reply_ends_at_once_and_tells_what_was_heard() -> None:
    microphone = FileMicrophone(b"", silence=60.0, pace=at_once)
    speaker = FileSpeaker(microphone)

    async def hush_later() -> None:
        async for _ in microphone:
            if microphone.at >= 1.0:
                speaker.hush()
                return

    async with asyncio.TaskGroup() as group:
        group.create_task(hush_later())
        told = await speaker.play(reply_of(("Long.", tone(440, 10.0).tobytes())), on_first_sound=lambda: None)
    await microphone.close()

    assert told.hushed
    assert 0.9 <= told.pieces[0].played <= 1.1


async def test_a_reply_does_not_outlive_its_microphone() -> None:
    microphone = FileMicrophone(b"", silence=0.5, pace=at_once)
    speaker = FileSpeaker(microphone)

    async def speak() -> Played:
        return await speaker.play(reply_of(("Long.", tone(440, 9.0).tobytes())), on_first_sound=lambda: None)

    async with asyncio.TaskGroup() as group:
        speaking = group.create_task(speak())
        await drain(microphone)

    assert speaking.result().hushed


def test_chimes_are_recorded_and_unknown_ones_are_silent() -> None:
    microphone = FileMicrophone(b"")
    speaker = FileSpeaker(microphone, chimes={"ready": tone(880, 0.1, rate=SPEAKER_RATE).tobytes()})
    speaker.chime("unheard of")
    speaker.chime("ready")
    for _ in range(10):
        microphone.on_advance(0.02)

    assert len(speaker.recording()) / 2 / SPEAKER_RATE == pytest.approx(0.1, abs=0.001)
