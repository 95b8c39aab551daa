"""What answers: the rules, the talents, the conversation so far and the language model, put together."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from companion.agent.agent import Agent
from companion.agent.clock import local_clock
from companion.agent.plugin import Talent
from companion.app.paths import Paths, bundled
from companion.app.personality import personality
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
from companion.talents.timers import Timers
from companion.talents.volume import Volume

logger = logging.getLogger(__name__)

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


async def build_mind(settings: Settings, paths: Paths, thinker: Thinker | None, *, model: str = "local") -> Mind:
    """Put the mind together. ``thinker`` is None where there is no language model; commands work all the same.

    Raises:
        SetupError: a file that comes with the program is missing.
        RuleError: one of them cannot be used.
    """
    clock = local_clock()
    who, (session, forgetful), (timers, untimely) = (
        personality(paths.personal),
        await _session(settings, paths),
        _timers(paths, clock()),
    )
    talents: list[Talent] = [Clock(), Maths(), Courtesy(), Repeat(), Stop(), Volume(settings.sound.volume)]
    if timers:
        talents.append(timers)
    agent = Agent(
        matchers=matchers(bundled("assets") / "commands"),
        talents=talents,
        generator=thinker,
        session=session,
        personality=who.prompt.text,
        settings=settings,
        clock=clock,
        count_tokens=thinker.count_tokens if thinker else _rough_count,
        model=model,
    )
    problems = {"personality": who.problem, "history": forgetful, "timers": untimely}
    return Mind(agent, timers, clock, {topic: problem for topic, problem in problems.items() if problem is not None})


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


def _timers(paths: Paths, now: datetime) -> tuple[Timers | None, CompanionError | None]:
    try:
        timers = Timers(paths.timers, now)
    except StorageError as problem:
        return None, problem
    trouble = timers.trouble
    return timers, StorageError(trouble, file=str(paths.timers), mend="Set lost timers anew.") if trouble else None


def _rough_count(text: str) -> int:
    return len(text) // CHARACTERS_PER_TOKEN + 1
