"""A voice is heard before it is chosen, at the speed that is wanted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.app.desks.voices_desk import LONGEST, TRY, VoicesDesk
from companion.app.events import Finished, Telling
from companion.app.minding.desks import Given
from companion.app.models import ModelRoom
from companion.app.paths import Paths
from companion.app.shelf import build_shelf
from companion.catalog.machine import this_machine
from companion.errors import BadInput, UnknownModel
from companion.settings.schema import Settings
from companion.stream import Blob, Stream, Text
from companion.voice.contract import Played

JOE = "piper-en_US-joe-medium"


class Listening:
    """A loudspeaker that keeps what it was given."""

    volume = 1.0

    def __init__(self) -> None:
        self.captions: list[str] = []
        self.bytes = 0
        self.begun = asyncio.Event()
        self.gate = asyncio.Event()
        self.gate.set()

    async def play(self, sound: Stream, *, on_first_sound: Callable[[], None]) -> Played:
        async for chunk in sound:
            self.begun.set()
            await self.gate.wait()
            if isinstance(chunk.part, Text):
                self.captions.append(chunk.part.text)
            if isinstance(chunk.part, Blob):
                self.bytes += len(chunk.part.data)
        return Played((), hushed=False)

    def duck(self) -> None: ...

    def unduck(self) -> None: ...

    def hush(self) -> None: ...

    def chime(self, name: str) -> None: ...


class Home:
    def __init__(self, folder: Path, shelf: Path) -> None:
        room = ModelRoom(Settings(), Paths.under(folder), build_shelf(shelf), this_machine())
        self.telling, self.ends = Telling(), asyncio.Queue[Finished]()
        self.telling.subscribe(self._note)
        self.mouth = Listening()
        self.desk = VoicesDesk(lambda: room, self.telling, mouth=lambda: self.mouth)

    def _note(self, event: object) -> None:
        if isinstance(event, Finished):
            self.ends.put_nowait(event)

    async def tend(self, action: str, **given: object) -> Any:
        return json.loads(json.dumps(await self.desk.perform(action, Given(given))))

    async def end(self) -> Finished:
        async with asyncio.timeout(60):
            return await self.ends.get()


async def test_the_voices_of_the_catalogue_are_listed(tmp_path: Path, shelf_folder: Path) -> None:
    told = await Home(tmp_path, shelf_folder).tend("list")
    joe = {voice["name"]: voice for voice in told["voices"]}[JOE]
    assert (joe["on_shelf"], joe["speaks"], joe["languages"]) == (True, True, ["en"])
    assert (told["chosen"], told["speed"]) == ("auto", 1.0)


async def test_a_real_voice_says_the_words_at_the_speed_that_was_asked_for(tmp_path: Path, shelf_folder: Path) -> None:
    home = Home(tmp_path, shelf_folder)
    lengths = []
    for speed in (1.0, 2.0):
        home.mouth.bytes = 0
        await home.tend("try", name=JOE, text="Good morning to you.", speed=speed)
        assert await home.end() == Finished(TRY)
        lengths.append(home.mouth.bytes)
    assert "Good morning to you." in " ".join(home.mouth.captions)
    assert 0 < lengths[1] < 0.75 * lengths[0]
    await home.desk.close()


async def test_a_try_is_stopped(tmp_path: Path, shelf_folder: Path) -> None:
    home = Home(tmp_path, shelf_folder)
    home.mouth.gate.clear()
    await home.tend("try", text="Good morning to you.")
    async with asyncio.timeout(60):
        await home.mouth.begun.wait()
    await home.tend("stop")
    assert (await home.end()).problem
    await home.desk.close()


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"text": " "}, BadInput),
        ({"text": "x" * (LONGEST + 1)}, BadInput),
        ({"text": "Hello.", "speed": 9.0}, BadInput),
        ({"text": "Hello.", "name": "nobody"}, UnknownModel),
        ({"text": "Hello.", "name": "whisper-base"}, BadInput),
    ],
)
async def test_what_cannot_be_tried_is_refused(
    tmp_path: Path, shelf_folder: Path, given: dict[str, object], fault: type[Exception]
) -> None:
    with pytest.raises(fault):
        await Home(tmp_path, shelf_folder).tend("try", **given)


async def test_a_voice_that_is_not_on_the_shelf_is_told_at_the_end(tmp_path: Path) -> None:
    home = Home(tmp_path, tmp_path / "models")
    await home.tend("try", name=JOE, text="Hello.")
    end = await home.end()
    assert JOE in end.problem
    assert end.mend
    await home.desk.close()
