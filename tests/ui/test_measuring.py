"""What the window costs is measured in processes of their own, which end by themselves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from companion.ui.measuring.moving import pan, scroll
from companion.ui.measuring.steps import SHORT, Steps

PATIENCE = 100


def measured(home: Path, *arguments: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "companion.ui.measuring", *arguments],
        env={**os.environ, "COMPANION_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        timeout=PATIENCE,
        check=True,
    )
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def test_a_step_that_holds_the_loop_up_is_seen_and_idling_is_not(qtbot: QtBot) -> None:
    steps = Steps()
    QTimer.singleShot(20, lambda: time.sleep(0.05))
    steps.begin()
    qtbot.wait(150)
    steps.end()

    assert max(steps.milliseconds) >= 50
    assert min(steps.milliseconds) >= SHORT


@pytest.mark.parametrize("move", [scroll, pan])
def test_ten_thousand_turns_and_five_thousand_nodes_are_moved_about(
    qtbot: QtBot, move: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert move(0.3)
    assert "after" in capsys.readouterr().err


def test_a_whole_companion_is_measured_and_ends_when_that_is_done(tmp_path: Path) -> None:
    began = time.monotonic()
    told = measured(tmp_path, "idle", "--began", str(began), "--windows", "1", "--seconds", "0.5")

    assert 0 < told["usable"] < time.monotonic() - began
    assert told["memory"] > 20
    assert len(told["cpu_open"]) == len(told["cpu_closed"]) == 1


def test_what_is_measured_is_told_as_one_line_of_json(tmp_path: Path) -> None:
    assert isinstance(measured(tmp_path, "scroll", "--seconds", "0.2")["steps"], list)
