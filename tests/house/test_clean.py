"""Nothing of the machine it was written on is in the repository, and nothing is left half done."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from doubles.checkout import TOP, our_files

# Written so that this file does not find itself.
MACHINE_PATHS = re.compile(r"/(?:work|root)/|/tmp/[a-z]|/home/[a-z]+/|[A-Z]:\\Users")
HALF_DONE = re.compile("|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "raise NotImplemented" + "Error"]))
SKIPPED = re.compile(r"pytest\.(?:mark\.)?(?:skip|xfail|importor)|unittest\.skip|@skip")


def texts() -> list[tuple[Path, str]]:
    found = []
    for path in our_files():
        data = (TOP / path).read_bytes()
        if b"\0" not in data[:8000]:
            found.append((path, data.decode("utf-8", errors="replace")))
    return found


def lines_with(pattern: re.Pattern[str], *, under: tuple[str, ...] = ()) -> list[str]:
    return [
        f"{path}:{number} {line.strip()[:80]}"
        for path, text in texts()
        if not under or path.parts[0] in under
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line) and path.name != "test_clean.py"
    ]


def test_no_path_of_a_machine_is_in_the_repository() -> None:
    assert not lines_with(MACHINE_PATHS)


def test_nothing_is_marked_as_left_to_do() -> None:
    assert not lines_with(HALF_DONE, under=("companion", "packaging"))


def test_no_test_is_skipped() -> None:
    assert not lines_with(SKIPPED, under=("tests",))


def test_no_weights_are_in_the_repository() -> None:
    """Models live on a shelf, by checksum; git holds manifests and short recordings only."""
    large = [str(path) for path in our_files() if (TOP / path).stat().st_size > 1_000_000]

    assert not large


@pytest.mark.parametrize("name", ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"])
def test_the_papers_of_the_house_are_there(name: str) -> None:
    assert (TOP / name).stat().st_size > 500
