"""Writes the names of those who are mentioned most, as many as fit without lying on each other."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from companion.ui.graph_view.brush import drawn_radius
from companion.ui.graph_view.camera import Camera
from companion.ui.graph_view.draft import Drawing
from companion.ui.graph_view.picture import Dot, Standing
from companion.ui.theme import FINE, Look

MOST = 50
MOST_TRIED = 250
MOST_MEASURED = 10_000
LONGEST = 24
"""Characters."""
_GAP = 3.0
_SIDE = 48
"""Pixels of a cell in which names are looked for that are in the way."""


class Written:
    """Where names stand already."""

    def __init__(self) -> None:
        self._taken: dict[tuple[int, int], list[QRectF]] = {}

    def take(self, room: QRectF) -> bool:
        """Take the room for a name; whether it was free."""
        cells = [
            (column, row)
            for column in range(int(room.left()) // _SIDE, int(room.right()) // _SIDE + 1)
            for row in range(int(room.top()) // _SIDE, int(room.bottom()) // _SIDE + 1)
        ]
        if any(room.intersects(other) for cell in cells for other in self._taken.get(cell, ())):
            return False
        for cell in cells:
            self._taken.setdefault(cell, []).append(room)
        return True


class Names:
    """Knows how wide names are, so that each is measured once."""

    def __init__(self) -> None:
        self._widths: dict[str, float] = {}
        self._size = 0

    def write(
        self,
        painter: QPainter,
        camera: Camera,
        drawing: Drawing,
        first: Iterable[int],
        standings: Mapping[int, Standing],
        look: Look,
    ) -> None:
        """Write names below their dots. first: those that come before all others, as the one that is chosen."""
        font = look.font(FINE)
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        if font.pixelSize() != self._size or len(self._widths) > MOST_MEASURED:
            self._widths.clear()
            self._size = font.pixelSize()
        for dot, room in self._placed(camera, drawing, first, standings, metrics):
            _write(painter, dot, room, look, is_quiet=standings.get(dot.id) is Standing.ENDED)

    def _placed(
        self,
        camera: Camera,
        drawing: Drawing,
        first: Iterable[int],
        standings: Mapping[int, Standing],
        metrics: QFontMetricsF,
    ) -> list[tuple[Dot, QRectF]]:
        """Who gets a name, and where it stands."""
        written, placed, height = Written(), list[tuple[Dot, QRectF]](), metrics.height()
        for tried, number in enumerate(itertools.chain(first, _in_view(drawing, camera))):
            if len(placed) >= MOST or tried >= MOST_TRIED:
                break
            dot = drawing.picture.dots.get(number)
            if dot is None or standings.get(number) is Standing.NOT_YET:
                continue
            x, y = camera.to_screen(dot.x, dot.y)
            width = self._width(dot.label, metrics)
            room = QRectF(x - width / 2, y + drawn_radius(dot, camera.zoom) * 1.2 + _GAP, width, height)
            if written.take(room):
                placed.append((dot, room))
        return placed

    def _width(self, label: str, metrics: QFontMetricsF) -> float:
        width = self._widths.get(label)
        if width is None:
            width = self._widths[label] = metrics.horizontalAdvance(shortened(label)) + 2 * _GAP
        return width


def shortened(name: str) -> str:
    """A name as it is written in the picture."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _write(painter: QPainter, dot: Dot, room: QRectF, look: Look, *, is_quiet: bool) -> None:
    paper = look.colour("ground")
    paper.setAlphaF(0.78)
    painter.fillRect(room, paper)
    painter.setPen(look.colour("quiet" if is_quiet else "text"))
    painter.drawText(room, Qt.AlignmentFlag.AlignCenter, shortened(dot.label))


def _in_view(drawing: Drawing, camera: Camera) -> Iterable[int]:
    """Those in view, the most mentioned first: of few by looking where they are, of many by their rank."""
    seen, dots = camera.seen, drawing.picture.dots
    near = drawing.grid.dots_in(seen)
    if len(near) <= MOST_TRIED:
        return sorted(
            (number for number in near if seen.holds(dots[number].x, dots[number].y)),
            key=lambda number: (-dots[number].mentions, number),
        )
    return (number for number in drawing.ranked if seen.holds(dots[number].x, dots[number].y))
