"""The context: what stays, what goes, and that nothing goes before its archive is on the disk."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from doubles.memory import NOON
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import MemoryBusy, StorageError
from companion.memory import context as layer
from companion.memory.context import Context, Event

FILE = "context.json"


class Shelf:
    """Takes archives, or refuses them."""

    def __init__(self, *, refuses: bool = False) -> None:
        self.refuses = refuses
        self.taken: list[Sequence[Event]] = []

    async def archive(self, events: Sequence[Event]) -> None:
        if self.refuses:
            raise StorageError("the disk is full", file="documents")
        self.taken.append(events)


def an_event(number: int, text: str = "", response: str = "") -> Event:
    return Event(NOON + timedelta(minutes=number), "user", text or f"turn {number}", response, turn=f"t{number}")


async def a_context(folder: Path, count: int, *, keep: int = 30, protect: int = 10) -> Context:
    context = await Context.open(folder / FILE, keep=keep, protect=protect)
    for number in range(count):
        await context.append(an_event(number))
    return context


async def test_what_was_appended_is_there_after_opening_again(tmp_path: Path) -> None:
    event = replace(an_event(1), response="喝茶吗", tools_used=("clock",), tool_results=("12:00",), session="s")
    context = await Context.open(tmp_path / FILE)
    await context.append(event)

    again = await Context.open(tmp_path / FILE)
    assert again.events == (event,)
    assert again.problems == ()


async def test_thirty_events_stay(tmp_path: Path) -> None:
    context, shelf = await a_context(tmp_path, 30), Shelf()

    assert await context.prune("turn", shelf) == 0
    assert shelf.taken == []


async def test_the_newest_ten_and_the_twenty_that_fit_best_stay(tmp_path: Path) -> None:
    context, shelf = await a_context(tmp_path, 30), Shelf()
    for number, text in enumerate(("green tea", "wind", "rain"), start=30):
        await context.append(an_event(number, text))
    for number in range(33, 45):
        await context.append(an_event(number))

    assert await context.prune("is there green tea", shelf) == 15
    texts = [event.input for event in context.events]
    assert len(texts) == 30
    assert texts[-10:] == [f"turn {number}" for number in range(35, 45)]
    assert "green tea" in texts
    assert list(context.events) == sorted(context.events, key=lambda event: event.at)
    assert [len(events) for events in shelf.taken] == [15]


async def test_nothing_leaves_where_the_archive_fails(tmp_path: Path) -> None:
    context = await a_context(tmp_path, 32)
    before = context.events

    with pytest.raises(StorageError):
        await context.prune("turn", Shelf(refuses=True))
    assert context.events == before
    assert (await Context.open(tmp_path / FILE)).events == before


async def test_an_event_the_disk_refused_is_saved_with_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = await Context.open(tmp_path / FILE)

    def refuse(file: Path, text: str) -> None:
        raise StorageError("full", file=str(file))

    with monkeypatch.context() as broken:
        broken.setattr(layer, "write_atomically", refuse)
        with pytest.raises(StorageError):
            await context.append(an_event(1))
    assert not context.is_saved
    await context.append(an_event(2))
    assert context.is_saved
    assert len((await Context.open(tmp_path / FILE)).events) == 2


async def test_more_than_can_be_held_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layer, "MOST_HELD", 3)
    context = await a_context(tmp_path, 3)

    with pytest.raises(MemoryBusy):
        await context.append(an_event(4))


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b'{"events": [1]}', b'{"events": [{"at": "2026-01-01T00:00:00"}]}', b"\xff\xfe", b"[" * 9000],
)
async def test_a_damaged_file_is_set_aside_by_name(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    context = await Context.open(tmp_path / FILE)

    assert context.events == ()
    assert (tmp_path / f"{FILE}.damaged").read_bytes() == content
    assert f"{FILE}.damaged" in context.problems[0]
    await context.append(an_event(1))
    assert len((await Context.open(tmp_path / FILE)).events) == 1


async def test_events_are_forgotten(tmp_path: Path) -> None:
    context = await a_context(tmp_path, 4)

    assert await context.forget(lambda event: event.turn == "t2") == 1
    assert [event.turn for event in (await Context.open(tmp_path / FILE)).events] == ["t0", "t1", "t3"]


async def test_two_appends_at_once_are_both_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context = await Context.open(tmp_path / FILE)
    write, first, go_on = layer.write_atomically, threading.Event(), threading.Event()

    def slow(file: Path, text: str) -> None:
        if not first.is_set():
            first.set()
            go_on.wait(5)
        write(file, text)

    monkeypatch.setattr(layer, "write_atomically", slow)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(context.append(an_event(1)))
        await asyncio.to_thread(first.wait, 5)
        tasks.create_task(context.append(an_event(2)))
        await asyncio.sleep(0)
        go_on.set()

    assert context.is_saved
    assert len((await Context.open(tmp_path / FILE)).events) == 2


async def test_what_is_forgotten_while_others_are_archived_stays_forgotten(tmp_path: Path) -> None:
    context = await a_context(tmp_path, 31)

    class Busy(Shelf):
        async def archive(self, events: Sequence[Event]) -> None:
            await context.forget(lambda event: event.turn in ("t25", "t30"))
            await context.append(an_event(40))

    await context.prune("turn", Busy())

    turns = [event.turn for event in (await Context.open(tmp_path / FILE)).events]
    assert not {"t25", "t30"} & set(turns)
    assert turns[-1] == "t40"


async def test_recent_and_format(tmp_path: Path) -> None:
    context = await Context.open(tmp_path / FILE)
    assert context.format() == ""

    await context.append(an_event(5, "any tea?", "x" * 200))
    await context.append(an_event(6, "good"))
    assert context.format() == f"[12:05] user: any tea? -> {'x' * 100}\n[12:06] user: good"
    assert [event.input for event in context.recent(1)] == ["good"]
    assert len(context.recent(0)) == len(context.recent(-1)) == 2


async def test_an_answer_says_what_a_turn_was_about(tmp_path: Path) -> None:
    context = await Context.open(tmp_path / FILE)
    await context.append(an_event(1, "and then?", "The violin lesson is at four."))
    await context.append(an_event(2, "what about it", "Bread is in the cupboard."))

    assert context.relevant("violin", 1)[0][0].turn == "t1"


async def test_what_is_written_can_be_read_by_people(tmp_path: Path) -> None:
    await a_context(tmp_path, 1)

    assert json.loads((tmp_path / FILE).read_text())["events"][0]["input"] == "turn 0"


@given(
    st.lists(st.sampled_from(["tea", "rain", "violin", "猫", ""]), max_size=12),
    st.integers(0, 6),
    st.integers(0, 6),
    st.sampled_from(["tea", "猫叫什么", "", "none of it"]),
)
def test_every_event_is_kept_or_archived_and_the_newest_stay(
    texts: list[str], keep: int, protect: int, query: str
) -> None:
    import asyncio
    import tempfile

    async def run() -> None:
        with tempfile.TemporaryDirectory() as folder:
            context, shelf = await Context.open(Path(folder) / FILE, keep=keep, protect=protect), Shelf()
            said = [replace(an_event(number), input=text) for number, text in enumerate(texts)]
            for event in said:
                await context.append(event)
            gone = await context.prune(query, shelf)
            archived = [event for events in shelf.taken for event in events]
            assert len(archived) == gone == max(0, len(said) - keep)
            assert sorted([*archived, *context.events], key=lambda event: event.at) == said
            newest = said[max(0, len(said) - min(protect, keep)) :]
            assert list(context.events[len(context.events) - len(newest) :]) == newest

    asyncio.run(run())
