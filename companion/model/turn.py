"""One turn of a chat model: it is asked, the tools it calls are run, and it is asked again, until it has answered.

Laws:

1. The events come in the order of ``companion.model.event_order``; an error is told, then the end, then it is raised.
2. The conversation gets what was asked, each answer before its tools run, and one result for every call, even when the
   turn is cancelled in the middle of them. A broken answer leaves nothing in it.
3. System text is made anew for each turn and is not recorded.
4. Who listens too slowly slows the turn down and uses up none of its time; one who raises ends it.
5. When the rounds are used up, or a model repeats itself, it is asked once more, without tools.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from companion.errors import BadInput, SessionError, Unsupported
from companion.model.chat_options import ChatOptions
from companion.model.context import ModelContext, SystemPrompt
from companion.model.conversation import Conversation
from companion.model.deltas import DeltaSource
from companion.model.events import (
    Error,
    Event,
    Raw,
    ResponseEnd,
    ResponseStart,
    StepEnd,
    StepStart,
    TextDelta,
    TextEnd,
    TextStart,
)
from companion.model.gathered import Gathered, gather
from companion.model.interceptor import Draft, Interceptor, around_calls, around_streams, onion, preparers
from companion.model.message import ChatRole, Message
from companion.model.patient import PatientReader, refusal_of
from companion.model.prompt import Prompt
from companion.model.raw_budget import RawBudget
from companion.model.request import Calling, ChatBackend, ChatRequest, ToolChoice, answered_by
from companion.model.response import ChatResponse
from companion.model.step_reader import StepReader
from companion.model.structured import form_in_words
from companion.model.teaching import Teaching, with_talents
from companion.model.tool_context import ToolContext
from companion.model.tool_loop import CANCELLED, Outcome, ToolLoop
from companion.stream import Status, Text, ToolCall, Usage

logger = logging.getLogger(__name__)

Tell = Callable[[Event], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a turn is to be.

    interceptors: the outermost first. prompts: the system texts that the model begins with.
    is_streamed: the answers shall come in pieces.
    """

    backend: ChatBackend
    options: ChatOptions
    asked: Prompt
    conversation: Conversation
    prompts: tuple[SystemPrompt, ...] = ()
    interceptors: tuple[Interceptor, ...] = ()
    talents: tuple[Teaching, ...] = ()
    is_streamed: bool = True


