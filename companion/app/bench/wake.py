"""The wake word: how often it is missed, how often something else passes for it, and what it costs.

Misses: each clip of "alexa" with a second of room before it and a second and a half behind it, clean and in made noise.
False wakes: speech that does not hold the word, real and made, the made one at three heights of voice.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass

import numpy as np

from companion.app.bench.clips import Clips
from companion.app.bench.figures import Amount, Figure, Note, Rate, Section, Share
from companion.app.bench.made import MadeSpeech
from companion.app.bench.noise import BELOW_DB, Noise, at_level, in_noise, voice_rms
from companion.app.bench.prose import sentences
from companion.audio.resample import Samples, resample, samples_of
from companion.audio.senses import RoomSenses
from companion.audio.wave import read_sound
from companion.settings.schema import Wake
from companion.voice.contract import RATE

WORD = "alexa"
PIECE = RATE * 80 // 1000
"""What the microphone hands over while nobody is heard."""
VERIFIED = 2 * RATE
HEIGHTS = (1.0, 0.9, 1.12)
"""Speeds at which made speech is played, as other voices."""
PAUSE = RATE * 3 // 10
_QUIET_ROOM_DBFS = -70.0


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to measure.

    made: seconds of made speech. words: wake words to watch for. noises: whether to measure in noise, too.
    most: clips of a kind.
    """

    made: float = 3 * 3600.0
    words: tuple[str, ...] = ("okay_nabu", WORD)
    noises: bool = True
    most: int | None = None


