"""The icons: lines of one width, drawn as SVG in ``assets/icons``, coloured by token and kept once drawn."""

from __future__ import annotations

import functools
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from companion.app.paths import bundled
from companion.ui.theme import ICON, look

DRAWN_FOR = (1.0, 2.0)
"""Pixels per point of the screens that there are pictures for."""


def icon(name: str, colour: str = "text", size: int = ICON) -> QIcon:
    """An icon in a colour of the present look, by the name of its file and of the colour in ``theme.Colours``."""
    return _icon(name, look().colour(colour).name(), size)


def pixmap(name: str, colour: str = "text", size: int = ICON, ratio: float = 2.0) -> QPixmap:
    """The picture of an icon, so many points wide."""
    return _pixmap(name, look().colour(colour).name(), size, ratio)


def names() -> list[str]:
    """All icons there are."""
    return sorted(_drawings())


@functools.lru_cache(maxsize=512)
def _icon(name: str, colour: str, size: int) -> QIcon:
    made = QIcon()
    for ratio in DRAWN_FOR:
        made.addPixmap(_pixmap(name, colour, size, ratio))
    return made


@functools.lru_cache(maxsize=1024)
def _pixmap(name: str, colour: str, size: int, ratio: float) -> QPixmap:
    drawing = _drawings()[name].replace("currentColor", colour)
    picture = QPixmap(QSize(size, size) * ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    QSvgRenderer(QByteArray(drawing.encode())).render(painter, QRectF(picture.rect()))
    painter.end()
    picture.setDevicePixelRatio(ratio)
    return picture


@functools.cache
def _drawings() -> dict[str, str]:
    """Every drawing, read once: there are few and they are small."""
    folder: Path = bundled("assets") / "icons"
    return {file.stem: file.read_text(encoding="utf-8") for file in folder.glob("*.svg")}
