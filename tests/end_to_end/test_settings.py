"""Settings are changed while the companion runs, and are heard: a voice that is tried, the volume, the name to call."""

from __future__ import annotations

import asyncio
from pathlib import Path

from end_to_end.running import TURN_PATIENCE
from end_to_end.stage import LAST_SOUND, Stage, now, on_stage
from end_to_end.voices import Listener, Speech, likeness, plain, rms

from companion.app.orders import Tend

SENTENCE = "The garden is full of yellow flowers."
QUESTION = "what is nine times seven?"


async def test_settings_are_changed_while_it_runs(
    shelf_folder: Path, listener: Listener, speech: Speech, tmp_path: Path
) -> None:
    async with on_stage(tmp_path / "home", shelf_folder, listener) as stage:
        await a_voice_is_tried(stage)
        await the_volume_is_turned_down(stage, speech)
        await it_is_called_by_another_name(stage, speech)
        await a_personality_is_tried(stage)
        assert "Traceback" not in stage.companion.shown()


async def a_voice_is_tried(stage: Stage) -> None:
    began = now()
    await stage.order(Tend("voices", "try", {"text": SENTENCE}))
    async with asyncio.timeout(TURN_PATIENCE):
        while stage.sound.spoken.first_loud(began) is None:  # noqa: ASYNC110 - sound tells nobody
            await asyncio.sleep(0.05)
    await asyncio.sleep(4.0 + LAST_SOUND)
    sounded = await stage.listener.words(stage.sound.spoken.between(began, now()))
    assert likeness(sounded, SENTENCE) > 0.8, sounded
    await stage.settle(within=TURN_PATIENCE)


async def the_volume_is_turned_down(stage: Stage, speech: Speech) -> None:
    loud = await loudness(stage, speech)
    answer = await put(stage, "sound.volume", "0.3")
    assert answer["waiting"] == []
    assert await loudness(stage, speech) < 0.6 * loud
    await stage.order(Tend("settings", "undo"))


async def it_is_called_by_another_name(stage: Stage, speech: Speech) -> None:
    await put(stage, "wake.word", "hey_jarvis")
    await asyncio.sleep(2.0)
    await stage.settle(within=TURN_PATIENCE)
    reply = await stage.ask(speech.call(QUESTION, name="Hey Jarvis"))
    assert plain(reply.said).endswith("sixty three"), reply
    await stage.hush()


async def a_personality_is_tried(stage: Stage) -> None:
    given = {"text": "You answer in one short sentence.", "question": "What colour is grass?"}
    answer = await stage.order(Tend("personality", "preview", given))
    assert answer["text"]


async def put(stage: Stage, name: str, value: str) -> dict[str, object]:
    return await stage.order(Tend("settings", "set", {"name": name, "value": value}))


async def loudness(stage: Stage, speech: Speech) -> float:
    """How loud it answers."""
    began = now()
    reply = await stage.ask(speech.call(QUESTION))
    assert reply.first_sound is not None
    level = rms(stage.sound.spoken.between(max(began, reply.first_sound), reply.first_sound + 1.0))
    await stage.hush()
    return level
