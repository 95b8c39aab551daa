"""How far the first-run wizard has come, in a small file, so that it can be left and gone on with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from companion.errors import BadInput
from companion.settings.atomic import write_atomically

LARGEST = 16_384
"""Bytes."""


class Step(StrEnum):
    """One page of the wizard, in order."""

    HELLO = "hello"
    SOUND = "sound"
    WAKE = "wake"
    BRAINS = "brains"
    PERSONALITY = "personality"
    PRIVACY = "privacy"
    TALK = "talk"


class Mark(StrEnum):
    """What became of a step."""

    OPEN = "open"
    DONE = "done"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Setup:
    """``marks`` holds those steps that are no longer open."""

    marks: Mapping[Step, Mark] = field(default_factory=dict)
    is_finished: bool = False

    @property
    def at(self) -> Step:
        """Where to go on: the first step that is open; the last one when none is."""
        return next((step for step in Step if self.mark(step) is Mark.OPEN), Step.TALK)

    def mark(self, step: Step) -> Mark:
        return self.marks.get(step, Mark.OPEN)

    def marking(self, step: Step, mark: Mark) -> Setup:
        """With one step marked."""
        return replace(self, marks={**self.marks, step: mark})


def standing(setup: Setup | None) -> dict[str, object]:
    """As JSON has it. ``is_new``: the wizard was never begun."""
    known = setup or Setup()
    return {
        "is_new": setup is None,
        "finished": known.is_finished,
        "at": known.at.value,
        "steps": [{"name": step.value, "mark": known.mark(step).value} for step in Step],
    }


def read_setup(file: Path) -> Setup | None:
    """What the file says; None where there is none, or it cannot be used: then the wizard begins at its beginning."""
    try:
        with file.open("rb") as opened:
            document = json.loads(opened.read(LARGEST))
        marks = {Step(name): Mark(mark) for name, mark in document["steps"].items()}
        return Setup(marks, document["finished"] is True)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def write_setup(file: Path, setup: Setup) -> None:
    """Keep it.

    Raises:
        StorageError: it cannot be written.
    """
    document = {"version": 1, "finished": setup.is_finished, "steps": dict(setup.marks)}
    write_atomically(file, json.dumps(document, indent=2) + "\n")


def step_of(name: str) -> Step:
    """The step of that name.

    Raises:
        BadInput: there is none.
    """
    try:
        return Step(name)
    except ValueError as error:
        raise BadInput(f"there is no step {name[:40]!r}", mend=f"There are: {', '.join(Step)}.") from error


def mark_of(name: str) -> Mark:
    """The mark of that name.

    Raises:
        BadInput: there is none.
    """
    try:
        return Mark(name)
    except ValueError as error:
        raise BadInput(f"a step cannot be {name[:40]!r}", mend=f"It can be: {', '.join(Mark)}.") from error
