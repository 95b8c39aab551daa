"""``companion models check-config``: what is ready, what is left out and why, and one line about what is wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

REMOTE = "kind: openai\napi_key: $OPENAI_KEY\nmodels: [{name: gpt, model: m}]\n"
LABELER = "schema: genx/labeler/v1\ntype: labeler\nmodels: [{name: labels, model: gpt}]\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "config"
    folder.mkdir()
    (folder / "labels.yaml").write_text(LABELER)
    (folder / "remote.yaml").write_text(REMOTE)
    return folder


def check(
    tmp_path: Path, *arguments: str | Path, under: Sequence[str] = (), **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*under, sys.executable, "-m", "companion", "models", "check-config", *map(str, arguments)],
        env={**os.environ, "COMPANION_HOME": str(tmp_path / "home"), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_it_tells_what_is_ready_and_why_the_rest_is_left_out(tmp_path: Path, folder: Path) -> None:
    done = check(tmp_path, folder)

    ready, left_out = done.stdout.splitlines()
    assert ready.split() == ["labels", "labeler", "ready", "genx/labeler/v1", "in", "labels.yaml"]
    assert left_out.startswith("gpt ")
    assert left_out.endswith("in remote.yaml: api_key: the variable OPENAI_KEY is not set. Set it before you start.")
    assert (done.returncode, done.stderr) == (0, "")
    assert not (tmp_path / "home").exists()


def test_a_script_gets_json_and_never_a_key(tmp_path: Path, folder: Path) -> None:
    done = check(tmp_path, folder, "--json", OPENAI_KEY="sk-secret")

    assert "sk-secret" not in done.stdout
    told = json.loads(done.stdout)
    assert told["folder"] == str(folder)
    assert [(each["name"], each["file"], each["ready"], each["reason"]) for each in told["entries"]] == [
        ("labels", "labels.yaml", True, None),
        ("gpt", "remote.yaml", True, None),
    ]


def test_models_of_providers_are_ready_or_left_out_and_nobody_is_connected_to(tmp_path: Path, folder: Path) -> None:
    (folder / "local.yaml").write_text("schema: ollama/chat/v1\ntype: generator\nmodels: [{name: llama, model: m}]\n")
    (folder / "other.yaml").write_text(
        "schema: minimax/chat/v1\ntype: generator\napi_key: k\nmodels: [{name: mini, model: m}]\n"
    )
    (folder / "kept.yaml").write_text("schema: google/chat/v1\ntype: generator\nmodels: [{name: gem, model: m}]\n")
    trace = tmp_path / "trace"
    command = ["strace", "-f", "-qq", "-e", "trace=connect,sendto", "-o", str(trace)]
    none = {"GEMINI_API_KEY": "", "GOOGLE_API_KEY": "", "DBUS_SESSION_BUS_ADDRESS": ""}
    done = check(tmp_path, folder, under=command, OPENAI_KEY="none", **none)

    assert (done.returncode, done.stderr) == (0, "")
    told = {line.split()[0]: " ".join(line.split()[2:]) for line in done.stdout.splitlines()}
    assert told["gpt"] == "ready openai/chat/v1 in remote.yaml"
    assert told["llama"] == "ready ollama/chat/v1 in local.yaml"
    assert told["mini"].startswith("left out minimax/chat/v1 in other.yaml: minimax is not built in yet.")
    assert told["gem"].startswith("left out google/chat/v1 in kept.yaml: there is no key for Google.")
    assert "AF_INET" not in trace.read_text()


@pytest.mark.parametrize("as_json", [[], ["--json"]], ids=["", "json"])
def test_bad_input_gets_one_line_that_names_file_and_field_and_status_2(
    tmp_path: Path, folder: Path, as_json: list[str]
) -> None:
    (folder / "bad.yaml").write_text(LABELER.replace("gpt", "7"))
    done = check(tmp_path, folder, *as_json)

    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line == f"companion: {folder}/bad.yaml: models[0].model must be text, not 7. Put quotes around it."


def test_a_folder_without_files_says_so(tmp_path: Path) -> None:
    assert "there is no .yaml, .yml or .json file" in check(tmp_path, tmp_path).stdout
    missing = check(tmp_path, tmp_path / "missing")
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "is no folder" in missing.stderr
