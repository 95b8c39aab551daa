"""How one row of the conversation is set in type: measured once for a width, and then drawn as often as it is seen."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen, QTextCharFormat, QTextLayout, QTextOption

from companion.ui.state import Mark
from companion.ui.theme import (
    BODY,
    CARD_CORNER,
    CORNER,
    FINE,
    LINE_HEIGHT,
    ROOMY,
    SMALL,
    SNUG,
    TEXT_WIDTH,
    TINY,
    WIDE,
    Look,
)
from companion.ui.transcript import Row, Stage
from companion.ui.widgets import plain
from companion.ui.widgets.notice import sentence
from companion.ui.widgets.state_mark import paint

COLUMN = TEXT_WIDTH + 2 * WIDE
"""The widest the conversation gets."""
BUBBLE_SHARE = 0.78
"""Of the column, at most, for what the user said."""
GUESSED_LETTER = 0.5
"""Width of a letter by its height, where nothing was measured yet."""


@dataclass(frozen=True, slots=True)
class Column:
    """Where rows stand within the view."""

    left: int
    width: int

    @classmethod
    def within(cls, width: int) -> Column:
        """In the middle, with air at the sides."""
        wide = max(min(width - 2 * WIDE, COLUMN), 160)
        return cls(max((width - wide) // 2, 0), wide)


class Setting:
    """One row, set for a column and a look. ``day``: the day that begins with it. ``fine``: the remark below."""

    def __init__(self, row: Row, day: str, fine: str, column: Column, look: Look) -> None:
        self._row = row
        self._day = day
        self._fine = fine
        self._look = look
        self._column = column
        self._body = look.font(BODY)
        self._small = look.font(FINE)
        self._fine_height = QFontMetrics(self._small).height()
        self.fine_place = QRectF()
        """Where the remark stands, from the top of the row."""
        self._place()

    @property
    def height(self) -> int:
        return self._height

    # -- measured

    def _place(self) -> None:
        """Every part below the one before."""
        y = float(SMALL)
        self._day_at = y
        if self._day:
            y += self._fine_height + ROOMY
        self._bubble: QTextLayout | None = None
        if self._row.asked:
            y = self._place_bubble(y)
        self._answer: QTextLayout | None = None
        self._answer_at = y
        if self._row.answer:
            self._answer = self._text(self._row.answer, float(self._column.width), self._answer_formats())
            y += _height(self._answer)
        elif self._row.stage in (Stage.WAITING, Stage.ANSWERING):
            y += self._fine_height
        self._problem: QTextLayout | None = None
        self._problem_at = y + TINY
        if self._row.problem:
            self._problem = self._text(sentence(self._row.problem), float(self._column.width), [])
            y = self._problem_at + _height(self._problem)
        if self._row.stage is Stage.OVER:
            self.fine_place = QRectF(0, y + TINY / 2, self._column.width, self._fine_height + TINY)
            y += self._fine_height + TINY
        self._height = round(y + SMALL)

    def _place_bubble(self, y: float) -> float:
        most = self._column.width * BUBBLE_SHARE - 2 * ROOMY
        self._bubble = self._text(self._row.asked, most, [])
        wide = max(self._bubble.lineAt(line).naturalTextWidth() for line in range(self._bubble.lineCount()))
        tall = _height(self._bubble)
        self._bubble_place = QRectF(
            self._column.width - wide - 2 * ROOMY - 1, y, wide + 2 * ROOMY + 1, tall + 2 * SMALL
        )
        return y + self._bubble_place.height() + SNUG

    def _text(self, words: str, width: float, formats: list[QTextLayout.FormatRange]) -> QTextLayout:
        layout = QTextLayout(plain.short(words).replace("\n", "\N{LINE SEPARATOR}"), self._body)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.setFormats(formats)
        layout.setCacheEnabled(True)
        tall = _line_height(self._body)
        layout.beginLayout()
        y = 0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(width, 40.0))
            line.setPosition(QPointF(0, y + (tall - line.height()) / 2))
            y += tall
        layout.endLayout()
        return layout

    def _answer_formats(self) -> list[QTextLayout.FormatRange]:
        """What was said in full colour; what is to come is quiet, and what will not come is struck out as well."""
        row = self._row
        answer = plain.short(row.answer)
        if row.said_to >= len(answer) or (row.stage is Stage.OVER and not row.interrupted):
            return []
        quiet = QTextCharFormat()
        quiet.setForeground(self._look.colour("quiet"))
        quiet.setFontStrikeOut(row.stage is Stage.OVER)
        rest = QTextLayout.FormatRange()
        start = units(answer[: row.said_to])
        rest.start, rest.length, rest.format = start, units(answer) - start, quiet
        return [rest]

    # -- drawn

    def draw(self, painter: QPainter, top: float, *, shows_fine: bool, has_focus: bool, phase: int = 0) -> None:
        """Draw it with its top there. phase: 0 to 23, for what moves."""
        painter.save()
        painter.translate(self._column.left, top)
        if has_focus:
            self._draw_focus(painter)
        if self._day:
            self._draw_day(painter)
        if self._bubble is not None:
            self._draw_bubble(painter, self._bubble)
        if self._answer is not None:
            self._draw_answer(painter, self._answer)
        elif self._row.stage in (Stage.WAITING, Stage.ANSWERING):
            room = QRectF(0, self._answer_at, self._fine_height * 1.6, self._fine_height)
            paint(painter, room, Mark.THINKING, self._look, phase=phase)
        if self._problem is not None:
            painter.setPen(self._look.colour("problem"))
            self._problem.draw(painter, QPointF(0, self._problem_at))
        if self._row.stage is Stage.OVER and self._fine and (shows_fine or self._row.verdict):
            self._draw_fine(painter)
        painter.restore()

    def _draw_focus(self, painter: QPainter) -> None:
        painter.setPen(QPen(self._look.colour("text"), 2))
        room = QRectF(-SNUG, 1, self._column.width + 2 * SNUG, self._height - 2)
        painter.drawRoundedRect(room, CORNER, CORNER)

    def _draw_day(self, painter: QPainter) -> None:
        painter.setFont(self._small)
        painter.setPen(self._look.colour("quiet"))
        room = QRectF(0, self._day_at, self._column.width, self._fine_height)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, self._day)

    def _draw_bubble(self, painter: QPainter, words: QTextLayout) -> None:
        place = self._bubble_place
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.colour("bubble"))
        painter.drawRoundedRect(place, CARD_CORNER, CARD_CORNER)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        is_sure = self._row.stage is not Stage.HEARING
        painter.setPen(self._look.colour("text" if is_sure else "quiet"))
        words.draw(painter, QPointF(place.left() + ROOMY, place.top() + SMALL))

    def _draw_answer(self, painter: QPainter, words: QTextLayout) -> None:
        x = 0.0
        if self._row.is_news:
            painter.setPen(QPen(self._look.colour("accent"), 3))
            bar = self._answer_at + TINY
            painter.drawLine(QPointF(-SNUG, bar), QPointF(-SNUG, bar + _height(words) - 2 * TINY))
        painter.setPen(self._look.colour("text"))
        words.draw(painter, QPointF(x, self._answer_at))

    def _draw_fine(self, painter: QPainter) -> None:
        painter.setFont(self._small)
        painter.setPen(self._look.colour("quiet"))
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self.fine_place, left, self._fine)


def guessed(row: Row, column: Column, look: Look) -> int:
    """About how high a row is, without setting it."""
    letter = look.size(BODY) * GUESSED_LETTER
    line = look.size(BODY) * LINE_HEIGHT
    answer, question = min(len(row.answer), plain.LONGEST), min(len(row.asked), plain.LONGEST)
    lines = 1 + int(answer * letter / column.width) if answer else 0
    asked = 1 + int(question * letter / (column.width * BUBBLE_SHARE)) if question else 0
    return round((lines + asked) * line + look.size(FINE) + 2 * SMALL + TINY + (2 * SMALL + SNUG if asked else 0))


def units(words: str) -> int:
    """How long Qt takes them to be: it counts a letter beyond the first 65,536, as every emoji, for two."""
    return len(words) + sum(letter > "\uffff" for letter in words)


def _height(layout: QTextLayout) -> float:
    """To the foot of its last line."""
    return float(_line_height(layout.font()) * layout.lineCount())


def _line_height(font: QFont) -> int:
    """Pixels; never less than the letters need."""
    return max(round(font.pixelSize() * LINE_HEIGHT), QFontMetrics(font).height())
