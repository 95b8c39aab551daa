"""Plugins are found, loaded and kept in their place, whatever they do."""

from __future__ import annotations

import asyncio
import importlib.metadata
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from doubles import virtual_time
from doubles.acting import Scene
from doubles.chat_backend import calls, says

from companion.agent.choices import Choice, ChoiceFile
from companion.agent.door import Rooms
from companion.agent.finding import TalentPlugin, in_folder
from companion.agent.host import PluginHost, PluginStatus
from companion.agent.output import TextChannel
from companion.agent.plugin import House, Manifest, Permission, Plugin, Receipt, Section, StageContext
from companion.agent.registry import Registry
from companion.agent.rehearsal import SmallMemory, rehearsal
from companion.agent.scheduler import Input
from companion.errors import CompanionError, PermissionDenied, PluginError
from companion.talents.clock import Clock

Start = Callable[[House], Awaitable[None]]


class CitySettings(Section):
    city: str = "Rome"
    days: int = 3


class Guest:
    """A plugin that does what it was told. start: what it does with its house."""

    def __init__(self, start: Start | None = None, *, name: str = "guest", **about: Any) -> None:
        self.manifest = Manifest(name, **about)
        self._start = start
        self.house: House | None = None
        self.stopped = 0
        self.fault: BaseException | None = None

    async def start(self, house: House) -> None:
        self.house = house
        if self._start is not None:
            await self._start(house)

    async def check(self) -> None:
        if self.fault is not None:
            raise self.fault

    async def stop(self) -> None:
        self.stopped += 1


async def enabled(plugin: Plugin, choice: Choice | None = None, **rooms: Any) -> tuple[PluginHost, Registry]:
    registry = Registry()
    host = PluginHost(registry, Rooms(**rooms), {plugin.manifest.name: choice or Choice(enabled=True)})
    from companion.agent.finding import Found, Home

    host.take_in([Found(plugin.manifest.name, Home.FOLDER, lambda: plugin, plugin.manifest)])
    await host.start()
    return host, registry


def write(folder: Path, name: str, code: str, manifest: str = "") -> Path:
    place = folder / name
    place.mkdir(parents=True)
    (place / "plugin.toml").write_text(manifest or f'name = "{name}"\n')
    (place / "plugin.py").write_text(code)
    return place


GOOD = """
from pathlib import Path
from companion.agent.plugin import Manifest

class Good:
    manifest = Manifest.read(Path(__file__).with_name("plugin.toml"))
    async def start(self, house):
        house.add_tool(self.two)
    async def check(self): pass
    async def stop(self): pass
    async def two(self) -> str:
        "Two."
        return "2"

plugin = Good
"""


async def test_a_plugin_of_the_folder_is_off_until_the_user_turns_it_on(tmp_path: Path) -> None:
    write(tmp_path, "good", GOOD + "\nraise SystemExit")
    registry = Registry()
    host = PluginHost(registry, Rooms(), {})
    await host.find(folder=tmp_path)
    await host.start()

    assert [(record.name, record.status) for record in host.records] == [("good", PluginStatus.OFF)]
    (tmp_path / "good" / "plugin.py").write_text(GOOD)
    record = await host.enable("good")
    assert (record.status, record.reason) == (PluginStatus.ENABLED, "")
    assert [tool.name for tool in registry.tools] == ["two"]

    await host.disable("good")
    assert list(registry.tools) == []
    assert record.status is PluginStatus.OFF


