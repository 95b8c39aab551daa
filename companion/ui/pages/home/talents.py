"""What the companion can do without a model, each with something to say; and what plugins add."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from companion.ui.engine_words import in_window_language
from companion.ui.icons import pixmap
from companion.ui.theme import ICON, SNUG, TINY, looks
from companion.ui.widgets import Body, Card, Fine, LinkButton

ENABLED = "enabled"
_OURS = {
    "timers": ("clock", QT_TRANSLATE_NOOP("Talents", "Timers, alarms and reminders"),
               QT_TRANSLATE_NOOP("Talents", "“Set a pasta timer for ten minutes.”")),
    "clock": ("clock", QT_TRANSLATE_NOOP("Talents", "Time and date"),
              QT_TRANSLATE_NOOP("Talents", "“What time is it?”")),
    "maths": ("add", QT_TRANSLATE_NOOP("Talents", "Sums and units"),
              QT_TRANSLATE_NOOP("Talents", "“What is 15 percent of 80?”")),
    "memory": ("memory", QT_TRANSLATE_NOOP("Talents", "Remembering"),
               QT_TRANSLATE_NOOP("Talents", "“Remember that Emma likes strawberries.”")),
    "knowledge": ("knowledge", QT_TRANSLATE_NOOP("Talents", "Your notes and documents"),
                  QT_TRANSLATE_NOOP("Talents", "“What do my notes say about the boiler?”")),
    "volume": ("speaker", QT_TRANSLATE_NOOP("Talents", "Volume"),
               QT_TRANSLATE_NOOP("Talents", "“A little louder, please.”")),
    "repeat": ("refresh", QT_TRANSLATE_NOOP("Talents", "Saying it again"),
               QT_TRANSLATE_NOOP("Talents", "“What did you say?”")),
    "stop": ("stop", QT_TRANSLATE_NOOP("Talents", "Being quiet"),
             QT_TRANSLATE_NOOP("Talents", "“Stop.”")),
    "courtesy": ("person", QT_TRANSLATE_NOOP("Talents", "Greetings and thanks"),
                 QT_TRANSLATE_NOOP("Talents", "“Good morning.”")),
}  # fmt: skip


class Talents(Card):
    """on_more: the user wants to see what plugins there are."""

    def __init__(self, on_more: Callable[[], object], parent: QWidget | None = None) -> None:
        super().__init__(self.tr("What I can do"), parent=parent)
        self._rows: list[QWidget] = []
        self._shown: Sequence[Mapping[str, Any]] | None = None
        self.more = LinkButton(self.tr("Plugins, and what each may do"), on_more)
        self.add_beside(self.more)

    @property
    def names(self) -> list[str]:
        """What is listed."""
        return [row.accessibleName() for row in self._rows]

    def show_plugins(self, plugins: Sequence[Mapping[str, Any]]) -> None:
        """Show these rows of the desk of plugins; only what is on, and what is meant to be but is not."""
        if plugins == self._shown:
            return
        self._shown = plugins
        for row in self._rows:
            self.column.removeWidget(row)
            row.deleteLater()
        rank = {name: number for number, name in enumerate(_OURS)}
        listed = sorted(plugins, key=lambda one: (rank.get(one["name"], len(rank)), one["name"]))
        self._rows = [_Talent(one) for one in listed if one["status"] != "off"]
        for number, row in enumerate(self._rows, start=1):
            self.column.insertWidget(number, row)


class _Talent(QWidget):
    def __init__(self, plugin: Mapping[str, Any]) -> None:
        super().__init__()
        self._icon, title, example = _told(plugin)
        works = plugin["status"] == ENABLED
        self._picture = QLabel()
        second = Fine(example)
        if not works:
            second.say(
                self.tr("It does not work: {reason}").format(reason=in_window_language(plugin["reason"])), "problem"
            )
        second.setVisible(bool(second.text()))
        words = QVBoxLayout()
        words.setSpacing(TINY // 2)
        words.addWidget(Body(title))
        words.addWidget(second)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, TINY, 0, TINY)
        line.setSpacing(SNUG)
        line.addWidget(self._picture)
        line.addLayout(words, 1)
        self.setAccessibleName(title)
        self.setAccessibleDescription(second.text())
        self._colour = "quiet" if works else "problem"
        looks.changed.connect(self._draw)
        self._draw()

    def _draw(self) -> None:
        self._picture.setPixmap(pixmap(self._icon, self._colour, ICON))


def _told(plugin: Mapping[str, Any]) -> tuple[str, str, str]:
    """Its icon, its name and something to say to it."""
    if plugin["is_ours"] and plugin["name"] in _OURS:
        icon, title, example = (str(part) for part in _OURS[plugin["name"]])
        return icon, QCoreApplication.translate("Talents", title), QCoreApplication.translate("Talents", example)
    return "plugin", str(plugin["name"]), str(plugin["description"])
