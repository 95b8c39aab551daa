"""The examination of dialects finds those that break a law, and so do the forms of a recording."""

from __future__ import annotations

import random

import pytest
from dialects.questions import question
from dialects.wire import check_recording
from doubles.plain_dialect import PlainDecoder, PlainDialect

from companion.dialects import AnswerReader, WireEvent
from companion.dialects.damage import damaged
from companion.dialects.fields import fields_of
from companion.dialects.laws import check_dialect, outcome_of
from companion.errors import LawBroken, ProviderFailed, WireBroken
from companion.model.deltas import Delta, Finish, Finished, RawDelta, TextDelta

RECORDING = b'data: {"say": "a"}\n\ndata: {"say": "b"}\n\ndata: {"end": "stop"}\n\n'
WHOLE = [{"say": "ab"}, {"end": "stop"}]


def broken(decoder: type) -> PlainDialect:
    dialect = PlainDialect()
    dialect.decoder = decoder
    return dialect


class Careless(PlainDecoder):
    def feed(self, event: WireEvent) -> list[Delta]:
        if "say" in event.data:
            return [TextDelta(fields_of(event.data, "event")["say"][:])]
        return super().feed(event)


class Deaf(PlainDecoder):
    def feed(self, event: WireEvent) -> list[Delta]:
        known = '"say"' in event.data or '"end"' in event.data
        return super().feed(event) if known else []


class Lenient(PlainDecoder):
    def end(self) -> list[Delta]:
        return [Finished(Finish.STOP)]


class Forgiving(PlainDecoder):
    def feed(self, event: WireEvent) -> list[Delta]:
        try:
            return super().feed(event)
        except WireBroken:
            return []


class Mute(PlainDecoder):
    def feed(self, event: WireEvent) -> list[Delta]:
        return [delta for delta in super().feed(event) if not isinstance(delta, TextDelta)]


class Hoarder(PlainDecoder):
    """Gives all at the end."""

    def __init__(self) -> None:
        super().__init__()
        self.held: list[Delta] = []

    def feed(self, event: WireEvent) -> list[Delta]:
        self.held += super().feed(event)
        return self.held if "end" in event.data else []


class Late(PlainDecoder):
    """Gives what came last only when more comes."""

    def __init__(self) -> None:
        super().__init__()
        self.held: list[Delta] = []

    def feed(self, event: WireEvent) -> list[Delta]:
        given, self.held = self.held, super().feed(event)
        return [*given, *self.held] if "end" in event.data else given


def test_a_dialect_that_keeps_the_laws_passes() -> None:
    check_dialect(PlainDialect(), RECORDING, whole=WHOLE, request=question("m"), mutations=300)
    check_recording(PlainDialect(), RECORDING)


@pytest.mark.parametrize(
    ("decoder", "law"),
    [
        (Careless, "nothing but a ModelError"),
        (Deaf, "not counted"),
        (Lenient, "ends after 0 events"),
        (Forgiving, "cut in the middle"),
        (Mute, "nothing is read of the recording"),
        (Hoarder, "held back"),
        (Late, "held back"),
    ],
)
def test_one_that_breaks_a_law_is_found(decoder: type, law: str) -> None:
    with pytest.raises(LawBroken, match=law):
        check_dialect(broken(decoder), RECORDING, mutations=300)


def test_one_that_leaves_out_what_it_cannot_carry_is_found() -> None:
    with pytest.raises(LawBroken, match="leaves it out"):
        check_dialect(PlainDialect(), RECORDING, uncarried=[question("m")], mutations=0)


def test_a_whole_answer_that_says_something_else_is_found() -> None:
    with pytest.raises(LawBroken, match="in one piece"):
        check_dialect(PlainDialect(), RECORDING.replace(b'"b"', b'"c"'), whole=WHOLE, mutations=0)


def test_a_recording_that_fails_is_no_recording() -> None:
    with pytest.raises(LawBroken, match="must succeed"):
        check_dialect(PlainDialect(), RECORDING[:40])


def test_the_same_seed_damages_in_the_same_way() -> None:
    first, again = ([damaged(RECORDING, dice) for _ in range(50)] for dice in (random.Random(3), random.Random(3)))

    assert first == again
    assert len(set(first)) > 40


# The reader of answers.


def test_what_came_before_an_error_has_come_out() -> None:
    reader = AnswerReader(PlainDialect())

    assert reader.feed(b'data: {"say": "a"}\n\ndata: {"say": 1}\n\n') == [TextDelta("a")]
    assert isinstance(reader.failure, WireBroken)
    with pytest.raises(WireBroken, match="no text"):
        reader.feed(b"")
    with pytest.raises(WireBroken, match="no text"):
        reader.end()


def test_an_error_with_nothing_before_it_is_raised_at_once() -> None:
    reader = AnswerReader(PlainDialect())
    with pytest.raises(WireBroken):
        reader.feed(b"data: {\n\n")

    assert reader.failure is not None


def test_an_answer_that_stops_early_is_broken_by_the_name_of_its_dialect() -> None:
    error = outcome_of(PlainDialect(), [RECORDING[:20]]).error

    assert isinstance(error, WireBroken)
    assert error.retryable
    assert "plain" in str(error)


def test_a_last_event_without_its_empty_line_counts() -> None:
    assert outcome_of(PlainDialect(), [RECORDING.rstrip()]).error is None


def test_what_is_cut_off_behind_the_finish_signal_takes_nothing_away() -> None:
    outcome = outcome_of(PlainDialect(), [RECORDING + b'data: {"us'])

    assert outcome.error is None
    assert isinstance(outcome.deltas[-1], Finished)


def test_a_second_finish_signal_is_left_out() -> None:
    deltas = outcome_of(PlainDialect(), [RECORDING, b'data: {"end": "stop"}\n\n']).deltas

    assert [delta for delta in deltas if isinstance(delta, Finished)] == [Finished(Finish.STOP)]


@pytest.mark.parametrize(
    ("stray", "words"),
    [("upstream connect error", "upstream connect error"), ('{"error": {"message": "overloaded"}}', "overloaded")],
)
def test_words_of_a_gateway_in_place_of_events_are_its_error(stray: str, words: str) -> None:
    outcome = outcome_of(PlainDialect(), [b'data: {"say": "a"}\n\n', stray.encode()])

    assert outcome.deltas == (TextDelta("a"),)
    assert isinstance(outcome.error, ProviderFailed)
    assert str(outcome.error) == words
    assert outcome.error.status == 502


def test_strangers_are_counted_and_take_nothing_from_the_answer() -> None:
    outcome = outcome_of(PlainDialect(), [b'what is this\ndata: {"new": 1}\n\n' + RECORDING])

    assert outcome.unknown == 2
    assert outcome.error is None
    assert outcome.deltas == (RawDelta({"new": 1}), TextDelta("a"), TextDelta("b"), Finished(Finish.STOP))
