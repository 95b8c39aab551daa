"""The tools of a realtime session: its calls are answered as those of any other turn are."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from companion.dialects.openai_realtime import Called
from companion.model import ToolResult
from companion.model.chat_options import ChatOptions
from companion.model.tool_context import ToolContext
from companion.model.tool_loop import ToolLoop
from companion.providers.remote.realtime_plan import RealtimePlan
from companion.providers.remote.realtime_session import RealtimeSession
from companion.stream import FuncCall, ToolCall

Start = Callable[[Coroutine[Any, Any, None], str], None]
"""Starts a task of this name, whose error ends the call."""


class RealtimeTools:
    """Runs the calls of a session, in the order they come in, and tells the session what became of each.

    go_on: called whenever a result is there.

    Raises:
        BadTool: a tool cannot be offered as it is declared.
    """

    def __init__(
        self, plan: RealtimePlan, session: RealtimeSession, start: Start, go_on: Callable[[], Awaitable[None]]
    ) -> None:
        self._plan = plan
        self._session = session
        self._start = start
        self._go_on = go_on
        self._waiting: deque[tuple[ToolLoop, ToolCall]] = deque()
        self._is_working = False
        self._awaited = 0
        self._runs_any = any(tool.function is not None for tool in plan.settings.tools)
        self._loop = self._new_loop()

    @property
    def is_running(self) -> bool:
        """Whether results are still to come."""
        return self._awaited > 0

    @property
    def is_over(self) -> bool:
        """Whether the model calls the same again and again, and shall answer without tools."""
        return self._loop.is_over

    def begin_turn(self) -> None:
        """The user has asked for something new."""
        self._loop = self._new_loop()

    def take(self, called: Called) -> bool:
        """Run the call; False where it is only given on, as nobody here runs it."""
        call = ToolCall(called.call, FuncCall(called.name, called.arguments))
        if not self._runs_any or self._loop.is_for_the_caller((call,)):
            return False
        self._waiting.append((self._loop, call))
        self._awaited += 1
        if not self._is_working:
            self._is_working = True
            self._start(self._work(), "tools")
        return True

    def _new_loop(self) -> ToolLoop:
        settings = self._plan.settings
        options = ChatOptions(
            tools=settings.tools, tool_choice=settings.tool_choice, tool_seconds=self._plan.patience.tool
        )
        return ToolLoop(options, self._plan.interceptors, ToolContext())

    async def _work(self) -> None:
        try:
            while self._waiting:
                loop = self._waiting[0][0]
                calls = [self._waiting.popleft()[1]]
                while self._waiting and self._waiting[0][0] is loop:
                    calls.append(self._waiting.popleft()[1])
                await loop.answer(calls, [], self._returned)
        finally:
            self._is_working = False

    async def _returned(self, result: ToolResult) -> None:
        async with self._session.door:
            recall = self._session.recall
            if result.id not in self._session.calls and (made := recall.call(result.id)) is not None:
                # The line it was made on has broken since.
                await self._session.put(made)
                self._session.calls.add(result.id)
            recall.returned(result.id, result.result)
            await self._session.put({"type": "function_call_output", "call_id": result.id, "output": result.result})
        self._awaited -= 1
        await self._go_on()
