"""Everything of a user lies in known folders."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from companion.app.paths import LONGEST_SOCKET_PATH, Paths, bundled
from companion.errors import BadInput


def test_one_variable_moves_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "elsewhere"))
    paths = Paths.here()
    for place in (paths.settings_file, paths.personal, paths.sessions, paths.shelf, paths.timers, paths.phrases):
        assert place.is_relative_to(tmp_path / "elsewhere")
    assert paths.log_file.is_relative_to(tmp_path / "elsewhere")
    assert paths.lock_file.is_relative_to(tmp_path / "elsewhere")


def test_without_it_the_system_s_folders_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPANION_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    assert Paths.here().data == tmp_path / "share" / "companion"


def test_asking_for_a_path_creates_nothing_and_preparing_keeps_others_out(tmp_path: Path) -> None:
    paths = Paths.under(tmp_path / "home")
    assert not (tmp_path / "home").exists()
    paths.prepare()
    assert stat.S_IMODE(paths.data.stat().st_mode) == 0o700
    assert paths.sessions.is_dir()


def test_a_socket_path_that_is_too_long_moves_to_the_runtime_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/1000")
    deep = Paths.under(Path("/") / "deep" / ("x" * 120))
    other = Paths.under(Path("/") / "deep" / ("y" * 120))
    assert len(os.fsencode(deep.control_socket)) <= LONGEST_SOCKET_PATH
    assert deep.control_socket.parent == Path("/run/user/1000")
    assert deep.control_socket != other.control_socket
    assert Paths.under(Path("/h/a")).control_socket == Path("/h/a/control.sock")


def test_what_comes_with_the_program_is_found() -> None:
    assert bundled("assets").name == "assets"
    assert bundled("models").name == "models"


def test_a_home_that_leads_nowhere_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", "~nobody-of-that-name/x")
    with pytest.raises(BadInput, match="~nobody-of-that-name"):
        Paths.here()


def test_a_user_without_a_home_gets_no_folders_where_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COMPANION_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as it does for a user nobody knows
    with pytest.raises(BadInput, match="no home folder") as refusal:
        Paths.here()
    assert "HOME" in refusal.value.mend
