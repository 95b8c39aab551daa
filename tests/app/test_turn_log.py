"""What is known of the newest turns: put together from what the house, the voice loop and the agent tell."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from companion.agent.bus import RECALLED, AgentEvent, EventKind
from companion.agent.guests import Failure
from companion.agent.stages import Recalled
from companion.agent.turns import Details, Ending
from companion.app.events import Served, Telling, Typed, Unanswered, WentOut
from companion.app.turn_log import TurnLog, TurnRecord, TurnRecorded
from companion.voice.events import Asked, Exchanged, HeardText, TakenBack, Trouble, TurnTimed, Writing

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Desk:
    """A log, and all that it told."""

    def __init__(self, most: int = 500) -> None:
        self.now = NOON
        self.telling = Telling()
        self.told: list[TurnRecord] = []
        self.telling.subscribe(self._note)
        self.log = TurnLog(self.telling, lambda: self.now, most=most)

    def _note(self, event: object) -> None:
        if isinstance(event, TurnRecorded):
            self.told.append(event.record)

    def tell(self, *events: object) -> None:
        for event in events:
            self.telling.tell(event)

    def talk(self, turn: int, *, heard: str = "At noon.", whole: bool = True) -> None:
        self.tell(HeardText("when is lunch", "en", final=True), Asked(turn, "when is lunch", "en"))
        self.tell(Writing(turn, "At "), TurnTimed(0.5, 0.2, 0.1, 0.3, 0.9), Writing(turn, "noon."))
        self.tell(Exchanged(turn, "when is lunch", "en", "model:smol", "At noon.", heard, whole))

    async def end(self, turn: int, **details: object) -> None:
        """As ``agent.turns`` tells it: what was recalled is told apart from the rest."""
        recalled = details.pop("recalled", ())
        told = Details(turn, Ending.ANSWERED, **details)  # type: ignore[arg-type]
        payload = {"action": "turn_ended", RECALLED: recalled, "details": told}
        await self.log.hear(AgentEvent(EventKind.SYSTEM, "companion", payload, turn=turn))


def test_a_spoken_turn_is_kept_with_its_times_and_who_served_it() -> None:
    desk = Desk()
    desk.tell(Served("language model", ""), Served("recogniser", "Groq"))
    desk.talk(1, heard="At", whole=False)
    (record,) = desk.log.records
    assert (record.asked, record.written, record.said, record.whole) == ("when is lunch", "At noon.", "At", False)
    assert record.seconds == (("wait", 0.5), ("recogniser", 0.2), ("first_token", 0.1), ("first_sound", 0.3))
    assert record.total == 0.9
    assert dict(record.served) == {"language model": "", "recogniser": "Groq"}
    assert record.by_model
    assert desk.told == [record]


async def test_what_was_recalled_comes_after_the_turn_and_is_told_anew() -> None:
    desk = Desk()
    desk.talk(1)
    memory = Recalled("Lunch is at noon.", "graph", 0.9, "it names lunch")
    await desk.end(1, recalled=(memory,), tools=("search",), own_seconds=0.02)
    (record,) = desk.log.records
    assert (record.recalled, record.tools, record.own_seconds) == ((memory,), ("search",), 0.02)
    assert [told.recalled for told in desk.told] == [(), (memory,)]
    assert desk.told[0].at == desk.told[1].at


async def test_what_plugins_did_wrong_is_among_the_problems() -> None:
    desk = Desk()
    desk.talk(1)
    await desk.end(1, failures=(Failure("weather", "on_input", "no network"),))
    assert desk.log.records[0].problems == ("weather: no network",)


def test_what_left_the_house_belongs_to_the_turn_in_which_it_did() -> None:
    desk = Desk()
    out = WentOut("Groq", "api.groq.com", 1200, ("text",))
    desk.tell(out)
    desk.talk(1)
    desk.talk(2)
    assert [record.left for record in desk.log.records] == [(out,), ()]


def test_a_typed_turn_is_timed_to_its_first_word() -> None:
    desk = Desk()
    desk.tell(Typed("when is lunch"))
    desk.now += timedelta(seconds=2)
    desk.tell(Asked(1, "when is lunch", "en", spoken=False), Writing(1, "At noon."))
    desk.now += timedelta(seconds=3)
    desk.tell(Exchanged(1, "when is lunch", "en", "model:smol", "At noon.", "At noon.", True, spoken=False))
    (record,) = desk.log.records
    assert (record.at, record.spoken, record.total) == (NOON, False, 2.0)


def test_two_typed_questions_at_once_are_kept_apart() -> None:
    desk = Desk()
    desk.tell(Typed("one"), Typed("two"), Asked(2, "two", "en", spoken=False), Asked(1, "one", "en", spoken=False))
    for turn, text in ((1, "one"), (2, "two")):
        desk.tell(Exchanged(turn, text, "en", "rule:maths", text.upper(), text.upper(), True, spoken=False))
    assert [(record.asked, record.said) for record in desk.log.records] == [("one", "ONE"), ("two", "TWO")]


def test_a_turn_that_was_taken_back_never_was() -> None:
    desk = Desk()
    desk.tell(HeardText("tell me", "en", final=True), Asked(1, "tell me", "en"), TakenBack(1))
    desk.talk(2)
    assert [record.turn for record in desk.log.records] == [2]


def test_a_question_that_could_not_be_answered_is_kept_with_the_reason() -> None:
    desk = Desk()
    desk.tell(HeardText("when is lunch", "en", final=True), Trouble("I could not think of an answer."))
    desk.tell(Typed("and dinner"), Unanswered("and dinner", "the model does not load"))
    spoken, typed = desk.log.records
    assert (spoken.ending, spoken.problems) == ("failed", ("I could not think of an answer.",))
    assert (typed.ending, typed.problems) == ("failed", ("the model does not load",))


def test_trouble_in_the_middle_stays_with_its_turn() -> None:
    desk = Desk()
    desk.tell(HeardText("when", "en", final=True), Asked(1, "when", "en"), Writing(1, "At"), Trouble("It broke off."))
    desk.tell(Exchanged(1, "when", "en", "model:smol", "At", "", False))
    assert desk.log.records[0].problems == ("It broke off.",)


@pytest.mark.parametrize("turns", [3, 700])
def test_only_the_newest_are_kept(turns: int) -> None:
    desk = Desk(most=500)
    for turn in range(1, turns + 1):
        desk.talk(turn)
    assert len(desk.log.records) == min(turns, 500)
    assert desk.log.records[-1].turn == turns
    assert len({record.at for record in desk.log.records}) == len(desk.log.records), "each has a time of its own"


async def test_when_something_was_forgotten_what_was_recalled_is_known_no_more() -> None:
    desk = Desk()
    desk.talk(1)
    await desk.end(1, recalled=(Recalled("Lunch is at noon.", "graph", 0.9, "it names lunch"),))

    await desk.log.forget_recalled()

    assert desk.log.records[0].recalled == (Recalled("", ""),)
    assert desk.told[-1] == desk.log.records[0]
