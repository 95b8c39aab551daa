"""The companion starts with the session where its user wants that, and only there."""

from __future__ import annotations

import plistlib
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.app.autostart import (
    Autostart,
    DesktopEntry,
    MacAutostart,
    WindowsAutostart,
    autostart,
    command,
    introduce,
)
from companion.errors import StorageError

START = ("/opt/my programs/companion", "ui", "--hidden")


class Registry:
    """The ``Run`` key of a user. is_locked: nobody may change it."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self.is_locked = False

    def __call__(self, arguments: Sequence[str]) -> bool:
        verb, _, _, name = arguments[:4]
        if verb == "query":
            return name in self.values
        if self.is_locked:
            return False
        if verb == "add":
            self.values[name] = arguments[arguments.index("/d") + 1]
            return True
        return self.values.pop(name, None) is not None


def ways(folder: Path) -> list[Autostart]:
    return [DesktopEntry(folder, START), MacAutostart(folder, START), WindowsAutostart(START, Registry())]


@pytest.mark.parametrize("number", range(3))
def test_it_is_off_at_first_and_can_be_turned_on_and_off_again_and_again(tmp_path: Path, number: int) -> None:
    way = ways(tmp_path / "not there yet")[number]
    for _ in range(2):
        assert not way.is_on()
        way.turn(on=True)
        way.turn(on=True)
        assert way.is_on()
        way.turn(on=False)
        way.turn(on=False)
    assert not way.is_on()


def test_a_desktop_entry_runs_the_very_program_in_spite_of_odd_letters_in_its_path(tmp_path: Path) -> None:
    odd = tmp_path / 'a "b" $c 100%'
    odd.mkdir()
    program = odd / "companion"
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$0" "$@" >"${0%/*}/told"\n')
    program.chmod(0o700)
    way = DesktopEntry(tmp_path, (str(program), "ui", "--hidden"))
    way.turn(on=True)

    # As a desktop reads it: the escapes of the value, the field codes, and then the quotes.
    (line,) = [line for line in Path(way.place).read_text().splitlines() if line.startswith("Exec=")]
    shell = line.removeprefix("Exec=").replace("\\\\", "\\").replace("%%", "%")
    subprocess.run(["sh", "-c", shell], check=True, timeout=10)

    assert (odd / "told").read_text().splitlines() == [str(program), "ui", "--hidden"]


def test_a_desktop_that_turned_the_entry_off_is_believed(tmp_path: Path) -> None:
    way = DesktopEntry(tmp_path, START)
    for line in ("Hidden=true", "X-GNOME-Autostart-enabled = false"):
        way.turn(on=True)
        with Path(way.place).open("a") as entry:
            entry.write(f"{line}\n")
        assert not way.is_on()


def test_a_job_of_macos_is_started_at_log_in_with_its_words_apart(tmp_path: Path) -> None:
    way = MacAutostart(tmp_path, START)
    way.turn(on=True)
    job = plistlib.loads(Path(way.place).read_bytes())

    assert job["ProgramArguments"] == list(START)
    assert job["RunAtLoad"] is True
    Path(way.place).write_text("no list at all")
    assert not way.is_on()


def test_a_value_of_the_registry_is_one_line_with_quotes_where_there_are_spaces() -> None:
    registry = Registry()
    WindowsAutostart(START, registry).turn(on=True)

    assert list(registry.values.values()) == ['"/opt/my programs/companion" ui --hidden']


def test_what_cannot_be_written_is_told_with_what_to_do(tmp_path: Path) -> None:
    registry = Registry()
    registry.is_locked = True
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    for way in (WindowsAutostart(START, registry), DesktopEntry(in_the_way, START)):
        with pytest.raises(StorageError) as fault:
            way.turn(on=True)
        assert fault.value.mend


@pytest.mark.parametrize(
    ("environment", "place"),
    [
        ({}, ".config/autostart/companion.desktop"),
        ({"XDG_CONFIG_HOME": "relative"}, ".config/autostart/companion.desktop"),
    ],
)
def test_the_entry_lies_where_the_desktop_looks(tmp_path: Path, environment: dict[str, str], place: str) -> None:
    assert autostart("linux", {"HOME": str(tmp_path), **environment}).place == str(tmp_path / place)
    elsewhere = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "conf")}
    assert autostart("linux", elsewhere).place == str(tmp_path / "conf" / "autostart" / "companion.desktop")
    assert "LaunchAgents" in autostart("darwin", {"HOME": str(tmp_path)}).place


def test_the_session_starts_the_program_beside_this_python_without_a_window(tmp_path: Path) -> None:
    assert command(str(tmp_path / "python")) == (str(tmp_path / "python"), "-m", "companion", "ui", "--hidden")
    shutil.copy(sys.executable, tmp_path / "companion")
    assert command(str(tmp_path / "python")) == (str(tmp_path / "companion"), "ui", "--hidden")


def test_the_program_introduces_itself_once_and_leaves_what_is_there(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path)}
    introduce("org.companion.Companion", home)
    entry = tmp_path / ".local" / "share" / "applications" / "org.companion.Companion.desktop"
    assert " ui\n" in entry.read_text()
    entry.write_text("mine")
    introduce("org.companion.Companion", home)
    assert entry.read_text() == "mine"
    introduce("org.companion.Companion", {"HOME": "/nowhere", "XDG_DATA_HOME": str(tmp_path / "data")})
    assert (tmp_path / "data" / "applications" / "org.companion.Companion.desktop").exists()
