"""Everything can be taken along, drawn elsewhere, and brought back the same."""

from __future__ import annotations

import json
import os
from datetime import timedelta
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import apsw
import pytest
from doubles.memory import NOON, Wall, a_database, a_graph, known, said, tell, triples
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import BadInput, StorageError, UnknownEntity
from companion.memory.facts import Criteria, Triple
from companion.memory.graph import Form, Graph, Imported
from companion.memory.graph.bring_in import bring_in, parse_export
from companion.memory.graph.commit import commit
from companion.memory.graph.export import write_json
from companion.settings.atomic import write_atomically

GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"


async def fill(graph: Graph, clock: Wall) -> None:
    await tell(
        graph, clock, "user | lives_in | Paris", 'Emma "Em" <O\'Hara> | likes | tea & "cake"', "张三 | 喜欢 | 茶"
    )
    await tell(graph, clock, "user | lives_in | Lyon", "user | likes | rain")
    await graph.alias("user", "Anna")
    done = await graph.commit(
        [Triple("user", "plans", "a trip", confidence=0.5, valid_until=NOON + timedelta(days=9))],
        said(clock.go(minutes=1), by="Tom", turn="t"),
    )
    await graph.pin(done.facts[0])
    await graph.purge(Criteria(object="rain"))


async def test_what_was_exported_and_brought_in_elsewhere_exports_the_same(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path / "here", clock) as here, a_graph(tmp_path / "there", clock) as there:
        await fill(here, clock)
        assert await here.export(tmp_path / "one.json", Form.JSON) == 5
        assert await there.bring_in(tmp_path / "one.json") == Imported(facts=5, known=0, refused=0)
        await there.export(tmp_path / "two.json", Form.JSON)

        assert (tmp_path / "one.json").read_text() == (tmp_path / "two.json").read_text()
        assert await known(there, "Anna") == await known(here, "Anna")
        assert await there.bring_in(tmp_path / "one.json") == Imported(facts=0, known=5, refused=0)
        assert (tmp_path / "one.json").stat().st_mode & 0o777 == 0o600


