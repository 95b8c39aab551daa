"""How many of something, in words. A class, because Qt's tools see plurals in ``tr`` only."""

from __future__ import annotations

from PySide6.QtCore import QObject


class Counts(QObject):
    """Each in the language of the window."""

    def minutes(self, count: int) -> str:
        return self.tr("%n minute(s)", "", count)

    def hours(self, count: int) -> str:
        return self.tr("%n hour(s)", "", count)

    def days(self, count: int) -> str:
        return self.tr("%n day(s)", "", count)

    def minutes_left(self, count: int) -> str:
        return self.tr("%n minute(s) left", "", count)

    def memories(self, count: int) -> str:
        return self.tr("%n memories", "", count)
