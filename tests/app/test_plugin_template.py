"""The template makes a plugin that works, and whose own tests pass."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from doubles.checkout import TOP

from companion.agent.choices import Choice
from companion.agent.door import Rooms
from companion.agent.host import PluginHost, PluginStatus
from companion.agent.registry import Registry
from companion.app.plugin_template import new_plugin
from companion.errors import BadInput, StorageError


def test_the_tests_of_a_new_plugin_pass(tmp_path: Path) -> None:
    place = new_plugin(tmp_path / "plugins", "my-weather")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(TOP), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "3 passed" in ran.stdout


async def test_a_new_plugin_runs_once_it_is_turned_on(tmp_path: Path) -> None:
    new_plugin(tmp_path, "my-weather")
    registry = Registry()
    host = PluginHost(registry, Rooms(), {"my-weather": Choice(True, settings={"greeting": "Ahoy"})})
    await host.find(folder=tmp_path)
    await host.start()

    assert [(one.name, one.status, one.reason) for one in host.records] == [("my-weather", PluginStatus.ENABLED, "")]
    assert [tool.name for tool in registry.tools] == ["greet"]
    await host.close()


@pytest.mark.parametrize("name", ["", "../out", "My-Plugin", "a b", "-a", "a" * 50])
def test_a_name_that_could_leave_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match="cannot be called"):
        new_plugin(tmp_path, name)
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_stays(tmp_path: Path) -> None:
    new_plugin(tmp_path, "mine")
    (tmp_path / "mine" / "plugin.py").write_text("mine")
    with pytest.raises(BadInput, match="is there already"):
        new_plugin(tmp_path, "mine")
    assert (tmp_path / "mine" / "plugin.py").read_text() == "mine"


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="mine"):
        new_plugin(tmp_path / "file", "mine")
