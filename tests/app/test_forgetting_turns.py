"""What is forgotten takes the turns along that it was said in, wherever they are kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from doubles.minds import Scripted, a_mind, say

from companion.app.events import Problem, Telling
from companion.app.mind import Mind
from companion.app.minding.forgetting import let_go
from companion.app.orders import Tend
from companion.app.paths import Paths
from companion.compose.entry import Entry
from companion.compose.session import FileSession
from companion.errors import StorageError
from companion.memory.distil.by_model import Backlog, Told
from companion.model import ChatRole

TOLD = "I'm allergic to walnuts, just so you know."


def left_of(paths: Paths, word: str) -> list[str]:
    """The files that hold a word."""
    files = [file for file in paths.data.rglob("*") if file.is_file()]
    return [file.name for file in files if word.encode() in file.read_bytes()]


async def gone(mind: Mind) -> None:
    """What is being forgotten is gone for good."""
    assert mind.around.keeper is not None
    await mind.around.keeper.settle()


def prompted(model: Scripted) -> str:
    """What the model was shown last."""
    return " ".join(message.text for message in model.contexts[-1].messages)


@pytest.mark.parametrize(
    "told",
    [
        "Remember that I am allergic to walnuts.",
        TOLD,
    ],
)
async def test_what_was_told_last_is_gone_from_the_conversation_and_the_disk(paths: Paths, told: str) -> None:
    model = Scripted(*["Well."] * 4)
    async with a_mind(paths, model) as mind:
        await say(mind, "How are you today, then?")
        await say(mind, told)
        assert "walnuts" in await say(mind, "Forget that.")
        await gone(mind)
        assert left_of(paths, "walnuts") == []
        await say(mind, "Tell me a story, please")
        assert "walnuts" not in prompted(model)
        assert "How are you today" in prompted(model)
    assert left_of(paths, "walnuts") == []


async def test_an_answer_that_has_repeated_it_goes_too_and_others_stay(paths: Paths) -> None:
    async with a_mind(paths, Scripted("Walnuts.")) as mind:
        await say(mind, "Are there many kinds of walnuts?")
        await say(mind, "Remember that I am allergic to walnuts.")
        assert "walnuts" in await say(mind, "What do you know about me?")
        await say(mind, "Remember that my sister is called Emma.")
        [fact] = [one for one in await shown(mind) if one["object"] == "walnuts"]
        await mind.desks.perform(Tend("memory", "forget", {"what": [str(fact["id"])]}))
    lines = [json.loads(line) for line in paths.sessions.joinpath("default.messages.ndjson").read_bytes().splitlines()]
    assert [line["text"] for line in lines if "alnuts" in line["text"]] == [
        "Are there many kinds of walnuts?",
        "Walnuts.",
    ]
    assert any("Emma" in line["text"] for line in lines)


async def test_what_was_told_twice_is_gone_from_both_turns(paths: Paths) -> None:
    async with a_mind(paths, Scripted(*["Well."] * 3)) as mind:
        await say(mind, TOLD)
        await say(mind, "Does the sea have an end?")
        await say(mind, "Remember that I am allergic to walnuts.")
        await say(mind, "记住我对花生过敏。", "zh")
        [fact] = [one for one in await shown(mind) if one["object"] == "walnuts"]
        await mind.desks.perform(Tend("memory", "forget", {"what": [str(fact["id"])]}))
    assert left_of(paths, "walnuts") == []
    assert left_of(paths, "花生") != []


async def shown(mind: Mind) -> list[dict[str, object]]:
    rows = (await mind.desks.perform(Tend("memory", "show", {})))["shown"]
    assert isinstance(rows, list)
    return rows


async def test_whoever_is_only_talked_of_is_found_and_forgotten_by_command_too(paths: Paths) -> None:
    async with a_mind(paths, Scripted("Fine.", "No.")) as mind:
        await say(mind, "How is Ottokar these days?")
        await say(mind, "Does the sea have an end?")
        asked = {"what": ["Ottokar"]}
        found = await mind.desks.perform(Tend("memory", "matching", asked))
        assert (found["count"], found["texts"]) == (0, 1)
        gone = await mind.desks.perform(Tend("memory", "forget", asked))
        assert gone["forgotten"] == 0
        assert gone["texts"] != 0
        assert (await mind.desks.perform(Tend("memory", "matching", asked)))["texts"] == 0
    assert left_of(paths, "Ottokar") == []
    assert left_of(paths, "sea have an end") != []


async def test_what_was_archived_meanwhile_is_gone_as_well(paths: Paths) -> None:
    turns = 40
    async with a_mind(paths, Scripted(*["Well."] * (turns + 1))) as mind:
        await say(mind, TOLD)
        for number in range(turns):
            await say(mind, f"Tell me of the sea, part {number}")
        opened = mind.around.memory.open_now  # type: ignore[union-attr]
        assert opened is not None
        assert any("walnuts" in one.content for one in await opened.documents.recent(50))
        [fact] = [one for one in await shown(mind) if one["object"] == "walnuts"]
        await mind.desks.perform(Tend("memory", "forget", {"what": [str(fact["id"])]}))
        assert left_of(paths, "walnuts") == []
        assert await opened.documents.size() > 0


async def test_what_was_written_down_of_all_that_is_known_loses_its_line(paths: Paths) -> None:
    async with a_mind(paths) as mind:
        await say(mind, "Remember that I am allergic to walnuts.")
        await say(mind, "Remember that my sister is called Emma.")
        opened = mind.around.memory.open_now  # type: ignore[union-attr]
        assert opened is not None
        await opened.documents.insert(
            "2 facts", "user is allergic to walnuts\nmy sister is called Emma", source="graph"
        )
        await say(mind, "Forget everything about walnuts.")
        await say(mind, "Yes.")
        [kept] = await opened.documents.recent()
        assert kept.content == "my sister is called Emma"


async def test_who_is_forgotten_leaves_the_conversation_that_goes_on(paths: Paths) -> None:
    model = Scripted(*["Fine."] * 3)
    async with a_mind(paths, model) as mind:
        await say(mind, "How is Ottokar these days?")
        await say(mind, "Does the sea have an end?")
        await say(mind, "Forget everything about Ottokar.")
        assert await say(mind, "Yes.") == "It is forgotten."
        await say(mind, "Tell me a story, please")
        assert "Ottokar" not in prompted(model)
        assert "Does the sea have an end?" in prompted(model)
        assert not any("Ottokar" in f"{one.asked}{one.said}" for one in mind.house.turns.records)
    assert left_of(paths, "Ottokar") == []


async def test_a_companion_that_starts_again_is_not_shown_that_something_was_forgotten(paths: Paths) -> None:
    async with a_mind(paths, Scripted("Well.", "No.")) as mind:
        await say(mind, "Does the sea have an end?")
        await say(mind, TOLD)
        await say(mind, "Forget that.")
    model = Scripted("Once upon a time.")
    async with a_mind(paths, model) as mind:
        await say(mind, "Tell me a story, please")
    assert "Does the sea have an end?" in prompted(model)
    assert "…" not in prompted(model)


async def test_turns_that_facts_about_the_user_are_from_go_with_them(paths: Paths) -> None:
    async with a_mind(paths, Scripted(*["Well."] * 3)) as mind:
        await say(mind, TOLD)
        await say(mind, "Does the sea have an end?")
        await say(mind, "Forget everything about me.")
        await say(mind, "Yes.")
    assert left_of(paths, "walnuts") == []
    assert left_of(paths, "the sea have an end") != []


async def test_what_ended_before_it_was_gone_goes_at_the_next_start(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def killed(*_: object) -> None:
        """It never gets to it."""

    with monkeypatch.context() as patch:
        patch.setattr("companion.app.minding.keeper.let_go", killed)
        async with a_mind(paths, Scripted("Well.")) as mind:
            await say(mind, TOLD)
            await say(mind, "Forget that.")
    assert left_of(paths, "walnuts") != []
    async with a_mind(paths) as mind:
        assert mind.around.memory is not None
        opened = await mind.around.memory.opened()
        assert "walnuts" not in str(await shown(mind))
        for farewell in await opened.graph.farewells():
            await let_go(opened, farewell)
    assert left_of(paths, "walnuts") == []


async def test_a_model_that_reads_later_does_not_read_what_was_forgotten(paths: Paths) -> None:
    class Nobody:
        async def distil(self, told: object) -> list[object]:
            return []

    async with a_mind(paths, Scripted("Well.")) as mind:
        keeper = mind.around.keeper
        assert keeper is not None
        keeper.backlog = Backlog(Nobody())  # type: ignore[arg-type]
        await say(mind, TOLD)
        keeper.backlog.add(Told("My sister Emma lives in Lyon.", mind.clock(), "en", "user", "default", "another"))
        assert len(keeper.backlog) == 2
        await say(mind, "Forget that.")
        await gone(mind)
        assert len(keeper.backlog) == 1


async def test_a_session_forgets_turns_also_of_what_waits_for_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await FileSession.open(tmp_path, "s")
    said = [Entry.of(ChatRole.USER, text, turn=text) for text in ("one", "two", "three")]

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        for entry in said:
            with pytest.raises(Exception, match="No space"):
                await session.add(entry)
    assert await session.forget(lambda turn: turn[0].turn == "two") == 1
    await session.add(Entry.of(ChatRole.USER, "four"))
    assert [entry.message.text for entry in session.entries] == ["one", "three", "four"]
    assert session.first == 1
    assert [entry.message.text for entry in (await FileSession.open(tmp_path, "s")).entries] == ["one", "three", "four"]


async def test_what_a_full_disk_keeps_from_being_gone_goes_at_the_next_try(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(*_: object) -> None:
        raise StorageError("the disk is full", file="memory.db")

    telling, told = Telling(), list[object]()
    telling.subscribe(told.append)
    async with a_mind(paths, Scripted("Well."), telling=telling) as mind:
        await say(mind, TOLD)
        with monkeypatch.context() as patch:
            patch.setattr("companion.app.minding.keeper.let_go", refused)
            assert "walnuts" in await say(mind, "Forget that.")
            await gone(mind)
        assert any(isinstance(event, Problem) and "full" in event.message for event in told)
        assert mind.around.farewells is not None
        mind.around.farewells.tend()
        await mind.around.farewells.settle(10.0)
    assert left_of(paths, "walnuts") == []
