"""A fact as the page shows it: its sentence, and who said so when."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, Qt, QTimeZone

from companion.ui.days import day_in_words
from companion.ui.graph_view.picture import USER

translate = QCoreApplication.translate

ACTIVE = "active"
BY_HAND = "edit"
"""The session of what was corrected by hand."""
UNSURE_BELOW = 0.5
_PLUGIN = "plugin "
_BACKUP = re.compile(r"memory-(\d{8}T\d{6})\d*Z")


@dataclass(frozen=True, slots=True)
class Fact:
    """A row of the desk."""

    id: int
    subject: str
    relation: str
    object: str
    sentence: str
    said_by: str
    session: str
    at: str
    """When it was said, as ISO has it."""
    valid_until: str
    """Empty: it holds."""
    confidence: float
    is_held: bool
    is_pinned: bool

    @staticmethod
    def of(row: Mapping[str, Any]) -> Fact:
        return Fact(
            row["id"],
            row["subject"],
            row["relation"],
            row["object"],
            row.get("sentence") or row["text"],
            row["said_by"],
            row.get("session", ""),
            row["at"],
            row["valid_until"] or "",
            row["confidence"],
            row["status"] == ACTIVE,
            row["pinned"],
        )

    @property
    def source(self) -> str:
        """ "You told me on 3 March." """
        day = day_in_words(self.at)
        if self.session == BY_HAND:
            told = translate("Fact", "You corrected this on {day}.")
        elif self.said_by == USER:
            told = translate("Fact", "You told me on {day}.")
        elif self.said_by.startswith(_PLUGIN):
            told = translate("Fact", "The plugin {who} told me on {day}.")
        else:
            told = translate("Fact", "{who} told me on {day}.")
        parts = [told.format(day=day, who=self.said_by.removeprefix(_PLUGIN))]
        if not self.is_held and self.valid_until:
            parts.append(translate("Fact", "This held until {day}.").format(day=day_in_words(self.valid_until)))
        if self.confidence < UNSURE_BELOW:
            parts.append(translate("Fact", "I am not sure of it."))
        return ("" if language() == "zh" else " ").join(parts)


def facts_of(answer: Mapping[str, object], name: str = "facts") -> list[Fact]:
    """The facts in an answer of the desk."""
    return [Fact.of(row) for row in cast(Iterable[Mapping[str, Any]], answer.get(name, ()))]


def backup_in_words(file: str) -> str:
    """When a backup was made, by the name of its file: "3 March, 14:02"."""
    found = _BACKUP.search(file)
    if found is None:
        return file
    made = QDateTime.fromString(found[1], "yyyyMMddTHHmmss")
    made.setTimeZone(QTimeZone.utc())
    local = made.toLocalTime()
    at = QLocale().toString(local.time(), QLocale.FormatType.ShortFormat)
    return translate("Fact", "{day}, {time}").format(day=day_in_words(local.toString(Qt.DateFormat.ISODate)), time=at)


def language() -> str:
    """The language of sentences: that of the window."""
    return "zh" if QLocale().language() is QLocale.Language.Chinese else "en"
