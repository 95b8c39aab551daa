"""A room with a virtual sound card, a running companion in it, and a tester who speaks and listens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from end_to_end.running import TURN_PATIENCE, Line, Running
from end_to_end.voices import Listener

from companion.app.control import ask
from companion.app.orders import Announce, Order, Status, Stop
from companion.app.virtual_sound import VirtualSound

RESTING = r"\((waiting|listening)\)"
ASLEEP_PATIENCE = 10.0
LOOK = 0.05
STEADY_MS = 300
"""How far ahead the tester's voice is buffered, so that it does not stutter while models load."""
LAST_SOUND = 0.4
"""Seconds the virtual sound card may still play after the companion counts a reply as over."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One turn, as each side of it knows it."""

    heard: str
    """What the companion wrote down of the question; empty where it was not asked."""
    said: str
    """What it meant to say."""
    sounded: str
    """What a listener heard from the loudspeaker."""
    first_sound: float | None
    """When it was first heard (monotonic seconds)."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The tester's hands. ``sound`` is the room, ``companion`` the process in it."""

    sound: VirtualSound
    companion: Running
    listener: Listener

    async def say(self, sound: bytes) -> None:
        """Say something; returns when all of it has been heard."""
        await self.sound.say(sound, latency_ms=STEADY_MS)

    async def ask(self, question: bytes, *, within: float = TURN_PATIENCE) -> Exchange:
        """Say something, and listen to the reply to its end."""
        mark = self.companion.mark
        began = now()
        await self.say(question)
        return await self.reply(mark, began, within=within)

    async def reply(self, mark: int, began: float, *, within: float = TURN_PATIENCE) -> Exchange:
        """The next reply that begins after ``mark``, heard to its end."""
        place, _ = await self.companion.place("^companion:", since=mark, within=within)
        end, rest = await self.companion.place(RESTING, since=place, within=within)
        await asyncio.sleep(LAST_SOUND)
        return Exchange(
            heard=" ".join(self.companion.heard(mark)[:1]),
            said=self.companion.said(mark, end),
            sounded=await self.listener.words(self.sound.spoken.between(began, rest.at + LAST_SOUND)),
            first_sound=self.sound.spoken.first_loud(began),
        )

    async def speaking(self, mark: int) -> Line:
        """Wait until a reply is heard from the loudspeaker."""
        line = await self.companion.line("^companion:", since=mark)
        async with asyncio.timeout(TURN_PATIENCE):
            while self.sound.spoken.first_loud(line.at) is None:  # noqa: ASYNC110 - sound tells nobody
                await asyncio.sleep(LOOK)
        return line

    async def announce(self, text: str) -> int:
        """Make it speak by itself; returns the mark before it."""
        mark = self.companion.mark
        await self.order(Announce(text))
        return mark

    async def order(self, order: Order) -> dict[str, Any]:
        """An order through the control socket."""
        return await asyncio.to_thread(ask, self.companion.paths.control_socket, order)

    async def phase(self) -> str:
        return str((await self.order(Status()))["phase"])

    async def settle(self, phase: str = "asleep", *, within: float = ASLEEP_PATIENCE) -> None:
        """Wait until it stands there."""
        try:
            async with asyncio.timeout(within):
                while await self.phase() != phase:  # noqa: ASYNC110 - another process
                    await asyncio.sleep(LOOK)
        except TimeoutError:
            raise AssertionError(f"it is {await self.phase()} instead of {phase} after {within} s") from None

    async def hush(self) -> None:
        """End whatever goes on, so that the next test begins with a companion that is asleep."""
        await self.order(Stop())
        await self.settle()


@asynccontextmanager
async def on_stage(
    home: Path, shelf: Path, listener: Listener, *, settings: str = "", **more: Any
) -> AsyncIterator[Stage]:
    """A room of its own with a companion of its own, ready to be spoken to."""
    async with VirtualSound() as sound, Running(home, shelf, settings=settings, **more) as companion:
        stage = Stage(sound, companion, listener)
        await stage.settle()
        with companion.telling():
            yield stage


def now() -> float:
    return asyncio.get_running_loop().time()
