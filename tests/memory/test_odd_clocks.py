"""A clock that was put back, facts that begin later, and who may end whose facts."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from doubles.memory import Wall, a_graph, known, said, tell, triples

from companion.memory.facts import Criteria, Triple


async def test_what_is_said_again_after_the_clock_was_put_back_is_stored(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "user | likes | tea")
        await graph.purge(Criteria(entity="tea"))
        clock.go(hours=-2)
        await tell(graph, clock, "user | likes | tea")

        assert await known(graph, "user") == ["user likes tea"]


async def test_a_move_that_is_told_after_the_clock_was_put_back_is_the_newest(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "user | lives_in | Ghent")
        await tell(graph, clock, "user | lives_in | Paris")
        clock.go(hours=-2)
        await tell(graph, clock, "user | lives_in | Lyon")

        assert await known(graph, "user") == ["user lives_in Lyon"]
        clock.go(days=2)
        assert await known(graph, "user") == ["user lives_in Lyon"]


async def test_how_things_will_be_is_not_recalled_before_they_are_so(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "user | lives_in | Paris")
        at = clock.go(minutes=1)
        later = clock.now + timedelta(days=30)
        await graph.commit([Triple("user", "lives_in", "Lyon", valid_from=later)], said(at, turn="2"))
        await graph.commit([Triple("user", "has_appointment", "dentist", valid_from=later)], said(at, turn="3"))

        async def recalled(*words: str) -> list[str]:
            return [hit.fact.object for hit in (await graph.recall(words, ["user"])).facts]

        assert "Lyon" not in await recalled("where", "live")
        assert "Paris" in await recalled("where", "live")
        assert "dentist" in await recalled("when", "dentist")
        clock.go(days=31)
        assert "Lyon" in await recalled("where", "live")
        assert "Paris" not in await recalled("where", "live")


async def test_a_move_that_is_called_off_leaves_the_old_place(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "user | lives_in | Paris")
        later = clock.now + timedelta(days=30)
        at = clock.go(minutes=1)
        await graph.commit([Triple("user", "lives_in", "Lyon", valid_from=later)], said(at, turn="2"))
        await graph.commit([Triple("user", "lives_in", "Lyon", ends=True)], said(clock.go(minutes=1), turn="3"))
        clock.go(days=60)

        assert await known(graph, "user") == ["user lives_in Paris"]


async def test_what_a_plugin_says_ends_nothing_the_user_has_said(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "user | lives_in | Paris", "user | likes | rain")
        for number, line in enumerate(("user | lives_in | Mars", "user | dislikes | rain")):
            done = await graph.commit(triples(line), said(clock.go(minutes=1), by="plugin weather", turn=f"p{number}"))
            assert done.superseded == ()
        over = [Triple("user", "likes", "rain", ends=True)]
        await graph.commit(over, said(clock.go(minutes=1), by="plugin weather", turn="p9"))

        assert {"user lives_in Paris", "user likes rain"} <= set(await known(graph, "user"))
        best = (await graph.recall(["where", "live"], ["user"])).facts[0].fact
        assert (best.object, best.said_by) == ("Paris", "user")
        await tell(graph, clock, "user | lives_in | Lyon")
        assert [one for one in await known(graph, "user") if "lives_in" in one] == ["user lives_in Lyon"]


async def test_a_plugin_may_correct_itself(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        for turn, town in enumerate(("Paris", "Lyon")):
            at = clock.go(minutes=1)
            await graph.commit(triples(f"Emma | lives_in | {town}"), said(at, by="plugin friends", turn=str(turn)))

        assert await known(graph, "Emma") == ["Emma lives_in Lyon"]


async def test_correcting_what_was_before_does_not_make_it_hold_now(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "user | lives_in | Pariss")
        await tell(graph, clock, "user | lives_in | Lyon")
        (old,) = [one for one in await graph.about("user", ended=True) if one.object == "Pariss"]
        clock.go(minutes=1)
        await graph.edit(old.id, Triple("user", "lives_in", "Paris"), said_by="user")

        assert await known(graph, "user") == ["user lives_in Lyon"]
        assert "user lives_in Paris" in await known(graph, "user", ended=True)


async def test_who_was_forgotten_is_not_among_those_that_are_known(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "Emma | likes | tea", "Bob | likes | beer")
        await graph.purge(Criteria(entity="Emma"))

        assert [one.name for one in (await graph.introspect()).most_mentioned] == ["Bob", "beer"]
        assert (await graph.recall(["Emma"])).entities == ()