class Turn:
    """Runs once."""

    def __init__(self, plan: Plan, tell: Tell) -> None:
        self._plan = plan
        self._listener = tell
        self._is_deaf = False
        """Whether the listener has raised; nothing more is told then."""
        self._time: asyncio.Timeout | None = None
        self._silence = plan.options.silence
        self._events: list[Event] = []
        self._added: list[Message] = []
        self._raw_budget = RawBudget()
        self._usage = Usage()
        self._answered_by: list[str] = []
        self._call_ids = _ids_of_calls(plan.conversation)

    async def run(self) -> ChatResponse:
        """Run the turn to its end.

        Raises:
            ModelError, StreamBlocked: the model failed, or refused.
            TimeoutError: it said nothing for too long, or the turn took too long.
            BadInput: nothing was asked.
            BadTool: a tool cannot be offered as it is declared.
            Exception: what the listener raised.
        """
        try:
            await self._tell(ResponseStart())
            response = await self._in_time()
            await self._tell(ResponseEnd(response.finish_reason, self._usage))
        except Exception as error:
            if not self._is_deaf:
                await self._tell(Error(error))
                await self._tell(ResponseEnd("error", self._usage))
            raise
        return replace(
            response,
            usage=self._usage,
            messages=tuple(self._added),
            events=tuple(self._events),
            raw=tuple(event.data for event in self._events if isinstance(event, Raw)),
            answered_by=tuple(self._answered_by),
        )

    async def _in_time(self) -> ChatResponse:
        deadline = self._plan.options.deadline
        limit = asyncio.timeout(deadline)
        try:
            async with limit:
                self._time = limit
                return await self._answer()
        except TimeoutError as error:
            if limit.expired():
                raise TimeoutError(f"the turn took longer than {deadline:g} s") from error
            raise
        finally:
            self._time = None

    async def _tell(self, event: Event) -> None:
        if not isinstance(event, Raw) or self._raw_budget.takes(event.data):
            self._events.append(event)
        limit, clock = self._time, asyncio.get_running_loop().time
        until = limit.when() if limit is not None else None
        if limit is not None:
            limit.reschedule(None)
        began = clock()
        try:
            await self._listener(event)
        except BaseException:
            self._is_deaf = True
            raise
        if limit is not None and until is not None:
            limit.reschedule(until + clock() - began)

    async def _answer(self) -> ChatResponse:
        draft = await self._prepare()
        context = ToolContext(draft.session, attributes=draft.options.attributes)
        loop = ToolLoop(draft.options, self._plan.interceptors, context)
        step = 1
        while True:
            is_last = loop.is_over or step > draft.options.most_rounds
            gathered = await self._ask(step, draft, is_last=is_last)
            if not gathered.calls or loop.is_for_the_caller(gathered.calls) or not draft.options.runs_tools:
                await self._close_step(step, gathered)
                return _response(gathered, gathered.calls)
            outcomes = await self._run_tools(step, gathered, None if is_last else loop)
            if is_last:
                return replace(_response(gathered, ()), finish_reason="length")
            if loop.is_direct(gathered.calls, outcomes):
                return await self._say_directly(step + 1, outcomes)
            step += 1

    async def _prepare(self) -> Draft:
        plan = self._plan
        told = [message for message in plan.asked if message.role is ChatRole.SYSTEM]
        said = [message for message in plan.asked if message.role is not ChatRole.SYSTEM]
        if not said and not plan.conversation.messages:
            raise BadInput("nothing was asked, and there is no conversation to go on with")
        await self._keep(*said)
        prompts = (*plan.prompts, *(SystemPrompt("system", message.text) for message in told))
        options = replace(plan.options, attributes={**plan.options.attributes, **plan.asked.attributes})
        draft = Draft(prompts, options, plan.asked, plan.conversation.name)
        for interceptor in preparers(plan.interceptors):
            draft = await interceptor.prepare(draft)
        self._silence = draft.options.silence
        return with_talents(draft, plan.talents)

    async def _ask(self, step: int, draft: Draft, *, is_last: bool) -> Gathered:
        await self._tell(StepStart(step))
        reader = StepReader(self._call_ids)
        request = self._request(step, draft, is_last=is_last)
        try:
            await self._read_somehow(request, reader, is_last=is_last)
        finally:
            gathered = reader.gathered
            self._usage += gathered.usage
        return gathered

    async def _read_somehow(self, request: ChatRequest, reader: StepReader, *, is_last: bool) -> None:
        """Ask, and ask simpler who cannot be asked so."""
        while True:
            try:
                await self._read(request, reader)
                return
            except Unsupported:
                simpler = _simpler(request, is_last=is_last)
                if simpler is None or not isinstance(self._events[-1], StepStart):
                    raise
            request = simpler

    def _request(self, step: int, draft: Draft, *, is_last: bool) -> ChatRequest:
        options = draft.options
        tools = options.tools or ()
        choice = options.tool_choice
        if choice is not None and choice.calling is Calling.FORCED and step > 1:
            # Once is what was asked for; to force it again and again would never end.
            choice = ToolChoice(Calling.ALLOWED, choice.names)
        if is_last:
            choice = ToolChoice(Calling.FORBIDDEN)
        return ChatRequest(
            ModelContext(draft.prompts, self._messages(), params=options.params, tools=tools),
            model=options.model,
            tool_choice=choice if tools else None,
            answer_form=options.answer_form,
            is_streamed=self._plan.is_streamed,
            is_without_tools=options.tools == (),
            attributes=options.attributes,
            specific=options.specific,
        )

    def _messages(self) -> tuple[Message, ...]:
        """What the model is shown; never without what was asked, even where the conversation has let go of it."""
        shown = self._plan.conversation.messages
        if any(message.role is ChatRole.USER for message in shown):
            return shown
        asked = tuple(message for message in self._plan.asked if message.role is ChatRole.USER)
        return (*asked, *shown)

    async def _read(self, request: ChatRequest, reader: StepReader) -> None:
        """Ask, and tell what is answered."""
        if request.is_streamed:
            await self._read_pieces(request, reader)
            return
        gathered = await onion(around_calls(self._plan.interceptors), self._ask_for_all)(request)
        for delta in gathered.deltas():
            await self._tell_all(reader.feed(delta))
        await self._tell_all(reader.end())

    async def _ask_for_all(self, request: ChatRequest) -> Gathered:
        source = await self._plan.backend.ask(request)
        try:
            # It says nothing until it has all of it.
            gathered = await gather(source, silence=self._plan.options.deadline)
            self._note_who_answered(source)
        finally:
            await source.close()
        if (refused := refusal_of(gathered.finished)) is not None:
            raise refused
        return gathered

    async def _read_pieces(self, request: ChatRequest, reader: StepReader) -> None:
        source = await onion(around_streams(self._plan.interceptors), self._plan.backend.ask)(request)
        try:
            patient = PatientReader(source, self._silence)
            while (delta := await patient.next()) is not None:
                await self._tell_all(reader.feed(delta))
            state = patient.state()
            self._note_who_answered(source)
            if state.status is Status.BLOCKED:
                raise state.error()
            await self._tell_all(reader.end())
        finally:
            await source.close()

    def _note_who_answered(self, source: DeltaSource) -> None:
        names = answered_by(source, self._plan.backend)
        self._answered_by += [name for name in names if name not in self._answered_by]

    async def _tell_all(self, events: Sequence[Event]) -> None:
        for event in events:
            await self._tell(event)

    async def _close_step(self, step: int, gathered: Gathered) -> None:
        # First, because who has heard the end may leave.
        await self._record(*gathered.messages)
        await self._tell(StepEnd(step, gathered.finish_reason))

    async def _run_tools(self, step: int, gathered: Gathered, loop: ToolLoop | None) -> list[Outcome]:
        """What became of the calls; without a loop nothing is run any more."""
        calls = gathered.calls
        outcomes: list[Outcome] = []
        try:
            await self._close_step(step, gathered)
            if loop is not None:
                await loop.answer(calls, outcomes, self._tell)
            else:
                for call in calls:
                    outcomes.append(Outcome.too_late(call))
                    await self._tell(outcomes[-1].answer(call))
        finally:
            outcomes += [CANCELLED] * (len(calls) - len(outcomes))
            answered = zip(calls, outcomes, strict=True)
            await self._record(*(outcome.message(call) for call, outcome in answered))
        return outcomes

    async def _say_directly(self, step: int, outcomes: Sequence[Outcome]) -> ChatResponse:
        """What the tools gave is the answer, in a step of its own that no model took part in."""
        text = "\n".join(outcome.result for outcome in outcomes)
        await self._tell_all([StepStart(step), TextStart(), TextDelta(text), TextEnd()])
        await self._record(Message.of(ChatRole.ASSISTANT, text))
        await self._tell(StepEnd(step, "tool"))
        return ChatResponse((Text(text),), (), "tool")

    async def _record(self, *messages: Message) -> None:
        """Add to the conversation what this turn has come to."""
        self._added.extend(messages)
        await self._keep(*messages)

    async def _keep(self, *messages: Message) -> None:
        if not messages:
            return
        try:
            await self._plan.conversation.record(*messages)
        except SessionError as error:
            # The conversation goes on; only its file lacks these.
            logger.warning("a conversation could not be kept: %s", error)


def _response(gathered: Gathered, calls: tuple[ToolCall, ...]) -> ChatResponse:
    """The answer of the last step, of which ``calls`` are left to the caller."""
    return ChatResponse(gathered.blocks, calls, gathered.finish_reason, provider_reason=gathered.provider_reason)


def _ids_of_calls(conversation: Conversation) -> set[str]:
    return {message.payload.id for message in conversation.messages if isinstance(message.payload, ToolCall)}


def _simpler(request: ChatRequest, *, is_last: bool) -> ChatRequest | None:
    """The same question for who cannot be asked in this way; None where it cannot be put simpler."""
    context = request.context
    if request.answer_form is not None:
        prompts = (*context.prompts, form_in_words(request.answer_form))
        return replace(request, context=replace(context, prompts=prompts), answer_form=None)
    if is_last and context.tools:
        return replace(request, context=replace(context, tools=()), tool_choice=None, is_without_tools=True)
    return None
