"""The doctor finds what is wrong, says how to mend it, and does not fall ill itself."""

from __future__ import annotations

import importlib.metadata
import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from companion.app import checks
from companion.app.doctor import Check, Finding, State, bad, examine, ok, verdict, warn
from companion.app.lock import Lock
from companion.app.paths import Paths
from companion.errors import NoMicrophone


def states(findings: Iterator[Finding] | list[Finding]) -> list[State]:
    found = list(findings)
    for finding in found:
        assert finding.message
        assert bool(finding.mend) == (finding.state is not State.OK), finding
        assert "\n" not in finding.message + finding.mend
    return [finding.state for finding in found]


async def test_a_check_that_tells_its_findings_one_by_one_ends_within_its_deadline_too() -> None:
    released = threading.Event()

    def hangs() -> Iterator[Finding]:
        released.wait(10)
        yield ok("late", "fine")

    assert states(await examine([Check("a", hangs)], patience=0.1)) == [State.BAD]
    released.set()


async def test_a_check_that_breaks_hangs_or_fails_is_a_finding_itself() -> None:
    def broken() -> NoReturn:
        raise RuntimeError("a fault of ours")

    released = threading.Event()

    def hangs() -> list[Finding]:
        released.wait(10)
        return []

    def fails() -> NoReturn:
        raise NoMicrophone("no microphone is plugged in", mend="Plug one in.")

    async def waits() -> list[Finding]:
        return [ok("late", "fine")]

    found = await examine([Check("a", broken), Check("b", hangs), Check("c", fails), Check("d", waits)], patience=2)
    released.set()

    assert states(found) == [State.BAD, State.BAD, State.BAD, State.OK]
    assert "RuntimeError" in found[0].message
    assert found[2].mend == "Plug one in."


def test_the_verdict_is_the_worst_finding() -> None:
    assert verdict([]) is State.OK
    assert verdict([ok("a", "x"), warn("b", "x", "y")]) is State.WARN
    assert verdict([bad("a", "x", "y"), warn("b", "x", "y"), ok("c", "x")]) is State.BAD


def test_python_must_be_new_enough() -> None:
    assert states(checks.python((3, 11, 0))) == [State.OK]
    assert states(checks.python((3, 10, 9))) == [State.BAD]


def test_a_library_that_is_missing_is_named() -> None:
    def version(name: str) -> str:
        if name == "soxr":
            raise importlib.metadata.PackageNotFoundError(name)
        return "1"

    (finding,) = checks.libraries(["numpy", "soxr"], version)
    assert finding.state is State.BAD
    assert "soxr" in finding.message
    assert "pip install soxr" in finding.mend


def test_the_program_knows_what_it_needs() -> None:
    names = checks.required()
    assert {"numpy", "faster-whisper", "webrtcvad-wheels"} <= set(names)
    assert "pytest" not in names
    assert states(checks.libraries(names)) == [State.OK]


def test_room_on_the_disk_and_in_memory() -> None:
    assert states(checks.disk(10**7)) == [State.BAD]
    assert states(checks.disk(10**8)) == [State.WARN]
    assert states(checks.disk(10**10)) == [State.OK]
    assert states(checks.memory(10**8)) == [State.WARN]
    assert states(checks.memory(10**10)) == [State.OK]


def test_a_broken_settings_file_and_one_that_was_put_aside_are_named(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    assert states(checks.settings(file)) == [State.OK]
    file.write_text("[sound]\nvolume = 9\n")
    file.with_name("settings.broken-1.toml").write_text("x")
    found = list(checks.settings(file))
    assert states(found) == [State.BAD, State.WARN]
    assert "line 2" in found[0].message


def test_looking_at_a_new_machine_creates_nothing(tmp_path: Path) -> None:
    paths = Paths.under(tmp_path / "home")
    assert set(states(checks.folders(paths))) == {State.OK}
    assert states(checks.running(paths)) == [State.OK]
    assert not (tmp_path / "home").exists()


def test_a_companion_that_does_not_answer_is_bad(tmp_path: Path) -> None:
    paths = Paths.under(tmp_path)
    lock = Lock.take(paths.lock_file)
    (finding,) = checks.running(paths)
    assert finding.state is State.BAD
    assert "kill" in finding.mend
    lock.release()


def test_a_companion_that_runs_hands_on_its_problems(tmp_path: Path) -> None:
    import threading

    paths = Paths.under(tmp_path)
    lock = Lock.take(paths.lock_file)
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(paths.control_socket))
        door.listen()

        def serve() -> None:
            client, _ = door.accept()
            client.recv(1000)
            answer = {"ok": True, "answer": {"phase": "deaf", "problems": ["no microphone"]}}
            client.sendall(json.dumps(answer).encode() + b"\n")
            client.close()

        server = threading.Thread(target=serve)
        server.start()
        assert states(checks.running(paths)) == [State.OK, State.WARN]
        server.join()
    lock.release()


@pytest.mark.parametrize("program", [None, "/usr/bin/espeak-ng"])
def test_espeak_is_a_help_not_a_need(program: str | None) -> None:
    assert states(checks.espeak(program)) == [State.OK]
