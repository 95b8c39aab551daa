"""What stands in the prompt by itself is not told a second time as something remembered."""

from __future__ import annotations

from pathlib import Path

from doubles.memory import Wall

from companion.agent.remembering import Kept
from companion.agent.stages import About
from companion.app.minding.keeper import SHOWN, Keeper
from companion.app.minding.memory_room import MemoryRoom


async def test_neither_question_nor_answer_of_the_newest_turns_is_recalled(tmp_path: Path) -> None:
    clock = Wall()
    room = MemoryRoom(tmp_path, clock)
    keeper = Keeper(room, session="s")
    await room.opened()
    await chat(keeper, clock, "Why do cats like boxes?", "Cats like boxes, for boxes are warm.")
    assert not await keeper.recall("Why do cats like boxes?", now=clock.now, tokens=400)

    for number in range(SHOWN):
        await chat(keeper, clock, f"And what of number {number}?", "Nothing much.")
    told = await keeper.recall("Why do cats like boxes?", now=clock.now, tokens=400)
    assert any("boxes are warm" in one.text for one in told), "it has left the prompt"
    await keeper.close()
    await room.close()


async def chat(keeper: Keeper, clock: Wall, said: str, heard: str) -> None:
    await keeper.append(Kept(About(1, "screen", "en", clock.go(minutes=1)), said, heard, (), clock.now))
