"""The loudspeaker is heard by the microphone: the companion must not answer, wake or interrupt itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from end_to_end.stage import Stage, now, on_stage
from end_to_end.voices import RATE, Listener, Speech, likeness, plain, rms

from companion.app.echo_path import Room

SETTINGS = "[wake]\nfollow_up = 2.0\n"
SPEECH = (
    "Good evening, and welcome to the news. What time is it, you ask? It is time for a cup of tea. "
    "Set a timer for ten minutes, and do not forget the milk. To wake me, say okay nabu, and then your question. "
    "Please stop at the red light, turn left behind the church, and tell me what you see there. "
    "The weather stays fine until Thursday, when a little rain is expected from the west."
)
"""Twenty seconds of its own voice, with all that it would obey if somebody else said it."""


@pytest.mark.parametrize("delay_ms", [50, 150, 300])
async def test_it_does_not_answer_itself_and_still_hears_others(
    delay_ms: int, shelf_folder: Path, listener: Listener, speech: Speech, tmp_path: Path
) -> None:
    async with on_stage(tmp_path / "home", shelf_folder, listener, settings=SETTINGS) as stage, echo(stage, delay_ms):
        await assert_deaf_to_itself(stage)
        await assert_stopped_by_others(stage, speech)


@asynccontextmanager
async def echo(stage: Stage, delay_ms: int) -> AsyncIterator[None]:
    await stage.sound.start_echo(Room(delay_ms=delay_ms))
    try:
        yield
    finally:
        await stage.sound.stop_echo()


async def assert_deaf_to_itself(stage: Stage) -> None:
    began = now()
    mark = await stage.announce(SPEECH)
    told = await stage.reply(mark, began, within=40)
    await stage.settle(within=15)

    assert stage.companion.heard(mark) == []
    assert not stage.companion.has_shown(r"\(heard", mark)
    assert plain(told.said).endswith(plain(SPEECH)[-60:])
    assert likeness(told.sounded, SPEECH) >= 0.85, told.sounded
    assert stage.companion.shown(mark).count("not answered") <= 1, "it interrupted itself"
    assert rms(stage.sound.heard.between(began, now())) > 100, "there was no echo"


async def assert_stopped_by_others(stage: Stage, speech: Speech) -> None:
    """Two voices at once damage each other: a person may have to say it again, and be taken to say something else."""
    mark = await stage.announce(SPEECH)
    await stage.speaking(mark)
    await asyncio.sleep(3)
    for _ in range(3):
        await stage.say(speech.say("Stop!") + bytes(3 * RATE))
        if await stage.phase() == "asleep" or stage.companion.heard(mark):
            return
    pytest.fail("it did not stop")
