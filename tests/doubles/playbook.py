"""A dialogue with the turn machine: what the ears hear, what the helpers say, what is ordered."""

from __future__ import annotations

from typing import TypeVar

from companion.voice.cues import (
    Cue,
    EarsBack,
    EarsLost,
    FirstToken,
    Judged,
    Recognised,
    ReplyBegan,
    ReplyEnded,
    Silence,
    Tick,
    Voice,
    Woken,
)
from companion.voice.orders import Order, Recognise
from companion.voice.phases import Rules, Turn
from companion.voice.turn import step

PIECE = 0.01
O = TypeVar("O")  # noqa: E741 - an order


class Playbook:
    """Steps a machine through time, piece of sound by piece of sound."""

    def __init__(self, rules: Rules | None = None) -> None:
        self.turn = Turn(rules or Rules())
        self.at = 0.0
        self.orders: list[Order] = []
        self.log: list[tuple[float, Order]] = []
        self._since = 0.0
        self._speaking = False

    @property
    def phase(self) -> object:
        return self.turn.phase

    def tell(self, cue: Cue) -> Playbook:
        self.turn, orders = step(self.turn, cue)
        self.orders += orders
        self.log += [(self.at, order) for order in orders]
        return self

    def voice(self, seconds: float) -> Playbook:
        return self._hear(seconds, speaking=True)

    def silence(self, seconds: float) -> Playbook:
        return self._hear(seconds, speaking=False)

    def _hear(self, seconds: float, *, speaking: bool) -> Playbook:
        if speaking is not self._speaking:
            self._speaking, self._since = speaking, self.at
        for _ in range(round(seconds / PIECE)):
            self.at = round(self.at + PIECE, 6)
            self.tell(Voice(self.at, self._since) if speaking else Silence(self.at, self._since))
        return self

    def ticks(self, seconds: float) -> Playbook:
        """Time goes by while the ears say nothing."""
        for _ in range(round(seconds / 0.1)):
            self.at = round(self.at + 0.1, 6)
            self.tell(Tick(self.at))
        return self

    def wake(self) -> Playbook:
        return self.tell(Woken(self.at, self.at))

    def recognised(self, text: str, *, command: bool = False, own: bool = False) -> Playbook:
        return self.tell(Recognised(self.at, self.attempt, text, "en", command, own=own))

    def judged(self, complete: float) -> Playbook:
        return self.tell(Judged(self.at, self.attempt, complete))

    def begun(self) -> Playbook:
        """The newest reply is heard."""
        return self.tell(FirstToken(self.at, self.turn.count)).tell(ReplyBegan(self.at, self.turn.count))

    def ended(self, *, follow_up: bool = True) -> Playbook:
        return self.tell(ReplyEnded(self.at, self.turn.count, follow_up))

    def lose_ears(self) -> Playbook:
        return self.tell(EarsLost(self.at))

    def find_ears(self) -> Playbook:
        return self.tell(EarsBack(self.at))

    @property
    def attempt(self) -> int:
        return self.last(Recognise).attempt

    def last(self, kind: type[O]) -> O:
        return next(order for order in reversed(self.orders) if isinstance(order, kind))

    def count(self, kind: type) -> int:
        return sum(isinstance(order, kind) for order in self.orders)

    def when(self, kind: type) -> float:
        """When the newest order of that kind was given."""
        return next(at for at, order in reversed(self.log) if isinstance(order, kind))

    # -- usual openings

    def asked(self, text: str = "what is the tallest mountain") -> Playbook:
        """The user has woken it and asked; it is thinking."""
        self.silence(0.5).wake().silence(0.2).voice(1.0).silence(0.2).recognised(text).judged(0.9)
        return self.silence(0.3)

    def replying(self) -> Playbook:
        """It is saying its answer, and the canceller has settled."""
        return self.asked().begun().silence(0.5)
