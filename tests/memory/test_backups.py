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


@given(st.sets(MOMENTS, max_size=60))
def test_the_newest_is_always_kept_and_never_more_than_all_spans(made: set[datetime]) -> None:
    kept = to_keep(made)

    assert kept <= made
    assert len(kept) <= DAYS + WEEKS + MONTHS
    assert not made or max(made) in kept


@given(st.sets(MOMENTS, max_size=60))
def test_letting_go_twice_lets_go_of_nothing_more(made: set[datetime]) -> None:
    kept = to_keep(made)

    assert to_keep(kept) == kept
