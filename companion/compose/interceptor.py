"""Interceptors for everyday use: ask before a tool runs, say what comes first, note what was done."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace

from companion.errors import ToolDenied
from companion.model import ChatRequest, SystemPrompt
from companion.model.gathered import Gathered
from companion.model.interceptor import Draft
from companion.model.tool_context import ToolContext
from companion.stream import ToolCall

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
        seconds, usage = clock() - began, answer.usage
        logger.info(
            "answered in %.2f s: %d tokens read, %d written, %d tools called",
            seconds,
            usage.prompt_tokens,
            usage.completion_tokens,
            len(answer.calls),
        )
        return answer

    async def tool(self, call: ToolCall, context: ToolContext, proceed: Callable[[ToolCall], Awaitable[str]]) -> str:
        clock = asyncio.get_running_loop().time
        began = clock()
        try:
            return await proceed(call)
        finally:
            logger.info("%s took %.2f s", call.func_call.name, clock() - began)
