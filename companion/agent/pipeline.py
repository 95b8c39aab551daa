"""The way of one input through the seven stages.

::

    on_input -> recall -> pre_action -> [ model -> post_action -> (before_toolcall -> tool -> after_toolcall)* ]*
             -> before_output -> out -> the report of what was heard -> context -> after_output -> memory candidate

Setting ``response`` at any stage goes straight to ``after_output``: no model, no recall, and nothing of it in the
context. What is heard of an answer is known only afterwards, and a question may be asked before it is sure that it is
one; so whatever changes something (tools that act, the context, the memory) happens behind that point.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from companion.agent.actions import Acting, Actions, Surroundings, TurnConversation, freely
from companion.agent.bus import EventKind
from companion.agent.guests import Failure
from companion.agent.remembering import KEEP_SECONDS, RECALL_SECONDS, RECALL_TOKENS, Kept, TurnMemory
from companion.agent.reply import Asked, ModelReply
from companion.agent.safety import Source, as_data
from companion.agent.stages import Recalled, Stage
from companion.agent.turns import Ending, Turn, Turns
from companion.errors import CompanionError, one_line
from companion.model import FuncTool, Generator, ModelContext
from companion.model.chat import ChatModel
from companion.model.chat_options import (
    MOST_ROUNDS,
    with_attributes,
    with_limits,
    with_params,
    with_timeouts,
)
from companion.model.response import ChatResponse
from companion.model.turn import Tell
from companion.stream import Stream

logger = logging.getLogger(__name__)

SILENCE_SECONDS = 300.0
"""How long a model may say nothing; small machines read long prompts slowly."""
TURN_SECONDS = 900.0
LONG_TAINT = 10
"""So many turns later what a turn has read from others may still be in the conversation."""


@dataclass(frozen=True, slots=True)
class Limits:
    """rounds: how often tools may be used before an answer has to come."""

    rounds: int = MOST_ROUNDS
    recall_seconds: float = RECALL_SECONDS
    recall_tokens: int = RECALL_TOKENS


class Pipeline:
    """Takes turns through the stages.

    tools: what the model may call, as it is now. memory: None where nothing is remembered.
    """

    def __init__(
        self,
        around: Surroundings,
        turns: Turns,
        *,
        tools: Callable[[], Sequence[FuncTool]] = tuple,
        memory: TurnMemory | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._around = around
        self._turns = turns
        self._tools = tools
        self._memory = memory
        self._limits = limits or Limits()
        self._tainted_until = 0

    @property
    def tools(self) -> Sequence[FuncTool]:
        return self._tools()

    async def take(self, turn: Turn) -> None:
        """Run ``on_input``. A response means that the turn is answered."""
        await self._around.handlers.run(Stage.ON_INPUT, turn)

    async def recall(self, turn: Turn) -> str:
        """What is remembered for this turn, marked as data; empty where there is nothing or it takes too long."""
        if self._memory is None:
            return ""
        try:
            async with asyncio.timeout(self._limits.recall_seconds):
                found = await self._memory.recall(turn.message, now=turn.about.now, tokens=self._limits.recall_tokens)
        except (TimeoutError, CompanionError) as error:
            self._note(turn, "recall", error)
            return ""
        except Exception as error:  # a memory that is broken must not end the conversation
            logger.exception("recall failed")
            self._note(turn, "recall", error)
            return ""
        turn.values["memory"] = tuple(found)
        if not found:
            return ""
        turn.taint.add(Source.MEMORY)
        return as_data("memory", "\n".join(_line(one) for one in found))

    async def think(
        self, turn: Turn, context: ModelContext, generator: Generator, *, acting: Acting = freely, if_wordless: str
    ) -> Stream | None:
        """Run ``pre_action``, and ask the model; the stream of its reply, or None where a handler has answered.

        Raises:
            ModelError, TimeoutError: the model cannot be asked.
        """
        turn.values["context_messages"] = context.messages
        await self._around.handlers.run(Stage.PRE_ACTION, turn)
        if turn.response is not None:
            return None
        self._taint_from_before(turn)
        held_by = self._around.handlers.at(Stage.POST_ACTION, Stage.BEFORE_OUTPUT)
        turn.held_back_by = tuple(dict.fromkeys(one.owner for one in held_by if one.whole_text))
        actions = Actions(turn, self._around, self.tools, closing=context.closing, acting=acting)
        asked = Asked(self._asking(turn, context, generator, actions), actions.asked)
        turn.own_seconds = asyncio.get_running_loop().time() - turn.began
        await asked.arrive()
        return ModelReply(turn, self._around, asked, self._turns.closed, if_wordless=if_wordless).stream()

    def has_more_to_do(self, *, is_model: bool) -> bool:
        """Whether what follows the turn takes time."""
        return (self._memory is not None and is_model) or bool(self._around.handlers.at(Stage.AFTER_OUTPUT))

    async def finish(self, turn: Turn, heard: str, *, goes_into_context: bool) -> None:
        """What follows the report of what was heard: the context, ``after_output``, the memory, and the end."""
        self._keep_taint(turn)
        turn.values["final_text"] = heard
        self._around.bus.publish(
            EventKind.AGENT_OUTPUT, "companion", turn=turn.number, text=heard, channel=turn.about.channel
        )
        kept = Kept(turn.about, turn.said, heard, tuple(turn.tools), turn.about.now)
        if self._memory is not None and goes_into_context:
            await self._remember(turn, "context", self._memory.append(kept))
        await self._around.handlers.run(Stage.AFTER_OUTPUT, turn)
        if self._memory is not None and goes_into_context and turn.about.origin == "user":
            await self._remember(turn, "memory candidate", self._memory.candidate(kept))
        self._turns.end(turn, _ending(turn))

    async def _remember(self, turn: Turn, what: str, work: Awaitable[None]) -> None:
        try:
            async with asyncio.timeout(KEEP_SECONDS):
                await work
        except Exception as error:  # noqa: BLE001 - the conversation goes on without
            logger.warning("%s: %s", what, type(error).__name__)
            self._note(turn, what, error)

    def _asking(
        self, turn: Turn, context: ModelContext, generator: Generator, actions: Actions
    ) -> Callable[[Tell], Awaitable[ChatResponse]]:
        model = ChatModel(
            generator,
            tools=context.tools,
            options=(
                with_params(context.params),
                with_limits(rounds=self._limits.rounds),
                with_timeouts(silence=SILENCE_SECONDS, deadline=TURN_SECONDS),
                with_attributes(turn=turn),
            ),
            interceptors=(actions,),
            prompts=context.prompts,
        )
        return model.prompt().session(TurnConversation(turn)).stream_to

    def _note(self, turn: Turn, what: str, error: BaseException) -> None:
        failure = Failure("memory", what, one_line(error) if str(error) else type(error).__name__)
        turn.failures.append(failure)
        mend = error.mend if isinstance(error, CompanionError) else ""
        self._around.bus.publish(
            EventKind.SYSTEM, "memory", turn=turn.number, action="failed", what=what, reason=failure.reason, mend=mend
        )

    def _taint_from_before(self, turn: Turn) -> None:
        """What was read in an earlier turn may be quoted in the conversation."""
        if turn.number <= self._tainted_until:
            turn.taint.remembered = True

    def _keep_taint(self, turn: Turn) -> None:
        if turn.taint.untrusted:
            self._tainted_until = turn.number + LONG_TAINT


def _line(one: Recalled) -> str:
    return f"- {one.text}"


def _ending(turn: Turn) -> Ending:
    if turn.failure is not None:
        return Ending.FAILED
    if turn.response is not None:
        return Ending.SHORT_CIRCUIT
    return Ending.SKIPPED if turn.is_skipped else Ending.ANSWERED
