"""Writes the names of those who are mentioned most, as many as fit without lying on each other."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from companion.ui.graph_view.brush import drawn_radius
from companion.ui.graph_view.camera import Camera
from companion.ui.graph_view.draft import Drawing
from companion.ui.graph_view.picture import Dot, Standing
from companion.ui.theme import FINE, Look

MOST = ((0.15, 18), (0.3, 30), (9.9, 50))
"""How many names are written up to which zoom: from afar they would hide what they name."""
LARGE = 3.5
"""Pixels of the radius of a dot that no name may lie on."""
FEW = 250
TRIED_FOR_EACH = 4
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
        if any(room.intersects(other) for cell in _cells(room) for other in self._taken.get(cell, ())):
            return False
        self.block(room)
        return True

    def block(self, room: QRectF) -> None:
        """Let no name stand there."""
        for cell in _cells(room):
            self._taken.setdefault(cell, []).append(room)


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
        first: Sequence[int],
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
        first: Sequence[int],
        standings: Mapping[int, Standing],
        metrics: QFontMetricsF,
    ) -> list[tuple[Dot, QRectF]]:
        """Who gets a name, and where it stands."""
        written, placed, height = Written(), list[tuple[Dot, QRectF]](), metrics.height()
        most = next(most for zoom, most in MOST if camera.zoom < zoom)
        in_view = itertools.chain(first, _in_view(drawing, camera))
        numbers = list(dict.fromkeys(itertools.islice(in_view, TRIED_FOR_EACH * most)))
        chosen = set(itertools.islice(first, 1))
        self._keep_free(written, camera, drawing, numbers)
        for number in numbers:
            if len(placed) >= most:
                break
            dot = drawing.picture.dots.get(number)
            if dot is None or standings.get(number) is Standing.NOT_YET:
                continue
            width = self._width(dot.label, metrics)
            at = camera.to_screen(dot.x, dot.y)
            rooms = [_within(room, camera.width) for room in _rooms(*at, drawn_radius(dot, camera.zoom), width, height)]
            room = next((room for room in rooms if written.take(room)), None)
            if room is None and number in chosen:
                room = rooms[0]
            if room is not None:
                placed.append((dot, room))
        return placed

    def _keep_free(self, written: Written, camera: Camera, drawing: Drawing, numbers: Iterable[int]) -> None:
        """Large dots are not written over."""
        for number in numbers:
            dot = drawing.picture.dots.get(number)
            radius = drawn_radius(dot, camera.zoom) if dot is not None else 0.0
            if dot is not None and radius >= LARGE:
                x, y = camera.to_screen(dot.x, dot.y)
                written.block(QRectF(x - radius, y - radius, 2 * radius, 2 * radius))

    def _width(self, label: str, metrics: QFontMetricsF) -> float:
        width = self._widths.get(label)
        if width is None:
            width = self._widths[label] = metrics.horizontalAdvance(shortened(label)) + 2 * _GAP
        return width


def _rooms(x: float, y: float, radius: float, width: float, height: float) -> list[QRectF]:
    """Where the name of a dot may stand, the best first: below, above, right, left."""
    far = radius * 1.2 + _GAP
    return [
        QRectF(x - width / 2, y + far, width, height),
        QRectF(x - width / 2, y - far - height, width, height),
        QRectF(x + far, y - height / 2, width, height),
        QRectF(x - far - width, y - height / 2, width, height),
    ]


def _within(room: QRectF, width: float) -> QRectF:
    """Moved so far that nothing of it is cut off at a side."""
    left = min(max(room.left(), _GAP), max(width - room.width() - _GAP, _GAP))
    return QRectF(left, room.top(), room.width(), room.height())


def _cells(room: QRectF) -> list[tuple[int, int]]:
    return [
        (column, row)
        for column in range(int(room.left()) // _SIDE, int(room.right()) // _SIDE + 1)
        for row in range(int(room.top()) // _SIDE, int(room.bottom()) // _SIDE + 1)
    ]


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
    if drawing.grid.share(seen) * len(dots) <= FEW:
        near = drawing.grid.dots_in(seen)
        return sorted(
            (number for number in near if seen.holds(dots[number].x, dots[number].y)),
            key=lambda number: (-dots[number].mentions, number),
        )
    return (number for number in drawing.ranked if seen.holds(dots[number].x, dots[number].y))
