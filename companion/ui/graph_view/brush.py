"""Draws dots and lines: how each kind of thing looks, near and far, and how it looks when it holds no more."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from companion.ui.graph_view.camera import Camera
from companion.ui.graph_view.picture import Dot, Line, Picture, Shape, Standing
from companion.ui.theme import Look

SORTED_AT_ONCE = 1_000
LINES_AT_ONCE = 60
DOTS_AT_ONCE = 100
"""That are looked at, or drawn, before others have their turn."""
LEAST_DRAWN = 1.8
"""Pixels of the radius of a dot that is far away."""
SIMPLE_BELOW = 3.5
"""Pixels of the radius below which a shape is a point, round or square."""
_FADED = 0.38
"""How much is left of what holds no more."""
_LINE = (0.9, 2.6)
"""Pixels of a line nobody is sure of, and of one that is sure."""
_THIN_BELOW = 0.5
_DASHED_ABOVE = 0.35
"""The zoom from which on what ended is dashed."""
COLOURS = {Shape.PERSON: "accent", Shape.PLACE: "listening", Shape.THING: "thinking", Shape.DATE: "good"}


def drawn_radius(dot: Dot, zoom: float) -> float:
    """Pixels: near dots grow slower than the picture, far ones do not vanish."""
    return max(LEAST_DRAWN, dot.radius * math.pow(zoom, 0.5 if zoom > 1 else 0.75))


def draw_lines(
    painter: QPainter, camera: Camera, picture: Picture, shown: Iterable[tuple[Line, Standing]], look: Look
) -> Iterator[None]:
    """Draw lines, by how they look, some at a time."""
    groups: dict[tuple[int, bool], list[Line]] = {}
    for place, (line, stands) in enumerate(shown):
        if stands is not Standing.NOT_YET:
            groups.setdefault((round(line.confidence * 3), stands is Standing.ENDED), []).append(line)
        if place % SORTED_AT_ONCE == SORTED_AT_ONCE - 1:
            yield
    for (sure, is_ended), lines in groups.items():
        pen = _line_pen(look, sure / 3, is_ended=is_ended, zoom=camera.zoom)
        for start in range(0, len(lines), LINES_AT_ONCE):
            painter.setPen(pen)
            painter.drawLines([_between(line, picture, camera) for line in lines[start : start + LINES_AT_ONCE]])
            yield


def draw_dots(painter: QPainter, camera: Camera, shown: Sequence[tuple[Dot, Standing]], look: Look) -> Iterator[None]:
    """Draw dots, some at a time."""
    for place, (dot, stands) in enumerate(shown):
        if stands is not Standing.NOT_YET:
            draw_dot(painter, camera, dot, look, is_ended=stands is Standing.ENDED)
        if place % DOTS_AT_ONCE == DOTS_AT_ONCE - 1:
            yield


def draw_dot(painter: QPainter, camera: Camera, dot: Dot, look: Look, *, is_ended: bool = False) -> None:
    """One dot, in its place."""
    colour = look.colour(COLOURS[dot.shape])
    if is_ended:
        colour.setAlphaF(_FADED)
    x, y = camera.to_screen(dot.x, dot.y)
    radius = drawn_radius(dot, camera.zoom)
    if radius < SIMPLE_BELOW:
        is_round = dot.shape is Shape.PERSON
        cap = Qt.PenCapStyle.RoundCap if is_round else Qt.PenCapStyle.SquareCap
        painter.setPen(QPen(colour, 2 * radius, Qt.PenStyle.SolidLine, cap))
        painter.drawPoint(QPointF(x, y))
        return
    painter.setBrush(colour)
    painter.setPen(QPen(look.colour("ground"), 1.5))
    draw_shape(painter, dot.shape, x, y, radius)


def draw_shape(painter: QPainter, shape: Shape, x: float, y: float, radius: float) -> None:
    """The outline of a kind, filled with the brush of the painter."""
    match shape:
        case Shape.PERSON:
            painter.drawEllipse(QPointF(x, y), radius, radius)
        case Shape.PLACE:
            side = radius * 0.88
            painter.drawRoundedRect(QRectF(x - side, y - side, 2 * side, 2 * side), side * 0.25, side * 0.25)
        case Shape.THING:
            far = radius * 1.2
            corners = [QPointF(x, y - far), QPointF(x + far, y), QPointF(x, y + far), QPointF(x - far, y)]
            painter.drawPolygon(QPolygonF(corners))
        case Shape.DATE:
            wide, high, cut = radius * 1.15, radius * 0.7, radius * 0.5
            left, right, top, bottom = x - wide, x + wide, y - high, y + high
            tab = [(left, top), (right - cut, top), (right, y), (right - cut, bottom), (left, bottom)]
            painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in tab]))


def draw_ring(painter: QPainter, camera: Camera, dot: Dot, look: Look, *, has_focus: bool) -> None:
    """A ring around the one that is chosen; a second one where the keyboard is."""
    x, y = camera.to_screen(dot.x, dot.y)
    radius = drawn_radius(dot, camera.zoom) * (1.2 if dot.shape is Shape.THING else 1.0)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(look.colour("text"), 2))
    painter.drawEllipse(QPointF(x, y), radius + 4, radius + 4)
    if has_focus:
        painter.setPen(QPen(look.colour("text"), 1))
        painter.drawEllipse(QPointF(x, y), radius + 8, radius + 8)


def draw_highlight(painter: QPainter, camera: Camera, picture: Picture, lines: Sequence[Line], look: Look) -> None:
    """The lines of the one that is chosen, once more and stronger."""
    painter.setPen(QPen(look.colour("accent"), 2))
    painter.drawLines([_between(line, picture, camera) for line in lines])


def _between(line: Line, picture: Picture, camera: Camera) -> QLineF:
    source, target = picture.dots[line.source], picture.dots[line.target]
    return QLineF(*camera.to_screen(source.x, source.y), *camera.to_screen(target.x, target.y))


def _line_pen(look: Look, sure: float, *, is_ended: bool, zoom: float) -> QPen:
    colour = QColor(look.colour("edge"))
    colour.setAlphaF(_FADED if is_ended else min(0.45 + 0.5 * zoom, 0.9))
    pen = QPen(colour, (_LINE[0] + (_LINE[1] - _LINE[0]) * sure) * min(zoom, 1.2))
    if zoom < _THIN_BELOW:
        # Thin lines of one width are drawn many times as fast; how sure they are is too fine to be seen from there.
        pen.setWidthF(1.0)
        pen.setCosmetic(True)
    if is_ended and zoom > _DASHED_ABOVE:
        pen.setStyle(Qt.PenStyle.DashLine)
    return pen
