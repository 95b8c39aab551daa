"""Recogniser, agent and voices as one Transformer: somebody's words in, the agent's text and sound out.

Laws:

1. Text is never held up by a voice: each piece can be pulled as soon as the agent has written it.
2. A new route of the user's interrupts the answer before it: what was not pulled of that is dropped and
   its channels end, before anything of the new route can be pulled.
3. Every answer has a stream id of its own, one begin, and one end of each channel.
4. What a recogniser, an agent or a voice does wrong (data before its begin, a second begin, anything
   behind an end, no end, silence for too long) is an error of that one route; the stream goes on.
5. Closing the output closes everything behind it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Coroutine
from dataclasses import dataclass, field, replace
from typing import Any

from companion.errors import CompanionError, InactiveResponse, ModelError, RouteError, StreamError, Unsupported
from companion.model import ChatRole, Contents, Generator, Message, ModelContext
from companion.stream import (
    Blob,
    MessageChunk,
    PulledStream,
    Role,
    Stream,
    StreamCtrl,
    Text,
    Transformer,
    begin_of_stream,
    end_of_stream,
)
from companion.stream.invocation import Invocation
from companion.stream.lifecycle import Route
from companion.stream.outlet import DeliveryObserver
from companion.stream.response import Response
from companion.stream.tasks import Tasks
from companion.voice.child import Child
from companion.voice.docked import DockedReply, Patience, Voices, reason

logger = logging.getLogger(__name__)

Ask = Callable[[Message], ModelContext]
"""What the agent is asked when the user has said something; the conversation is the caller's."""

MOST_UNREAD = 32 * 1024 * 1024
"""Bytes that may wait for the reader: twelve minutes of speech. Beyond, the stream fails."""


def only_this(message: Message) -> ModelContext:
    """A context without a past."""
    return ModelContext(messages=(message,))


class AudioDock:
    """A Transformer around an agent.

    The user's routes (role ``user``, or none) come out with their words: what is typed at once, what is
    spoken when ``hear`` has made it out. When a route ends its words are put to the agent, if no newer one
    has begun. Chunks of other roles pass through.

    generator: the agent. model: handed to it. ask: makes its context.
    voices: the voice of a speaker by name (that of the agent's chunks); None where it is only written.
    hear: the recogniser; without one, sound is an error of its route.
    observer: told what the reader has pulled and what it never will, for a history of what was delivered.
    """

    def __init__(
        self,
        generator: Generator,
        *,
        voices: Voices,
        hear: Transformer | None = None,
        ask: Ask = only_this,
        model: str = "",
        patience: Patience | None = None,
        most_unread: int = MOST_UNREAD,
        observer: DeliveryObserver | None = None,
    ) -> None:
        self.generator = generator
        self.voices = voices
        self.hear = hear
        self.ask = ask
        self.model = model
        self.patience = patience or Patience()
        self.most_unread = most_unread
        self.observer = observer

    async def transform(self, source: Stream) -> PulledStream:
        call = _Call(self, source)
        return PulledStream(call.read(), source, call.invocation.stream)


@dataclass(slots=True)
class _Said:
    """One route of the user's, and the response it comes out as."""

    key: str
    """Its stream id in the source, which may be empty."""
    echo: Response
    route: Route
    name: str
    label: str
    words: list[Text] = field(default_factory=list)
    ears: Child | None = None
    """What hears its sound, while there may be more of it."""
    hearing: asyncio.Task[None] | None = None
    is_answered: bool = False
    is_over: bool = False
    error: str = ""

    @property
    def message(self) -> Message:
        text = "".join(part.text for part in self.words)
        language = next((part.language for part in self.words if part.language), "")
        return Message(ChatRole.USER, Contents((Text(text, language),)), self.name)


