"""One companion owns a data folder, and a killed one does not haunt it."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.app.lock import Lock, owner
from companion.errors import AlreadyRunning, StorageError

HOLD = """
import sys, time
from pathlib import Path
from companion.app.lock import Lock
lock = Lock.take(Path(sys.argv[1]))
print("held", flush=True)
time.sleep(60)
"""


def holder(file: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(file)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_free_folder_has_no_owner(tmp_path: Path) -> None:
    file = tmp_path / "companion.lock"
    assert owner(file) is None
    Lock.take(file).release()
    assert owner(file) is None


def test_the_owner_is_known_by_its_process(tmp_path: Path) -> None:
    lock = Lock.take(tmp_path / "companion.lock")
    assert owner(tmp_path / "companion.lock") == os.getpid()
    lock.release()


def test_a_second_companion_is_turned_away_and_told_who_runs(tmp_path: Path) -> None:
    file = tmp_path / "companion.lock"
    with holder(file) as first:
        with pytest.raises(AlreadyRunning, match=str(first.pid)):
            Lock.take(file)
        assert owner(file) == first.pid
        first.kill()


def test_a_companion_killed_outright_leaves_no_obstacle(tmp_path: Path) -> None:
    file = tmp_path / "companion.lock"
    with holder(file) as first:
        first.send_signal(signal.SIGKILL)
        first.wait()
    assert owner(file) is None
    Lock.take(file).release()


def test_an_old_lock_file_with_nonsense_in_it_is_no_obstacle(tmp_path: Path) -> None:
    file = tmp_path / "companion.lock"
    file.write_text("someone else\n" * 3)
    lock = Lock.take(file)
    assert file.read_text() == f"{os.getpid()}\n"
    lock.release()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(StorageError, match="file"):
        Lock.take(blocked / "companion.lock")


def test_a_full_disk_keeps_nobody_from_starting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int, content: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    file = tmp_path / "companion.lock"
    monkeypatch.setattr(os, "write", full)
    lock = Lock.take(file)
    monkeypatch.undo()

    with pytest.raises(AlreadyRunning):
        Lock.take(file)
    lock.release()
