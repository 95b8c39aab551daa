"""Plugins see what they were allowed to, and bring no more than there is room for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from doubles import virtual_time
from doubles.acting import Remembering, Scene
from doubles.chat_backend import calls, says

from companion.agent.bus import RECALLED, AgentEvent
from companion.agent.door import LONGEST_QUERY, MOST_ADDED, MOST_PRIORITY, Door
from companion.agent.output import LARGEST, Carries, Content, File, Receipt, Structured, TextChannel
from companion.agent.plugin import House, Manifest, Permission, Recalled, Section, StageContext
from companion.agent.safety import ORIGIN, Source
from companion.agent.scheduler import MINUTE, MOST_A_MINUTE, MOST_OF_ONE, Input
from companion.agent.turns import VEIL
from companion.errors import CompanionError, PermissionDenied, PluginError
from companion.model import FuncTool, ToolResult
from companion.model.tool_context import tool_context
from companion.stream import Blob

SECRET = "Emma has leukaemia."


async def memory_recall(query: str) -> str:
    """Look it up."""
    return SECRET


LOOKS_UP = replace(FuncTool.of(memory_recall), meta={ORIGIN: Source.MEMORY})
ASKS = calls(("memory_recall", '{"query": "Emma"}'))


@pytest.mark.parametrize(("permissions", "is_told"), [((), False), ((Permission.MEMORY_READ,), True)])
async def test_events_tell_what_is_remembered_to_who_may_see_it(
    permissions: tuple[Permission, ...], is_told: bool
) -> None:
    scene = Scene(says("Well."), memory=Remembering(SECRET))
    events: list[AgentEvent] = []

    async def listen(event: AgentEvent) -> None:
        events.append(event)

    scene.door("spy", *permissions).subscribe("*", listen)
    await scene.turn("How is Emma?")

    assert (SECRET in str(events)) is is_told
    ended = next(event for event in events if event.payload.get("action") == "turn_ended")
    assert (RECALLED in ended.payload) is is_told
    with pytest.raises(TypeError):
        ended.payload["how"] = "mine"  # type: ignore[index]
    await scene.agent.close()


@pytest.mark.parametrize(("permissions", "is_shown"), [((), False), ((Permission.MEMORY_READ,), True)])
async def test_results_that_hold_what_is_remembered_are_seen_by_who_may_see_it(
    permissions: tuple[Permission, ...], is_shown: bool
) -> None:
    scene = Scene(ASKS, says("Well."), tools=[LOOKS_UP])
    results: list[str] = []
    shown: list[str] = []

    async def after(context: StageContext) -> None:
        results.append(context.tool_result)

    async def look(context: StageContext) -> None:
        payloads = [one.payload for one in context.context_messages]
        shown.extend(payload.result for payload in payloads if isinstance(payload, ToolResult))
        context.context_messages = context.context_messages

    door = scene.door("spy", *permissions)
    door.on("after_toolcall", after)  # type: ignore[arg-type]
    door.on("post_action", look)  # type: ignore[arg-type]
    await scene.turn("How is Emma?")

    assert results == ([SECRET] if is_shown else [])
    assert [SECRET in result for result in shown] == [is_shown]
    assert is_shown or shown == [VEIL]
    # The model is shown what there was, whoever has written the messages anew.
    assert SECRET in scene.shown(1)[-1][1]
    await scene.agent.close()


async def test_a_tool_of_a_plugin_gets_what_is_settled_of_the_turn_and_nothing_it_could_change() -> None:
    seen: list[dict[str, object]] = []

    async def spy() -> str:
        """Spy."""
        seen.append(dict(tool_context().attributes))
        return "nothing"

    def spy_on_a_thread() -> str:
        """Spy."""
        seen.append(dict(tool_context().attributes))
        return "nothing"

    scene = Scene(calls(("spy", "{}"), ("spy_on_a_thread", "{}")), says("Well."), memory=Remembering(SECRET))
    door = scene.door("spy")
    door.add_tool(spy)
    door.add_tool(spy_on_a_thread)
    await scene.turn("How is Emma?")

    assert [list(attributes) for attributes in seen] == [["about"], ["about"]]
    await scene.agent.close()


async def test_to_have_something_answered_aloud_needs_the_permission_to_speak() -> None:
    taken: list[Input] = []

    def submit(given: Input) -> bool:
        taken.append(given)
        return True

    scene = Scene(says("Well."))
    door = scene.door("guest", submit=submit)
    for channel in ("voice", "screen"):
        with pytest.raises(PermissionDenied):
            door.inject("Hello.", channel=channel)
    door.add_channel(TextChannel("lamp", lambda delivery: None))

    assert door.inject("Hello.", channel="lamp")
    assert scene.door("other", Permission.SPEAK, submit=submit).inject("Hello.", channel="voice")
    assert not scene.door("third", Permission.SPEAK, submit=submit).inject("Hello.", channel="_consolidation_")
    assert [one.channel for one in taken] == ["lamp", "voice"]
    await scene.agent.close()


async def act(context: StageContext) -> None:
    """Do nothing."""


async def tool() -> str:
    """Do nothing."""
    return ""


TOO_MUCH: dict[str, Callable[[House], Any]] = {
    "early": lambda house: house.on("on_input", act, priority=-MOST_PRIORITY - 1),  # type: ignore[arg-type]
    "late": lambda house: house.on("on_input", act, priority=10**9),  # type: ignore[arg-type]
    "text": lambda house: house.on("on_input", act, priority="first"),  # type: ignore[arg-type]
    "never": lambda house: house.on("on_input", act, seconds=-1.0),  # type: ignore[arg-type]
    "no number": lambda house: house.on("on_input", act, seconds=float("nan")),  # type: ignore[arg-type]
    "name": lambda house: house.add_tool(replace(FuncTool.of(tool), name="a" * 100)),
    "description": lambda house: house.add_tool(replace(FuncTool.of(tool), description="a" * 100_000)),
    "schema": lambda house: house.add_tool(
        replace(FuncTool.of(tool), parameters={"type": "object", "title": "a" * 100_000})
    ),
    "channel": lambda house: house.add_channel(TextChannel("a" * 100, lambda delivery: None)),
}


@pytest.mark.parametrize("what", list(TOO_MUCH))
async def test_what_is_too_much_is_refused_and_leaves_nothing_behind(what: str) -> None:
    scene = Scene(says("Well."))
    with pytest.raises(CompanionError):
        TOO_MUCH[what](scene.door())  # type: ignore[arg-type]

    assert list(scene.agent.registry.tools) == []
    assert await scene.turn("Hello.") == "Well."
    await scene.agent.close()


async def test_a_plugin_adds_only_so_many_things() -> None:
    scene = Scene(says("Well."))
    door = scene.door()
    for _ in range(MOST_ADDED):
        door.subscribe("*", lambda event: None)
    with pytest.raises(PluginError, match="already"):
        door.subscribe("*", lambda event: None)
    await scene.agent.close()


async def test_who_stops_listening_has_room_again() -> None:
    scene = Scene(says("Well."))
    door: Door = scene.door()
    for _ in range(3 * MOST_ADDED):
        door.subscribe("*", lambda event: None)()
    await scene.agent.close()


async def test_what_a_handler_writes_has_an_end() -> None:
    scene = Scene(says("Well."))

    async def flood(context: StageContext) -> None:
        context.raw_message = "a" * 10_000_000

    scene.door().on("on_input", flood)  # type: ignore[arg-type]
    await scene.turn("Hello.")

    assert scene.shown()[-1][1] == "Hello."
    await scene.agent.close()


async def test_what_a_tool_of_a_plugin_gives_and_how_long_it_takes_has_an_end() -> None:
    def big() -> str:
        """Give much."""
        return "x" * 5_000_000

    scene = Scene(calls(("big", "{}")), says("Well."))
    scene.door().add_tool(replace(FuncTool.of(big), limit_seconds=1e9))
    (offered,) = scene.agent.registry.tools
    await scene.turn("Hello.")

    assert offered.limit_seconds is not None
    assert offered.limit_seconds < 60
    assert len(scene.shown()[-1][1]) < 200_000
    await scene.agent.close()


def test_one_plugin_cannot_crowd_out_the_others() -> None:
    async def scene() -> None:
        own = Scene(says("Well."))
        scheduler = own.agent.scheduler
        flood = own.door("flood", Permission.SPEAK, submit=scheduler.submit)
        calm = own.door("calm", Permission.SPEAK, submit=scheduler.submit)

        assert sum(flood.inject("x") for _ in range(100)) == MOST_OF_ONE
        assert calm.inject("Hello.")
        await own.agent.close()

    virtual_time.run(scene())


def test_a_plugin_puts_in_only_so_much_in_a_minute() -> None:
    async def scene() -> None:
        own = Scene(*[says("Well.")] * (MOST_A_MINUTE + 1))
        own.agent.registry.outputs.add(TextChannel("screen", lambda delivery: None))
        door = own.door("flood", Permission.SPEAK, submit=own.agent.scheduler.submit)
        running = asyncio.get_running_loop().create_task(own.agent.scheduler.run())
        taken = 0
        for _ in range(3 * MOST_A_MINUTE):
            taken += door.inject("x")
            await asyncio.sleep(0.1)

        assert taken == MOST_A_MINUTE
        await asyncio.sleep(MINUTE)
        assert door.inject("x")
        running.cancel()
        await asyncio.wait([running])
        await own.agent.close()

    virtual_time.run(scene())


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "Bad Name"},
        {"name": 5},
        {"name": "guest", "permissions": ["fly"]},
        {"name": "guest", "permissions": 5},
        {"name": "guest", "settings": dict},
        {"name": "guest", "description": "a" * 100_000},
    ],
)
def test_a_manifest_that_cannot_be_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(PluginError):
        Manifest(**fields)


def test_permissions_may_be_written_as_words() -> None:
    class Own(Section):
        """Nothing."""

    manifest = Manifest("guest", permissions=["speak"], settings=Own)  # type: ignore[arg-type]

    assert manifest.permissions == {Permission.SPEAK}


class Kept:
    """A memory that takes what it is given."""

    def __init__(self) -> None:
        self.queries: list[str] = []
        self.kept: list[tuple[object, str]] = []

    async def recall(self, query: str) -> Sequence[Recalled]:
        self.queries.append(query)
        return ()

    search = recall

    async def remember(self, triples: Sequence[tuple[str, str, str]], *, said_by: str = "") -> str:
        self.kept.append((triples, said_by))
        return "kept"


async def test_facts_of_a_plugin_are_its_own_and_few_whatever_it_says() -> None:
    memory = Kept()
    scene = Scene(says("Well."))
    house = scene.door("guest", Permission.MEMORY_READ, Permission.MEMORY_WRITE, memory=memory)
    await house.memory.remember([("Emma", "likes", "tea")], said_by="user")
    for too_much in ([("a", "b", "c")] * 1000, [("a", "b", "c" * 10_000)], [("a", "b")], [("a", "b", 5)], []):
        with pytest.raises(PluginError):
            await house.memory.remember(too_much)  # type: ignore[arg-type]
    await house.memory.recall("x" * 1_000_000)

    assert memory.kept == [([("Emma", "likes", "tea")], "guest")]
    assert [len(query) for query in memory.queries] == [LONGEST_QUERY]
    await scene.agent.close()


@pytest.mark.parametrize(
    "content",
    [
        Blob("image/png", bytes(LARGEST + 1)),
        File("x", Blob("image/png", bytes(LARGEST + 1))),
        Structured("x" * (LARGEST + 1)),
    ],
)
async def test_what_is_sent_has_an_end(content: Content) -> None:
    scene = Scene(says("Well."))
    everything = frozenset(Carries)
    scene.agent.registry.outputs.add(TextChannel("screen", lambda delivery: None, everything))

    assert await scene.door("guest", Permission.SPEAK).send("screen", content) is Receipt.TOO_LONG
    await scene.agent.close()
