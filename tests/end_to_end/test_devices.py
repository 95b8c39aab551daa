"""Microphone, loudspeaker and sound server come and go while the companion runs."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

from end_to_end.running import Running
from end_to_end.stage import Stage, on_stage
from end_to_end.voices import RATE, Listener, Speech, likeness, plain

from companion.app.virtual_sound import VirtualSound

BACK = 15.0
"""Seconds to be well again."""
NOTICED = 10.0
SAID = 40.0
"""Seconds in which an answer on its way has been said."""
SHORT_ANSWERS = "[models]\nanswer_tokens = 16\n"


async def test_devices_are_unplugged_and_replugged(
    shelf_folder: Path, listener: Listener, speech: Speech, tmp_path: Path
) -> None:
    async with on_stage(tmp_path / "home", shelf_folder, listener, settings=SHORT_ANSWERS) as stage:
        await microphone_goes_while_it_sleeps(stage, speech)
        await microphone_goes_while_somebody_asks(stage, speech)
        await loudspeaker_goes_while_it_speaks(stage, speech)
        await server_dies_and_comes_back(stage, speech)
        assert "Traceback" not in stage.companion.shown()
        assert await stage.companion.end(signal.SIGINT) in (0, 130)


async def microphone_goes_while_it_sleeps(stage: Stage, speech: Speech) -> None:
    await stage.sound.unplug_microphone()
    await stage.settle("deaf", within=NOTICED)
    assert stage.companion.has_shown("^! companion: ", 0)
    await stage.sound.plug_microphone()
    await stage.settle(within=BACK)
    await assert_well(stage, speech)


async def microphone_goes_while_somebody_asks(stage: Stage, speech: Speech) -> None:
    question = speech.call("what is the meaning of")
    asking = asyncio.create_task(stage.say(question))
    try:
        await asyncio.sleep(len(question) / (2 * RATE) - 0.3)
        await stage.sound.unplug_microphone()
    finally:
        await asking
    await stage.settle("deaf", within=SAID)
    await stage.sound.plug_microphone()
    await stage.settle(within=BACK)
    await assert_well(stage, speech)


async def loudspeaker_goes_while_it_speaks(stage: Stage, speech: Speech) -> None:
    """A sound server sends the rest to another loudspeaker, where it has one: here, into the room."""
    mark = await stage.announce("This announcement begins on one loudspeaker, and ends where the server sends it.")
    await stage.speaking(mark)
    await stage.sound.unplug_speaker()
    await stage.settle(within=SAID)
    await stage.sound.plug_speaker()
    await assert_well(stage, speech)


async def server_dies_and_comes_back(stage: Stage, speech: Speech) -> None:
    await stage.sound.kill_server()
    await stage.settle("deaf", within=NOTICED)
    await asyncio.sleep(2)
    await stage.sound.start_server()
    await stage.settle(within=BACK)
    await assert_well(stage, speech)


async def test_it_starts_without_a_sound_server_and_works_once_there_is_one(
    shelf_folder: Path, listener: Listener, speech: Speech, tmp_path: Path
) -> None:
    async with VirtualSound() as sound:
        await sound.kill_server()
        async with Running(tmp_path / "home", shelf_folder) as companion:
            stage = Stage(sound, companion, listener)
            with companion.telling():
                await stage.settle("deaf")
                assert companion.has_shown("^! companion: no sound system answers", 0)
                await sound.start_server()
                await stage.settle(within=BACK)
                await assert_well(stage, speech)


async def assert_well(stage: Stage, speech: Speech) -> None:
    """It wakes, hears, answers, and is heard; then it sleeps. The first call may fall into a gap of the new devices."""
    question = speech.call("what is nine times seven?")
    try:
        reply = await stage.ask(question, within=NOTICED)
    except AssertionError:
        reply = await stage.ask(question)
    assert plain(reply.said).endswith("sixty three"), reply
    assert likeness(reply.sounded, "sixty three") == 1.0, reply
    await stage.hush()
