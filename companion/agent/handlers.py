"""Runs the handlers of a stage: one after the other, each with a time limit, and none may end the turn by failing.

Laws:

1. In order: the lower priority first, and of the same priority who was registered first.
2. What a handler wrote counts when it has ended well, all of it or none.
3. One that fails or takes too long is noted and passed over; one that keeps failing is left alone for a while.
4. Once there is a ``response``, or a reason to ``deny``, the rest of the stage is passed over.
5. What a plugin's handler writes is a plugin's words, and taints the turn.
6. Who may not see what is remembered is passed over where that is all there is to see, and shown the rest without it.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from companion.agent.guests import Failure, Guests
from companion.agent.safety import Source
from companion.agent.stages import Stage, StageContext, StageFunction
from companion.agent.turns import Turn
from companion.model import Message

HANDLER_SECONDS = 1.0
"""How long a handler may take, where it does not say."""
PLUGIN_SECONDS = 10.0
"""How long all handlers of one plugin may take in one turn."""
MOST_HANDLERS = 256
"""At one stage."""
_WORDLESS = frozenset({"skip_output"})
"""Fields in which nobody can say anything."""


@dataclass(frozen=True, slots=True)
class Handler:
    """One function at one stage.

    function: called with the StageContext, sync (on a thread) or async. owner: its plugin.
    priority: the lower ones first. seconds: how long it may take.
    whole_text: at ``post_action`` and ``before_output`` it wants the text as a whole, which holds the reply back.
    sees_memory: whether it may read what is remembered. is_own: whether it is the program's, whose words are ours.
    """

    stage: Stage
    function: StageFunction
    owner: str
    priority: int = 0
    whole_text: bool = False
    seconds: float = HANDLER_SECONDS
    sees_memory: bool = True
    is_own: bool = False


class Handlers:
    """All handlers of one agent."""

    def __init__(self, guests: Guests) -> None:
        self._guests = guests
        self._by_stage: dict[Stage, list[tuple[int, int, Handler]]] = {stage: [] for stage in Stage}
        self._numbers = itertools.count()

    def add(self, handler: Handler) -> Callable[[], None]:
        """Register it, and return what takes it out again.

        Raises:
            ValueError: there are too many, or its priority is no whole number.
        """
        if type(handler.priority) is not int:
            raise ValueError(f"{handler.owner}: a priority is a whole number")
        mine = self._by_stage[handler.stage]
        if len(mine) >= MOST_HANDLERS:
            raise ValueError(f"{handler.stage} has {MOST_HANDLERS} handlers already")
        entry = (handler.priority, next(self._numbers), handler)
        mine.append(entry)
        mine.sort(key=lambda one: one[:2])
        return lambda: mine.remove(entry) if entry in mine else None

    def at(self, *stages: Stage) -> Sequence[Handler]:
        """Those that would run now."""
        found = [handler for stage in stages for _, _, handler in self._by_stage[stage]]
        return [handler for handler in found if not self._guests.is_left_alone(handler.owner)]

    async def run(
        self, stage: Stage, turn: Turn, passing: dict[str, object] | None = None, *, is_private: bool = False
    ) -> None:
        """Run them on the fields of ``turn``.

        passing: fields that belong to one piece of text or one call only, instead of to the turn; changed in place.
        is_private: whether these fields hold what is remembered.
        """
        passing = {} if passing is None else passing
        for _, _, handler in tuple(self._by_stage[stage]):
            if is_private and not handler.sees_memory:
                continue
            context = _context(handler, turn, passing)
            ran = await self._run_one(handler, context, turn)
            changes = context.end()
            if isinstance(ran, Failure):
                turn.note(ran)
            elif ran:
                _take(handler, changes, turn, passing)
            if turn.response is not None or passing.get("deny") is not None:
                return

    async def _run_one(self, handler: Handler, context: StageContext, turn: Turn) -> Failure | bool:
        """Run it, within what is left of its plugin's time in this turn."""
        clock = asyncio.get_running_loop().time
        began = clock()
        left = handler.seconds if handler.is_own else min(handler.seconds, PLUGIN_SECONDS - turn.spent(handler.owner))
        if left <= 0:
            return Failure(handler.owner, handler.stage.value, "it has had its time in this turn")
        try:
            return await self._guests.run(handler.owner, handler.stage.value, handler.function, context, seconds=left)
        except BaseException:
            context.end()
            raise
        finally:
            turn.spend(handler.owner, clock() - began)


def _context(handler: Handler, turn: Turn, passing: Mapping[str, object]) -> StageContext:
    seen = {**turn.values, **passing, "notes": turn.notes(handler.owner)}
    if not handler.sees_memory:
        seen["memory"] = ()
        seen["context_messages"] = turn.private.veiled(turn.messages)
    return StageContext(handler.stage, handler.owner, seen)


def _take(handler: Handler, changes: Mapping[str, object], turn: Turn, passing: dict[str, object]) -> None:
    """Have count what a handler has written."""
    if "response" in changes:
        turn.answered_by = handler.owner
    if not handler.is_own and changes.keys() - _WORDLESS:
        turn.taint.add(Source.PLUGIN, handler.owner)
    for name, value in changes.items():
        if name == "context_messages" and not handler.sees_memory:
            value = turn.private.unveiled(cast("Sequence[Message]", value), turn.messages)
        (passing if name in passing else turn.values)[name] = value
