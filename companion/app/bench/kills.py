"""Kill -9 at random moments while it talks: the next start works, and the history holds every turn that was finished.

Most kills come at any moment; before every fifth a turn is finished first, so that there is something to lose on a
slow machine too. A turn counts as finished when its reply was seen to be over for a moment before the kill. A half
turn is a line that is no whole entry, or an answer without its question.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.app.bench.figures import Amount, Note, Section, Share
from companion.app.bench.process import RunningCompanion
from companion.app.bench.setup import Setup
from companion.app.bench.stage import BUFFER_MS, home
from companion.app.bench.utterances import COMMANDS, QUESTIONS
from companion.app.orders import Talk
from companion.app.paths import Paths
from companion.app.virtual_sound import VirtualSound
from companion.audio.resample import Samples
from companion.errors import CompanionError

ROUNDS = 50
EARLIEST, LATEST = 1.0, 15.0
"""Seconds after the first question at which it is killed, at random between."""
FULL_EVERY = 5
"""Of so many rounds, one is killed only after a finished turn."""
SETTLED = 0.5
"""Seconds a reply must have been over to count as finished: its writing takes a moment."""
LOOK = 0.05
TURN_PATIENCE = 20.0
MOST_TRIES = 3
_TALKING = ("hearing", "deciding", "thinking", "speaking", "ducked")


@dataclass(slots=True)
class Toll:
    """What the kills cost."""

    rounds: int = 0
    restarted: int = 0
    """Starts after a kill that listened again."""
    finished: int = 0
    """Turns that were over before a kill."""
    lost: int = 0
    """Of them, those that the history does not hold."""
    half: int = 0
    """Rounds whose history held something half after the next start."""
    while_talking: int = 0
    """Kills in the middle of a turn."""
    troubles: list[str] = field(default_factory=list)


async def measure(setup: Setup) -> Sequence[Section]:
    """``ROUNDS`` kills of a companion in a home of its own."""
    async with setup.made_speech() as made:
        # A timer that rings later would speak between the turns.
        texts = [text for text in (*COMMANDS, *QUESTIONS) if "timer" not in text]
        questions = [await made.say(text) for text in texts]
    with home(setup, {}) as paths:
        async with VirtualSound() as sound:
            toll = await kill_at_random(paths, sound, questions, rounds=3 if setup.quick else ROUNDS)
    return [
        Section(
            "Kills",
            {
                "the next start works": Share(toll.restarted, toll.rounds),
                "finished turns lost": Share(toll.lost, toll.finished),
                "histories with something half": Share(toll.half, toll.rounds),
                "kills in the middle of a turn": Amount(toll.while_talking, ""),
                "troubles": Note("; ".join(toll.troubles) or "none"),
            },
        )
    ]


async def kill_at_random(
    paths: Paths,
    sound: VirtualSound,
    questions: Sequence[Samples],
    *,
    rounds: int,
    latest: float = LATEST,
    seed: int = 11,
) -> Toll:
    """Talk to the companion in a furnished home, kill it at random moments, and look what is left, ``rounds`` times.

    questions: 16 kHz speech, without a wake word.
    latest: seconds after the first question until which it is killed.
    """
    chance, toll = random.Random(seed), Toll()  # noqa: S311 - moments, no secrets
    for number in range(1, rounds + 1):
        toll.rounds += 1
        before = len(whole_turns(paths)[0])
        finished = 0
        try:
            async with RunningCompanion(paths, calm=False) as companion:
                await companion.load()
                talk = _Talk(companion, sound, questions, chance)
                if number % FULL_EVERY == 0:
                    await talk.finish_one()
                await talk.until(time.monotonic() + chance.uniform(EARLIEST, latest))
                finished = talk.finished
                toll.while_talking += talk.phase in _TALKING
                await companion.kill()
            async with RunningCompanion(paths, calm=False):
                toll.restarted += 1
        except CompanionError as error:
            toll.troubles.append(str(error))
        turns, is_whole = whole_turns(paths)
        toll.finished += finished
        toll.lost += max(finished - (len(turns) - before), 0)
        toll.half += not is_whole
    return toll


class _Talk:
    """Asks one question after the other, and watches for replies that come to their end."""

    def __init__(
        self, companion: RunningCompanion, sound: VirtualSound, questions: Sequence[Samples], chance: random.Random
    ) -> None:
        self.phase = ""
        self.finished = 0
        self._companion = companion
        self._sound = sound
        self._questions = questions
        self._chance = chance

    async def finish_one(self) -> None:
        """Talk until a turn is finished, or ``MOST_TRIES`` came to nothing."""
        for _ in range(MOST_TRIES):
            if self.finished:
                return
            await self._turn()

    async def until(self, moment: float) -> None:
        """Talk until that moment (monotonic seconds)."""
        try:
            async with asyncio.timeout_at(moment):
                while True:
                    await self._turn()
        except TimeoutError:
            return

    async def _turn(self) -> None:
        before = (await self._companion.ask(Talk()))["last_turn"]["number"]
        await self._sound.say(self._chance.choice(self._questions).tobytes(), latency_ms=BUFFER_MS)
        has_spoken = False
        until = time.monotonic() + TURN_PATIENCE
        while time.monotonic() < until:
            status = await self._companion.ask()
            self.phase = str(status["phase"])
            if has_spoken and self.phase not in ("speaking", "ducked"):
                await asyncio.sleep(SETTLED)
                # An apology is no turn.
                self.finished += status["last_turn"]["number"] > before
                return
            has_spoken = has_spoken or self.phase == "speaking"
            await asyncio.sleep(LOOK)


def whole_turns(paths: Paths) -> tuple[list[Mapping[str, Any]], bool]:
    """The answers in the history, and whether everything in it is whole."""
    entries, is_whole = _entries(paths.sessions / "default.messages.ndjson")
    answers = []
    asked = False
    for entry in entries:
        if entry.get("role") == "user":
            asked = True
        elif entry.get("role") == "assistant":
            answers.append(entry)
            is_whole = is_whole and asked
            asked = False
    return answers, is_whole


def _entries(file: Path) -> tuple[list[Mapping[str, Any]], bool]:
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return [], True
    entries, is_whole = [], not text or text.endswith("\n")
    for line in text.splitlines():
        try:
            entries.append(json.loads(line))
        except ValueError:
            is_whole = False
    return [entry for entry in entries if isinstance(entry, dict)], is_whole
