"""Settings are seen with what they mean, changed one at a time, and changed back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.app.desks.settings_desk import SettingsDesk
from companion.app.events import Telling
from companion.app.live import MOST_CHANGES, Live
from companion.app.minding.desks import Given
from companion.errors import BadInput, SettingsError
from companion.settings.describe import described
from companion.settings.schema import Settings
from companion.settings.store import SettingsStore


class Home:
    """A desk over a real file, and the settings that hold."""

    def __init__(self, folder: Path) -> None:
        self.store = SettingsStore(folder / "settings.toml")
        self.live = Live(self.store.load().settings, Telling())
        self.desk = SettingsDesk(self.store, self.live)

    async def tend(self, action: str, **given: object) -> Any:
        return json.loads(json.dumps(await self.desk.perform(action, Given(given))))

    async def row(self, name: str) -> Any:
        return {row["name"]: row for row in (await self.tend("list"))["settings"]}[name]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


async def test_every_setting_is_listed_with_meaning_default_and_limits(home: Home) -> None:
    told = await home.tend("list")
    assert [row["name"] for row in told["settings"]] == list(described())
    assert all(row["meaning"] and row["value"] == row["default"] and not row["is_changed"] for row in told["settings"])
    assert (told["waiting"], told["undoable"], told["problem"]) == ([], 0, "")
    volume = await home.row("sound.volume")
    assert (volume["form"], volume["low"], volume["high"], volume["at_once"]) == ("number", 0, 1, True)
    assert (await home.row("wake.word"))["choices"][0] == "okay_nabu"


async def test_a_change_counts_at_once_or_is_said_to_wait(home: Home) -> None:
    changed = await home.tend("set", name="sound.volume", value="0.5")
    assert (changed["value"], changed["is_changed"], changed["waiting"], changed["undoable"]) == ("0.5", True, [], 1)
    assert home.live.settings.sound.volume == 0.5
    waits = await home.tend("set", name="models.speed", value="1.2")
    assert (waits["at_once"], waits["waiting"]) == (False, ["models.speed"])
    assert home.live.settings.models.speed == 1.0
    assert home.store.get("models.speed") == 1.2


async def test_changes_are_taken_back_newest_first_and_leave_no_trace(home: Home) -> None:
    before = home.store.file.read_text()
    await home.tend("set", name="sound.volume", value="0.5")
    await home.tend("set", name="wake.word", value="alexa")
    await home.tend("set", name="wake.word", value="hey_jarvis")
    assert (await home.tend("undo"))["value"] == "alexa"
    assert (await home.tend("undo"))["value"] == "okay_nabu"
    assert home.live.settings.wake.word == "okay_nabu"
    assert (await home.tend("undo"))["undoable"] == 0
    assert home.store.file.read_text() == before
    with pytest.raises(BadInput, match="nothing to take back"):
        await home.tend("undo")


async def test_a_reset_is_taken_back_too(home: Home) -> None:
    await home.tend("set", name="sound.volume", value="0.5")
    assert (await home.tend("reset", name="sound.volume"))["value"] == "0.8"
    assert (await home.tend("undo"))["value"] == "0.5"
    assert home.live.settings.sound.volume == 0.5


async def test_what_was_changed_elsewhere_meanwhile_is_not_taken_back(home: Home) -> None:
    await home.tend("set", name="sound.volume", value="0.5")
    await home.tend("set", name="general.name", value="Emma")
    SettingsStore(home.store.file).set("general.name", "Tom")
    with pytest.raises(BadInput, match="changed elsewhere"):
        await home.tend("undo")
    assert home.store.get("general.name") == "Tom"
    assert (await home.tend("undo"))["value"] == "0.8", "what stands before it can be taken back all the same"


async def test_a_change_that_could_not_be_taken_back_still_can_be_later(home: Home) -> None:
    await home.tend("set", name="sound.volume", value="0.5")
    whole = home.store.file.read_text()
    home.store.file.write_text("[sound\n")
    with pytest.raises(SettingsError):
        await home.tend("undo")
    home.store.file.write_text(whole)
    assert (await home.tend("undo"))["value"] == "0.8"


async def test_a_value_that_is_not_allowed_changes_nothing(home: Home) -> None:
    before = home.store.file.read_text()
    for name, value in (("sound.volume", "loud"), ("sound.volume", "2"), ("wake.word", "hello"), ("no.such", "1")):
        with pytest.raises(SettingsError) as caught:
            await home.tend("set", name=name, value=value)
        assert caught.value.mend
    assert home.store.file.read_text() == before
    assert (await home.tend("list"))["undoable"] == 0


async def test_what_was_written_by_hand_is_adopted(home: Home) -> None:
    home.store.file.write_text("[sound]\nvolume = 0.25\n[models]\nspeed = 1.5\n")
    assert (await home.tend("adopt"))["waiting"] == ["models.speed"]
    assert home.live.settings.sound.volume == 0.25


async def test_a_file_that_was_broken_by_hand_is_told_and_left_alone(home: Home) -> None:
    home.store.file.write_text("[sound\nvolume = 0.25\n")
    told = await home.tend("list")
    assert "settings.toml line 1" in told["problem"]
    assert told["mend"]
    assert len(told["settings"]) == len(described())
    with pytest.raises(SettingsError):
        await home.tend("set", name="sound.volume", value="0.5")
    assert home.store.file.read_text() == "[sound\nvolume = 0.25\n"
    assert home.live.settings == Settings()


async def test_only_so_many_changes_are_kept(home: Home) -> None:
    for number in range(MOST_CHANGES + 5):
        await home.tend("set", name="sound.volume", value=str(number % 10 / 10))
    assert (await home.tend("list"))["undoable"] == MOST_CHANGES


async def test_folders_with_spaces_survive_the_way(home: Home) -> None:
    row = await home.tend("set", name="knowledge.folders", value="/srv/my papers;/srv/notes")
    assert row["value"] == "/srv/my papers;/srv/notes"
    assert home.store.get("knowledge.folders") == ("/srv/my papers", "/srv/notes")
