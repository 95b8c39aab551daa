"""Recall: facts, turns, documents and the context together, within a budget, each with its reason."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest
from doubles.memory import NOON, Wall, a_store, tell

from companion.errors import StorageError
from companion.memory.context import Context, Event
from companion.memory.documents import Documents
from companion.memory.graph import Graph
from companion.memory.passages import Passage
from companion.memory.recall import Asking, Recall
from companion.memory.recalled import Recalled
from companion.memory.text_index import TextIndex

ASKING = Asking(NOON + timedelta(days=1), asker="user")


@dataclass(frozen=True)
class House:
    """A memory with everything in it."""

    graph: Graph
    texts: TextIndex
    documents: Documents
    context: Context
    clock: Wall

    def recall(self, **more: object) -> Recall:
        return Recall(self.graph, self.texts, self.context, **more)

    async def say(self, *said: str, by: str = "user", days: int = 0) -> None:
        at = NOON - timedelta(days=days)
        turns = [Passage(text, at + timedelta(minutes=n), by, f"{days}-{n}") for n, text in enumerate(said)]
        await self.texts.add(f"day-{days}", turns)


@asynccontextmanager
async def a_house(folder: Path) -> AsyncIterator[House]:
    clock = Wall()
    async with a_store(folder, clock) as store:
        documents = await Documents.open(folder / "documents", store, clock)
        context = await Context.open(folder / "context.json")
        yield House(Graph(store, clock), TextIndex(store), documents, context, clock)


def texts(found: list[Recalled]) -> list[str]:
    return [one.text for one in found]


def kinds(found: list[Recalled]) -> set[str]:
    return {one.source.split(",")[0] for one in found}


async def test_every_layer_answers_and_says_why(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        await tell(house.graph, house.clock, "Emma | plays | cello")
        await house.say("Emma's cello concert is at the town hall", days=3)
        await house.documents.insert("cello", "The cello was bought from a shop in Nantes.")
        await house.context.append(Event(NOON, "user", "did the cello arrive", "The cello came today.", turn="t9"))

        found = await house.recall().recall("where is Emma's cello?", ASKING)
    assert kinds(found) == {"fact", "turn", "document", "context"}
    assert found[0].text == "Emma plays cello"
    assert all(one.reason and one.at for one in found)


@pytest.mark.parametrize(
    "question",
    [
        "If I plant tomatoes in spring, when can I eat the first ones?",
        "There is one thing I never understood, why do cats like boxes?",
        "Why do leaves turn red in autumn?",
    ],
)
async def test_a_question_about_the_world_brings_no_text_that_only_shares_a_word_with_it(
    tmp_path: Path, question: str
) -> None:
    async with a_house(tmp_path) as house:
        await house.say(
            "I never liked the boxes in the cellar", "the leaves are in the gutter", "we eat at six", days=3
        )
        await house.documents.insert("spring", "The spring of the clock was broken, and the cats sat on it.")
        await house.context.append(Event(NOON, "user", "what do cats eat", "Cats eat meat and fish.", turn="t9"))

        assert texts(await house.recall().recall(question, ASKING)) == []
        assert "I never liked the boxes in the cellar" in texts(
            await house.recall().recall("what did I say about the boxes?", ASKING)
        )


async def test_a_question_that_was_talked_about_brings_what_was_said(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        await house.say("the tomatoes in the greenhouse are planted in March", days=3)

        found = await house.recall().recall("when are tomatoes in the greenhouse planted?", ASKING)
    assert texts(found) == ["the tomatoes in the greenhouse are planted in March"]


async def test_facts_lead_on_to_turns(tmp_path: Path) -> None:
    """ "My sister" is Emma, and it is Emma who was spoken of."""
    async with a_house(tmp_path) as house:
        await tell(house.graph, house.clock, "user | sister | Emma", "Emma | lives_in | Lyon")
        await house.say("Emma broke her arm on the ice", "poor thing", days=20)
        await house.say("the bus was late again", "as always", days=10)

        found = await house.recall().recall("how is my sister", ASKING)
    assert {"user is sibling of Emma", "Emma broke her arm on the ice"} <= set(texts(found))
    assert "the bus was late again" not in texts(found)


async def test_what_has_to_do_with_something_else_is_left_out(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        await tell(house.graph, house.clock, "user | likes | tea")
        await house.say("I bought a red lamp", days=2)
        await house.documents.insert("pears", "How to prune pear trees.")

        assert await house.recall().recall("what is the capital of Peru", ASKING) == []
        assert await house.recall().recall("", ASKING) == []
        assert await house.recall().recall("the and of", ASKING) == []


async def test_days_are_understood(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        await house.say("the soup burnt", days=0)
        await house.say("the soup was salty", days=30)

        found = await house.recall().recall("what about the soup yesterday", ASKING)
    assert found[0].text == "the soup burnt"
    assert "from the days asked about" in found[0].reason


async def test_chinese_is_recalled(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        await tell(house.graph, house.clock, "小白 | is_a | 猫")
        await house.say("小白昨天没吃饭", days=1)

        found = await house.recall().recall("小白怎么了", ASKING)
    assert {"小白 is a 猫", "小白昨天没吃饭"} <= set(texts(found))


async def test_what_the_prompt_shows_is_not_recalled(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        await house.say("the cello is at the luthier's", days=0)
        await house.context.append(Event(NOON, "user", "the cello is at the luthier's", turn="0-0"))

        shown = replace(ASKING, shown=frozenset({"0-0"}))
        assert await house.recall().recall("cello", shown) == []
        assert kinds(await house.recall().recall("cello", ASKING)) == {"context"}


async def test_an_archive_does_not_say_a_turn_again(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        await house.say("the cello is at the luthier's in Nantes", days=0)
        await house.documents.archive([Event(NOON, "user", "the cello is at the luthier's in Nantes")])

        assert len(await house.recall().recall("cello", ASKING)) == 1


@pytest.mark.parametrize("tokens", [0, 1, 20, 60, 200])
async def test_the_budget_is_kept(tmp_path: Path, tokens: int) -> None:
    async with a_house(tmp_path) as house:
        for number in range(8):
            await tell(house.graph, house.clock, f"Emma | likes | cello {number}")
            await house.say(f"Emma played cello piece {number} {'x' * number}", days=number)

        found = await house.recall(count=lambda text: len(text.split())).recall(
            "Emma cello", replace(ASKING, tokens=tokens)
        )
    assert sum(len(one.line(NOON.tzinfo).split()) + 1 for one in found) <= tokens
    if tokens == 200:
        assert kinds(found) == {"fact", "turn"}


async def test_recalling_does_not_count_as_access(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        made = await house.documents.insert("pears", "How to prune pear trees.")
        assert texts(await house.recall().recall("prune pear trees", ASKING)) == ["How to prune pear trees."]

        assert await house.documents.get(made.id) == made


class Broken:
    """A layer whose disk is gone."""

    async def recall(self, *given: object, **more: object) -> None:
        raise StorageError("gone", file="memory.db")

    search = recall


async def test_a_layer_that_fails_is_left_out(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        await tell(house.graph, house.clock, "Emma | plays | cello")
        await house.say("Emma's cello is old", days=1)

        assert kinds(await Recall(Broken(), house.texts).recall("Emma cello", ASKING)) == {"turn"}
        assert kinds(await Recall(house.graph, Broken()).recall("Emma cello", ASKING)) == {"fact"}
