"""A chat model: asked in messages, it answers in messages, and uses tools on the way.

It is a Generator and a ChatBackend as well, so that models, routers and failovers stand in for one another. Asked in
either of those ways it answers one question, with its system texts, tools and options, through the interceptors of
streams; the calls it makes are its caller's to answer, and there is no conversation.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial

from companion.model.answer_stream import answer_of
from companion.model.backends import backend_of
from companion.model.chat_events import ChatEvents
from companion.model.chat_options import ChatOptions, CommonOption, Option, with_tools
from companion.model.context import ModelContext, SystemPrompt
from companion.model.conversation import Conversation, PassingConversation
from companion.model.deltas import DeltaSource
from companion.model.events import Event
from companion.model.generator import Generator
from companion.model.interceptor import Interceptor, around_streams, in_order, onion
from companion.model.prompt import Prompt, PromptLike
from companion.model.request import ChatBackend, ChatRequest
from companion.model.response import ChatResponse
from companion.model.structured import by_text, by_tool_call, invoke_by
from companion.model.teaching import Teaching
from companion.model.tool import FuncTool
from companion.model.tool_provider import Offered
from companion.model.turn import Plan, Tell, Turn
from companion.stream import FuncCall, Stream, Usage

Sink = Callable[[Event], Awaitable[None] | None]
"""Is told of every event, in order. What it raises ends the turn."""


class ChatModel:
    """One chat model. It never changes; ``with_...`` gives another one.

    backend: who answers; any Generator will do.
    tools: what it may call; none given leaves it to ``options``. options: how it answers where a request does not say.
    interceptors: what stands around its turns. talents: what it is given where a prompt asks for it.
    prompts: the system texts every turn begins with.

    Raises:
        BadInput: the backend answers no chat, or an interceptor has none of the methods of one.
        BadTool: something is offered that is no tool.
    """

    def __init__(
        self,
        backend: ChatBackend | Generator,
        *,
        tools: Iterable[Offered] = (),
        options: Iterable[Option] = (),
        interceptors: Iterable[Interceptor] = (),
        talents: Iterable[Teaching] = (),
        prompts: Iterable[SystemPrompt] = (),
    ) -> None:
        self._backend = backend_of(backend)
        offered = tuple(tools)
        self._given = (*options, *([with_tools(offered)] if offered else []))
        self._options = ChatOptions().merged(*self._given)
        self._interceptors = in_order(interceptors)
        self._talents = tuple(talents)
        self._prompts = tuple(prompts)

    @property
    def name(self) -> str:
        return self._backend.name

    @property
    def chat_options(self) -> ChatOptions:
        """How it answers where a request does not say."""
        return self._options

    def with_tools(self, tools: Iterable[Offered]) -> ChatModel:
        """The same model with these tools in place of its own; with an empty list it has none at all.

        Raises:
            BadTool: one of them is none.
        """
        return self.with_options(with_tools(tools))

    def with_options(self, *options: Option) -> ChatModel:
        """The same model with these options on top of its own."""
        return ChatModel(
            self._backend,
            options=(*self._given, *options),
            interceptors=self._interceptors,
            talents=self._talents,
            prompts=self._prompts,
        )

    def prompt(self, asked: PromptLike = None) -> Asking:
        """Ask in a chain: ``await model.prompt("Hello").session(talk).call()``. None asks it to go on."""
        return Asking(self, Prompt.of(asked))

    async def generate(self, messages: PromptLike, *options: Option) -> ChatResponse:
        """The whole answer. Raises what ``Asking.call`` raises."""
        return await self.prompt(messages).options(*options).call()

    def stream(self, messages: PromptLike, *options: Option) -> ChatEvents:
        """The answer as it comes."""
        return self.prompt(messages).options(*options).stream()

    async def ask(self, request: ChatRequest) -> DeltaSource:
        """Answer one question, through the interceptors of streams; what the request leaves open is as the options say.

        Raises:
            ModelError, TimeoutError: as the backend.
        """
        return await onion(around_streams(self._interceptors), self._backend.ask)(self._completed(request))

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        return answer_of(await self.ask(ChatRequest(context, model)), silence=self._options.silence)

    async def invoke(self, context: ModelContext, tool: FuncTool, *, model: str = "") -> tuple[Usage, FuncCall]:
        """Have ``tool`` called: by the form of an answer, by a call of it, or by words, whichever the backend can.

        A backend that knows how it is done best does it, where nothing stands around its answers.
        """
        if (own := self._own_invoke(context, model)) is not None:
            generator, asked = own
            return await generator.invoke(asked.context, tool, model=asked.model)
        bare = self.with_options(CommonOption(lambda options: replace(options, tools=(), answer_form=None)))

        async def by_form(context: ModelContext, tool: FuncTool) -> Stream:
            request = ChatRequest(replace(context, tools=()), model, answer_form=tool)
            return answer_of(await bare.ask(request), silence=self._options.silence)

        generate = bare.generate_stream
        ways = [by_form, by_tool_call(generate, model=model), by_text(generate, model=model)]
        return await invoke_by(ways, context, tool)

    def _own_invoke(self, context: ModelContext, model: str) -> tuple[Generator, ChatRequest] | None:
        """Who is asked for a call, and how; None where that way would leave something of this model out."""
        if not isinstance(self._backend, Generator) or around_streams(self._interceptors):
            return None
        request = self._completed(ChatRequest(context, model))
        if request.attributes or request.specific:
            return None
        return self._backend, replace(request, context=replace(request.context, tools=()))

    def _completed(self, request: ChatRequest) -> ChatRequest:
        options, context = self._options, request.context
        offered = () if request.is_without_tools else context.tools or options.tools
        completed = replace(
            context,
            prompts=(*self._prompts, *context.prompts),
            params=options.params.merged(context.params),
            tools=offered or (),
        )
        return replace(
            request,
            context=completed,
            model=request.model or options.model,
            tool_choice=request.tool_choice or (options.tool_choice if completed.tools else None),
            answer_form=request.answer_form or options.answer_form,
            is_without_tools=offered == (),
            attributes={**options.attributes, **request.attributes},
            specific=(*options.specific, *request.specific),
        )

    def plan(self, asking: Asking) -> Plan:
        """What the turn of ``asking`` is to be."""
        return Plan(
            self._backend,
            self._options.merged(*asking.chosen),
            asking.asked,
            asking.conversation or PassingConversation(),
            (*self._prompts, *asking.prompts),
            self._interceptors,
            self._talents,
        )


@dataclass(frozen=True, slots=True)
class Asking:
    """One question to a chat model in the making; each call gives another one, so that a beginning can be shared.

    asked: what is new. conversation: what it goes on with; None for one that ends with the turn.
    """

    model: ChatModel
    asked: Prompt
    conversation: Conversation | None = None
    role_text: str = ""
    instruction_text: str = ""
    chosen: tuple[Option, ...] = ()

    def session(self, conversation: Conversation) -> Asking:
        """Go on with this conversation, and record in it."""
        return replace(self, conversation=conversation)

    def role(self, text: str) -> Asking:
        """Who the model is."""
        return replace(self, role_text=text)

    def instruction(self, text: str) -> Asking:
        """What it shall mind."""
        return replace(self, instruction_text=text)

    def options(self, *options: Option) -> Asking:
        """How it shall answer, on top of what was said before."""
        return replace(self, chosen=(*self.chosen, *options))

    @property
    def prompts(self) -> tuple[SystemPrompt, ...]:
        """Role and instruction as system text."""
        head = f"# Role: {self.role_text}" if self.role_text else ""
        text = "\n\n".join(part for part in (head, self.instruction_text) if part)
        return (SystemPrompt("role", text),) if text else ()

    async def call(self) -> ChatResponse:
        """The answer, asked for as a whole.

        Raises:
            ModelError, StreamBlocked: the model failed, or refused.
            TimeoutError: it took too long.
            BadInput: nothing was asked.
            BadTool: a tool cannot be offered as it is declared.
        """
        return await Turn(replace(self.model.plan(self), is_streamed=False), _nobody).run()

    def stream(self) -> ChatEvents:
        """The answer as it comes, pulled event by event."""
        return ChatEvents(partial(_run, self.model.plan(self)))

    async def stream_to(self, sink: Sink) -> ChatResponse:
        """The answer as it comes, told to ``sink``, and in the end as a whole.

        Raises what ``call`` and the sink raise.
        """

        async def tell(event: Event) -> None:
            waiting = sink(event)
            if inspect.isawaitable(waiting):
                await waiting

        return await _run(self.model.plan(self), tell)

    async def call_stream(self) -> ChatResponse:
        """The answer, asked for in pieces and given as a whole, with its events. Raises what ``call`` raises."""
        return await _run(self.model.plan(self), _nobody)


async def _run(plan: Plan, tell: Tell) -> ChatResponse:
    return await Turn(plan, tell).run()


async def _nobody(event: Event) -> None:
    """Keeps nothing: the response has all events."""
