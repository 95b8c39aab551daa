"""Puts a look on the application: palette and style sheet, light or dark as the desktop has it, or as one is told."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication

from companion.ui.sheet import style_sheet
from companion.ui.theme import DARK, LIGHT, STANDARD_TYPE, Colours, Look, looks

Wanted = Literal["desktop", "light", "dark"]

LARGEST = 2.0


def wear(look: Look) -> None:
    """Make the application look so."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        return
    looks.now = look
    app.setPalette(palette(look.colours))
    app.setStyleSheet(style_sheet(look))
    looks.changed.emit()


def follow_desktop() -> None:
    """Look as the desktop does, now and when it changes."""
    QApplication.styleHints().colorSchemeChanged.connect(lambda _: wear(chosen_look("desktop")))
    wear(chosen_look("desktop"))


def chosen_look(wanted: Wanted, *, scale: float | None = None) -> Look:
    """The look that is wanted. scale: of type; None: as large as the desktop's own."""
    is_dark = wanted == "dark"
    if wanted == "desktop":
        is_dark = QApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
    if scale is None:
        scale = min(max(QFontInfo(QFont()).pixelSize() / STANDARD_TYPE, 1.0), LARGEST)
    return Look(DARK if is_dark else LIGHT, is_dark, scale, has_motion=_has_motion())


def _has_motion() -> bool:
    """Whether the desktop lets things move."""
    return QApplication.isEffectEnabled(Qt.UIEffect.UI_General)


def palette(colours: Colours) -> QPalette:
    """For what Qt paints itself: dialogs, menus, selections."""
    made = QPalette()
    role = QPalette.ColorRole
    pairs = {
        role.Window: colours.ground,
        role.WindowText: colours.text,
        role.Base: colours.raised,
        role.AlternateBase: colours.ground,
        role.Text: colours.text,
        role.Button: colours.raised,
        role.ButtonText: colours.text,
        role.ToolTipBase: colours.raised,
        role.ToolTipText: colours.text,
        role.PlaceholderText: colours.quiet,
        role.Highlight: colours.accent,
        role.HighlightedText: colours.on_accent,
        role.Link: colours.accent,
        role.BrightText: colours.problem,
        role.Mid: colours.line,
    }
    for which, colour in pairs.items():
        made.setColor(which, QColor(colour))
    for which in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, which, QColor(colours.quiet))
    return made
