"""What every bench works with: the user's settings and shelf, recorded voices, made speech, and how thorough to be."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from companion.agent.agent import Agent
from companion.app.bench.clips import Clips
from companion.app.bench.made import MadeSpeech
from companion.app.mind import build_mind
from companion.app.models import ModelRoom
from companion.app.paths import Paths
from companion.app.shelf import build_shelf
from companion.catalog.manifest import Kind
from companion.errors import BadInput, ModelMissing
from companion.settings.schema import History, Settings

THREADS = 2
"""What the figures of this house are told for, on any machine."""
RECOGNISERS = ("whisper-tiny.en", "whisper-base")


@dataclass(frozen=True, slots=True)
class Setup:
    """clips: None where the user gave no recorded voices. tell: hears one line of progress."""

    settings: Settings
    paths: Paths
    clips: Clips | None
    quick: bool
    tell: Callable[[str], None]

    @property
    def voices(self) -> Clips:
        """The recorded voices.

        Raises:
            BadInput: the user gave none.
        """
        if self.clips is None:
            raise BadInput("this needs recorded voices", mend="Give the folder that holds them with --data.")
        return self.clips

    def room(self, *, recogniser: str = "") -> ModelRoom:
        """Models from the user's shelf, on ``THREADS`` threads."""
        models = self.settings.models
        chosen = {"threads": THREADS, "idle_unload": 0.0, "recogniser": recogniser or models.recogniser}
        settings = self.settings.model_copy(update={"models": models.model_copy(update=chosen)})
        return ModelRoom.of(settings, self.paths, build_shelf(self.paths.shelf))

    def recognisers(self) -> Sequence[str]:
        """Those on the shelf that are to be compared.

        Raises:
            ModelMissing: there is none of them.
        """
        here = build_shelf(self.paths.shelf).names()
        found = [name for name in RECOGNISERS if name in here]
        if not found:
            raise ModelMissing("there is no recogniser to measure", mend="Run `companion models pull`.")
        return found[:1] if self.quick else found

    @asynccontextmanager
    async def made_speech(self) -> AsyncIterator[MadeSpeech]:
        """Made speech, kept in the user's cache."""
        room = self.room()
        voice, name = room.voice(), room.manifest(Kind.VOICE).name
        try:
            yield MadeSpeech(voice, name, self.paths.cache / "bench")
        finally:
            await voice.close()

    @asynccontextmanager
    async def agent(self) -> AsyncIterator[Agent]:
        """What knows the commands, with no history, no timers and no model."""
        with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
            settings = self.settings.model_copy(update={"history": History(keep=False)})
            yield (await build_mind(settings, Paths.under(Path(folder)), None)).agent
