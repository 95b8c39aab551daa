"""All that is to be known of one turn: its times as a bar, who answered, what was recalled and why, what left the
house, and what the user thinks of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLocale, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from companion.app.turn_log import TurnRecord
from companion.app.turn_notes import LONGEST, Verdict
from companion.ui.recall_words import text_of, why
from companion.ui.theme import ROOMY, SMALL, SNUG, TINY, look, looks
from companion.ui.transcript import Row
from companion.ui.turn_words import clock_time, provider_of, seconds, shown_day
from companion.ui.widgets import Body, Button, Fine, IconButton, Line, Quiet, Subheading
from companion.ui.widgets.notice import sentence
from companion.ui.widgets.words import Words

COLOURS = ("listening", "thinking", "accent", "quiet")
MOST_RECALLED = 20


@dataclass(frozen=True, slots=True)
class Verdicted:
    """What somebody thinks of a turn."""

    verdict: Verdict
    note: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A part of the time that somebody waited."""

    name: str
    seconds: float


class TimeBar(QWidget):
    """The steps of a turn, one behind the other, each with its name below."""

    def __init__(self, steps: Sequence[Step], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._steps = [step for step in steps if step.seconds > 0]
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        line = self.tr("{step}: {time}")
        told = [line.format(step=step.name, time=seconds(step.seconds)) for step in self._steps]
        self.setAccessibleName(self.tr("Times of the steps"))
        self.setAccessibleDescription("; ".join(told))
        looks.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(200, ROOMY)

    def paintEvent(self, event: object) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        whole = sum(step.seconds for step in self._steps) or 1.0
        left = 0.0
        for number, step in enumerate(self._steps):
            wide = max(self.width() * step.seconds / whole, 2.0)
            painter.setBrush(look().colour(COLOURS[number % len(COLOURS)]))
            painter.drawRoundedRect(QRectF(left, 0, max(wide - 2, 1), self.height()), TINY, TINY)
            left += wide
        painter.end()


class Dot(QWidget):
    """The colour of a step, beside its name."""

    def __init__(self, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._number = number
        self.setFixedSize(SNUG, SNUG)

    def paintEvent(self, event: object) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look().colour(COLOURS[self._number % len(COLOURS)]))
        painter.drawEllipse(self.rect().adjusted(1, 1, -1, -1))
        painter.end()


class TurnDetails(QWidget):
    """verdicted: the user has said what they think of it."""

    verdicted = Signal(object)

    def __init__(self, row: Row, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = row
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(SNUG)
        self._tell_words()
        if row.at is not None and not row.is_news:
            self._add_verdict()
        if row.record is not None:
            self._tell_record(row.record)
        else:
            self._add(Quiet(self.tr("How long this turn took and who answered is not known any more.")))
        self._column.addStretch(1)

    # -- parts

    def _tell_words(self) -> None:
        if self._row.at is not None:
            when = self.tr("{day}, {time}").format(day=shown_day(self._row.at), time=clock_time(self._row))
            self._add(Fine(when))
        if self._row.asked:
            self._add_part(self.tr("You"), copied(Body(self._row.asked)))
        if self._row.answer:
            self._add_part(self.tr("Companion"), copied(Body(self._row.answer)))
        if self._row.interrupted:
            heard = self._row.answer[: self._row.said_to].strip()
            told = self.tr("You interrupted it. You heard: {words}") if heard else self.tr("You heard nothing of it.")
            self._add(Quiet(told.format(words=heard)))
        if self._row.problem:
            self._add(copied(Body(sentence(self._row.problem))))

    def _tell_record(self, record: TurnRecord) -> None:
        steps = self._steps(record)
        if steps:
            self._add(Line())
            self._add_part(self.tr("You waited {seconds}").format(seconds=seconds(record.total)), TimeBar(steps))
            for number, step in enumerate(steps):
                self._add_step(number, step)
        self._add(Line())
        self._add_part(self.tr("Who answered"), Body(self._who(record)))
        name = record.source.partition(":")[2]
        if name:
            self._add(Fine(name))
        if record.tools:
            self._add_part(self.tr("Used"), Body(", ".join(record.tools)))
        self._tell_recalled(record)
        self._tell_left(record)
        for problem in record.problems:
            self._add_part(self.tr("What went wrong"), Body(sentence(problem)))

    def _who(self, record: TurnRecord) -> str:
        if not record.by_model:
            return self.tr("A rule, without a language model")
        return provider_of(record) or self.tr("The language model on this computer")

    def _tell_recalled(self, record: TurnRecord) -> None:
        if not record.recalled:
            nothing = self.tr("Nothing was recalled for it.")
            self._add_part(self.tr("Recalled"), Quiet(nothing))
            return
        self._add(Subheading(self.tr("Recalled")))
        known = [one for one in record.recalled if one.text]
        if len(known) < len(record.recalled):
            self._add(Quiet(self.tr("It is not shown any more, because something was forgotten since.")))
        for one in known[:MOST_RECALLED]:
            self._add(copied(Body(text_of(one))))
            self._add(Fine(why(one)))

    def _tell_left(self, record: TurnRecord) -> None:
        self._add(Subheading(self.tr("What left this computer")))
        if not record.left:
            self._add(Quiet(self.tr("Nothing.")))
        for out in record.left:
            told = self.tr("{bytes} bytes to {host}, for {provider}: {kinds}")
            number = QLocale().toString(out.bytes)
            kinds = ", ".join(out.kinds)
            self._add(Body(told.format(bytes=number, host=out.host, provider=out.provider, kinds=kinds)))

    def _steps(self, record: TurnRecord) -> list[Step]:
        known = dict(record.seconds)
        if not record.spoken:
            return [Step(self.tr("until the first word"), record.total)] if record.total else []
        names = {
            "wait": self.tr("until you had finished"),
            "first_token": self.tr("until the first word"),
            "first_sound": self.tr("until the first sound"),
        }
        return [Step(name, known[step]) for step, name in names.items() if known.get(step, 0.0) > 0]

    # -- what the user thinks

    def _add_verdict(self) -> None:
        self._good = IconButton("thumb-up", self.tr("A good answer"), lambda: self._judge(Verdict.GOOD))
        self._bad = IconButton("thumb-down", self.tr("Not a good answer"), lambda: self._judge(Verdict.BAD))
        self._wrong = Button(self.tr("That was wrong"), self._say_wrong)
        for button in (self._good, self._bad, self._wrong):
            button.setCheckable(True)
        line = QHBoxLayout()
        line.setSpacing(SMALL)
        for one in (self._good, self._bad, self._wrong):
            line.addWidget(one)
        line.addStretch(1)
        self._column.addLayout(line)
        self._note = QLineEdit(self._row.note)
        self._note.setMaxLength(LONGEST)
        self._note.setPlaceholderText(self.tr("What would have been right? Enter keeps it."))
        self._note.setAccessibleName(self.tr("What would have been right?"))
        self._note.returnPressed.connect(lambda: self._tell(Verdict.WRONG))
        self._add(self._note)
        self._said = Fine(self.tr("It is kept on this computer only."))
        self._add(self._said)
        self._show_verdict(self._row.verdict)

    def _judge(self, verdict: Verdict) -> None:
        """The same once more takes it back."""
        self._tell(Verdict.NONE if self._verdict is verdict else verdict)

    def _say_wrong(self) -> None:
        if self._verdict is Verdict.WRONG:
            self._tell(Verdict.NONE)
            return
        self._tell(Verdict.WRONG)
        self._note.setFocus(Qt.FocusReason.OtherFocusReason)

    def _tell(self, verdict: Verdict) -> None:
        self._show_verdict(verdict)
        self.verdicted.emit(Verdicted(verdict, self._note.text().strip() if verdict is Verdict.WRONG else ""))

    def _show_verdict(self, verdict: Verdict) -> None:
        self._verdict = verdict
        self._good.setChecked(verdict is Verdict.GOOD)
        self._bad.setChecked(verdict is Verdict.BAD)
        self._wrong.setChecked(verdict is Verdict.WRONG)
        self._note.setVisible(verdict is Verdict.WRONG)
        self._said.setVisible(verdict is not Verdict.NONE)

    # -- laying out

    def _add(self, widget: QWidget) -> None:
        self._column.addWidget(widget)

    def _add_part(self, head: str, content: QWidget) -> None:
        part = QVBoxLayout()
        part.setSpacing(TINY)
        part.addWidget(Subheading(head))
        part.addWidget(content)
        self._column.addLayout(part)

    def _add_step(self, number: int, step: Step) -> None:
        line = QHBoxLayout()
        line.setSpacing(SMALL)
        name, length = Quiet(step.name), Quiet(seconds(step.seconds))
        length.setWordWrap(False)
        line.addWidget(Dot(number))
        line.addWidget(name, 1)
        line.addWidget(length)
        self._column.addLayout(line)


def copied(words: Words) -> Words:
    """Words that can be marked and copied, by mouse and by keyboard."""
    flags = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    words.setTextInteractionFlags(flags)
    return words
