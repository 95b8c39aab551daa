"""Ten minutes each of silence, noise and music through the whole loop on real models: nobody has said anything."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from end_to_end.made_sounds import music, noise, silence
from end_to_end.running import furnish
from end_to_end.voices import RATE, Speech

from companion.app.build import build
from companion.app.ensemble import Ensemble, gather
from companion.app.events import Telling
from companion.app.models import ModelRoom
from companion.app.paths import Paths
from companion.app.shelf import build_shelf
from companion.app.sound import Ends
from companion.audio.files import FileMicrophone, FileSpeaker, Pace, RealTime, at_once
from companion.settings.schema import Settings, Wake
from companion.voice.events import AnswerStarted, HeardText, Spoken, Woken

SECONDS = 600
OPEN = Settings(wake=Wake(open_microphone=True))
ASLEEP = Settings()


class Witness:
    """Remembers whatever would show that somebody was thought to speak."""

    def __init__(self) -> None:
        self.seen: list[object] = []

    def __call__(self, event: object) -> None:
        match event:
            case HeardText(final=True) | AnswerStarted() | Spoken() | Woken():
                self.seen.append(event)
            case _:
                pass


@pytest.fixture(scope="module")
def models(loop: asyncio.Runner, shelf_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ensemble]:
    home = tmp_path_factory.mktemp("models")
    furnish(home, shelf_folder)
    made = gather(ModelRoom.of(Settings(), Paths.under(home), build_shelf(home / "models")), Telling())
    yield made
    loop.run(made.close())


@pytest.mark.parametrize("settings", [ASLEEP, OPEN], ids=["asleep", "open microphone"])
@pytest.mark.parametrize("make", [silence, noise, music])
async def test_no_turn_is_invented(
    make: Callable[[int], Iterator[bytes]], settings: Settings, models: Ensemble, tmp_path: Path
) -> None:
    assert await witnessed(b"".join(make(SECONDS)), settings, models, tmp_path / "home") == []


@pytest.mark.parametrize(
    ("settings", "opener"), [(ASLEEP, "Okay Nabu, "), (OPEN, "")], ids=["asleep", "open microphone"]
)
async def test_the_same_ears_hear_who_speaks(
    settings: Settings, opener: str, models: Ensemble, speech: Speech, tmp_path: Path
) -> None:
    """Else the tests above would be passed by ears that are deaf."""
    sound = bytes(RATE) + speech.say(f"{opener}What time is it?") + bytes(4 * RATE)
    seen = await witnessed(sound, settings, models, tmp_path / "home", pace=RealTime())
    assert [event.text for event in seen if isinstance(event, HeardText)] == ["What time is it?"]


async def witnessed(
    sound: bytes, settings: Settings, models: Ensemble, home: Path, *, pace: Pace = at_once
) -> list[object]:
    """What a companion made of the sound, fed as fast as it can be heard."""
    telling, witness = Telling(), Witness()
    telling.subscribe(witness)
    paths = Paths.under(home)
    paths.prepare()
    microphone = FileMicrophone(sound, silence=0.0, pace=pace)
    mouth = FileSpeaker(microphone)

    async def open_ends(_: Telling) -> Ends:
        return Ends(microphone, mouth, microphone.close)

    # The models are everybody's here, so this companion must not close them.
    lent = replace(models, residents=())
    companion = await build(settings, paths, telling, ensemble=lent, open_ends=open_ends)
    try:
        await companion.once()
    finally:
        await companion.close()
    assert microphone.at == pytest.approx(len(sound) / 32_000, abs=1.0)
    return witness.seen