@pytest.mark.parametrize(
    ("code", "manifest", "reason"),
    [
        ("import nowhere_at_all", "", "nowhere_at_all"),
        ("raise SystemExit(1)", "", "end the program"),
        ("def plugin(): return 5", "", "makes no plugin"),
        ("def other(): pass", "", "plugin"),
        ("this is no python", "", "syntax"),
        (GOOD, 'name = "another"', "has to be called"),
        (GOOD, 'name = "Bad Name"', "small letters"),
        (GOOD, "name = ", "plugin.toml"),
        (GOOD, 'name = "bad"\npermissions = ["fly"]', "fly"),
        (GOOD, 'name = "bad"\nwings = 2', "wings"),
        (GOOD.replace("house.add_tool(self.two)", "1 / 0"), "", "division"),
    ],
)
async def test_one_that_does_not_load_says_why_and_the_others_go_on(
    tmp_path: Path, code: str, manifest: str, reason: str
) -> None:
    write(tmp_path, "bad", code, manifest)
    write(tmp_path, "good", GOOD)
    registry = Registry()
    host = PluginHost(registry, Rooms(), dict.fromkeys(("bad", "good"), Choice(enabled=True)))
    await host.find(folder=tmp_path)
    await host.start()

    assert host.record("bad").status is PluginStatus.FAILED_TO_LOAD
    assert reason in host.record("bad").reason
    assert host.record("good").status is PluginStatus.ENABLED
    await host.close()


async def test_a_folder_without_its_file_does_not_load(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / ".hidden").mkdir()

    assert [(found.name, "plugin.toml" in str(found.problem)) for found in in_folder(tmp_path)] == [("empty", True)]
    assert in_folder(tmp_path / "nowhere") == []


async def test_packages_offer_plugins_by_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = importlib.metadata.EntryPoint("guest", "somewhere:Guest", "companion.plugins")
    monkeypatch.setattr(importlib.metadata.EntryPoint, "load", lambda self: Guest)
    monkeypatch.setattr(
        importlib.metadata, "entry_points", lambda group: [entry] if group == "companion.plugins" else []
    )
    host = PluginHost(Registry(), Rooms(), {})
    await host.find()
    await host.start()
    assert host.record("guest").status is PluginStatus.OFF

    assert (await host.enable("guest")).status is PluginStatus.ENABLED
    await host.close()


async def test_the_programs_own_talents_come_by_the_same_door() -> None:
    registry = Registry()
    host = PluginHost(registry, Rooms(), {"clock": Choice(enabled=False)})
    from companion.talents.stop import Stop

    await host.find([TalentPlugin(Clock()), TalentPlugin(Stop())])
    await host.start()

    assert [(record.name, record.status.value) for record in host.records] == [("clock", "off"), ("stop", "enabled")]
    assert registry.talent_for("clock.time") is None
    assert registry.talent_for("stop") is not None
    await host.enable("clock")
    assert registry.talent_for("clock.time") is not None
    await host.close()
    assert registry.talents == {}


async def test_settings_are_checked_before_it_starts() -> None:
    guest = Guest(settings=CitySettings)
    host, _ = await enabled(guest, Choice(True, settings={"days": "many"}))
    record = host.record("guest")

    assert record.status is PluginStatus.BAD_SETTINGS
    assert "days" in record.reason
    assert guest.house is None
    await host.enable("guest", Choice(True, settings={"city": "Lyon"}))
    assert guest.house is not None
    assert guest.house.settings == CitySettings(city="Lyon")
    await host.close()


async def test_one_that_fails_its_check_is_stopped_and_says_why() -> None:
    async def start(house: House) -> None:
        house.add_tool(two)

    async def two() -> str:
        """Two."""
        return "2"

    guest = Guest(start)
    host, registry = await enabled(guest)
    guest.fault = OSError("no line to the house")
    record = await host.check("guest")

    assert (record.status, "no line" in record.reason) == (PluginStatus.FAILED_CHECK, True)
    assert guest.stopped == 1
    assert list(registry.tools) == []
    guest.fault = None
    assert (await host.check("guest")).status is PluginStatus.ENABLED
    await host.close()


def test_one_that_hangs_when_it_starts_or_stops_holds_nothing_up() -> None:
    async def hang(house: House) -> None:
        await asyncio.sleep(3600)

    class Sticky(Guest):
        async def stop(self) -> None:
            await asyncio.sleep(3600)

    async def scene() -> None:
        host, _ = await enabled(Guest(hang))
        assert host.record("guest").status is PluginStatus.FAILED_TO_LOAD
        assert "longer than" in host.record("guest").reason
        host, _ = await enabled(Sticky())
        await host.close()
        assert asyncio.get_running_loop().time() < 20

    virtual_time.run(scene())


