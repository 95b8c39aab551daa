"""What a scene is: something to draw, the state it is drawn in, and what the desks answer meanwhile."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Any

from PySide6.QtWidgets import QWidget

from companion.app.control import Answer
from companion.app.events import EngineStarted, Listener, Pulse
from companion.app.orders import Order, Tend
from companion.errors import ControlError
from companion.ui.bridge import Bridge
from companion.ui.state import Engine, Fault, UiState
from companion.ui.theme import LEAST_HEIGHT
from companion.ui.window import Window

Answers = Mapping[str, Any]
"""An ``Answer`` or a ``Fault`` by "desk.action", or by the small name of another order, as "ask"."""

AWAKE = UiState(engine=Engine.RUNNING, is_ready=True, wake_word="okay nabu")
"""A companion that waits to be called, with nothing wrong."""
SIZE = (1000, 680)
SMALL_SIZE = (720, LEAST_HEIGHT)


@dataclass(frozen=True, slots=True)
class StillLook:
    """A picture is taken in each of these."""

    is_dark: bool
    percent: int
    language: str


@dataclass(frozen=True)
class Scene:
    """One picture.

    name: of its file. make: builds what is drawn. state: what the bridge has. answers: what the desks say.
    events: told before the picture is taken, as if by the engine. then: what a person has done before it is taken.
    """

    name: str
    make: Callable[[Bridge], QWidget]
    state: UiState = AWAKE
    answers: Answers = field(default_factory=dict)
    events: Sequence[object] = ()
    size: tuple[int, int] = SIZE
    then: Callable[[QWidget], object] | None = None


class StillFace:
    """Stands for the engine in a picture: answers at once from a table. Implements ``bridge.FaceLike``.

    A request that is not in the table is never answered, as by an engine that is busy.
    """

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self.orders: list[Order] = []
        """All that was asked."""
        self.restarts = 0
        self._listeners: list[Listener] = []

    def order(self, order: Order) -> Future[Answer]:
        self.orders.append(order)
        told: Future[Answer] = Future()
        answer = self._answers.get(_name_of(order))
        if isinstance(answer, Fault):
            told.set_exception(ControlError(answer.message, mend=answer.mend))
        elif answer is not None:
            told.set_result(answer)
        elif not isinstance(order, Tend):
            told.set_result({})
        return told

    def listen(self, listener: Listener) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def restart(self) -> None:
        self.restarts += 1
        self.tell(EngineStarted(), Pulse())

    def tell(self, *events: object) -> None:
        """Tell events, as the engine would."""
        for listener in list(self._listeners):
            for event in events:
                listener(event)


def still_bridge(state: UiState = AWAKE, answers: Answers | None = None) -> Bridge:
    """A bridge to nowhere, in a state."""
    bridge = Bridge(StillFace(answers or {}))
    bridge.begin_with(state)
    return bridge


def page_scene(
    place: str,
    name: str,
    *,
    state: UiState = AWAKE,
    answers: Answers | None = None,
    events: Sequence[object] = (),
    size: tuple[int, int] = SIZE,
    then: Callable[[Window], object] | None = None,
) -> Scene:
    """The whole window at a place, as "settings/models". name: of the scene, after the place's."""

    def make(bridge: Bridge) -> QWidget:
        window = Window(bridge)
        window.go(place)
        return window

    def act(widget: QWidget) -> None:
        if then is not None and isinstance(widget, Window):
            then(widget)

    return Scene(f"{place.replace('/', '-')}-{name}", make, state, answers or {}, events, size, act)


def all_scenes() -> list[Scene]:
    """Every scene of every file beside this one, in the order of their names."""
    package = importlib.import_module("companion.ui.scenes")
    found: list[Scene] = []
    for module in pkgutil.iter_modules(package.__path__):
        found += getattr(importlib.import_module(f"companion.ui.scenes.{module.name}"), "SCENES", ())
    return sorted(found, key=lambda scene: scene.name)


NO_MODELS = "there are no models yet; missing: whisper-base, piper-en_US-joe-medium, smollm2-135m"
BRING_THEM = (
    "Run `companion models pull whisper-base piper-en_US-joe-medium smollm2-135m`. Without a network: run it with "
    "`--to /media/stick` on a machine that has one, then with `--from /media/stick` here."
)
"""As the engine says it."""


def in_trouble(message: str, mend: str = "", topic: str = "conversation") -> UiState:
    """The state of a companion with one problem."""
    return replace(AWAKE, problems=(Fault(message, mend, topic),))


def _name_of(order: Order) -> str:
    if isinstance(order, Tend):
        return f"{order.desk}.{order.action}"
    return type(order).__name__.lower()
