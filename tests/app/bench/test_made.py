"""Made speech is kept, and a pause goes where the voice is softest."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.app.bench import made
from companion.app.bench.made import MadeSpeech, with_pause
from companion.app.bench.truth import Span
from companion.app.bench.voice import speak
from companion.stream import MessageChunk, Role, Stream, pcm, stream_of

RATE = 16_000


class Piper:
    """Says everything as the same half second of a tone."""

    async def transform(self, source: Stream) -> Stream:
        tone = (9000 * np.sin(np.arange(11_025) / 10)).astype(np.int16).tobytes()
        return stream_of([chunk async for chunk in source] + [MessageChunk(Role.MODEL, part=pcm(tone, 22_050))])


def files(folder: Path) -> int:
    return len(list(folder.iterdir()))


async def test_speech_is_made_once_and_is_the_same_the_next_time(tmp_path: Path) -> None:
    first = await MadeSpeech(Piper(), "one", tmp_path).say("Good morning.")
    again = await MadeSpeech(Piper(), "one", tmp_path).say("Good morning.")

    assert len(first)
    assert np.array_equal(first, again)
    assert files(tmp_path) == 1


async def test_another_voice_says_it_anew(tmp_path: Path) -> None:
    await MadeSpeech(Piper(), "one", tmp_path).say("Good morning.")
    await MadeSpeech(Piper(), "other", tmp_path).say("Good morning.")

    assert files(tmp_path) == 2


async def test_spoken_text_is_timed_and_measured() -> None:
    spoken = await speak(Piper(), "Good morning.")

    assert spoken.seconds == pytest.approx(0.5)
    assert 0 < spoken.first <= spoken.took


def two_words(pause: float) -> np.ndarray:
    tone = (9000 * np.sin(2 * np.pi * 300 * np.arange(RATE) / RATE)).astype(np.int16)
    return np.concatenate([tone, np.zeros(round(pause * RATE), np.int16), tone])


@pytest.fixture
def _all_is_voice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tones are no voice to a voice detector."""
    monkeypatch.setattr(made, "voice_span", lambda samples: Span(0.0, len(samples) / RATE))


def longest_silence(samples: np.ndarray) -> float:
    """Seconds of the longest run of near silence."""
    edges = np.flatnonzero(np.diff(np.concatenate([[True], np.abs(samples) > 50, [True]]).astype(np.int8)))
    return max(np.diff(edges)) / RATE if len(edges) > 1 else 0.0


@pytest.mark.usefixtures("_all_is_voice")
@pytest.mark.parametrize("there_already", [0.05, 0.3])
def test_the_pause_is_as_long_as_asked_wherever_one_was_already(there_already: float) -> None:
    paused = with_pause(two_words(there_already), 0.7)

    assert len(paused) == pytest.approx(2.7 * RATE, abs=RATE * 0.02)
    assert longest_silence(paused) == pytest.approx(0.7, abs=0.02)


@pytest.mark.usefixtures("_all_is_voice")
def test_a_longer_pause_stays_as_it_is() -> None:
    sound = two_words(1.0)

    assert with_pause(sound, 0.7) is sound
