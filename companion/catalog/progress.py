"""What a pull tells while it works."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Phase(StrEnum):
    """What is going on; a file passes through them in this order, and may begin again with the next source."""

    WAITING = "waiting"
    """Another process is bringing the same model."""
    FETCHING = "fetching"
    UNPACKING = "unpacking"
    CHECKING = "checking"
    READY = "ready"
    """With an empty ``file``: the model is whole and on the shelf."""


@dataclass(frozen=True, slots=True)
class Progress:
    """One step. ``done`` and ``total`` are bytes of this phase of this file."""

    model: str
    file: str
    done: int
    total: int
    phase: Phase


OnProgress = Callable[[Progress], None]


def quietly(progress: Progress) -> None:
    """Tell nobody."""
