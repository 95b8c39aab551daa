"""The picture of the graph on a widget: drawn a little at a time, seen by a camera, and still when nothing changes."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QElapsedTimer, QPointF, Qt, QTimer, QVariantAnimation, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from companion.ui.graph_view.brush import draw_dot, draw_highlight, draw_ring
from companion.ui.graph_view.camera import Camera
from companion.ui.graph_view.draft import Drawing, Work, draft
from companion.ui.graph_view.names import Names
from companion.ui.graph_view.picture import EMPTY, Line, Picture, Standing, standings
from companion.ui.graph_view.tiles import Tiles
from companion.ui.theme import MOTION_MS, look, looks

SLICE_MS = 4
"""Milliseconds of drawing before others have their turn."""
MOST_LIT = 400
"""Lines of the chosen one that are drawn stronger."""
CLOSE = 0.6
"""The zoom a dot is shown at, at least, when one comes to it."""


class Canvas(QWidget):
    """``show_answer`` what the desk said. Nothing in here takes longer than some milliseconds at a time.

    chosen: the id of somebody, 0 for nobody. ready: a picture is there.
    """

    chosen = Signal(int)
    ready = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.camera = Camera()
        self._drawing: Drawing | None = None
        self._work: Work | None = None
        self._shall_fit = True
        self._moment: int | None = None
        self._now = 0
        self._standings: dict[int, Standing] = {}
        self._lines: list[Standing] = []
        self._lit: list[Line] = []
        self._chosen = 0
        self._tiles = Tiles()
        self._names = Names()
        self._slices = QTimer(self)
        self._slices.setInterval(0)
        self._slices.timeout.connect(self._work_a_slice)
        self._flight = QVariantAnimation(self)
        self._flight.setDuration(MOTION_MS)
        self._flight.valueChanged.connect(self._fly)
        self._route = (self.camera, self.camera)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("Picture of what is remembered"))
        looks.changed.connect(self._look_changed)

    # -- what is shown

    @property
    def picture(self) -> Picture:
        return EMPTY if self._drawing is None else self._drawing.picture

    @property
    def chosen_id(self) -> int:
        """0: nobody."""
        return self._chosen

    @property
    def is_settled(self) -> bool:
        """Whether there is nothing left to be drawn."""
        return not self._slices.isActive()

    def show_answer(self, row: Mapping[str, object], *, now: int) -> None:
        """Show what the desk said. now: milliseconds since 1970."""
        self._now = now
        self._begin(draft(row, you=self.tr("You")))

    def show_moment(self, moment: int | None) -> None:
        """Show what was known and held then; None: now."""
        if moment != self._moment:
            self._moment = moment
            self._restand()

    def choose(self, number: int, *, come: bool = True) -> None:
        """Have somebody chosen; 0: nobody. come: whether to move there if they are out of view."""
        if number not in self.picture.dots:
            number = 0
        if number != self._chosen:
            self._chosen = number
            self._light()
            self.chosen.emit(number)
        if number and come:
            self._come_to(number)
        self.update()

    def fit(self) -> None:
        """Show all of it."""
        if self._drawing is not None:
            self._go(self.camera.fitted(self._drawing.grid.box.grown(20)))

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Larger or smaller, around a point of the view or its middle."""
        middle = (self.width() / 2, self.height() / 2) if at is None else (at.x(), at.y())
        self._set(self.camera.zoomed(factor, middle))

    def _begin(self, work: Work) -> None:
        self._work = work
        self._slices.start()

    def _drawn_up(self, drawing: Drawing) -> None:
        """A picture is ready to be shown."""
        was = self.picture
        self._drawing = drawing
        same = len(was.dots.keys() & drawing.picture.dots.keys())
        if self._shall_fit or same < 0.5 * len(drawing.picture.dots):
            self._shall_fit = False
            self.camera = self.camera.fitted(drawing.grid.box.grown(20))
        if self._chosen and self._chosen not in drawing.picture.dots:
            self._chosen = 0
            self.chosen.emit(0)
        self._restand()
        self.ready.emit()

    def _restand(self) -> None:
        if self._drawing is None:
            return
        self._lines, self._standings = standings(self._drawing.picture, self._moment, self._now)
        self._light()
        self._tiles.show(self._drawing, self._lines, self._standings, look())
        self._slices.start()
        self.update()

    def _light(self) -> None:
        pairs = zip(self.picture.lines, self._lines, strict=False)
        lit = (line for line, stands in pairs if self._chosen in (line.source, line.target) and stands is Standing.HELD)
        self._lit = [line for line, _ in zip(lit, range(MOST_LIT), strict=False)]
        dot = self.picture.dots.get(self._chosen)
        told = self.tr("{name}, tied to %n other(s)", "", len(self.picture.neighbours(self._chosen))) if dot else ""
        self.setAccessibleDescription(told.replace("{name}", dot.label) if dot else "")

    # -- drawing

    def _work_a_slice(self) -> None:
        """Some milliseconds of what is to be done, then others have their turn."""
        clock = QElapsedTimer()
        clock.start()
        before = self._tiles.drawn
        while clock.elapsed() < SLICE_MS:
            if self._work is not None:
                self._draft_on(self._work)
            elif not self._tiles.work(self.camera, self.devicePixelRatioF()):
                self._slices.stop()
                break
        if self._tiles.drawn != before:
            self.update()

    def _draft_on(self, work: Work) -> None:
        """One step of making the picture; what cannot be made is given up."""
        self._work = None
        try:
            next(work)
        except StopIteration as end:
            self._drawn_up(end.value)
        else:
            self._work = work

    def paintEvent(self, event: object) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), look().colour("ground"))
        if self._drawing is not None:
            self._tiles.paint(painter, self.camera)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_chosen(painter)
            self._names.write(painter, self.camera, self._drawing, self._named_first(), self._standings, look())
        if self.hasFocus():
            painter.setPen(look().colour("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    def _paint_chosen(self, painter: QPainter) -> None:
        dot = self.picture.dots.get(self._chosen)
        if dot is None:
            return
        draw_highlight(painter, self.camera, self.picture, self._lit, look())
        for line in self._lit:
            other = self.picture.dots[line.target if line.source == dot.id else line.source]
            draw_dot(painter, self.camera, other, look())
        draw_dot(painter, self.camera, dot, look(), is_ended=self._standings.get(dot.id) is Standing.ENDED)
        draw_ring(painter, self.camera, dot, look(), has_focus=self.hasFocus())

    def _named_first(self) -> list[int]:
        if not self._chosen:
            return []
        others = [line.target if line.source == self._chosen else line.source for line in self._lit[:20]]
        return [self._chosen, *others]

    def _look_changed(self) -> None:
        self._tiles.drop()
        self._restand()

    # -- where one looks

    def _set(self, camera: Camera) -> None:
        self._flight.stop()
        if self._drawing is not None:
            camera = camera.kept_within(self._drawing.grid.box)
        self.camera = camera
        self._slices.start()
        self.update()

    def _go(self, camera: Camera) -> None:
        if not look().has_motion or not self.isVisible():
            self._set(camera)
            return
        self._route = (self.camera, camera)
        self._flight.stop()
        self._flight.setStartValue(0.0)
        self._flight.setEndValue(1.0)
        self._flight.start()

    def _fly(self, share: float) -> None:
        start, end = self._route
        if share >= 1.0:
            self._set(end)
            return
        # The zoom stays until the end, so that tiles need to be drawn once only.
        self.camera = Camera(
            start.x + (end.x - start.x) * share,
            start.y + (end.y - start.y) * share,
            start.zoom,
            start.width,
            start.height,
        )
        self.update()

    def _come_to(self, number: int) -> None:
        dot = self.picture.dots[number]
        camera = self.camera
        if camera.zoom < CLOSE and len(self.picture.dots) > 300:
            camera = camera.zoomed(CLOSE / camera.zoom, (camera.width / 2, camera.height / 2))
            camera = Camera(dot.x, dot.y, camera.zoom, camera.width, camera.height)
        camera = camera.showing(dot.x, dot.y)
        if camera != self.camera:
            self._go(camera)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.camera = self.camera.sized(self.width(), self.height())
        if self._drawing is not None and event.oldSize().width() <= 0:
            self.camera = self.camera.fitted(self._drawing.grid.box.grown(20))
        self._slices.start()

    def hideEvent(self, event: object) -> None:
        """Unseen it holds no tiles; they are drawn again in a moment."""
        self._tiles.drop()
        self._slices.stop()
        self._flight.stop()

    def showEvent(self, event: object) -> None:
        self._slices.start()
