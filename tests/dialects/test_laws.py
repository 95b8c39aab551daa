"""The examination of dialects finds those that break a law, and so do the forms of a recording."""

from __future__ import annotations

import random

import pytest

from companion.dialects import AnswerReader, Framing, WireEvent, WireRequest
from companion.dialects.damage import damaged
from companion.dialects.fields import fields_of
from companion.dialects.laws import check_dialect, outcome_of
from companion.errors import LawBroken, ModelError, ProviderFailed, Refused, WireBroken
from companion.model.deltas import Delta, Finish, Finished, RawDelta, TextDelta
from companion.model.options import JsonValue
from companion.model.request import ChatRequest
from tests.dialects.questions import question
from tests.dialects.wire import check_recording

RECORDING = b'data: {"say": "a"}\n\ndata: {"say": "b"}\n\ndata: {"end": 1}\n\n'


class Plain:
    """A dialect of two events that keeps all laws."""

    name = "plain"
    framing = Framing.SSE

    def encode(self, request: ChatRequest, base_url: str) -> WireRequest:
        return WireRequest(base_url, {"model": request.model})

    def decoder(self) -> PlainDecoder:
        return PlainDecoder()

    def read(self, answer: JsonValue) -> list[Delta]:
        return [TextDelta("ab"), Finished(Finish.STOP)]

    def fault(self, status: int, answer: JsonValue | str) -> ModelError:
        return ProviderFailed(str(answer), status=status)


class PlainDecoder:
    def __init__(self) -> None:
        self.unknown = 0

    def feed(self, event: WireEvent) -> list[Delta]:
        fields = fields_of(event.data, "plain event")
        if "end" in fields:
            return [Finished(Finish.STOP)]
        if "say" not in fields:
            self.unknown += 1
            return [RawDelta(fields)]
        if not isinstance(fields["say"], str):
            raise WireBroken("plain event: 'say' is no text")
        return [TextDelta(fields["say"])]

    def end(self) -> list[Delta]:
        return []


def broken(decoder: type) -> Plain:
    dialect = Plain()
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
    check_dialect(Plain(), RECORDING, whole={}, request=question("m"), mutations=300)
    check_recording(Plain(), RECORDING)


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
        check_dialect(Plain(), RECORDING, uncarried=[question("m")], mutations=0)


def test_a_whole_answer_that_says_something_else_is_found() -> None:
    with pytest.raises(LawBroken, match="in one piece"):
        check_dialect(Plain(), RECORDING.replace(b'"b"', b'"c"'), whole={}, mutations=0)


def test_a_recording_that_fails_is_no_recording() -> None:
    with pytest.raises(LawBroken, match="must succeed"):
        check_dialect(Plain(), RECORDING[:40])


def test_the_same_seed_damages_in_the_same_way() -> None:
    first, again = ([damaged(RECORDING, dice) for _ in range(50)] for dice in (random.Random(3), random.Random(3)))

    assert first == again
    assert len(set(first)) > 40


# The reader of answers.


def test_what_came_before_an_error_has_come_out() -> None:
    reader = AnswerReader(Plain())

    assert reader.feed(b'data: {"say": "a"}\n\ndata: {"say": 1}\n\n') == [TextDelta("a")]
    assert isinstance(reader.failure, WireBroken)
    with pytest.raises(WireBroken, match="no text"):
        reader.feed(b"")
    with pytest.raises(WireBroken, match="no text"):
        reader.end()


def test_an_error_with_nothing_before_it_is_raised_at_once() -> None:
    reader = AnswerReader(Plain())
    with pytest.raises(WireBroken):
        reader.feed(b"data: {\n\n")

    assert reader.failure is not None


def test_an_answer_that_stops_early_is_broken_by_the_name_of_its_dialect() -> None:
    error = outcome_of(Plain(), [RECORDING[:20]]).error

    assert isinstance(error, WireBroken)
    assert error.retryable
    assert "plain" in str(error)


def test_a_last_event_without_its_empty_line_counts() -> None:
    assert outcome_of(Plain(), [RECORDING.rstrip()]).error is None


def test_what_is_cut_off_behind_the_finish_signal_takes_nothing_away() -> None:
    outcome = outcome_of(Plain(), [RECORDING + b'data: {"us'])

    assert outcome.error is None
    assert isinstance(outcome.deltas[-1], Finished)


def test_a_second_finish_signal_is_left_out() -> None:
    deltas = outcome_of(Plain(), [RECORDING, b'data: {"end": 1}\n\n']).deltas

    assert [delta for delta in deltas if isinstance(delta, Finished)] == [Finished(Finish.STOP)]


@pytest.mark.parametrize("stray", ["upstream connect error", '{"error": {"message": "overloaded"}}'])
def test_words_of_a_gateway_in_place_of_events_are_its_error(stray: str) -> None:
    error = outcome_of(Plain(), [b'data: {"say": "a"}\n\n', stray.encode()]).error

    assert isinstance(error, ProviderFailed)
    assert "upstream" in str(error) or "overloaded" in str(error)
    assert error.status == 502


def test_strangers_are_counted() -> None:
    outcome = outcome_of(Plain(), [b'what is this\ndata: {"new": 1}\n\n' + RECORDING])

    assert outcome.unknown == 2
    assert not isinstance(outcome.error, Refused)
