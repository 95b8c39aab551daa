"""The real engine behind a window, in real time, with scripted ears, senses and models."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from doubles.ears import Recogniser, Room
from doubles.mouth import Loudspeaker, Voice
from doubles.senses import RoomSenses, SureJudge

from companion.app.build import build
from companion.app.companion import Companion
from companion.app.ensemble import Ensemble
from companion.app.events import Telling
from companion.app.face import Face
from companion.app.mind import Thinker
from companion.app.paths import Paths
from companion.app.sound import Ends
from companion.settings.schema import Settings

T = TypeVar("T")

PATIENCE = 10.0


class BehindWindow:
    """``face`` is what the window holds. Speak into the room by ``say``; what was told is in ``events``.

    fails: raised instead of building a companion, until it is set to None.
    """

    def __init__(self, home: Path) -> None:
        self.paths = Paths.under(home)
        self.paths.prepare()
        self.events: list[object] = []
        self.fails: Exception | None = None
        self.think: Thinker | None = None
        self.opened = 0
        self.face = Face(self.paths, self._make)
        self.face.listen(self.events.append)

    def on_engine(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Do something on the engine's thread, and wait for it."""
        return self._posted(work).result(timeout=PATIENCE)

    def wake(self) -> None:
        """Say the wake word."""
        self.on_engine(self.room.wake)

    def say(self, words: str) -> None:
        """Say something into the room."""
        self.on_engine(lambda: self.room.say(words))

    def freeze(self, seconds: float) -> None:
        """Let the engine's loop hang."""

        async def hang() -> None:
            time.sleep(seconds)  # noqa: ASYNC251 - that is the fault

        self._posted(hang)

    def _posted(self, work: Callable[[], Coroutine[Any, Any, T]]) -> Future[T]:
        run = self.face._run
        assert run is not None
        assert run.thread is not None
        return run.thread.post(work)

    async def _make(self, settings: Settings, telling: Telling, stop: Callable[[], None]) -> Companion:
        if self.fails is not None:
            raise self.fails
        self.room, self.mouth = Room(), Loudspeaker()
        self.recogniser, self.voice = Recogniser(), Voice()
        ensemble = Ensemble(
            hear=self.recogniser,
            think=self.think,
            think_name="",
            speak=self.voice,
            voice_name="",
            judge=SureJudge(),
            residents=[],
            steps=[],
        )
        return await build(
            settings, self.paths, telling, ensemble=ensemble, senses=RoomSenses(), open_ends=self._open_ends, stop=stop
        )

    async def _open_ends(self, telling: Telling) -> Ends:
        self.opened += 1

        async def close() -> None:
            await asyncio.sleep(0)

        return Ends(self.room, self.mouth, close)
