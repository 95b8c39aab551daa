"""A drawer: something more about one thing, which slides over the right side of a page and goes again by Escape."""

from __future__ import annotations

from PySide6.QtCore import QEasingCurve, QEvent, QObject, QPropertyAnimation, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from companion.ui.theme import MOTION_MS, ROOMY, SMALL, look, mark
from companion.ui.widgets.buttons import IconButton
from companion.ui.widgets.column import Scroll
from companion.ui.widgets.words import Heading

WIDTH = 380
MOST = 0.9
"""Of the page, at most."""


class Drawer(QFrame):
    """Lies over ``page``. ``open_with`` shows a widget in it, ``close_drawer`` puts it away and drops the widget."""

    closed = Signal()

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self._page = page
        self._shown: QWidget | None = None
        self._before: QWidget | None = None
        self._title = Heading()
        self._close = IconButton("close", self.tr("Close"), self.close_drawer)
        head = QHBoxLayout()
        head.setContentsMargins(ROOMY, SMALL, SMALL, 0)
        head.addWidget(self._title, 1)
        head.addWidget(self._close)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(SMALL)
        self._column.addLayout(head)
        self._slide = QPropertyAnimation(self, b"geometry", self)
        self._slide.setEasingCurve(QEasingCurve.Type.OutCubic)
        mark(self, "drawer")
        page.installEventFilter(self)
        self.hide()

    @property
    def is_open(self) -> bool:
        return self._shown is not None

    def open_with(self, title: str, content: QWidget) -> None:
        """Show a widget under a title; what was shown before is dropped."""
        self._drop()
        self._title.say(title)
        self.setAccessibleName(title)
        scroll = Scroll()
        scroll.add(content)
        self._shown = scroll
        self._column.addWidget(scroll, 1)
        self._before = self._page.focusWidget()
        self.show()
        self.raise_()
        self._come()
        self._close.setFocus(Qt.FocusReason.OtherFocusReason)

    def close_drawer(self) -> None:
        """Put it away; the focus goes back to where it was."""
        if self._shown is None:
            return
        self._slide.stop()
        self.hide()
        self._drop()
        if self._before is not None:
            self._before.setFocus(Qt.FocusReason.OtherFocusReason)
            self._before = None
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_drawer()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._slide.stop()
            self.setGeometry(self._place())
        return False

    def _come(self) -> None:
        place = self._place()
        if not look().has_motion:
            self.setGeometry(place)
            return
        self._slide.setDuration(MOTION_MS)
        self._slide.setStartValue(place.translated(place.width(), 0))
        self._slide.setEndValue(place)
        self._slide.start()

    def _place(self) -> QRect:
        width = min(look().size(WIDTH), int(self._page.width() * MOST))
        return QRect(self._page.width() - width, 0, width, self._page.height())

    def _drop(self) -> None:
        if self._shown is not None:
            self._column.removeWidget(self._shown)
            self._shown.hide()
            self._shown.deleteLater()
            self._shown = None
