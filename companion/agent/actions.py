"""What stands around the model and the tools of a turn: the three stages of acting, and care for sensitive calls."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace

from companion.agent.bus import Bus, EventKind
from companion.agent.handlers import Handlers
from companion.agent.pieces import ActedSource
from companion.agent.remembering import Afterwords
from companion.agent.safety import (
    CONSENT_SECONDS,
    EFFECTS,
    ORIGIN,
    PRIVATE,
    SENSITIVE,
    Consent,
    ConsentRequest,
    Sensitive,
    Source,
    as_data,
)
from companion.agent.stages import Stage, frozen, thawed
from companion.agent.turns import CONFIRM_SECONDS, ToolUse, Turn
from companion.errors import InvalidAnswer, ToolDenied
from companion.model import ChatRequest, FuncTool, Message
from companion.model.deltas import DeltaSource
from companion.model.json_repair import read_json
from companion.model.tool_context import ToolContext
from companion.stream import FuncCall, ToolCall, Transformer

OUTPUT_SEND = "output_send"


class TurnAnswered(Exception):
    """A handler has set ``response``: the model is not listened to any more."""


@asynccontextmanager
async def freely() -> AsyncIterator[None]:
    """Where nobody minds what acts."""
    yield


Acting = Callable[[], AbstractAsyncContextManager[None]]
"""Stands around what changes something."""


class TurnConversation:
    """The messages of one turn; what ``post_action`` makes of them is what the model is shown next."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self.name = f"turn-{turn.number}"

    @property
    def messages(self) -> tuple[Message, ...]:
        return self._turn.messages

    async def record(self, *messages: Message) -> None:
        self._turn.values["context_messages"] = (*self._turn.messages, *messages)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What all turns of an agent share.

    cut: makes pieces of a streamed reply; None takes them as they come. afterwords: None where nothing is ever said
    behind a reply.
    """

    handlers: Handlers
    bus: Bus
    consent: Consent
    cut: Transformer | None = None
    afterwords: Afterwords | None = None


class Actions:
    """An interceptor of one turn: ``stream`` is ``post_action``, ``tool`` the stages around a call.

    closing: goes into every request of the turn, behind all that stays. asked: set once the model was asked.
    """

    def __init__(
        self,
        turn: Turn,
        around: Surroundings,
        tools: Sequence[FuncTool],
        *,
        closing: str = "",
        acting: Acting = freely,
    ) -> None:
        self._turn = turn
        self._around = around
        self._tools = {tool.name: tool for tool in tools}
        self._closing = closing
        self._acting = acting
        self.asked = asyncio.Event()

    async def stream(
        self, request: ChatRequest, proceed: Callable[[ChatRequest], Awaitable[DeltaSource]]
    ) -> DeltaSource:
        context = replace(request.context, closing=self._closing)
        source = await proceed(replace(request, context=context))
        self.asked.set()
        if not self._around.handlers.at(Stage.POST_ACTION, Stage.BEFORE_OUTPUT):
            return source
        return ActedSource(
            source,
            self._act,
            cut=self._around.cut,
            language=self._turn.about.language,
            whole=bool(self._turn.held_back_by),
        )

    async def _act(self, text: str, calls: Sequence[ToolCall]) -> tuple[str, Sequence[ToolCall]]:
        passing: dict[str, object] = {"llm_text": text, "tool_calls": tuple(calls)}
        await self._around.handlers.run(Stage.POST_ACTION, self._turn, passing)
        if self._turn.response is not None:
            raise TurnAnswered
        return str(passing["llm_text"]), passing["tool_calls"]  # type: ignore[return-value]

    async def tool(self, call: ToolCall, context: ToolContext, proceed: Callable[[ToolCall], Awaitable[str]]) -> str:
        arguments = arguments_of(call)
        try:
            call, arguments = await self._allowed(call, arguments)
            result = await self._ran(call, proceed)
        except ToolDenied:
            self._tell(call, "denied")
            raise
        except Exception:
            # What a tool fails with is its own words, too.
            self._turn.taint.add(*self._origin(call.func_call.name))
            self._tell(call, "failed")
            raise
        self._tell(call, "done")
        return await self._given(call, arguments, result)

    async def _allowed(self, call: ToolCall, arguments: object) -> tuple[ToolCall, object]:
        """The call as the handlers want it.

        Raises:
            ToolDenied: it is not to be made.
        """
        name = call.func_call.name
        passing: dict[str, object] = {"name": name, "args": frozen(arguments), "deny": None}
        await self._around.handlers.run(Stage.BEFORE_TOOLCALL, self._turn, passing)
        if self._turn.response is not None:
            raise ToolDenied("the turn was answered without it", tool=name)
        if passing["deny"] is not None:
            raise ToolDenied(f"denied: {passing['deny']}", tool=name)
        wanted = thawed(passing["args"])
        if wanted != arguments or passing["name"] != name:
            text = call.func_call.arguments if wanted == arguments else json.dumps(wanted, ensure_ascii=False)
            call = replace(call, func_call=FuncCall(str(passing["name"]), text))
        await self._take_care(call, wanted)
        return call, wanted

    async def _take_care(self, call: ToolCall, arguments: object) -> None:
        name = call.func_call.name
        turn = self._turn
        why = self._why_sensitive(name, arguments)
        if (
            why is None
            or name in turn.may
            or not turn.taint.needs_yes(why, arguments, turn.said if _is_users(turn) else "")
        ):
            return
        given = arguments if isinstance(arguments, Mapping) else {}
        moved_by = turn.taint.marks
        request = ConsentRequest(why, name, given, moved_by, turn.about.language, {"turn": turn})
        try:
            async with asyncio.timeout(CONSENT_SECONDS):
                is_allowed = await self._around.consent.ask(request)
        except TimeoutError:
            is_allowed = False
        if not is_allowed:
            raise ToolDenied(
                f"denied: a {why} after reading {', '.join(moved_by)} needs the user's yes",
                tool=name,
                mend="ask the user",
            )

    def _why_sensitive(self, name: str, arguments: object) -> Sensitive | None:
        tool = self._tools.get(name)
        marked = tool.meta.get(SENSITIVE) if tool is not None else None
        if marked:
            return marked if isinstance(marked, Sensitive) else Sensitive.TOOL
        if name == OUTPUT_SEND and isinstance(arguments, Mapping):
            return Sensitive.NEW_CHANNEL if arguments.get("channel") != self._turn.about.channel else None
        return None

    async def _ran(self, call: ToolCall, proceed: Callable[[ToolCall], Awaitable[str]]) -> str:
        """What the tool gives. One that acts waits until the turn is sure to be answered."""
        tool = self._tools.get(call.func_call.name)
        if tool is not None and tool.meta.get(EFFECTS) is False:
            return await proceed(call)
        try:
            async with asyncio.timeout(CONFIRM_SECONDS):
                await self._turn.confirmed.wait()
        except TimeoutError:
            raise ToolDenied("denied: the user had not finished speaking", tool=call.func_call.name) from None
        async with self._acting():
            return await proceed(call)

    async def _given(self, call: ToolCall, arguments: object, result: str) -> str:
        name = call.func_call.name
        source, whose = self._origin(name)
        if source in PRIVATE:
            self._turn.private.calls.add(call.id)
        passing: dict[str, object] = {"name": name, "args": frozen(arguments), "tool_result": result}
        await self._around.handlers.run(Stage.AFTER_TOOLCALL, self._turn, passing, is_private=source in PRIVATE)
        result = str(passing["tool_result"])
        self._turn.tools.append(ToolUse(name, call.func_call.arguments, result))
        self._turn.taint.add(source, whose)
        return result if source is Source.RECEIPT else as_data(name, result)

    def _origin(self, name: str) -> tuple[Source, str]:
        """Where the words of a tool come from, and by what name."""
        tool = self._tools.get(name)
        source = Source(str((tool.meta if tool is not None else {}).get(ORIGIN, Source.TOOL)))
        return source, "" if source is Source.MEMORY else name

    def _tell(self, call: ToolCall, status: str) -> None:
        self._around.bus.publish(
            EventKind.TOOL_CALL, "model", turn=self._turn.number, tool=call.func_call.name, id=call.id, status=status
        )


def _is_users(turn: Turn) -> bool:
    return turn.about.origin == "user"


def arguments_of(call: ToolCall) -> object:
    """What the model wrote, as values; none where it cannot be read, which the tool then says."""
    text = call.func_call.arguments
    try:
        value = read_json(text) if text.strip() else {}
    except (ValueError, InvalidAnswer):
        return {}
    return value if isinstance(value, dict) else {}
