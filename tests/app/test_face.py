"""The companion behind a window: owned, ordered about, begun anew, and ended in time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from doubles.behind_window import BehindWindow

from companion.app.control import ask
from companion.app.events import EngineEnded, EngineStarted, Problem, Pulse, Raised, Ready
from companion.app.orders import Ask, Mute, Raise, Shutdown, Status, Talk, Tend
from companion.errors import AlreadyRunning, ControlError, ModelMissing

PATIENCE = 10.0


@pytest.fixture
def behind(tmp_path: Path):
    made = BehindWindow(tmp_path / "home")
    made.face.start()
    yield made
    made.face.stop()


def until(is_so: Callable[[], bool], within: float = PATIENCE) -> None:
    ends = time.monotonic() + within
    while not is_so():
        assert time.monotonic() < ends, "it did not come to that in time"
        time.sleep(0.01)


def count(behind: BehindWindow, kind: type) -> int:
    return sum(isinstance(event, kind) for event in behind.events)


def test_it_answers_from_a_thread_of_its_own_and_through_the_socket(behind: BehindWindow) -> None:
    until(lambda: count(behind, Ready) == 1)

    assert behind.face.order(Ask("what is six times seven")).result(PATIENCE)["text"] == "That's 42."
    assert ask(behind.paths.control_socket, Status())["phase"] == "asleep"


def test_it_gives_a_sign_of_life_twice_a_second(behind: BehindWindow) -> None:
    until(lambda: count(behind, Pulse) >= 3)


def test_a_second_one_is_refused_and_can_raise_the_first(behind: BehindWindow) -> None:
    until(lambda: count(behind, Pulse) >= 1)
    second = BehindWindow(behind.paths.data)

    with pytest.raises(AlreadyRunning):
        second.face.start()
    ask(behind.paths.control_socket, Raise())

    until(lambda: count(behind, Raised) == 1)


def test_stopping_leaves_no_thread_and_frees_the_folder(behind: BehindWindow) -> None:
    until(lambda: count(behind, Ready) == 1)

    assert behind.face.stop()

    assert not [thread for thread in threading.enumerate() if thread.name == "engine"]
    assert not behind.paths.control_socket.exists()
    with pytest.raises(ControlError):
        behind.face.order(Status()).result(PATIENCE)
    behind.face.start()
    until(lambda: count(behind, Ready) == 2)


def test_it_can_be_stopped_at_once(tmp_path: Path) -> None:
    behind = BehindWindow(tmp_path / "home")
    behind.face.start()

    assert behind.face.stop(within=3.0)


def test_a_setting_can_be_taken_back_after_the_restart_that_it_asked_for(tmp_path: Path) -> None:
    behind = BehindWindow(tmp_path / "home")
    behind.fails = ModelMissing("there is no recogniser")
    behind.face.start()
    try:
        until(lambda: count(behind, Problem) == 1)
        behind.face.order(Tend("settings", "set", {"name": "general.name", "value": "Emma"})).result(PATIENCE)
        behind.face.restart()
        until(lambda: count(behind, Problem) == 2)

        told = behind.face.order(Tend("settings", "undo", {})).result(PATIENCE)

        assert (told["name"], told["value"], told["undoable"]) == ("general.name", "", 0)
    finally:
        behind.face.stop()


def test_a_restart_takes_the_settings_as_they_are_now(behind: BehindWindow) -> None:
    until(lambda: count(behind, Ready) == 1)
    behind.paths.settings_file.write_text('version = 1\n[general]\nlanguage = "de"\n')

    behind.face.restart()
    until(lambda: count(behind, Ready) == 2)

    assert count(behind, EngineStarted) == 2
    assert count(behind, EngineEnded) == 0
    assert behind.face.order(Status()).result(PATIENCE)["language"] == "de"


def test_an_engine_that_hangs_is_left_behind_and_hurts_its_successor_not(behind: BehindWindow) -> None:
    until(lambda: count(behind, Ready) == 1)
    behind.freeze(5.0)

    behind.face.restart()
    until(lambda: count(behind, Ready) == 2)
    until(lambda: len([one for one in threading.enumerate() if one.name == "engine"]) == 1)

    assert ask(behind.paths.control_socket, Status())["phase"] == "asleep"
    assert count(behind, EngineEnded) == 0


def test_a_shutdown_by_the_socket_is_told_as_an_end_that_was_ordered(behind: BehindWindow) -> None:
    until(lambda: count(behind, Ready) == 1)

    ask(behind.paths.control_socket, Shutdown())
    until(lambda: count(behind, EngineEnded) == 1)

    assert EngineEnded() in behind.events


def test_an_engine_that_fails_says_why(tmp_path: Path) -> None:
    behind = BehindWindow(tmp_path / "home")
    behind.fails = RuntimeError("a fault of ours")
    behind.face.start()

    until(lambda: count(behind, EngineEnded) == 1)
    ended = next(event for event in behind.events if isinstance(event, EngineEnded))
    assert ended.problem == "a fault of ours"

    behind.fails = None
    behind.face.restart()
    until(lambda: count(behind, Ready) == 1)
    assert behind.face.stop()


def test_without_models_the_house_is_kept_all_the_same(tmp_path: Path) -> None:
    behind = BehindWindow(tmp_path / "home")
    behind.fails = ModelMissing("there are no models yet", mend="Bring them in.")
    behind.face.start()
    until(lambda: Problem("start", "there are no models yet", "Bring them in.") in behind.events)

    def asked(order):
        return behind.face.order(order).result(PATIENCE)

    assert asked(Status())["phase"] == "waiting for models"
    assert asked(Tend("plugins", "list"))["plugins"]
    assert asked(Ask("what is six times seven"))["text"] == "That's 42."
    for order in (Talk(), Mute()):
        with pytest.raises(ControlError, match="no models yet"):
            asked(order)

    behind.fails = None
    behind.face.restart()
    until(lambda: count(behind, Ready) == 1)
    assert behind.face.stop()


def test_broken_settings_are_told_and_do_not_stop_it(tmp_path: Path) -> None:
    behind = BehindWindow(tmp_path / "home")
    behind.paths.settings_file.write_text("version = 1\n[sound]\nvolume = 3\n")
    behind.face.start()
    until(lambda: count(behind, Ready) == 1)

    problems = [event for event in behind.events if isinstance(event, Problem)]
    assert problems[0].topic == "settings"
    assert "sound.volume is 3" in problems[0].message
    assert behind.face.stop()
