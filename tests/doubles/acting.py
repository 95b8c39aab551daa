"""An agent with a scripted model, and whoever wants to act in its turns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from doubles.chat_backend import Piece, ScriptedBackend
from doubles.generator import count_words
from doubles.rules import matcher
from doubles.said import MONDAY

from companion.agent.agent import Agent
from companion.agent.answer import Answer, Said
from companion.agent.bus import AgentEvent
from companion.agent.door import Door, Rooms
from companion.agent.handlers import Handler
from companion.agent.pipeline import Limits
from companion.agent.plugin import Manifest, Permission, Talent
from companion.agent.registry import Rank
from companion.agent.remembering import Afterwords, Kept, TurnMemory
from companion.agent.safety import Consent, ConsentRequest
from companion.agent.stages import Recalled, Stage, StageContext, StageFunction
from companion.compose.session import MemorySession
from companion.model import FuncTool
from companion.settings.schema import Settings
from companion.stream import Text, Transformer
from companion.talents.clock import Clock


class Remembering:
    """Implements TurnMemory by lists. seconds: how long a recall takes."""

    def __init__(self, *texts: str, seconds: float = 0.0, error: Exception | None = None) -> None:
        self.texts = texts
        self.seconds = seconds
        self.error = error
        self.asked: list[str] = []
        self.appended: list[Kept] = []
        self.considered: list[Kept] = []

    async def recall(self, query: str, *, now: datetime, tokens: int) -> Sequence[Recalled]:
        self.asked.append(query)
        if self.seconds:
            await asyncio.sleep(self.seconds)
        if self.error is not None:
            raise self.error
        return [Recalled(text, "graph", 1.0, "a word of it was said") for text in self.texts]

    async def append(self, kept: Kept) -> None:
        if self.error is not None:
            raise self.error
        self.appended.append(kept)

    async def candidate(self, kept: Kept) -> None:
        self.considered.append(kept)


@dataclass
class Asked:
    """Implements Consent: says what it was told to, and keeps what it was asked."""

    answer: bool = True
    requests: list[ConsentRequest] = field(default_factory=list)

    async def ask(self, request: ConsentRequest) -> bool:
        self.requests.append(request)
        return self.answer


class Scene:
    """One agent, what its model is asked, and every event of it."""

    def __init__(
        self,
        *answers: Sequence[Piece] | Exception,
        tools: Iterable[FuncTool | Callable[..., object]] = (),
        memory: TurnMemory | None = None,
        consent: Consent | None = None,
        cut: Transformer | None = None,
        limits: Limits | None = None,
        talents: tuple[Talent, ...] = (Clock(),),
        session: MemorySession | None = None,
        afterwords: Afterwords | None = None,
    ) -> None:
        self.backend = ScriptedBackend(*answers) if answers else None
        self.session = session or MemorySession()
        self.agent = Agent(
            matchers={"en": matcher("en"), "zh": matcher("zh")},
            talents=talents,
            generator=self.backend,  # type: ignore[arg-type]  # a chat backend is as good
            session=self.session,
            personality="You are kind.",
            settings=Settings(),
            clock=lambda: MONDAY,
            count_tokens=count_words,
            memory=memory,
            consent=consent,
            cut=cut,
            afterwords=afterwords,
            limits=limits,
        )
        self.events: list[AgentEvent] = []
        self.agent.registry.bus.subscribe("*", self._note)
        for tool in tools:
            self.agent.registry.add_tool(tool if isinstance(tool, FuncTool) else FuncTool.of(tool))

    async def _note(self, event: AgentEvent) -> None:
        self.events.append(event)

    def on(
        self,
        stage: Stage | str,
        function: StageFunction | None = None,
        *,
        owner: str = "guest",
        priority: int = 0,
        whole_text: bool = False,
        seconds: float = 1.0,
        **writes: object,
    ) -> None:
        """Handle a stage by ``function``, or by writing these fields."""

        async def write(context: StageContext) -> None:
            for name, value in writes.items():
                setattr(context, name, value)

        handler = Handler(Stage(stage), function or write, owner, priority, whole_text, seconds)
        self.agent.registry.handlers.add(handler)

    def door(self, name: str = "guest", *permissions: Permission, rank: Rank = Rank.PLUGIN, **rooms: Any) -> Door:
        """The door of a plugin that was allowed this."""
        manifest = Manifest(name, permissions=frozenset(permissions))
        return Door(manifest, self.agent.registry, frozenset(permissions), Rooms(**rooms), rank=rank)

    async def ask(self, text: str = "Tell me a story.", *, spoken: bool = True) -> Answer:
        return await self.agent.answer(Said(text, "en", spoken=spoken))

    async def turn(self, text: str = "Tell me a story.", *, heard: str | None = None, whole: bool = True) -> str:
        """One whole turn as the voice takes it; what was written."""
        answer = await self.ask(text)
        answer.confirm()
        written = await read(answer)
        await self.agent.commit(answer, written if heard is None else heard, whole=whole)
        await self.agent.settle()
        return written

    def endings(self) -> list[str]:
        """How the turns have ended, in order."""
        return [str(event.payload["how"]) for event in self.events if event.payload.get("action") == "turn_ended"]

    def shown(self, request: int = -1) -> list[tuple[str, str]]:
        """The messages of a request to the model: role, and words or result."""
        assert self.backend is not None
        messages = self.backend.requests[request].context.messages
        return [(one.role.value, one.text or str(getattr(one.payload, "result", ""))) for one in messages]


async def read(answer: Answer) -> str:
    return "".join(await pieces(answer))


async def pieces(answer: Answer) -> list[str]:
    return [chunk.part.text async for chunk in answer.text if isinstance(chunk.part, Text) and chunk.part.text]
