"""How fast and how well the recogniser hears, beside its library in the same run.

Every clip goes to ours, then to the library with beams of 5 and 1, in an order that turns from clip to clip, so that
whatever else the machine does hits all alike. Ours is given what the voice loop would give it: the utterance, found by
the same senses and the same turn machine. The library is given the whole clip, as its users do.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from companion.app.bench.clips import Clips, slots_heard, words_of
from companion.app.bench.figures import Amount, Figure, Note, Section, Share, Spread
from companion.app.bench.noise import quiet_sounds
from companion.app.bench.replay import utterance
from companion.audio.senses import RoomSenses
from companion.audio.wave import read_sound
from companion.providers.local.faster_whisper import WhisperRecogniser

OURS, BEAM_5, BEAM_1 = "ours", "library, beam 5", "library, beam 1"

Hear = Callable[[bytes], Awaitable[str]]
"""16 kHz mono PCM to text."""


@dataclass(frozen=True, slots=True)
class Clip:
    """A recording with what the voice loop would cut out of it."""

    whole: bytes
    cut: bytes
    slots: tuple[str, ...] = ()


@dataclass(slots=True)
class Score:
    """What one way of recognising made of the clips."""

    orders: list[float] = field(default_factory=list)
    """Seconds a spoken order took."""
    words: list[float] = field(default_factory=list)
    """The same for clips of one word."""
    slots_heard: int = 0
    slots: int = 0
    loops: int = 0
    invented: int = 0
    quiet: int = 0

    def figures(self, name: str) -> dict[str, Figure]:
        return {
            f"{name}: time an order": Spread.of(self.orders, "s"),
            f"{name}: time a word": Spread.of(self.words, "s"),
            f"{name}: slot values heard": Share(self.slots_heard, self.slots),
            f"{name}: loops": Share(self.loops, len(self.orders) + len(self.words)),
            f"{name}: text made up on silence and noise": Share(self.invented, self.quiet),
        }


async def measure(folder: Path, clips: Clips, *, threads: int, most: int | None = None) -> Section:
    """Measure the model in ``folder``. most: so many clips of each kind at most."""
    recogniser = WhisperRecogniser(folder, language="en", threads=threads)
    try:
        await recogniser.load()
        ways = {OURS: _ours(recogniser), **await asyncio.to_thread(_library, folder, threads)}
        scores = await _score(ways, *await _prepared(clips, most))
        blind = [await ways[OURS](sound) for sound in quiet_sounds()]
    finally:
        await recogniser.close()
    figures: dict[str, Figure] = {}
    for name, score in scores.items():
        figures |= score.figures(name)
    figures["ours, given the noise itself: text made up"] = Share(
        sum(bool(words_of(text)) for text in blind), len(blind)
    )
    figures |= _compared(scores)
    return Section(f"Recogniser {folder.name}", figures)


def _compared(scores: Mapping[str, Score]) -> dict[str, Figure]:
    ours, beam_1 = scores[OURS], scores[BEAM_1]
    ratios = [mine / theirs for mine, theirs in zip(ours.orders, beam_1.orders, strict=True)]
    behind = Share(beam_1.slots_heard, beam_1.slots).percent - Share(ours.slots_heard, ours.slots).percent
    return {
        "ours in times of the library with beam 1, order by order": Spread.of(ratios, "x"),
        "slot values heard behind the library with beam 1": Amount(behind, "points"),
        "how": Note("ours is given the utterance as the voice loop cuts it, the library the whole clip; interleaved"),
    }


async def _prepared(clips: Clips, most: int | None) -> tuple[list[Clip], list[Clip], list[Clip]]:
    """Orders, single words, and sounds that hold nothing."""
    senses = RoomSenses("alexa", verifier_threshold=0.0)

    async def clip(whole: bytes, slots: tuple[str, ...] = ()) -> Clip:
        return Clip(whole, await utterance(senses, whole), slots)

    orders = [await clip(read_sound(order.file), order.slots) for order in clips.orders()[:most]]
    words = [await clip(read_sound(file)) for file in clips.wake_words()[:most]]
    return orders, words, [await clip(sound) for sound in quiet_sounds()[:most]]


def _ours(recogniser: WhisperRecogniser) -> Hear:
    async def hear(sound: bytes) -> str:
        return (await recogniser.hear(sound)).text if sound else ""

    return hear


def _library(folder: Path, threads: int) -> dict[str, Hear]:
    from faster_whisper import WhisperModel

    model = WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=threads)

    def hear_with(beam: int) -> Hear:
        def transcribe(sound: bytes) -> str:
            samples = np.frombuffer(sound, np.int16).astype(np.float32) / 32768
            segments, _ = model.transcribe(samples, language="en", beam_size=beam)
            return "".join(segment.text for segment in segments)

        async def hear(sound: bytes) -> str:
            return await asyncio.to_thread(transcribe, sound)

        return hear

    return {BEAM_5: hear_with(5), BEAM_1: hear_with(1)}


async def _score(
    ways: Mapping[str, Hear], orders: list[Clip], words: list[Clip], quiet: list[Clip]
) -> dict[str, Score]:
    scores = {name: Score() for name in ways}
    for hear in ways.values():
        await hear(orders[0].whole)  # whatever is made at the first use
    for turn, clip in enumerate([*orders, *words, *quiet]):
        for name in _turned(list(ways), turn):
            began = time.perf_counter()
            text = await ways[name](clip.cut if name == OURS else clip.whole)
            took = time.perf_counter() - began
            if turn < len(orders):
                _note_order(scores[name], text, took, clip)
            elif turn < len(orders) + len(words):
                scores[name].words.append(took)
                scores[name].loops += is_loop(text)
            else:
                scores[name].quiet += 1
                scores[name].invented += bool(words_of(text))
    return scores


def _note_order(score: Score, text: str, took: float, clip: Clip) -> None:
    heard, slots = slots_heard(text, clip.slots)
    score.orders.append(took)
    score.slots_heard += heard
    score.slots += slots
    score.loops += is_loop(text)


def _turned(names: list[str], by: int) -> list[str]:
    by %= len(names)
    return names[by:] + names[:by]


def is_loop(text: str) -> bool:
    """Whether a run of one to four words stands three times in a row."""
    words = words_of(text)
    for size in range(1, 5):
        for start in range(len(words) - 3 * size + 1):
            run = words[start : start + size]
            if words[start : start + 3 * size] == run * 3:
                return True
    return False
