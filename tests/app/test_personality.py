"""The personality is the user's own text, and never a reason not to start."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.app.paths import bundled
from companion.app.personality import LONGEST, personalities, personality
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


def test_nobody_waits_for_a_pipe_in_its_place(tmp_path: Path, ours: Path) -> None:
    file = tmp_path / "personal.md"
    os.mkfifo(file)
    found = personality(file, ours)
    assert found.prompt.text == "You are calm."
    assert "it is no file" in str(found.problem)


def test_without_ours_the_installation_is_broken(tmp_path: Path) -> None:
    with pytest.raises(SetupError):
        personality(tmp_path / "personal.md", tmp_path / "missing.md")


def test_one_that_comes_with_the_program_can_be_chosen(tmp_path: Path) -> None:
    file = tmp_path / "personal.md"
    assert {"personal", "default", "concise", "warm", "playful"} <= set(personalities())
    for which in personalities()[1:]:
        found = personality(file, which=which)
        assert found.problem is None
        assert found.prompt.text == (bundled("assets") / "personality" / f"{which}.md").read_text().strip()
    assert not file.exists(), "the user's text is the user's"


def test_one_that_is_not_there_gives_way_to_the_user_s_own(tmp_path: Path, ours: Path) -> None:
    file = tmp_path / "personal.md"
    file.write_text("You are a pirate.")
    found = personality(file, ours, which="../secrets")
    assert found.prompt.text == "You are a pirate."
    assert found.problem is not None
    assert "warm" in found.problem.mend
