"""``companion memory``, ``knowledge`` and ``plugins`` as a person or a script types them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def companion(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "companion", *arguments],
        env={**os.environ, "COMPANION_HOME": str(home), "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        cwd=home.parent,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def told(home: Path, *arguments: str) -> Any:
    done = companion(home, *arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_what_is_added_is_shown_and_forgotten_with_a_yes(home: Path) -> None:
    assert told(home, "memory", "add", "my sister is called Emma")[0]["object"] == "Emma"
    assert "my sister is called Emma" in companion(home, "memory", "show").stdout
    refused = companion(home, "memory", "forget", "Emma")
    assert refused.returncode == 2
    assert refused.stderr.startswith("companion: this would forget")
    assert len(refused.stderr.splitlines()) == 1
    assert told(home, "memory", "forget", "Emma", "--yes")["forgotten"] > 0
    assert companion(home, "memory", "forget", "Emma").stdout == "there was nothing to forget\n"


def test_a_question_that_nobody_waits_for_says_so(home: Path) -> None:
    companion(home, "memory", "add", "my sister is called Emma")
    asked = companion(home, "ask", "Forget everything about Emma.")
    assert "for good?" in asked.stdout
    assert "nobody waits for your answer" in asked.stderr


def test_memory_goes_into_files_named_from_where_one_stands(home: Path) -> None:
    companion(home, "memory", "add", "my sister is called Emma")
    assert told(home, "memory", "export", "all.json")["file"] == str(home.parent / "all.json")
    assert companion(home, "memory", "graph", "all.svg").returncode == 0
    assert "Emma" in (home.parent / "all.svg").read_text()
    assert "known already" in companion(home, "memory", "import", "all.json").stdout


def test_a_plugin_is_begun_and_turned_on(home: Path) -> None:
    assert Path(told(home, "plugins", "new", "my-plugin")["folder"]).is_dir()
    assert told(home, "plugins", "enable", "my-plugin")["status"] == "enabled"
    checked = companion(home, "plugins", "check", "my-plugin")
    assert checked.returncode == 0
    assert "enabled" in checked.stdout


def test_a_plugin_that_is_turned_on_answers_though_no_companion_runs(home: Path) -> None:
    companion(home, "plugins", "new", "my-plugin")
    assert "no language model" in companion(home, "ask", "hello my-plugin").stdout
    companion(home, "plugins", "enable", "my-plugin")
    assert companion(home, "ask", "hello my-plugin").stdout == "Hello to you, too.\n"


def test_what_is_wrong_with_the_conversation_is_told_though_no_companion_runs(home: Path) -> None:
    (home / "sessions" / "default.messages.ndjson").mkdir(parents=True)
    asked = companion(home, "ask", "what is six times seven")
    assert asked.stdout == "That's 42.\n"
    assert "default.messages.ndjson" in asked.stderr


def test_a_plugin_that_cannot_work_is_an_exit_status(home: Path) -> None:
    place = Path(told(home, "plugins", "new", "my-plugin")["folder"])
    place.joinpath("plugin.py").write_text("raise RuntimeError\n")
    companion(home, "plugins", "enable", "my-plugin")
    checked = companion(home, "plugins", "check")
    assert checked.returncode == 1
    assert "failed to load" in checked.stdout
    assert "Traceback" not in checked.stdout + checked.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["memory", "add", " "],
        ["memory", "graph", "a.png"],
        ["memory", "import", "missing.json"],
        ["knowledge", "add", "../out", "missing.txt"],
        ["knowledge", "folders", "--add", "missing"],
        ["knowledge", "search", " "],
        ["plugins", "enable", "clock", "--allow", "fly"],
        ["plugins", "new", "Not A Name"],
    ],
    ids=" ".join,
)
def test_bad_input_gets_one_line_and_status_2(home: Path, arguments: list[str]) -> None:
    done = companion(home, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("companion: ")
