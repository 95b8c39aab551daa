"""The memory page's desk: a picture with places, a list, and changes that can be undone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from doubles.memory import Wall, said, triples

from companion.app.desks.graph_desk import GraphDesk
from companion.app.minding import farewells
from companion.app.minding.desks import Desks
from companion.app.minding.farewells import Farewells
from companion.app.minding.keeper import Keeper
from companion.app.minding.memory_desk import MemoryDesk
from companion.app.minding.memory_room import MemoryRoom
from companion.app.orders import Tend
from companion.errors import BadInput, CompanionError, FactRefused, MemoryFault, StorageError


class Page:
    """What a page asks, as it comes over the control socket: through JSON."""

    def __init__(self, room: MemoryRoom, desks: Desks) -> None:
        self.room = room
        self._desks = desks

    async def ask(self, action: str, *, desk: str = "graph", **given: object) -> Any:
        there = json.loads(json.dumps(given))
        return json.loads(json.dumps(await self._desks.perform(Tend(desk, action, there))))

    async def tell(self, *lines: str, turn: str = "") -> None:
        await (await self.room.opened()).graph.commit(triples(*lines), said(turn=turn))

    async def names(self) -> dict[str, list[float]]:
        rows = (await self.ask("look"))["nodes"]["rows"]
        return {row[1]: row[4:6] for row in rows}


def is_written(folder: Path, name: bytes) -> bool:
    return any(file.is_file() and name in file.read_bytes() for file in folder.rglob("*"))


async def all_gone(page: Page) -> None:
    """Wait until nothing is set aside any more."""
    graph = (await page.room.opened()).graph
    async with asyncio.timeout(10):
        while await graph.farewells():  # noqa: ASYNC110 - it is told by nothing else
            await asyncio.sleep(0.02)


@asynccontextmanager
async def a_page(folder: Path, *, grace: float = farewells.GRACE) -> AsyncIterator[Page]:
    clock = Wall()
    room = MemoryRoom(folder, clock)
    keeper = Keeper(room, session="default")
    leaving = Farewells(room, keeper, grace=grace)
    memory = MemoryDesk(room, keeper, language="en")
    try:
        yield Page(room, Desks({"graph": GraphDesk(room, leaving), "memory": memory}))
    finally:
        await leaving.close()
        await keeper.close()
        await room.close()


async def test_a_picture_has_places_and_stays_still_when_something_is_learned(tmp_path: Path) -> None:
    async with a_page(tmp_path) as page:
        await page.tell("user | is_parent_of | Emma", "Emma | lives_in | Lyon", "user | likes | tea")
        before = await page.names()
        assert len({tuple(place) for place in before.values()}) == 4
        await page.ask("place", id=1, x=500, y=-40)
        await page.tell("Emma | likes | skiing", turn="2")
        after = await page.names()
        assert after.pop("skiing")
        assert after.pop("user") == [500, -40]
        assert all(before[name] == place for name, place in after.items())


async def test_a_card_says_what_is_known_what_holds_first(tmp_path: Path) -> None:
    async with a_page(tmp_path) as page:
        await page.tell("Emma | lives_in | Rome", turn="1")
        await page.tell("Emma | lives_in | Lyon", turn="2")
        await page.ask("pin", id=2, on=True)
        card = await page.ask("card", name="emma")
        assert card["facts"][0]["sentence"] == "Emma lives in Lyon."
        assert (await page.ask("card", name="emma", language="zh"))["facts"][0]["sentence"] == "Emma住在Lyon。"
        assert [(fact["object"], fact["status"], fact["pinned"]) for fact in card["facts"]] == [
            ("Lyon", "active", True),
            ("Rome", "superseded", False),
        ]
        assert (await page.ask("rename", name="Emma", fresh="Emma B"))["aliases"] == ["Emma"]
        assert (await page.ask("card", name="Emma"))["name"] == "Emma B"
        with pytest.raises(MemoryFault):
            await page.ask("card", name="Nobody")


async def test_what_was_forgotten_can_be_put_back(tmp_path: Path) -> None:
    async with a_page(tmp_path) as page:
        await page.tell("user | is_parent_of | Emma", "Emma | lives_in | Lyon")
        gone = await page.ask("forget", about="Emma")
        assert gone["facts"] == 2
        assert await page.names() == {}
        assert (await page.ask("put_back", id=gone["id"]))["facts"] == 2
        assert set(await page.names()) == {"user", "Emma", "Lyon"}
        one = await page.ask("forget", ids=["2"])
        assert set(await page.names()) == {"user", "Emma"}
        await page.ask("put_back", id=one["id"])
        with pytest.raises(CompanionError):
            await page.ask("put_back", id=one["id"])


async def test_what_was_not_put_back_goes_for_good_with_what_was_said_of_them(tmp_path: Path) -> None:
    async with a_page(tmp_path, grace=0.05) as page:
        await page.tell("Quentin | lives_in | Lyon", "Emma | lives_in | Lyon")
        opened = await page.room.opened()
        await opened.documents.insert("Quentin", "Quentin came by.\nThe sun shone.")
        gone = await page.ask("forget", about="Quentin")
        await all_gone(page)
        with pytest.raises(CompanionError):
            await page.ask("put_back", id=gone["id"])
        assert set(await page.names()) == {"Emma", "Lyon"}
    assert not is_written(tmp_path, b"uentin")


async def test_what_was_set_aside_before_a_restart_goes_when_the_memory_is_tended(tmp_path: Path) -> None:
    async with a_page(tmp_path) as page:
        await page.tell("Emma | lives_in | Lyon")
        await page.ask("forget", about="Emma")
    async with a_page(tmp_path) as page:
        keeper = Keeper(page.room, session="default")
        later = Farewells(page.room, keeper)
        later.tend()
        opened = await page.room.opened()
        await all_gone(page)
        await later.close()
        await keeper.close()
        assert (await opened.graph.introspect()).deleted == 0


async def test_a_correction_and_a_merge_are_taken_back(tmp_path: Path) -> None:
    async with a_page(tmp_path) as page:
        await page.tell("Emma | likes | tee", "Em | likes | skiing")
        right = (await page.ask("correct", id=1, subject="Emma", relation="likes", object="tea"))["fact"]
        assert (right["object"], right["said_by"]) == ("tea", "user")
        assert (await page.ask("uncorrect", id=right["id"]))["fact"]["object"] == "tee"
        with pytest.raises(MemoryFault):
            await page.ask("uncorrect", id=right["id"])
        merged = await page.ask("merge", source="Em", target="Emma")
        assert merged["moved"] == 1
        assert (await page.ask("merges"))["merges"] == [{"id": merged["id"], "source": "Em", "target": "Emma"}]
        assert "Em" not in await page.names()
        await page.ask("unmerge", id=merged["id"])
        assert "Em" in await page.names()


async def test_a_correction_that_was_corrected_or_forgotten_since_is_not_taken_back(tmp_path: Path) -> None:
    async with a_page(tmp_path) as page:
        await page.tell("Emma | likes | tee")
        first = (await page.ask("correct", id=1, subject="Emma", relation="likes", object="tea"))["fact"]
        second = (await page.ask("correct", id=first["id"], subject="Emma", relation="likes", object="coffee"))["fact"]
        with pytest.raises(FactRefused, match="changed meanwhile"):
            await page.ask("uncorrect", id=first["id"])
        assert [fact["object"] for fact in (await page.ask("list"))["facts"]] == ["coffee"]

        gone = await page.ask("forget", about="Emma")
        with pytest.raises(FactRefused):
            await page.ask("uncorrect", id=second["id"])
        assert (await page.ask("list"))["facts"] == [], "what was forgotten stays forgotten"

        await page.ask("put_back", id=gone["id"])
        await page.ask("uncorrect", id=second["id"])
        await page.ask("uncorrect", id=first["id"])
        assert [fact["object"] for fact in (await page.ask("list"))["facts"]] == ["tee"]


async def test_a_correction_that_could_not_be_taken_back_can_be_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_page(tmp_path) as page:
        await page.tell("Emma | likes | tee")
        right = (await page.ask("correct", id=1, subject="Emma", relation="likes", object="tea"))["fact"]

        async def full(correction: object) -> None:
            raise StorageError("the disk is full", file="memory.db")

        with monkeypatch.context() as disk:
            disk.setattr((await page.room.opened()).graph, "take_back", full)
            with pytest.raises(StorageError):
                await page.ask("uncorrect", id=right["id"])
        assert (await page.ask("uncorrect", id=right["id"]))["fact"]["object"] == "tee"


async def test_who_may_be_the_same_is_asked_once(tmp_path: Path) -> None:
    async with a_page(tmp_path) as page:
        await page.tell("Margarethe | likes | tea", "Margarete | likes | skiing")
        await page.tell("my mother | likes | tea", "my brother | likes | tea", "Tom's wife | likes | chess", turn="2")
        (pair,) = (await page.ask("alike"))["pairs"]
        assert set(pair.values()) == {"Margarethe", "Margarete"}
        await page.ask("different", one=pair["source"], other=pair["target"])
        assert (await page.ask("alike"))["pairs"] == []


async def test_the_list_the_names_and_the_months(tmp_path: Path) -> None:
    async with a_page(tmp_path) as page:
        await page.tell("Emma | likes | tea", "Paul | likes | chess")
        listed = await page.ask("list", typed="emma")
        assert ([fact["object"] for fact in listed["facts"]], listed["total"]) == (["tea"], 1)
        assert (await page.ask("names", typed="em"))["names"] == ["Emma"]
        assert (await page.ask("months"))["months"] == [{"month": "2026-03", "facts": 2, "first": "2026-03-02"}]
        relations = (await page.ask("relations"))["relations"]
        assert {"name": "lives_in", "words": "lives in"} in relations


@pytest.mark.parametrize(
    ("action", "given"),
    [
        ("forget", {}),
        ("forget", {"ids": ["1"], "about": "Emma"}),
        ("forget", {"ids": ["one"]}),
        ("look", {"about": "Nobody"}),
        ("merge", {"source": "Emma", "target": "Emma"}),
        ("correct", {"id": 1, "subject": "", "relation": "likes", "object": "tea"}),
        ("pin", {"id": 99}),
    ],
)
async def test_what_cannot_be_done_is_refused(tmp_path: Path, action: str, given: dict[str, object]) -> None:
    async with a_page(tmp_path) as page:
        await page.tell("Emma | likes | tea")
        with pytest.raises(CompanionError):
            await page.ask(action, **given)
        assert set(await page.names()) == {"Emma", "tea"}


async def test_nothing_is_shown_where_memory_is_turned_off() -> None:
    with pytest.raises(MemoryFault, match="turned off"):
        await Desks({"graph": GraphDesk(None, None)}).perform(Tend("graph", "look"))
    with pytest.raises(BadInput):
        await Desks({"graph": GraphDesk(None, None)}).perform(Tend("graph", "dance"))
