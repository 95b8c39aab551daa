"""What "forget that" means and for how long; who is forgotten leaves facts, turns, documents and conversations."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from doubles.memory import NOON, Wall

from companion.agent.remembering import Kept
from companion.agent.stages import About
from companion.app.minding.doomed import Doomed
from companion.app.minding.keeper import FEW_TURNS, Keeper
from companion.app.minding.memory_room import MemoryRoom
from companion.app.minding.said_files import blank, blank_notes
from companion.app.minding.source import Source
from companion.compose.entry import from_line
from companion.memory.facts import Triple
from companion.memory.naming import naming


@asynccontextmanager
async def a_keeper(folder: Path, clock: Wall) -> AsyncIterator[Keeper]:
    room = MemoryRoom(folder, clock)
    keeper = Keeper(room, session="s")
    await room.opened()
    try:
        yield keeper
    finally:
        await keeper.close()
        await room.close()


def bytes_in(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


async def likes(keeper: Keeper) -> set[str]:
    return {fact.object for fact in await keeper.about("user")}


async def tell(keeper: Keeper, clock: Wall, thing: str, *, by: str = "user") -> None:
    at = clock.go(minutes=1)
    await keeper.commit([Triple("user", "likes", thing)], Source("", at, "en", at.isoformat(), by))


async def chat(keeper: Keeper, clock: Wall, text: str) -> None:
    await keeper.append(Kept(About(1, "screen", "en", clock.go(minutes=1)), text, "Fine.", (), clock.now))


async def test_forget_that_is_what_was_told_last_and_a_second_time_nothing_more(tmp_path: Path) -> None:
    clock = Wall()
    async with a_keeper(tmp_path, clock) as keeper:
        await tell(keeper, clock, "tea")
        await tell(keeper, clock, "rain")

        assert [fact.object for fact in await keeper.forget_newest()] == ["rain"]
        assert await keeper.forget_newest() == ()
        assert await likes(keeper) == {"tea"}


async def test_what_was_told_days_ago_is_not_that(tmp_path: Path) -> None:
    clock = Wall()
    async with a_keeper(tmp_path, clock) as keeper:
        await tell(keeper, clock, "tea")
        clock.go(days=3)

        assert await keeper.forget_newest() == ()
        assert await likes(keeper) == {"tea"}


async def test_what_was_told_many_turns_ago_is_not_that(tmp_path: Path) -> None:
    clock = Wall()
    async with a_keeper(tmp_path, clock) as keeper:
        await tell(keeper, clock, "tea")
        for number in range(FEW_TURNS):
            await chat(keeper, clock, f"And now, number {number}?")
        await tell(keeper, clock, "rain")
        await keeper.forget_newest()
        await tell(keeper, clock, "sun")
        for number in range(FEW_TURNS + 1):
            await chat(keeper, clock, f"And then, number {number}?")

        assert await keeper.forget_newest() == ()
        assert await likes(keeper) == {"tea", "sun"}


async def test_what_a_plugin_wrote_is_not_that(tmp_path: Path) -> None:
    clock = Wall()
    async with a_keeper(tmp_path, clock) as keeper:
        await tell(keeper, clock, "tea")
        await tell(keeper, clock, "fine weather", by="plugin weather")

        assert [fact.object for fact in await keeper.forget_newest()] == ["tea"]
        assert await likes(keeper) == {"fine weather"}


async def test_after_a_restart_that_is_the_user_s_newest_turn_if_it_is_new(tmp_path: Path) -> None:
    clock = Wall()
    async with a_keeper(tmp_path, clock) as keeper:
        for thing in ("tea", "rain", "sun"):
            await tell(keeper, clock, thing)
        await tell(keeper, clock, "fine weather", by="plugin weather")
    async with a_keeper(tmp_path, clock) as keeper:
        assert [fact.object for fact in await keeper.forget_newest()] == ["sun"]
    clock.go(minutes=11)
    async with a_keeper(tmp_path, clock) as keeper:
        assert await keeper.forget_newest() == ()
        assert await likes(keeper) == {"tea", "rain", "fine weather"}


@pytest.mark.parametrize(
    "said", ["forget about me", "forget me", "forget everything about me", "忘了我", "忘记关于我的一切"]
)
async def test_all_about_the_user_is_never_forgotten_in_passing(tmp_path: Path, said: str) -> None:
    clock = Wall()
    async with a_keeper(tmp_path, clock) as keeper:
        await tell(keeper, clock, "tea")
        clock.go(hours=1)
        await keeper.candidate(Kept(About(1, "screen", "en", clock.now), said, "", (), clock.now))

        assert await likes(keeper) == {"tea"}


async def test_a_card_number_at_the_edge_of_a_note_is_not_kept(tmp_path: Path) -> None:
    clock = Wall()
    async with a_keeper(tmp_path, clock) as keeper:
        kept = await keeper.keep(Source(f"{'so ' * 62}4111 1111 1111 1111", clock.now, "en"))

        assert kept.is_secret
        assert await keeper.about("user") == []


def test_who_is_forgotten_leaves_what_was_noted_of_answers(tmp_path: Path) -> None:
    notes = tmp_path / "turn-notes.ndjson"
    lines = [{"asked": "How is Emma?", "note": "she rows"}, {"asked": "Does Bob row?", "note": "no"}]
    notes.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    size = notes.stat().st_size

    assert blank_notes(notes, Doomed(names=(naming("Emma"),))) == 1

    assert [line for line in notes.read_text().splitlines() if line.strip()] == [json.dumps(lines[1])]
    assert notes.stat().st_size == size


async def test_who_is_forgotten_leaves_everything_that_was_written(tmp_path: Path) -> None:
    clock = Wall()
    (tmp_path / "sessions").mkdir()
    file = tmp_path / "sessions" / "s.messages.ndjson"
    lines = [
        {"role": "user", "text": "How is Emma?", "language": "en", "time": NOON.isoformat()},
        {"role": "assistant", "text": "She has leukaemia.", "language": "en"},
        {"role": "user", "parts": [{"type": "text", "text": "Does Bob row?"}]},
        {"role": "assistant", "call": {"id": "1", "name": "look", "arguments": '{"who": "Bob"}'}},
        {"role": "tool", "result": {"id": "1", "text": "he rows"}},
    ]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    size = file.stat().st_size
    async with a_keeper(tmp_path, clock) as keeper:
        await keeper.commit([Triple("Emma", "has_condition", "leukaemia")], Source("", clock.now, "en", "t"))
        await keeper.keep(Source("cucumbers are what Emma takes", clock.now, "en"))
        await chat(keeper, clock, "How is Emma with her leukaemia?")
        await chat(keeper, clock, "Does Bob row?")

        assert await keeper.forget("Emma") > 0
        assert len(await keeper.about("Emma")) == 0
    assert b"leukaemia" not in bytes_in(tmp_path)
    assert file.stat().st_size == size
    assert b"Bob row" in file.read_bytes()
    assert len([from_line(line) for line in file.read_bytes().splitlines()]) == len(lines)


def test_everything_said_is_blanked_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "a.messages.ndjson"
    file.write_text(
        '{"role":"user","text":"tea","language":"en"}\n{"role":"assistant","text":"Yes.","language":""}\n{"ro'
    )
    assert len(blank(tmp_path, Doomed(names=(naming(""),)))) == 2
    assert b"tea" not in file.read_bytes()
    assert file.read_bytes().count(b"\n") == 2


async def test_how_things_will_be_is_not_told_as_how_they_are(tmp_path: Path) -> None:
    clock = Wall()
    async with a_keeper(tmp_path, clock) as keeper:
        source = Source("", clock.now, "en", "t")
        await keeper.commit([Triple("user", "lives_in", "Paris")], source)
        await keeper.commit([Triple("user", "lives_in", "Lyon", valid_from=clock().replace(year=2027))], source)

        assert await likes(keeper) == {"Paris"}
