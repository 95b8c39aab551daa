"""Half of a character, as models and recognisers leave it behind, keeps nothing from being stored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from doubles.memory import NOON, Wall, a_store, known, said
from hypothesis import given
from hypothesis import strategies as st

from companion.memory.context import Context, Event
from companion.memory.documents import Documents
from companion.memory.facts import Triple
from companion.memory.graph import Form, Graph
from companion.memory.passages import Kind, Passage
from companion.memory.storable import storable
from companion.memory.text_index import TextIndex
from companion.memory.text_search import Question

HALF = "\ud83d"


@given(st.text(st.characters(), max_size=20))
def test_any_text_becomes_one_that_can_be_written_and_a_good_one_stays(text: str) -> None:
    storable(text).encode()
    assert storable(storable(text)) == storable(text)
    if not any("\ud800" <= char <= "\udfff" for char in text):
        assert storable(text) == text


def test_two_halves_are_put_together() -> None:
    assert storable("\ud83d\ude00 ok") == "😀 ok"


@pytest.mark.parametrize("field", ["source", "input", "response", "session", "turn"])
async def test_the_context_is_saved_with_it(tmp_path: Path, field: str) -> None:
    context = await Context.open(tmp_path / "context.json")
    await context.append(Event(**{"at": NOON, "source": "user", field: f"tea {HALF}"}))  # type: ignore[arg-type]
    await context.append(Event(NOON, "user", "later", tool_results=(HALF,), tools_used=(HALF,)))

    assert context.is_saved
    assert len((await Context.open(tmp_path / "context.json")).events) == 2


async def test_documents_turns_and_facts_are_stored_with_it(tmp_path: Path) -> None:
    clock = Wall()
    async with a_store(tmp_path, clock) as store:
        documents = await Documents.open(tmp_path / "documents", store, clock)
        held = await documents.insert(f"tea {HALF}", f"of tea {HALF}", tags=[HALF], entities=[HALF], meta={"x": HALF})
        assert await documents.get(held.id) is not None
        texts = TextIndex(store)
        await texts.add(f"s{HALF}", [Passage(f"tea {HALF}", NOON, f"user{HALF}", f"t{HALF}")])
        assert len(await texts.search(Kind.TURN, Question("tea", NOON))) == 1
        graph = Graph(store, clock)
        source = said(NOON, session=f"s{HALF}", turn=f"t{HALF}", by=f"user{HALF}")
        await graph.commit([Triple(f"Emma{HALF}", f"likes{HALF}", f"tea{HALF}")], source)
        assert len(await graph.about("Emma")) == 1
        await graph.recall([HALF], [HALF])
        assert await graph.entity(HALF) is None


async def test_an_import_with_it_is_brought_in(tmp_path: Path) -> None:
    clock = Wall()
    async with a_store(tmp_path, clock) as store:
        graph = Graph(store, clock)
        await graph.commit([Triple("Emma", "likes", "tea")], said(NOON, turn="t"))
        await graph.export(tmp_path / "x.json", Form.JSON)
    exported = json.loads((tmp_path / "x.json").read_text())
    exported["facts"][0] |= {"object": HALF + "cake", "turn": HALF}
    (tmp_path / "x.json").write_text(json.dumps(exported))
    async with a_store(tmp_path / "other", clock) as store:
        graph = Graph(store, clock)
        await graph.bring_in(tmp_path / "x.json")
        assert len(await known(graph, "Emma")) == 1
