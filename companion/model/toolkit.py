"""Runs the tools a model is offered: arguments are checked, every call has a limit, no late result counts."""

from __future__ import annotations

import asyncio
import copy
import inspect
from collections.abc import Coroutine, Iterable
from dataclasses import replace
from typing import Any

from companion.errors import (
    BadArguments,
    BadTool,
    CompanionError,
    DuplicateCall,
    ToolFailed,
    ToolTimeout,
    TooManyCalls,
    UnknownTool,
    one_line,
)
from companion.model.arguments import ArgumentReader
from companion.model.message import ToolResult
from companion.model.plain import to_json
from companion.model.tool import FuncTool, is_async
from companion.stream import FuncCall, ToolCall
from companion.stream.overdue import Overdue

LIMIT_SECONDS = 30.0
"""How long a call may take."""
MOST_CALLS = 32
"""How many calls one turn may make."""


class CallBudget:
    """The calls of one turn: at most ``most``, and every id once.

    A tool that lets a model call tools of its own gives its own budget on to it, so that the turn stays bounded.
    """

    def __init__(self, most: int = MOST_CALLS) -> None:
        self._most = most
        self._taken: set[str] = set()

    @property
    def left(self) -> int:
        return self._most - len(self._taken)

    def take(self, call: ToolCall) -> None:
        """Count a call before it runs.

        Raises:
            DuplicateCall: there was one of this id.
            TooManyCalls: none is left.
        """
        name = call.func_call.name
        if call.id in self._taken:
            raise DuplicateCall(f"the call {call.id!r} of {name!r} came before", tool=name)
        if not self.left:
            raise TooManyCalls(
                f"{name!r} would be call {self._most + 1} of this turn, which may make {self._most}", tool=name
            )
        self._taken.add(call.id)


class Toolkit:
    """Tools in the order they were given; never changed, and any number of calls may run at once.

    Raises:
        BadTool: a tool has no name, no function or no schema of an object, or two have one name.
    """

    def __init__(self, tools: Iterable[FuncTool], *, limit_seconds: float = LIMIT_SECONDS) -> None:
        self._limit = limit_seconds
        self._tools: dict[str, FuncTool] = {}
        self._readers: dict[str, ArgumentReader] = {}
        self._overdue = Overdue()
        for tool in tools:
            self._add(_tidied(tool))

    def _add(self, tool: FuncTool) -> None:
        if not tool.name:
            raise BadTool("a tool has no name", tool="")
        if tool.function is None:
            raise BadTool(f"tool {tool.name!r}: it has no function to run", tool=tool.name)
        if tool.name in self._tools:
            raise BadTool(f"tool {tool.name!r}: there are two of this name", tool=tool.name)
        self._tools[tool.name] = tool
        self._readers[tool.name] = ArgumentReader(tool)

    @property
    def tools(self) -> tuple[FuncTool, ...]:
        """Copies, for a context; changing one changes nothing here."""
        return tuple(_tidied(tool) for tool in self._tools.values())

    async def run(self, call: ToolCall, budget: CallBudget) -> ToolResult:
        """Run a call of a turn. One that cannot be run takes nothing from the budget.

        Raises:
            DuplicateCall, TooManyCalls: the budget refuses it; nothing has run.
            ToolError: as ``invoke``.
        """
        tool, arguments = self._read(call.func_call)
        budget.take(call)
        return ToolResult(call.id, await self._invoke(tool, arguments))

    async def invoke(self, call: FuncCall) -> str:
        """Run a call and give its result: as the tool converts it, else text as it is, and anything else as JSON.

        Cancelling it ends the work, except a sync function's, which goes on unheard on its thread.

        Raises:
            UnknownTool: no tool has this name.
            BadArguments: the arguments do not fit the tool's schema.
            ToolTimeout: it took longer than the limit; what it may still return is dropped.
            ToolFailed: the tool failed, or JSON has nothing like its result.
        """
        return await self._invoke(*self._read(call))

    def _read(self, call: FuncCall) -> tuple[FuncTool, dict[str, object]]:
        tool = self._tools.get(call.name)
        if tool is None:
            raise UnknownTool(
                f"there is no tool {call.name!r}", tool=call.name, mend=f"there are: {', '.join(self._tools) or 'none'}"
            )
        return tool, self._readers[tool.name].read(call.arguments)

    async def _invoke(self, tool: FuncTool, arguments: dict[str, object]) -> str:
        limit = self._limit if tool.limit_seconds is None else tool.limit_seconds
        task = await self._ended(_called(tool, arguments), tool.name, limit)
        try:
            return _text_of(tool, task.result())
        except BadArguments as error:
            if error.tool == tool.name:
                raise
            raise _failed(tool, error) from error
        # A tool may raise anything; one that cancels itself is not a turn that was cancelled.
        except (Exception, asyncio.CancelledError, SystemExit, GeneratorExit) as error:
            raise _failed(tool, error) from error

    async def _ended(self, work: Coroutine[Any, Any, object], name: str, limit: float) -> asyncio.Task[object]:
        try:
            return await self._overdue.ended(work, name=f"tool {name}", seconds=limit)
        except TimeoutError as error:
            raise ToolTimeout(f"the tool {name!r} took longer than {limit:g} s", tool=name) from error


def _tidied(tool: FuncTool) -> FuncTool:
    return replace(
        tool,
        name=tool.name.strip(),
        description=tool.description.strip(),
        parameters=copy.deepcopy(dict(tool.parameters)),
        meta=dict(tool.meta),
    )


async def _called(tool: FuncTool, arguments: dict[str, object]) -> object:
    try:
        return await _result(tool, arguments)
    except SystemExit as error:
        # A task that raises it ends the loop and all that runs on it.
        raise RuntimeError("it wanted to end the program") from error


async def _result(tool: FuncTool, arguments: dict[str, object]) -> object:
    function = tool.function
    assert function is not None
    if is_async(function):
        return await function(**arguments)  # type: ignore[misc]
    # What is not async may block, and the loop must go on.
    result = await asyncio.to_thread(function, **arguments)
    return await result if inspect.isawaitable(result) else result


def _text_of(tool: FuncTool, result: object) -> str:
    if tool.convert is not None:
        return tool.convert(result)
    return result if isinstance(result, str) else to_json(result)


def _failed(tool: FuncTool, error: BaseException) -> ToolFailed:
    mend = error.mend if isinstance(error, CompanionError) else ""
    return ToolFailed(f"the tool {tool.name!r} failed: {one_line(error)}", tool=tool.name, mend=mend)
