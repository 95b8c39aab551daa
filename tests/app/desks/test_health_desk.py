"""What it costs, how quick it is, what is wrong, and a bundle that is saved as it was shown."""

from __future__ import annotations

import asyncio
import json
import threading
import zipfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.app.desks.health_desk import CHECKUP, HealthDesk
from companion.app.doctor import Check, Finding, State
from companion.app.events import Finished, ModelLoaded, Problem, Progress, Solved, Telling
from companion.app.mind import Mind, build_mind
from companion.app.minding.desks import Given
from companion.app.paths import Paths
from companion.errors import BadInput, BadManifest
from companion.model import ModelReport
from companion.settings.schema import Settings
from companion.voice.events import Asked, Exchanged, HeardText, TurnTimed

FULL_DISK = Finding("disk", State.BAD, "0.0 GB free", "Free some space.")


class Health:
    """A desk in a house, and what the house told."""

    def __init__(self, mind: Mind, telling: Telling, checks: Callable[[], Sequence[Check]]) -> None:
        self.telling = telling
        self.told: list[object] = []
        telling.subscribe(self.told.append)
        self.desk = HealthDesk(mind.house, checks)

    async def tend(self, action: str, **given: object) -> Any:
        return json.loads(json.dumps(await self.desk.perform(action, Given(json.loads(json.dumps(given))))))

    async def finished(self) -> Finished:
        async with asyncio.timeout(10):
            while True:
                ends = [event for event in self.told if isinstance(event, Finished)]
                if ends:
                    return ends[-1]
                await asyncio.sleep(0.01)


@asynccontextmanager
async def healthy(tmp_path: Path, *checks: Check) -> AsyncIterator[Health]:
    paths, telling = Paths.under(tmp_path), Telling()
    paths.prepare()
    mind = await build_mind(Settings(), paths, None, telling=telling)
    health = Health(mind, telling, lambda: checks)
    try:
        yield health
    finally:
        await health.desk.close()
        await mind.close()


async def test_turns_of_before_the_start_are_told_too_each_once(tmp_path: Path) -> None:
    async with healthy(tmp_path) as health:
        spoken_turn(health.telling, 1, wait=0.5, recogniser=0.2, first_token=0.1, first_sound=0.3)
        assert len((await health.tend("turns"))["turns"]) == 1
    async with healthy(tmp_path) as health:
        spoken_turn(health.telling, 1, wait=0.5, recogniser=0.2, first_token=0.1, first_sound=0.3)
        turns = (await health.tend("turns"))["turns"]

    assert len(turns) == 2
    assert turns[0]["at"] < turns[1]["at"]


async def test_it_tells_processor_memory_and_room_since_it_was_last_asked(tmp_path: Path) -> None:
    async with healthy(tmp_path) as health:
        health.telling.tell(ModelLoaded(ModelReport("whisper-base", loaded=True, load_seconds=1.5)))
        now = await health.tend("now")
        again = await health.tend("now")

    assert now["own_memory"] > 1e7
    assert 0 < now["free_memory"] < now["memory"]
    assert 0 < now["free_disk"] <= now["disk"]
    assert now["models"] == [{"name": "whisper-base", "load_seconds": 1.5}]
    assert now["cores"] >= 1
    assert now["threads"] >= 1
    assert now["running"] > 0
    assert 0 <= again["cpu"] <= again["cores"] + 1
    assert again["seconds"] < 10


def spoken_turn(telling: Telling, number: int, **seconds: float) -> None:
    telling.tell(HeardText("what does Emma like", "en", final=True))
    telling.tell(Asked(number, "what does Emma like", "en", spoken=True))
    timed = {"wait": 0.0, "recogniser": 0.0, "first_token": 0.0, "first_sound": 0.0} | seconds
    telling.tell(TurnTimed(**timed, total=timed["wait"] + timed["first_token"] + timed["first_sound"]))
    telling.tell(Exchanged(number, "what does Emma like", "en", "model:small", "banana", "banana", whole=True))


async def test_steps_of_a_turn_add_up_to_the_whole_and_tell_nothing_of_it(tmp_path: Path) -> None:
    async with healthy(tmp_path) as health:
        spoken_turn(health.telling, 1, wait=0.5, recogniser=0.2, first_token=0.3, first_sound=0.1)
        spoken_turn(health.telling, 2, wait=0.1, recogniser=0.4, first_token=0.3, first_sound=0.1)
        turns = (await health.tend("turns"))["turns"]

    assert [turn["by_model"] for turn in turns] == [True, True]
    for turn in turns:
        assert sum(step["seconds"] for step in turn["steps"]) == pytest.approx(turn["total"])
    assert {step["step"]: step["seconds"] for step in turns[0]["steps"]}["wait"] == pytest.approx(0.3)
    assert "Emma" not in str(turns)
    assert "banana" not in str(turns)


