"""What the agent adds before the first word: from the question to the first text, with a model that answers at once.

``python tests/bench/agent_cost.py`` prints a table, with ``--json`` the same for a script; ``--quick`` shows that it
works. The kinds take turns, so that what else the machine does falls on all alike. *bare* is the model's own stream
from a prompt that is made anew, as it was before there were stages; the others are the whole agent.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles

sys.path.insert(0, str(Path(__file__).parents[1]))

from doubles.generator import ScriptedGenerator, count_words
from doubles.rules import matcher

from companion.agent.agent import Agent
from companion.agent.answer import Said
from companion.agent.child import Children
from companion.agent.handlers import Handler
from companion.agent.output import TextChannel
from companion.agent.prompt import PromptBuilder
from companion.agent.remembering import Kept
from companion.agent.stages import Recalled, Stage, StageContext
from companion.agent.tools import agent_tools
from companion.agent.turns import Ending
from companion.compose.entry import Entry
from companion.compose.session import MemorySession
from companion.model import ChatRole
from companion.settings.schema import Settings
from companion.stream import Stream, Text
from companion.talents.clock import Clock
from companion.voice.speech import SpeechCutter

STORY = "Once upon a time there was a king, who had three sons. They lived in a castle. " * 3
QUESTION = "Tell me a story about the sea and the wind."
NOW = datetime(2026, 11, 30, 14, 20, tzinfo=UTC)


class QuickMemory:
    """Remembers five things at once."""

    async def recall(self, query: str, *, now: datetime, tokens: int) -> Sequence[Recalled]:
        return [Recalled(f"Fact {number} about the sea.", "graph", 0.5, "sea") for number in range(5)]

    async def append(self, kept: Kept) -> None:
        """Nothing is kept."""

    async def candidate(self, kept: Kept) -> None:
        """Nothing is considered."""


class NoStore:
    """A memory behind the tools that nobody calls."""

    def __getattr__(self, name: str) -> object:
        raise NotImplementedError(name)


def session() -> MemorySession:
    roles = (ChatRole.USER, ChatRole.ASSISTANT)
    return MemorySession([Entry.of(roles[number % 2], f"Sentence {number} of this talk.") for number in range(30)])


async def first_words(stream: Stream) -> float:
    """When the first text has come; the rest is read, too."""
    at = 0.0
    async for chunk in stream:
        if not at and isinstance(chunk.part, Text) and chunk.part.text.strip():
            at = time.perf_counter()
    return at


def bare(turns: int) -> Callable[[], Awaitable[float]]:
    generator = ScriptedGenerator(*[STORY] * turns)
    prompts = PromptBuilder(session(), "You are kind.", Settings(), count_words)

    async def ask() -> float:
        began = time.perf_counter()
        stream = await generator.generate_stream(prompts.context(Said(QUESTION, "en"), NOW).context)
        return await first_words(stream) - began

    return ask


def agent(
    turns: int, *, handlers: bool = False, tools: bool = False, memory: bool = False
) -> Callable[[], Awaitable[float]]:
    made = Agent(
        matchers={"en": matcher("en"), "zh": matcher("zh")},
        talents=(Clock(),),
        generator=ScriptedGenerator(*[STORY] * turns),
        session=session(),
        personality="You are kind.",
        settings=Settings(),
        clock=lambda: NOW,
        count_tokens=count_words,
        memory=QuickMemory() if memory else None,
        cut=SpeechCutter("en"),
    )
    registry = made.registry
    if handlers:
        for stage in Stage:
            for number in range(2):
                registry.handlers.add(Handler(stage, _look, f"guest {number}"))
    if tools:
        registry.outputs.add(TextChannel("screen", lambda delivery: None))
        store = NoStore()
        children = Children(None, list)
        for tool in agent_tools(
            outputs=registry.outputs,
            graph=store,  # type: ignore[arg-type]
            documents=store,  # type: ignore[arg-type]
            knowledge=store,  # type: ignore[arg-type]
            children=children,
        ):
            registry.add_tool(tool)

    async def ask() -> float:
        began = time.perf_counter()
        answer = await made.answer(Said(QUESTION, "en"))
        at = await first_words(answer.text)
        answer.confirm()
        # A question only: the conversation stays as long as it is for the bare model.
        made._turns.end(made._turns.of(answer.turn), Ending.ANSWERED)  # type: ignore[arg-type]
        return at - began

    return ask


async def _look(context: StageContext) -> None:
    context.notes["seen"] = context.stage


KINDS: dict[str, Callable[[int], Callable[[], Awaitable[float]]]] = {
    "bare": bare,
    "agent": agent,
    "agent, memory": lambda turns: agent(turns, memory=True),
    "agent, memory, 11 tools": lambda turns: agent(turns, memory=True, tools=True),
    "agent, memory, 11 tools, 14 handlers": lambda turns: agent(turns, memory=True, tools=True, handlers=True),
}


async def measure(turns: int) -> dict[str, dict[str, float]]:
    asks = {kind: make(turns + 5) for kind, make in KINDS.items()}
    taken: dict[str, list[float]] = {kind: [] for kind in asks}
    for number in range(turns + 5):
        gc.collect()
        for kind, ask in asks.items():
            seconds = await ask()
            if number >= 5:
                taken[kind].append(1000 * seconds)
    bare_ms = median(taken["bare"])
    return {
        kind: {"median_ms": median(each), "p95_ms": quantiles(each, n=20)[-1], "added_ms": median(each) - bare_ms}
        for kind, each in taken.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="for a script")
    parser.add_argument("--quick", action="store_true", help="a tenth of it, to see that it works")
    asked = parser.parse_args()
    found = asyncio.run(measure(30 if asked.quick else 300))
    if asked.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{'milliseconds to the first text':40}{'median':>9}{'95 %':>9}{'added':>9}")
    for kind, figures in found.items():
        print(f"{kind:40}{figures['median_ms']:9.3f}{figures['p95_ms']:9.3f}{figures['added_ms']:9.3f}")


if __name__ == "__main__":
    main()
