"""Speaking over a reply: from the onset of the voice until the reply is almost silent, and until it has stopped.

The companion says a long announcement; its sound comes back into the room, as in a real one. Into it somebody says
"stop", or begins another sentence. Both recordings lie on one clock; the voice begins where the clip lies in the
room's recording. Almost silent: 30 dB below what the reply was in the second before, until its end.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

from companion.app.bench.figures import Figure, Note, Section, Share, Spread
from companion.app.bench.recording import almost_silent, stopped, until_next_reply
from companion.app.bench.setup import Setup
from companion.app.bench.stage import Stage, on_stage
from companion.app.bench.truth import voice_span
from companion.app.bench.utterances import LONG_TEXT, OVER_REPLY, STOP
from companion.app.echo_path import Room
from companion.app.orders import Announce
from companion.audio.resample import Samples
from companion.voice.contract import RATE

ROUNDS = 10
SPEAK_PATIENCE = 20.0
FIRST, LAST = 2.0, 5.0
"""Seconds into the reply at which somebody speaks, at random between."""
BEFORE = 1.5
AFTER = 3.0
"""Seconds of the loudspeaker's recording around the onset."""
LIKENESS = 0.35
"""The echo is in the room too."""


@dataclass(frozen=True, slots=True)
class Interrupted:
    """Seconds from the onset of the voice; None where the reply did not fall silent."""

    almost_silent: float | None
    stopped: float | None


async def measure(setup: Setup) -> Sequence[Section]:
    """ "Stop" and speech, each ``ROUNDS`` times."""
    rounds = 2 if setup.quick else ROUNDS
    async with setup.made_speech() as made:
        kinds = {"stop": [await made.say(STOP)], "speech": [await made.say(text) for text in OVER_REPLY]}
    figures: dict[str, Figure] = {}
    async with on_stage(setup, {}) as stage:
        figures["models"] = await stage.models()
        await stage.sound.start_echo(Room(delay_ms=50))
        for kind, clips in kinds.items():
            heard = [await _interrupt(stage, clips[number % len(clips)], number) for number in range(rounds)]
            figures |= _figures(kind, heard)
    figures["how"] = Note(
        "echo 6 dB down after 50 ms, in a room of 0.3 s; almost silent: 30 dB below the second before"
    )
    return [Section("Barge-in", figures)]


def _figures(kind: str, heard: Sequence[Interrupted | None]) -> dict[str, Figure]:
    known = [one for one in heard if one is not None]
    return {
        f"{kind}: onset to almost silent": _spread([one.almost_silent for one in known]),
        f"{kind}: onset to stopped": _spread([one.stopped for one in known]),
        f"{kind}: stopped at all": Share(sum(one.stopped is not None for one in known), len(known)),
        f"{kind}: left out, for the sound card stuttered": Share(len(heard) - len(known), len(heard)),
    }


def _spread(seconds: Sequence[float | None]) -> Spread:
    return Spread.of([one for one in seconds if one is not None], "s")


async def _interrupt(stage: Stage, clip: Samples, seed: int) -> Interrupted | None:
    """One interruption; None where it cannot be measured."""
    await stage.rest()
    called = time.monotonic()
    await stage.companion.ask(Announce(LONG_TEXT))
    speaks = await stage.first_sound(called, SPEAK_PATIENCE)
    if speaks is None:
        return None
    await asyncio.sleep(max(speaks + random.Random(seed).uniform(FIRST, LAST) - time.monotonic(), 0.0))  # noqa: S311
    began = await stage.say(clip, likeness=LIKENESS)
    span = voice_span(clip)
    if began is None or span is None:
        return None
    onset = began + span.began
    await asyncio.sleep(max(onset + AFTER + 0.5 - time.monotonic(), 0.0))
    return judge(stage.sound.spoken.between(onset - BEFORE, onset + AFTER), round(BEFORE * RATE))


def judge(recording: Samples, onset: int) -> Interrupted:
    """What a recording of the loudspeaker shows of an interruption at that sample."""
    reply = until_next_reply(recording, onset)
    quiet, end = almost_silent(reply, onset), stopped(reply, onset)
    return Interrupted(None if quiet is None else (quiet - onset) / RATE, None if end is None else (end - onset) / RATE)
