"""One thing that can be set: its name and explanation on the left, the control on the right."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from companion.ui.theme import ROOMY, TINY, look
from companion.ui.widgets.words import Body, Fine

LEAST_WORDS = 180
"""Pixels that the words need beside the control; with less, it moves under them."""


class Row(QWidget):
    """The control gets ``label`` and ``explanation`` as its accessible name and description."""

    def __init__(self, label: str, control: QWidget, explanation: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.control = control
        self._name = Body(label)
        self._explanation = Fine(explanation)
        self._explanation.setVisible(bool(explanation))
        self._name.setBuddy(control)
        control.setAccessibleName(label)
        control.setAccessibleDescription(explanation)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, TINY, 0, TINY)
        self._grid.setHorizontalSpacing(ROOMY)
        self._grid.setVerticalSpacing(TINY)
        self._is_beside: bool | None = None
        self._place(is_beside=True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def explain(self, explanation: str) -> None:
        """Say something else about it."""
        self._explanation.say(explanation)
        self.control.setAccessibleDescription(explanation)
        is_beside, self._is_beside = bool(self._is_beside), None
        self._place(is_beside=is_beside)

    def resizeEvent(self, event: object) -> None:
        """Without room for both, the control goes below."""
        super().resizeEvent(event)  # type: ignore[arg-type]
        needed = self.control.sizeHint().width() + ROOMY + look().size(LEAST_WORDS)
        self._place(is_beside=self.width() >= needed)

    def minimumSizeHint(self) -> QSize:
        """As narrow as the control alone: there is always a way to get there."""
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), self.control.minimumSizeHint().width()), hint.height())

    def _place(self, *, is_beside: bool) -> None:
        if is_beside == self._is_beside:
            return
        self._is_beside = is_beside
        for widget in (self._name, self._explanation, self.control):
            self._grid.removeWidget(widget)
        self._grid.addWidget(self._name, 0, 0)
        self._grid.addWidget(self._explanation, 1, 0)
        if is_beside:
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            lines = 2 if self._explanation.text() else 1
            self._grid.addWidget(self.control, 0, 1, lines, 1, right)
        else:
            self._grid.addWidget(self.control, 2, 0, Qt.AlignmentFlag.AlignLeft)
        self._grid.setColumnStretch(0, 1)
