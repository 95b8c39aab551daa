"""The scripts parse, may be run, and name what they need in one place."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

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


FAKE_PYTHON = """#!/bin/sh
echo built >>"$BUILDS"
sleep "$SECONDS_TO_BUILD"
while [ "$1" != --wheel-dir ]; do shift; done
mkdir -p "$2" && touch "$2/llama_cpp_python-${3#*==}-py3-none-any.whl"
"""


def building(tmp_path, then: str, *, seconds: str) -> subprocess.Popen[str]:
    """A set-up that starts the build of the library with a Python and a compiler that only pretend."""
    for name, body in {"python": FAKE_PYTHON, "g++": "#!/bin/sh\n"}.items():
        (tmp_path / name).write_text(body)
        (tmp_path / name).chmod(0o755)
    script = f"set -euo pipefail; . packaging/setup.sh; python={tmp_path}/python; start_llama; {then}"
    environment = {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "XDG_CACHE_HOME": str(tmp_path),
        "BUILDS": str(tmp_path / "builds"),
        "SECONDS_TO_BUILD": seconds,
    }
    return subprocess.Popen(
        ["bash", "-c", script], cwd=TOP, env={**os.environ, **environment}, stderr=subprocess.PIPE, text=True
    )


def end_of(set_up: subprocess.Popen[str]) -> str:
    """What it said on standard error until it ended."""
    with set_up:
        try:
            return set_up.communicate(timeout=30)[1]
        except subprocess.TimeoutExpired:
            set_up.kill()
            raise


def test_two_set_ups_at_once_build_the_library_once_and_later_ones_not_at_all(tmp_path) -> None:
    both = [building(tmp_path, 'wait "$build_pid"', seconds="0.5") for _ in range(2)]
    for each in both:
        said = end_of(each)
        assert each.returncode == 0, said
    assert (tmp_path / "builds").read_text() == "built\n"

    later = building(tmp_path, "built_wheel", seconds="0.5")
    assert end_of(later) == ""
    assert (tmp_path / "builds").read_text() == "built\n"


def test_a_set_up_that_fails_takes_its_build_with_it(tmp_path) -> None:
    failing = building(tmp_path, 'sleep 0.5; die "the index is gone" "try later"', seconds="3600")
    said = end_of(failing)

    assert failing.returncode == 1
    assert "the index is gone" in said
    deadline = time.monotonic() + 10
    while left := [line for line in command_lines() if str(tmp_path) in line]:
        assert time.monotonic() < deadline, left


PRETENDS = """#!/bin/sh
echo "$(basename "$0") $*" >>"$CALLS"
case "$*" in "models pull") exit 1 ;; esac
"""


def pretended_checkout(top: Path) -> dict[str, str]:
    """A copy of what ``./run`` reads, with a Python and a companion that only write down how they were called."""
    for name in ("run", "pyproject.toml", "packaging/setup.sh", "packaging/llama.cmake"):
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TOP / name, top / name)
    (top / "models").mkdir()
    (top / "models" / "one.toml").write_text("")
    (top / ".venv" / "bin").mkdir(parents=True)
    (top / ".venv" / ".made-for").write_text(str(top))
    for script in (top / ".venv/bin/python", top / ".venv/bin/companion", top / "dpkg-query"):
        script.write_text('#!/bin/sh\necho " installed"\n' if script.name == "dpkg-query" else PRETENDS)
        script.chmod(0o755)
    environment = {"XDG_CACHE_HOME": str(top / "cache"), "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    wheels = Path(setup("wheel_folder", **environment))
    wheels.mkdir(parents=True)
    version = setup('printf %s "${llama#*==}"')
    (wheels / f"llama_cpp_python-{version}-py3-none-any.whl").touch()
    return {**os.environ, **environment, "PATH": f"{top}:{os.environ['PATH']}", "CALLS": str(top / "calls")}


def test_without_models_what_is_installed_is_not_installed_again(tmp_path) -> None:
    environment = pretended_checkout(tmp_path)
    calls = tmp_path / "calls"
    said = []
    for arguments in (["doctor"], ["models", "pull", "--from", "stick"]):
        calls.write_text("")
        done = subprocess.run(
            ["bash", tmp_path / "run", *arguments],
            env=environment, check=True, capture_output=True, text=True, timeout=30,
        )  # fmt: skip
        said.append((calls.read_text(), done.stderr))

    assert "pip" in said[0][0]
    assert "--from /media/stick" in said[0][1]
    assert said[1][0].splitlines() == ["companion models pull", "companion models pull --from stick"]


def test_node_packages_are_installed_once_and_named_after_what_they_are(tmp_path) -> None:
    npm = tmp_path / "npm"
    npm.write_text(f'#!/bin/sh\necho "$@" >>{tmp_path}/asked; mkdir node_modules\n')
    npm.chmod(0o755)
    environment = {"XDG_CACHE_HOME": str(tmp_path), "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    for _ in range(2):
        setup("install_node_packages", **environment)

    folder = Path(setup("node_folder", **environment))
    assert sorted(path.name for path in folder.iterdir()) == ["node_modules", "package-lock.json", "package.json"]
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    assert (tmp_path / "asked").read_text().count("ci") == 1


def test_the_lock_of_node_packages_names_no_index() -> None:
    """Whoever checks out has an index of their own; the packages are known by their checksums."""
    lock = json.loads((TOP / "tests/node/package-lock.json").read_text())
    packages = {name: fields for name, fields in lock["packages"].items() if name}

    assert all("resolved" not in fields for fields in packages.values())
    assert all(fields["integrity"].startswith("sha512-") for fields in packages.values())


def command_lines() -> Iterator[str]:
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            yield (process / "cmdline").read_text()
