"""On its way into the graph a fact finds whom it is about, and what it takes the place of."""

from __future__ import annotations

from pathlib import Path

from doubles.memory import Wall, a_graph, known, said

from companion.memory.distil import distil
from companion.memory.distil.ground import commit
from companion.memory.graph import Graph


async def hear(graph: Graph, clock: Wall, *texts: str, language: str = "en") -> None:
    for text in texts:
        at = clock.go(minutes=1)
        await commit(graph, distil(text, "user", at, language), said(at, turn=at.isoformat()))


async def test_a_fact_about_a_role_that_has_a_name_is_about_the_name(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await hear(graph, clock, "my sister is called Emma", "my sister lives in Lyon", "Emma moved to Paris")

        assert "Emma lives_in Paris" in await known(graph, "Emma")
        assert "Emma lives_in Lyon" not in await known(graph, "Emma")


async def test_what_was_known_of_a_role_is_known_of_its_name(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await hear(graph, clock, "my sister lives in Lyon", "my sister's called Emma")

        assert "Emma lives_in Lyon" in await known(graph, "Emma")
        assert await known(graph, "my sister") == ["my sister is_called Emma"]


async def test_a_corrected_name_is_the_same_person(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await hear(
            graph,
            clock,
            "my sister is called Emma",
            "Emma likes tea",
            "no, my sister is called Emmy not Emma",
        )

        assert "Emmy likes tea" in await known(graph, "Emmy")
        assert await known(graph, "my sister") == ["my sister is_called Emmy"]


async def test_a_new_boss_is_somebody_else(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await hear(graph, clock, "my boss is called Helga", "Helga likes chess", "my boss is called Fergal now")

        assert "Fergal likes chess" not in await known(graph, "Fergal")
        assert "Helga likes chess" in await known(graph, "Helga")


async def test_an_appointment_told_for_another_day_was_moved(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await hear(graph, clock, "my dentist is on friday", "my dentist is on thursday")
        (fact,) = [fact for fact in await graph.about("user") if fact.relation == "has_appointment"]

        assert fact.valid_from is not None
        assert fact.valid_from.strftime("%A") == "Thursday"


async def test_a_medicine_that_takes_the_place_of_the_only_other_ends_it(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await hear(graph, clock, "I take ramipril", "I take blood thinners now")

        assert await known(graph, "user") == ["user takes_medicine blood thinners"]


async def test_one_medicine_more_among_several_ends_none(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await hear(graph, clock, "I take ramipril", "I take metformin", "I take blood thinners now")

        assert len(await known(graph, "user")) == 3


async def test_chinese_names_and_roles_are_one_as_well(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await hear(graph, clock, "我妹妹住在成都", "我妹妹叫小雪", "小雪搬到重庆了", language="zh")

        assert "小雪 lives_in 重庆" in await known(graph, "小雪")
        assert "小雪 lives_in 成都" not in await known(graph, "小雪")


async def test_what_the_user_wants_to_be_called_is_their_name_where_no_other_is_known(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await hear(graph, clock, "call me Pip")
        assert "user is_called Pip" in await known(graph, "user")

        await hear(graph, clock, "my name is Philippa", "you can call me Pippa")
        facts = await known(graph, "user")

    assert "user is_called Philippa" in facts
    assert "user also_called Pippa" in facts
