"""Devices are listed by name and tried: on a real sound server with a virtual microphone and loudspeaker."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from doubles.portaudio import FakeLibrary, devices_of, microphone_named
from doubles.sounds import voice

from companion.app.desks.sound_desk import SoundDesk
from companion.app.echo_path import Room
from companion.app.events import Finished, Metered, Progress, Telling, WakeTried
from companion.app.minding.desks import Given
from companion.app.virtual_sound import VirtualSound
from companion.audio.devices import Devices
from companion.errors import DeviceError
from companion.settings.store import SettingsStore


class Stage:
    """A desk and all it told."""

    def __init__(self, folder: Path, devices: Devices | None = None) -> None:
        self.store = SettingsStore(folder / "settings.toml")
        self.telling = Telling()
        self.told: list[object] = []
        self.borrowed = 0
        self._news = asyncio.Event()
        self.telling.subscribe(self._hear)
        made = None if devices is None else lambda: devices
        self.desk = SoundDesk(self.store, self.telling, borrow=self._borrow, devices=made)

    @asynccontextmanager
    async def _borrow(self) -> AsyncIterator[None]:
        self.borrowed += 1
        try:
            yield
        finally:
            self.borrowed -= 1

    def _hear(self, event: object) -> None:
        self.told.append(event)
        self._news.set()

    async def tend(self, action: str, **given: object) -> Any:
        return json.loads(json.dumps(await self.desk.perform(action, Given(given))))

    def of(self, kind: type) -> list[Any]:
        return [event for event in self.told if isinstance(event, kind)]

    async def until(self, kind: type, count: int = 1) -> None:
        await self.until_so(lambda: len(self.of(kind)) >= count)

    async def until_so(self, is_so: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not is_so():
                self._news.clear()
                await self._news.wait()


@asynccontextmanager
async def staged(tmp_path: Path) -> AsyncIterator[tuple[Stage, VirtualSound]]:
    async with VirtualSound() as sound:
        stage = Stage(tmp_path)
        try:
            yield stage, sound
        finally:
            await stage.desk.close()
            assert stage.borrowed == 0


async def test_devices_are_listed_by_the_names_people_see(tmp_path: Path) -> None:
    async with staged(tmp_path) as (stage, _):
        listed = await stage.tend("list")
        assert "Microphone" in listed["microphone"]["names"]
        assert "Loudspeaker" in listed["speaker"]["names"]
        assert "pulse" not in listed["microphone"]["names"], "the door to the server is no device for people"
        assert (listed["word"], listed["percent"]) == ("okay_nabu", 50)
        stage.store.set("sound.microphone", "Jabra")
        listed = await stage.tend("list")
        assert "Jabra" in listed["microphone"]["problem"]
        assert listed["microphone"]["names"], "there are others to choose from"


class Hanging(Devices):
    """A sound system that does not come back until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0
        self.began, self.let_go = threading.Event(), threading.Event()

    def refresh(self) -> bool:
        self.asked += 1
        self.began.set()
        self.let_go.wait(20)
        return True


async def test_a_sound_system_that_hangs_takes_one_thread_and_no_more(tmp_path: Path) -> None:
    devices = Hanging()
    stage = Stage(tmp_path, devices)
    asking = [asyncio.ensure_future(stage.tend("list")) for _ in range(40)]
    try:
        async with asyncio.timeout(10):
            await asyncio.to_thread(devices.began.wait, 10)
            await stage.tend("stop")
            assert devices.asked == 1, "and others have theirs"
    finally:
        devices.let_go.set()
        await asyncio.gather(*asking, return_exceptions=True)


@pytest.mark.parametrize("action", ["level", "wake"])
async def test_a_trial_that_breaks_inside_has_an_end_too(
    tmp_path: Path, action: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*given: object, **names: object) -> None:
        raise RuntimeError("never thought of")

    monkeypatch.setattr("companion.app.trials.meter.meter", broken)
    monkeypatch.setattr("companion.app.trials.wake.try_wake", broken)
    stage = Stage(tmp_path)
    await stage.tend(action)
    await stage.until(Finished)

    assert "RuntimeError" in stage.of(Finished)[0].problem


@pytest.mark.parametrize("there", [[], [microphone_named("Desk")]], ids=["nothing", "a microphone"])
async def test_without_a_loudspeaker_a_chime_is_given_up_at_once(tmp_path: Path, there: list[dict[str, Any]]) -> None:
    stage = Stage(tmp_path, devices_of(FakeLibrary(there)))
    try:
        async with asyncio.timeout(1):
            with pytest.raises(DeviceError):
                await stage.tend("chime")
    finally:
        await stage.desk.close()
    assert stage.borrowed == 0


