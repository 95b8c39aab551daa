"""After a companion has been closed, nothing of it is left: no task, thread, child process or sound server."""

from __future__ import annotations

import asyncio
import gc
import threading
from pathlib import Path

import psutil
from end_to_end.running import furnish
from end_to_end.voices import Speech

from companion.app.build import build
from companion.app.events import Ready, Telling
from companion.app.paths import Paths
from companion.app.virtual_sound import VirtualSound
from companion.settings.schema import Settings
from companion.voice.events import Spoken

PATIENCE = 30.0
OF_THE_LOOP = ("asyncio_", "asyncio-waitpid-")
"""Threads that asyncio keeps for blocking calls and for child processes."""


async def test_a_companion_leaves_nothing_behind(shelf_folder: Path, speech: Speech, tmp_path: Path) -> None:
    paths = Paths.under(tmp_path / "home")
    furnish(paths.data, shelf_folder)
    paths.prepare()
    others = threads()
    async with VirtualSound() as sound:
        # The first life wakes what libraries keep for good, as pools of threads.
        await a_life(paths, sound, speech)
        before = left()
        await a_life(paths, sound, speech)
        assert left() == before
        assert [name for name in threads() if not name.startswith(OF_THE_LOOP) and name not in others] == []


async def test_a_virtual_sound_card_leaves_nothing_behind() -> None:
    mother = psutil.Process()
    before = mother.children(recursive=True)
    async with VirtualSound() as sound:
        folder = sound._folder
        family = [child for child in mother.children(recursive=True) if child not in before]
        assert any(child.name() == "pulseaudio" for child in family)
    assert [child for child in family if child.is_running()] == []
    assert not folder.exists()


async def a_life(paths: Paths, sound: VirtualSound, speech: Speech) -> None:
    """Start, answer one question, and end."""
    telling, events = Telling(), asyncio.Queue[object]()
    telling.subscribe(lambda event: events.put_nowait(event) if isinstance(event, Ready | Spoken) else None)
    companion = await build(Settings(), paths, telling)
    life = asyncio.create_task(companion.run(), name="life")
    try:
        async with asyncio.timeout(PATIENCE):
            assert isinstance(await events.get(), Ready)
            await sound.say(speech.call("what is three plus four?"), latency_ms=300)
            assert await events.get() == Spoken("That's 7.", whole=True, begun=True)
    finally:
        life.cancel()
        await asyncio.gather(life, return_exceptions=True)
        await companion.close()


def left() -> tuple[int, int, list[str]]:
    """Threads of all kinds, tasks, and child processes."""
    gc.collect()
    mother = psutil.Process()
    ours = mother.num_threads() - sum(name.startswith(OF_THE_LOOP) for name in threads())
    return ours, len(asyncio.all_tasks()), sorted(child.name() for child in mother.children(recursive=True))


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread is not threading.main_thread()]
