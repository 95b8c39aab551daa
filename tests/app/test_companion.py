"""A companion put together from doubles: it answers, obeys, announces, and mends itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from doubles import virtual_time
from doubles.alive import alive
from doubles.ears import Recogniser, Room
from doubles.mouth import Loudspeaker, Voice
from doubles.senses import RoomSenses, SureJudge

from companion.app.build import build
from companion.app.companion import Companion
from companion.app.ensemble import Ensemble
from companion.app.events import ModelLoaded, Problem, Ready, Telling
from companion.app.log import start_log, stop_log
from companion.app.mind import Mind
from companion.app.orders import Announce, Ask, Mute, Release, Shutdown, Status, Stop, Talk, Toggle
from companion.app.paths import Paths
from companion.app.sound import Ends
from companion.app.warmup import Step, warm_up
from companion.errors import ControlError, ModelBroken
from companion.model import ModelReport
from companion.settings.schema import Settings
from companion.voice.events import Spoken, State


class Home:
    """A room, its companion, and everything it told."""

    def __init__(self, tmp_path: Path, steps: list[Step] | None = None) -> None:
        self.paths = Paths.under(tmp_path / "home")
        self.paths.prepare()
        self.telling = Telling()
        self.events: list[object] = []
        self.telling.subscribe(self.events.append)
        self.room, self.mouth = Room(), Loudspeaker()
        self.recogniser, self.voice = Recogniser(), Voice()
        self.opened = self.closed = self.stopped = 0
        self.steps = steps or []
        self.fails = 0

    async def open_ends(self, telling: Telling) -> Ends:
        self.opened += 1
        if self.opened <= self.fails:
            raise RuntimeError("a fault of ours")

        async def close() -> None:
            self.closed += 1

        return Ends(self.room, self.mouth, close)

    async def build(self) -> Companion:
        ensemble = Ensemble(
            hear=self.recogniser,
            think=None,
            think_name="",
            speak=self.voice,
            voice_name="",
            judge=SureJudge(),
            residents=[],
            steps=self.steps,
        )
        return await build(
            Settings(),
            self.paths,
            self.telling,
            ensemble=ensemble,
            senses=RoomSenses(),
            open_ends=self.open_ends,
            stop=self.stop,
        )

    def stop(self) -> None:
        self.stopped += 1

    def said(self) -> list[str]:
        return [event.text for event in self.events if isinstance(event, Spoken)]

    def problems(self) -> list[str]:
        return [event.topic for event in self.events if isinstance(event, Problem)]


@asynccontextmanager
async def living(home: Home) -> AsyncIterator[Companion]:
    companion = await home.build()
    async with alive(companion):
        yield companion
    assert home.opened == home.closed + home.fails


def ready(home: Home) -> bool:
    return any(isinstance(event, Ready) for event in home.events)


async def phase(companion: Companion) -> str:
    return str((await companion.perform(Status()))["phase"])


async def until(companion: Companion, state: State, within: float = 60.0) -> None:
    async with asyncio.timeout(within):
        while await phase(companion) != state:  # noqa: ASYNC110 - waiting costs nothing in virtual time
            await asyncio.sleep(0.05)


def test_a_command_after_the_wake_word_is_answered(tmp_path: Path) -> None:
    async def scene() -> None:
        home = Home(tmp_path)
        async with living(home) as companion:
            assert ready(home)
            await home.room.wake()
            await home.room.say("what is six times seven")
            await until(companion, State.SPEAKING)
            await until(companion, State.LISTENING)
        assert home.said() == ["That's 42."]
        assert "six times seven" in (home.paths.sessions / "default.messages.ndjson").read_text()

    virtual_time.run(scene())


@pytest.mark.parametrize("private_text", [True, False])
def test_the_log_holds_what_was_said_only_where_the_user_wants_it(tmp_path: Path, *, private_text: bool) -> None:
    async def scene() -> None:
        home = Home(tmp_path)
        start_log(home.paths.log_file, private_text=private_text)
        try:
            async with living(home) as companion:
                await home.room.wake()
                await home.room.say("what is six times seven")
                await until(companion, State.SPEAKING)
                await until(companion, State.LISTENING)
        finally:
            stop_log()
        log = home.paths.log_file.read_text()
        assert ("heard: what is six times seven" in log.lower()) is private_text
        assert ("said: That's 42." in log) is private_text

    virtual_time.run(scene())


def test_it_is_ready_when_the_first_sound_is_there_and_not_before(tmp_path: Path) -> None:
    async def scene() -> None:
        home = Home(tmp_path)
        home.room.stall()
        async with living(home) as companion:
            assert not ready(home)
            assert await phase(companion) == "starting"
            home.room.stall(on=False)
            await until(companion, State.ASLEEP, within=1.0)
            assert ready(home)

    virtual_time.run(scene())


def test_it_tells_how_long_the_steps_of_its_last_turn_took(tmp_path: Path) -> None:
    async def scene() -> None:
        home = Home(tmp_path)
        async with living(home) as companion:
            assert (await companion.perform(Status()))["last_turn"] == {"number": 0, "source": ""}
            await home.room.wake()
            await home.room.say("what is six times seven")
            await until(companion, State.LISTENING)
            turn = (await companion.perform(Status()))["last_turn"]
        assert turn["number"] == 1
        assert turn["source"].startswith("rule:")
        assert turn["total"] >= turn["wait"] > 0
        assert "six" not in str(turn)

    virtual_time.run(scene())


def test_orders_are_carried_out_and_answered_with_how_things_stand(tmp_path: Path) -> None:
    async def scene() -> None:
        home = Home(tmp_path)
        async with living(home) as companion:
            assert (await companion.perform(Status()))["phase"] == "asleep"
            assert (await companion.perform(Mute()))["muted"] is True
            assert (await companion.perform(Mute()))["muted"] is False
            assert (await companion.perform(Mute(on=True)))["phase"] == "muted"
            assert (await companion.perform(Talk()))["phase"] == "listening"
            assert (await companion.perform(Release()))["muted"] is False
            assert (await companion.perform(Stop()))["phase"] == "asleep"
            assert (await companion.perform(Toggle()))["phase"] == "listening"
            assert (await companion.perform(Toggle()))["phase"] == "asleep"
            answer = await companion.perform(Ask("what is six times seven"))
            assert answer == {"text": "That's 42.", "source": "rule:maths"}
            await companion.perform(Shutdown())
            await asyncio.sleep(0.1)
            assert home.stopped == 1

    virtual_time.run(scene())


def test_whoever_asks_in_writing_is_told_as_long_as_the_conversation_cannot_be_kept(tmp_path: Path) -> None:
    async def scene() -> None:
        home = Home(tmp_path)
        async with living(home) as companion:
            conversation = home.paths.sessions / "default.messages.ndjson"
            conversation.mkdir(parents=True)
            answer = await companion.perform(Ask("what is six times seven"))
            assert answer["text"] == "That's 42."
            assert "the conversation could not be kept" in str(answer["problems"])
            conversation.rmdir()
            assert "problems" not in await companion.perform(Ask("what is six times seven"))

    virtual_time.run(scene())


def test_a_typed_command_turns_the_volume_and_ends_a_conversation(tmp_path: Path) -> None:
    async def scene() -> None:
        home = Home(tmp_path)
        async with living(home) as companion:
            await companion.perform(Ask("set the volume to 30 percent"))
            assert home.mouth.volume == pytest.approx(0.3)
            await companion.perform(Talk())
            await companion.perform(Ask("stop"))
            assert await phase(companion) == "asleep"

    virtual_time.run(scene())


def test_an_announcement_by_order_is_said(tmp_path: Path) -> None:
    async def scene() -> None:
        home = Home(tmp_path)
        async with living(home) as companion:
            await companion.perform(Announce("Tea is ready."))
            await until(companion, State.SPEAKING)
            await asyncio.sleep(5)
        assert home.said() == ["Tea is ready."]
        assert home.mouth.chimes[-1] == "ready"

    virtual_time.run(scene())


def test_a_timer_is_announced_when_it_is_due_and_forgotten_when_it_was_said(tmp_path: Path) -> None:
    async def scene() -> None:
        home = Home(tmp_path)
        async with living(home) as companion:
            await companion.perform(Ask("set a timer for one second"))
            assert home.paths.timers.read_text()
            await asyncio.sleep(1.5)
            # The wall clock does not jump with the loop's: wait for it.
            await asyncio.to_thread(__import__("time").sleep, 1.0)
            await asyncio.sleep(30)
        assert any("timer" in said for said in home.said())
        assert home.paths.timers.read_text() == ""

    virtual_time.run(scene())


def test_a_voice_loop_that_breaks_is_begun_anew(tmp_path: Path) -> None:
    async def scene() -> None:
        home = Home(tmp_path)
        home.fails = 2
        async with living(home) as companion:
            with pytest.raises(ControlError, match="not listening yet"):
                await companion.perform(Talk())
            await asyncio.sleep(5)
            assert await phase(companion) == "asleep"
            assert (await companion.perform(Status()))["problems"] == []
        assert home.problems() == ["conversation", "conversation"]

    virtual_time.run(scene())


def test_a_loop_that_breaks_after_a_good_while_is_begun_anew_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        now = asyncio.get_running_loop().time
        companion = await Home(tmp_path).build()
        lasts, began = [0.0] * 6 + [1000.0, 0.0, 1e6], list[float]()

        async def converse() -> None:
            began.append(now())
            await asyncio.sleep(lasts[len(began) - 1])
            raise RuntimeError("a fault of ours")

        monkeypatch.setattr(companion, "_converse", converse)
        life = asyncio.create_task(companion.run())
        await asyncio.sleep(3000)
        life.cancel()
        await asyncio.gather(life, return_exceptions=True)
        await companion.close()
        assert began[6] - began[5] == pytest.approx(30)
        assert began[7] - began[6] == pytest.approx(1001)

    virtual_time.run(scene())


def test_ears_are_open_before_the_models_are_loaded_and_one_that_fails_is_told(tmp_path: Path) -> None:
    async def scene() -> None:
        async def slow() -> None:
            await asyncio.sleep(30)

        async def broken() -> None:
            raise ModelBroken("whisper-base does not load", mend="Verify it.")

        report = ModelReport("smollm2", loaded=True, load_seconds=30)
        home = Home(tmp_path, [Step("voice", broken), Step("language model", slow, lambda: report)])
        async with living(home) as companion:
            assert await phase(companion) == "asleep"
            assert (await companion.perform(Status()))["problems"] == ["whisper-base does not load. Verify it."]
            await asyncio.sleep(31)
        assert ModelLoaded(report) in home.events

    virtual_time.run(scene())


def test_what_must_be_kept_is_closed_though_a_model_or_library_is_still_coming_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        now = asyncio.get_running_loop().time
        closed: list[float] = []
        ended: list[float] = []

        async def stubborn() -> None:
            try:
                await asyncio.sleep(60)
            finally:
                try:
                    await asyncio.sleep(5)
                finally:
                    ended.append(now())

        async def close(mind: Mind) -> None:
            closed.append(now())
            await close_mind(mind)

        close_mind = Mind.close
        monkeypatch.setattr(Mind, "close", close)
        companion = await Home(tmp_path, [Step("voice", stubborn)]).build()
        life = asyncio.create_task(companion.run())
        await asyncio.sleep(1)
        life.cancel()
        await asyncio.gather(life, return_exceptions=True)
        began = now()
        await companion.close()
        assert closed
        assert closed[0] - began < 1
        assert ended
        assert closed[0] <= ended[0]

    virtual_time.run(scene())


def test_ears_that_end_end_the_companion(tmp_path: Path) -> None:
    async def scene() -> None:
        home = Home(tmp_path)
        companion = await home.build()
        life = asyncio.create_task(companion.once())
        await asyncio.sleep(1)
        home.room.end()
        async with asyncio.timeout(30):
            await life
        await companion.close()

    virtual_time.run(scene())


def test_a_broken_loop_of_a_single_conversation_is_an_error(tmp_path: Path) -> None:
    async def scene() -> None:
        home = Home(tmp_path)
        home.fails = 1
        companion = await home.build()
        with pytest.raises(RuntimeError):
            await companion.once()
        await companion.close()

    virtual_time.run(scene())


async def test_what_fails_while_warming_up_does_not_keep_the_rest() -> None:
    telling, events = Telling(), []
    telling.subscribe(events.append)
    taken: list[str] = []

    async def broken() -> None:
        raise ModelBroken("no", mend="yes")

    async def faulty() -> None:
        raise OSError("a fault of ours")

    async def fine() -> None:
        taken.append("fine")

    await warm_up([Step("a", broken), Step("b", faulty), Step("c", fine)], telling)
    assert taken == ["fine"]
    assert events == [
        Problem("a", "no", "yes"),
        Problem("b", "something went wrong inside (OSError)", "See the log."),
    ]
