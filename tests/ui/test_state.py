"""What the window knows, event by event."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as some

from companion.app.events import (
    EngineEnded,
    EngineStarted,
    Finished,
    ModelLoaded,
    Problem,
    Progress,
    Pulse,
    Raised,
    Ready,
    Served,
    SettingsChanged,
    Shown,
    Solved,
    WentOut,
)
from companion.model import ModelReport
from companion.ui.state import (
    MOST_HOSTS,
    MOST_MODELS,
    MOST_PROBLEMS,
    MOST_STEPS,
    MOST_TASKS,
    MOST_WAITING,
    QUIET,
    Engine,
    Fault,
    Live,
    Mark,
    Stalled,
    UiState,
    reduce,
)
from companion.voice.events import (
    AnswerStarted,
    HeardText,
    Level,
    Speaking,
    Spoken,
    State,
    StateChanged,
    Trouble,
    Woken,
)


def after(*events: object, state: UiState | None = None) -> UiState:
    now = state or UiState()
    for event in events:
        now = reduce(now, event)
    return now


def test_it_is_starting_until_the_engine_gives_a_sign_of_life() -> None:
    assert UiState().engine is Engine.STARTING
    assert after(Pulse()).engine is Engine.RUNNING


def test_ready_opens_the_ears_and_names_the_wake_word() -> None:
    state = after(Pulse(), Ready("okay nabu", 1.5))

    assert state.is_ready
    assert state.wake_word == "okay nabu"


@pytest.mark.parametrize(
    ("phase", "mark"),
    [
        (State.ASLEEP, Mark.ASLEEP),
        (State.LISTENING, Mark.LISTENING),
        (State.HEARING, Mark.LISTENING),
        (State.DECIDING, Mark.THINKING),
        (State.THINKING, Mark.THINKING),
        (State.SPEAKING, Mark.SPEAKING),
        (State.DUCKED, Mark.SPEAKING),
        (State.MUTED, Mark.MUTED),
        (State.DEAF, Mark.PROBLEM),
    ],
)
def test_every_state_of_the_conversation_has_a_mark(phase: State, mark: Mark) -> None:
    assert after(Pulse(), StateChanged(phase)).mark is mark


def test_words_appear_as_they_are_heard_and_said_and_go_when_the_reply_is_over() -> None:
    heard = after(HeardText("what is", "en", False), HeardText("what is the time", "en", True))
    assert heard.live == Live("what is the time", is_final=True)

    said = after(AnswerStarted("rule"), Speaking("It is"), Speaking(" three. "), state=heard)
    assert said.live == Live("what is the time", is_final=True, source="rule", said="It is three.")

    assert after(Spoken("It is three.", True), state=said).live == Live()


def test_going_to_sleep_quietens_the_level() -> None:
    assert after(StateChanged(State.LISTENING), Level(-20.0)).level == -20.0
    assert after(StateChanged(State.LISTENING), Level(-20.0), StateChanged(State.ASLEEP)).level == QUIET
    assert after(StateChanged(State.ASLEEP), Level(-20.0)).level == QUIET


def test_a_problem_is_told_once_and_goes_when_it_is_solved() -> None:
    twice = after(Problem("voice", "no voice", "Bring one."), Problem("voice", "no voice at all"))
    assert twice.problems == (Fault("no voice at all", "", "voice"),)

    assert after(Solved("voice"), state=twice).problems == ()
    assert after(Solved("something else"), state=twice) == twice


def test_trouble_of_a_turn_goes_with_the_next_turn() -> None:
    troubled = after(Trouble("I could not answer", "Try again."))
    assert troubled.trouble == Fault("I could not answer", "Try again.")

    assert after(HeardText("again", "en", False), state=troubled).trouble is None


def test_work_goes_on_and_ends_well_or_not() -> None:
    going = after(Progress("models.pull a", 10, 40, 30.0, "a.bin"))
    task = going.task("models.pull a")
    assert task is not None
    assert task.share == 0.25
    assert not task.is_over

    good = after(Finished("models.pull a"), state=going).task("models.pull a")
    assert good is not None
    assert good.is_over
    assert good.fault is None

    bad = after(Finished("models.pull a", "the disk is full", "Free some."), state=going).task("models.pull a")
    assert bad is not None
    assert bad.fault == Fault("the disk is full", "Free some.", "models.pull a")


def test_work_of_an_unknown_size_has_no_share() -> None:
    task = after(Progress("index", 3, 0)).task("index")

    assert task is not None
    assert task.share is None


@pytest.mark.parametrize(
    ("done", "total", "share"),
    [
        (-5.0, 1.0, 0.0),
        (5.0, 1.0, 1.0),
        (math.nan, 1.0, None),
        (math.inf, 1.0, None),
        (1.0, math.inf, None),
        (1.0, math.nan, None),
        (1.0, -1.0, None),
    ],
)
def test_a_share_is_a_share_whatever_is_told(done: float, total: float, share: float | None) -> None:
    assert after(Progress("index", done, total)).tasks[0].share == share


def test_a_frozen_engine_is_one_until_it_gives_a_sign_of_life() -> None:
    frozen = after(Pulse(), Stalled())

    assert frozen.engine is Engine.FROZEN
    assert frozen.mark is Mark.PROBLEM
    assert after(Pulse(), state=frozen).engine is Engine.RUNNING


def test_an_engine_that_ends_says_why_unless_it_was_ordered() -> None:
    died = after(Pulse(), EngineEnded("it broke", "Start it again."))
    assert died.engine is Engine.ENDED
    assert died.ended == Fault("it broke", "Start it again.", "engine")
    assert after(Stalled(), state=died).engine is Engine.ENDED

    assert after(Pulse(), EngineEnded()).ended is None


def test_a_new_engine_begins_with_a_clean_slate() -> None:
    state = after(Pulse(), Problem("voice", "none"), Raised(), EngineEnded("broke"), EngineStarted())

    assert state == UiState(raised=1)


def test_who_serves_and_what_left_is_counted() -> None:
    state = after(Served("language_model", "openai"), Served("language_model", ""), Served("voice", "openai"))
    assert dict(state.served) == {"language_model": "", "voice": "openai"}

    out = after(WentOut("openai", "api.example", 10, ("text",)), WentOut("openai", "api.example", 5, ("text",)))
    assert dict(out.sent) == {"api.example": 15}


def test_what_is_shown_and_loaded_is_known() -> None:
    state = after(Shown("a list"), ModelLoaded(ModelReport("whisper", loaded=True, load_seconds=1.0)))

    assert state.shown == "a list"
    assert state.models == ("whisper",)


def test_what_it_does_not_know_changes_nothing() -> None:
    state = after(Pulse())

    assert after(Woken("okay_nabu"), object(), state=state) == state


@given(some.integers(min_value=0, max_value=300))
def test_no_list_grows_without_bound(count: int) -> None:
    state = UiState()
    for number in range(count):
        state = after(
            Problem(f"topic {number}", "wrong"),
            Progress(f"task {number}", 1, 2),
            WentOut("p", f"h{number}", 1, ()),
            Served(f"step {number}", "p"),
            ModelLoaded(ModelReport(f"model {number}", loaded=True)),
            SettingsChanged((), tuple(f"name {one}" for one in range(number))),
            state=state,
        )

    assert len(state.problems) <= MOST_PROBLEMS
    assert len(state.tasks) <= MOST_TASKS
    assert len(state.sent) <= MOST_HOSTS
    assert len(state.served) <= MOST_STEPS
    assert len(state.models) <= MOST_MODELS
    assert len(state.waiting) <= MOST_WAITING
