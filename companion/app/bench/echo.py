"""Its own voice in the room: the companion speaks for a minute while the loudspeaker is led back into the microphone.

It must not answer itself, and should not fall silent because it takes its echo for somebody who speaks.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from companion.app.bench.figures import Amount, Figure, Note, Section, Share
from companion.app.bench.setup import Setup
from companion.app.bench.stage import Stage, on_stage
from companion.app.bench.utterances import LONG_TEXT
from companion.app.echo_path import Room
from companion.app.orders import Announce
from companion.app.virtual_sound import LOUD

DELAYS_MS = (50, 150, 300)
SECONDS = 60.0
LOOK = 0.05
PATIENCE = 30.0
_TURN_TAKEN = ("thinking",)
_INTERRUPTED = ("hearing", "deciding")


@dataclass(frozen=True, slots=True)
class Monologue:
    """answers: turns it took from its own voice. interrupted: how often it paused for it. spoken: seconds of sound."""

    answers: int
    interrupted: int
    spoken: float


async def measure(setup: Setup) -> Sequence[Section]:
    """A minute with each delay, as an announcement after the other."""
    figures: dict[str, Figure] = {}
    delays = DELAYS_MS[:1] if setup.quick else DELAYS_MS
    seconds = 15.0 if setup.quick else SECONDS
    own: list[Monologue] = []
    async with on_stage(setup, {}) as stage:
        figures["models"] = await stage.models()
        for delay in delays:
            await stage.sound.start_echo(Room(delay_ms=delay))
            own.append(await _monologue(stage, seconds))
            await stage.sound.stop_echo()
            figures[f"{delay} ms: answers to itself"] = Amount(own[-1].answers, "")
            figures[f"{delay} ms: pauses for its own voice"] = Amount(own[-1].interrupted, "")
            figures[f"{delay} ms: spoken"] = Amount(own[-1].spoken, "s")
    figures["answered itself"] = Share(sum(one.answers > 0 for one in own), len(own))
    figures["how"] = Note(f"{seconds:.0f} s of announcements; echo 6 dB down, in a room of 0.3 s")
    return [Section("Echo", figures)]


async def _monologue(stage: Stage, seconds: float) -> Monologue:
    await stage.rest()
    before = (await stage.companion.ask())["last_turn"]["number"]
    began = time.monotonic()
    phases: list[str] = []
    while time.monotonic() < began + seconds:
        said_at = time.monotonic()
        await stage.companion.ask(Announce(LONG_TEXT))
        if await stage.first_sound(said_at, PATIENCE) is None:
            break
        phases += await _phases_until_silent(stage, began + seconds)
    await asyncio.sleep(1.0)
    answers = (await stage.companion.ask())["last_turn"]["number"] - before
    spoken = _seconds_of_sound(stage, began, time.monotonic())
    return Monologue(max(answers, _entries(phases, _TURN_TAKEN)), _entries(phases, _INTERRUPTED), spoken)


async def _phases_until_silent(stage: Stage, until: float) -> list[str]:
    phases = [await stage.companion.phase()]
    while time.monotonic() < until and phases[-1] not in ("asleep", "listening"):
        await asyncio.sleep(LOOK)
        phase = await stage.companion.phase()
        if phase != phases[-1]:
            phases.append(phase)
    return phases


def _entries(phases: Sequence[str], wanted: Sequence[str]) -> int:
    """How often a run of the wanted phases begins."""
    return sum(phase in wanted and last not in wanted for last, phase in pairwise(["", *phases]))


def _seconds_of_sound(stage: Stage, began: float, ended: float) -> float:
    """Tenths of a second in which the loudspeaker sounded."""
    tenth = 1600
    samples = stage.sound.spoken.between(began, ended)
    whole = samples[: len(samples) // tenth * tenth].reshape(-1, tenth)
    return float((abs(whole.astype(int)).max(axis=1) > LOUD).sum()) / 10 if len(whole) else 0.0
