"""Backups: whole, kept by age, and gone when something was to be forgotten for good."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from doubles.memory import Wall, a_store, tell
from hypothesis import given
from hypothesis import strategies as st

from companion.memory.backups import DAYS, MONTHS, WEEKS, made_at, to_keep
from companion.memory.graph import Graph

MOMENTS = st.datetimes(datetime(2025, 1, 1), datetime(2026, 12, 31)).map(lambda at: at.replace(tzinfo=UTC))  # noqa: DTZ001


async def test_a_backup_holds_what_was_stored_while_others_write(tmp_path: Path) -> None:
    clock = Wall()
    async with a_store(tmp_path, clock) as store:
        graph = Graph(store, clock)
        await tell(graph, clock, "user | likes | tea")
        first = await store.backup()
        await tell(graph, clock, "user | likes | coffee")

        assert first.stat().st_mode & 0o777 == 0o600
        assert await store.backups() == (first,)
        await store.restore()
        assert [one.object for one in await graph.about("user")] == ["tea"]


async def test_a_daily_backup_for_a_year_leaves_few(tmp_path: Path) -> None:
    clock = Wall(datetime(2026, 1, 1, 3, tzinfo=UTC))
    async with a_store(tmp_path, clock) as store:
        for _ in range(60):
            await store.backup()
            clock.go(days=1)
        kept = [made_at(file) for file in await store.backups()]

    newest = clock.now - timedelta(days=1)
    assert kept[-1] == newest
    assert {newest - timedelta(days=back) for back in range(DAYS)} <= set(kept)
    assert kept[0] < newest - timedelta(days=25)
    assert len(kept) <= DAYS + WEEKS + MONTHS


@given(st.lists(MOMENTS, max_size=60))
def test_the_newest_is_always_kept_and_never_more_than_all_spans(made: list[datetime]) -> None:
    kept = to_keep(made)

    assert kept <= set(range(len(made)))
    assert len(kept) <= DAYS + WEEKS + MONTHS
    assert not made or len(made) - 1 in kept


@given(st.lists(MOMENTS, max_size=60))
def test_letting_go_twice_lets_go_of_nothing_more(made: list[datetime]) -> None:
    kept = [made[place] for place in sorted(to_keep(made))]

    assert to_keep(kept) == set(range(len(kept)))


async def test_a_clock_that_was_ahead_makes_no_backup_the_newest(tmp_path: Path) -> None:
    clock = Wall(datetime(2030, 1, 1, tzinfo=UTC))
    async with a_store(tmp_path, clock) as store:
        graph = Graph(store, clock)
        await tell(graph, clock, "Emma | likes | tea")
        await store.backup()
        clock.now = datetime(2026, 3, 2, tzinfo=UTC)
        await tell(graph, clock, "Emma | plays | chess")
        newest = await store.backup()

        assert await store.restore() == newest
        assert len(await graph.about("Emma")) == 2


async def test_backups_of_before_they_were_numbered_are_older_than_all_others(tmp_path: Path) -> None:
    clock = Wall()
    async with a_store(tmp_path, clock) as store:
        first = await store.backup()
        first.rename(first.with_name("memory-20300101T000000000000Z.db"))
        newest = await store.backup()

        assert (await store.backups())[-1] == newest


async def test_a_copy_that_was_cut_off_is_removed_with_the_next(tmp_path: Path) -> None:
    async with a_store(tmp_path) as store:
        left = (await store.backup()).with_name("memory-000009-20260101T000000000000Z.db.new")
        left.write_bytes(b"half of it")
        await store.backup()

        assert not left.exists()
