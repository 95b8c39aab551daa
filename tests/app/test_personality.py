"""The personality is the user's own text, and never a reason not to start."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.personality import LONGEST, personality
from companion.errors import SetupError


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    file = tmp_path / "default.md"
    file.write_text("You are calm.\n")
    return file


def test_a_first_run_copies_ours(tmp_path: Path, ours: Path) -> None:
    file = tmp_path / "personal.md"
    assert personality(file, ours).prompt.text == "You are calm."
    assert file.read_text() == "You are calm.\n"


def test_the_user_s_own_text_counts(tmp_path: Path, ours: Path) -> None:
    file = tmp_path / "personal.md"
    file.write_text("You are a pirate.")
    assert personality(file, ours) == personality(file, ours)
    assert personality(file, ours).prompt.text == "You are a pirate."
    assert file.read_text() == "You are a pirate."


@pytest.mark.parametrize("content", [b"", b" \n", b"caf\xe9", b"x" * (LONGEST + 1)])
def test_a_text_that_cannot_be_used_gives_way_and_stays(tmp_path: Path, ours: Path, content: bytes) -> None:
    file = tmp_path / "personal.md"
    file.write_bytes(content)
    found = personality(file, ours)
    assert found.prompt.text == "You are calm."
    assert found.problem is not None
    assert str(file) in str(found.problem)
    assert found.problem.mend
    assert file.read_bytes() == content


def test_without_ours_the_installation_is_broken(tmp_path: Path) -> None:
    with pytest.raises(SetupError):
        personality(tmp_path / "personal.md", tmp_path / "missing.md")
