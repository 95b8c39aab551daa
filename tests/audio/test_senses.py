"""The senses on real voices, in noise and in silence."""

from __future__ import annotations

import time

import numpy as np
import pytest
from doubles.sounds import RATE, in_noise, music, pink, spoken, voice, white

from companion.audio.level import rms_dbfs
from companion.audio.resample import Samples, samples_of
from companion.audio.senses import RoomSenses
from companion.audio.vad import VoiceDetector, silero_file
from companion.audio.wake import WORDS, WakeDetector, WakeVerifier
from companion.audio.wave import read_sound
from companion.errors import ModelMissing
from companion.voice.contract import Sensed, Senses

STEP = 640


def padded(samples: Samples) -> bytes:
    quiet = np.zeros(RATE, np.int16)
    whole = np.concatenate([quiet, samples, quiet])
    return whole[: len(whole) // 320 * 320].tobytes()


def hear_all(senses: Senses, sound: bytes) -> list[Sensed]:
    return [senses.hear(sound[at : at + STEP]) for at in range(0, len(sound) - STEP + 1, STEP)]


def voiced(samples: Samples) -> list[float]:
    detector = VoiceDetector()
    steps = [samples[at : at + 320] for at in range(0, len(samples) - 319, 320)]
    return [detector.hear(step, rms_dbfs(step)) for step in steps]


@pytest.mark.parametrize("snr", [None, 10.0])
async def test_the_wake_word_is_heard_and_verified_every_time(snr: float | None) -> None:
    verifier = WakeVerifier("alexa", threshold=0.1, deadline=30.0)
    for file in spoken("alexa"):
        sound = padded(samples_of(read_sound(file)))
        if snr is not None:
            sound = in_noise(samples_of(sound), snr).tobytes()
        detector = WakeDetector("alexa", threshold=0.7)
        ends = [at + STEP for at in range(0, len(sound) - STEP + 1, STEP) if detector.hear(sound[at : at + STEP])]

        assert ends, f"{file.name} was missed"
        assert await verifier.verify(sound[max(0, ends[0] - 4 * RATE) : ends[0]]), f"{file.name} was not verified"


@pytest.mark.parametrize("kind", ["not_alexa", "commands", "lj"])
def test_other_speech_does_not_wake(kind: str) -> None:
    detector = WakeDetector("alexa", threshold=0.7)

    assert not any(detector.hear(padded(samples_of(read_sound(file)))) for file in spoken(kind))


async def test_the_verifier_refuses_other_words_again_and_again() -> None:
    verifier = WakeVerifier("alexa", threshold=0.1, deadline=30.0)
    sound = padded(voice("alexa"))
    detector = WakeDetector("alexa", threshold=0.7)
    end = next(at + STEP for at in range(0, len(sound), STEP) if detector.hear(sound[at : at + STEP]))
    word, other = sound[end - 4 * RATE : end], voice("commands")[: 2 * RATE].tobytes()

    assert [await verifier.verify(sound) for sound in (other, word, other, word)] == [False, True, False, True]


async def test_a_verifier_that_is_too_slow_trusts_the_first_detector(monkeypatch: pytest.MonkeyPatch) -> None:
    verifier = WakeVerifier("alexa", threshold=0.3, deadline=0.01)
    monkeypatch.setattr(verifier, "_judge", lambda sound: time.sleep(0.2) or 0.0)

    assert await verifier.verify(bytes(640))
    assert await WakeVerifier("alexa", threshold=0.0).verify(bytes(640))


@pytest.mark.parametrize("word", WORDS)
def test_every_wake_word_loads_and_is_silent_on_noise(word: str) -> None:
    detector = WakeDetector(word, threshold=0.7)

    assert not detector.hear(white(3.0, -30).tobytes())
    assert not detector.hear(music(3.0).tobytes())


def test_an_unknown_wake_word_is_told_with_the_known_ones() -> None:
    with pytest.raises(ModelMissing, match="'computer'") as caught:
        WakeDetector("computer", threshold=0.7)
    assert "okay_nabu" in caught.value.mend


@pytest.mark.parametrize("snr", [None, 10.0])
def test_speech_is_heard_and_its_end_too(snr: float | None) -> None:
    for file in spoken("commands"):
        samples = samples_of(read_sound(file))
        said = voiced(samples if snr is None else in_noise(samples, snr))

        assert sum(probability >= 0.5 for probability in said) >= 20, file.name
        # Each clip ends in 1.2 s without speech.
        assert max(said[-30:]) < 0.5, file.name


@pytest.mark.parametrize(
    "sound", [np.zeros(10 * RATE, np.int16), white(10.0, -65), white(10.0, -30), pink(10.0, -30), music(10.0)]
)
def test_silence_noise_and_music_are_no_speech(sound: Samples) -> None:
    assert max(voiced(sound)) < 0.5


def test_a_quiet_room_wakes_no_network() -> None:
    detector = VoiceDetector()
    quiet = white(0.02, -70)
    for _ in range(200):
        detector.hear(quiet, rms_dbfs(quiet))

    assert detector.judged == 0


async def test_the_senses_work_together_after_a_long_quiet() -> None:
    senses = RoomSenses("alexa")
    await senses.prepare()
    sound = white(20.0, -75).tobytes() + padded(voice("alexa"))

    sensed = hear_all(senses, sound)
    woken = [number for number, one in enumerate(sensed) if one.wake == "alexa"]

    assert len(woken) == 1
    end = (woken[0] + 1) * STEP
    assert await senses.verify("alexa", sound[end - 4 * RATE : end])
    assert not await senses.verify("okay_nabu", sound[end - 4 * RATE : end])
    assert max(one.voice for one in sensed) >= 0.5
    assert max(one.voice for one in sensed[:900]) == 0.0
    senses.forget()
    assert hear_all(senses, bytes(STEP))[0] == Sensed(0.0, -120.0)


def test_blocks_of_any_multiple_of_10_ms_hear_alike() -> None:
    sound = padded(voice("alexa"))
    for size in (320, 640, 2560):
        senses = RoomSenses("alexa")
        heard = [senses.hear(sound[at : at + size]) for at in range(0, len(sound), size)]
        assert [one.wake for one in heard if one.wake] == ["alexa"], size
        assert max(one.voice for one in heard) > 0.9, size


def test_the_voice_detector_is_found_without_importing_the_recogniser() -> None:
    assert silero_file().name.startswith("silero_vad")
