"""What is wrong with this installation and how to mend it, finding by finding.

A check looks at one thing and returns what it found; it never raises, never changes anything but
what its library opens, and ends within its deadline.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from companion.errors import CompanionError

logger = logging.getLogger(__name__)

PATIENCE = 30.0
"""Seconds for one check; reading all models on a slow card is the longest of them."""


class State(StrEnum):
    """How bad it is."""

    OK = "ok"
    WARN = "warn"
    """It works, but not all of it or not well."""
    BAD = "bad"
    """The voice loop does not work."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found. ``topic`` is one word, the same on every machine."""

    topic: str
    state: State
    message: str
    mend: str = ""


Findings = Iterable[Finding]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing to look at. ``look`` may take its time, or block: it runs on a thread of its own."""

    topic: str
    look: Callable[[], Findings | Awaitable[Findings]]


def ok(topic: str, message: str) -> Finding:
    return Finding(topic, State.OK, message)


def warn(topic: str, message: str, mend: str) -> Finding:
    return Finding(topic, State.WARN, message, mend)


def bad(topic: str, message: str, mend: str) -> Finding:
    return Finding(topic, State.BAD, message, mend)


def of_error(topic: str, error: CompanionError, state: State = State.BAD) -> Finding:
    """A fault of ours as a finding."""
    return Finding(topic, state, str(error), error.mend)


async def examine(checks: Sequence[Check], *, patience: float = PATIENCE) -> list[Finding]:
    """Make every check, in order; one that fails or hangs is a finding itself."""
    return [finding for check in checks for finding in await _examine(check, patience)]


async def _examine(check: Check, patience: float) -> list[Finding]:
    try:
        async with asyncio.timeout(patience):
            found = await asyncio.to_thread(_looked, check)
            return list(await found) if isinstance(found, Awaitable) else found
    except TimeoutError:
        return [
            bad(check.topic, f"no answer within {patience:g} s", "Restart the machine's sound or disk; see the log.")
        ]
    except CompanionError as error:
        return [of_error(check.topic, error)]
    except Exception as error:
        logger.exception("the check of %s failed", check.topic)
        return [bad(check.topic, f"the check itself failed ({type(error).__name__}: {error})", "See the log.")]


def _looked(check: Check) -> list[Finding] | Awaitable[Findings]:
    """What it found. A generator does its work only while it is read, which is to be here and not on the loop."""
    found = check.look()
    return found if isinstance(found, Awaitable) else list(found)


def verdict(findings: Iterable[Finding]) -> State:
    """The worst of them."""
    order = list(State)
    return max((finding.state for finding in findings), key=order.index, default=State.OK)
