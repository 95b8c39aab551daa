"""The reply of a model as a Stream: its words, past ``before_output``, until a handler answers in its place."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Protocol

from companion.agent.actions import Surroundings
from companion.agent.bus import EventKind
from companion.agent.pieces import Piece
from companion.agent.remembering import AFTERWORD_SECONDS
from companion.agent.stages import Origin, Stage
from companion.agent.turns import Turn
from companion.errors import EndOfStream
from companion.model.answer_stream import broken_off
from companion.model.chat_events import ChatEvents
from companion.model.deltas import TextDelta
from companion.model.events import Custom, Error, Event, ResponseEnd, StepEnd, StepStart, ThinkingDelta
from companion.model.response import ChatResponse
from companion.model.turn import Tell
from companion.settings.language import primary
from companion.stream import (
    Blob,
    MessageChunk,
    Part,
    PulledStream,
    Role,
    State,
    Status,
    StreamCtrl,
    Text,
    Usage,
    begin_of_stream,
    end_of_stream,
    new_stream_id,
    stream_of,
)

logger = logging.getLogger(__name__)

LONGEST_END = 200
"""Characters of the end of a reply that are looked at."""


class OnClose(Protocol):
    """Is told of the end of a reply."""

    def __call__(self, turn: Turn, *, was_read: bool) -> None: ...


class Asked:
    """A model that is being asked: its events, and whether the question has arrived."""

    def __init__(self, run: Callable[[Tell], Awaitable[ChatResponse]], arrived: asyncio.Event) -> None:
        self._run = run
        self._arrived = arrived
        self._failure: Exception | None = None
        self.events = ChatEvents(self._answered, ahead=1)

    async def arrive(self) -> None:
        """Return when the model has taken the question.

        Raises:
            ModelError, TimeoutError: it did not.
        """
        try:
            await anext(self.events)
            await self._arrived.wait()
            if self._failure is not None:
                raise self._failure
        except BaseException:
            await self.events.aclose()
            raise

    async def _answered(self, tell: Tell) -> ChatResponse:
        async def telling(event: Event) -> None:
            if isinstance(event, Error) and not self._arrived.is_set():
                self._failure = event.error
                self._arrived.set()
            await tell(event)

        try:
            return await self._run(telling)
        finally:
            self._arrived.set()


class Leaving:
    """Tells of the end of a reply, or of its reader leaving it.

    also: what has to be closed with it.
    """

    def __init__(self, turn: Turn, on_close: OnClose, also: Callable[[], Awaitable[None]] | None = None) -> None:
        self._turn = turn
        self._on_close = on_close
        self._also = also
        self.is_read = False
        """Set when it has ended by itself; it is closed behind that, too."""

        self.is_left = False

    async def close(self) -> None:
        was_read = self.is_read
        self.is_left = not was_read
        if self._also is not None:
            await self._also()
        self._on_close(self._turn, was_read=was_read)


def reply_at_once(turn: Turn, text: str, language: str, on_close: OnClose) -> PulledStream:
    """The reply of a turn that is there already: one sentence, or nothing where ``text`` is empty."""
    leaving = Leaving(turn, on_close)

    async def chunks() -> AsyncGenerator[MessageChunk, None]:
        for chunk in at_once(text, language):
            yield chunk
        leaving.is_read = True

    return PulledStream(chunks(), leaving)


def at_once(text: str, language: str) -> list[MessageChunk]:
    """The chunks of one sentence, or of nothing."""
    route = new_stream_id()
    chunks = [begin_of_stream(route, role=Role.MODEL)]
    if text:
        chunks.append(MessageChunk(role=Role.MODEL, part=Text(text, language), ctrl=StreamCtrl(route)))
        chunks.append(end_of_stream(route, role=Role.MODEL, part=Text("")))
    return [*chunks, end_of_stream(route, role=Role.MODEL)]


class ModelReply:
    """Makes the stream of one turn.

    if_wordless: what is said where tools were used and nothing came of it.
    """

    def __init__(self, turn: Turn, around: Surroundings, asked: Asked, on_close: OnClose, *, if_wordless: str) -> None:
        self._turn = turn
        self._around = around
        self._events = asked.events
        self._leaving = Leaving(turn, on_close, asked.events.aclose)
        self._if_wordless = if_wordless
        self._route = new_stream_id()
        self._held: list[str] = []
        self._thoughts: list[str] = []
        self._steps = 0
        self._has_words = False
        self._end = ""
        """The last words of it."""
        self._wants_space = False
        self._usage = Usage()
        self._status = Status.DONE

    def stream(self) -> PulledStream:
        """The stream; closing it ends the model's work."""
        stream: PulledStream = PulledStream(self._chunks(lambda state: stream.finish(state)), self._leaving)
        return stream

    async def _chunks(self, finish: Callable[[State], None]) -> AsyncGenerator[MessageChunk, None]:
        yield begin_of_stream(self._route, role=Role.MODEL)
        try:
            while True:
                parts = await self._next()
                if parts is None:
                    break
                for part in parts:
                    yield self._chunk(part)
            for part in await self._last():
                yield self._chunk(part)
            for part in await self._behind():
                yield self._chunk(part)
        except Exception as error:
            if self._leaving.is_left:
                raise
            self._turn.failure = error
            self._leaving.is_read = True
            yield broken_off(self._route, error)
            raise
        if self._has_words:
            yield end_of_stream(self._route, role=Role.MODEL, part=Text(""))
        yield end_of_stream(self._route, role=Role.MODEL)
        self._leaving.is_read = True
        finish(State(self._status, self._usage))

    async def _next(self) -> list[Part] | None:
        """What the next event brings; None at the end."""
        if self._is_over:
            await self._events.aclose()
            return None
        try:
            event = await anext(self._events)
        except StopAsyncIteration:
            return None
        except EndOfStream:
            return None
        except Exception:
            if self._turn.response is not None:
                return None
            raise
        return await self._parts(event)

    @property
    def _is_over(self) -> bool:
        return self._turn.response is not None or self._turn.is_skipped

    async def _parts(self, event: Event) -> list[Part]:
        match event:
            case TextDelta():
                return await self._said(event)
            case Custom("blob", Blob() as blob):
                return [blob]
            case StepStart(step):
                self._steps = step
                self._wants_space = self._has_words
            case ThinkingDelta(text):
                self._thoughts.append(text)
            case StepEnd() if self._thoughts:
                self._around.bus.publish(
                    EventKind.REASONING, "model", turn=self._turn.number, text="".join(self._thoughts)
                )
                self._thoughts = []
            case ResponseEnd(reason, usage):
                self._usage = usage
                self._status = Status.TRUNCATED if reason == "length" else Status.DONE
            case _:
                pass
        return []

    async def _said(self, delta: TextDelta) -> list[Part]:
        text = delta.text
        space = [Text(" ", self._turn.about.language)] if self._wants_space and not text[:1].isspace() else []
        self._wants_space = False
        if self._turn.held_back_by:
            self._held += [one.text for one in (*space, Text(text))]
            self._has_words = True
            return []
        piece = delta if isinstance(delta, Piece) else Piece(text)
        parts = await self._put_out(piece)
        self._has_words = self._has_words or bool(parts)
        return [*space, *parts] if parts else []

    async def _put_out(self, piece: Piece) -> list[Part]:
        """A piece, or the whole text, past ``before_output``."""
        if not self._around.handlers.at(Stage.BEFORE_OUTPUT):
            return [Text(piece.text, piece.language, spoken=piece.spoken)] if piece.text else []
        passing: dict[str, object] = {"final_text": piece.text}
        await self._around.handlers.run(Stage.BEFORE_OUTPUT, self._turn, passing)
        if self._is_over:
            return []
        text = str(passing["final_text"])
        if text == piece.text:
            return [Text(text, piece.language, spoken=piece.spoken)] if text else []
        return await self._cut_anew(text, piece.language)

    async def _cut_anew(self, text: str, language: str) -> list[Part]:
        if self._around.cut is None or self._turn.held_back_by or not text:
            return [Text(text, language)] if text else []
        route = new_stream_id()
        chunks = [MessageChunk(Role.MODEL, part=Text(text, language), ctrl=StreamCtrl(route))]
        pieces = await self._around.cut.transform(stream_of([*chunks, end_of_stream(route, part=Text(""))]))
        return [chunk.part async for chunk in pieces if isinstance(chunk.part, Text) and chunk.part.text]

    async def _last(self) -> list[Part]:
        """What is left to be said when the model has ended."""
        if self._held and not self._is_over:
            text, self._held = "".join(self._held), []
            parts = await self._put_out(Piece(text))
            if not self._is_over:
                return parts
        if self._turn.response is not None:
            response = (" " if self._has_words else "") + self._turn.response
            self._has_words = self._has_words or bool(self._turn.response)
            return [Text(response, self._turn.about.language)] if self._turn.response else []
        if not self._has_words and self._steps > 1 and not self._turn.is_skipped:
            self._has_words = True
            return [Text(self._if_wordless, self._turn.about.language)]
        return []

    async def _behind(self) -> list[Part]:
        """What the program has to say behind it: to the user, and where the model has said something."""
        turn, afterwords = self._turn, self._around.afterwords
        if afterwords is None or not self._has_words or self._is_over or turn.about.origin is not Origin.USER:
            return []
        try:
            async with asyncio.timeout(AFTERWORD_SECONDS):
                turn.afterword = await afterwords.behind(turn.said, turn.about, self._end)
        except Exception as error:  # noqa: BLE001 - a reply is whole without
            logger.warning("nothing could be said behind a reply: %s", type(error).__name__)
        if turn.afterword is None:
            return []
        space = "" if primary(turn.about.language) == "zh" else " "
        return [Text(f"{space}{turn.afterword.words}", turn.about.language)]

    def _chunk(self, part: Part) -> MessageChunk:
        if isinstance(part, Text):
            self._end = f"{self._end}{part.text}"[-LONGEST_END:]
        return MessageChunk(role=Role.MODEL, part=part, ctrl=StreamCtrl(self._route))
