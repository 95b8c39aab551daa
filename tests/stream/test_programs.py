"""Random programs over every join and fork lose nothing, reorder nothing and leave nothing running."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncGenerator

import pytest
from doubles.stream_kinds import KINDS
from doubles.stream_models import Joined, one_by_one
from doubles.stream_outputs import outputs_of, words_of
from doubles.stream_programs import run_programs

from companion.stream import MessageChunk, PulledStream, StreamBuilder, merge
from companion.stream.tasks import Tasks

PROGRAMS = int(os.environ.get("COMPANION_TEST_PROGRAMS", "1000"))


@pytest.fixture(autouse=True)
def _let_halves_fall_behind_in_silence(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_done_to_it_what_comes_out_is_what_its_model_says(kind: str) -> None:
    share, left = divmod(PROGRAMS, len(KINDS))
    count = max(share + (list(KINDS).index(kind) < left), 1)
    report = run_programs(count, kinds=[kind])

    assert report.programs == count
    assert report.chunks > count


async def no_chunk_like_7(source) -> AsyncGenerator[MessageChunk, None]:
    async for chunk in source:
        if words_of(chunk) != "7":
            yield chunk


async def two_swapped(source) -> AsyncGenerator[MessageChunk, None]:
    async for chunk in source:
        if words_of(chunk) == "3":
            yield await source.next()
        yield chunk


async def ending_well(source) -> AsyncGenerator[MessageChunk, None]:
    try:
        async for chunk in source:
            yield chunk
    except Exception:  # noqa: BLE001 - the fault to be found
        return


def losing(*streams):
    whole = merge(*streams)
    return PulledStream(no_chunk_like_7(whole), whole)


def reordering(*streams):
    whole = merge(*streams)
    return PulledStream(two_swapped(whole), whole)


def hiding_failure(*streams):
    whole = merge(*streams)
    return PulledStream(ending_well(whole), whole)


def not_closing(*streams):
    whole = merge(*streams)
    return PulledStream(no_chunk_like_7(whole))


def leaving_a_task(*streams):
    whole, never = merge(*streams), StreamBuilder()
    Tasks().start(wait_for(never), name="left over")
    return whole


async def wait_for(builder: StreamBuilder) -> None:
    await builder.stream.next()


@pytest.mark.parametrize("careful", [True, False], ids=["careful", "hasty"])
@pytest.mark.parametrize("broken", [losing, reordering, hiding_failure, not_closing, leaving_a_task])
def test_the_programs_find(broken, careful: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def make(sources, _):
        return outputs_of(broken(*sources)), lambda feeds: Joined(feeds, one_by_one)

    monkeypatch.setitem(KINDS, "broken", (2, make))
    with pytest.raises(AssertionError, match=r"program \d+ over broken"):
        run_programs(50, kinds=["broken"], careful=careful)
