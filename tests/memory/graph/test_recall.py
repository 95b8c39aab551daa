"""What is asked for is recalled first, with the reason, and by a bounded look however much is known."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import apsw
import pytest
from doubles.memory import NOON, Wall, a_graph, a_store, said, tell, triples

from companion.memory.facts import Criteria, Triple
from companion.memory.graph import Graph
from companion.memory.graph.recall import MOST_ENTITIES, MOST_HITS, NEWEST

FAMILY = (
    "user | lives in | Ghent",
    "user | is_parent_of | Emma",
    "user | is_partner_of | Tom",
    "user | works_at | the bakery",
    "user | likes | long walks",
    "user | plays | cards",
    "Emma | likes | strawberry tea",
    "Emma | is_allergic_to | hazelnuts",
    "Emma | studies_at | the red school",
    "Tom | plays | the violin",
    "Tom | has_appointment | dentist on Friday",
    "the red school | is_kept_in | Bruges",
)


async def best(graph: Graph, words: str, *seeds: str, depth: int = 2) -> str:
    found = await graph.recall(words.split(), seeds, depth=depth)
    fact = found.facts[0].fact
    return f"{fact.subject} {fact.relation} {fact.object}"


@pytest.mark.parametrize(
    ("question", "seeds", "answer"),
    [
        ("what does Emma like", (), "Emma likes strawberry tea"),
        ("where do I live", ("user",), "user lives_in Ghent"),
        ("what is emma allergic to", (), "Emma is_allergic_to hazelnuts"),
        ("who is allergic to hazelnuts", (), "Emma is_allergic_to hazelnuts"),
        ("when is the dentist", (), "Tom has_appointment dentist on Friday"),
        ("which school does Emma go to", (), "Emma studies_at the red school"),
        ("does Tom play an instrument", (), "Tom plays the violin"),
        ("where do I work", ("user",), "user works_at the bakery"),
        ("who drinks strawberry tea", (), "Emma likes strawberry tea"),
        ("what does Emma like", ("user",), "Emma likes strawberry tea"),
        ("where does Emma go to school", ("user",), "Emma studies_at the red school"),
        ("what does Tom play", ("user",), "Tom plays the violin"),
        ("who is my husband", ("user",), "user is_partner_of Tom"),
    ],
)
async def test_a_question_recalls_its_answer_first(
    tmp_path: Path, question: str, seeds: tuple[str, ...], answer: str
) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, *FAMILY)

        assert await best(graph, question, *seeds) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [("张三喜欢什么", "张三 likes 绿茶"), ("张三住在哪里", "张三 lives_in 北京"), ("谁 喜欢 绿茶", "张三 likes 绿茶")],
)
async def test_a_chinese_question_needs_no_spaces(tmp_path: Path, question: str, answer: str) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "张三 | 喜欢 | 绿茶", "张三 | 住在 | 北京", "李四 | 喜欢 | 咖啡")

        assert await best(graph, question) == answer


async def test_without_words_or_names_the_most_mentioned_and_the_newest_come(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, *(f"user | likes | dish {number}" for number in range(60)))
        for nothing in (await graph.recall(), await graph.recall(["  "], [""])):
            assert (len(nothing.entities), len(nothing.facts)) == (MOST_ENTITIES, NEWEST)
            assert nothing.entities[0].name == "user"
            assert nothing.facts[0].fact.object == "dish 59"
        assert [fact.object for fact in await graph.newest(2)] == ["dish 59", "dish 58"]


async def test_facts_are_followed_as_deep_as_asked(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "a1 | knows | b2", "b2 | knows | c3", "c3 | knows | d4", "e5 | knows | d4")
        for depth in (1, 2, 3, 4):
            found = await graph.recall([], ["a1"], depth=depth)
            assert [hit.distance for hit in found.facts] == list(range(depth))
        assert [hit.fact.subject for hit in found.facts] == ["a1", "b2", "c3", "e5"]  # against the arrow too


async def test_what_was_ended_or_forgotten_is_not_recalled(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "user | lives_in | Paris", "user | likes | rain")
        await tell(graph, clock, "user | lives_in | Ghent")
        soon = [Triple("user", "visits", "Rome", valid_until=NOON + timedelta(days=2))]
        await graph.commit(soon, said(clock.now, turn="9"))
        await graph.purge(Criteria(object="rain"))
        assert {hit.fact.object for hit in (await graph.recall(["user"])).facts} == {"Ghent", "Rome"}
        clock.go(days=3)
        assert {hit.fact.object for hit in (await graph.recall(["user"])).facts} == {"Ghent"}


async def test_every_hit_says_why(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, *FAMILY)
        found = await graph.recall(["where", "live", "Emma", "user"], limit=20)
        told = {hit.fact.object: hit.reason for hit in found.facts}

        assert told["Ghent"] == "asked for lives in of user"
        assert told["hazelnuts"] == "about Emma"
        assert told["Emma"] == "between user and Emma"
        assert told["the violin"] == "1 steps from what was asked"
        scores = [hit.score for hit in found.facts]
        assert scores == sorted(scores, reverse=True)


async def test_a_fact_is_recalled_once_however_often_it_was_said(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        for session in "abcdef":
            await tell(graph, clock, "Emma | likes | tea", session=session)

        assert len((await graph.recall(["emma"])).facts) == 1


async def test_the_limit_holds(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        for start in range(0, 180, 60):
            await tell(graph, clock, *(f"user | likes | dish {start + number}" for number in range(60)))

        assert len((await graph.recall(["user"], limit=5)).facts) == 5
        assert len((await graph.recall(["user"], limit=10_000)).facts) <= MOST_HITS


async def test_pinned_and_sure_facts_come_first(tmp_path: Path) -> None:
    async with a_graph(tmp_path) as graph:
        doubtful = Triple("user", "likes", "figs", confidence=0.3)
        done = await graph.commit([doubtful, *triples("user | likes | tea", "user | likes | cake")], said())
        await graph.pin(done.facts[2])

        assert [hit.fact.object for hit in (await graph.recall(["user"])).facts] == ["cake", "tea", "figs"]


async def test_a_hub_hides_nothing_that_was_asked_for(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, "user | is_kept_in | the old cupboard", "user | likes | quinces")
        for start in range(0, 600, 60):
            await tell(graph, clock, *(f"user | owns | thing {start + number}" for number in range(60)))

        assert await best(graph, "quinces", "user") == "user likes quinces"
        assert await best(graph, "where am I kept", "user") == "user is_kept_in the old cupboard"


async def test_recall_reads_a_bounded_number_of_rows(tmp_path: Path) -> None:
    """A question of common words about somebody of whom very much is known."""
    clock = Wall()
    async with a_store(tmp_path, clock) as store:
        graph = Graph(store, clock)

        def grow(db: apsw.Connection) -> None:
            db.execute("INSERT INTO entities(name, key, created_at, updated_at) VALUES('user', 'user', 0, 0)")
            for number in range(2, 20_002):
                name = f"the thing {number}"
                db.execute(
                    "INSERT INTO entities(id, name, key, created_at, updated_at) VALUES(?, ?, ?, 0, 0)",
                    (number, name, name),
                )
                parts = [(f"={word}", number) for word in name.split()]
                db.executemany("INSERT INTO name_parts VALUES(?, ?)", parts)
            db.execute(
                """
                INSERT INTO relations(source_id, target_id, relation_type, said_by, session_id, turn_id, said_at,
                    date_bucket, created_at, updated_at)
                SELECT 1, id, 'likes', 'user', 's', id, id, '2026-01-01', 0, 0 FROM entities WHERE id > 1
                """
            )

        await store.write(grow)
        steps = await store.read(_steps_of_a_recall)
        assert steps < 200_000

        found = await graph.recall(["what", "thing", "the", "777", "like"], ["user"])
        assert found.facts[0].fact.object == "the thing 777"


def _steps_of_a_recall(db: apsw.Connection) -> int:
    from companion.memory.graph.recall import recall

    count = 0

    def step() -> bool:
        nonlocal count
        count += 100
        return False

    db.set_progress_handler(step, 100)
    try:
        recall(db, keywords=["the", "thing", "like"], seeds=["user"], depth=4, limit=100, now=NOON)
    finally:
        db.set_progress_handler(None)
    return count


async def test_what_is_somebodys_is_asked_of_somebody(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(graph, clock, *FAMILY)

        found = await graph.recall(["what's emma's allergy"], [])

    assert "hazelnuts" in [hit.fact.object for hit in found.facts[:2]]
