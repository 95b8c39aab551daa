"""A running companion goes by changed settings at once, or with the conversation begun anew."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from doubles import virtual_time
from doubles.alive import alive
from doubles.ears import Recogniser, Room
from doubles.mouth import Loudspeaker, Voice
from doubles.senses import RoomSenses, SureJudge

from companion.agent.answer import Said
from companion.app.build import build
from companion.app.companion import Companion
from companion.app.ensemble import Ensemble
from companion.app.events import Problem, SettingsChanged, Telling
from companion.app.log import private, start_log, stop_log
from companion.app.mind import build_mind
from companion.app.orders import Mute, Status, Tend
from companion.app.paths import Paths
from companion.app.sound import Ends
from companion.model import ModelContext
from companion.providers.scripted import ScriptedGenerator
from companion.settings.applies import AT_ONCE
from companion.settings.schema import Settings, Sound
from companion.stream import Stream
from companion.voice.events import State


class Thinker(ScriptedGenerator):
    """Answers, and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(["Very well."])
        self.contexts: list[ModelContext] = []

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        self.contexts.append(context)
        return await super().generate_stream(context, model=model)

    async def warm(self, context: ModelContext) -> None:
        """It reads nothing ahead."""


class Home:
    """A companion, a room for each conversation, and what its devices were told."""

    def __init__(self, folder: Path) -> None:
        self.paths = Paths.under(folder / "home")
        self.paths.prepare()
        self.telling, self.events = Telling(), list[object]()
        self.telling.subscribe(self.events.append)
        self.rooms: list[Room] = []
        self.adopted: list[Sound] = []
        self.mouth, self.thinker = Loudspeaker(), Thinker()

    async def open_ends(self, telling: Telling) -> Ends:
        self.rooms.append(Room())

        async def close() -> None:
            """They are doubles."""

        return Ends(self.rooms[-1], self.mouth, close, self.adopted.append)

    @asynccontextmanager
    async def living(self) -> AsyncIterator[Companion]:
        ensemble = Ensemble(
            hear=Recogniser(),
            think=self.thinker,
            think_name="scripted",
            speak=Voice(),
            voice_name="",
            judge=SureJudge(),
            residents=[],
            steps=[],
        )
        companion = await build(
            Settings(),
            self.paths,
            self.telling,
            ensemble=ensemble,
            senses=RoomSenses(),
            open_ends=self.open_ends,
        )
        async with alive(companion):
            yield companion


async def put(companion: Companion, name: str, value: str) -> None:
    await companion.perform(Tend("settings", "set", {"name": name, "value": value}))


async def phase(companion: Companion) -> str:
    return str((await companion.perform(Status()))["phase"])


def test_the_devices_go_by_other_settings_without_being_opened_anew(tmp_path: Path) -> None:
    async def scene() -> None:
        home = Home(tmp_path)
        async with home.living() as companion:
            await put(companion, "sound.volume", "0.3")
            await put(companion, "sound.gain", "6")
            assert [sound.volume for sound in home.adopted] == [0.3, 0.3]
            assert home.adopted[-1].gain == 6
            assert len(home.rooms) == 1

    virtual_time.run(scene())


def test_an_open_microphone_opens_and_closes_at_once(tmp_path: Path) -> None:
    async def scene() -> None:
        home = Home(tmp_path)
        async with home.living() as companion:
            assert await phase(companion) == State.ASLEEP
            await put(companion, "wake.open_microphone", "true")
            assert await phase(companion) == State.LISTENING
            await put(companion, "wake.open_microphone", "false")
            assert await phase(companion) == State.ASLEEP

    virtual_time.run(scene())


def test_without_follow_up_it_falls_asleep_after_the_answer(tmp_path: Path) -> None:
    async def scene() -> None:
        home = Home(tmp_path)
        async with home.living() as companion:
            await put(companion, "wake.follow_up", "0")
            await home.rooms[0].wake()
            await home.rooms[0].say("what is six times seven")
            async with asyncio.timeout(30):
                while await phase(companion) != State.SPEAKING:  # noqa: ASYNC110 - waiting costs nothing in virtual time
                    await asyncio.sleep(0.05)
                while await phase(companion) == State.SPEAKING:  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
            assert await phase(companion) == State.ASLEEP

    virtual_time.run(scene())


