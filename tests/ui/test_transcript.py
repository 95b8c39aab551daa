"""The conversation as it is shown, event by event."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from companion.app.events import EngineStarted, Shown, Typed, Unanswered
from companion.app.turn_log import TurnRecord, TurnRecorded
from companion.app.turn_notes import TurnNote, TurnNoted, Verdict
from companion.ui.state import UiState, reduce
from companion.ui.transcript import MOST, Row, Stage, Transcript, follow, heard_to
from companion.voice.events import (
    Asked,
    Exchanged,
    HeardText,
    Ignored,
    Speaking,
    Spoken,
    State,
    StateChanged,
    TakenBack,
    Trouble,
    Writing,
)
from companion.voice.orders import Reason

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def after(*events: object, before: Transcript | None = None) -> Transcript:
    transcript = before or Transcript()
    for event in events:
        transcript = follow(transcript, event)
    return transcript


def hearing(text: str, *, final: bool = False) -> HeardText:
    return HeardText(text, "en", final=final)


ASKED = (hearing("tell me a story", final=True), Asked(1, "tell me a story", "en"))
OVER = Exchanged(1, "tell me a story", "en", "model:smol", "Once upon a time. The end.", "Once upon", whole=False)


def test_words_appear_as_they_are_heard_and_become_a_question() -> None:
    one = after(hearing("tell me"))
    assert one.rows == (Row("tell me", stage=Stage.HEARING),)
    two = after(hearing("tell me a story"), hearing("tell me a story", final=True), before=one)
    assert two.rows == (Row("tell me a story", stage=Stage.WAITING),)


@pytest.mark.parametrize(
    "event", [StateChanged(State.ASLEEP), StateChanged(State.LISTENING), Ignored(Reason.TOO_MANY_ANNOUNCEMENTS)]
)
def test_words_that_come_to_nothing_go_again(event: object) -> None:
    assert after(hearing("well"), event).rows == ()


def test_a_question_that_is_stopped_before_anybody_could_answer_waits_no_longer() -> None:
    asked = hearing("tell me a story", final=True)
    assert after(asked, StateChanged(State.THINKING)).rows[0].stage is Stage.WAITING
    (row,) = after(asked, StateChanged(State.THINKING), StateChanged(State.ASLEEP)).rows
    assert (row.stage, row.interrupted) == (Stage.OVER, True)


def test_a_question_without_words_is_none() -> None:
    assert after(hearing(" ", final=True), Asked(1, " ", "en"), Writing(1, "Pardon?")).rows == ()


def test_its_own_voice_is_not_shown_as_the_users_words() -> None:
    transcript = after(*ASKED, StateChanged(State.SPEAKING, "answer"), hearing("once upon"))
    assert len(transcript.rows) == 1


def test_an_answer_is_written_ahead_of_what_is_said() -> None:
    transcript = after(*ASKED, Writing(1, "Once upon a time. "), Writing(1, "The end."), Speaking("Once upon a time. "))
    (row,) = transcript.rows
    assert row.answer == "Once upon a time. The end."
    assert row.answer[: row.said_to] == "Once upon a time."


def test_a_piece_that_is_said_again_moves_nothing_back() -> None:
    said = (Writing(1, "One. Two. Three."), Speaking("One."), Speaking("Two."), Speaking("Two."))
    (row,) = after(*ASKED, *said).rows
    assert row.answer[: row.said_to] == "One. Two."


def test_after_an_interruption_it_is_known_what_was_not_heard() -> None:
    (row,) = after(*ASKED, Writing(1, OVER.written), OVER).rows
    assert (row.stage, row.interrupted) == (Stage.OVER, True)
    assert row.answer[row.said_to :] == " a time. The end."


@pytest.mark.parametrize(
    ("written", "heard", "rest"),
    [
        ("Once upon a time.", "Once upon", " a time."),
        ("One.\n\nTwo.", "One. Two.", ""),
        ("One.", "", "One."),
        ("It costs $5.", "It costs five", "$5."),
        ("你好。再见。", "你好。", "再见。"),
    ],
)
def test_what_was_heard_ends_somewhere_in_what_was_written(written: str, heard: str, rest: str) -> None:
    assert written[heard_to(written, heard) :] == rest


def test_a_question_that_goes_on_is_shown_as_being_heard_again() -> None:
    transcript = after(*ASKED, Writing(1, "Once"), TakenBack(1))
    assert transcript.rows == (Row("tell me a story", stage=Stage.HEARING),)
    joined = after(hearing("tell me a story about cats", final=True), Asked(2, "…", "en"), before=transcript)
    assert [(row.asked, row.turn) for row in joined.rows] == [("tell me a story about cats", 2)]


def test_typed_answers_are_shown_as_they_are_written_each_under_its_question() -> None:
    asked = (Typed("one"), Typed("two"), Asked(2, "two", "en", spoken=False), Asked(1, "one", "en", spoken=False))
    first, second = after(*asked, Writing(1, "Uno"), Writing(2, "Dos")).rows
    assert (first.asked, first.answer, first.said_to) == ("one", "Uno", 3)
    assert (second.asked, second.answer, second.stage) == ("two", "Dos", Stage.ANSWERING)


def test_a_typed_question_without_an_answer_says_why() -> None:
    (row,) = after(Typed("one"), Unanswered("one", "the model does not load")).rows
    assert (row.stage, row.problem) == (Stage.OVER, "the model does not load")


def test_a_spoken_question_without_an_answer_says_why() -> None:
    (row,) = after(hearing("one", final=True), Trouble("I could not think of an answer.")).rows
    assert (row.stage, row.problem) == (Stage.OVER, "I could not think of an answer.")


def test_an_announcement_is_a_row_of_its_own_and_an_apology_is_none() -> None:
    said = (StateChanged(State.SPEAKING, "announcement"), Speaking("The tea "), Speaking("is ready."))
    (row,) = after(*said, Spoken("The tea is ready.", whole=True)).rows
    assert (row.is_news, row.answer, row.stage) == (True, "The tea is ready.", Stage.OVER)
    sorry = (StateChanged(State.SPEAKING, "apology"), Speaking("Sorry."), Spoken("Sorry.", whole=True))
    assert after(*sorry).rows == ()


def test_an_announcement_that_is_only_shown_is_a_row_too() -> None:
    said = (StateChanged(State.SPEAKING, "announcement"), Spoken("The tea is ready.", whole=True))
    assert [row.answer for row in after(*said).rows] == ["The tea is ready."]
    assert [row.answer for row in after(Shown("A list.")).rows] == ["A list."]


def test_the_record_of_a_turn_is_kept_with_it_and_the_newest_counts() -> None:
    record = TurnRecord(NOON, 1, "tell me a story", spoken=True, source="model:smol")
    more = TurnRecord(NOON, 1, "tell me a story", spoken=True, source="model:smol", tools=("search",))
    transcript = after(*ASKED, OVER, TurnRecorded(record), TurnRecorded(more))
    (row,) = transcript.rows
    assert (row.record, row.at) == (more, NOON)


def test_a_note_is_shown_at_its_turn() -> None:
    record = TurnRecord(NOON, 1, "tell me a story", spoken=True)
    note = TurnNote(NOON, "tell me a story", "", Verdict.WRONG, "it was two")
    (row,) = after(*ASKED, OVER, TurnRecorded(record), TurnNoted(note)).rows
    assert (row.verdict, row.note) == (Verdict.WRONG, "it was two")


def test_turns_of_an_engine_that_was_begun_anew_are_told_from_those_before() -> None:
    before = after(*ASKED, Writing(1, "Once"), hearing("and"), EngineStarted())
    assert [(row.stage, row.turn) for row in before.rows] == [(Stage.OVER, 0)]
    both = after(hearing("hello", final=True), Asked(1, "hello", "en"), Writing(1, "Hi."), before=before)
    assert [row.answer for row in both.rows] == ["Once", "Hi."]


def test_only_so_many_rows_are_kept_and_how_many_went_is_known() -> None:
    transcript = Transcript()
    for number in range(MOST + 30):
        at = NOON + timedelta(seconds=number)
        text = f"question {number}"
        over = Exchanged(number + 1, text, "en", "rule:maths", "42", "42", whole=True, spoken=False)
        told = TurnRecorded(TurnRecord(at, number + 1, text, spoken=False))
        transcript = after(Typed(text), Asked(number + 1, text, "en", spoken=False), over, told, before=transcript)
    assert len(transcript.rows) == MOST
    assert transcript.gone == 30
    assert transcript.rows[-1].asked == f"question {MOST + 29}"


def test_the_window_keeps_its_transcript_when_the_engine_is_begun_anew() -> None:
    state = UiState()
    for event in (*ASKED, OVER, EngineStarted()):
        state = reduce(state, event)
    assert [row.asked for row in state.transcript.rows] == ["tell me a story"]


def test_what_changes_nothing_leaves_the_very_same_transcript() -> None:
    transcript = after(*ASKED)
    for event in (StateChanged(State.THINKING), Writing(9, "x"), Spoken("", whole=True), object()):
        assert follow(transcript, event) is transcript
