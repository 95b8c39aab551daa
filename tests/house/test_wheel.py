"""The wheel carries the manifests and the assets, and finds them where it is installed."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
from doubles.checkout import TOP, our_files

READ = """
from importlib.resources import files
manifest = sorted((files("companion") / "_bundled" / "models").iterdir(), key=lambda path: path.name)[0]
print(manifest.name)
print(manifest.read_text(encoding="utf-8"))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", folder, TOP],
        check=True,
        timeout=240,
    )
    (built,) = folder.glob("companion-*.whl")
    return built


@pytest.mark.timeout(300)
def test_the_wheel_carries_every_manifest_and_asset(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    beside = [path for path in our_files() if path.parts[0] in {"models", "assets"}]

    assert beside
    assert not [path for path in beside if f"companion/_bundled/{path.as_posix()}" not in inside]


@pytest.mark.timeout(300)
def test_an_installed_wheel_reads_its_manifests(wheel: Path, tmp_path: Path) -> None:
    place = tmp_path / "venv"
    venv.create(place, with_pip=True)
    python = place / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", wheel], check=True, timeout=120)
    answer = subprocess.run(
        [python, "-I", "-c", READ], check=True, capture_output=True, text=True, cwd=tmp_path, timeout=60
    )
    name, text = answer.stdout.split("\n", 1)

    assert (place / "bin" / "companion").is_file()
    assert tomllib.loads(text) == tomllib.loads((TOP / "models" / name).read_text(encoding="utf-8"))
