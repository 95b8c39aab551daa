"""Starting with the session is turned on and off at a desk, which also tells how the talk key stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.autostart import DesktopEntry
from companion.app.desks.desktop_desk import DesktopDesk
from companion.app.events import Telling
from companion.app.minding.desks import Given
from companion.app.talk_key.hand import Hand
from companion.app.talk_key.talk_key import TalkKey
from companion.errors import StorageError


async def test_it_is_turned_on_and_off_and_says_where(tmp_path: Path) -> None:
    desk = DesktopDesk(lambda: DesktopEntry(tmp_path, ("companion",)), None)
    entry = str(tmp_path / "companion.desktop")
    for on in (True, False):
        assert (await desk.perform("autostart", Given({"on": on})))["autostart"] == {"on": on, "place": entry}
        assert (await desk.perform("show", Given({})))["autostart"] == {"on": on, "place": entry}
        assert [file.name for file in tmp_path.iterdir()] == (["companion.desktop"] if on else [])  # noqa: ASYNC240


async def test_a_fault_is_told_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    desk = DesktopDesk(lambda: DesktopEntry(tmp_path / "file", ("companion",)), None)
    with pytest.raises(StorageError) as fault:
        await desk.perform("autostart", Given({"on": True}))

    assert fault.value.mend


async def test_it_tells_how_the_talk_key_stands(tmp_path: Path) -> None:
    key = TalkKey(None, Hand(lambda: None, lambda: 0.0), Telling())
    for talk_key in (None, key):
        desk = DesktopDesk(lambda: DesktopEntry(tmp_path, ("companion",)), talk_key)
        assert (await desk.perform("show", Given({})))["talk_key"] == {"way": "", "bound": "", "problem": ""}
        await desk.close()
