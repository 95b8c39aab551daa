"""What answers: the rules, the talents, the conversation so far and the language model, put together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from companion.agent.agent import Agent
from companion.agent.bus import EventKind
from companion.agent.child import Children, ChildResult
from companion.agent.clock import local_clock
from companion.agent.pipeline import Limits
from companion.agent.plugin import Talent
from companion.agent.tools import agent_tools
from companion.app.desks.house import House
from companion.app.desks.table import desks_of
from companion.app.events import Telling, TimersChanged
from companion.app.following import follow
from companion.app.idle import Idle
from companion.app.kept_turns import KeptTurns, TurnKeeper
from companion.app.live import Live
from companion.app.minding.access import DocumentTools, GraphTools, KnowledgeTools
from companion.app.minding.desks import Desks
from companion.app.minding.doomed import Elsewhere
from companion.app.minding.forgetting import of_conversation
from companion.app.minding.furnish import Furniture, furnish, move_in, reminder_offers
from companion.app.minding.keeper import RECALL_SECONDS
from companion.app.paths import Paths, bundled
from companion.app.personality import personality
from companion.app.power import on_mains
from companion.app.turn_log import TurnLog
from companion.compose.session import FileSession, MemorySession, Session
from companion.errors import CompanionError, SessionError, SetupError, StorageError
from companion.insight.match import Matcher
from companion.model import Generator, ModelContext
from companion.settings.schema import Settings
from companion.talents.clock import Clock
from companion.talents.courtesy import Courtesy
from companion.talents.maths import Maths
from companion.talents.repeat import Repeat
from companion.talents.stop import Stop
from companion.talents.timers import LostTimers, Timers
from companion.talents.volume import Volume
from companion.voice.speech import SpeechCutter

logger = logging.getLogger(__name__)

ROOM_FOR_TOOLS = 4096
"""Tokens of a context in which there is room for tools."""
RECALLED_SHARE = 24
"""At most this part of a context is remembered text: a model with a small one takes a tenth of a second for a line."""
CHARACTERS_PER_TOKEN = 3
"""Where no tokeniser is there to ask; on the safe side for English."""


class Thinker(Generator, Protocol):
    """A language model that knows its own tokens, and can read ahead."""

    def count_tokens(self, text: str) -> int: ...

    async def warm(self, context: ModelContext) -> None: ...


@dataclass(frozen=True, slots=True)
class Mind:
    """Everything that answers, and what was wrong while it was put together."""

    agent: Agent
    timers: Timers | None
    """None where their file cannot be read; then there are none, rather than lost ones."""
    clock: Callable[[], datetime]
    problems: Mapping[str, CompanionError]
    """By what they are about."""
    around: Furniture
    children: Children
    house: House
    """What the desks were made of."""
    desks: Desks
    turn_keeper: TurnKeeper

    async def close(self) -> None:
        """Finish what follows the turns so far, and give back what was opened."""
        await self.desks.close()
        await self.children.close()
        await self.agent.close()
        await self.turn_keeper.close()
        await self.around.close()


async def build_mind(
    settings: Settings,
    paths: Paths,
    thinker: Thinker | None,
    *,
    model: str = "local",
    telling: Telling | None = None,
    idle: Idle | None = None,
    live: Live | None = None,
) -> Mind:
    """Put the mind together. ``thinker`` is None where there is no language model; commands work all the same.

    idle: knows when nobody talks, which is when the mind may do something of its own; None: always.
    live: the settings as they change while it runs.

    Raises:
        SetupError: a file that comes with the program is missing.
        RuleError: one of them cannot be used.
    """
    clock = local_clock()
    told = telling or Telling()
    live = live or Live(settings, told)
    who, (session, forgetful), (timers, untimely) = (
        personality(paths.personal, which=settings.personality.which),
        await _session(settings, paths),
        _timers(paths, clock(), told),
    )
    rules = await asyncio.to_thread(matchers, bundled("assets") / "commands")  # a second on a slow machine
    around = await furnish(settings, paths, clock, told, submit=lambda given: agent.scheduler.submit(given), idle=idle)
    offers = reminder_offers(around, timers, settings)
    agent = Agent(
        matchers=rules,
        talents=(),
        generator=thinker,
        session=session,
        personality=who.prompt.text,
        settings=settings,
        clock=clock,
        count_tokens=thinker.count_tokens if thinker else _rough_count,
        model=model,
        registry=around.registry,
        memory=around.keeper,
        consent=around.consent,
        cut=SpeechCutter(settings.general.language),
        afterwords=offers,
        limits=Limits(recall_seconds=2 * RECALL_SECONDS, recall_tokens=_recall_tokens(settings)),
        may_run=lambda: may_run(live.settings, idle),
        teaches=has_tools(settings),
    )
    volume = Volume(settings.sound.volume)
    await move_in(around, _talents(volume, timers), called=settings.general.name.strip(), offers=offers)
    children = _children(thinker, around, agent, offers_tools=has_tools(settings))
    wrong = _only_problems(personality=who.problem, history=forgetful, timers=untimely, plugins=around.problem)
    follow(live, paths, told, agent=agent, volume=volume, knowledge=around.knowledge)
    turns, kept_turns = TurnLog(told, clock), KeptTurns(paths.turn_details)
    turn_keeper = TurnKeeper(kept_turns, told, keeps=settings.history.keep)
    _follow_turns(around, turns, turn_keeper, of_conversation(session, settings.history.session))
    house = House(settings, paths, told, around, agent, timers, clock, live, turns, kept_turns, generator=thinker)
    return Mind(agent, timers, clock, wrong, around, children, house, Desks(desks_of(house)), turn_keeper)


def _follow_turns(around: Furniture, turns: TurnLog, turn_keeper: TurnKeeper, conversation: Elsewhere) -> None:
    """Have the turns noted, and let go wherever the memory lets go of what was said in them."""
    around.registry.bus.subscribe(EventKind.SYSTEM, turns.hear, owner="turn log")
    if around.memory is not None:
        around.memory.wiped += [turns.forget_recalled, turn_keeper.forget_recalled]
        around.memory.elsewhere += [conversation, turns.forget]


def _only_problems(**problems: CompanionError | None) -> dict[str, CompanionError]:
    return {topic: problem for topic, problem in problems.items() if problem is not None}


def _talents(volume: Volume, timers: Timers | None) -> list[Talent]:
    talents: list[Talent] = [Clock(), Maths(), Courtesy(), Repeat(), Stop(), volume]
    return [*talents, timers or LostTimers()]


def _recall_tokens(settings: Settings) -> int:
    """A model with a small context is a small one, which takes its time to read."""
    return min(settings.memory.recall_tokens, settings.models.context_tokens // RECALLED_SHARE)


def has_tools(settings: Settings) -> bool:
    """Whether the model is taken to be one that can use tools, and judge."""
    match settings.models.tools:
        case "always":
            return True
        case "never":
            return False
        case _:
            return settings.models.context_tokens >= ROOM_FOR_TOOLS or settings.cloud.language_model == "cloud_first"


def _children(thinker: Thinker | None, around: Furniture, agent: Agent, *, offers_tools: bool) -> Children:
    """The helpers a model may send off; it gets its tools with them."""
    children = Children(thinker, lambda: around.registry.tools, on_end=lambda result: _tell(agent, result))
    if thinker is not None and offers_tools:
        _offer_tools(around, children)
    return children


def _offer_tools(around: Furniture, children: Children) -> None:
    graph = GraphTools(around.memory, around.keeper) if around.memory and around.keeper else None
    tools = agent_tools(
        outputs=around.registry.outputs,
        graph=graph,
        documents=DocumentTools(around.memory) if around.memory else None,
        knowledge=KnowledgeTools(around.knowledge),
        children=children,
    )
    for tool in tools:
        around.registry.add_tool(tool)


def may_run(settings: Settings, idle: Idle | None) -> bool:
    """Whether the mind may do something of its own now: nobody talks, and it costs no battery."""
    return (idle is None or idle.is_idle) and (settings.memory.on_battery or on_mains())


def _tell(agent: Agent, result: ChildResult) -> None:
    """Have the agent hear what became of a child, and the user of it from the agent."""
    agent.scheduler.submit(result.told())


def matchers(folder: Path) -> Mapping[str, Matcher]:
    """The command rules of every language.

    Raises:
        SetupError: there are none.
        RuleError: a file cannot be used.
    """
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise SetupError(f"{folder}: no command rules came with the program", mend="Install companion again.")
    compiled = [Matcher.parse(file.read_text(encoding="utf-8"), file=str(file)) for file in files]
    return {matcher.language: matcher for matcher in compiled}


async def _session(settings: Settings, paths: Paths) -> tuple[Session, CompanionError | None]:
    """The conversation to go on with; one in memory where the file cannot be used."""
    if not settings.history.keep:
        return MemorySession(), None
    try:
        return await FileSession.open(paths.sessions, settings.history.session), None
    except SessionError as problem:
        return MemorySession(), problem


def _timers(paths: Paths, now: datetime, telling: Telling) -> tuple[Timers | None, CompanionError | None]:
    try:
        timers = Timers(paths.timers, now, on_change=lambda: telling.tell(TimersChanged()))
    except StorageError as problem:
        return None, problem
    trouble = timers.trouble
    return timers, StorageError(trouble, file=str(paths.timers), mend="Set lost timers anew.") if trouble else None


def _rough_count(text: str) -> int:
    return len(text) // CHARACTERS_PER_TOKEN + 1
