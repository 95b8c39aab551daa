"""The harness of recordings: a streamed answer, in every form that a line, a gateway or chance can give it.

Each form ends in the answer itself or in a ModelError, never in silence. ``COMPANION_TEST_MUTATIONS`` says how many
damaged answers are read for each recording (500 where it does not).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from companion.dialects import Dialect, Framing
from companion.dialects.laws import Outcome, Recording, outcome_of, said_of
from companion.errors import LawBroken, ModelError, WireBroken
from companion.model.deltas import Delta

RECORDINGS = Path(__file__).with_name("recordings")
MUTATIONS = int(os.environ.get("COMPANION_TEST_MUTATIONS", "500"))
_DATA = re.compile(rb"^data:", re.MULTILINE)
SEED = int(os.environ.get("COMPANION_TEST_SEED", "4"))


def recordings(dialect: Dialect) -> list[Path]:
    """The streamed answers of a dialect that succeed: ``recordings/<name>/*.sse`` or ``*.ndjson``."""
    found = sorted((RECORDINGS / dialect.name).glob(f"*.{dialect.framing.value}"))
    assert found, f"there are no recordings of {dialect.name}"
    return found


def deltas_of(dialect: Dialect, data: bytes) -> list[Delta]:
    """What a streamed answer that succeeds is read into."""
    outcome = outcome_of(dialect, [data])
    assert outcome.error is None, outcome.told
    return list(outcome.deltas)


def failure_of(dialect: Dialect, data: bytes) -> ModelError:
    """The error that a streamed answer ends in."""
    error = outcome_of(dialect, [data]).error
    assert error is not None, "the answer succeeded"
    return error


def check_recording(dialect: Dialect, data: bytes) -> None:
    """Every form of one recording that succeeds.

    Raises:
        LawBroken: naming the form.
    """
    recording = Recording(dialect, data)
    recording.check(mutations=MUTATIONS, seed=SEED)
    recording.check_cuts(_sizes(len(data)))
    for pieces in _cut_in_two(data):
        recording.same(pieces, f"cut behind {len(pieces[0])} bytes")
    for how, form in _same(recording):
        recording.same([form], how)
        recording.same([form[at : at + 1] for at in range(len(form))], f"{how}, byte by byte")
    _check_finish(recording)
    if dialect.framing is Framing.SSE:
        _check_field_names(recording)


def _sizes(length: int) -> Iterator[int]:
    """Every size where that is quick, then fewer and fewer."""
    size = 1
    while size <= length:
        yield size
        size += max(1, size // 256)


def _cut_in_two(data: bytes) -> Iterable[tuple[bytes, bytes]]:
    return ((data[:at], data[at:]) for at in range(len(data) + 1))


def _same(recording: Recording) -> Iterator[tuple[str, bytes]]:
    """Forms that mean the same."""
    data, events = recording.data, recording.events
    yield "with CRLF", data.replace(b"\n", b"\r\n")
    yield "with a byte order mark", b"\xef\xbb\xbf" + data
    yield "without its last line end", data.rstrip(b"\n")
    if recording.dialect.framing is Framing.SSE:
        yield "with CR", data.replace(b"\n", b"\r")
        yield "with comments", b"".join(b": keep-alive\n\n" + event for event in events) + b":\n\n"
        yield "with comments inside", _DATA.sub(b": still there\ndata:", data)
        yield "without a blank behind the colon", data.replace(b"\ndata: ", b"\ndata:")
        yield "with ids and times", _DATA.sub(b"id: 7\nretry: 10\ndata:", data)
    else:
        yield "with empty lines", b"\n\r\n".join(events) + b"\n \n"


def _check_finish(recording: Recording) -> None:
    """A finish signal that comes twice says nothing new; one that does not come is an error."""
    at = recording.finishing()
    before, event, behind = recording.events[:at], recording.events[at], recording.events[at + 1 :]
    twice = outcome_of(recording.dialect, [*before, event, event, *behind])
    if twice.error is None and _words(twice) != _words(recording.outcome):
        raise LawBroken("a finish signal that comes twice changes the answer")
    missing = outcome_of(recording.dialect, before)
    if not isinstance(missing.error, WireBroken):
        raise LawBroken(f"the finish signal does not come, and that gives {missing.told}")


def _words(outcome: Outcome) -> tuple[object, ...]:
    said = said_of(outcome.deltas)
    return said.text, said.thoughts, said.calls, said.finished


def _check_field_names(recording: Recording) -> None:
    """A line that is no field does not vanish: the answer is the same, or it is an error, or it is counted."""
    for found in _DATA.finditer(recording.data):
        at = found.start()
        damaged = recording.data[:at] + b"dat\xff:" + recording.data[found.end() :]
        outcome = outcome_of(recording.dialect, [damaged])
        is_told = outcome.error is not None or outcome.unknown > recording.outcome.unknown
        if not is_told and outcome.deltas != recording.outcome.deltas:
            raise LawBroken(f"the name of the field at {at} is damaged, and the event vanishes")
