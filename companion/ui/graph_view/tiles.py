"""The picture as tiles, drawn a few milliseconds at a time and kept, so that moving it costs nothing.

While tiles of the present size are not drawn yet, those of the size before stand in, blown up or shrunk.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from companion.ui.graph_view.brush import draw_dots, draw_lines
from companion.ui.graph_view.camera import Box, Camera
from companion.ui.graph_view.draft import Drawing
from companion.ui.graph_view.picture import Standing
from companion.ui.theme import Look

SIDE = 256
"""Pixels."""
MOST_BYTES = 48_000_000
"""Of all tiles that are kept."""
CELLS_AT_ONCE = 100
REACH = 60.0
"""Units a dot or its outline may reach beyond its middle."""


class Seat(NamedTuple):
    """Which tile: counted from zero of the picture's own plane."""

    column: int
    row: int


class Level(NamedTuple):
    """All tiles of one size."""

    zoom: float
    tiles: dict[Seat, QPixmap]


class Tiles:
    """``show`` what is to be drawn, ``work`` until it says that nothing is left, ``paint`` what is there."""

    def __init__(self) -> None:
        self._drawing: Drawing | None = None
        self._lines: list[Standing] = []
        self._dots: dict[int, Standing] = {}
        self._look = Look()
        self._now = Level(1.0, {})
        self._before = Level(1.0, {})
        self._stale: set[Seat] = set()
        self._at_work: tuple[Seat, Iterator[None]] | None = None
        self._most = 1
        """Tiles that are kept."""
        self._needed: frozenset[Seat] = frozenset()
        """Those that are seen, and those around them if there is room."""
        self.drawn = 0
        """How many were drawn until now."""

    def show(self, drawing: Drawing, lines: list[Standing], dots: dict[int, Standing], look: Look) -> None:
        """Draw this from now on; what is drawn already stands until it is drawn anew."""
        is_other = self._drawing is None or self._drawing.picture.dots.keys() != drawing.picture.dots.keys()
        self._drawing, self._lines, self._dots, self._look = drawing, lines, dots, look
        self._at_work = None
        if is_other:
            self._now, self._before = Level(self._now.zoom, {}), Level(1.0, {})
        self._stale = set(self._now.tiles)

    def drop(self) -> None:
        """Let go of all that was drawn."""
        self._at_work = None
        self._now, self._before = Level(self._now.zoom, {}), Level(1.0, {})
        self._stale.clear()

    def work(self, camera: Camera, ratio: float) -> bool:
        """Do a small piece of what is to be drawn; whether there was any."""
        if self._drawing is None:
            return False
        self._turn_to(camera.zoom)
        if self._at_work is None:
            seat = self._next_seat(camera, ratio)
            if seat is None:
                return False
            self._at_work = (seat, self._drawn(seat, ratio))
        seat, steps = self._at_work
        if next(steps, _DONE) is _DONE:
            self._at_work = None
        return True

    def paint(self, painter: QPainter, camera: Camera) -> None:
        """Put what is drawn in its place."""
        self._turn_to(camera.zoom)
        seats = seats_in(camera.seen, camera.zoom)
        if self._before.tiles and any(seat not in self._now.tiles for seat in seats):
            self._paint_before(painter, camera)
        # Rounded once for all, so that there is no gap between two tiles.
        left, top = (round(at) for at in camera.to_screen(0, 0))
        for seat in seats:
            tile = self._now.tiles.get(seat)
            if tile is not None:
                painter.drawPixmap(left + seat.column * SIDE, top + seat.row * SIDE, tile)

    def _paint_before(self, painter: QPainter, camera: Camera) -> None:
        missing = [seat for seat in seats_in(camera.seen, camera.zoom) if seat not in self._now.tiles]
        painter.save()
        painter.setClipping(True)
        for seat in missing:
            room = _place(seat, camera.zoom, camera)
            painter.setClipRect(room)
            corner = camera.to_world(room.left(), room.top())
            end = camera.to_world(room.right(), room.bottom())
            for old in seats_in(Box(*corner, *end), self._before.zoom):
                tile = self._before.tiles.get(old)
                if tile is not None:
                    painter.drawPixmap(_place(old, self._before.zoom, camera), tile, QRectF(tile.rect()))
        painter.restore()

    def _turn_to(self, zoom: float) -> None:
        if zoom == self._now.zoom:
            return
        if self._now.tiles:
            self._before = self._now
        self._now = Level(zoom, {})
        self._stale.clear()
        self._at_work = None

    def _next_seat(self, camera: Camera, ratio: float) -> Seat | None:
        """The tile nearest to the middle that is missing; then one that is stale; then one that will be seen soon."""
        seen = seats_in(camera.seen, camera.zoom)
        middle = (camera.x * camera.zoom / SIDE - 0.5, camera.y * camera.zoom / SIDE - 0.5)
        missing = [seat for seat in seen if seat not in self._now.tiles]
        stale = [seat for seat in seen if seat in self._stale]
        self._most = max(int(MOST_BYTES / (4 * (SIDE * ratio) ** 2)), len(seen))
        around = seats_in(camera.seen.grown(SIDE / 2 / camera.zoom), camera.zoom)
        has_room = len(around) <= self._most
        self._needed = frozenset(around if has_room else seen)
        soon: list[Seat] = []
        if not missing and not stale and has_room:
            soon = [seat for seat in around if seat not in self._now.tiles or seat in self._stale]
        wanted = missing or stale or soon
        return min(wanted, key=lambda seat: (seat.column - middle[0]) ** 2 + (seat.row - middle[1]) ** 2, default=None)

    def _drawn(self, seat: Seat, ratio: float) -> Iterator[None]:
        assert self._drawing is not None
        picture, grid = self._drawing.picture, self._drawing.grid
        zoom = self._now.zoom
        unit = SIDE / zoom
        box = Box(seat.column * unit, seat.row * unit, (seat.column + 1) * unit, (seat.row + 1) * unit)
        camera = Camera((box.left + box.right) / 2, (box.top + box.bottom) / 2, zoom, SIDE, SIDE)
        tile = QPixmap(round(SIDE * ratio), round(SIDE * ratio))
        tile.setDevicePixelRatio(ratio)
        tile.fill(Qt.GlobalColor.transparent)
        wide = box.grown(REACH / min(zoom, 1.0) * 0.5 + REACH)
        found: dict[int, None] = {}
        for count, some in enumerate(grid.lines_by_cell(wide)):
            found.update(dict.fromkeys(some))
            if count % CELLS_AT_ONCE == CELLS_AT_ONCE - 1:
                yield
        lines = ((picture.lines[place], self._lines[place]) for place in found)
        dots = [(picture.dots[number], self._dots[number]) for number in grid.dots_in(wide)]
        yield
        painter = QPainter()
        for steps in (
            draw_lines(painter, camera, picture, lines, self._look),
            draw_dots(painter, camera, dots, self._look),
        ):
            # The painter is let go of at each pause: nobody may hold one while others paint.
            while True:
                painter.begin(tile)
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                is_done = next(steps, _DONE) is _DONE
                painter.end()
                if is_done:
                    break
                yield
        self._now.tiles[seat] = tile
        self.drawn += 1
        self._stale.discard(seat)
        self._keep_few(seat)

    def _keep_few(self, newest: Seat) -> None:
        """Let go of those of the size before, then of those that are far away; never of what is needed."""
        while len(self._now.tiles) + len(self._before.tiles) > self._most:
            tiles = self._before.tiles or self._now.tiles
            others = [seat for seat in tiles if tiles is self._before.tiles or seat not in self._needed]
            if not others:
                return
            del tiles[max(others, key=lambda seat: (seat.column - newest.column) ** 2 + (seat.row - newest.row) ** 2)]


class _Done:
    pass


_DONE = _Done()


def seats_in(box: Box, zoom: float) -> list[Seat]:
    """The tiles that cover a part of the picture."""
    unit = SIDE / zoom
    columns = range(int(box.left // unit), int(box.right // unit) + 1)
    rows = range(int(box.top // unit), int(box.bottom // unit) + 1)
    return [Seat(column, row) for column in columns for row in rows]


def _place(seat: Seat, zoom: float, camera: Camera) -> QRectF:
    """Where a tile of a size lies in the view."""
    unit = SIDE / zoom
    left, top = camera.to_screen(seat.column * unit, seat.row * unit)
    side = unit * camera.zoom
    return QRectF(left, top, side, side)
