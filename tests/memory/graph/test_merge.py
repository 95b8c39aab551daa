"""Two become one and can be parted exactly."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import apsw
import pytest
from doubles.memory import NOON, Wall, a_database, a_graph, known, said, tell, triples
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import MergeRefused, UnknownEntity
from companion.memory.facts import Criteria, Entity, Provenance, Status, Triple
from companion.memory.graph import Verdict, merge, purge
from companion.memory.graph.commit import commit
from companion.memory.graph.edit import add_alias
from companion.memory.graph.names import find
from companion.memory.graph.rows import moment

NAMES = ["张先生", "张三", "Emma", "Paris", "tea"]
TABLES = ("entities", "aliases", "name_parts", "relations", "verdicts")


async def test_mister_zhang_goes_up_in_zhang_san(tmp_path: Path) -> None:
    """Case 40."""
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "张先生 | works_at | 银行", "张先生 | likes | 茶")
        await tell(graph, clock, "张三 | lives_in | 北京", session="t")
        done = await graph.merge("张先生", "张三")

        assert (done.source, done.target, done.redirected, done.collapsed, done.loops) == ("张先生", "张三", 2, 0, 0)
        merged = await graph.entity("张三")
        assert merged is not None
        assert (merged.mentions, merged.aliases) == (3, ("张先生",))
        assert await graph.entity("张先生") == merged  # only as an alias
        assert await known(graph, "张三") == ["张三 lives_in 北京", "张三 likes 茶", "张三 works_at 银行"]


async def test_duplicates_collapse_and_what_only_tied_the_two_goes(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(
            graph, clock, "张先生 | likes | 茶", "张三 | likes | 茶", "张三 | knows | 张先生", "张先生 | knows | 李四"
        )
        done = await graph.merge("张先生", "张三")

        assert (done.redirected, done.collapsed, done.loops) == (2, 1, 1)
        assert sorted(await known(graph, "张三")) == ["张三 knows 李四", "张三 likes 茶"]


@pytest.mark.parametrize(
    ("source", "target", "error"),
    [
        ("张三", "张三", MergeRefused),
        ("张三", "老张", MergeRefused),  # its own alias
        ("nobody", "张三", UnknownEntity),
        ("张三", "nobody", UnknownEntity),
    ],
)
async def test_merging_with_itself_or_the_unknown_is_an_error_and_changes_nothing(
    tmp_path: Path, source: str, target: str, error: type[Exception]
) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "张三 | likes | 茶")
        await graph.alias("张三", "老张")
        before = await graph.introspect()
        with pytest.raises(error):
            await graph.merge(source, target)

        assert await graph.introspect() == before


async def test_where_one_lives_is_one_place_after_a_merge(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Tom | lives_in | Ghent")
        await tell(graph, clock, "Thomas | lives_in | Bruges")
        done = await graph.merge("Tom", "Thomas")
        assert await known(graph, "Thomas") == ["Thomas lives_in Bruges"]

        await graph.undo(done.id)
        assert await known(graph, "Tom") == ["Tom lives_in Ghent"]
        assert await known(graph, "Thomas") == ["Thomas lives_in Bruges"]


async def test_what_is_said_after_a_merge_stays_with_the_target_when_it_is_undone(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Tom | likes | tea", "Thomas | likes | cake")
        done = await graph.merge("Tom", "Thomas")
        await tell(graph, clock, "Tom | plays | chess")
        await graph.undo(done.id)

        assert await known(graph, "Tom") == ["Tom likes tea"]
        assert sorted(await known(graph, "Thomas")) == ["Thomas likes cake", "Thomas plays chess"]
        with pytest.raises(MergeRefused):
            await graph.undo(done.id)


async def test_what_was_forgotten_after_a_merge_stays_forgotten_when_it_is_undone(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Tom | likes | tea", "Thomas | likes | tea", "Tom | likes | figs")
        done = await graph.merge("Tom", "Thomas")
        await graph.purge(Criteria(object="tea"))
        await graph.undo(done.id)

        assert await known(graph, "Tom") == ["Tom likes figs"]
        assert await known(graph, "Thomas") == []


async def test_merges_are_undone_in_their_order_only_where_they_build_on_each_other(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Tom | likes | tea", "Thomas | likes | cake", "Tommy | likes | figs")
        first = await graph.merge("Tom", "Thomas")
        second = await graph.merge("Thomas", "Tommy")
        assert await graph.merges() == [(second.id, "Thomas", "Tommy")]
        with pytest.raises(MergeRefused, match="later"):
            await graph.undo(first.id)
        await graph.undo(second.id)
        await graph.undo(first.id)

        for name, dish in (("Tom", "tea"), ("Thomas", "cake"), ("Tommy", "figs")):
            assert await known(graph, name) == [f"{name} likes {dish}"]


async def test_a_name_that_is_used_anew_keeps_a_merge_until_it_is_free(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Em | likes | tea", "Emma | likes | skiing")
        done = await graph.merge("Em", "Emma")
        await graph.rename("Emma", "Em")
        with pytest.raises(MergeRefused, match="its name now"):
            await graph.undo(done.id)
        await graph.rename("Em", "Emma")
        await graph.undo(done.id)

        assert await known(graph, "Em") == ["Em likes tea"]
        assert await known(graph, "Emma") == ["Emma likes skiing"]


async def test_a_merge_that_holds_what_was_forgotten_for_good_cannot_be_undone(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Tom | likes | tea", "Thomas | likes | cake")
        done = await graph.merge("Tom", "Thomas")
        await graph.purge(Criteria(object="tea"), hard=True)

        with pytest.raises(MergeRefused, match="no such merge"):
            await graph.undo(done.id)
        assert await known(graph, "Thomas") == ["Thomas likes cake"]


async def test_the_old_name_is_found_and_recalled(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Frau Meier | lives_in | Ghent", "Anna | likes | tea")
        await graph.merge("Frau Meier", "Anna")

        for words in (["Meier"], ["frau", "meier"], ["anna"]):
            found = await graph.recall(words)
            assert [one.name for one in found.entities] == ["Anna"]
            assert {hit.fact.object for hit in found.facts} == {"Ghent", "tea"}
        await tell(graph, clock, "frau meier | likes | cake")
        assert len(await known(graph, "Anna")) == 3


async def test_a_pinned_duplicate_stays_pinned(tmp_path: Path) -> None:
    async with a_graph(tmp_path) as graph:
        done = await graph.commit(triples("Tom | likes | tea", "Thomas | likes | tea"), said())
        await graph.pin(done.facts[0])
        merged = await graph.merge("Tom", "Thomas")
        assert [one.pinned for one in await graph.about("Thomas")] == [True]

        await graph.undo(merged.id)
        assert [one.pinned for one in await graph.about("Thomas")] == [False]
        assert [one.pinned for one in await graph.about("Tom")] == [True]


async def test_a_merge_ends_what_was_asked_about_the_pair(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Tom Smith | likes | tea", "Tom Smyth | likes | cake")
        await graph.answer("Tom Smith", "Tom Smyth", Verdict.UNDECIDED)
        done = await graph.merge("Tom Smith", "Tom Smyth")
        await graph.undo(done.id)

        assert await graph.candidates() == []


def everything(connection: apsw.Connection) -> dict[str, list[tuple[object, ...]]]:
    return {table: sorted(map(tuple, connection.execute(f"SELECT * FROM {table}")), key=str) for table in TABLES}


STEP = st.tuples(
    st.sampled_from(NAMES),
    st.sampled_from(["lives_in", "likes", "dislikes", "knows"]),
    st.sampled_from(NAMES),
    st.sampled_from(["a", "b"]),
    st.integers(0, 5),
)


def fill(connection: apsw.Connection, steps: list[tuple[str, str, str, str, int]], forgotten: str) -> None:
    for number, (subject, relation, thing, session, back) in enumerate(steps):
        source = Provenance("user", moment(1000 * max(0, number - back)), session, str(number))
        commit(connection, [Triple(subject, relation, thing)], source, moment(1000 * number))
    if find(connection, "张三") is not None:
        add_alias(connection, "张三", "老张")
    if find(connection, "Emma") is not None:
        add_alias(connection, "Emma", "Em 张")
    purge.forget(connection, Criteria(entity=forgotten), 1000 * len(steps))


@settings(max_examples=300)
@given(st.lists(STEP, min_size=1, max_size=25), st.sampled_from(NAMES), st.permutations(NAMES))
def test_merging_and_undoing_changes_nothing_at_all(
    steps: list[tuple[str, str, str, str, int]], forgotten: str, order: list[str]
) -> None:
    with a_database() as connection:
        fill(connection, steps, forgotten)
        before = everything(connection)
        there = [name for name in order if find(connection, name) is not None]
        done = [
            merge.merge(connection, source, target, 1000 * (number + 40))
            for number, (source, target) in enumerate(pairwise(there))
        ]
        for one in reversed(done):
            merge.undo(connection, one.id)

        assert everything(connection) == before


@settings(max_examples=300)
@given(st.lists(STEP, min_size=1, max_size=25), st.permutations(NAMES))
def test_a_merge_adds_mentions_drops_loops_and_leaves_no_duplicates(
    steps: list[tuple[str, str, str, str, int]], order: list[str]
) -> None:
    with a_database() as connection:
        fill(connection, steps, "nobody")
        there = [name for name in order if find(connection, name) is not None][:2]
        if len(there) < 2:
            return
        mentions = int(connection.execute("SELECT sum(mention_count) FROM entities").get)
        merge.merge(connection, there[0], there[1], 1_000_000)

        assert find(connection, there[0]) == find(connection, there[1])
        assert connection.execute("SELECT sum(mention_count) FROM entities").get == mentions
        assert connection.execute("SELECT count(*) FROM relations WHERE source_id = target_id").get == 0
        doubled = """
            SELECT count(*) FROM (SELECT 1 FROM relations WHERE status = 'active'
                GROUP BY source_id, relation_type, target_id, session_id HAVING count(*) > 1)
        """
        assert connection.execute(doubled).get == 0
        single = """
            SELECT count(*) FROM (SELECT 1 FROM relations WHERE status = 'active' AND relation_type = 'lives_in'
                GROUP BY source_id HAVING count(DISTINCT target_id) > 1)
        """
        assert connection.execute(single).get == 0


async def test_a_merge_that_would_move_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merge, "MOST_MOVED", 3)
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, *(f"Tom | likes | dish {number}" for number in range(4)), "Thomas | likes | tea")
        with pytest.raises(MergeRefused, match="too much"):
            await graph.merge("Tom", "Thomas")
        assert (await graph.merge("Thomas", "Tom")).redirected == 1


async def test_a_merge_of_an_ended_fact_keeps_it_ended(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Tom | lives_in | Ghent", "Thomas | likes | tea")
        await tell(graph, clock, "Tom | lives_in | Bruges")
        await graph.merge("Tom", "Thomas")

        ended = [one for one in await graph.about("Thomas", ended=True) if one.status is Status.SUPERSEDED]
        assert [(one.object, one.valid_until) for one in ended] == [("Ghent", NOON.replace(minute=2))]
        assert isinstance(await graph.entity("tom"), Entity)
