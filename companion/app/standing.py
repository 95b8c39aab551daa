"""What is to be said of a running companion whenever somebody asks: what is wrong, who serves which step, what has left
the house, and how long the last turn took. Nothing of it is private.
"""

from __future__ import annotations

from dataclasses import asdict

from companion.app.control import Answer
from companion.app.events import Problem, Served, Solved, Telling, WentOut
from companion.voice.events import AnswerStarted, TurnTimed

THIS_MACHINE = "this machine"


class Standing:
    """Follows the events of a house."""

    def __init__(self, telling: Telling) -> None:
        self._problems: dict[str, str] = {}
        self._servers: dict[str, str] = {}
        self._sent: dict[str, int] = {}
        """Bytes since the start, by host."""
        self._turns = 0
        self._answer_from = ""
        self._timed: TurnTimed | None = None
        telling.subscribe(self._note)

    def told(self) -> Answer:
        """As JSON has it."""
        return {
            "problems": list(self._problems.values()),
            "served_by": dict(self._servers),
            "sent_bytes": dict(self._sent),
            "last_turn": self._last_turn(),
        }

    def wrong_with(self, *topics: str) -> list[str]:
        """What is wrong with these now."""
        return [self._problems[topic] for topic in topics if topic in self._problems]

    def _last_turn(self) -> dict[str, object]:
        """How long its steps took; what was said in it stays private."""
        timed = asdict(self._timed) if self._timed is not None else {}
        return {"number": self._turns, "source": self._answer_from, **timed}

    def _note(self, event: object) -> None:
        match event:
            case Problem(topic, message, mend):
                self._problems[topic] = f"{message.removesuffix('.')}. {mend[:1].upper()}{mend[1:]}".strip()
            case Solved(topic):
                self._problems.pop(topic, None)
            case Served(step, name):
                self._servers[step] = name or THIS_MACHINE
            case WentOut(_, host, size):
                self._sent[host] = self._sent.get(host, 0) + size
            case AnswerStarted(source):
                self._answer_from = source
            case TurnTimed():
                self._turns += 1
                self._timed = event
            case _:
                pass
