"""The whole way through a virtual sound card: from the end of speech to the first sound of the reply.

A real companion process is spoken to; the room and the loudspeaker are recorded by one process, whose clock both
recordings are laid on. Where the speech lies in the room's recording is found by cross-correlation with the clip, and
where its voice ends in the clip as ``truth`` describes. Chimes are off. What the companion itself tells about its
steps is asked afterwards; what is left is the sound card and the time the sound takes to be loud.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from companion.app.bench.figures import Figure, Note, Section, Share, Spread
from companion.app.bench.made import MadeSpeech, with_pause
from companion.app.bench.setup import Setup
from companion.app.bench.stage import Stage, on_stage
from companion.app.bench.truth import voice_span
from companion.app.bench.utterances import COMMANDS, PAUSED, QUESTIONS
from companion.audio.resample import Samples, samples_of
from companion.audio.wave import read_sound
from companion.errors import CompanionError
from companion.voice.contract import RATE

logger = logging.getLogger(__name__)

PAUSE = 0.7
REPLY_PATIENCE = 15.0
"""Seconds to wait for a reply."""
LISTEN = 6.0
"""Seconds of a reply to hear before it is stopped."""
ATTEMPTS = 3
BETWEEN = 0.25
"""Seconds between a real "alexa" and a real order."""
_MARGIN = 0.15
STEPS = ("wait", "recogniser", "first_token", "first_sound")


@dataclass(frozen=True, slots=True)
class Utterance:
    """kind: of the figures it belongs to. ended: seconds in ``sound`` at which its voice ends."""

    kind: str
    sound: Samples
    ended: float


@dataclass(frozen=True, slots=True)
class Heard:
    """What became of an utterance; seconds."""

    utterance: Utterance
    woke: bool
    delay: float | None
    """From the end of speech to the first sound; negative where the reply came before it, None for no reply."""
    steps: Mapping[str, float] = field(default_factory=dict)


async def measure(setup: Setup) -> Sequence[Section]:
    """Every kind of utterance with each recogniser of the shelf."""
    async with setup.made_speech() as made:
        synthetic = await _made(made, 1 if setup.quick else None)
    real = _real(setup) if setup.clips is not None else []
    sections = []
    for name in setup.recognisers():
        models = {"models": {"recogniser": name}}
        tried = await _converse(setup, {**models, "wake": {"word": "okay_nabu"}}, synthetic)
        if real:
            tried += await _converse(setup, {**models, "wake": {"word": "alexa"}}, real)
        heard = [one for one in tried if one is not None]
        left_out = {"left out, for the sound card or the companion failed": Share(len(tried) - len(heard), len(tried))}
        sections.append(Section(f"Loop, {name}", {**figures(heard), **left_out}))
    return sections


async def _converse(
    setup: Setup, settings: Mapping[str, Mapping[str, object]], utterances: Sequence[Utterance]
) -> list[Heard | None]:
    async with on_stage(setup, settings) as stage:
        return [await hear(stage, utterance) for utterance in utterances]


async def hear(stage: Stage, utterance: Utterance) -> Heard | None:
    """Say it to a companion that rests, and time its reply.

    None where each time the virtual sound card stuttered, or the companion did not rest or not answer an order.
    """
    for _ in range(ATTEMPTS):
        try:
            heard = await _hear(stage, utterance)
        except CompanionError as error:
            logger.warning("an utterance is left out: %s", error)
            continue
        if heard is not None:
            return heard
    return None


async def _hear(stage: Stage, utterance: Utterance) -> Heard | None:
    await stage.rest()
    before = (await stage.companion.ask())["last_turn"]["number"]
    called = time.monotonic()
    began = await stage.say(utterance.sound)
    if began is None:
        return None
    woke = await stage.companion.phase() != "asleep" or await _has_answered(stage, before)
    sounded = await stage.first_sound(called, REPLY_PATIENCE if woke else 1.0)
    if sounded is None:
        return Heard(utterance, woke, None)
    delay = sounded - began - utterance.ended
    last = (await stage.companion.ask())["last_turn"]
    # A reply that came too early was taken for the whole: there are no steps to be told apart.
    steps = _steps(last, delay) if last["number"] == before + 1 and delay > 0 else {}
    await stage.hear_out(LISTEN)
    return Heard(utterance, True, delay, steps)


async def _has_answered(stage: Stage, before: int) -> bool:
    return bool((await stage.companion.ask())["last_turn"]["number"] > before)


def _steps(last_turn: Mapping[str, Any], delay: float) -> dict[str, float]:
    """The companion's own account; "sound card": what we heard later than it believes."""
    steps = {step: float(last_turn[step]) for step in STEPS}
    return {**steps, "sound_card": delay - float(last_turn["total"])}