async def test_the_newest_fifty_turns_are_told(tmp_path: Path) -> None:
    async with healthy(tmp_path) as health:
        for number in range(1, 70):
            spoken_turn(health.telling, number, wait=number / 100)
        turns = (await health.tend("turns"))["turns"]

    assert len(turns) == 50
    assert turns[-1]["total"] == pytest.approx(0.69)


async def test_everything_is_checked_beside_the_conversation_with_progress(tmp_path: Path) -> None:
    looked = Check("disk", lambda: [FULL_DISK])
    async with healthy(tmp_path, looked, looked) as health:
        assert not (await health.tend("findings"))["is_done"]
        await health.tend("checkup")
        assert (await health.finished()).problem == ""
        told = await health.tend("findings")

    assert [event.done for event in health.told if isinstance(event, Progress) and event.total] == [0, 1]
    assert told["is_done"]
    assert not told["is_busy"]
    assert told["findings"] == 2 * [
        {"topic": "disk", "state": "bad", "message": "0.0 GB free", "mend": "Free some space."}
    ]


async def test_a_checkup_can_be_ended_and_is_made_once_at_a_time(tmp_path: Path) -> None:
    begun, go_on = threading.Semaphore(0), threading.Event()

    def slow() -> list[Finding]:
        begun.release()
        go_on.wait(10)
        return []

    async with healthy(tmp_path, Check("slow", slow), Check("slow", slow)) as health:
        for _ in range(3):
            assert (await health.tend("checkup"))["is_busy"]
        assert await asyncio.to_thread(begun.acquire, timeout=10)
        await health.tend("cancel")
        end = await health.finished()
        go_on.set()

    assert (end.task, end.problem) == (CHECKUP, "stopped")
    assert not begun.acquire(blocking=False)


async def test_checks_that_cannot_be_made_are_told(tmp_path: Path) -> None:
    def broken() -> Sequence[Check]:
        raise BadManifest("models/x.toml is broken", mend="Install companion again.")

    async with healthy(tmp_path) as health:
        health.desk._checks = broken
        await health.tend("checkup")
        end = await health.finished()

    assert (end.problem, end.mend) == ("models/x.toml is broken", "Install companion again.")


async def test_a_checkup_that_breaks_inside_has_an_end_too(tmp_path: Path) -> None:
    def broken() -> Sequence[Check]:
        raise RuntimeError("never thought of")

    async with healthy(tmp_path) as health:
        health.desk._checks = broken
        await health.tend("checkup")
        end = await health.finished()

    assert "RuntimeError" in end.problem


async def test_what_is_saved_is_what_was_shown_and_no_more_than_was_chosen(tmp_path: Path) -> None:
    file = tmp_path / "bundle.zip"
    async with healthy(tmp_path / "home") as health:
        health.telling.tell(Problem("microphone", "the microphone was unplugged", ""))
        health.telling.tell(Problem("speaker", "the loudspeaker was unplugged", ""))
        health.telling.tell(Solved("speaker"))
        shown = await health.tend("bundle")
        texts = {sheet["name"]: sheet["text"] for sheet in shown["sheets"]}
        health.telling.tell(Solved("microphone"))
        saved = await health.tend("save", id=shown["id"], file=str(file), sheets=["problems.txt", "passwd"])

    assert texts["problems.txt"] == "microphone: the microphone was unplugged\n"
    assert saved == {"file": str(file), "sheets": ["problems.txt"]}
    with zipfile.ZipFile(file) as bundle:
        assert bundle.namelist() == ["companion/problems.txt"]
        assert bundle.read("companion/problems.txt").decode() == texts["problems.txt"]


@pytest.mark.parametrize("given", [{"id": "other", "sheets": ["log.txt"]}, {"sheets": []}, {"sheets": ["passwd"]}])
async def test_another_bundle_or_nothing_is_not_saved(tmp_path: Path, given: dict[str, object]) -> None:
    async with healthy(tmp_path / "home") as health:
        with pytest.raises(BadInput):
            await health.tend("save", id="", file=str(tmp_path / "x.zip"), sheets=["log.txt"])
        shown = await health.tend("bundle")
        with pytest.raises(BadInput):
            await health.tend("save", **{"id": shown["id"], "file": str(tmp_path / "x.zip"), **given})
    assert not (tmp_path / "x.zip").exists()
