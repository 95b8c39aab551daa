"""Whom a text names, and that forgetting somebody takes whatever names them, and nothing of anybody else."""

from __future__ import annotations

from pathlib import Path

import pytest
from doubles.memory import NOON, Wall, a_graph, a_store, known, tell

from companion.errors import StorageError
from companion.memory.context import Event
from companion.memory.documents import Documents
from companion.memory.facts import Criteria
from companion.memory.graph import Graph
from companion.memory.naming import naming
from companion.memory.passages import Kind, Passage
from companion.memory.text_index import TextIndex
from companion.memory.text_search import Question


def bytes_in(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


@pytest.mark.parametrize(
    ("name", "text", "is_named"),
    [
        ("Emma", "I saw EMMA's dog", True),
        ("Emma", "I like emmas", False),
        ("Ann", "Anna came", False),
        ("José", "josé.", True),
        ("my sister", "of my  Sister", True),
        ("小明", "我和小明去", True),
        ("小明", "小王", False),
        ("Will", "then Will came", True),
        ("will", "I will come", False),
        ("Will", "Will you come", False),
        ("the", "the end", False),
        ("C++", "I learn C++ now", True),
        ("", "anything", True),
    ],
)
def test_a_name_is_named_as_words_of_its_own(name: str, text: str, is_named: bool) -> None:
    assert naming(name)(text) is is_named


async def test_notes_and_appointments_that_name_somebody_are_forgotten_with_them(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await tell(
            graph,
            clock,
            "user | asked_to_remember | Emma is pregnant",
            "Emma | likes | tea",
            "user | has_appointment | dentist with Emma",
            "Emmanuel | likes | coffee",
            "user | likes | 张三的茶",
        )
        await graph.purge(Criteria(naming="emma"), hard=True)
        assert await known(graph, "user") == ["user likes 张三的茶"]
        assert await known(graph, "Emmanuel") == ["Emmanuel likes coffee"]
        await graph.purge(Criteria(naming="张三"), hard=True)
        assert await known(graph, "user") == []
    left = bytes_in(tmp_path)
    assert b"pregnant" not in left
    assert "张三".encode() not in left


async def test_a_wipe_that_failed_is_made_up_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Wall()
    async with a_store(tmp_path, clock) as store:
        graph = Graph(store, clock)
        await tell(graph, clock, "Emma | has_condition | leukaemia")
        await store.backup()

        def refuse() -> None:
            raise StorageError("full", file="x")

        with monkeypatch.context() as full:
            full.setattr(store._database, "wipe", refuse)
            with pytest.raises(StorageError):
                await graph.purge(Criteria(entity="Emma"), hard=True)
        await graph.purge(Criteria(entity="Emma"), hard=True)
        assert await store.wipe_if_owed() is False
    left = bytes_in(tmp_path)
    assert b"leukaemia" not in left


async def test_what_is_owed_is_still_owed_after_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Wall()
    async with a_store(tmp_path, clock) as store:
        graph = Graph(store, clock)
        await tell(graph, clock, "Emma | has_condition | leukaemia")
        await store.backup()
        monkeypatch.setattr(store, "wipe", lambda: _refuse())
        with pytest.raises(StorageError):
            await graph.purge(Criteria(entity="Emma"), hard=True)
    async with a_store(tmp_path, clock) as store:
        assert await store.wipe_if_owed()
    left = bytes_in(tmp_path)
    assert b"leukaemia" not in left


async def _refuse() -> None:
    raise StorageError("full", file="x")


async def test_files_that_were_set_aside_and_copies_that_were_cut_off_are_wiped_too(tmp_path: Path) -> None:
    clock = Wall()
    async with a_store(tmp_path, clock) as store:
        await Documents.open(tmp_path / "documents", store, clock)
        graph = Graph(store, clock)
        await tell(graph, clock, "Emma | has_condition | leukaemia")
        copy = await store.backup()
        (tmp_path / "documents").mkdir(exist_ok=True)
        for name in ("backups/memory-000007-20260101T000000000000Z.db.new", "context.json.damaged", "memory.db.new"):
            (tmp_path / name).write_bytes(copy.read_bytes())
        (tmp_path / "documents" / "doc_1.json.damaged").write_text("leukaemia")
        await graph.purge(Criteria(entity="Emma"), hard=True)
    assert b"leukaemia" not in bytes_in(tmp_path)


async def test_an_archive_forgets_what_its_lines_do_not_show(tmp_path: Path) -> None:
    clock = Wall()
    async with a_store(tmp_path, clock) as store:
        documents = await Documents.open(tmp_path / "documents", store, clock)
        long = f"{'well ' * 60}Emma has leukaemia"
        held = await documents.archive([Event(NOON, "user", "And?", long), Event(NOON, "user", "Bob rows", "Good.")])
        assert held is not None
        note = await documents.insert("of two", "Bob rows\nEmma sings", meta={"from": "a book"})

        assert await documents.forget_about("Emma") == 2
        archived, noted = await documents.get(held.id), await documents.get(note.id)
        assert archived is not None
        assert noted is not None
        assert "Bob rows" in archived.content
        assert (noted.content, noted.meta["from"]) == ("Bob rows", "a book")
    assert b"leukaemia" not in bytes_in(tmp_path)


async def test_both_sides_of_a_turn_are_forgotten(tmp_path: Path) -> None:
    async with a_store(tmp_path) as store:
        texts = TextIndex(store)
        for turn, (said, answered) in enumerate((("How is Emma?", "She has leukaemia."), ("And Bob?", "He rows."))):
            await texts.add("s", [Passage(said, NOON, "user", f"t{turn}"), Passage(answered, NOON, "c", f"t{turn}-a")])

        assert await texts.forget_about("Emma", answers="-a") == 2
        assert len(await texts.search(Kind.TURN, Question("Bob rows leukaemia", NOON))) == 2
        assert await texts.forget_about("", answers="-a") == 2
    assert b"leukaemia" not in bytes_in(tmp_path)
