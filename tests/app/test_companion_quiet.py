"""A running companion that is told to be quiet, in its ears, in its voice or in its writing."""

from __future__ import annotations

import asyncio
import errno
from pathlib import Path

import pytest
from doubles import virtual_time
from doubles.quiet_home import QuietHome
from doubles.slow_thinker import SlowThinker

from companion.app.ask import ask_here
from companion.app.events import HushChanged, MuteChanged, Problem, Solved, Typed, Unanswered
from companion.app.orders import Ask, Hush, Mute, Status, Stop, Talk, Tend
from companion.app.quiet import Wishes
from companion.app.turn_log import TurnRecorded
from companion.compose.journal import Journal
from companion.errors import ControlError, ModelBroken
from companion.settings.schema import Memory, Settings
from companion.voice.events import Asked, Exchanged, Spoken, State, Writing

STORY = "Once upon a time there was a companion. It listened and it spoke. Then it was told to be quiet."


def full(self: Journal, lines: str) -> None:
    """A disk that takes nothing."""
    raise OSError(errno.ENOSPC, "No space left on device")


def test_ears_are_closed_for_a_while_and_then_open(tmp_path: Path) -> None:
    async def scene() -> None:
        home = QuietHome(tmp_path)
        async with home.living() as companion:
            standing = await companion.perform(Mute(on=True, seconds=10))
            assert (standing["muted"], standing["muted_seconds"]) == (True, 10)
            await home.room.wake()
            await asyncio.sleep(8)
            assert (await companion.perform(Status()))["phase"] == "muted"
            await asyncio.sleep(3)
            assert (await companion.perform(Status()))["phase"] == "asleep"
            assert MuteChanged(on=False) in home.events

    virtual_time.run(scene())


def test_talking_opens_ears_that_were_closed(tmp_path: Path) -> None:
    async def scene() -> None:
        home = QuietHome(tmp_path)
        async with home.living() as companion:
            await companion.perform(Mute(on=True, seconds=600))
            standing = await companion.perform(Talk())
            assert (standing["muted"], standing["phase"]) == (False, "listening")

    virtual_time.run(scene())


def test_ears_that_were_closed_before_the_start_are_closed_behind_it(tmp_path: Path) -> None:
    async def scene() -> None:
        home = QuietHome(tmp_path, wishes=Wishes(muted_until=float("inf")))
        async with home.living() as companion:
            assert (await companion.perform(Status()))["phase"] == "muted"

    virtual_time.run(scene())


def test_while_speaking_is_paused_answers_are_shown_and_not_said(tmp_path: Path) -> None:
    async def scene() -> None:
        home = QuietHome(tmp_path)
        async with home.living() as companion:
            await companion.perform(Hush(on=True))
            assert home.events[-1] == HushChanged(on=True)
            await home.room.wake()
            await home.room.say("what is six times seven")
            await home.until(State.LISTENING)
            over = next(event for event in home.events if isinstance(event, Exchanged))
            assert (over.heard, over.whole) == ("That's 42.", True)
            assert home.voice.said == []
            await companion.perform(Hush(on=False))
            await home.room.say("what is six times eight")
            await home.until(State.SPEAKING)
            assert home.voice.said == ["That's 48."]

    virtual_time.run(scene())


def test_pausing_speech_ends_what_is_being_said(tmp_path: Path) -> None:
    async def scene() -> None:
        home = QuietHome(tmp_path, SlowThinker(STORY))
        async with home.living() as companion:
            await home.room.wake()
            await home.room.say("tell me a story")
            await home.until(State.SPEAKING)
            await asyncio.sleep(0.5)
            await companion.perform(Hush())
            await asyncio.sleep(1)
            spoken = next(event for event in home.events if isinstance(event, Spoken))
            assert not spoken.whole

    virtual_time.run(scene())


def test_a_typed_answer_is_told_word_by_word(tmp_path: Path) -> None:
    async def scene() -> None:
        home = QuietHome(tmp_path, SlowThinker(STORY))
        async with home.living() as companion:
            answer = await companion.perform(Ask("tell me a story"))
            assert answer["text"] == STORY
            kinds = [type(event) for event in home.events]
            assert kinds.index(Typed) < kinds.index(Asked) < kinds.index(Writing) < kinds.index(Exchanged)
            assert "".join(event.text for event in home.events if isinstance(event, Writing)).strip() == STORY
            recorded = [event.record for event in home.events if isinstance(event, TurnRecorded)]
            assert recorded[0].said == STORY
            assert recorded[0].source == "model:scripted"

    virtual_time.run(scene())


