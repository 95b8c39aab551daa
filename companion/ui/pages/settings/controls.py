"""What a setting is changed by: a switch, a choice, a slider, a number or a field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from companion.ui.pages.settings.choices import choices_of
from companion.ui.theme import SMALL, SNUG, look
from companion.ui.widgets import Switch

REST_MS = 400
"""Milliseconds a number must rest before it counts."""
FIELD_WIDTH, NARROW = 240, 12
MOST = 2_000_000_000


class Control(QWidget):
    """chosen: the user wants this value, as one would type it. The focus is the inner widget's."""

    chosen = Signal(str)

    def __init__(self, inner: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.inner = inner
        self.setFocusProxy(inner)
        line = QVBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(inner)

    def setAccessibleName(self, name: str) -> None:
        """The inner widget is what a screen reader meets."""
        self.inner.setAccessibleName(name)

    def setAccessibleDescription(self, description: str) -> None:
        self.inner.setAccessibleDescription(description)

    def show_value(self, value: str) -> None:
        """Show a value, and tell nobody."""


class SwitchControl(Control):
    def __init__(self) -> None:
        self._switch = Switch()
        super().__init__(self._switch)
        self._switch.toggled.connect(lambda on: self.chosen.emit("true" if on else "false"))

    def show_value(self, value: str) -> None:
        self._switch.set_quietly(on=value == "true")


class ChoiceControl(Control):
    """choices: value and what it is called."""

    def __init__(self, choices: list[tuple[str, str]]) -> None:
        self._box = QuietBox()
        super().__init__(self._box)
        self._box.setMinimumContentsLength(NARROW)
        for value, name in choices:
            self._box.addItem(name, value)
        self._box.activated.connect(lambda index: self.chosen.emit(str(self._box.itemData(index))))

    def show_value(self, value: str) -> None:
        index = self._box.findData(value)
        if index < 0:
            self._box.addItem(value, value)
            index = self._box.count() - 1
        self._box.setCurrentIndex(index)


class ShareControl(Control):
    """A part of a whole, from nothing to all, as a slider in percent."""

    def __init__(self) -> None:
        self._slider = QuietSlider()
        self._told = QLabel()
        self._told.setMinimumWidth(look().size(44))
        self._told.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        super().__init__(self._slider)
        both = QHBoxLayout()
        both.setSpacing(SNUG)
        both.addWidget(self._slider, 1)
        both.addWidget(self._told)
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.addLayout(both)
        self._rest = _rest(self, lambda: self.chosen.emit(f"{self._slider.value() / 100:g}"))
        self._slider.valueChanged.connect(self._moved)

    def show_value(self, value: str) -> None:
        if self._rest.isActive() or self._slider.isSliderDown():
            return  # the user is just moving it
        was = self._slider.blockSignals(True)
        self._slider.setValue(round(100 * float(value)))
        self._slider.blockSignals(was)
        self._tell()

    def _moved(self) -> None:
        self._tell()
        self._rest.start()

    def _tell(self) -> None:
        self._told.setText(f"{self._slider.value()} %")


class NumberControl(Control):
    """row: as the desk tells it. unit: behind the number."""

    def __init__(self, row: Mapping[str, Any], unit: str) -> None:
        is_whole = row["form"] == "whole"
        self._box = _QuietWhole() if is_whole else _QuietNumber()
        super().__init__(self._box)
        low, high = row["low"], row["high"]
        if isinstance(self._box, _QuietWhole):
            self._box.setRange(int(low or 0), int(MOST if high is None else high))
        else:
            self._box.setRange(float(low or 0), float(MOST if high is None else high))
        self._box.setSuffix(unit)
        self._box.setKeyboardTracking(False)
        self._box.lineEdit().setTextMargins(SMALL, 0, 0, 0)
        self._box.setMinimumWidth(look().size(110))
        self._rest = _rest(self, lambda: self.chosen.emit(f"{self._box.value():.10g}"))
        self._box.valueChanged.connect(lambda _: self._rest.start())

    def show_value(self, value: str) -> None:
        if self._rest.isActive():
            return
        was = self._box.blockSignals(True)
        if isinstance(self._box, _QuietWhole):
            self._box.setValue(int(value))
        else:
            self._box.setValue(float(value))
        self._box.blockSignals(was)


class TextControl(Control):
    def __init__(self) -> None:
        self._field = QLineEdit()
        super().__init__(self._field)
        self._field.setMinimumWidth(look().size(FIELD_WIDTH))
        self._field.editingFinished.connect(self._typed)
        self._shown = ""

    def show_value(self, value: str) -> None:
        if self._field.hasFocus() and self._field.text() not in (self._shown, value):
            return  # the user is just typing
        self._shown = value
        self._field.setText(value)
        self._field.setCursorPosition(0)

    def _typed(self) -> None:
        text = self._field.text().strip()
        if text != self._shown:
            self._shown = text
            self.chosen.emit(text)


def control_for(row: Mapping[str, Any], unit: str = "") -> Control:
    """The control that fits a setting."""
    choices = list(choices_of(str(row["name"]), row["choices"]))
    if choices:
        return ChoiceControl(choices)
    match row["form"]:
        case "switch":
            return SwitchControl()
        case "number" if (row["low"], row["high"]) == (0, 1):
            return ShareControl()
        case "number" | "whole":
            return NumberControl(row, unit)
        case _:
            return TextControl()


def _rest(owner: QWidget, then: Any) -> QTimer:
    timer = QTimer(owner)
    timer.setSingleShot(True)
    timer.setInterval(REST_MS)
    timer.timeout.connect(then)
    return timer


class QuietBox(QComboBox):
    """A page that is scrolled past it does not change it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class QuietSlider(QSlider):
    """From 0 to 100, unless told otherwise; the wheel is the page's."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setRange(0, 100)
        self.setSingleStep(1)
        self.setPageStep(10)
        self.setMinimumWidth(look().size(160))

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class _QuietWhole(QSpinBox):
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class _QuietNumber(QDoubleSpinBox):
    def __init__(self) -> None:
        super().__init__()
        self.setDecimals(2)
        self.setSingleStep(0.1)

    def textFromValue(self, value: float) -> str:
        """Without digits that say nothing: 6, and 0.25."""
        return self.locale().toString(round(value, self.decimals()), "g", 12)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
