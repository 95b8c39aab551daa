"""Secrets stay secret, with a keyring and without."""

from __future__ import annotations

import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as NoKeyring
from keyring.errors import KeyringLocked, PasswordDeleteError

from companion.errors import StorageError
from companion.settings import ring as ring_room
from companion.settings.secrets import Secrets


class Ring(KeyringBackend):
    """A keyring in memory."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()
        self.held: dict[str, str] = {}
        self.locked = False

    def get_password(self, service: str, username: str) -> str | None:
        if self.locked:
            raise KeyringLocked("locked")
        return self.held.get(username)

    def set_password(self, service: str, username: str, password: str) -> None:
        if self.locked:
            raise KeyringLocked("locked")
        self.held[username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.held.pop(username, None) is None:
            raise PasswordDeleteError("not there")


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    before = keyring.get_keyring()
    keyring.set_keyring(NoKeyring())
    yield tmp_path / "secrets.json"
    keyring.set_keyring(before)


def test_a_headless_machine_keeps_them_in_a_file_for_its_owner(file: Path) -> None:
    Secrets(file).set("weather", "abc")
    assert Secrets(file).get("weather") == "abc"
    assert Secrets(file).get("other") is None
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_file_open_to_others_is_closed_when_it_is_written(file: Path) -> None:
    file.write_text("{}")
    file.chmod(0o644)
    Secrets(file).set("weather", "abc")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_keyring_is_used_where_there_is_one(file: Path) -> None:
    ring = Ring()
    keyring.set_keyring(ring)
    Secrets(file).set("weather", "abc")
    assert ring.held == {"weather": "abc"}
    assert not file.exists()
    assert Secrets(file).get("weather") == "abc"


def test_a_locked_keyring_gives_way_to_the_file(file: Path) -> None:
    ring = Ring()
    ring.locked = True
    keyring.set_keyring(ring)
    Secrets(file).set("weather", "abc")
    assert Secrets(file).get("weather") == "abc"


def test_a_keyring_whose_bus_has_gone_gives_way_to_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*given: str) -> None:
        raise ConnectionResetError("the bus has ended")

    keyring.set_keyring(Ring())
    for way in ("get_password", "set_password", "delete_password"):
        monkeypatch.setattr(Ring, way, gone)
    Secrets(file).set("weather", "abc")
    assert Secrets(file).get("weather") == "abc"
    Secrets(file).remove("weather")
    assert Secrets(file).get("weather") is None


def test_a_keyring_that_hangs_holds_nobody_up_and_is_asked_again_when_it_is_back(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unlocked, asked = threading.Event(), list[str]()

    def wait(ring: Ring, service: str, name: str) -> str | None:
        asked.append(name)
        unlocked.wait(20)
        return "abc"

    monkeypatch.setattr(ring_room, "PATIENCE", 0.05)
    monkeypatch.setattr(Ring, "get_password", wait)
    Secrets(file).set("other", "in the file")
    keyring.set_keyring(Ring())
    try:
        for _ in range(3):
            with pytest.raises(StorageError, match="does not answer") as fault:
                Secrets(file).get("weather")
        with pytest.raises(StorageError):
            Secrets(file).set("weather", "kept in the clear nowhere")
        assert Secrets(file).get("other") == "in the file"
        assert "Unlock" in fault.value.mend
        assert asked == ["weather"]
        assert "clear" not in file.read_text()
    finally:
        unlocked.set()
    monkeypatch.setattr(ring_room, "PATIENCE", 20)
    assert ring_room.RING._hanging is not None
    assert ring_room.RING._hanging.result(20) == "abc"
    assert Secrets(file).get("weather") == "abc"


def test_a_removed_secret_is_gone_from_both(file: Path) -> None:
    Secrets(file).set("weather", "abc")
    keyring.set_keyring(Ring())
    Secrets(file).remove("weather")
    assert Secrets(file).get("weather") is None


def test_a_broken_file_is_named_without_what_is_in_it(file: Path) -> None:
    file.write_text('{"weather": "abc')
    with pytest.raises(StorageError) as fault:
        Secrets(file).get("weather")
    assert "abc" not in f"{fault.value} {fault.value.mend} {fault.value.__cause__}"
