"""Where a plugin is tried without a companion: its door is real, what is behind it is small.

::

    async with rehearsal(plugin(), allow=["memory-read"]) as stage:
        assert (await stage.run("before_output", final_text="hello")).final_text == "HELLO"
        assert await stage.call("roll", sides=6) in "123456"
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

from companion.agent.choices import Choice
from companion.agent.door import Rooms
from companion.agent.finding import Found, Home
from companion.agent.host import PluginHost, PluginStatus
from companion.agent.output import Delivery, TextChannel
from companion.agent.plugin import Content, Permission, Plugin, Recalled, Reply, Request, Stage
from companion.agent.registry import Registry
from companion.agent.scheduler import Input
from companion.agent.stages import About, Origin
from companion.agent.turns import Turn
from companion.errors import PluginError
from companion.model import Message, Toolkit
from companion.model.message import ChatRole
from companion.stream import FuncCall


class SmallMemory:
    """Remembers what it is told; finds what has one of the words."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self.texts = list(texts)

    async def recall(self, query: str) -> Sequence[Recalled]:
        words = query.lower().split()
        return [Recalled(text, "rehearsal") for text in self.texts if any(word in text.lower() for word in words)]

    async def search(self, query: str) -> Sequence[Recalled]:
        return await self.recall(query)

    async def remember(self, triples: Sequence[tuple[str, str, str]], *, said_by: str = "") -> str:
        self.texts += [" ".join(triple) for triple in triples]
        return "kept"


class RehearsalStage:
    """The house of one plugin. sent: what has gone out, with its channel. inputs: what was put in."""

    def __init__(self, registry: Registry, memory: SmallMemory) -> None:
        self.registry = registry
        self.memory = memory
        self.sent: list[tuple[str, Content]] = []
        self.inputs: list[Input] = []
        self._turns = 0

    async def run(self, stage: Stage | str, *, language: str = "en", **fields: object) -> Any:
        """Run the plugin's handlers of a stage on these fields, and give the fields as they are then.

        Raises:
            PluginError: a handler failed.
        """
        self._turns += 1
        about = About(self._turns, "screen", language, datetime.now(UTC), Origin.USER, spoken=False)
        turn = Turn(about, str(fields.pop("raw_message", "Hello.")))
        turn.values |= {"context_messages": (Message.of(ChatRole.USER, turn.said),), "tool_calls": (), **fields}
        await self.registry.handlers.run(Stage(stage), turn)
        for failure in turn.failures:
            raise PluginError(failure.reason, plugin=failure.owner)
        named = dict.fromkeys(("response", "deny", "skip_output"))
        return SimpleNamespace(**named | turn.values)

    async def call(self, tool: str, **arguments: object) -> str:
        """Call one of its tools, as a model would, and give the result."""
        return await Toolkit(self.registry.tools).invoke(FuncCall(tool, json.dumps(arguments)))

    async def ask(self, intent: str, text: str = "", *, language: str = "en", **slots: str) -> Reply:
        """Ask one of its talents.

        Raises:
            PluginError: none answers this.
        """
        talent = self.registry.talent_for(intent)
        if talent is None:
            raise PluginError(f"nobody answers {intent}", plugin="")
        return await talent.answer(Request(intent, slots, text, language, datetime.now(UTC)))

    def submit(self, given: Input) -> bool:
        self.inputs.append(given)
        return True

    async def take(self, delivery: Delivery, channel: str) -> None:
        self.sent.append((channel, delivery.content))


@asynccontextmanager
async def rehearsal(
    plugin: Plugin,
    *,
    allow: Iterable[Permission | str] = (),
    settings: Mapping[str, object] | None = None,
    remembered: Iterable[str] = (),
) -> AsyncIterator[RehearsalStage]:
    """Start a plugin with these permissions and settings, and stop it again.

    Raises:
        PluginError: it does not start; the message says why.
    """
    registry = Registry()
    stage = RehearsalStage(registry, SmallMemory(remembered))
    for name in ("voice", "screen", "log"):
        registry.outputs.add(TextChannel(name, lambda delivery, name=name: stage.take(delivery, name)))  # type: ignore[misc]
    with TemporaryDirectory(prefix="companion-rehearsal-") as folder:
        rooms = Rooms(stage.memory, folders=Path(folder), submit=stage.submit)
        host = PluginHost(registry, rooms, {})
        host.take_in([Found(plugin.manifest.name, Home.FOLDER, lambda: plugin, plugin.manifest)])
        choice = Choice(True, frozenset(Permission(one) for one in allow), settings or {})
        record = await host.enable(plugin.manifest.name, choice)
        try:
            if record.status is not PluginStatus.ENABLED:
                raise PluginError(f"{record.status}: {record.reason}", plugin=record.name)
            yield stage
        finally:
            await host.close()
            await registry.bus.close()
