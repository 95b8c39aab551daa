"""The picture of the graph by hand: moved by dragging, zoomed by the wheel, walked through by arrow keys."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from companion.ui.graph_view.camera import best_in_direction
from companion.ui.graph_view.canvas import Canvas
from companion.ui.graph_view.draft import Drawing, redraft
from companion.ui.graph_view.picture import Dot, Standing
from companion.ui.widgets import plain

STEP = 1.2
"""How much one turn of the wheel, or one key, zooms."""
PAN = 80
"""Pixels that one key moves the picture by."""
REACH = 8.0
"""Pixels beside a dot that still count as on it."""
_DIRECTIONS = {
    Qt.Key.Key_Left: (-1.0, 0.0),
    Qt.Key.Key_Right: (1.0, 0.0),
    Qt.Key.Key_Up: (0.0, -1.0),
    Qt.Key.Key_Down: (0.0, 1.0),
}


class GraphView(Canvas):
    """entered: somebody's surroundings are wanted. placed: id, x and y of somebody who was put elsewhere."""

    entered = Signal(int)
    placed = Signal(int, int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pressed: QPointF | None = None
        self._dragged: Dot | None = None
        self._is_dragging = False
        self.setMouseTracking(True)

    # -- by hand

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressed = event.position()
            self._is_dragging = False
            self._dragged = self._at(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            is_on = self._at(event.position()) is not None
            self.setCursor(Qt.CursorShape.PointingHandCursor if is_on else Qt.CursorShape.OpenHandCursor)
            return
        step = event.position() - self._pressed
        if not self._is_dragging and step.manhattanLength() < 5:
            return
        self._is_dragging = True
        self._pressed = event.position()
        if self._dragged is None:
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self._set(self.camera.panned(step.x(), step.y()))
        else:
            self._drag_dot(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        dragged, self._dragged, self._pressed = self._dragged, None, None
        if self._is_dragging:
            self._is_dragging = False
            if dragged is not None:
                self._let_go_of(dragged.id)
            return
        if event.button() is Qt.MouseButton.LeftButton:
            self.choose(dragged.id if dragged is not None else 0, come=False)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        dot = self._at(event.position())
        if dot is not None:
            self.entered.emit(dot.id)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turns = event.angleDelta().y() / 120
        if turns:
            self.zoom_by(STEP**turns, event.position())
        event.accept()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent) and event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture:
            self.zoom_by(1 + event.value(), event.position())
            return True
        if isinstance(event, QHelpEvent):
            dot = self._at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), plain.tip(dot.label) if dot else "", self)
            return True
        return super().event(event)

    def _at(self, point: QPointF) -> Dot | None:
        if self._drawing is None:
            return None
        x, y = self.camera.to_world(point.x(), point.y())
        number = self._drawing.grid.nearest(x, y, REACH / self.camera.zoom)
        if number is None or self._standings.get(number) is Standing.NOT_YET:
            return None
        return self.picture.dots[number]

    def _drag_dot(self, to: QPointF) -> None:
        """Somebody is being put elsewhere; their lines follow, and the rest is drawn anew when they are let go of."""
        if self._drawing is None or self._dragged is None or self._dragged.id not in self.picture.dots:
            return  # gone in the meantime
        x, y = self.camera.to_world(to.x(), to.y())
        picture = self._drawing.picture.moved(self._dragged.id, round(x), round(y))
        self._drawing = Drawing(picture, self._drawing.grid, self._drawing.ranked)
        self.choose(self._dragged.id, come=False)

    def _let_go_of(self, number: int) -> None:
        dot = self.picture.dots.get(number)
        if dot is None:
            return
        self.placed.emit(number, int(dot.x), int(dot.y))
        self._begin(redraft(self.picture))

    # -- by keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        moves = event.modifiers() & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier)
        if key in _DIRECTIONS:
            x, y = _DIRECTIONS[key]
            if moves:
                self._set(self.camera.panned(-x * PAN, -y * PAN))
            else:
                self._walk((x, y))
        elif not self._pressed_key(key):
            super().keyPressEvent(event)

    def _pressed_key(self, key: Qt.Key) -> bool:
        match key:
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.zoom_by(STEP)
            case Qt.Key.Key_Minus:
                self.zoom_by(1 / STEP)
            case Qt.Key.Key_0 | Qt.Key.Key_Home:
                self.fit()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if self._chosen:
                self.entered.emit(self._chosen)
            case Qt.Key.Key_Escape if self._chosen:
                self.choose(0)
            case _:
                return False
        return True

    def _walk(self, direction: tuple[float, float]) -> None:
        """Choose who stands nearest in that direction: whom the chosen one is tied to before others."""
        dots = self.picture.dots
        there = [dot for dot in dots.values() if self._standings.get(dot.id) is not Standing.NOT_YET]
        start = dots.get(self._chosen)
        if start is None:
            first = self.picture.centre if self.picture.centre in dots else next((dot.id for dot in there), 0)
            self.choose(first or 0)
            return
        tied = set(self.picture.neighbours(start.id))
        for some in (tied, dots.keys()):
            others = ((dot.id, dot.x, dot.y) for dot in there if dot.id in some and dot.id != start.id)
            found = best_in_direction((start.x, start.y), others, direction)
            if found is not None:
                self.choose(found)
                return

    def focusInEvent(self, event: object) -> None:
        self.update()

    def focusOutEvent(self, event: object) -> None:
        self.update()
