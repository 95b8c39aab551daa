"""What is to be known of the newest turns: what was heard and said, who served it, how long each step took, what was
recalled and why, what left the house. In memory only; what is kept of it for later stands in ``kept_turns``.

It follows the events of the house and those of the agent. A turn is told as ``TurnRecorded`` when it is over, and again
when what follows it is known; the newest telling counts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from companion.agent.bus import RECALLED, AgentEvent
from companion.agent.stages import Recalled
from companion.agent.turns import Details, Ending
from companion.app.events import Served, Telling, Typed, Unanswered, WentOut
from companion.app.minding.doomed import Doomed, SaidTurn
from companion.compose.entry import GONE
from companion.voice.events import Asked, Exchanged, HeardText, TakenBack, Trouble, TurnTimed, Writing

MOST = 500
"""Turns that are kept."""
MOST_OPEN = 32
"""Turns under way."""
MOST_OUT = 100
"""Things that left the house in one turn."""
MODEL = "model:"


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One turn. Private.

    at: local time of the question; no two turns have the same. turn: the agent's number; 0 where it got to none.
    said: what was really heard of what was ``written``, or shown of it.
    served: who served each step; an empty name is this machine. seconds: of each step, in order.
    ending: as ``agent.turns.Ending``. left: what went out of the house since the turn before.
    """

    at: datetime
    turn: int
    asked: str
    spoken: bool
    language: str = ""
    written: str = ""
    said: str = ""
    whole: bool = True
    source: str = ""
    served: tuple[tuple[str, str], ...] = ()
    seconds: tuple[tuple[str, float], ...] = ()
    total: float = 0.0
    """Seconds from the end of the question to the first sound, or to the first word where it was typed."""
    own_seconds: float = 0.0
    """What the companion itself took until the model was asked."""
    recalled: tuple[Recalled, ...] = ()
    tools: tuple[str, ...] = ()
    left: tuple[WentOut, ...] = ()
    problems: tuple[str, ...] = ()
    ending: str = Ending.ANSWERED.value
    ended: datetime | None = None
    """Local time at which the answer had been given; the conversation on disk knows the turn by it."""

    @property
    def by_model(self) -> bool:
        """Whether a language model has answered."""
        return self.source.startswith(MODEL)


@dataclass(frozen=True, slots=True)
class TurnRecorded:
    """A turn is over, or more of it is known. Private."""

    record: TurnRecord


