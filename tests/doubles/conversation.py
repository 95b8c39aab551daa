"""A whole voice loop among doubles, in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

from doubles.agent import Memory
from doubles.ears import Recogniser, Room
from doubles.mouth import Loudspeaker, Voice
from doubles.senses import RoomSenses, SureJudge

from companion.settings.schema import Turn, Wake
from companion.voice.events import Event, State, StateChanged
from companion.voice.loop import VoiceLoop
from companion.voice.speech import SpeechCutter

E = TypeVar("E")


class Conversation:
    """The loop and all it talks to. Its clock is the event loop's, which jumps."""

    def __init__(self, agent: Memory, *, wake: Wake | None = None, turn: Turn | None = None) -> None:
        self.agent = agent
        self.room = Room()
        self.senses = RoomSenses()
        self.judge = SureJudge()
        self.recogniser = Recogniser()
        self.voice = Voice()
        self.mouth = Loudspeaker()
        self.events: list[Event] = []
        self.loop = VoiceLoop(
            ears=self.room,
            senses=self.senses,
            judge=self.judge,
            hear=self.recogniser,
            answerer=agent,
            cut=SpeechCutter("en"),
            speak=self.voice,
            mouth=self.mouth,
            wake=wake or Wake(),
            turn=turn or Turn(),
            clock=asyncio.get_running_loop().time,
            on_event=self.events.append,
        )

    @property
    def now(self) -> float:
        return asyncio.get_running_loop().time()

    async def ask(self, words: str) -> None:
        """The wake word, then words."""
        await self.room.wake()
        await self.room.say(words)

    async def until(self, state: State, within: float = 60.0) -> None:
        """Wait until it is in that state, or has been, however briefly."""
        seen = len(self.events)
        async with asyncio.timeout(within):
            while self.loop.state is not state and not self._was(state, seen):  # noqa: ASYNC110 - virtual time
                await asyncio.sleep(0.01)

    def _was(self, state: State, since: int) -> bool:
        return any(isinstance(event, StateChanged) and event.state is state for event in self.events[since:])

    def of(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def states(self) -> list[State]:
        return [event.state for event in self.of(StateChanged)]


@asynccontextmanager
async def conversation(
    agent: Memory | None = None, *, wake: Wake | None = None, turn: Turn | None = None
) -> AsyncIterator[Conversation]:
    """A running conversation; closed, and looked over, at the end."""
    talk = Conversation(agent or Memory(), wake=wake, turn=turn)
    running = asyncio.create_task(talk.loop.run())
    await asyncio.sleep(1.0)
    try:
        yield talk
    finally:
        began = talk.now
        await talk.loop.close()
        await running
    assert talk.now - began < 3.0, "closing took too long"
    assert talk.voice.open == 0, "a voice still works"
    assert talk.agent.writing == 0, "a model still writes"