DOORS: dict[Permission, Callable[[House], Any]] = {
    Permission.NETWORK: lambda house: house.network,
    Permission.FILES: lambda house: house.folder,
    Permission.MEMORY_READ: lambda house: house.memory,
    Permission.SPEAK: lambda house: house.send("screen", "Hello."),
}


async def opened(permission: Permission, house: House) -> None:
    got = DOORS[permission](house)
    if asyncio.iscoroutine(got):
        await got


@pytest.mark.parametrize("permission", list(DOORS))
@pytest.mark.parametrize("asked", [True, False])
async def test_a_door_stays_shut_without_its_permission(permission: Permission, asked: bool) -> None:
    guest = Guest(permissions=frozenset({permission}) if asked else frozenset())
    granted = frozenset() if asked else frozenset({permission})
    host, _ = await enabled(guest, Choice(True, granted))
    assert guest.house is not None
    with pytest.raises(PermissionDenied, match=permission.value) as denied:
        await opened(permission, guest.house)

    assert (denied.value.permission, denied.value.plugin) == (permission.value, "guest")
    assert f"--allow {permission}" in denied.value.mend
    await host.close()


async def test_reading_the_memory_is_not_writing_it() -> None:
    guest = Guest(permissions=frozenset(Permission))
    host, _ = await enabled(guest, Choice(True, frozenset({Permission.MEMORY_READ})), memory=SmallMemory(["tea"]))
    assert guest.house is not None
    memory = guest.house.memory

    assert [one.text for one in await memory.recall("tea")] == ["tea"]
    with pytest.raises(PermissionDenied, match="memory-write"):
        await memory.remember([("a", "b", "c")], said_by="guest")
    await host.enable("guest", Choice(True, frozenset({Permission.MEMORY_READ, Permission.MEMORY_WRITE})))
    assert await guest.house.memory.remember([("a", "b", "c")], said_by="guest") == "kept"
    with pytest.raises(CompanionError):
        await memory.recall("tea")  # its time is over
    await host.close()


async def test_what_was_granted_opens(tmp_path: Path) -> None:
    guest = Guest(permissions=frozenset({Permission.FILES, Permission.SPEAK}))
    host, registry = await enabled(
        guest, Choice(True, frozenset({Permission.FILES, Permission.SPEAK})), folders=tmp_path
    )
    written: list[str] = []
    registry.outputs.add(TextChannel("screen", lambda delivery: written.append(str(delivery.content))))
    assert guest.house is not None

    assert guest.house.folder == tmp_path / "guest"
    assert (tmp_path / "guest").is_dir()
    assert await guest.house.send("screen", "Hello.") is Receipt.SENT
    assert written == ["Hello."]
    await host.close()


async def test_inputs_of_a_plugin_carry_its_name() -> None:
    taken: list[Input] = []

    def submit(given: Input) -> bool:
        taken.append(given)
        return True

    guest = Guest(permissions=frozenset({Permission.SPEAK}))
    host, _ = await enabled(guest, Choice(True, frozenset({Permission.SPEAK})), submit=submit)
    assert guest.house is not None

    assert guest.house.inject("The washing is done.")
    assert not guest.house.inject(" ")
    assert not guest.house.inject("a" * 10_000)
    assert [(one.text, one.source, one.origin.value) for one in taken] == [("The washing is done.", "guest", "plugin")]
    await host.close()


async def test_all_that_a_plugin_brought_goes_with_it() -> None:
    async def two() -> str:
        """Two."""
        return "2"

    async def start(house: House) -> None:
        house.add_tool(two)
        house.add_talent(Clock())
        house.on("on_input", answer)
        house.subscribe("*", events.append)  # type: ignore[arg-type]
        house.add_channel(TextChannel("lamp", lambda delivery: None))

    async def answer(context: StageContext) -> None:
        context.response = "Mine."

    events: list[object] = []
    scene = Scene(says("Well."), talents=())
    registry = scene.agent.registry
    guest = Guest(start)
    host = PluginHost(registry, Rooms(), {})
    await host.find([guest])
    await host.start()
    assert await scene.turn() == "Mine."
    await registry.bus.settle()
    heard = len(events)
    assert heard

    await host.close()

    assert await scene.turn() == "Well."
    assert (list(registry.tools), registry.talents, registry.outputs.names) == ([], {}, ())
    assert len(events) == heard
    assert guest.house is not None
    with pytest.raises(PluginError, match="has ended"):
        guest.house.add_tool(two)
    await scene.agent.close()


