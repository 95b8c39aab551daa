"""Chat backends of what is none: any Generator answers a chat request."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import replace

from companion.errors import BadInput, EndOfStream, StreamBlocked, StreamFailed, Unsupported
from companion.model.calls import CallDelta
from companion.model.deltas import BlobDelta, Counted, Delta, DeltaSource, Finish, Finished, TextDelta
from companion.model.generator import Generator
from companion.model.request import Calling, ChatBackend, ChatRequest
from companion.model.tool import Tool
from companion.stream import Blob, MessageChunk, Role, Status, Stream, Text


def backend_of(generator: Generator | ChatBackend, *, name: str = "") -> ChatBackend:
    """Who answers chat requests by ``generator``; itself where it does already.

    name: who it is, for people; empty for the name of its class.

    Raises:
        BadInput: it is none of both.
    """
    if isinstance(generator, ChatBackend):
        return generator
    if not isinstance(generator, Generator):
        raise BadInput(
            f"{type(generator).__name__} answers no chat",
            mend="give it name and ask, or generate_stream and invoke",
        )
    return GeneratorBackend(generator, name or type(generator).__name__)


class GeneratorBackend:
    """A Generator as a ChatBackend."""

    def __init__(self, generator: Generator, name: str) -> None:
        self._generator = generator
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    async def ask(self, request: ChatRequest) -> DeltaSource:
        """Start an answer.

        Raises:
            Unsupported: a tool has to be called, to which a generator cannot be held.
            ModelError: as the generator.
        """
        context = replace(request.context, tools=_offered(request))
        if request.answer_form is None:
            return _StreamSource(await self._generator.generate_stream(context, model=request.model))
        if context.tools:
            raise Unsupported(f"{self._name} cannot be offered tools and be held to a form of its answer")
        usage, call = await self._generator.invoke(context, request.answer_form, model=request.model)
        return ReadySource([TextDelta(call.arguments), Counted(usage), Finished(Finish.STOP)], (self._name,))


def _offered(request: ChatRequest) -> tuple[Tool, ...]:
    choice = request.tool_choice
    if choice is not None and choice.calling is Calling.FORCED:
        raise Unsupported("this model cannot be made to call a tool", mend="allow calls, or choose another model")
    return request.callable_tools()


class ReadySource:
    """Deltas that are all there. answered_by: whose they are."""

    def __init__(self, deltas: Iterable[Delta], answered_by: tuple[str, ...]) -> None:
        self.answered_by = answered_by
        self._deltas = deque(deltas)

    async def next(self) -> Delta:
        if not self._deltas:
            raise EndOfStream
        return self._deltas.popleft()

    async def close(self) -> None:
        self._deltas.clear()


class _StreamSource:
    """What the chunks of an answer say, as deltas."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._waiting: deque[Delta] = deque()
        self._calls = 0
        self._is_over = False

    async def next(self) -> Delta:
        while not self._waiting:
            if self._is_over:
                raise EndOfStream
            await self._pull()
        return self._waiting.popleft()

    async def close(self) -> None:
        self._is_over = True
        self._waiting.clear()
        await self._stream.close()

    async def _pull(self) -> None:
        try:
            self._waiting.extend(self._deltas_of(await self._stream.next()))
        except EndOfStream:
            self._finish()
        except StreamBlocked as error:
            self._finish(error.refusal)
        except StreamFailed as error:
            if error.__cause__ is None:
                raise
            failure = error.__cause__
        else:
            return
        if self._is_over:
            return
        # Out here, because inside the error would become a cause of its own cause.
        raise failure

    def _deltas_of(self, chunk: MessageChunk) -> list[Delta]:
        deltas: list[Delta] = []
        if chunk.tool_call is not None:
            call = chunk.tool_call
            deltas.append(
                CallDelta(self._calls, call.id, call.func_call.name, call.func_call.arguments, call.signature)
            )
            self._calls += 1
        match chunk.part:
            case Text(text) if text and chunk.role is not Role.USER:
                deltas.append(TextDelta(text))
            case Blob(data=data) if data:
                deltas.append(BlobDelta(chunk.part))
        return deltas

    def _finish(self, refusal: str = "") -> None:
        self._is_over = True
        state = self._stream.state
        if state is not None:
            self._waiting.append(Counted(state.usage))
        if refusal:
            self._waiting.append(Finished(Finish.REFUSED, refusal))
        elif state is not None and state.status is Status.TRUNCATED:
            self._waiting.append(Finished(Finish.LENGTH))
        else:
            self._waiting.append(Finished(Finish.TOOL_CALLS if self._calls else Finish.STOP))
