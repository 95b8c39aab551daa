"""The one door between the window and the engine: events come in as states, clicks go out as orders.

Laws: everything here happens on the Qt thread but ``_hear`` and ``_answer``, which only put something down and ring;
states are told at most thirty times a second; an answer reaches nobody who is gone, and comes within its deadline or
is told as a fault.
"""

from __future__ import annotations

import functools
import itertools
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal, Slot
from shiboken6 import isValid

from companion.app.control import Answer
from companion.app.events import Listener, Pulse
from companion.app.orders import Order, Tend, patience
from companion.errors import CompanionError
from companion.ui.sending import Sending
from companion.ui.state import Engine, Fault, Mark, Stalled, UiState, reduce
from companion.voice.events import Level

FRAME_MS = 33
"""Milliseconds between two states that are told."""
FROZEN_AFTER_MS = 3000
"""Milliseconds without a sign of life."""
LOOK_MS = 1000
MOST_WAITING = 20_000
"""Events that may wait to be taken in; of more, the oldest are lost."""
MARGIN = 1.0
"""Seconds beyond what the engine gives an order."""

Then = Callable[[Answer], None]
Failed = Callable[[Fault], None]


class FaceLike(Protocol):
    """What stands behind the window; see ``app.face.Face``."""

    def order(self, order: Order) -> Future[Answer]: ...

    def listen(self, listener: Listener) -> Callable[[], None]: ...

    def restart(self) -> None: ...


@dataclass(slots=True)
class _Asked:
    """A question on its way. owner: for whom; None: for whoever asked, who stays until the end."""

    then: Then | None
    failed: Failed | None
    owner: QObject | None
    is_owned: bool
    due_ms: int


