"""Buttons: the one that is meant, the others, one that looks like a link, and one that is only an icon."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton, QWidget

from companion.ui.icons import icon
from companion.ui.theme import ICON, TOUCH, look, looks, mark
from companion.ui.widgets import plain
from companion.ui.widgets.placed import has_place


class Button(QPushButton):
    """A button with words on it. on_click: called without arguments. icon_name: one of ``assets/icons``."""

    role = "plain"
    icon_colour = "text"

    def __init__(
        self,
        text: str,
        on_click: Callable[[], object] | None = None,
        *,
        icon_name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(plain.label(text), parent)
        self._icon_name = icon_name
        self._had_focus = False
        """Whether it had the focus when it was disabled."""
        self.setAccessibleName(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAutoDefault(False)
        mark(self, self.role)
        if icon_name:
            self.setIconSize(QSize(ICON, ICON))
            self._paint_icon()
            looks.changed.connect(self._paint_icon)
        if on_click is not None:
            self.clicked.connect(lambda: on_click())

    def setVisible(self, visible: bool) -> None:
        """Be seen or not; see ``placed``."""
        if has_place(self, visible=visible):
            super().setVisible(visible)

    def setEnabled(self, enabled: bool) -> None:
        """Be for use or not. A button that rests while its work goes on keeps its place: without this, the focus would
        go on to whatever is next, and the page scroll there.
        """
        if not enabled and self.hasFocus():
            self._had_focus = True
            self.clearFocus()
        super().setEnabled(enabled)
        if enabled and self._had_focus:
            self._had_focus = False
            if QApplication.focusWidget() is None:
                self.setFocus(Qt.FocusReason.OtherFocusReason)

    def say(self, text: str) -> None:
        """Show other words."""
        self.setText(plain.label(text))
        self.setAccessibleName(text)

    def _paint_icon(self) -> None:
        self.setIcon(icon(self._icon_name, self.icon_colour))


class PrimaryButton(Button):
    """What is meant to be done here; at most one on a page."""

    role = "primary"
    icon_colour = "on_accent"


class DangerButton(Button):
    """What takes something away for good."""

    role = "danger"
    icon_colour = "problem"


class LinkButton(Button):
    """Something that may be done, said quietly."""

    role = "link"
    icon_colour = "accent"


class IconButton(QToolButton):
    """A button without words; ``name`` is what a screen reader and the tooltip say."""

    def __init__(
        self, icon_name: str, name: str, on_click: Callable[[], object] | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        self._colour = "text"
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setIconSize(QSize(ICON, ICON))
        self.setMinimumSize(look().size(TOUCH), look().size(TOUCH))
        self.rename(name)
        self._paint_icon()
        looks.changed.connect(self._paint_icon)
        if on_click is not None:
            self.clicked.connect(lambda: on_click())

    def setVisible(self, visible: bool) -> None:
        """Be seen or not; see ``placed``."""
        if has_place(self, visible=visible):
            super().setVisible(visible)

    def rename(self, name: str) -> None:
        """Say otherwise what it does."""
        self.setToolTip(plain.tip(name))
        self.setAccessibleName(name)

    def show_icon(self, icon_name: str, colour: str = "text") -> None:
        """Show another icon, in a colour of the theme."""
        self._icon_name, self._colour = icon_name, colour
        self._paint_icon()

    def _paint_icon(self) -> None:
        self.setIcon(icon(self._icon_name, self._colour))
