"""Pairs to be asked about: found among many, and not asked twice without news."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from itertools import combinations
from pathlib import Path

import apsw
from doubles.memory import Wall, a_graph, a_store, tell
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.memory.facts import Provenance, Triple
from companion.memory.graph import Alike, Graph, Verdict
from companion.memory.graph.candidates import candidates
from companion.memory.graph.commit import commit
from companion.memory.graph.names import key_of
from companion.memory.graph.rows import moment
from companion.memory.graph.similarity import why_alike
from companion.memory.migrations import GRAPH


async def pairs(graph: Graph) -> set[frozenset[str]]:
    return {frozenset((one.source.name, one.target.name)) for one in await graph.candidates(20)}


async def test_zhang_san_and_mister_zhang_are_asked_about_and_zhang_sansi_is_not(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "张三 | likes | 茶", "张三四 | likes | 咖啡")
        assert await pairs(graph) == set()
        await tell(graph, clock, "张先生 | likes | 茶")

        assert await pairs(graph) == {frozenset(("张三", "张先生")), frozenset(("张三四", "张先生"))}


async def test_the_one_that_is_mentioned_more_is_the_target(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Katherine | likes | tea", "Catherine | likes | cake", "Catherine | plays | chess")
        (found,) = await graph.candidates()

        assert (found.source.name, found.target.name, found.why) == ("Katherine", "Catherine", Alike.LETTERS)


async def test_an_alias_counts_as_a_name(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Thomas | likes | tea", "Bobby Miller | likes | cake")
        await graph.alias("Thomas", "Robby Miller")
        (found,) = await graph.candidates()

        assert found.why is Alike.ALIAS


async def test_a_pair_that_was_answered_is_asked_again_only_after_something_new(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Jon Smith | likes | tea", "John Smith | likes | cake")
        for verdict in (Verdict.DIFFERENT, Verdict.UNDECIDED):
            assert len(await graph.candidates()) == 1
            await graph.answer("Jon Smith", "John Smith", verdict)
            await tell(graph, clock, "Emma | likes | figs")
            assert await graph.candidates() == []
            await tell(graph, clock, f"Jon Smith | knows | somebody {verdict}")


async def test_what_is_near_in_meaning_is_asked_about_when_somebody_can_tell(tmp_path: Path) -> None:
    def nearness(name: str, others: Sequence[str]) -> list[float]:
        return [0.9 if {name, other} == {"mum", "my mother"} else 0.1 for other in others]

    clock = Wall()
    async with a_store(tmp_path, clock) as store:
        graph = Graph(store, clock, nearness=nearness)
        await tell(graph, clock, "mum | lives_in | Ghent", "my mother | lives_in | Ghent", "Tom | lives_in | Ghent")
        (found,) = await graph.candidates()

        assert {found.source.name, found.target.name} == {"mum", "my mother"}
        assert (found.why, found.score) == (Alike.MEANING, 0.9)


NAMES = st.lists(st.text("abc张三四先生 ", min_size=1, max_size=6), min_size=2, max_size=12)


@settings(max_examples=300)
@example(["张三先生", "张三四a"])
@given(NAMES)
def test_every_pair_of_all_is_found_that_comparing_each_with_each_finds(names: list[str]) -> None:
    with closing(apsw.Connection(":memory:")) as connection:
        for step in GRAPH:
            connection.execute(step.sql).fetchall()
        for number, name in enumerate(names):
            source = Provenance("user", moment(number), "s", str(number))
            commit(connection, [Triple(name, "likes", "QQQQ")], source, moment(number))
        found = {frozenset((one.source.name, one.target.name)) for one in candidates(connection, limit=1000)}
        stored = {str(name) for (name,) in connection.execute("SELECT name FROM entities")}

    expected = {
        frozenset(pair) for pair in combinations(stored, 2) if why_alike(key_of(pair[0]), key_of(pair[1])) is not None
    }
    assert found == expected
