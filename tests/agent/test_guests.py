"""Whatever a plugin does, it does to itself."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
from doubles import virtual_time
from doubles.acting import Scene
from doubles.chat_backend import calls, says

from companion.agent.choices import Choice
from companion.agent.door import Rooms
from companion.agent.finding import RESERVED, Found, Home, in_folder
from companion.agent.guest_threads import EACH
from companion.agent.guests import GuestFailed, Guests
from companion.agent.host import PluginHost, PluginStatus
from companion.agent.output import Outputs
from companion.agent.plugin import Manifest, Reply, Request, Section, StageContext
from companion.agent.registry import Registry
from companion.agent.stages import Stage


class Odd(BaseException):
    """Nobody knows it."""


class Mute(Exception):
    """It cannot even say what it is."""

    def __str__(self) -> str:
        raise ValueError


@pytest.mark.parametrize("error", [Odd, GeneratorExit, KeyboardInterrupt, SystemExit, asyncio.CancelledError, Mute])
@pytest.mark.parametrize("stage", ["on_input", "after_output"])
@pytest.mark.parametrize("is_async", [True, False])
async def test_whatever_a_handler_raises_the_turn_goes_on(
    error: type[BaseException], stage: str, is_async: bool
) -> None:
    async def fail(context: StageContext) -> None:
        raise error

    def fail_on_a_thread(context: StageContext) -> None:
        raise error

    scene = Scene(says("Well."))
    scene.on(stage, fail if is_async else fail_on_a_thread)

    assert await scene.turn("Hello.") == "Well."
    assert scene.endings() == ["answered"]
    await scene.agent.close()


@pytest.mark.parametrize("stage", list(Stage))
@pytest.mark.parametrize("fault", ["raises", "hangs", "clings"])
def test_a_handler_that_fails_or_hangs_at_any_stage_costs_the_turn_nothing_but_time(stage: Stage, fault: str) -> None:
    async def note(what: str) -> str:
        """Note something."""
        return f"noted {what}"

    over = asyncio.Event()

    async def bad(context: StageContext) -> None:
        if fault == "raises":
            raise ValueError("private words")
        while not over.is_set():
            try:
                await over.wait()
            except asyncio.CancelledError:
                if fault == "hangs":
                    raise

    async def scene() -> None:
        scene = Scene(calls(("note", '{"what": "tea"}')), says("It is noted."), tools=[note])
        scene.on(stage, bad)
        began = asyncio.get_running_loop().time()
        assert await scene.turn("Note tea.") == "It is noted."
        assert asyncio.get_running_loop().time() - began < 15.0
        assert scene.endings() == ["answered"]
        details = scene.agent.last_turn
        assert details is not None
        assert {failure.where for failure in details.failures} == {stage.value}
        over.set()
        await scene.agent.close()

    virtual_time.run(scene())


async def test_one_that_hangs_has_its_own_threads_and_no_others() -> None:
    release = threading.Event()
    guests = Guests(threshold=10**6)
    for _ in range(3 * EACH):
        with pytest.raises(GuestFailed):
            await guests.ask("hangs", "a call", lambda: release.wait(10), seconds=0.01)

    assert await guests.ask("other", "a call", lambda: 5, seconds=1.0) == 5
    assert await asyncio.to_thread(lambda: 6) == 6
    with pytest.raises(GuestFailed, match="still run"):
        await guests.ask("hangs", "a call", lambda: 7, seconds=1.0)
    release.set()
    async with asyncio.timeout(5):
        while True:
            try:
                assert await guests.ask("hangs", "a call", lambda: 7, seconds=1.0) == 7
                break
            except GuestFailed:
                await asyncio.sleep(0)


class Bad:
    """A plugin."""

    manifest = Manifest("bad")

    async def start(self, house: object) -> None:
        """Add nothing."""

    async def check(self) -> None:
        """All is well."""

    async def stop(self) -> None:
        """Hold nothing."""


class Good(Bad):
    manifest = Manifest("good")


class Raising(Bad):
    @property
    def manifest(self) -> Manifest:  # type: ignore[override]
        raise ValueError("no manifest today")


class Endless(Bad):
    @property
    def manifest(self) -> Manifest:  # type: ignore[override]
        raise SystemExit


class Strange(Section):
    """Settings that cannot be read."""

    @classmethod
    def model_validate(cls, *given: Any, **also: Any) -> Any:
        raise RuntimeError("not today")


class Unsettled(Bad):
    manifest = Manifest("bad", settings=Strange)


class Leaving(Bad):
    async def start(self, house: object) -> None:
        raise Odd


def ends() -> object:
    raise KeyboardInterrupt


@pytest.mark.parametrize("make", [Raising, Endless, Unsettled, Leaving, ends])
async def test_one_bad_plugin_keeps_no_other_from_starting(make: Callable[[], object]) -> None:
    host = PluginHost(Registry(), Rooms(), dict.fromkeys(("bad", "good"), Choice(enabled=True)))
    host.take_in([Found("bad", Home.PACKAGE, make), Found("good", Home.PACKAGE, Good)])
    await host.start()

    assert host.record("bad").status in (PluginStatus.FAILED_TO_LOAD, PluginStatus.BAD_SETTINGS)
    assert host.record("good").status is PluginStatus.ENABLED
    await host.close()


async def test_plugins_are_loaded_side_by_side() -> None:
    both = threading.Barrier(2, timeout=5)

    def meet(plugin: type[Bad]) -> Callable[[], object]:
        def make() -> object:
            both.wait()
            return plugin()

        return make

    host = PluginHost(Registry(), Rooms(), dict.fromkeys(("bad", "good"), Choice(enabled=True)))
    host.take_in([Found("bad", Home.PACKAGE, meet(Bad)), Found("good", Home.PACKAGE, meet(Good))])
    await host.start()

    assert [record.status for record in host.records] == [PluginStatus.ENABLED] * 2
    await host.close()


async def test_what_is_started_twice_at_once_is_there_once() -> None:
    started: list[str] = []

    class Slow(Good):
        async def start(self, house: object) -> None:
            started.append("good")
            await asyncio.sleep(0)

    host = PluginHost(Registry(), Rooms(), {"good": Choice(enabled=True)})
    host.take_in([Found("good", Home.PACKAGE, Slow)])
    await asyncio.gather(host.start(), host.start(), host.start())

    assert started == ["good"]
    await host.close()


async def test_what_was_turned_off_stays_off_and_what_has_failed_is_not_tried_each_time() -> None:
    tried: list[int] = []

    def fail() -> object:
        tried.append(1)
        raise ValueError

    host = PluginHost(Registry(), Rooms(), dict.fromkeys(("bad", "good"), Choice(enabled=True)))
    host.take_in([Found("bad", Home.PACKAGE, fail), Found("good", Home.PACKAGE, Good)])
    await host.start()
    await host.disable("good")
    await host.start()

    assert host.record("good").status is PluginStatus.OFF
    assert tried == [1]
    await host.enable("good", Choice(enabled=True))
    await host.start()
    assert host.record("good").status is PluginStatus.ENABLED
    await host.close()


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_no_plugin_of_others_is_called_like_a_part_of_the_program(name: str, tmp_path: Any) -> None:
    place = tmp_path / name
    place.mkdir()
    (place / "plugin.toml").write_text(f'name = "{name}"\n')

    (found,) = in_folder(tmp_path)
    assert "can be called" in str(found.problem)


def test_a_manifest_that_is_no_file_is_not_waited_for(tmp_path: Any) -> None:
    place = tmp_path / "pipe"
    (place / "plugin.toml").mkdir(parents=True)
    large = tmp_path / "large"
    large.mkdir()
    (large / "plugin.toml").write_text("#" * 100_000)
    deep = tmp_path / "deep"
    deep.mkdir()
    (deep / "plugin.toml").write_text("name = " + "[" * 50_000)

    assert all(found.problem is not None for found in in_folder(tmp_path))


async def test_a_talent_that_gives_no_reply_has_failed_and_commands_go_on() -> None:
    class Silent:
        name = "silent"
        intents = frozenset({"thanks"})

        async def answer(self, request: Request) -> None:
            """Say nothing at all."""

        def frequent_replies(self, language: str) -> tuple[str, ...]:
            raise ValueError

    scene = Scene(says("Well."))
    scene.door("guest").add_talent(Silent())  # type: ignore[arg-type]

    for _ in range(5):
        assert await scene.turn("Thanks.") == "Sorry, that did not work."
    assert (await scene.turn("What time is it?")).startswith("It's")
    assert scene.agent.frequent_replies("en")
    await scene.agent.close()


def test_a_talent_of_ours_may_take_the_time_that_a_slow_machine_needs_and_a_strangers_may_not() -> None:
    class Slow:
        name = "slow"
        intents = frozenset({"thanks"})

        async def answer(self, request: Request) -> Reply:
            await asyncio.sleep(20.0)
            return Reply("Done.")

        def frequent_replies(self, language: str) -> tuple[str, ...]:
            return ()

    async def scene() -> None:
        for is_own, said in ((True, "Done."), (False, "Sorry, that did not work.")):
            scene = Scene(says("Well."))
            if is_own:
                scene.agent.registry.add_talent(Slow())
            else:
                scene.door("guest").add_talent(Slow())
            assert await scene.turn("Thanks.") == said
            await scene.agent.close()

    virtual_time.run(scene())


async def test_a_channel_says_once_what_it_carries() -> None:
    class Broken:
        name = "broken"
        asked = 0

        @property
        def carries(self) -> frozenset[str]:
            self.asked += 1
            if self.asked > 1:
                raise ValueError
            return frozenset({"text"})

        async def send(self, delivery: object) -> None:
            """Put it nowhere."""

    registry = Registry()
    outputs: Outputs = registry.outputs
    outputs.add(Broken())  # type: ignore[arg-type]

    assert (await outputs.send("broken", "Hello.")).value == "sent"
    await registry.bus.close()


async def test_a_priority_that_is_no_number_breaks_no_stage() -> None:
    scene = Scene(says("Well."))

    async def act(context: StageContext) -> None:
        """Do nothing."""

    with pytest.raises(ValueError, match="whole number"):
        scene.on("on_input", act, priority="first")  # type: ignore[arg-type]
    scene.on("on_input", act, priority=1)

    assert await scene.turn("Hello.") == "Well."
    await scene.agent.close()
