"""Voices to ask with, and ears to hear the answers with: real models on the tester's side."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import numpy as np
from num2words import num2words

from companion.audio.resample import Samples, samples_of
from companion.audio.wave import read_sound
from companion.providers.local.faster_whisper import WhisperRecogniser

RATE = 16_000
SPOKEN = Path(__file__).parents[1] / "spoken"
PAUSE = bytes(2 * RATE // 5)
LONGEST = 25
"""Seconds the listener hears at once."""


class Speech:
    """Says sentences with Piper, each time the same: 16 kHz mono PCM."""

    def __init__(self, voice: Path) -> None:
        from piper import PiperVoice

        self._voice = PiperVoice.load(voice)
        self.say = lru_cache(maxsize=100)(self._say)

    def _say(self, text: str) -> bytes:
        from piper.config import SynthesisConfig

        exact = SynthesisConfig(noise_scale=0.0, noise_w_scale=0.0)
        chunks = list(self._voice.synthesize(text, exact))
        return at_16_khz(b"".join(chunk.audio_int16_bytes for chunk in chunks), chunks[0].sample_rate)

    def call(self, text: str, name: str = "Okay Nabu") -> bytes:
        """A sentence behind the wake word."""
        return self.say(f"{name}, {text}")


class Listener:
    """Writes down what it hears."""

    def __init__(self, recogniser: Path) -> None:
        self._recogniser = WhisperRecogniser(recogniser, language="en", threads=2)

    async def words(self, sound: Samples) -> str:
        """The words in the sound, as the recogniser writes them."""
        heard = [
            (await self._recogniser.hear(sound[at : at + LONGEST * RATE].tobytes())).text
            for at in range(0, len(sound), LONGEST * RATE)
        ]
        return " ".join(heard)

    async def close(self) -> None:
        await self._recogniser.close()


def at_16_khz(pcm: bytes, rate: int) -> bytes:
    import soxr

    samples = soxr.resample(np.frombuffer(pcm, "<i2").astype(np.float32), rate, RATE)
    return np.clip(np.rint(samples), -32768, 32767).astype("<i2").tobytes()


def spoken(name: str) -> bytes:
    """A real person's recording, 16 kHz mono PCM."""
    return read_sound(SPOKEN / name)


def trimmed(sound: bytes, *, below_peak: float = 0.05) -> bytes:
    """Without the silence around it."""
    samples = samples_of(sound)
    loud = np.flatnonzero(np.abs(samples.astype(np.int32)) > below_peak * np.abs(samples.astype(np.int32)).max())
    margin = RATE // 10
    return samples[max(int(loud[0]) - margin, 0) : int(loud[-1]) + margin].tobytes()


def plain(text: str) -> str:
    """Lower-case words without punctuation, numbers spelled out, so that texts can be compared."""
    text = re.sub(r"(?<=\d),(?=\d)", "", text.lower())
    text = re.sub(r"\d+", lambda number: f" {num2words(int(number[0]))} ", text)
    return " ".join(re.findall(r"[a-z']+", text.replace("-", " ")))


def likeness(heard: str, said: str) -> float:
    """The share of the words said that were heard, in any order."""
    wanted, there = plain(said).split(), set(plain(heard).split())
    return sum(word in there for word in wanted) / max(len(wanted), 1)


def rms(sound: Samples) -> float:
    """Root of the mean power, in 16-bit steps."""
    return float(np.sqrt(np.mean(sound.astype(np.float64) ** 2))) if len(sound) else 0.0
