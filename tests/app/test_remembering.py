"""What is said is remembered, found again after a restart, and forgotten; without it the conversation goes on."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime

import pytest
from doubles.minds import Scripted, a_mind, say

from companion.agent.answer import Said
from companion.agent.stages import Recalled
from companion.app.answering import answered
from companion.app.events import Problem, Telling, Typed
from companion.app.mind import Mind, build_mind
from companion.app.minding.keeper import Keeper
from companion.app.orders import Tend
from companion.app.paths import Paths
from companion.settings.schema import Memory, Models, Settings


async def type_in(mind: Mind, text: str) -> str:
    """As the window asks, which is told to the house."""
    telling = mind.house.telling
    telling.tell(Typed(text))
    given = await answered(mind.agent, Said(text, "en", spoken=False), tell=telling.tell)
    await mind.agent.settle()
    return given.text


async def test_what_was_to_be_remembered_is_known_after_a_restart(paths: Paths) -> None:
    async with a_mind(paths) as mind:
        assert await say(mind, "Remember that my sister is called Emma.") == "I'll remember that."
    async with a_mind(paths) as mind:
        assert await say(mind, "What is my sister called?") == "Your sister is called Emma."
        assert "Emma" in await say(mind, "Who is my sister?")
        assert "Emma" in await say(mind, "What do you know about me?")


async def test_what_patterns_do_not_understand_is_kept_word_by_word(paths: Paths) -> None:
    async with a_mind(paths) as mind:
        await say(mind, "Remember that cucumbers go well with yoghurt")
        told = await say(mind, "What did I tell you about cucumbers?")
        assert told == "You told me: cucumbers go well with yoghurt."


async def test_forget_that_takes_back_the_last_thing_and_nothing_else(paths: Paths) -> None:
    async with a_mind(paths) as mind:
        await say(mind, "Remember that my sister is called Emma.")
        await say(mind, "Remember that cucumbers go well with yoghurt")
        assert "cucumbers" in await say(mind, "Forget that.")
        assert "not told me anything" in await say(mind, "What did I tell you about cucumbers?")
        assert "Emma" in await say(mind, "What is my sister called?")


async def test_everything_about_somebody_is_gone_from_the_disk_after_a_yes(paths: Paths) -> None:
    async with a_mind(paths) as mind:
        await say(mind, "Remember that Ottokar is allergic to walnuts.")
        assert "for good" in await say(mind, "Forget everything about Ottokar.")
        assert await say(mind, "Yes.") == "It is forgotten."
        assert "not told me anything" in await say(mind, "What do you know about Ottokar?")
    for file in paths.data.rglob("memory*.db*"):
        assert b"Ottokar" not in file.read_bytes()


async def test_turns_with_the_model_are_kept_in_the_context_and_archived_when_there_are_too_many(paths: Paths) -> None:
    turns = 45
    async with a_mind(paths, Scripted(*["Yes."] * turns)) as mind:
        for number in range(turns):
            await say(mind, f"Tell me of the sea, part {number}, with Ottokar")
        opened = mind.around.memory.open_now  # type: ignore[union-attr]
        assert opened is not None
        assert len(opened.context.events) == 30
        assert await opened.documents.size() > 0
        assert opened.context.events[-1].input == f"Tell me of the sea, part {turns - 1}, with Ottokar"
        assert opened.context.events[-1].response == "Yes."


async def test_forgetting_somebody_takes_them_out_of_turns_and_documents_too(paths: Paths) -> None:
    turns = 45
    async with a_mind(paths, Scripted(*["Yes."] * turns)) as mind:
        for number in range(turns):
            who = "Ottokar" if number % 2 else "Leo"
            await say(mind, f"Shall {who} go to the sea, day {number}?")
        await say(mind, "Forget everything about Ottokar.")
        assert await say(mind, "Yes.") == "It is forgotten."
        opened = mind.around.memory.open_now  # type: ignore[union-attr]
        assert opened is not None
        assert {("Leo" in event.input) for event in opened.context.events} == {True}
    left = [file for file in paths.data.rglob("*") if file.is_file() and "sessions" not in file.parts]
    assert [file.name for file in left if b"Ottokar" in file.read_bytes()] == []
    assert any(b"Leo" in file.read_bytes() for file in paths.memory.joinpath("documents").iterdir())


async def test_forgetting_my_sister_forgets_her_by_her_name_too(paths: Paths) -> None:
    async with a_mind(paths) as mind:
        await say(mind, "Remember that my sister is called Emma.")
        await say(mind, "Remember that Emma is allergic to walnuts.")
        await say(mind, "Remember that my brother is called Tom.")
        await say(mind, "Forget everything about my sister.")
        await say(mind, "Yes.")
        assert "not told me anything" in await say(mind, "What do you know about Emma?")
        assert "Tom" in await say(mind, "What is my brother called?")


async def test_forgetting_everything_about_me_leaves_what_others_are(paths: Paths) -> None:
    async with a_mind(paths) as mind:
        await say(mind, "Remember that my name is Nora.")
        await say(mind, "Remember that Leo is allergic to walnuts.")
        await say(mind, "Forget everything about me.")
        await say(mind, "Yes.")
        assert "not told me your name" in await say(mind, "Who am I?")
        assert "walnuts" in await say(mind, "What do you know about Leo?")


async def test_what_is_to_be_forgotten_in_passing_counts_no_more(paths: Paths) -> None:
    async with a_mind(paths, Scripted("Fine.", "Fine.")) as mind:
        await say(mind, "I live in Ghent.")
        assert "Ghent" in await say(mind, "Where do I live?")
        await say(mind, "You can delete my old address")
        assert await say(mind, "Where do I live?") == "You have not told me that."


async def test_a_secret_is_refused(paths: Paths) -> None:
    async with a_mind(paths) as mind:
        assert "don't keep" in await say(mind, "Remember that my card is 4111 1111 1111 1111")
    assert b"4111" not in paths.memory.joinpath("memory.db").read_bytes()


async def test_the_user_s_words_are_remembered_and_the_model_s_are_not(paths: Paths) -> None:
    model = Scripted("Nice. My sister is called Gertrude.")
    async with a_mind(paths, model) as mind:
        await say(mind, "My brother is called Tom and he lives in Ghent.")
        known = [fact.object for fact in await mind.around.keeper.about("user")]  # type: ignore[union-attr]
        assert "Tom" in await say(mind, "What is my brother called?")
        assert "Gertrude" not in str(known)
        assert await say(mind, "What is my sister called?") == "You have not told me that."


async def test_what_fits_a_question_is_given_to_the_model_as_data_and_nothing_else_is(paths: Paths) -> None:
    model = Scripted("Yes.", "Salt.")
    async with a_mind(paths, model) as mind:
        await say(mind, "Remember that Emma lives in Lyon")
        await say(mind, "Shall we visit Emma in the spring?")
        assert "emma lives in lyon" in model.contexts[0].closing.lower()
        assert "data" in model.contexts[0].closing
        await say(mind, "Why is the sea so salty?")
        assert not model.contexts[1].closing


async def test_a_model_gets_no_memory_where_the_user_gives_it_no_room(paths: Paths) -> None:
    model = Scripted("She does.")
    async with a_mind(paths, model, memory=Memory(recall_tokens=0)) as mind:
        await say(mind, "Remember that Emma lives in Lyon")
        await say(mind, "Shall we visit Emma in the spring?")
        assert not model.contexts[0].closing


async def test_nothing_is_remembered_where_the_user_does_not_want_it(paths: Paths) -> None:
    async with a_mind(paths, Scripted("Fine."), memory=Memory(keep=False)) as mind:
        assert await say(mind, "Remember that my sister is called Emma.") == "Fine."
    assert not paths.memory.joinpath("memory.db").exists()


async def test_a_memory_of_a_newer_companion_is_left_alone_and_the_conversation_goes_on(paths: Paths) -> None:
    async with a_mind(paths) as mind:
        await say(mind, "Remember that my sister is called Emma.")
    file = paths.memory / "memory.db"
    with sqlite3.connect(file) as database:
        database.execute("INSERT INTO migrations VALUES (999, 'of tomorrow', '')")
    database.close()
    async with a_mind(paths, Scripted("Blue.")) as mind:
        assert "can't get at my memory" in await say(mind, "What do you know about me?")
        assert await say(mind, "what is six times seven") == "That's 42."
        assert await say(mind, "Why is the sky blue?") == "Blue."
    with sqlite3.connect(file) as database:
        assert database.execute("SELECT count(*) FROM migrations WHERE number = 999").fetchone() == (1,)
        assert database.execute("SELECT count(*) FROM relations WHERE status = 'active'").fetchone()[0] > 0
    database.close()


async def test_a_folder_that_cannot_be_used_is_told_once(paths: Paths) -> None:
    paths.memory.joinpath("memory.db").mkdir()
    told: list[object] = []
    telling = Telling()
    telling.subscribe(told.append)
    mind = await build_mind(Settings(), paths, None, telling=telling)
    try:
        assert "can't get at my memory" in await say(mind, "What do you know about me?")
        problems = [event for event in told if isinstance(event, Problem)]
        assert {problem.topic for problem in problems} == {"memory"}
        assert "can't get at my memory" in await say(mind, "What do you know about me?")
        assert [event for event in told if isinstance(event, Problem)] == problems
    finally:
        await mind.close()


async def test_a_mind_opens_nothing_before_it_is_asked(paths: Paths) -> None:
    async with a_mind(paths) as mind:
        await say(mind, "what is six times seven")
        assert mind.around.memory is not None
        assert mind.around.memory.open_now is None
    assert not paths.memory.joinpath("memory.db").exists()


async def test_tools_are_offered_where_there_is_room_for_them(paths: Paths) -> None:
    async with a_mind(paths, Scripted("Yes.")) as mind:
        assert not mind.around.registry.tools
    async with a_mind(paths, Scripted("Yes."), models=Models(tools="always")) as mind:
        names = {tool.name for tool in mind.around.registry.tools}
    assert {"memory_recall", "memory_commit", "memory_introspect", "memory_merge", "output_send"} <= names
    assert {"knowledge_search", "knowledge_create", "knowledge_list", "spawn_child"} <= names


async def test_our_own_talents_come_through_the_door_of_plugins_and_can_be_turned_off(paths: Paths) -> None:
    paths.plugin_choices.write_text("[maths]\nenabled = false\n")
    async with a_mind(paths) as mind:
        assert {record.name for record in mind.around.host.records} >= {"clock", "timers", "memory", "knowledge"}
        assert "models pull" in await say(mind, "what is six times seven")
        assert "It's" in await say(mind, "what time is it")


async def test_notes_are_found_by_a_command(paths: Paths) -> None:
    note = paths.knowledge / "boiler" / "content.md"
    note.parent.mkdir(parents=True)
    note.write_text("The boiler was serviced in May.\n")
    async with a_mind(paths) as mind:
        await (await mind.around.knowledge.opened()).refresh()
        told = await say(mind, "Search my notes for the boiler.")
        assert told.startswith("In boiler")
        assert "serviced in May" in told


async def test_what_was_recalled_for_a_turn_is_in_its_details_until_something_is_forgotten(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def recall(keeper: Keeper, query: str, *, now: datetime, tokens: int) -> Sequence[Recalled]:
        return (Recalled("Ottokar lives in Bern", "fact, said by user", 0.9, "about Ottokar"),)

    monkeypatch.setattr(Keeper, "recall", recall)
    async with a_mind(paths, Scripted("Trains.")) as mind:
        assert mind.around.memory is not None
        await mind.around.memory.opened()
        assert await type_in(mind, "How do I get there?") == "Trains."
        (record,) = mind.house.turns.records
        assert record.recalled[0].text == "Ottokar lives in Bern"

    async with a_mind(paths) as mind:
        (older,) = (await mind.desks.perform(Tend("talk", "older", {})))["turns"]  # type: ignore[misc]
        assert older["details"]["recalled"][0]["reason"] == "about Ottokar"
        assert mind.around.memory is not None
        opened = await mind.around.memory.opened()
        await opened.store.wipe()
    assert "Bern" not in paths.turn_details.read_text()