async def test_what_was_forgotten_is_in_no_export_and_does_not_come_back_by_one(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await fill(graph, clock)
        await graph.export(tmp_path / "before.json", Form.JSON)
        assert "rain" not in (tmp_path / "before.json").read_text()
        clock.go(minutes=1)
        await graph.purge(Criteria(entity='Emma "Em" <O\'Hara>'))
        done = await graph.bring_in(tmp_path / "before.json")

        assert done.facts == 0
        assert await known(graph, 'Emma "Em" <O\'Hara>') == []


async def test_graphml_holds_every_entity_and_every_fact(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await fill(graph, clock)
        await graph.export(tmp_path / "memory.graphml", Form.GRAPHML)
        tree = ElementTree.parse(tmp_path / "memory.graphml").getroot()

        names = {node.get("id"): node.findtext(f"{GRAPHML}data[@key='name']") for node in tree.iter(f"{GRAPHML}node")}
        edges = [
            (names[edge.get("source")], edge.findtext(f"{GRAPHML}data[@key='relation']"), names[edge.get("target")])
            for edge in tree.iter(f"{GRAPHML}edge")
        ]
        assert ('Emma "Em" <O\'Hara>', "likes", 'tea & "cake"') in edges
        assert ("user", "lives_in", "Paris") in edges
        assert len(edges) == 5
        keys = {key.get("id") for key in tree.iter(f"{GRAPHML}key")}
        assert {data.get("key") for data in tree.iter(f"{GRAPHML}data")} <= keys


async def test_the_picture_shows_what_counts_around_somebody(tmp_path: Path) -> None:
    clock = Wall()
    async with a_graph(tmp_path, clock) as graph:
        await fill(graph, clock)
        await tell(graph, clock, "Lyon | lies_on | the Rhone", "the Rhone | flows_to | Arles", "user | knows | Tom")
        whole, around = await graph.picture(), await graph.picture("anna")
        for picture, wanted, other in (
            (whole, {"user", "茶", "Arles"}, "Paris"),
            (around, {"user", "the Rhone"}, "茶"),
        ):
            names = {text.text for text in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")}
            assert wanted <= names
            assert other not in names
        with pytest.raises(UnknownEntity):
            await graph.picture("nobody")


async def test_an_export_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    async with a_graph(tmp_path) as graph:
        await graph.commit(triples("user | likes | tea"), said())
        with pytest.raises(StorageError, match="could not be written"):
            await graph.export(tmp_path / "nowhere" / "memory.json", Form.JSON)
        (tmp_path / "folder").mkdir()
        with pytest.raises(StorageError):
            await graph.export(tmp_path / "folder", Form.JSON)
        assert left_in(tmp_path, "*.new") == []


async def test_a_pipe_in_the_place_of_an_export_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "memory.json"
    os.mkfifo(pipe)
    async with a_graph(tmp_path) as graph:
        await graph.commit(triples("user | likes | tea"), said())
        with pytest.raises(StorageError, match="what is there is no file"):
            await graph.export(pipe, Form.JSON)
    with pytest.raises(StorageError, match="what is there is no file"):
        write_atomically(pipe, "tea")
    assert pipe.is_fifo()
    assert left_in(tmp_path, ".*") == []


def left_in(folder: Path, pattern: str) -> list[Path]:
    return list(folder.glob(pattern))


GOOD = {"subject": "user", "relation": "likes", "object": "tea", "said_by": "user", "at": "2026-01-01T00:00:00+00:00"}


def export_of(*facts: object, **more: object) -> str:
    return json.dumps({"format": "companion-memory", "version": 1, "entities": [], "facts": facts} | more)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("", "no JSON"),
        ("[]", "format"),
        ("[" * 100_000, "no JSON"),
        ('{"format": "other"}', "format"),
        (export_of(version=2), "version"),
        (export_of(entities={}), "entities"),
        (export_of("tea"), r"facts\[0\] is no object"),
        (export_of(GOOD, GOOD | {"subject": 7}), r"facts\[1\].subject"),
        (export_of(GOOD | {"at": "yesterday"}), r"facts\[0\].at"),
        (export_of(GOOD | {"at": "2026-01-01T00:00:00"}), r"facts\[0\].at"),
        (export_of(GOOD | {"at": None}), r"facts\[0\].at"),
        (export_of(GOOD | {"confidence": "high"}), r"facts\[0\].confidence"),
        (export_of(GOOD | {"confidence": True}), r"facts\[0\].confidence"),
        (export_of(GOOD | {"status": "deleted"}), r"facts\[0\].status"),
        (export_of(GOOD | {"said_by": ""}), r"facts\[0\]: .*who said it"),
        (export_of(GOOD | {"valid_until": 3}), r"facts\[0\].valid_until"),
        (export_of(entities=[{"name": "a", "mentions": -1}]), r"entities\[0\].mentions"),
        (export_of(entities=[{"name": "a", "aliases": "b"}]), r"entities\[0\].aliases"),
        (export_of(entities=[{}]), r"entities\[0\].name"),
    ],
)
async def test_what_is_no_export_is_refused_by_its_field_and_nothing_is_added(
    tmp_path: Path, text: str, field: str
) -> None:
    (tmp_path / "memory.json").write_text(text)
    async with a_graph(tmp_path) as graph:
        with pytest.raises(BadInput, match=field):
            await graph.bring_in(tmp_path / "memory.json")
        assert (await graph.introspect()).entities == 0


async def test_a_file_that_is_no_text_or_not_there_is_refused(tmp_path: Path) -> None:
    (tmp_path / "memory.json").write_bytes(b"\xff\xfe\x00")
    async with a_graph(tmp_path) as graph:
        for name in ("memory.json", "nothing.json", "."):
            with pytest.raises(BadInput):
                await graph.bring_in(tmp_path / name)


async def test_secrets_in_an_export_are_not_brought_in(tmp_path: Path) -> None:
    (tmp_path / "memory.json").write_text(export_of(GOOD, GOOD | {"object": "4111 1111 1111 1111"}))
    async with a_graph(tmp_path) as graph:
        assert await graph.bring_in(tmp_path / "memory.json") == Imported(facts=1, known=0, refused=1)


FACT = st.tuples(
    st.sampled_from(["user", "Emma", "Tom"]),
    st.sampled_from(["lives_in", "likes", "dislikes", "knows"]),
    st.sampled_from(["Paris", "Lyon", "Tom", "tea"]),
    st.sampled_from(["a", "b"]),
    st.integers(0, 4),
)


@settings(max_examples=150)
@given(st.lists(FACT, max_size=15))
def test_an_export_of_anything_comes_back_the_same(facts: list[tuple[str, str, str, str, int]]) -> None:
    with a_database() as here, a_database() as there:
        for number, (subject, relation, thing, session, back) in enumerate(facts):
            at = NOON + timedelta(minutes=number - back, seconds=number)
            source = said(at, session=session, turn=str(number))
            commit(here, [Triple(subject, relation, thing)], source, NOON + timedelta(minutes=number))
        first = written(here)
        bring_in(there, parse_export(first, file=Path("memory.json")), NOON + timedelta(hours=1))

        assert lines(written(there)) == lines(first)


def written(connection: apsw.Connection) -> str:
    out = StringIO()
    write_json(connection, out)
    return out.getvalue()


def lines(text: str) -> list[str]:
    """The order is that in which facts were stored, which is another where some were said late."""
    held = json.loads(text)
    return sorted(map(str, [*held["entities"], *held["facts"]]))
