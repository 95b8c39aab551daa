"""Requests of which nobody waits for the answer, as keeping what was chosen: they are sent in order, each as soon as
the companion can, where it is only starting.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QObject, QTimer

from companion.app.control import Answer
from companion.app.orders import STARTING
from companion.ui.state import Engine, Fault, UiState

AGAIN_MS = 700
"""Milliseconds before a companion that was starting is asked again."""
MOST_TRIES = 120
MOST_WAITING = 100
"""Requests; of more, the oldest are lost."""


class Door(Protocol):
    """What requests go through: the bridge."""

    @property
    def state(self) -> UiState: ...

    def tend(
        self,
        desk: str,
        action: str,
        given: Mapping[str, object] | None = None,
        *,
        then: Callable[[Answer], None] | None = None,
        failed: Callable[[Fault], None] | None = None,
        owner: QObject | None = None,
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class _Request:
    desk: str
    action: str
    given: Mapping[str, object]
    failed: Callable[[Fault], None]


class Sending(QObject):
    """See the head of the file."""

    def __init__(self, door: Door, parent: QObject) -> None:
        super().__init__(parent)
        self._door = door
        self._waiting: deque[_Request] = deque(maxlen=MOST_WAITING)
        self._sent: _Request | None = None
        self._tries = 0
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(AGAIN_MS)
        self._again.timeout.connect(self._ask)

    def send(self, desk: str, action: str, given: Mapping[str, object], failed: Callable[[Fault], None]) -> None:
        """Have it done. failed: called where it cannot be."""
        self._waiting.append(_Request(desk, action, given, failed))
        if self._sent is None:
            self._next()

    def _next(self) -> None:
        self._sent, self._tries = (self._waiting.popleft() if self._waiting else None), 0
        self._ask()

    def _ask(self) -> None:
        if self._sent is not None:
            self._tries += 1
            sent = self._sent
            self._door.tend(sent.desk, sent.action, sent.given, then=self._done, failed=self._refused, owner=self)

    def _done(self, answer: Answer) -> None:
        self._next()

    def _refused(self, fault: Fault) -> None:
        is_starting = fault.message == STARTING or self._door.state.engine is Engine.STARTING
        if is_starting and self._tries < MOST_TRIES:
            self._again.start()
            return
        assert self._sent is not None
        self._sent.failed(fault)
        self._next()
