"""What is remembered, known and plugged in is seen to by orders, in the running companion and without one."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from companion.app.control import ControlServer
from companion.app.mind import Mind, build_mind
from companion.app.minding.desks import Given
from companion.app.orders import Order, Tend
from companion.app.paths import Paths
from companion.app.plugin_template import new_plugin
from companion.app.tending import set_one, tended
from companion.errors import BadInput, MemoryFault, PluginError, StorageError, UnknownEntity
from companion.settings.schema import Memory, Settings
from companion.settings.store import SettingsStore
from companion.stream.threads import finish_in_thread


@asynccontextmanager
async def a_mind(paths: Paths, settings: Settings | None = None) -> AsyncIterator[Mind]:
    mind = await build_mind(settings or Settings(), paths, None)
    try:
        yield mind
    finally:
        await mind.close()


async def tend(mind: Mind, desk: str, action: str, **given: object) -> Any:
    """As it comes over the control socket: through JSON."""
    there = json.loads(json.dumps(given))
    return json.loads(json.dumps(await mind.desks.perform(Tend(desk, action, there))))


async def test_what_was_added_is_shown_searched_and_forgotten(paths: Paths) -> None:
    async with a_mind(paths) as mind:
        added = (await tend(mind, "memory", "add", text="my sister is called Emma"))["added"]
        assert {"subject": "my sister", "relation": "is_called", "object": "Emma"}.items() <= added[0].items()
        await tend(mind, "memory", "add", text="cucumbers go well with yoghurt")
        told = await tend(mind, "memory", "show")
        assert told["facts"] == len(told["shown"])
        assert "cucumbers" in told["shown"][0]["text"], "the newest comes first"
        (hit, *_) = (await tend(mind, "memory", "search", query="cucumbers"))["found"]
        assert "cucumbers" in hit["object"]
        assert hit["reason"]
        about = (await tend(mind, "memory", "show", about="emma"))["shown"]
        assert {fact["object"] for fact in about} == {"Emma"}
        assert (await tend(mind, "memory", "matching", what=["Emma"]))["count"] == len(about)
        assert (await tend(mind, "memory", "forget", what=["Emma"]))["forgotten"] == len(about)
        left = (await tend(mind, "memory", "show"))["shown"]
        assert [fact["relation"] for fact in left] == ["asked_to_remember"]
        await tend(mind, "memory", "forget", what=[str(left[0]["id"])])
        assert (await tend(mind, "memory", "show"))["shown"] == []


async def test_nothing_is_forgotten_where_nothing_is_named(paths: Paths) -> None:
    async with a_mind(paths) as mind:
        await tend(mind, "memory", "add", text="my sister is called Emma")
        for given in ({}, {"what": []}, {"what": [" "]}):
            with pytest.raises(BadInput):
                await tend(mind, "memory", "forget", **given)
        with pytest.raises(BadInput, match="no list"):
            await tend(mind, "memory", "forget", what="Emma")
        assert (await tend(mind, "memory", "matching", what=["Nobody"]))["count"] == 0
        assert (await tend(mind, "memory", "forget", what=["Nobody"]))["forgotten"] == 0
        assert (await tend(mind, "memory", "show"))["facts"] > 0


@pytest.mark.parametrize(("desk", "action"), [("memory", "import"), ("knowledge", "add")])
async def test_what_is_no_file_or_too_large_is_not_read(
    paths: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, desk: str, action: str
) -> None:
    pipe, large = tmp_path / "pipe.json", tmp_path / "large.json"
    os.mkfifo(pipe)
    large.write_bytes(b"x" * 1000)
    monkeypatch.setattr("companion.memory.graph.bring_in.MOST_BYTES", 999)
    monkeypatch.setattr("companion.app.minding.knowledge_desk.LARGEST_ADDED", 999)
    async with a_mind(paths) as mind:
        for file, why in ((pipe, "it is no file"), (large, "it is larger than"), (tmp_path, "directory")):
            with pytest.raises(BadInput, match=why):
                await tend(mind, desk, action, file=str(file), name="boiler")


async def test_memory_is_carried_from_one_home_to_another(paths: Paths, tmp_path: Path) -> None:
    file, drawn, picture = tmp_path / "all.json", tmp_path / "all.graphml", tmp_path / "all.svg"
    async with a_mind(paths) as mind:
        await tend(mind, "memory", "add", text="my sister is called Emma")
        count = (await tend(mind, "memory", "export", file=str(file)))["facts"]
        assert (await tend(mind, "memory", "export", file=str(drawn)))["form"] == "graphml"
        await tend(mind, "memory", "graph", file=str(picture))
    assert ElementTree.parse(drawn).getroot().tag.endswith("graphml")
    assert "Emma" in picture.read_text()
    elsewhere = Paths.under(tmp_path / "elsewhere")
    elsewhere.prepare()
    async with a_mind(elsewhere) as mind:
        assert (await tend(mind, "memory", "import", file=str(file)))["facts"] == count
        assert (await tend(mind, "memory", "import", file=str(file)))["known"] == count
        assert "Emma" in str((await tend(mind, "memory", "show"))["shown"])


async def test_a_backup_is_made_and_restored(paths: Paths) -> None:
    async with a_mind(paths) as mind:
        with pytest.raises(MemoryFault, match="no backup"):
            await tend(mind, "memory", "restore")
        await tend(mind, "memory", "add", text="my sister is called Emma")
        made = (await tend(mind, "memory", "backup"))["file"]
        await tend(mind, "memory", "add", text="cucumbers go well with yoghurt")
        assert (await tend(mind, "memory", "backups"))["files"] == [made]
        assert (await tend(mind, "memory", "restore"))["restored"] == made
        shown = str((await tend(mind, "memory", "show"))["shown"])
        assert "Emma" in shown
        assert "cucumbers" not in shown


@pytest.mark.parametrize(
    ("action", "given", "fault"),
    [
        ("dance", {}, BadInput),
        ("add", {}, BadInput),
        ("add", {"text": " "}, BadInput),
        ("add", {"text": "x" * 2001}, BadInput),
        ("add", {"text": "my password is hunter22"}, MemoryFault),
        ("forget", {"what": ["9" * 21]}, BadInput),
        ("forget", {"what": ["9" * 5000]}, BadInput),
        ("matching", {"what": [str(2**63)]}, BadInput),
        ("search", {"query": ""}, BadInput),
        ("search", {"query": "tea", "limit": "many"}, BadInput),
        ("search", {"query": "tea", "limit": True}, BadInput),
        ("export", {"file": "somewhere.json"}, BadInput),
        ("export", {"file": "/"}, BadInput),
        ("export", {"file": ""}, BadInput),
        ("export", {"file": ".."}, BadInput),
        ("export", {"file": "/somewhere/.."}, BadInput),
        ("export", {"file": f"/{'x' * 10_000}"}, StorageError),
        ("graph", {"file": "/somewhere/picture.png"}, BadInput),
        ("graph", {"file": "/somewhere/picture.svg", "about": "Nobody"}, UnknownEntity),
    ],
)
async def test_what_cannot_be_done_is_refused_with_its_reason(
    paths: Paths, action: str, given: dict[str, object], fault: type[Exception]
) -> None:
    async with a_mind(paths) as mind:
        with pytest.raises(fault):
            await tend(mind, "memory", action, **given)


async def test_there_is_no_desk_where_memory_is_turned_off_or_the_name_is_wrong(paths: Paths) -> None:
    async with a_mind(paths, Settings(memory=Memory(keep=False))) as mind:
        with pytest.raises(MemoryFault, match="turned off"):
            await tend(mind, "memory", "show")
        with pytest.raises(BadInput):
            await tend(mind, "kitchen", "show")


async def test_knowledge_is_added_found_and_removed(paths: Paths, tmp_path: Path) -> None:
    note = tmp_path / "boiler.txt"
    note.write_text("The boiler was serviced in May.\n")
    async with a_mind(paths) as mind:
        piece = await tend(mind, "knowledge", "add", name="boiler", file=str(note))
        assert piece["passages"] == 1
        (hit,) = (await tend(mind, "knowledge", "search", query="boiler"))["found"]
        assert hit["line"] == 1
        assert "serviced in May" in hit["text"]
        assert [one["name"] for one in (await tend(mind, "knowledge", "list"))["pieces"]] == ["boiler"]
        assert (await tend(mind, "knowledge", "remove", name="boiler"))["removed"]
        assert (await tend(mind, "knowledge", "search", query="boiler"))["found"] == []
        with pytest.raises(BadInput):
            await tend(mind, "knowledge", "add", name="boiler", file=str(tmp_path / "missing.txt"))


async def test_folders_are_named_in_the_settings_and_searched_at_once(paths: Paths, tmp_path: Path) -> None:
    folder = tmp_path / "papers; old"
    plain = tmp_path / "papers"
    for place in (folder, plain):
        place.mkdir()
    plain.joinpath("bees.md").write_text("# Bees\n\nBees like clover.\n")
    async with a_mind(paths) as mind:
        (named,) = (await tend(mind, "knowledge", "name", folder=str(plain)))["folders"]
        assert (named["files"], named["passages"]) == (1, 1)
        assert (await tend(mind, "knowledge", "search", query="clover"))["found"][0]["place"].startswith("bees.md")
        with pytest.raises(BadInput, match="no folder"):
            await tend(mind, "knowledge", "name", folder=str(tmp_path / "nowhere"))
        with pytest.raises(BadInput, match="no folder"):
            await tend(mind, "knowledge", "name", folder="x" * 10_000)
    assert SettingsStore(paths.settings_file).get("knowledge.folders") == (str(plain),)
    async with a_mind(paths, SettingsStore(paths.settings_file).check()) as mind:
        assert (await tend(mind, "knowledge", "unname", folder=str(plain)))["folders"] == []
        with pytest.raises(BadInput, match="not among"):
            await tend(mind, "knowledge", "unname", folder=str(plain))
    assert SettingsStore(paths.settings_file).get("knowledge.folders") == ()


async def test_a_plugin_of_the_user_is_turned_on_and_off_and_stays_so(paths: Paths) -> None:
    new_plugin(paths.plugins, "my-plugin")
    async with a_mind(paths) as mind:
        found = {one["name"]: one for one in (await tend(mind, "plugins", "list"))["plugins"]}
        assert found["my-plugin"]["status"] == "off"
        assert found["clock"]["is_ours"]
        assert (await tend(mind, "plugins", "enable", name="my-plugin"))["status"] == "enabled"
    assert tomllib.loads(paths.plugin_choices.read_text())["my-plugin"]["enabled"] is True
    async with a_mind(paths) as mind:
        (checked,) = (await tend(mind, "plugins", "check", name="my-plugin"))["plugins"]
        assert checked["status"] == "enabled"
        assert (await tend(mind, "plugins", "disable", name="my-plugin"))["status"] == "off"
        with pytest.raises(PluginError):
            await tend(mind, "plugins", "enable", name="nobody")
        with pytest.raises(BadInput):
            await tend(mind, "plugins", "enable", name="my-plugin", allow=["fly"])


async def test_what_a_plugin_does_not_ask_for_is_not_allowed_for_later(paths: Paths) -> None:
    new_plugin(paths.plugins, "my-plugin")
    async with a_mind(paths) as mind:
        with pytest.raises(PluginError, match="does not ask for network"):
            await tend(mind, "plugins", "enable", name="my-plugin", allow=["network"])
    assert tomllib.loads(paths.plugin_choices.read_text())["my-plugin"].get("permissions", []) == []


async def test_a_broken_plugin_is_shown_with_its_reason(paths: Paths) -> None:
    new_plugin(paths.plugins, "my-plugin").joinpath("plugin.py").write_text("raise RuntimeError('no')\n")
    async with a_mind(paths) as mind:
        told = await tend(mind, "plugins", "enable", name="my-plugin")
        assert told["status"] == "failed to load"
        assert told["reason"]


async def test_orders_go_to_the_companion_that_runs(paths: Paths) -> None:
    async with a_mind(paths) as mind:

        async def perform(order: Order) -> dict[str, object]:
            assert isinstance(order, Tend)
            return await mind.desks.perform(order)

        server = ControlServer(paths.control_socket, perform)
        await server.open()
        try:
            order = Tend("memory", "add", {"text": "my sister is called Emma"})
            await finish_in_thread(lambda: tended(Settings(), paths, order))
            with pytest.raises(BadInput):
                await finish_in_thread(lambda: tended(Settings(), paths, Tend("memory", "add", {"text": ""})))
        finally:
            await server.close()
        assert "Emma" in str(await tend(mind, "memory", "show"))


async def test_a_setting_is_changed_by_the_companion_that_runs_and_else_in_the_file(paths: Paths) -> None:
    async with a_mind(paths) as mind:

        async def perform(order: Order) -> dict[str, object]:
            assert isinstance(order, Tend)
            return await mind.desks.perform(order)

        server = ControlServer(paths.control_socket, perform)
        await server.open()
        try:
            told = await finish_in_thread(lambda: set_one(paths, "sound.volume", "0.5"))
            with pytest.raises(BadInput):
                await finish_in_thread(lambda: set_one(paths, "sound.volume", "loud"))
        finally:
            await server.close()
        assert (told["value"], told["at_once"], told["is_running"]) == ("0.5", True, True)
        assert mind.house.live.settings.sound.volume == 0.5
    told = set_one(paths, "sound.volume", "0.25")
    assert (told["value"], told["is_running"]) == ("0.25", False)
    assert SettingsStore(paths.settings_file).get("sound.volume") == 0.25


def test_orders_are_carried_out_where_none_runs(paths: Paths) -> None:
    tended(Settings(), paths, Tend("memory", "add", {"text": "my sister is called Emma"}))
    assert "Emma" in str(tended(Settings(), paths, Tend("memory", "show")))


@pytest.mark.parametrize("text", ["\ud800", "a\0b"])
def test_a_text_that_no_file_could_hold_is_refused_before_any_desk_has_it(text: str) -> None:
    with pytest.raises(BadInput, match="about"):
        Given({"about": text}).text("about")
    with pytest.raises(BadInput, match="names"):
        Given({"names": ["Emma", text]}).texts("names")


@pytest.mark.parametrize("number", [2**63, -(10**30), float("nan"), float("inf")])
def test_a_number_that_cannot_be_counted_with_is_refused_before_any_desk_has_it(number: float) -> None:
    with pytest.raises(BadInput, match="id"):
        Given({"id": number}).number("id", 0)
    with pytest.raises(BadInput, match="id"):
        Given({"id": number}).fraction("id")


async def test_the_running_companion_says_what_is_wrong_with_such_an_order(paths: Paths) -> None:
    async with a_mind(paths) as mind:
        for desk, action, given in (
            ("memory", "forget", {"about": ["\ud800"]}),
            ("graph", "pin", {"id": 10**30}),
            ("knowledge", "add", {"file": "a\0b"}),
        ):
            with pytest.raises(BadInput):
                await tend(mind, desk, action, **given)
