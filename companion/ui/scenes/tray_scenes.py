"""Scenes of the tray: every state in every size on a light and a dark panel, and the menu."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from companion.ui.bridge import Bridge
from companion.ui.scenes.scene import AWAKE, Scene
from companion.ui.state import Mark
from companion.ui.theme import DARK, LIGHT, ROOMY, WIDE, Colours, look, mark
from companion.ui.tray import Tray, tray_icon
from companion.ui.window import Window
from companion.voice.events import State

SIZES = (16, 22, 32, 48)


def _panel(colours: Colours) -> QWidget:
    panel = QWidget()
    panel.setObjectName("panel")
    panel.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    panel.setStyleSheet(f"#panel {{ background: {colours.ground}; }}")
    column = QVBoxLayout(panel)
    for size in SIZES:
        line = QHBoxLayout()
        line.setSpacing(ROOMY)
        for which in Mark:
            shown = QLabel()
            shown.setPixmap(tray_icon(which, look()).pixmap(QSize(size, size)))
            line.addWidget(shown)
        line.addStretch(1)
        column.addLayout(line)
    return panel


def _icons(bridge: Bridge) -> QWidget:
    whole = QWidget()
    mark(whole, "page")
    line = QHBoxLayout(whole)
    line.setContentsMargins(WIDE, WIDE, WIDE, WIDE)
    for colours in (LIGHT, DARK):
        line.addWidget(_panel(colours))
    return whole


def _menu(bridge: Bridge) -> QWidget:
    window = Window(bridge)
    tray = Tray(bridge, window)
    tray.hide()
    menu = tray.menu
    menu.destroyed.connect(window.deleteLater)
    menu.setProperty("keeps", window)
    return menu


MUTED = replace(AWAKE, phase=State.MUTED, ears_closed=True)

SCENES = (
    Scene("tray-icons", _icons, size=(760, 260)),
    Scene("tray-menu", _menu, size=(420, 320)),
    Scene("tray-menu-muted", _menu, state=MUTED, size=(420, 320)),
)