def test_stop_cuts_a_typed_answer_short_and_keeps_what_there_was(tmp_path: Path) -> None:
    async def scene() -> None:
        thinker = SlowThinker(STORY, pace=1.0)
        home = QuietHome(tmp_path, thinker)
        async with home.living() as companion:
            asking = asyncio.create_task(companion.perform(Ask("tell me a story")))
            await asyncio.sleep(4.5)
            await companion.perform(Stop())
            answer = await asking
            assert str(answer["text"]).startswith("Once upon")
            assert len(str(answer["text"])) < len(STORY)
            over = next(event for event in home.events if isinstance(event, Exchanged))
            assert not over.whole
            await asyncio.sleep(1)
            assert thinker.writing == 0
        assert "Once upon" in (home.paths.sessions / "default.messages.ndjson").read_text()

    virtual_time.run(scene())


def test_a_typed_question_that_is_stopped_before_its_answer_begins_is_over(tmp_path: Path) -> None:
    async def scene() -> None:
        home = QuietHome(tmp_path, SlowThinker(STORY, loads=20.0))
        async with home.living() as companion:
            asking = asyncio.create_task(companion.perform(Ask("tell me a story")))
            await asyncio.sleep(5)
            await companion.perform(Stop())
            with pytest.raises(ControlError, match="stopped"):
                await asking
            assert [event.text for event in home.events if isinstance(event, Unanswered)] == ["tell me a story"]

    virtual_time.run(scene())


def test_a_typed_question_without_an_answer_is_told_with_the_reason(tmp_path: Path) -> None:
    async def scene() -> None:
        home = QuietHome(tmp_path, SlowThinker("", error=ModelBroken("the model does not load", mend="Verify it.")))
        async with home.living() as companion:
            with pytest.raises(ModelBroken):
                await companion.perform(Ask("tell me a story"))
            assert Unanswered("tell me a story", "the model does not load", "Verify it.") in home.events

    virtual_time.run(scene())


def test_the_newest_turns_and_what_was_thought_of_them_are_told_by_the_desk(tmp_path: Path) -> None:
    async def scene() -> None:
        home = QuietHome(tmp_path)
        async with home.living() as companion:
            await companion.perform(Ask("what is six times seven"))
            await asyncio.sleep(0.1)
            (turn,) = (await companion.perform(Tend("talk", "recent")))["turns"]  # type: ignore[misc, attr-defined]
            assert (turn["asked"], turn["said"], turn["source"]) == (
                "what is six times seven",
                "That's 42.",
                "rule:maths",
            )
            given = {"at": turn["at"], "asked": turn["asked"], "said": turn["said"], "verdict": "good"}
            await companion.perform(Tend("talk", "note", given))
            (older,) = (await companion.perform(Tend("talk", "older")))["turns"]  # type: ignore[misc, attr-defined]
            assert (older["asked"], older["said"], older["verdict"]) == (turn["asked"], turn["said"], "good")

    virtual_time.run(scene())


def test_an_answer_that_could_not_be_kept_is_given_and_the_trouble_told_until_it_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        home = QuietHome(tmp_path, SlowThinker(STORY))
        async with home.living() as companion:
            monkeypatch.setattr(Journal, "append", full)
            answer = await companion.perform(Ask("tell me a story"))
            assert answer["text"] == STORY
            (problem,) = [event for event in home.events if isinstance(event, Problem)]
            assert problem.topic == "history"
            assert "No space" in problem.message
            assert problem.mend
            monkeypatch.undo()
            await companion.perform(Ask("louder"))
            assert Solved("history") not in home.events
            await companion.perform(Ask("what is six times seven"))
            assert Solved("history") in home.events
            await companion.perform(Ask("what is six times eight"))
            assert home.events.count(Solved("history")) == 1
        assert STORY in (home.paths.sessions / "default.messages.ndjson").read_text()
        assert not [event for event in home.events if isinstance(event, Unanswered)]
        records = {event.record.at: event.record for event in home.events if isinstance(event, TurnRecorded)}
        assert next(iter(records.values())).written == STORY

    virtual_time.run(scene())


async def test_asked_by_a_command_an_answer_that_could_not_be_kept_is_given_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = QuietHome(tmp_path)
    monkeypatch.setattr(Journal, "append", full)
    settings = Settings(memory=Memory(keep=False))

    given = await ask_here(settings, home.paths, "what is six times seven", telling=home.telling)

    assert given.text == "That's 42."
    (problem,) = [event for event in home.events if isinstance(event, Problem)]
    assert (problem.topic, bool(problem.mend)) == ("history", True)
