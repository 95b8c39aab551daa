"""Whatever is told, in whatever order: the state of the window and its list of turns take it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as some

from companion.app.events import (
    EngineEnded,
    EngineStarted,
    Finished,
    Problem,
    Progress,
    Pulse,
    Raised,
    Ready,
    Shown,
    Solved,
    Typed,
    Unanswered,
)
from companion.app.turn_log import TurnRecord, TurnRecorded
from companion.app.turn_notes import TurnNote, TurnNoted, Verdict
from companion.ui.pages.talk.model import TurnModel
from companion.ui.state import MOST_PROBLEMS, MOST_TASKS, Mark, Stalled, UiState, reduce
from companion.ui.transcript import MOST
from companion.voice.events import (
    AnswerStarted,
    Asked,
    Exchanged,
    HeardText,
    Level,
    Speaking,
    Spoken,
    State,
    StateChanged,
    TakenBack,
    Trouble,
    Writing,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)

texts = some.sampled_from(
    ["", " ", "hello", "hello there", "<b>bold</b>", "\ud800", "a\0b", "\u202eabc", "😀 two", "x" * 5000]
)
turns = some.integers(-1, 3)
times = some.builds(lambda minutes: NOON + timedelta(minutes=minutes), some.integers(0, 3))
verdicts = some.sampled_from(list(Verdict))
numbers = some.sampled_from([0.0, -5.0, 1.0, 1e300, float("nan"), float("inf")])
events = some.one_of(
    some.sampled_from([EngineStarted(), EngineEnded(), EngineEnded("it broke"), Pulse(), Stalled(), Raised()]),
    some.builds(StateChanged, some.sampled_from(list(State)), some.sampled_from(["", "announcement", "apology"])),
    some.builds(HeardText, texts, texts, some.booleans()),
    some.builds(Typed, texts),
    some.builds(Asked, turn=turns, text=texts, language=texts, spoken=some.booleans()),
    some.builds(TakenBack, turns),
    some.builds(Writing, turns, texts),
    some.builds(Speaking, texts),
    some.builds(Spoken, texts, some.booleans()),
    some.builds(
        Exchanged,
        turn=turns, text=texts, written=texts, heard=texts, whole=some.booleans(), spoken=some.booleans(),
    ),
    some.builds(Unanswered, texts, texts, texts),
    some.builds(Trouble, texts, texts),
    some.builds(AnswerStarted, texts),
    some.builds(Shown, texts),
    some.builds(Level, numbers),
    some.builds(Ready, texts, numbers),
    some.builds(Problem, texts, texts, texts),
    some.builds(Solved, texts),
    some.builds(Progress, texts, numbers, numbers, numbers, texts),
    some.builds(Finished, texts, texts, texts),
    some.builds(lambda at, turn, asked: TurnRecorded(TurnRecord(at, turn, asked, spoken=True)), times, turns, texts),
    some.builds(lambda at, asked, verdict: TurnNoted(TurnNote(at, asked, "", verdict)), times, texts, verdicts),
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(some.lists(events, max_size=80))
def test_events_of_any_kind_in_any_order_are_taken_in(told: list[object]) -> None:
    state, model = UiState(), TurnModel()
    for event in told:
        state = reduce(state, event)
        model.follow(state.transcript)

        assert state.mark in Mark
        assert model._live == state.transcript.rows
        assert model.rowCount() == state.transcript.gone + len(state.transcript.rows)
        for place in range(model.rowCount()):
            assert isinstance(model.spoken(model.row(place)), str)


def test_a_day_of_talking_stays_within_its_bounds() -> None:
    state, model = UiState(), TurnModel()
    for number in range(1500):
        for event in (
            HeardText(f"question {number}", "en", final=True),
            Asked(text=f"question {number}", language="en", turn=number + 1, spoken=True),
            Problem(f"topic {number}", "it broke"),
            Progress(f"task {number}", 1, 2),
        ):
            state = reduce(state, event)
        if number % 3 == 0:
            state = reduce(state, EngineStarted() if number % 2 else Pulse())
        model.follow(state.transcript)

    assert len(state.transcript.rows) <= MOST
    assert len(state.problems) <= MOST_PROBLEMS
    assert len(state.tasks) <= MOST_TASKS
    assert model.rowCount() == 1500
