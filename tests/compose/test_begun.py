"""An answer has begun when it says something; until then nobody has noticed it."""

from __future__ import annotations

import asyncio

import pytest
from doubles.backends import PlayedBackend, question, read

from companion.compose.begun import MOST_BEFORE, begun
from companion.errors import EndOfStream, Unreachable, WireBroken
from companion.model.calls import CallDelta
from companion.model.deltas import (
    BlobDelta,
    Counted,
    Delta,
    Finish,
    Finished,
    RawDelta,
    TextDelta,
    ThoughtDelta,
    says_something,
)
from companion.model.request import answered_by
from companion.stream import Blob, Usage

NOTHING: list[Delta] = [TextDelta(""), ThoughtDelta(), CallDelta(0), RawDelta("ping"), Counted(Usage(3))]
SOMETHING: list[Delta] = [
    TextDelta("Hi"),
    ThoughtDelta(signature="s"),
    CallDelta(0, "a"),
    BlobDelta(Blob("image/png", b"png")),
    Finished(Finish.STOP),
]


def test_counts_unnamed_events_and_empty_pieces_say_nothing() -> None:
    assert not any(map(says_something, NOTHING))
    assert all(map(says_something, SOMETHING))


async def test_what_came_before_the_first_words_comes_with_them() -> None:
    backend = PlayedBackend("near", [*NOTHING, *SOMETHING])
    source = await begun(backend, question())

    assert answered_by(source, PlayedBackend("far")) == ("near",)
    assert await read(source) == [*NOTHING, *SOMETHING]
    assert backend.open == 0


async def test_an_answer_that_ends_or_breaks_before_is_closed() -> None:
    backend = PlayedBackend("near", NOTHING, [*NOTHING, Unreachable("gone")])
    with pytest.raises(WireBroken, match="near ended its answer before it had begun"):
        await begun(backend, question())
    with pytest.raises(Unreachable):
        await begun(backend, question())

    assert backend.open == 0


async def test_one_that_says_nothing_for_very_long_counts_as_begun() -> None:
    backend = PlayedBackend("near", [RawDelta("ping")] * (MOST_BEFORE + 1))

    assert len(await read(await begun(backend, question()))) == MOST_BEFORE + 1


async def test_who_is_called_off_leaves_nothing_open() -> None:
    backend = PlayedBackend("near", [RawDelta("ping"), 60.0])
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await begun(backend, question())

    assert backend.open == 0


async def test_nothing_comes_once_it_was_closed() -> None:
    source = await begun(PlayedBackend("near", [RawDelta("ping"), TextDelta("Hi")]), question())
    await source.close()

    with pytest.raises(EndOfStream):
        await source.next()
