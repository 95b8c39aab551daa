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
from companion.agent.safety import ORIGIN, OWNER, PRIVATE, Source, as_data
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
from companion.model.teaching import Teaching
from companion.model.tool import functions_of
from companion.model.turn import Tell
from companion.stream import Stream

logger = logging.getLogger(__name__)

SILENCE_SECONDS = 300.0
"""How long a model may say nothing; small machines read long prompts slowly."""
TURN_SECONDS = 900.0


@dataclass(frozen=True, slots=True)
class Limits:
    """rounds: how often tools may be used before an answer has to come."""

    rounds: int = MOST_ROUNDS
    recall_seconds: float = RECALL_SECONDS
    recall_tokens: int = RECALL_TOKENS


@dataclass(frozen=True, slots=True)
class Asking:
    """How a model is asked. talents: what they have to tell it. if_wordless: what is said where nothing came of it."""

    context: ModelContext
    generator: Generator
    talents: tuple[Teaching, ...] = ()
    if_wordless: str = ""

    @property
    def tools(self) -> list[FuncTool]:
        """All that the model may call."""
        taught = [tool for talent in self.talents for tool in functions_of(talent.tagged())]
        return [*functions_of(self.context.tools), *taught]


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

    async def think(self, turn: Turn, asking: Asking, *, acting: Acting = freely) -> Stream | None:
        """Run ``pre_action``, and ask the model; the stream of its reply, or None where a handler has answered.

        Raises:
            ModelError, TimeoutError: the model cannot be asked.
        """
        context, tools = asking.context, asking.tools
        turn.taint.quote(str(tool.meta[OWNER]) for tool in tools if OWNER in tool.meta)
        turn.private.tools = frozenset(tool.name for tool in tools if tool.meta.get(ORIGIN) in PRIVATE)
        turn.values["context_messages"] = context.messages
        await self._around.handlers.run(Stage.PRE_ACTION, turn)
        if turn.response is not None:
            return None
        held_by = self._around.handlers.at(Stage.POST_ACTION, Stage.BEFORE_OUTPUT)
        turn.held_back_by = tuple(dict.fromkeys(one.owner for one in held_by if one.whole_text))
        actions = Actions(turn, self._around, tools, closing=context.closing, acting=acting)
        asked = Asked(self._asking(turn, asking, actions), actions.asked)
        turn.own_seconds = asyncio.get_running_loop().time() - turn.began
        await asked.arrive()
        return ModelReply(turn, self._around, asked, self._turns.closed, if_wordless=asking.if_wordless).stream()

    def has_more_to_do(self, *, is_model: bool) -> bool:
        """Whether what follows the turn takes time."""
        return (self._memory is not None and is_model) or bool(self._around.handlers.at(Stage.AFTER_OUTPUT))

    async def finish(self, turn: Turn, heard: str, *, goes_into_context: bool) -> None:
        """What follows the report of what was heard: the context, ``after_output``, the memory, and the end."""
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

    def _asking(self, turn: Turn, asking: Asking, actions: Actions) -> Callable[[Tell], Awaitable[ChatResponse]]:
        context = asking.context
        model = ChatModel(
            asking.generator,
            tools=context.tools,
            options=(
                with_params(context.params),
                with_limits(rounds=self._limits.rounds),
                with_timeouts(silence=SILENCE_SECONDS, deadline=TURN_SECONDS),
                with_attributes(turn=turn),
            ),
            interceptors=(actions,),
            talents=asking.talents,
            prompts=context.prompts,
        )
        return model.prompt().session(TurnConversation(turn)).stream_to

    def _note(self, turn: Turn, what: str, error: BaseException) -> None:
        failure = Failure("memory", what, one_line(error) if str(error) else type(error).__name__)
        turn.note(failure)
        mend = error.mend if isinstance(error, CompanionError) else ""
        self._around.bus.publish(
            EventKind.SYSTEM, "memory", turn=turn.number, action="failed", what=what, reason=failure.reason, mend=mend
        )


def _line(one: Recalled) -> str:
    return f"- {one.text}"


def _ending(turn: Turn) -> Ending:
    if turn.failure is not None:
        return Ending.FAILED
    if turn.response is not None:
        return Ending.SHORT_CIRCUIT
    return Ending.SKIPPED if turn.is_skipped else Ending.ANSWERED
