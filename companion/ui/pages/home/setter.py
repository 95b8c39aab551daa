"""The card to set a timer, an alarm or a reminder without a word."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QDateTime, Qt, QTime
from PySide6.QtWidgets import QButtonGroup, QDateTimeEdit, QHBoxLayout, QLineEdit, QSpinBox, QWidget

from companion.ui.theme import SMALL
from companion.ui.widgets import Button, Card, Column, PrimaryButton, Row

QUICK = (5, 10, 20, 30)
"""Minutes that a click is enough for."""
LONGEST = 24 * 60
LONGEST_LABEL = 200
USUAL_HOUR = QTime(7, 0)

Order = dict[str, object]


class Setter(Card):
    """on_set: called with what ``home.add`` wants to know."""

    def __init__(self, on_set: Callable[[Order], object], parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Set something"), parent=parent)
        self._on_set = on_set
        self._kinds = QButtonGroup(self)
        self._forms: list[Column] = []
        """One for each kind, of which one is seen; a stack would be as high as the highest."""
        self._build_kinds()
        self._build_timer()
        self._build_moments()
        self.set = PrimaryButton(self.tr("Set"), self._set)
        self.add_beside(self.set)
        self._choose(0)

    @property
    def kind(self) -> str:
        """What is being set."""
        return ("timer", "alarm", "reminder")[self._kinds.checkedId()]

    def choose_kind(self, kind: str) -> None:
        """Be about to set that."""
        self._kinds.button(("timer", "alarm", "reminder").index(kind)).click()

    def clear(self) -> None:
        """It was set: be ready for the next."""
        for field in (self.name, self.alarm_name, self.task):
            field.clear()

    def renew(self) -> None:
        """Offer times that are still to come."""
        now = QDateTime.currentDateTime()
        morning = QDateTime(now.date().addDays(0 if now.time() < USUAL_HOUR else 1), USUAL_HOUR)
        later = now.addSecs(3600)
        for field, offered in ((self.alarm_at, morning), (self.task_at, later)):
            field.setMinimumDateTime(now)
            if field.dateTime() <= now:
                field.setDateTime(offered)

    def _build_kinds(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(SMALL)
        for number, (word, icon) in enumerate(
            ((self.tr("Timer"), "clock"), (self.tr("Alarm"), "bell"), (self.tr("Reminder"), "note"))
        ):
            button = Button(word, icon_name=icon)
            button.setCheckable(True)
            self._kinds.addButton(button, number)
            line.addWidget(button)
        line.addStretch(1)
        self._kinds.idClicked.connect(self._choose)
        self.column.addLayout(line)

    def _build_timer(self) -> None:
        self.minutes = QSpinBox()
        self.minutes.setRange(1, LONGEST)
        self.minutes.setValue(10)
        self.minutes.setSuffix(self.tr(" min"))
        self.minutes.setMinimumWidth(110)
        self.minutes.lineEdit().setTextMargins(SMALL, 0, 0, 0)
        self.name = _line(self.tr("Tea, laundry …"))
        form = Column(spacing=SMALL)
        form.add(Row(self.tr("How long"), self.minutes))
        form.add(Row(self.tr("What for"), self.name, self.tr("May stay empty.")))
        quick = QHBoxLayout()
        quick.setSpacing(SMALL)
        for minutes in QUICK:
            words = self.tr("%n minute(s)", "", minutes)
            quick.addWidget(Button(words, partial(self._on_set, _timer(minutes, ""))))
        quick.addStretch(1)
        form.column.insertLayout(0, quick)
        self._put(form)

    def _build_moments(self) -> None:
        self.alarm_at, self.alarm_name = self._moment(), _line(self.tr("Work, train …"))
        alarm = Column(spacing=SMALL)
        alarm.add(Row(self.tr("When"), self.alarm_at))
        alarm.add(Row(self.tr("What for"), self.alarm_name, self.tr("May stay empty.")))
        self._put(alarm)
        self.task, self.task_at = _line(self.tr("Call Emma")), self._moment()
        reminder = Column(spacing=SMALL)
        reminder.add(Row(self.tr("Of what"), self.task))
        reminder.add(Row(self.tr("When"), self.task_at))
        self._put(reminder)
        self.task.textChanged.connect(lambda _: self._check())
        self.renew()

    def _put(self, form: Column) -> None:
        form.hide()
        self._forms.append(form)
        self.add(form)

    def _moment(self) -> QDateTimeEdit:
        field = QDateTimeEdit()
        field.setDisplayFormat(self.tr("ddd d MMM, HH:mm"))
        field.setCalendarPopup(True)
        return field

    def _choose(self, number: int) -> None:
        self._kinds.button(number).setChecked(True)
        for place, form in enumerate(self._forms):
            form.setVisible(place == number)
        self._check()

    def _check(self) -> None:
        self.set.setEnabled(self.kind != "reminder" or bool(self.task.text().strip()))

    def _set(self) -> None:
        match self.kind:
            case "timer":
                self._on_set(_timer(self.minutes.value(), self.name.text()))
            case "alarm":
                self._on_set({"kind": "alarm", "label": self.alarm_name.text(), "at": _written(self.alarm_at)})
            case _:
                self._on_set({"kind": "reminder", "label": self.task.text(), "at": _written(self.task_at)})


def _timer(minutes: int, label: str) -> Order:
    return {"kind": "timer", "label": label, "seconds": minutes * 60}


def _line(hint: str) -> QLineEdit:
    field = QLineEdit()
    field.setPlaceholderText(hint)
    field.setMaxLength(LONGEST_LABEL)
    field.setMinimumWidth(240)
    return field


def _written(field: QDateTimeEdit) -> str:
    return field.dateTime().toString(Qt.DateFormat.ISODate)[:16]
