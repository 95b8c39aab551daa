"""A companion in a quiet home, in virtual time: a room, scripted models, and everything it told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from doubles.alive import alive
from doubles.ears import Recogniser, Room
from doubles.mouth import Loudspeaker, Voice
from doubles.senses import RoomSenses, SureJudge

from companion.app.build import build
from companion.app.companion import Companion
from companion.app.ensemble import Ensemble
from companion.app.events import Telling
from companion.app.mind import Thinker
from companion.app.orders import Status
from companion.app.paths import Paths
from companion.app.quiet import Wishes
from companion.app.sound import Ends
from companion.settings.schema import Settings
from companion.voice.events import State


class QuietHome:
    """think: the language model; None where there is none."""

    def __init__(self, folder: Path, think: Thinker | None = None, *, wishes: Wishes | None = None) -> None:
        self.paths = Paths.under(folder)
        self.paths.prepare()
        self.telling = Telling()
        self.events: list[object] = []
        self.telling.subscribe(self.events.append)
        self.room, self.mouth = Room(), Loudspeaker()
        self.recogniser, self.voice = Recogniser(), Voice()
        self.wishes = wishes or Wishes()
        self._think = think
        self.companion: Companion

    @asynccontextmanager
    async def living(self) -> AsyncIterator[Companion]:
        """The companion, while the block runs."""
        self.companion = companion = await self._built()
        async with alive(companion):
            yield companion

    async def until(self, state: State, within: float = 60.0) -> None:
        """Wait until it is in that state."""
        async with asyncio.timeout(within):
            while (await self.companion.perform(Status()))["phase"] != state:  # noqa: ASYNC110 - virtual time
                await asyncio.sleep(0.02)

    async def _built(self) -> Companion:
        models = Ensemble(
            hear=self.recogniser,
            think=self._think,
            think_name="scripted" if self._think else "",
            speak=self.voice,
            voice_name="",
            judge=SureJudge(),
            residents=[],
            steps=[],
        )
        ends = self._open_ends
        return await build(
            Settings(),
            self.paths,
            self.telling,
            ensemble=models,
            senses=RoomSenses(),
            open_ends=ends,
            wishes=self.wishes,
        )

    async def _open_ends(self, telling: Telling) -> Ends:
        async def close() -> None:
            await asyncio.sleep(0)

        return Ends(self.room, self.mouth, close)
