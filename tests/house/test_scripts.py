"""The scripts parse, may be run, and name what they need in one place."""

from __future__ import annotations

import os
import subprocess
import tomllib

import pytest
from doubles.checkout import TOP, our_files

SCRIPTS = [path for path in our_files() if path.suffix == ".sh" or str(path) in {"run", "check", ".ci/run"}]


@pytest.mark.parametrize("script", SCRIPTS, ids=str)
def test_a_script_parses(script) -> None:
    subprocess.run(["bash", "-n", TOP / script], check=True, timeout=10)


@pytest.mark.parametrize("script", ["run", "check", ".ci/run"])
def test_a_command_may_be_run_and_stops_at_the_first_fault(script: str) -> None:
    assert os.access(TOP / script, os.X_OK)
    text = (TOP / script).read_text()
    assert text.startswith("#!/usr/bin/env bash\n")
    assert "set -euo pipefail" in text or "exec bash" in text


def setup(function: str, **environment: str) -> str:
    """What one function of the shared set-up prints."""
    command = f"set -euo pipefail; . packaging/setup.sh; {function}"
    answer = subprocess.run(
        ["bash", "-c", command],
        cwd=TOP,
        env={**os.environ, **environment},
        check=True,
        capture_output=True,
        text=True,
        timeout=20,
    )
    return answer.stdout.strip()


def test_set_up_builds_the_version_that_the_package_asks_for() -> None:
    dependencies = tomllib.loads((TOP / "pyproject.toml").read_text())["project"]["dependencies"]

    assert setup('printf %s "$llama"') in dependencies


def test_built_wheels_are_kept_in_the_users_cache_by_processor(tmp_path) -> None:
    folder = setup("wheel_folder", XDG_CACHE_HOME=str(tmp_path))

    assert folder.startswith(f"{tmp_path}/companion/wheels/{os.uname().machine}-")
    assert folder == setup("wheel_folder", XDG_CACHE_HOME=str(tmp_path))


def test_a_stamp_changes_with_what_set_up_depends_on(tmp_path) -> None:
    extra = tmp_path / "manifest.toml"
    extra.write_text("one")
    first = setup(f'stamp_of run "{extra}"')
    again = setup(f'stamp_of run "{extra}"')
    extra.write_text("two")

    assert first == again != setup(f'stamp_of run "{extra}"')
    assert setup("stamp_of run") != setup("stamp_of check")
    assert setup("stamp_of run") != setup("stamp_of run", COMPANION_HOME=str(tmp_path))


def test_a_missing_system_package_is_a_line_to_type_where_apt_may_not(tmp_path) -> None:
    """Neither root nor sudo: the exact line is printed, and set-up ends."""
    for name, body in {"id": "echo 1000", "sudo": "exit 1", "dpkg-query": "exit 1"}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / name).chmod(0o755)
    answer = subprocess.run(
        ["bash", "-c", "set -euo pipefail; . packaging/setup.sh; need_packages libportaudio2 g++; echo went on"],
        cwd=TOP,
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        check=False,
        capture_output=True,
        text=True,
        timeout=20,
    )

    assert answer.returncode == 1
    assert answer.stdout == ""
    assert "type: sudo apt-get install -y libportaudio2 g++" in answer.stderr


def test_a_python_that_is_too_old_is_passed_over(tmp_path) -> None:
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    found = setup("find_python", COMPANION_PYTHON=str(old))

    assert found
    assert found != str(old)