class TurnLog:
    """Keeps the newest turns. clock: the local time, with its zone."""

    def __init__(self, telling: Telling, clock: Callable[[], datetime], *, most: int = MOST) -> None:
        self._telling = telling
        self._clock = clock
        self._records: deque[TurnRecord] = deque(maxlen=most)
        self._open: dict[int, TurnRecord] = {}
        self._waiting: TurnRecord | None = None
        """What was said, until its turn has a number."""
        self._typed: list[TurnRecord] = []
        self._served: dict[str, str] = {}
        self._out: deque[WentOut] = deque(maxlen=MOST_OUT)
        telling.subscribe(self._follow)

    @property
    def records(self) -> tuple[TurnRecord, ...]:
        """The newest turns, oldest first."""
        return tuple(self._records)

    async def hear(self, event: AgentEvent) -> None:
        """Take in what the agent tells of itself."""
        details = event.payload.get("details")
        if event.payload.get("action") != "turn_ended" or not isinstance(details, Details):
            return
        recalled = event.payload.get(RECALLED)
        details = replace(details, recalled=recalled if isinstance(recalled, tuple) else ())
        if (record := self._open.get(details.turn)) is not None:
            self._open[details.turn] = _detailed(record, details)
        elif (place := self._place(details.turn)) is not None:
            self._change(place, _detailed(self._records[place], details))

    async def forget_recalled(self) -> None:
        """Something was forgotten for good, so what was recalled is known no more."""
        self._open = {turn: forgotten(record) for turn, record in self._open.items()}
        for place, record in enumerate(self._records):
            if record.recalled:
                self._change(place, forgotten(record))

    async def forget(self, doomed: Doomed) -> Sequence[SaidTurn]:
        """Let go of what was said in turns that are to be forgotten; which they were."""
        gone: list[SaidTurn] = []
        for place, record in enumerate(self._records):
            turn = SaidTurn("", "", (record.asked,), (record.written, record.said))
            if record.asked != GONE and doomed.has(turn):
                gone.append(turn)
                self._change(place, replace(forgotten(record), asked=GONE, written=GONE, said=GONE))
        return gone

    # -- the house

    def _follow(self, event: object) -> None:
        match event:
            case Served(step, name):
                self._served[step] = name
            case WentOut():
                self._out.append(event)
            case HeardText(text, language, final=True):
                self._waiting = TurnRecord(self._now(), 0, text, spoken=True, language=language)
            case Typed(text):
                self._typed = [*self._typed, TurnRecord(self._now(), 0, text, spoken=False)][-MOST_OPEN:]
            case _:
                self._follow_turn(event)

    def _follow_turn(self, event: object) -> None:
        match event:
            case Asked():
                self._begin(event)
            case TakenBack(turn):
                self._waiting = None
                self._open.pop(turn, None)
            case Writing(turn):
                self._first_words(turn)
            case TurnTimed():
                self._time(event)
            case Exchanged():
                self._end(event)
            case Trouble(message):
                self._fail(message)
            case Unanswered(text, problem):
                self._keep(replace(self._taken(text), ending=Ending.FAILED.value, problems=(problem,)))
            case _:
                pass

    def _begin(self, asked: Asked) -> None:
        if asked.spoken:
            begun, self._waiting = self._waiting, None
        else:
            begun = self._taken(asked.text)
        begun = begun or TurnRecord(self._now(), 0, asked.text, asked.spoken)
        while len(self._open) >= MOST_OPEN:
            del self._open[next(iter(self._open))]
        self._open[asked.turn] = replace(begun, turn=asked.turn, language=asked.language)

    def _taken(self, text: str) -> TurnRecord:
        """The typed question of these words that has waited longest."""
        found = next((one for one in self._typed if one.asked == text), None)
        if found is None:
            return TurnRecord(self._now(), 0, text, spoken=False)
        self._typed.remove(found)
        return found

    def _first_words(self, turn: int) -> None:
        record = self._open.get(turn)
        if record is not None and not record.spoken and not record.seconds:
            waited = (self._clock() - record.at).total_seconds()
            self._open[turn] = replace(record, seconds=(("first_token", waited),), total=waited)

    def _time(self, timed: TurnTimed) -> None:
        speaking = next((one for one in reversed(self._open.values()) if one.spoken), None)
        if speaking is not None:
            steps = ("wait", "recogniser", "first_token", "first_sound")
            seconds = tuple((step, float(getattr(timed, step))) for step in steps)
            self._open[speaking.turn] = replace(speaking, seconds=seconds, total=timed.total)

    def _end(self, over: Exchanged) -> None:
        record = self._open.pop(over.turn, None) or TurnRecord(self._now(), over.turn, over.text, over.spoken)
        record = replace(record, asked=over.text, written=over.written, said=over.heard, whole=over.whole)
        self._keep(replace(record, source=over.source, language=over.language))

    def _fail(self, message: str) -> None:
        """Something went wrong in the turn that is spoken."""
        if self._waiting is not None:
            failed, self._waiting = self._waiting, None
            self._keep(replace(failed, ending=Ending.FAILED.value, problems=(message,)))
            return
        speaking = next((one for one in reversed(self._open.values()) if one.spoken), None)
        if speaking is not None:
            self._open[speaking.turn] = replace(speaking, problems=(*speaking.problems, message))

    def _keep(self, record: TurnRecord) -> None:
        record = replace(record, served=tuple(self._served.items()), left=tuple(self._out), ended=self._clock())
        self._out.clear()
        self._records.append(record)
        self._telling.tell(TurnRecorded(record))

    def _change(self, place: int, record: TurnRecord) -> None:
        self._records[place] = record
        self._telling.tell(TurnRecorded(record))

    def _place(self, turn: int) -> int | None:
        """Where a turn stands; the newest of that number."""
        places = (place for place in range(len(self._records) - 1, -1, -1) if self._records[place].turn == turn)
        return next(places, None) if turn else None

    def _now(self) -> datetime:
        """The time, a little later than that of any other turn."""
        now = self._clock()
        newest = [*self._typed[-1:], *list(self._records)[-1:], *list(self._open.values())[-1:]]
        if self._waiting is not None:
            newest.append(self._waiting)
        return max([now, *(one.at + one.at.resolution for one in newest)])


def forgotten(record: TurnRecord) -> TurnRecord:
    """The turn without the words of what was recalled for it; that there was something stays."""
    return replace(record, recalled=tuple(Recalled("", "") for _ in record.recalled))


def _detailed(record: TurnRecord, details: Details) -> TurnRecord:
    failures = tuple(f"{one.owner}: {one.reason}" for one in details.failures)
    problems = tuple(dict.fromkeys((*record.problems, *failures)))
    ending = record.ending if record.ending == Ending.FAILED else details.ending.value
    return replace(
        record,
        recalled=details.recalled,
        tools=details.tools,
        own_seconds=details.own_seconds,
        problems=problems,
        ending=ending,
    )
