"""The wizard can be left and gone on with, says what works already, and what fits this machine."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from companion.app.brains import bundles, works
from companion.app.desks.setup_desk import SetupDesk
from companion.app.minding.desks import Given
from companion.app.paths import Paths
from companion.app.setup_file import Step
from companion.app.shelf import build_shelf
from companion.catalog.machine import Machine
from companion.catalog.manifest import Kind
from companion.catalog.shelf import Shelf
from companion.errors import BadInput, StorageError
from companion.settings.store import SettingsStore

PC = Machine(memory_mb=16_000, cores=8, is_pi=False)
SMALL = Machine(memory_mb=3_900, cores=2, is_pi=False)
PI = Machine(memory_mb=1_000, cores=4, is_pi=True)


async def tend(paths: Paths, action: str, **given: object) -> Any:
    """By a desk of its own each time, as after a restart; through JSON, as over the control socket."""
    desk = SetupDesk(paths, SettingsStore(paths.settings_file))
    return json.loads(json.dumps(await desk.perform(action, Given(given))))


def marks(standing: Any) -> dict[str, str]:
    return {step["name"]: step["mark"] for step in standing["steps"]}


async def test_a_new_home_begins_at_the_beginning(paths: Paths) -> None:
    standing = await tend(paths, "standing")
    assert (standing["is_new"], standing["finished"], standing["at"]) == (True, False, "hello")
    assert set(marks(standing).values()) == {"open"}
    assert not paths.setup.exists(), "looking writes nothing"


async def test_settings_that_somebody_has_broken_meanwhile_keep_nobody_from_the_first_steps(paths: Paths) -> None:
    paths.settings_file.write_text("[general")

    assert (await tend(paths, "standing"))["at"] == "hello"
    assert (await tend(paths, "brains"))["bundles"]


async def test_what_was_done_or_skipped_is_kept_and_the_first_open_step_comes_next(paths: Paths) -> None:
    await tend(paths, "mark", step="hello", mark="done")
    await tend(paths, "mark", step="sound", mark="skipped")
    standing = await tend(paths, "standing")
    assert (standing["is_new"], standing["at"]) == (False, "wake")
    assert marks(standing)["sound"] == "skipped"
    await tend(paths, "mark", step="hello", mark="open")
    assert (await tend(paths, "standing"))["at"] == "hello"


async def test_of_many_changes_at_once_none_is_lost(paths: Paths) -> None:
    desk = SetupDesk(paths, SettingsStore(paths.settings_file))
    async with asyncio.TaskGroup() as group:
        for step in Step:
            group.create_task(desk.perform("mark", Given({"step": step.value, "mark": "done"})))
        group.create_task(desk.perform("finish", Given({})))
    standing = await tend(paths, "standing")
    assert set(marks(standing).values()) == {"done"}
    assert standing["finished"] is True


async def test_it_is_finished_until_it_is_begun_again(paths: Paths) -> None:
    assert (await tend(paths, "finish"))["finished"] is True
    assert (await tend(paths, "standing"))["finished"] is True
    standing = await tend(paths, "again")
    assert (standing["finished"], standing["at"]) == (False, "hello")


@pytest.mark.parametrize("given", [{"step": "dance", "mark": "done"}, {"step": "hello", "mark": "gone"}, {}])
async def test_a_step_or_a_mark_that_is_none_is_refused(paths: Paths, given: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        await tend(paths, "mark", **given)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"steps": 3, "finished": 1}', b'{"steps": {"a": "b"}}', b"\xff"]
)
async def test_a_file_that_cannot_be_used_begins_it_anew(paths: Paths, content: bytes) -> None:
    paths.setup.write_bytes(content)
    assert (await tend(paths, "standing"))["at"] == "hello"
    assert (await tend(paths, "mark", step="hello", mark="done"))["at"] == "sound"


async def test_a_folder_that_cannot_be_written_is_told(paths: Paths) -> None:
    paths.setup.mkdir()
    (paths.setup / "in the way").touch()
    with pytest.raises(StorageError):
        await tend(paths, "finish")


def shelf_with(paths: Paths, *names: str) -> Shelf:
    """A shelf on which files of the right size stand for models."""
    shelf = build_shelf(paths.shelf)
    for name in names:
        for file in shelf.manifest(name).files:
            place = shelf.place(name) / file.name
            place.parent.mkdir(parents=True, exist_ok=True)
            with place.open("wb") as opened:
                opened.truncate(file.bytes)
    return shelf


def test_what_fits_is_offered_from_small_to_large(paths: Paths) -> None:
    offered = bundles(shelf_with(paths), PC, "en")
    assert [bundle.tier for bundle in offered] == ["quick", "good", "clever"]
    assert [bundle.model.rank for bundle in offered] == sorted(bundle.model.rank for bundle in offered)
    assert offered[0].bytes < offered[1].bytes < offered[2].bytes
    for bundle in offered:
        kinds = [shelf_with(paths).manifest(name).kind for name in bundle.names]
        assert {Kind.RECOGNISER, Kind.VOICE, Kind.LANGUAGE_MODEL, Kind.TURN_JUDGE} == set(kinds)
        assert bundle.missing_bytes == bundle.bytes
        assert bundle.seconds > 0


def test_a_small_machine_is_offered_little_and_never_nothing(paths: Paths) -> None:
    shelf = shelf_with(paths)
    assert [bundle.tier for bundle in bundles(shelf, PI, "en")] == ["quick"]
    assert len(bundles(shelf, Machine(100, 1, is_pi=False), "en")) == 1
    for language in ("zh", "auto", "is"):
        offered = bundles(shelf, SMALL, language)
        assert offered
        assert all(bundle.model.speaks(language) for bundle in offered if language != "is")


def test_what_is_there_need_not_be_brought_again(paths: Paths) -> None:
    quick = bundles(shelf_with(paths), PC, "en")[0]
    shelf = shelf_with(paths, *quick.names)
    again = bundles(shelf, PC, "en")[0]
    assert again.names == quick.names
    assert (again.missing_bytes, again.seconds) == (0, 0)
    assert works(shelf, PC, "en") == {"hears": True, "answers": True, "speaks": True}


async def test_it_says_what_works_before_anything_is_brought(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    told = await tend(paths, "brains")
    assert told["works"] == {"hears": False, "answers": False, "speaks": False}
    assert told["bundles"]
    assert told["free_bytes"] > 0
    assert isinstance(told["offline"], bool)
