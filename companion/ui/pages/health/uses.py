"""What the companion uses of the machine: processor, memory, room on the disk, and the models that are loaded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from companion.ui.pages.health.words import length, percent, size
from companion.ui.theme import ROOMY, SMALL
from companion.ui.widgets import Body, Card, Quiet

TIGHT = 500e6
"""Bytes free below which memory or disk is told as a problem."""


class Uses(Card):
    """Shows what the desk of health tells of now."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("What I use of this computer"), parent=parent)
        self._facts: dict[str, Body] = {}
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(ROOMY)
        self._grid.setVerticalSpacing(SMALL)
        self._grid.setColumnStretch(1, 1)
        for name, words in (
            ("cpu", self.tr("Processor")),
            ("memory", self.tr("Memory")),
            ("disk", self.tr("Disk")),
            ("models", self.tr("Loaded models")),
            ("running", self.tr("Running for")),
        ):
            self._put(name, words)
        self.column.addLayout(self._grid)

    def told(self, name: str) -> str:
        """What is shown of one thing."""
        return self._facts[name].text()

    def show_now(self, now: Mapping[str, Any]) -> None:
        """Show how it is now."""
        share = percent(float(now["cpu"]))
        self._say("cpu", self.tr("{share} of one of {cores} cores").format(share=share, cores=now["cores"]))
        own, all_of_it, free = (float(now[name]) for name in ("own_memory", "memory", "free_memory"))
        told = self.tr("{own} of {all}, {free} are free").format(own=size(own), all=size(all_of_it), free=size(free))
        self._say("memory", told, is_tight=free < TIGHT)
        free = float(now["free_disk"])
        self._say("disk", self.tr("{free} are free").format(free=size(free)), is_tight=free < TIGHT)
        models = [str(one["name"]) for one in now["models"]]
        self._say("models", "\n".join(models) or self.tr("none"))
        self._say("running", length(float(now["running"])))

    def _put(self, name: str, words: str) -> None:
        fact = Body("…")
        fact.setAccessibleName(words)
        self._facts[name] = fact
        row = self._grid.rowCount()
        label = Quiet(words)
        label.setWordWrap(False)
        self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(fact, row, 1)

    def _say(self, name: str, words: str, *, is_tight: bool = False) -> None:
        fact = self._facts[name]
        fact.say(words, "problem" if is_tight else "body")
        fact.setAccessibleDescription(words)