@pytest.mark.parametrize(("name", "value"), [("sound.microphone", "USB"), ("wake.word", "alexa")])
def test_for_another_device_or_name_the_conversation_is_begun_anew_and_stays_muted(
    tmp_path: Path, name: str, value: str
) -> None:
    async def scene() -> None:
        home = Home(tmp_path)
        async with home.living() as companion:
            await companion.perform(Mute(on=True))
            await put(companion, name, value)
            await asyncio.sleep(5.0)
            assert len(home.rooms) == 2
            assert await phase(companion) == State.MUTED
            assert not any(isinstance(event, Problem) and event.topic == "conversation" for event in home.events)

    virtual_time.run(scene())


def test_everything_that_counts_at_once_leaves_nothing_waiting(tmp_path: Path) -> None:
    others = {
        "general.name": "Emma",
        "sound.microphone": "USB",
        "sound.speaker": "USB",
        "wake.word": "alexa",
        "knowledge.folders": "",
        "personality.which": "warm",
        "desktop.talk_key": "",
        "log.level": "debug",
    }

    async def scene() -> None:
        home = Home(tmp_path)
        async with home.living() as companion:
            rows = (await companion.perform(Tend("settings", "list")))["settings"]
            assert isinstance(rows, list)
            for row in rows:
                if row["name"] in AT_ONCE:
                    turned = {"true": "false", "false": "true"}.get(row["value"], row["high"] or "1")
                    answer = await companion.perform(
                        Tend("settings", "set", {"name": row["name"], "value": others.get(row["name"], str(turned))})
                    )
                    assert answer["waiting"] == [], row["name"]
            changed = [event for event in home.events if isinstance(event, SettingsChanged)]
            assert len(changed) == len(AT_ONCE)
            await asyncio.sleep(5.0)

    virtual_time.run(scene())


async def asked(home: Home, companion_settings: Settings) -> None:
    """A question to the mind alone."""
    mind = await build_mind(companion_settings, home.paths, home.thinker, telling=home.telling)
    try:
        for name, value in (("personality.which", "playful"), ("general.name", "Emma"), ("models.answer_tokens", "50")):
            await mind.desks.perform(Tend("settings", "set", {"name": name, "value": value}))
        answer = await mind.agent.answer(Said("how is the sea", "en"))
        await answer.text.close()
        await mind.agent.commit(answer, "", whole=False)
    finally:
        await mind.close()


async def test_the_next_question_meets_another_personality_name_and_limit(tmp_path: Path) -> None:
    home = Home(tmp_path)
    await asked(home, Settings())
    context = home.thinker.contexts[-1]
    prompts = " ".join(prompt.text for prompt in context.prompts)
    assert "dry wit" in prompts
    assert "Emma" in prompts
    assert context.params is not None
    assert context.params.max_tokens == 50


async def test_a_text_of_the_user_s_counts_from_the_next_question(tmp_path: Path) -> None:
    home = Home(tmp_path)
    mind = await build_mind(Settings(), home.paths, home.thinker, telling=home.telling)
    try:
        await mind.desks.perform(Tend("personality", "write", {"text": "You are a gardener."}))
        answer = await mind.agent.answer(Said("how is the sea", "en"))
        await answer.text.close()
        await mind.agent.commit(answer, "", whole=False)
    finally:
        await mind.close()
    assert "You are a gardener." in [prompt.text for prompt in home.thinker.contexts[-1].prompts]


async def test_the_log_holds_what_was_said_from_when_it_may_until_it_may_not(tmp_path: Path) -> None:
    home = Home(tmp_path)
    start_log(home.paths.log_file)
    logger = logging.getLogger("companion.test")
    try:
        mind = await build_mind(Settings(), home.paths, None, telling=home.telling)
        try:
            for number, value in enumerate(("true", "false")):
                await mind.desks.perform(Tend("settings", "set", {"name": "log.private_text", "value": value}))
                private(logger, "said number %s", str(number))
        finally:
            await mind.close()
    finally:
        stop_log()
    text = home.paths.log_file.read_text()
    assert "said number 0" in text
    assert "said number 1" not in text


async def test_folders_are_searched_from_when_they_are_named(tmp_path: Path) -> None:
    home = Home(tmp_path)
    folder = tmp_path / "papers"
    folder.mkdir()
    folder.joinpath("bees.md").write_text("# Bees\n\nBees like clover.\n")
    mind = await build_mind(Settings(), home.paths, None, telling=home.telling)
    try:
        await mind.desks.perform(Tend("settings", "set", {"name": "knowledge.folders", "value": str(folder)}))
        found = await mind.desks.perform(Tend("knowledge", "search", {"query": "clover"}))
        assert "clover" in str(found["found"])
    finally:
        await mind.close()
