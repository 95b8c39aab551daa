"""The rail: the places of the window, with icon and word; in a narrow window with icons alone."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from companion.ui.icons import icon
from companion.ui.places import Place
from companion.ui.theme import ICON, RAIL_NARROW, RAIL_WIDE, SMALL, TINY, TOUCH, look, looks, mark
from companion.ui.widgets import Line

GAP = "\u2002"
"""Between icon and word, for which Qt leaves too little room."""


class Rail(QFrame):
    """chosen: the name of a place."""

    chosen = Signal(str)

    def __init__(self, places: Sequence[Place], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, "rail")
        self.setAccessibleName(self.tr("Places"))
        self._places = {place.name: place for place in places}
        self._buttons: dict[str, QToolButton] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(SMALL, SMALL, SMALL, SMALL)
        column.setSpacing(TINY)
        for place in places:
            if place.is_apart:
                column.addSpacing(SMALL)
                column.addWidget(Line())
                column.addSpacing(SMALL)
            self._buttons[place.name] = self._button(place)
            column.addWidget(self._buttons[place.name])
        column.addStretch(1)
        self._paint_icons()
        looks.changed.connect(self._paint_icons)
        self.narrow(is_narrow=False)

    def show_chosen(self, name: str) -> None:
        """Show which place one is at."""
        for other, button in self._buttons.items():
            button.setChecked(other == name)
        self._paint_icons()

    def narrow(self, *, is_narrow: bool) -> None:
        """With icons alone, or with words."""
        style = Qt.ToolButtonStyle.ToolButtonIconOnly if is_narrow else Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        self.setFixedWidth(RAIL_NARROW if is_narrow else look().size(RAIL_WIDE))
        for button in self._buttons.values():
            button.setToolButtonStyle(style)

    def _button(self, place: Place) -> QToolButton:
        button = QToolButton()
        button.setText(f"{GAP}{place.shown}")
        button.setToolTip(place.shown)
        button.setAccessibleName(place.shown)
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setIconSize(QSize(ICON, ICON))
        button.setMinimumHeight(look().size(TOUCH) + TINY)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.clicked.connect(lambda: self.chosen.emit(place.name))
        mark(button, "rail")
        return button

    def _paint_icons(self) -> None:
        for name, button in self._buttons.items():
            button.setIcon(icon(self._places[name].icon, "accent" if button.isChecked() else "text"))