class _Call:
    """One call: reads the source, passes the user's words on, and has them answered."""

    def __init__(self, dock: AudioDock, source: Stream) -> None:
        self._dock = dock
        self._source = source
        self.invocation = Invocation(max_bytes=dock.most_unread, observer=dock.observer)
        self._tasks = Tasks(on_failure=self.invocation.fail)
        self._running: set[asyncio.Task[None]] = set()
        self._said: dict[str, _Said] = {}
        self._newest: _Said | None = None
        self._passing: dict[str, Response] = {}
        self._reply: DockedReply | None = None
        self._replying: asyncio.Task[None] | None = None

    async def read(self) -> AsyncGenerator[MessageChunk, None]:
        self._tasks.start(self._listen(), name="dock")
        try:
            async for chunk in self.invocation.stream:
                yield chunk
        finally:
            await self._tasks.close()

    # -- what comes in

    async def _listen(self) -> None:
        try:
            async for chunk in self._source:
                self._take(chunk)
            for said in list(self._said.values()):
                # Its maker has gone without a word; what was said still wants an answer.
                self._end(said, "")
            while self._running:
                await asyncio.wait(self._running)
        except StreamError as error:
            self.invocation.fail(error)
        else:
            self.invocation.done()

    def _take(self, chunk: MessageChunk) -> None:
        if chunk.role not in (None, Role.USER):
            self._pass(chunk)
            return
        said = self._said.get(chunk.stream_id) or self._begin(chunk)
        if said is None:
            return
        said.name = said.name or chunk.name
        own = replace(chunk, role=Role.USER, ctrl=replace(chunk.ctrl or StreamCtrl(), stream_id=said.route.stream_id))
        try:
            said.route.accept(own)
            self._hear(said, own)
        except (ModelError, RouteError, InactiveResponse) as error:
            self._fail(said, error)

    def _pass(self, chunk: MessageChunk) -> None:
        response = self._passing.get(chunk.stream_id)
        if response is None:
            response = self._passing[chunk.stream_id] = self.invocation.start_response(chunk.stream_id)
        self.invocation.emit(response, chunk)
        if not response.is_active:
            del self._passing[chunk.stream_id]

    def _begin(self, chunk: MessageChunk) -> _Said | None:
        label = chunk.ctrl.label if chunk.ctrl else ""
        try:
            echo = self.invocation.start_response(chunk.stream_id, role=Role.USER, name=chunk.name, label=label)
        except RouteError as error:
            logger.debug("dropped: %s", error)
            return None
        self._interrupt()
        said = _Said(chunk.stream_id, echo, Route(echo.stream_id), chunk.name, label)
        self._newest = self._said[chunk.stream_id] = said
        return said

    def _hear(self, said: _Said, chunk: MessageChunk) -> None:
        match chunk.part:
            case Blob():
                self._hear_sound(said, chunk)
            case Text() as text:
                said.words.append(text)
                self.invocation.emit(said.echo, chunk)
            case None if chunk.is_end:
                self._end(said, chunk.ctrl.error if chunk.ctrl else "")
                return
            case None:
                self.invocation.emit(said.echo, chunk)
        if chunk.is_end:
            self._end_words(said)

    # -- the user's words

    def _hear_sound(self, said: _Said, chunk: MessageChunk) -> None:
        if self._dock.hear is None:
            raise Unsupported(f"stream {said.key!r}: nobody here hears sound", mend="give the dock a recogniser")
        if said.hearing is None:
            said.ears = Child("the recogniser", self._dock.hear, self._dock.patience.ears)
            said.ears.add(begin_of_stream(said.echo.stream_id, role=Role.USER, label=said.label))
            said.hearing = self._start(self._make_out(said, said.ears), "ears")
        if said.ears is not None:
            said.ears.add(chunk)

    async def _make_out(self, said: _Said, ears: Child) -> None:
        try:
            await ears.run(lambda chunk: self._take_words(said, chunk))
        except CompanionError as error:
            said.hearing = None
            self._fail(said, error)
        else:
            said.hearing = None
            self._end_words(said)

    def _take_words(self, said: _Said, chunk: MessageChunk) -> None:
        if chunk.ctrl is not None and chunk.ctrl.error:
            raise RouteError(chunk.ctrl.error)
        if isinstance(chunk.part, Text) and (chunk.part.text or chunk.is_end):
            said.words.append(chunk.part)
            self.invocation.emit(said.echo, chunk)

    def _end(self, said: _Said, error: str) -> None:
        """The route is over."""
        said.is_over, said.error = True, said.error or error
        if said.error and said.hearing is not None:
            said.hearing.cancel()
            said.hearing = None
        self._end_words(said)

    def _end_words(self, said: _Said) -> None:
        """No more is said on the route, though it may still be being heard."""
        if said.ears is not None:
            said.ears.add(end_of_stream(said.echo.stream_id, role=Role.USER, label=said.label))
            said.ears.finish()
            said.ears = None
        if said.hearing is not None:
            return
        if not said.is_answered and not said.error:
            said.is_answered = True
            self._answer(said)
        if said.is_over:
            self.invocation.end(said.echo, said.error)
            self._said.pop(said.key, None)

    def _fail(self, said: _Said, error: CompanionError) -> None:
        logger.warning("stream %r: %s", said.key, error)
        said.error = said.error or reason(error)
        self._end(said, said.error)

    # -- the answer

    def _answer(self, said: _Said) -> None:
        message = said.message
        if said is not self._newest or not message.text.strip():
            return
        dock = self._dock
        self._reply = DockedReply(self.invocation, dock.voices, dock.patience)
        answering = self._reply.run(dock.generator, dock.ask(message), model=dock.model)
        self._replying = self._start(answering, "reply")

    def _interrupt(self) -> None:
        if self._reply is not None and self._replying is not None:
            self._reply.interrupt()
            self._replying.cancel()
            self._reply = self._replying = None

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        task = self._tasks.start(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task
