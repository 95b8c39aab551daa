"""The whole way of a new user in a real window: the first steps, the first spoken answer, a second start, the end."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from end_to_end.running import furnish, history_of
from end_to_end.screen import AtTheWindow, Screen
from end_to_end.voices import Listener, Speech

from companion.app.paths import Paths
from companion.app.virtual_sound import VirtualSound

START_PATIENCE = 60.0
TURN_PATIENCE = 60.0
STEADY_MS = 300
"""How far ahead the tester's voice is buffered, so that it does not stutter while models load."""
PAUSE = 1.5
"""Seconds between two calls."""


@asynccontextmanager
async def at_the_window(home: Path, shelf: Path | None) -> AsyncIterator[tuple[AtTheWindow, VirtualSound]]:
    furnish(home, shelf)
    async with Screen() as screen, VirtualSound() as sound, AtTheWindow(home, screen) as window:
        yield window, sound


@pytest.mark.timeout(300)  # a whole evening of a new user, in real time
async def test_from_the_first_start_to_the_first_spoken_answer(
    tmp_path: Path, shelf_folder: Path, speech: Speech, listener: Listener
) -> None:
    home = tmp_path / "home"
    async with at_the_window(home, shelf_folder) as (window, sound):
        seen = await window.until_told("Hello.", within=START_PATIENCE)
        assert seen["platform"] == "xcb"
        await window.press("Next")
        await _hear_each_other(window, sound, speech)
        await _be_called(window, sound, speech)
        await window.until_told("Everything for it is here.", within=START_PATIENCE)
        await window.press("Next")
        await window.until_told("What kind of companion?")
        await window.press("Next")
        await window.until_told("What you say stays here.")
        await window.press("Next")
        sounded = await _talk(window, sound, speech, listener)
        assert sounded, "nothing was heard from the loudspeaker"
        await window.press("Done")
        await window.until(lambda seen: "Talk" in seen["buttons"])
        assert (await window.do("grab", file=str(tmp_path / "window.png")))["saved"]
        assert (tmp_path / "window.png").stat().st_size > 5000
        await _lose_the_microphone(window, sound)
        await _start_again(window)
        await window.do("key", key="Ctrl+Q")
        assert await window.ended() == 0
    turns = history_of(Paths.under(home))
    assert any("what can you do" in str(turn).lower() for turn in turns)


async def _hear_each_other(window: AtTheWindow, sound: VirtualSound, speech: Speech) -> None:
    """The level moves when somebody speaks."""
    await window.until_told("Can we hear each other?")
    async with asyncio.timeout(START_PATIENCE):
        while True:
            await sound.say(speech.say("One, two, three, can you hear me?"), latency_ms=STEADY_MS)
            if (await window.see())["lit"] > 0:
                break
    await window.press("Next")


async def _be_called(window: AtTheWindow, sound: VirtualSound, speech: Speech) -> None:
    """The name is said until it was heard three times."""
    await window.until_told("What will you call me?")
    await window.press("Try it")
    await window.until_told("I am listening.", within=START_PATIENCE)
    async with asyncio.timeout(TURN_PATIENCE):
        while "three times. Well done" not in "\n".join((await window.see())["words"]):
            await sound.say(speech.say("Okay Nabu."), latency_ms=STEADY_MS)
            await asyncio.sleep(PAUSE)
    await window.press("Next")


async def _talk(window: AtTheWindow, sound: VirtualSound, speech: Speech, listener: Listener) -> str:
    """The first conversation; what came out of the loudspeaker."""
    await window.until(lambda seen: "Listen to me now" in seen["buttons"], within=START_PATIENCE)
    began = asyncio.get_running_loop().time()
    await sound.say(speech.call("what can you do?"), latency_ms=STEADY_MS)
    await window.until_told("That was our first conversation.", within=TURN_PATIENCE)
    return await listener.words(sound.spoken.between(began, asyncio.get_running_loop().time()))


async def _lose_the_microphone(window: AtTheWindow, sound: VirtualSound) -> None:
    """It is told while it is gone, and no longer when it is back."""
    await window.press("Health")
    await window.until_told("Everything works.", within=START_PATIENCE)
    await sound.unplug_microphone()
    await window.until_told("Microphone: ", within=START_PATIENCE)
    await sound.plug_microphone()
    await window.until_told("Everything works.", within=START_PATIENCE)


async def _start_again(window: AtTheWindow) -> None:
    """A second start brings the first to the front, and ends."""
    second = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "companion", "ui"),
        env=window.environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(START_PATIENCE):
        _, complaint = await second.communicate()
    assert second.returncode == 0, complaint.decode()


async def test_without_models_it_says_what_is_missing_and_what_works_and_ends_when_it_is_told(tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with at_the_window(home, None) as (window, _):
        await window.until_told("Hello.", within=START_PATIENCE)
        await window.press("Go on later")
        seen = await window.until(lambda seen: "Open models" in seen["buttons"], within=START_PATIENCE)
        assert "Health" in seen["buttons"]
        await window.press("Health")
        await window.until_told("How quickly I answer")
        await window.press("Home")
        await window.until_told("Nothing is set.")
        os.kill(window.pid, 15)
        assert await window.ended() == 0


async def test_a_key_press_leads_through_the_whole_window(tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with at_the_window(home, None) as (window, _):
        await window.until_told("Hello.", within=START_PATIENCE)
        await window.do("key", key="Esc")
        for key, words in (("Ctrl+4", "Set something"), ("Ctrl+6", "How quickly I answer"), ("Ctrl+1", "")):
            await window.do("key", key=key)
            await window.until_told(words)
        await window.do("key", key="Ctrl+Q")
        assert await window.ended() == 0
