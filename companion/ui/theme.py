"""How everything looks: the colours, sizes and types of the window, in one place. Nobody else names any.

A widget says what it is (``mark(label, "quiet")``) and the style sheet does the rest; one that paints itself asks
``look()`` for colours, and draws again when ``looks.changed`` is told.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import QApplication, QWidget


@dataclass(frozen=True, slots=True)
class Colours:
    """What is what colour. Text on ``accent`` and on the state colours is ``on_accent``."""

    ground: str
    raised: str
    line: str
    edge: str
    """The outline of what can be typed into or pressed: 3:1 against the ground."""
    text: str
    quiet: str
    accent: str
    on_accent: str
    listening: str
    thinking: str
    problem: str
    good: str
    bubble: str
    """Behind what the user said; nothing is written on it in the accent or in green, nor on ``hover``."""
    hover: str
    tint: str
    """Behind a notice."""


LIGHT = Colours(
    ground="#FAF8F5",
    raised="#FFFFFF",
    line="#E4DED6",
    edge="#8E877E",
    text="#22201E",
    quiet="#6A645D",
    accent="#B4532A",
    on_accent="#FFFFFF",
    listening="#1F6F6B",
    thinking="#6B5AA8",
    problem="#A8322B",
    good="#3F7A3A",
    bubble="#F1ECE5",
    hover="#F3EEE8",
    tint="#FCF2ED",
)
DARK = Colours(
    ground="#1B1A19",
    raised="#262423",
    line="#3A3735",
    edge="#857D76",
    text="#F1EDE8",
    quiet="#A8A099",
    accent="#E58A5E",
    on_accent="#1B1A19",
    listening="#5CC0B9",
    thinking="#A99BE0",
    problem="#F08A80",
    good="#8CCB85",
    bubble="#2E2B29",
    hover="#302D2B",
    tint="#382623",
)

TINY, SMALL, SNUG, ROOMY, WIDE, AIRY, VAST = SPACES = (4, 8, 12, 16, 24, 32, 48)
"""Pixels between things."""
CORNER = 10
CARD_CORNER = 14
BODY, FINE, HEADING, DISPLAY = 14, 12, 20, 28
"""Pixels of type, before the user's own scale."""
LINE_HEIGHT = 1.45
ICON = 20
TOUCH = 36
"""The least height of what can be pressed."""
TEXT_WIDTH = 640
"""The longest line that is easy to read."""
RAIL_WIDE, RAIL_NARROW = 168, 72
NARROW_BELOW = 900
LEAST_WIDTH, LEAST_HEIGHT = 720, 520
MOTION_MS = 160
STANDARD_TYPE = 13.0
"""Pixels of the usual desktop font; who has set a larger one gets everything larger."""


@dataclass(frozen=True, slots=True)
class Look:
    """The colours of now, and how large type is."""

    colours: Colours = LIGHT
    is_dark: bool = False
    scale: float = 1.0
    has_motion: bool = True

    def size(self, pixels: int) -> int:
        """A size of type, in the user's scale."""
        return round(pixels * self.scale)

    def colour(self, name: str) -> QColor:
        """A colour by the name it has in ``Colours``."""
        return QColor(getattr(self.colours, name))

    def font(self, pixels: int = BODY, *, bold: bool = False) -> QFont:
        """The desktop's own font, of a size."""
        font = QFont(QApplication.font())
        font.setPixelSize(self.size(pixels))
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        return font


class Looks(QObject):
    """Keeps the look of now; ``dress.wear`` changes it."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.now = Look()


looks = Looks()


def look() -> Look:
    """The look of now."""
    return looks.now


def mark(widget: QWidget, role: str) -> QWidget:
    """Say what a widget is, for the style sheet; may be called again with another role."""
    widget.setProperty("role", role)
    style = widget.style()
    style.unpolish(widget)
    style.polish(widget)
    return widget
