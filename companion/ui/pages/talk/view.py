"""The conversation, however long: only what is seen is set in type and drawn; all other rows are guesses of a height.

Laws: what is seen stays where it is when rows come, go or turn out to be higher than guessed; at the end it stays at
the end; no step takes more than a few rows' work.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QRegion
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from companion.ui.pages.talk.heights import Heights
from companion.ui.pages.talk.model import DAY, TurnModel
from companion.ui.pages.talk.paper import Column, Setting, guessed
from companion.ui.theme import SNUG, WIDE, look, looks, mark
from companion.ui.transcript import Row, Stage

MOST_SET = 96
"""Rows that stay set in type."""
MOST_ROUNDS = 8
"""How often rows are measured anew because others turned out to be lower than guessed."""
AT_END = 8
"""Pixels from the end that still count as the end."""
MOVING_MS = 80
STEP = 60
"""Pixels of one turn of the wheel, or one press of a scroll bar's arrow."""

Index = QModelIndex | QPersistentModelIndex


class TurnView(QListView):
    """opened: the row whose details are wanted. near_begin: older rows may be wanted soon.

    fine: the remark under a row.
    """

    opened = Signal(int)
    near_begin = Signal()

    def __init__(self, model: TurnModel, fine: Callable[[Row], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._turns = model
        self._fine = fine
        self._heights = Heights()
        self._set: OrderedDict[int, tuple[Row, str, Setting]] = OrderedDict()
        """By place, with what it was set from."""
        self._column = Column.within(400)
        self._is_at_end = True
        self._is_settling = False
        self._hovered = -1
        self._phase = 0
        self._moving = QTimer(self)
        self._moving.setInterval(MOVING_MS)
        self._moving.timeout.connect(self._move_on)
        mark(self, "bare")
        self._dress()
        self.setModel(model)
        self._follow(model)
        looks.changed.connect(self._begin_anew)
        self._begin_anew()

    def _dress(self) -> None:
        self.setAccessibleName(self.tr("Conversation"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.verticalScrollBar().setSingleStep(STEP)

    def _follow(self, model: QAbstractItemModel) -> None:
        model.rowsInserted.connect(self._came)
        model.rowsRemoved.connect(self._went)
        model.dataChanged.connect(self._altered)
        model.modelReset.connect(self._begin_anew)

    # -- what others ask

    @property
    def is_at_end(self) -> bool:
        """Whether the newest row is seen."""
        return self._is_at_end

    def go_to_end(self) -> None:
        """Show the newest row, and stay with it."""
        self._is_at_end = True
        self._settle()

    def turn(self, index: Index) -> Row:
        """The row of an index."""
        return self._turns.row(index.row())

    # -- rows come, go and change

    def _came(self, parent: Index, first: int, last: int) -> None:
        fresh = [guessed(self._turns.row(place), self._column, look()) for place in range(first, last + 1)]
        added = sum(fresh)
        is_above = self._heights.top(first) <= self._top() if len(self._heights) else False
        self._heights.insert(first, fresh)
        self._doubt(last + 1)
        self._set.clear()
        if not self._is_at_end and is_above:
            self._push(added)
        self._settle()

    def _went(self, parent: Index, first: int, last: int) -> None:
        self._heights.remove(first, last - first + 1)
        self._doubt(first)
        self._set.clear()
        self._settle()

    def _altered(self, first: Index, last: Index, roles: object = ()) -> None:
        for place in range(first.row(), last.row() + 1):
            self._doubt(place)
        self._doubt(last.row() + 1)
        self._settle()

    def _doubt(self, place: int) -> None:
        """A row is to be set anew; the one behind others may begin a day now, or no longer."""
        if place < len(self._heights):
            self._heights.doubt(place)
            self._set.pop(place, None)

    def _begin_anew(self) -> None:
        """All rows are others, or all are set otherwise; what stood at the top stays there, if it is still there."""
        anchor, _ = self._seen()
        above = self._top() - self._heights.top(anchor) if len(self._heights) else 0
        self._set.clear()
        self._column = Column.within(self.viewport().width())
        wearing, column = look(), self._column
        rows = (self._turns.row(place) for place in range(self._turns.rowCount()))
        self._heights.reset(guessed(row, column, wearing) for row in rows)
        if not self._is_at_end and anchor < len(self._heights):
            self._give_range()
            self.verticalScrollBar().setValue(self._heights.top(anchor) + above)
        self._settle()

    # -- what is seen is measured

    def _settle(self) -> None:
        """Measure what is seen, without moving it."""
        if self._is_settling:
            return
        self._is_settling = True
        try:
            for _ in range(MOST_ROUNDS):
                self._give_range()
                if not self._measure_seen():
                    break
            self._give_range()
        finally:
            self._is_settling = False
        self._turn_motion()
        self.viewport().update()
        if self._top() < 2 * self.viewport().height():
            self.near_begin.emit()

    def _measure_seen(self) -> bool:
        """Whether any seen row was not as high as it was taken to be."""
        first, last = self._seen()
        fixed = next((place for place in range(first, last + 1) if self._heights.is_known(place)), first)
        before = self._heights.top(fixed) if len(self._heights) else 0
        wrong = False
        for place in range(first, last + 1):
            if not self._heights.is_known(place):
                wrong |= bool(self._heights.measured(place, self._setting(place).height))
        if wrong and not self._is_at_end:
            self._push(self._heights.top(fixed) - before)
        return wrong

    def _give_range(self) -> None:
        bar, page = self.verticalScrollBar(), self.viewport().height()
        most = max(self._heights.total + SNUG - page, 0)
        bar.setPageStep(page)
        bar.setRange(0, most)
        if self._is_at_end:
            bar.setValue(most)

    def _push(self, pixels: int) -> None:
        """What is seen moves down by so many pixels, so the view goes with it."""
        if pixels:
            bar = self.verticalScrollBar()
            bar.setMaximum(max(bar.maximum() + pixels, bar.value() + pixels))
            bar.setValue(bar.value() + pixels)

    def _setting(self, place: int) -> Setting:
        row, day = self._turns.row(place), str(self._turns.data(self._turns.index(place), DAY))
        known = self._set.get(place)
        if known is not None and known[0] is row and known[1] == day:
            self._set.move_to_end(place)
            return known[2]
        made = Setting(row, day, self._fine(row), self._column, look())
        self._set[place] = (row, day, made)
        while len(self._set) > MOST_SET:
            self._set.popitem(last=False)
        return made

    def _top(self) -> int:
        """The place in the whole that stands at the top of the view. What is less than a view stands at its foot."""
        spare = self.viewport().height() - self._heights.total - SNUG
        return -spare if spare > 0 else self.verticalScrollBar().value()

    def _seen(self) -> tuple[int, int]:
        top = self._top()
        return max(self._heights.at(top), 0), self._heights.at(top + self.viewport().height())

    # -- drawn

    def paintEvent(self, event: object) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        first, last = self._seen()
        current = self.currentIndex().row() if self.hasFocus() else -1
        for place in range(first, last + 1):
            top = self._heights.top(place) - self._top()
            shows_fine = place in (self._hovered, current)
            self._setting(place).draw(
                painter, top, shows_fine=shows_fine, has_focus=place == current, phase=self._phase
            )
        painter.end()

    def _turn_motion(self) -> None:
        last = self._turns.rowCount() - 1
        waits = last >= 0 and self._turns.row(last).stage is Stage.WAITING
        if waits and look().has_motion and self.isVisible():
            if not self._moving.isActive():
                self._moving.start()
        else:
            self._moving.stop()

    def _move_on(self) -> None:
        self._phase = (self._phase + 1) % 24
        self.viewport().update(self.visualRect(self._turns.index(self._turns.rowCount() - 1)))

    # -- Qt's view

    def visualRect(self, index: Index) -> QRect:
        if not index.isValid() or index.row() >= len(self._heights):
            return QRect()
        top = self._heights.top(index.row()) - self._top()
        return QRect(0, top, self.viewport().width(), self._heights.height(index.row()))

    def indexAt(self, point: QPoint) -> QModelIndex:
        place = self._heights.at(point.y() + self._top())
        index = self._turns.index(place) if place >= 0 else QModelIndex()
        return index if self.visualRect(index).contains(point) else QModelIndex()

    def scrollTo(
        self, index: Index, hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible
    ) -> None:
        room = self.visualRect(index)
        page, bar = self.viewport().height(), self.verticalScrollBar()
        if room.top() < 0 or room.height() > page:
            bar.setValue(bar.value() + room.top())
        elif room.bottom() > page:
            bar.setValue(bar.value() + room.bottom() - page + SNUG)

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        count, here = self._turns.rowCount(), self.currentIndex().row()
        if not count:
            return QModelIndex()
        move = QAbstractItemView.CursorAction
        first, last = self._seen()
        page = max(last - first, 1)
        steps = {move.MoveUp: -1, move.MovePrevious: -1, move.MoveDown: 1, move.MoveNext: 1}
        steps |= {move.MovePageUp: -page, move.MovePageDown: page, move.MoveHome: -count, move.MoveEnd: count}
        start = here if here >= 0 else count
        return self._turns.index(min(max(start + steps.get(action, 0), 0), count - 1))

    def horizontalOffset(self) -> int:
        return 0

    def verticalOffset(self) -> int:
        return self._top()

    def doItemsLayout(self) -> None:
        QAbstractItemView.doItemsLayout(self)

    def updateGeometries(self) -> None:
        if hasattr(self, "_heights") and not self._is_settling:
            self._give_range()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        bar = self.verticalScrollBar()
        if not self._is_settling:
            self._is_at_end = bar.value() >= bar.maximum() - AT_END
            self._settle()

    def resizeEvent(self, event: object) -> None:
        column = Column.within(self.viewport().width())
        if column.width != self._column.width:
            self._begin_anew()
        else:
            self._column = column
            self._set.clear()
            self._settle()

    def visualRegionForSelection(self, selection: object) -> QRegion:
        return QRegion()

    def setSelection(self, rect: QRect, command: object) -> None:
        """Nothing is selected here."""

    # -- mouse and keys

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self.indexAt(event.position().toPoint()).row()
        if place != self._hovered:
            self._hovered = place
            self.viewport().update()
        is_link = place >= 0 and self._is_on_fine(place, event.position().toPoint())
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if is_link else Qt.CursorShape.ArrowCursor)

    def leaveEvent(self, event: object) -> None:
        self._hovered = -1
        self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        place = self.indexAt(event.position().toPoint()).row()
        is_left = event.button() is Qt.MouseButton.LeftButton
        if is_left and place >= 0 and self._is_on_fine(place, event.position().toPoint()):
            self.opened.emit(place)

    def _is_on_fine(self, place: int, point: QPoint) -> bool:
        fine = self._setting(place).fine_place
        top = self._heights.top(place) - self._top()
        return fine.translated(self._column.left, top).contains(point) and bool(self._fine(self._turns.row(place)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.key() in keys and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex().row())
        elif event.key() == Qt.Key.Key_Space:
            event.ignore()  # it belongs to the page: talk
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: object) -> None:
        super().focusInEvent(event)  # type: ignore[arg-type]
        if not self.currentIndex().isValid() and self._turns.rowCount():
            self.setCurrentIndex(self._turns.index(self._turns.rowCount() - 1))

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.isValid() and hasattr(self, "_heights") and self.hasFocus():
            self.scrollTo(current)
        self.viewport().update()

    def sizeHintForRow(self, row: int) -> int:
        return self._heights.height(row) if row < len(self._heights) else WIDE
