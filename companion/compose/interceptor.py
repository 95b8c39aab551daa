"""Interceptors for everyday use: ask before a tool runs, say what comes first, note what was done."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace

from companion.errors import ToolDenied
from companion.model import ChatRequest, SystemPrompt
from companion.model.calls import CallDelta
from companion.model.deltas import Counted, Delta, DeltaSource, NamedSource
from companion.model.gathered import Gathered
from companion.model.interceptor import Draft
from companion.model.tool_context import ToolContext
from companion.stream import ToolCall, Usage

logger = logging.getLogger(__name__)

Asked = Callable[[ToolCall, ToolContext], Awaitable[bool] | bool]
"""Whether a call may run."""


class AskBefore:
    """Runs a tool only where it is allowed; the model is told of a call that was not.

    is_allowed: asked for every call, sync or async.
    """

    def __init__(self, is_allowed: Asked, *, index: int = 0) -> None:
        self._is_allowed = is_allowed
        self.index = index

    async def tool(self, call: ToolCall, context: ToolContext, proceed: Callable[[ToolCall], Awaitable[str]]) -> str:
        allowed = self._is_allowed(call, context)
        if not (await allowed if inspect.isawaitable(allowed) else allowed):
            raise ToolDenied(f"the call of {call.func_call.name!r} was denied", tool=call.func_call.name)
        return await proceed(call)


class SayFirst:
    """Puts a system text before all others of every turn.

    text: made anew for each turn, so that it may tell what changes; empty text is left out.
    """

    def __init__(self, name: str, text: Callable[[Draft], str], *, index: int = 0) -> None:
        self._name = name
        self._text = text
        self.index = index

    async def prepare(self, draft: Draft) -> Draft:
        text = self._text(draft)
        return replace(draft, prompts=(SystemPrompt(self._name, text), *draft.prompts)) if text else draft


class LogCalls:
    """Notes what was asked and called, how long it took and what it cost, but no word of what was said."""

    def __init__(self, *, index: int = -100) -> None:
        self.index = index

    async def call(self, request: ChatRequest, proceed: Callable[[ChatRequest], Awaitable[Gathered]]) -> Gathered:
        clock = asyncio.get_running_loop().time
        began = clock()
        answer = await proceed(request)
        _note_answer(clock() - began, answer.usage, len(answer.calls))
        return answer

    async def stream(
        self, request: ChatRequest, proceed: Callable[[ChatRequest], Awaitable[DeltaSource]]
    ) -> DeltaSource:
        began = asyncio.get_running_loop().time()
        source = await proceed(request)
        return _NotedNamed(source, began) if isinstance(source, NamedSource) else _Noted(source, began)

    async def tool(self, call: ToolCall, context: ToolContext, proceed: Callable[[ToolCall], Awaitable[str]]) -> str:
        clock = asyncio.get_running_loop().time
        began = clock()
        try:
            return await proceed(call)
        finally:
            logger.info("%s took %.2f s", call.func_call.name, clock() - began)


class _Noted:
    """``source`` itself, of which is noted how it was once it has ended or was closed."""

    def __init__(self, source: DeltaSource, began: float) -> None:
        self._source = source
        self._began = began
        self._usage = Usage()
        self._calls: set[int | str | None] = set()
        self._is_noted = False

    async def next(self) -> Delta:
        try:
            delta = await self._source.next()
        except Exception:
            self._note()
            raise
        match delta:
            case Counted(usage):
                self._usage = self._usage.most(usage)
            case CallDelta(index, id):
                self._calls.add(id if index is None else index)
        return delta

    async def close(self) -> None:
        self._note()
        await self._source.close()

    def _note(self) -> None:
        if not self._is_noted:
            self._is_noted = True
            _note_answer(asyncio.get_running_loop().time() - self._began, self._usage, len(self._calls))


class _NotedNamed(_Noted):
    """It goes on to say whose answer it is."""

    def __init__(self, source: NamedSource, began: float) -> None:
        super().__init__(source, began)
        self._named = source

    @property
    def answered_by(self) -> tuple[str, ...]:
        return self._named.answered_by


def _note_answer(seconds: float, usage: Usage, calls: int) -> None:
    logger.info(
        "answered in %.2f s: %d tokens read, %d written, %d tools called",
        seconds,
        usage.prompt_tokens,
        usage.completion_tokens,
        calls,
    )