class Watch:
    """Senses that hear a long sound and count how often they wake."""

    def __init__(self, word: str, settings: Wake) -> None:
        self.word = word
        self.wakes = 0
        self.fired = 0
        """How often the first detector alone would have woken."""
        self.heard = 0
        """Samples."""
        self.busy = 0.0
        """Seconds of a core that hearing took; the verifier's are in ``verifying``."""
        self.verifying = 0.0
        self._senses = RoomSenses(word, threshold=settings.threshold, verifier_threshold=settings.verifier_threshold)
        self._recent: deque[Samples] = deque(maxlen=VERIFIED // PIECE + 1)

    async def prepare(self) -> None:
        await self._senses.prepare()

    def forget(self) -> None:
        self._senses.forget()
        self._recent.clear()

    async def hear(self, samples: Samples) -> int:
        """Hear some more, and say how often it woke."""
        before = self.wakes
        for start in range(0, len(samples) - PIECE + 1, PIECE):
            piece = samples[start : start + PIECE]
            began = time.thread_time()
            sensed = self._senses.hear(piece.tobytes())
            self.busy += time.thread_time() - began
            self.heard += PIECE
            self._recent.append(piece)
            if sensed.wake:
                await self._verify()
        return self.wakes - before

    async def _verify(self) -> None:
        self.fired += 1
        began = time.process_time()
        sound = np.concatenate(self._recent)[-VERIFIED:].tobytes()
        self.wakes += await self._senses.verify(self.word, sound)
        self.verifying += time.process_time() - began

    @property
    def hours(self) -> float:
        return self.heard / RATE / 3600

    def share_of_a_core(self) -> float:
        """Percent, verifying included."""
        return 100 * (self.busy + self.verifying) * RATE / max(self.heard, 1)


async def measure(clips: Clips, made: MadeSpeech | None, settings: Wake, effort: Effort | None = None) -> Section:
    """Measure as the user's settings have it. made: None measures false wakes on real speech only."""
    effort = effort or Effort()
    figures = await _misses(clips, settings, effort)
    figures |= await _false_wakes(clips, made, settings, effort)
    figures["CPU in a quiet room"] = Amount(await _idle(settings), "% of a core")
    figures["how"] = Note(
        f"threshold {settings.threshold:g}, verifier {settings.verifier_threshold:g}; noise is so many dB below the "
        "voice, whose level is that of its frames within 20 dB of the loudest"
    )
    return Section("Wake word", figures)


async def _misses(clips: Clips, settings: Wake, effort: Effort) -> dict[str, Figure]:
    words = [samples_of(read_sound(file)) for file in clips.wake_words()[: effort.most]]
    noise = Noise([samples_of(read_sound(file)) for file in clips.other_words()])
    watch = Watch(WORD, settings)
    await watch.prepare()
    figures: dict[str, Figure] = {"missed, clean": Share(await _missed(watch, map(_in_a_room, words)), len(words))}
    missed, total = 0, 0
    for kind in noise.kinds if effort.noises else ():
        for below in BELOW_DB:
            noisy = [_in_noise(word, noise, kind, below) for word in words]
            count = await _missed(watch, noisy)
            figures[f"missed, {kind} {below:g} dB below"] = Share(count, len(words))
            missed, total = missed + count, total + len(words)
    if total:
        figures["missed, in all noise"] = Share(missed, total)
    return figures


async def _missed(watch: Watch, sounds: Iterable[Samples]) -> int:
    missed = 0
    for sound in sounds:
        watch.forget()
        missed += await watch.hear(sound) == 0
    return missed


def _in_a_room(word: Samples) -> Samples:
    padded = np.pad(word, (RATE, RATE * 3 // 2))
    return np.where(padded == 0, at_level(Noise().make("pink", len(padded)), _QUIET_ROOM_DBFS), padded)


def _in_noise(word: Samples, noise: Noise, kind: str, below: float) -> Samples:
    padded = np.pad(word, (RATE, RATE * 3 // 2))
    return in_noise(padded, noise.make(kind, len(padded)), below)


async def _false_wakes(clips: Clips, made: MadeSpeech | None, settings: Wake, effort: Effort) -> dict[str, Figure]:
    figures: dict[str, Figure] = {}
    noise = Noise([samples_of(read_sound(file)) for file in clips.other_words()])
    watches = {name: [Watch(word, settings) for word in effort.words] for name in ("clean", "in noise")}
    for watch in [watch for some in watches.values() for watch in some]:
        await watch.prepare()
    async for number, speech in _numbered(_other_speech(clips, made, effort)):
        for watch in watches["clean"]:
            await watch.hear(speech)
        if effort.noises:
            kind = noise.kinds[number % len(noise.kinds)]
            noisy = in_noise(speech, noise.make(kind, len(speech)), BELOW_DB[1]) if voice_rms(speech) else speech
            for watch in watches["in noise"]:
                await watch.hear(noisy)
    for name, some in watches.items():
        for watch in some if watch_heard(some) else ():
            figures[f"false wakes {name}, {watch.word}"] = Rate(watch.wakes, watch.hours)
            figures[f"false wakes {name}, {watch.word}, without the verifier"] = Rate(watch.fired, watch.hours)
    if watches["clean"]:
        figures["CPU while somebody speaks"] = Amount(watches["clean"][0].share_of_a_core(), "% of a core")
    return figures


def watch_heard(watches: Iterable[Watch]) -> bool:
    """Whether any of them heard something."""
    return any(watch.heard for watch in watches)


async def _numbered(sounds: AsyncIterator[Samples]) -> AsyncIterator[tuple[int, Samples]]:
    number = 0
    async for sound in sounds:
        yield number, sound
        number += 1


async def _other_speech(clips: Clips, made: MadeSpeech | None, effort: Effort) -> AsyncIterator[Samples]:
    """Speech without the wake word, with pauses between."""
    pause = np.zeros(PAUSE, np.int16)
    files = [*clips.other_words(), *(order.file for order in clips.orders()), *(file for file, _ in clips.sentences())]
    for file in files:
        yield np.concatenate([samples_of(read_sound(file)), pause])
    if made is None:
        return
    seconds = 0.0
    for text in sentences():
        if seconds >= effort.made:
            return
        spoken = await made.say(text)
        for height in HEIGHTS:
            speech = np.concatenate([resample(spoken, round(RATE * height), RATE), pause])
            seconds += len(speech) / RATE
            yield speech


async def _idle(settings: Wake, seconds: float = 60.0) -> float:
    watch = Watch(WORD, settings)
    await watch.prepare()
    await watch.hear(at_level(Noise().make("pink", round(seconds * RATE)), _QUIET_ROOM_DBFS))
    return watch.share_of_a_core()