def figures(heard: Sequence[Heard]) -> dict[str, Figure]:
    """The figures of all utterances, by kind."""
    kinds = list(dict.fromkeys(one.utterance.kind for one in heard))
    told: dict[str, Figure] = {}
    for kind in kinds:
        told |= _of_kind(kind, [one for one in heard if one.utterance.kind == kind])
    told |= _of_kind("all", heard)
    told["how"] = Note(
        "the wait holds most of the recogniser's work; first token, then first sound, count from the end of the turn; "
        "sound card: what is heard later than the companion itself believes, by its own idea of the end of speech"
    )
    return told


def _of_kind(kind: str, heard: Sequence[Heard]) -> dict[str, Figure]:
    after = [one for one in heard if one.delay is not None and one.delay > 0]
    told: dict[str, Figure] = {
        f"{kind}: end of speech to first sound": Spread.of((one.delay for one in after if one.delay is not None), "s"),
        f"{kind}: woken": Share(sum(one.woke for one in heard), len(heard)),
        f"{kind}: answered": Share(sum(one.delay is not None for one in heard), len(heard)),
        f"{kind}: answered before the end": Share(
            sum(one.delay is not None and one.delay <= 0 for one in heard), len(heard)
        ),
    }
    for step in (*STEPS, "sound_card"):
        values = [one.steps[step] for one in after if step in one.steps]
        told[f"{kind}: of it {step.replace('_', ' ')}"] = Spread.of(values, "s")
    return told


async def _made(made: MadeSpeech, most: int | None) -> list[Utterance]:
    """What the bench's own voice says, behind the wake word."""
    utterances = []
    for kind, texts in (("commands", COMMANDS), ("questions", QUESTIONS), ("sentences with a pause", PAUSED)):
        for text in texts[:most]:
            sound = await made.say(f"Okay Nabu, {text[0].lower() if text[0] != 'I' else 'I'}{text[1:]}")
            if kind == "sentences with a pause":
                comma = (len("Okay Nabu, ") + text.index(",")) / (len("Okay Nabu, ") + len(text))
                sound = with_pause(sound, PAUSE, around=comma)
            utterances.append(_utterance(kind, sound))
    return utterances


def _real(setup: Setup) -> list[Utterance]:
    """Real people: one says the wake word, another gives an order."""
    count = 1 if setup.quick else 5
    words = [_trimmed(samples_of(read_sound(file))) for file in setup.voices.wake_words()[:count]]
    orders = [_trimmed(samples_of(read_sound(order.file))) for order in setup.voices.orders()[:count]]
    gap = np.zeros(round(BETWEEN * RATE), np.int16)
    pairs = zip(words, orders, strict=False)
    return [_utterance("real voices", np.concatenate([word, gap, order])) for word, order in pairs]


def _trimmed(sound: Samples) -> Samples:
    span = voice_span(sound)
    if span is None:
        return sound
    first, last = max(span.began - _MARGIN, 0.0), span.ended + _MARGIN
    return sound[round(first * RATE) : round(last * RATE)]


def _utterance(kind: str, sound: Samples) -> Utterance:
    span = voice_span(sound)
    return Utterance(kind, sound, span.ended if span else len(sound) / RATE)
