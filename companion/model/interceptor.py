"""Interceptors: they stand around what a chat model does, one inside the other like the skins of an onion.

An interceptor has one or more of the methods below and joins those chains only. Each is given what goes in and a way
to ``proceed``, which runs all that is further inside: one that proceeds twice runs the inner ones twice, one that does
not proceed answers in their place. Those with a lower ``index`` (an attribute; 0 where there is none) stand further
out, and of the same index those that were given first.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar, runtime_checkable

from companion.errors import BadInput
from companion.model.chat_options import ChatOptions
from companion.model.context import SystemPrompt
from companion.model.deltas import DeltaSource
from companion.model.gathered import Gathered
from companion.model.prompt import Prompt
from companion.model.request import ChatRequest
from companion.model.tool_context import ToolContext
from companion.stream import ToolCall


@dataclass(frozen=True, slots=True)
class Draft:
    """A turn before it begins.

    prompts: the system texts, made anew for each turn. asked: what is new; it is recorded already.
    session: the name of the conversation.
    """

    prompts: tuple[SystemPrompt, ...]
    options: ChatOptions
    asked: Prompt
    session: str


@runtime_checkable
class PrepareInterceptor(Protocol):
    async def prepare(self, draft: Draft) -> Draft:
        """Change the system texts and options of a turn. Each gets what the one before gave."""


@runtime_checkable
class CallInterceptor(Protocol):
    async def call(self, request: ChatRequest, proceed: Callable[[ChatRequest], Awaitable[Gathered]]) -> Gathered:
        """Stand around one question that is answered as a whole."""


@runtime_checkable
class StreamInterceptor(Protocol):
    async def stream(
        self, request: ChatRequest, proceed: Callable[[ChatRequest], Awaitable[DeltaSource]]
    ) -> DeltaSource:
        """Stand around one question that is answered in pieces. Closing what it gives closes what it was given."""


@runtime_checkable
class ToolInterceptor(Protocol):
    async def tool(self, call: ToolCall, context: ToolContext, proceed: Callable[[ToolCall], Awaitable[str]]) -> str:
        """Stand around one call of a tool, and give its result. What it raises becomes the result, as words."""


Interceptor = PrepareInterceptor | CallInterceptor | StreamInterceptor | ToolInterceptor
_KINDS = (PrepareInterceptor, CallInterceptor, StreamInterceptor, ToolInterceptor)

Given = TypeVar("Given")
Made = TypeVar("Made")

Proceed = Callable[[Given], Awaitable[Made]]
Skin = Callable[[Given, Callable[[Given], Awaitable[Made]]], Awaitable[Made]]


def in_order(interceptors: Iterable[Interceptor]) -> tuple[Interceptor, ...]:
    """The outermost first.

    Raises:
        BadInput: one has none of the methods.
    """
    given = tuple(interceptors)
    for one in given:
        if not isinstance(one, _KINDS):
            raise BadInput(f"{type(one).__name__} intercepts nothing", mend="give it prepare, call, stream or tool")
    return tuple(sorted(given, key=lambda one: getattr(one, "index", 0)))


def preparers(interceptors: Iterable[Interceptor]) -> list[PrepareInterceptor]:
    """Those that prepare turns."""
    return [one for one in interceptors if isinstance(one, PrepareInterceptor)]


def around_calls(interceptors: Iterable[Interceptor]) -> list[Skin[ChatRequest, Gathered]]:
    """What stands around questions that are answered as a whole."""
    return [one.call for one in interceptors if isinstance(one, CallInterceptor)]


def around_streams(interceptors: Iterable[Interceptor]) -> list[Skin[ChatRequest, DeltaSource]]:
    """What stands around questions that are answered in pieces."""
    return [one.stream for one in interceptors if isinstance(one, StreamInterceptor)]


def around_tools(interceptors: Iterable[Interceptor], context: ToolContext) -> list[Skin[ToolCall, str]]:
    """What stands around the calls of tools, in this context."""

    def around(one: ToolInterceptor) -> Skin[ToolCall, str]:
        return lambda call, proceed: one.tool(call, context, proceed)

    return [around(one) for one in interceptors if isinstance(one, ToolInterceptor)]


def onion(skins: Sequence[Skin[Given, Made]], core: Callable[[Given], Awaitable[Made]]) -> Proceed[Given, Made]:
    """``core`` with ``skins`` around it, the outermost first."""
    for skin in reversed(skins):
        core = partial(_through, skin, core)
    return core


def _through(skin: Skin[Given, Made], inner: Proceed[Given, Made], given: Given) -> Awaitable[Made]:
    return skin(given, inner)
