"""Answers the calls of a turn: each gets one result, whatever becomes of it.

Calls run in order; those of tools that say so run beside their neighbours. A call that was made before in this turn,
with the same arguments, is not run again: it gets the result of the first one. At the third repeat it gets an error
instead, and ``is_over`` says that the model shall answer without tools; it says so, too, when every call of a step was
denied.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from companion.errors import CompanionError, ToolDenied, TooManyCalls, one_line
from companion.model.chat_options import ChatOptions
from companion.model.interceptor import Interceptor, around_tools, onion
from companion.model.message import ChatRole, Message, ToolResult
from companion.model.request import ToolChoice
from companion.model.tool import FuncTool, functions_of
from companion.model.tool_context import ToolContext, called_within
from companion.model.toolkit import CallBudget, Toolkit
from companion.stream import ToolCall

MOST_REPEATS = 3
"""So often may a model make the same call again; the last time it is told so."""
MOST_AT_ONCE = 8

_Key = tuple[str, str]

Tell = Callable[[ToolResult], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a call. is_fine: it ran and gave something. is_denied: whoever was asked did not allow it."""

    result: str
    is_fine: bool = True
    is_denied: bool = False

    @classmethod
    def of(cls, error: BaseException) -> Outcome:
        """What a model is told of an error, in one line."""
        mend = error.mend if isinstance(error, CompanionError) else ""
        return cls(f"Error: {one_line(error)}{f' ({mend})' if mend else ''}", False, isinstance(error, ToolDenied))

    @classmethod
    def too_late(cls, call: ToolCall) -> Outcome:
        """What a call gets that comes when no more may be made."""
        return cls.of(TooManyCalls("no more calls may be made in this turn", tool=call.func_call.name))

    def message(self, call: ToolCall) -> Message:
        """The result of ``call``, for the conversation."""
        return Message(ChatRole.TOOL, self.answer(call), call.func_call.name)

    def answer(self, call: ToolCall) -> ToolResult:
        """The result of ``call``."""
        return ToolResult(call.id, self.result, is_error=not self.is_fine)


CANCELLED = Outcome("Error: the turn was cancelled", is_fine=False)


class ToolLoop:
    """The tools of one turn.

    Raises:
        BadTool: a tool cannot be offered as it is declared.
    """

    def __init__(self, options: ChatOptions, interceptors: Iterable[Interceptor], context: ToolContext) -> None:
        offered = functions_of(options.tools or ())
        self._declared = {tool.name.strip() for tool in offered if tool.function is None}
        self._tools = {tool.name.strip(): tool for tool in offered if tool.function is not None}
        self._toolkit = Toolkit(self._tools_that_may_run(options), limit_seconds=options.tool_seconds)
        self._longest = options.longest_result
        self._context = replace(context, budget=CallBudget(options.most_calls))
        self._interceptors = tuple(interceptors)
        self._known: dict[_Key, Outcome] = {}
        self._made: dict[_Key, int] = {}
        self.is_over = False

    def _tools_that_may_run(self, options: ChatOptions) -> list[FuncTool]:
        choice = options.tool_choice or ToolChoice()
        tools = [tool for tool in functions_of(options.tools or ()) if tool.function is not None]
        return [tool for tool in tools if choice.allows(tool.name.strip())]

    def is_for_the_caller(self, calls: Iterable[ToolCall]) -> bool:
        """Whether one of ``calls`` is of a tool that was only declared, so that the caller answers them."""
        return any(call.func_call.name in self._declared for call in calls)

    def is_direct(self, calls: Sequence[ToolCall], outcomes: Sequence[Outcome]) -> bool:
        """Whether what the tools gave is the answer: each of them says so, and none has failed."""
        tools = [self._tools.get(call.func_call.name) for call in calls]
        return all(tool is not None and tool.return_direct for tool in tools) and all(one.is_fine for one in outcomes)

    async def answer(self, calls: Sequence[ToolCall], outcomes: list[Outcome], tell: Tell) -> None:
        """Answer ``calls``, in order, by putting what became of them into ``outcomes``, and telling it.

        There they are as well when this is cancelled, as far as they came.
        """
        while len(outcomes) < len(calls):
            batch = self._batch(calls[len(outcomes) :])
            slots: list[Outcome | None] = [None] * len(batch)
            try:
                await self._run(batch, slots)
            finally:
                outcomes.extend(slot or CANCELLED for slot in slots)
            for call, outcome in zip(batch, outcomes[-len(batch) :], strict=True):
                await tell(outcome.answer(call))
        if outcomes and all(outcome.is_denied for outcome in outcomes):
            self.is_over = True

    def _batch(self, calls: Sequence[ToolCall]) -> Sequence[ToolCall]:
        """The next calls that may run at once: one, or several of tools that say so, and no two the same."""
        seen: set[_Key] = set()
        count = 0
        for call in calls[:MOST_AT_ONCE]:
            tool = self._tools.get(call.func_call.name)
            if tool is None or not tool.is_parallel or _key(call) in seen:
                break
            seen.add(_key(call))
            count += 1
        return calls[: max(count, 1)]

    async def _run(self, batch: Sequence[ToolCall], slots: list[Outcome | None]) -> None:
        async def one(place: int) -> None:
            slots[place] = await self._outcome(batch[place])

        if len(batch) == 1:
            await one(0)
            return
        async with asyncio.TaskGroup() as tasks:
            for place in range(len(batch)):
                tasks.create_task(one(place))

    async def _outcome(self, call: ToolCall) -> Outcome:
        key = _key(call)
        self._made[key] = made = self._made.get(key, 0) + 1
        if made > MOST_REPEATS:
            self.is_over = True
            return Outcome(f"Error: this call was made {made} times; its result is above", is_fine=False)
        if key not in self._known:
            self._known[key] = await self._first_outcome(call)
        return self._known[key]

    async def _first_outcome(self, call: ToolCall) -> Outcome:
        context = replace(self._context, call_id=call.id)
        run = onion(around_tools(self._interceptors, context), self._run_tool)
        try:
            context.budget.take(call)
            with called_within(context):
                return self._shown(await run(call))
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            # A tool or interceptor may cancel itself; that is not a turn that was cancelled.
            return Outcome.of(error)
        except Exception as error:  # noqa: BLE001 - whatever it is, the model is told, and the turn goes on
            return Outcome.of(error)

    async def _run_tool(self, call: ToolCall) -> str:
        return await self._toolkit.invoke(call.func_call)

    def _shown(self, result: str) -> Outcome:
        """As much of a result as a model is shown."""
        if len(result) <= self._longest:
            return Outcome(result)
        return Outcome(f"{result[: self._longest]}... (cut off: it has {len(result)} characters)")


def _key(call: ToolCall) -> _Key:
    """What makes two calls the same: the tool, and arguments that mean the same."""
    name, arguments = call.func_call.name, call.func_call.arguments
    try:
        return name, json.dumps(json.loads(arguments), sort_keys=True)
    except (ValueError, RecursionError):
        return name, arguments
