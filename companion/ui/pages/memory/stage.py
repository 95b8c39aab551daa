"""The picture with what lies on it: what the shapes mean, buttons to zoom, how many are left out, and the time."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from companion.ui.graph_view.brush import COLOURS, draw_shape
from companion.ui.graph_view.picture import Shape
from companion.ui.graph_view.time_strip import TimeStrip
from companion.ui.graph_view.view import STEP, GraphView
from companion.ui.theme import SMALL, SNUG, TINY, look, looks
from companion.ui.widgets import Fine, IconButton, LinkButton

SWATCH = 14


class Stage(QWidget):
    """wanting_all: all shall be shown, or only the surroundings again. wanting_whole: no more only around somebody."""

    wanting_all = Signal(bool)
    wanting_whole = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = GraphView()
        self.strip = TimeStrip()
        self.strip.moment.connect(self.view.show_moment)
        self._rest = Fine()
        self._all = LinkButton(self.tr("Show all"), self._turn_all)
        self._whole = LinkButton(self.tr("Back to the whole picture"), self.wanting_whole.emit)
        self._has_all = False
        self._around = ""
        self._buttons = self._zoomers()
        self._legend = Legend(self.view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(SNUG, 0, SNUG, 0)
        head.addWidget(self._rest, 1)
        head.addWidget(self._all)
        head.addWidget(self._whole)
        column.addLayout(head)
        column.addWidget(self.view, 1)
        column.addWidget(self.strip)
        self.view.ready.connect(self._count)
        self.view.installEventFilter(self)
        self._count()

    def show_answer(self, answer: Mapping[str, object], *, now: int, has_all: bool, around: str) -> None:
        """Show a look at the graph. around: whose surroundings it is; empty: the whole."""
        self._has_all, self._around = has_all, around
        self.view.show_answer(answer, now=now)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._settle()
        return False

    def _settle(self) -> None:
        """Keep what lies on the picture in its corners."""
        hint = self._buttons.sizeHint()
        self._buttons.setGeometry(
            self.view.width() - hint.width() - SMALL,
            self.view.height() - hint.height() - SMALL,
            hint.width(),
            hint.height(),
        )
        beside = hint.width() + 3 * SMALL
        hint = self._legend.sizeHint()
        self._legend.setVisible(hint.width() + beside <= self.view.width())
        self._legend.setGeometry(SMALL, self.view.height() - hint.height() - SMALL, hint.width(), hint.height())

    def _count(self) -> None:
        picture = self.view.picture
        shown, rest = self.tr("%n shown", "", len(picture.dots)), picture.rest
        words = [self.tr("Around {name}.").format(name=self._around)] if self._around else []
        if rest:
            words.append(self.tr("{shown}, and %n more that are not.", "", rest).format(shown=shown))
        self._rest.say(" ".join(words))
        self._all.say(self.tr("Show fewer") if self._has_all else self.tr("Show all"))
        self._all.setVisible((bool(rest) and not self._around) or self._has_all)
        self._whole.setVisible(bool(self._around))
        self._settle()

    def _turn_all(self) -> None:
        self.wanting_all.emit(not self._has_all)

    def _zoomers(self) -> QWidget:
        box = QWidget(self.view)
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(TINY)
        column.addWidget(IconButton("zoom-in", self.tr("Larger"), lambda: self.view.zoom_by(STEP)))
        column.addWidget(IconButton("zoom-out", self.tr("Smaller"), lambda: self.view.zoom_by(1 / STEP)))
        column.addWidget(IconButton("fit", self.tr("Show the whole picture"), self.view.fit))
        return box


class Legend(QWidget):
    """What the shapes mean. Lets the mouse through."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row = QHBoxLayout(self)
        row.setContentsMargins(TINY, TINY, TINY, TINY)
        row.setSpacing(TINY)
        names = {
            Shape.PERSON: self.tr("Somebody"),
            Shape.PLACE: self.tr("Place"),
            Shape.THING: self.tr("Thing"),
            Shape.DATE: self.tr("Time"),
        }
        for shape, name in names.items():
            row.addWidget(_Swatch(shape))
            words = Fine(name)
            words.setWordWrap(False)
            row.addWidget(words)
            row.addSpacing(SMALL)


class _Swatch(QWidget):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self._shape = shape
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        looks.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(SWATCH, SWATCH)

    def paintEvent(self, event: object) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look().colour(COLOURS[self._shape]))
        draw_shape(painter, self._shape, SWATCH / 2, SWATCH / 2, SWATCH * 0.36)
        painter.end()