async def test_the_level_moves_when_somebody_speaks_and_stops_when_told(tmp_path: Path) -> None:
    async with staged(tmp_path) as (stage, sound):
        assert (await stage.tend("level"))["on"] is True
        await stage.until(Metered, 5)
        quiet = max(event.dbfs for event in stage.of(Metered))
        await sound.say(voice("commands", 2).tobytes())
        assert max(event.dbfs for event in stage.of(Metered)) > quiet + 20
        await stage.tend("stop")
        count = len(stage.of(Metered))
        await asyncio.sleep(0.3)
        assert len(stage.of(Metered)) == count


async def test_a_microphone_that_is_unplugged_is_told_and_heard_again_when_it_is_back(tmp_path: Path) -> None:
    async with staged(tmp_path) as (stage, sound):
        await stage.tend("level", microphone="Microphone")
        await stage.until(Metered, 5)
        await sound.unplug_microphone()
        await stage.until_so(lambda: bool(stage.of(Metered)[-1].problem))
        assert stage.of(Metered)[-1].mend
        await sound.plug_microphone()
        await stage.until_so(lambda: not stage.of(Metered)[-1].problem)
        await stage.tend("stop")


@pytest.mark.parametrize("action", ["record", "echo"])
async def test_a_microphone_that_is_unplugged_in_a_trial_ends_it_with_what_to_do(tmp_path: Path, action: str) -> None:
    async with staged(tmp_path) as (stage, sound):
        trying = asyncio.ensure_future(stage.tend(action, seconds=9))
        await stage.until(Progress, 2)
        await sound.unplug_microphone()
        async with asyncio.timeout(20):
            with pytest.raises(DeviceError) as fault:
                await trying

        assert fault.value.mend
        assert stage.borrowed == 0


async def test_what_was_said_is_played_back(tmp_path: Path) -> None:
    said = voice("commands", 2)
    async with staged(tmp_path) as (stage, sound):
        recording = asyncio.ensure_future(stage.tend("record", seconds=3))
        await stage.until(Progress)
        began = time.monotonic()
        await sound.say(said.tobytes())
        result = await recording
        assert result["verdict"] == "good"
        assert sound.spoken.first_loud(began) is not None
        notes = [event.note for event in stage.of(Progress)]
        assert notes[0] == "listening"
        assert notes[-1] == "playing"
        assert [event.task for event in stage.of(Finished)] == ["sound.record"]


async def test_a_quiet_room_is_told_from_a_voice(tmp_path: Path) -> None:
    async with staged(tmp_path) as (stage, _):
        assert (await stage.tend("record", seconds=1))["verdict"] in ("silent", "unheard")


async def test_a_chime_is_heard(tmp_path: Path) -> None:
    async with staged(tmp_path) as (stage, sound):
        began = time.monotonic()
        await stage.tend("chime")
        await asyncio.sleep(0.2)
        assert sound.spoken.first_loud(began) is not None


@pytest.mark.parametrize(
    ("room", "verdict"),
    [(None, "unheard"), (Room(), "good"), (Room(delay_ms=900), "headphones")],
)
async def test_the_echo_is_measured(tmp_path: Path, room: Room | None, verdict: str) -> None:
    async with staged(tmp_path) as (stage, sound):
        if room is not None:
            await sound.start_echo(room)
        echo = await stage.tend("echo")
        assert echo["verdict"] == verdict, echo
        if room is not None:
            assert echo["heard"] > echo["room"]
        shares = [event.done for event in stage.of(Progress)]
        assert shares == sorted(shares)


async def test_the_wake_word_lights_up_when_it_is_heard(tmp_path: Path) -> None:
    said = np.concatenate([voice("alexa", 0), np.zeros(8_000, np.int16)])
    async with staged(tmp_path) as (stage, sound):
        told = await stage.tend("wake", word="alexa", percent=80)
        assert told["word"] == "alexa"
        await stage.until(WakeTried)
        assert stage.of(WakeTried)[0].outcome == "ready"
        for _ in range(3):
            await sound.say(said.tobytes())
        await stage.until(WakeTried, 2)
        assert any(event.outcome == "heard" for event in stage.of(WakeTried))
        await stage.tend("stop")


async def test_a_trial_that_is_stopped_says_so_and_the_next_begins_at_once(tmp_path: Path) -> None:
    async with staged(tmp_path) as (stage, _):
        recording = asyncio.ensure_future(stage.tend("record", seconds=10))
        await stage.until(Progress)
        await stage.tend("stop")
        assert (await recording)["verdict"] == "stopped"
        await stage.tend("level")
        await stage.until(Metered, 2)


async def test_a_microphone_that_is_not_there_is_named(tmp_path: Path) -> None:
    async with staged(tmp_path) as (stage, _):
        with pytest.raises(DeviceError, match="Jabra"):
            await stage.tend("record", microphone="Jabra")
        await stage.tend("wake", microphone="Jabra")
        await stage.until_so(lambda: any(event.task == "sound.wake" for event in stage.of(Finished)))
        assert "Jabra" in stage.of(Finished)[-1].problem
