"""Whoever starts the companion from a menu is told why it does not start."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from companion.cli.ui import start_window
from companion.errors import CompanionError, StorageError
from companion.ui import refusal

FAULT = StorageError("the lock file <b>x</b> cannot be opened", file="x", mend="Allow writing there.")


class Windows:
    """Refuses to open, and writes down what it shows."""

    def __init__(self) -> None:
        self.told: list[CompanionError] = []

    def open(self, *given: object, is_hidden: bool) -> int:
        raise FAULT

    def picture(self, folder: Path, only: str) -> list[Path]:
        return []

    def tell(self, fault: CompanionError) -> None:
        self.told.append(fault)


@pytest.mark.parametrize(
    ("is_terminal", "is_hidden", "told"), [(False, False, [FAULT]), (True, False, []), (False, True, [])]
)
def test_it_is_shown_where_nobody_reads_a_terminal_and_nobody_began_it_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_terminal: bool, is_hidden: bool, told: list[CompanionError]
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal, raising=False)
    windows = Windows()
    with pytest.raises(StorageError):
        start_window(windows, is_hidden=is_hidden)

    assert windows.told == told


def test_a_home_that_cannot_be_made_is_told_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "file" / "home"))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    windows = Windows()
    with pytest.raises(CompanionError):
        start_window(windows)

    assert len(windows.told) == 1


def test_it_says_what_is_wrong_and_what_to_do_letter_for_letter(qtbot: QtBot) -> None:
    box = refusal.made(FAULT)
    qtbot.addWidget(box)

    assert (box.text(), box.informativeText()) == (str(FAULT), FAULT.mend)
    assert box.textFormat() is Qt.TextFormat.PlainText


def test_where_nobody_could_see_it_nobody_waits(qtbot: QtBot) -> None:
    refusal.tell(FAULT)
