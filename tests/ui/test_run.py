"""The program with a window, as a process: one of them, and gone within three seconds."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from doubles.hangup import on_hangup

from companion.app.control import ask
from companion.app.engine import aside
from companion.app.events import Raised
from companion.app.face import Face
from companion.app.orders import Raise, Shutdown, Status
from companion.app.paths import Paths
from companion.errors import AlreadyRunning, CompanionError
from companion.ui.run import is_first

PATIENCE = 60.0
GONE_WITHIN = 3.0
HANGS = """
import time
from companion.app import face
from companion.app.paths import Paths
from companion.settings.schema import Settings

def never(*given):
    async def make(settings, telling, stop):
        time.sleep(600)
    return make

face._of_this_machine = never
from companion.ui.run import run
paths = Paths.here()
paths.prepare()
run(Settings(), paths)
"""
LOGS_OUT = """
from PySide6.QtCore import QTimer
from companion.app.paths import Paths
from companion.settings.schema import Settings
from companion.ui import run as room

room.watch_end = lambda app: QTimer.singleShot(500, app.quit)
paths = Paths.here()
paths.prepare()
room.run(Settings(), paths)
"""


_numbers = itertools.count()


class Program:
    """A companion with a window nobody sees, in a process of its own."""

    def __init__(self, home: Path, *command: str) -> None:
        self.paths = Paths.under(home)
        environment = os.environ | {
            "COMPANION_HOME": str(home),
            "QT_QPA_PLATFORM": "offscreen",
            "DISPLAY": ":99",
        }
        self._out = home.with_name(f"{home.name}-{next(_numbers)}.out")
        with self._out.open("w") as out, on_hangup():
            command = command or (sys.executable, "-m", "companion", "ui")
            self.process = subprocess.Popen(command, env=environment, stdout=out, stderr=out)

    @property
    def told(self) -> str:
        """All that it has printed."""
        return self._out.read_text()

    def answers(self) -> bool:
        try:
            ask(self.paths.control_socket, Status(), patience=5.0)
        except CompanionError:
            return False
        return True

    def until(self, is_so: Callable[[], bool]) -> None:
        ends = time.monotonic() + PATIENCE
        while not is_so():
            assert self.process.poll() is None, self.told
            assert time.monotonic() < ends, "it did not come to that in time"
            time.sleep(0.05)

    def gone_after(self) -> float:
        """Seconds until it is gone, with every process it had."""
        children = psutil.Process(self.process.pid).children(recursive=True)
        began = time.monotonic()
        self.process.wait(PATIENCE)
        _, alive = psutil.wait_procs(children, timeout=PATIENCE)
        assert not alive
        return time.monotonic() - began


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def program(home: Path) -> Iterator[Program]:
    made = Program(home)
    made.until(made.answers)
    yield made
    made.process.kill()
    made.process.wait(PATIENCE)


def test_a_second_start_raises_the_first_and_ends(program: Program, home: Path) -> None:
    second = Program(home)

    assert second.process.wait(PATIENCE) == 0
    assert program.process.poll() is None


def test_of_many_starts_at_once_one_stays_and_the_others_raise_it(home: Path) -> None:
    starts = [Program(home).process for _ in range(3)]
    try:
        ends = time.monotonic() + PATIENCE
        while len(alive := [start for start in starts if start.poll() is None]) > 1:
            assert time.monotonic() < ends
            time.sleep(0.05)
        assert len(alive) == 1
        assert [start.returncode for start in starts if start not in alive] == [0, 0]
    finally:
        for start in starts:
            start.kill()
            start.wait(PATIENCE)


def test_an_owner_that_is_still_starting_is_raised_when_it_comes_to_its_door(tmp_path: Path) -> None:
    paths = Paths.under(tmp_path / "home")
    paths.prepare()
    owner = Face(paths)
    owner.own()
    told: list[object] = []
    owner.listen(told.append)

    def come_to_the_door() -> None:
        time.sleep(0.5)
        owner.start()

    coming = aside(come_to_the_door, name="coming")
    try:
        assert not is_first(Face(paths), paths, within=PATIENCE)
        assert Raised() in told
    finally:
        coming.join(PATIENCE)
        owner.stop()


def test_where_the_owner_never_comes_to_its_door_it_is_told(tmp_path: Path) -> None:
    paths = Paths.under(tmp_path / "home")
    paths.prepare()
    owner = Face(paths)
    owner.own()
    try:
        with pytest.raises(AlreadyRunning):
            is_first(Face(paths), paths, within=0.2)
    finally:
        owner.stop()


def test_where_the_owner_has_gone_meanwhile_its_place_is_taken(tmp_path: Path) -> None:
    paths = Paths.under(tmp_path / "home")
    paths.prepare()
    owner, next_one = Face(paths), Face(paths)
    owner.own()
    leaving = aside(owner.stop, name="leaving")
    try:
        assert is_first(next_one, paths, within=PATIENCE)
    finally:
        leaving.join(PATIENCE)
        next_one.stop()


def test_a_bare_start_with_a_screen_is_a_start_with_the_window(program: Program, home: Path) -> None:
    second = Program(home, sys.executable, "-m", "companion")

    assert second.process.wait(PATIENCE) == 0


def test_without_a_window_and_models_it_says_what_to_do(home: Path) -> None:
    first = Program(home, sys.executable, "-m", "companion", "--headless")

    # Without models there is no companion without a window, and it says what to do.
    assert first.process.wait(PATIENCE) != 0
    assert "models pull" in first.told


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_everything_in_time(program: Program, number: signal.Signals) -> None:
    program.process.send_signal(number)

    assert program.gone_after() < GONE_WITHIN
    assert program.process.wait(1) == 0
    assert not program.paths.control_socket.exists()


def test_a_shutdown_order_ends_everything_in_time(program: Program) -> None:
    ask(program.paths.control_socket, Shutdown())

    assert program.gone_after() < GONE_WITHIN


def test_the_desktop_may_end_it_with_its_window_open(home: Path) -> None:
    program = Program(home, sys.executable, "-c", LOGS_OUT)

    assert program.process.wait(PATIENCE) == 0, program.told


def test_an_engine_that_hangs_does_not_keep_the_program_alive(home: Path) -> None:
    program = Program(home, sys.executable, "-c", HANGS)
    program.until(program.paths.control_socket.exists)
    time.sleep(1.0)  # until its engine hangs
    program.process.send_signal(signal.SIGTERM)

    assert program.gone_after() < GONE_WITHIN


def test_where_the_window_stood_is_kept(program: Program) -> None:
    ask(program.paths.control_socket, Raise())
    program.process.send_signal(signal.SIGTERM)
    program.gone_after()

    assert program.paths.window_place.exists()
