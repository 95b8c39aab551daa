"""Watches the turn machine's orders and calls every foul."""

from __future__ import annotations

from companion.voice.cues import Cue, EarsLost, MuteTurned, ReplyEnded, ReplyFailed, Silence, Tick, Voice
from companion.voice.moves import ANNOUNCEMENT_PATIENCE
from companion.voice.orders import (
    Announce,
    Answer,
    Duck,
    Forget,
    Hush,
    Order,
    Pause,
    Prepare,
    Recognise,
    Resume,
    Tell,
    Unduck,
    Withdraw,
)
from companion.voice.phases import Deciding, Thinking, Turn

EARS_HUNG = 0.2
"""Seconds without a word from the ears after which a voice no longer counts as going on."""


class Referee:
    """Knows what is open: one attempt, and the replies with how they stand."""

    def __init__(self) -> None:
        self.attempt = 0
        self.prepared = 0
        self.replies: dict[int, str] = {}
        """Open replies: "on", "ducked" or "paused"."""
        self.talking = False
        self._voice_at = 0.0
        self._ended_ducked = 0

    def watch(self, before: Turn, cue: Cue, orders: tuple[Order, ...]) -> None:
        self._follow(before, cue)
        for order in orders:
            self._judge(order)
            if self.talking and isinstance(order, Answer | Resume | Announce | Tell):
                assert not _speaks(order) or _is_excused(before, cue), f"{order} while the user speaks"

    def _follow(self, before: Turn, cue: Cue) -> None:
        match cue:
            case Voice() if not before.deaf and not before.muted:
                self.talking, self._voice_at = True, cue.at
            case Tick(at) if at - self._voice_at >= EARS_HUNG:
                self.talking = False
            case Silence() | EarsLost() | MuteTurned(on=True):
                self.talking = False
            case ReplyEnded(_, reply) | ReplyFailed(_, reply) if reply in self.replies:
                if self.replies[reply] == "ducked":
                    self._ended_ducked = reply
                else:
                    del self.replies[reply]
            case _:
                pass

    def _judge(self, order: Order) -> None:
        match order:
            case Recognise() | Forget() | Prepare() | Answer():
                self._judge_attempt(order)
            case Tell(reply) | Announce(reply):
                assert not self.replies, "two replies at once"
                if _speaks(order):
                    self.replies[reply] = "on"
            case Withdraw(reply) | Hush(reply):
                assert reply in self.replies, "ended what was not there"
                del self.replies[reply]
            case Duck(reply):
                self._move(reply, {"on"}, "ducked")
            case Unduck(reply):
                self._move(reply, {"ducked"}, "on")
                if reply == self._ended_ducked:
                    del self.replies[reply]
            case Pause(reply):
                self._move(reply, {"on", "ducked"}, "paused")
            case Resume(reply):
                self._move(reply, {"paused"}, "on")

    def _judge_attempt(self, order: Recognise | Forget | Prepare | Answer) -> None:
        match order:
            case Recognise(attempt):
                assert attempt > self.attempt
                self.attempt, self.prepared = attempt, 0
            case Forget(attempt):
                assert attempt == self.attempt, "forgot what was not there"
                self.attempt = self.prepared = 0
            case Prepare(attempt):
                assert attempt == self.attempt
                assert not self.prepared
                assert not self.replies, "prepared before the reply it interrupts was settled"
                self.prepared = attempt
            case Answer(attempt):
                assert attempt == self.attempt
                assert not self.replies, "two replies at once"
                self.attempt = self.prepared = 0
                self.replies[attempt] = "on"

    def _move(self, reply: int, from_: set[str], to: str) -> None:
        assert self.replies.get(reply) in from_, f"reply {reply} is {self.replies.get(reply)}"
        self.replies[reply] = to


def _speaks(order: Order) -> bool:
    return not isinstance(order, Tell) or order.aloud


def _is_excused(before: Turn, cue: Cue) -> bool:
    """Speech over a voice that is not, or no longer, the turn's: it was closed, or the room never falls silent."""
    if isinstance(before.phase, Deciding | Thinking) and before.phase.talk.closed:
        return True
    return any(cue.at - item.at >= ANNOUNCEMENT_PATIENCE for item in before.waiting)