class Bridge(QObject):
    """See the head of the file."""

    changed = Signal(object)
    """The new ``UiState``."""
    told = Signal(object)
    """Every event but levels and signs of life, in order, before the state that holds it."""
    complained = Signal(object)
    """A ``Fault`` of an order whose asker does not see to its failures."""
    left = Signal()
    """The engine was ended by an order: the window shall go, too."""
    _rung = Signal()
    _came = Signal(int, object)

    def __init__(self, face: FaceLike, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._face = face
        self._state = UiState()
        self._events: deque[object] = deque(maxlen=MOST_WAITING)
        self._is_rung = False
        self._asked: dict[int, _Asked] = {}
        self._numbers = itertools.count(1)
        self._clock = QElapsedTimer()
        self._clock.start()
        self._pulse_ms = 0
        self._rung.connect(self._wake)
        self._came.connect(self._deliver)
        self._frame = self._timer(FRAME_MS, self._draw, once=True)
        self._watch = self._timer(LOOK_MS, self._look, once=False)
        self._watch.start()
        self._sending = Sending(self, self)
        self._forget = face.listen(self._hear)

    @property
    def state(self) -> UiState:
        """How everything stands now."""
        return self._state

    def ask(
        self, order: Order, then: Then | None = None, *, failed: Failed | None = None, owner: QObject | None = None
    ) -> None:
        """Send an order. ``then`` is called with the answer, ``failed`` with a ``Fault``, here, on the Qt thread.

        failed: None: the window tells it. owner: nothing is called when it is gone.
        """
        number = next(self._numbers)
        due = self._clock.elapsed() + int((patience(order) + MARGIN) * 1000)
        self._asked[number] = _Asked(then, failed, owner, owner is not None, due)
        self._face.order(order).add_done_callback(functools.partial(self._answer, number))

    def tend(
        self,
        desk: str,
        action: str,
        given: Mapping[str, object] | None = None,
        *,
        then: Then | None = None,
        failed: Failed | None = None,
        owner: QObject | None = None,
    ) -> None:
        """Send a request to a desk; as ``ask``."""
        self.ask(Tend(desk, action, given or {}), then, failed=failed, owner=owner)

    def send(
        self,
        desk: str,
        action: str,
        given: Mapping[str, object],
        *,
        failed: Failed | None = None,
        owner: QObject | None = None,
    ) -> None:
        """Send a request whose answer nobody needs: in order, and as soon as the companion can, if it is only starting.

        failed: None, or its owner gone: the window tells it.
        """

        def tell(fault: Fault) -> None:
            is_there = failed is not None and (owner is None or isValid(owner))
            (failed if is_there and failed is not None else self.complained.emit)(fault)

        self._sending.send(desk, action, given, tell)

    def restart(self) -> None:
        """Begin the engine anew, with the settings as they are now. The window stays."""
        self._face.restart()

    def tell(self, event: object) -> None:
        """Take in an event of the window's own, as if the engine had told it."""
        self._hear(event)

    def begin_with(self, state: UiState) -> None:
        """Take a state for that of now, as for a picture: no sign of life is waited for."""
        self._watch.stop()
        self._set(state)

    def close(self) -> None:
        """Hear nothing more, and forget who waits. May be called twice."""
        self._forget()
        self._watch.stop()
        self._frame.stop()
        self._asked.clear()
        self._events.clear()

    # -- events, from any thread

    def _hear(self, event: object) -> None:
        if isinstance(event, Pulse):
            self._pulse_ms = self._clock.elapsed()
        if _is_nothing_new(event, self._state):
            return  # nobody shows it, and a quiet room shall cost nothing
        self._events.append(event)
        if not self._is_rung:
            self._is_rung = True
            self._rung.emit()

    # -- events, here

    @Slot()
    def _wake(self) -> None:
        if not self._frame.isActive():
            self._frame.start()

    def _draw(self) -> None:
        """Take in all that came, and tell the state once."""
        self._is_rung = False
        state = self._state
        for event in self._taken():
            state = self._reduced(state, event)
        self._set(state)

    def _taken(self) -> list[object]:
        taken: list[object] = []
        level: Level | None = None
        while self._events:
            event = self._events.popleft()
            if isinstance(event, Level):
                level = event
            else:
                taken.append(event)
        return taken if level is None else [*taken, level]

    def _reduced(self, state: UiState, event: object) -> UiState:
        state = reduce(state, event)
        if not isinstance(event, Level | Pulse):
            self.told.emit(event)
        return state

    def _set(self, state: UiState) -> None:
        if state == self._state:
            return
        was, self._state = self._state, state
        if state.engine is Engine.STARTING and was.engine is not Engine.STARTING:
            self._pulse_ms = self._clock.elapsed()
        self.changed.emit(state)
        if _is_left(state) and not _is_left(was):
            self.left.emit()

    def _look(self) -> None:
        """Has the engine stalled, and is any answer overdue?"""
        now = self._clock.elapsed()
        if self._state.engine is Engine.RUNNING and now - self._pulse_ms > FROZEN_AFTER_MS:
            self._set(reduce(self._state, Stalled()))
        for number in [number for number, asked in self._asked.items() if asked.due_ms < now]:
            asked = self._asked.pop(number)
            self._fail(
                asked, Fault(self.tr("The companion does not answer."), self.tr("Wait a moment, or restart it."))
            )

    # -- answers

    def _answer(self, number: int, answer: Future[Answer]) -> None:
        """On the engine's thread."""
        if isValid(self):
            self._came.emit(number, answer)

    @Slot(int, object)
    def _deliver(self, number: int, answer: Future[Answer]) -> None:
        asked = self._asked.pop(number, None)
        if asked is None:
            return
        try:
            result = answer.result(timeout=0)
        except CompanionError as error:
            self._fail(asked, Fault(str(error), error.mend))
        except (CancelledError, TimeoutError):
            self._fail(
                asked, Fault(self.tr("The companion was restarted before it could answer."), self.tr("Try again."))
            )
        except Exception as error:  # noqa: BLE001 - whatever it was, a person sees a sentence
            told = self.tr("Something went wrong inside ({kind}).").format(kind=type(error).__name__)
            self._fail(asked, Fault(told, self.tr("The log tells more.")))
        else:
            if asked.then is not None and _is_there(asked):
                asked.then(result)

    def _fail(self, asked: _Asked, fault: Fault) -> None:
        if not _is_there(asked):
            return
        if asked.failed is not None:
            asked.failed(fault)
        else:
            self.complained.emit(fault)

    def _timer(self, milliseconds: int, work: Callable[[], None], *, once: bool) -> QTimer:
        timer = QTimer(self)
        timer.setInterval(milliseconds)
        timer.setSingleShot(once)
        timer.timeout.connect(work)
        return timer


def _is_nothing_new(event: object, state: UiState) -> bool:
    """Whether it changes nothing that is seen: how loud it is while nobody listens, one more sign of life."""
    if isinstance(event, Level):
        return state.mark is not Mark.LISTENING
    return isinstance(event, Pulse) and state.engine is Engine.RUNNING


def _is_left(state: UiState) -> bool:
    """Whether the engine has ended because somebody ordered it."""
    return state.engine is Engine.ENDED and state.ended is None


def _is_there(asked: _Asked) -> bool:
    return not asked.is_owned or (asked.owner is not None and isValid(asked.owner))