async def test_a_tool_that_keeps_failing_is_offered_no_more_for_a_while() -> None:
    async def broken() -> str:
        """Break."""
        raise OSError("no line")

    async def start(house: House) -> None:
        house.add_tool(broken)

    scene = Scene(*([calls(("broken", "{}")), says("Well.")] * 4), says("Well."))
    host = PluginHost(scene.agent.registry, Rooms(), {"guest": Choice(True)})
    from companion.agent.finding import Found, Home

    guest = Guest(start)
    host.take_in([Found("guest", Home.FOLDER, lambda: guest, guest.manifest)])
    await host.start()
    for _ in range(3):
        assert await scene.turn() == "Well."

    assert host.is_left_alone("guest")
    assert len(host.record("guest").failures) == 3
    assert list(scene.agent.registry.tools) == []
    await host.close()
    await scene.agent.close()


async def test_our_tools_win_over_a_plugins() -> None:
    from companion.agent.registry import Rank
    from companion.model import FuncTool

    def tool(word: str) -> FuncTool:
        async def same() -> str:
            """Same."""
            return word

        return FuncTool.of(same, description=word)

    registry = Registry()
    registry.add_tool(tool("device"), owner="d", rank=Rank.DEVICE)
    remove = registry.add_tool(tool("ours"))
    registry.add_tool(tool("plugin"), owner="p", rank=Rank.PLUGIN)
    with pytest.raises(PluginError, match="'same' already"):
        registry.add_tool(tool("another"), owner="q", rank=Rank.PLUGIN)

    assert [one.description for one in registry.tools] == ["ours"]
    remove()
    assert [one.description for one in registry.tools] == ["plugin"]


async def test_an_unknown_plugin_is_named() -> None:
    host = PluginHost(Registry(), Rooms(), {})
    with pytest.raises(PluginError, match="no plugin 'nobody'"):
        await host.enable("nobody")


def test_choices_are_kept_with_their_comments(tmp_path: Path) -> None:
    file = ChoiceFile(tmp_path / "plugins.toml")
    assert file.load() == {}
    (tmp_path / "plugins.toml").write_text('# mine\n[weather.settings]\ncity = "Rome" # home\n')
    file.enable("weather", [Permission.NETWORK])
    file.enable("weather", [Permission.SPEAK])

    assert file.load()["weather"] == Choice(True, frozenset({Permission.NETWORK, Permission.SPEAK}), {"city": "Rome"})
    file.disable("weather")
    assert file.load()["weather"] == Choice(False, frozenset(), {"city": "Rome"})
    text = (tmp_path / "plugins.toml").read_text()
    assert "# mine" in text
    assert "# home" in text


@pytest.mark.parametrize("text", ["[", "[a]\nenabled = 5", '[a]\npermissions = ["fly"]', "a = 5", "[a]\nsettings = 5"])
def test_choices_that_cannot_be_read_allow_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "plugins.toml").write_text(text)
    with pytest.raises(PluginError, match=r"plugins\.toml"):
        ChoiceFile(tmp_path / "plugins.toml").load()
    with pytest.raises(PluginError):
        ChoiceFile(tmp_path / "plugins.toml").enable("a")
    assert (tmp_path / "plugins.toml").read_text() == text


async def test_a_rehearsal_says_why_a_plugin_does_not_start() -> None:
    async def fail(house: House) -> None:
        raise ValueError("no")

    with pytest.raises(PluginError, match="failed to load: guest: no"):
        async with rehearsal(Guest(fail)):
            pass
