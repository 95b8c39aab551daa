"""How much earlier a sentence is heard when its sound is made window by window, and what that costs.

``python tests/bench/first_sound.py SHELF [rounds]``, SHELF being a folder of models. Both ways take turns, so that what
else the machine does falls on both alike; the figures that count are the ratios. With a recogniser on the shelf, what
each way says is written down by it.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from unittest.mock import patch

import numpy as np

from companion.providers.local import piper_voice
from companion.providers.local.onnx_cut import NotCuttable
from companion.providers.local.piper_voice import CutVoice, WholeVoice, load_voice

SENTENCES = (
    "It is three forty two.",
    "The kettle is boiling and the tea is nearly ready for you.",
    "The weather tomorrow will be mostly sunny with a light wind from the west.",
)
THREADS = 2
HEARD_RATE = 16_000


@dataclass(frozen=True, slots=True)
class Said:
    """first: seconds until there was sound. pace: seconds of work for a second of it."""

    first: float
    pace: float
    windows: int
    sound: bytes


def say(voice: CutVoice | WholeVoice, words: str) -> Said:
    began = time.perf_counter()
    first, parts = 0.0, list[bytes]()
    for sound in voice.say(words, 1.0, 1.0):
        first = first or time.perf_counter() - began
        parts.append(sound)
    taken = time.perf_counter() - began
    whole = b"".join(parts)
    return Said(first, taken / (len(whole) / 2 / voice.rate), len(parts), whole)


def both(file: Path) -> tuple[WholeVoice | CutVoice, CutVoice | WholeVoice]:
    with patch.object(piper_voice, "cut", side_effect=NotCuttable("for comparison")):
        whole = load_voice(file, THREADS)
    return whole, load_voice(file, THREADS)


def heard(recogniser: Path, said: Said, rate: int) -> str:
    from faster_whisper import WhisperModel

    samples = np.frombuffer(said.sound, np.int16).astype(np.float32) / 32768
    places = np.arange(0, len(samples), rate / HEARD_RATE)
    model = WhisperModel(str(recogniser), compute_type="int8", cpu_threads=THREADS)
    segments, _ = model.transcribe(
        np.interp(places, np.arange(len(samples)), samples).astype(np.float32), language="en"
    )
    return "".join(segment.text for segment in segments).strip()


def main() -> None:
    shelf, rounds = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 15
    whole, cut = both(next(shelf.glob("piper-*/*.onnx")))
    recogniser = next((file.parent for file in sorted(shelf.glob("whisper-*/model.bin"))), None)
    for words in SENTENCES:
        pairs = [(say(whole, words), say(cut, words)) for _ in range(rounds)]
        print(words)
        print(
            f"  first sound {median(one.first for one, _ in pairs):.3f} s in one run,"
            f" {median(two.first for _, two in pairs):.3f} s in windows,"
            f" ratio {median(two.first / one.first for one, two in pairs):.2f}"
        )
        print(
            f"  work for a second of sound {median(one.pace for one, _ in pairs):.3f} s,"
            f" {median(two.pace for _, two in pairs):.3f} s,"
            f" ratio {median(two.pace / one.pace for one, two in pairs):.2f};"
            f" {median(two.windows for _, two in pairs):g} windows"
        )
        if recogniser is not None:
            print(
                f"  heard: {heard(recogniser, pairs[-1][0], whole.rate)} | {heard(recogniser, pairs[-1][1], cut.rate)}"
            )


if __name__ == "__main__":
    main()
