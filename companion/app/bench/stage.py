"""A virtual sound card with a real companion at it, and somebody who speaks to it and listens."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from companion.app.bench.figures import Note
from companion.app.bench.process import RunningCompanion, furnish
from companion.app.bench.recording import place_of
from companion.app.bench.setup import THREADS, Setup
from companion.app.models import AUTO
from companion.app.orders import Stop
from companion.app.paths import Paths
from companion.app.virtual_sound import LOUD, VirtualSound
from companion.audio.resample import Samples
from companion.errors import SetupError
from companion.voice.contract import RATE

SMALL_MODEL = "smollm2-135m"
"""The model that figures are told for, where the user has chosen none and has it."""
REST_PATIENCE = 20.0
RESTING = ("asleep", "listening")
LOOK = 0.05
MARGIN = 1.5
"""Seconds by which sound may come later than it was sent."""
EARLY = 0.2
"""Seconds by which the clock of a recording may be early: a null sink renders ahead."""
BUFFER_MS = 600
"""Of the user's voice; it is no part of what is measured."""

Tables = Mapping[str, Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Stage:
    """sound: the virtual room. companion: the process in it."""

    sound: VirtualSound
    companion: RunningCompanion

    async def say(self, samples: Samples, *, likeness: float = 0.9) -> float | None:
        """Say something into the room, and return when its first sample was heard (monotonic seconds).

        None where the virtual sound card stuttered on a busy machine, so that what was heard is something else.
        likeness: see ``place_of``.
        """
        began = time.monotonic()
        await self.sound.say(samples.tobytes(), latency_ms=BUFFER_MS)
        until = max(began + len(samples) / RATE + MARGIN, time.monotonic() + MARGIN / 3)
        await asyncio.sleep(until - time.monotonic())
        earliest = began - EARLY
        recording = self.sound.heard.between(earliest, until)
        place = await asyncio.to_thread(place_of, samples, recording, likeness=likeness)
        return None if place is None else earliest + place / RATE

    async def first_sound(self, since: float, within: float) -> float | None:
        """When the loudspeaker first sounded after ``since``; None where it did not ``within`` seconds."""
        until = time.monotonic() + within
        while time.monotonic() < until:
            heard = self.sound.spoken.first_loud(since, above=LOUD)
            if heard is not None:
                return heard
            await asyncio.sleep(LOOK)
        return None

    async def hear_out(self, within: float) -> None:
        """Let the reply come to its end, but no longer than ``within`` seconds."""
        until = time.monotonic() + within
        while time.monotonic() < until and await self.companion.phase() not in RESTING:  # noqa: ASYNC110 - a process
            await asyncio.sleep(LOOK)

    async def models(self) -> Note:
        """Which models it runs with."""
        return Note(", ".join(str(model["name"]) for model in (await self.companion.ask())["models"]))

    async def rest(self) -> None:
        """End whatever goes on, and wait until it listens for its wake word in silence.

        Raises:
            SetupError: it does not come to rest.
        """
        until = time.monotonic() + REST_PATIENCE
        while time.monotonic() < until:
            status = await self.companion.ask(Stop())
            await asyncio.sleep(1.0)
            now = time.monotonic()
            silent = self.sound.spoken.first_loud(now - 0.8, above=LOUD) is None
            if status["phase"] == "asleep" and silent and await self.companion.phase() == "asleep":
                return
        raise SetupError("the companion of the bench does not fall silent", mend="See the log of the bench.")


@asynccontextmanager
async def on_stage(setup: Setup, settings: Tables, *, calm: bool = True) -> AsyncIterator[Stage]:
    """A companion with these settings, beside what every bench sets, at a sound card of its own."""
    with home(setup, settings) as paths:
        async with VirtualSound() as sound, RunningCompanion(paths, calm=calm) as companion:
            yield Stage(sound, companion)


@contextmanager
def home(setup: Setup, settings: Tables) -> Iterator[Paths]:
    """A furnished home that lasts as long as the context."""
    shelf = setup.room().shelf
    tables: dict[str, dict[str, object]] = setup.settings.model_dump()
    ours: Tables = {
        "sound": {"chimes": False, "microphone": "", "speaker": ""},
        "models": {"threads": THREADS, "language_model": _language_model(setup)},
        "history": {"keep": True, "session": "default"},
    }
    for table, values in (*ours.items(), *settings.items()):
        tables[table] = {**tables[table], **values}
    with tempfile.TemporaryDirectory(prefix="companion-bench-", ignore_cleanup_errors=True) as folder:
        yield furnish(Path(folder), shelf, tables)


def _language_model(setup: Setup) -> str:
    named = setup.settings.models.language_model
    return SMALL_MODEL if named == AUTO and SMALL_MODEL in setup.room().shelf.names() else named
