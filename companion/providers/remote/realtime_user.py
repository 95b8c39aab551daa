"""The user's side of a realtime session: routes of sound and text become messages."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from companion.dialects.openai_realtime import RATE, Heard, RealtimeSettings, Turns, clear, commit
from companion.errors import RouteError, Unsupported
from companion.model import Kind
from companion.providers.remote.realtime_session import RealtimeSession
from companion.stream import (
    Blob,
    MessageChunk,
    Role,
    StreamCtrl,
    Text,
    begin_of_stream,
    end_of_stream,
    new_stream_id,
    pcm_format,
)
from companion.stream.invocation import Invocation
from companion.stream.response import Response

if TYPE_CHECKING:
    import soxr

_SLICE = 2 * RATE // 25
"""Bytes sent together: 40 ms. A microphone gives less at a time."""


@dataclass(slots=True)
class _Route:
    """One route of the user's. echo: as it passes. held: sound not sent yet."""

    echo: Response
    words: list[str] = field(default_factory=list)
    rate: int = 0
    ears: soxr.ResampleStream | None = None
    held: bytes = b""
    has_sound: bool = False


class RealtimeUser:
    """Takes the chunks of the source. The door of the session has to be held."""

    def __init__(self, session: RealtimeSession, invocation: Invocation, settings: RealtimeSettings) -> None:
        self._session = session
        self._invocation = invocation
        self._settings = settings
        self._routes: dict[str, _Route] = {}
        self._passing: dict[str, Response] = {}

    def is_new(self, chunk: MessageChunk) -> bool:
        """Whether the user begins to say something."""
        return chunk.role in (None, Role.USER) and chunk.stream_id not in self._routes and not chunk.is_end

    async def take(self, chunk: MessageChunk) -> bool:
        """Pass the chunk on, and say whether it makes a message that wants an answer.

        Raises:
            Unsupported: it carries what a session does not hear.
            ModelError: it is too much at once.
        """
        if chunk.role not in (None, Role.USER):
            self._pass(chunk)
            return False
        route = self._routes.get(chunk.stream_id) or self._begin(chunk)
        if route is None:
            return False
        match chunk.part:
            case Blob():
                await self._hear(route, chunk.part)
            case Text(text):
                route.words.append(text)
                self._emit(route, chunk)
            case None:
                self._emit(route, chunk)
        if chunk.part is None and chunk.is_end:
            del self._routes[chunk.stream_id]
            return await self._end(route, chunk.ctrl.error if chunk.ctrl else "")
        return False

    async def finish(self) -> bool:
        """The source is over; what it did not end is ended here."""
        is_wanted = False
        for route in self._routes.values():
            self._invocation.end(route.echo)
            is_wanted |= await self._end(route, "")
        self._routes.clear()
        return is_wanted

    def heard(self, heard: Heard) -> None:
        """Give on what the user said, on a route of its own."""
        self._session.recall.heard(heard.item, heard.text)
        if not heard.text:
            return
        echo = self._invocation.start_response(new_stream_id(), role=Role.USER)
        text = MessageChunk(Role.USER, part=Text(heard.text, self._settings.language))
        self._invocation.emit(echo, begin_of_stream(echo.stream_id, role=Role.USER), text)
        self._invocation.emit(echo, end_of_stream(echo.stream_id, role=Role.USER, part=Text("")))
        self._invocation.end(echo)

    def _begin(self, chunk: MessageChunk) -> _Route | None:
        label = chunk.ctrl.label if chunk.ctrl else ""
        try:
            echo = self._invocation.start_response(chunk.stream_id, role=chunk.role, name=chunk.name, label=label)
        except RouteError:
            # Behind its end.
            return None
        route = self._routes[chunk.stream_id] = _Route(echo)
        return route

    def _emit(self, route: _Route, chunk: MessageChunk) -> None:
        own = replace(chunk, ctrl=replace(chunk.ctrl or StreamCtrl(), stream_id=route.echo.stream_id))
        self._invocation.emit(route.echo, own)

    def _pass(self, chunk: MessageChunk) -> None:
        response = self._passing.get(chunk.stream_id)
        if response is None:
            response = self._passing[chunk.stream_id] = self._invocation.start_response(chunk.stream_id)
        self._invocation.emit(response, chunk)
        if not response.is_active:
            del self._passing[chunk.stream_id]

    async def _hear(self, route: _Route, blob: Blob) -> None:
        form = pcm_format(blob.mime_type)
        if form is None:
            raise Unsupported(f'a realtime session hears PCM, not "{blob.mime_type}"', mend="decode it first")
        if not blob.data:
            return
        route.has_sound = True
        route.held += _resampled(route, blob.data, form.rate, form.channels)
        if len(route.held) >= _SLICE:
            held, route.held = route.held, b""
            await self._session.sound(held)

    async def _end(self, route: _Route, error: str) -> bool:
        """The route is over."""
        if route.has_sound:
            held, route.held = route.held + _rest(route), b""
            await self._session.sound(held)
        text = "".join(route.words).strip()
        if error:
            await self._forget()
            return False
        if text:
            self._session.recall.user_said(text)
            content = [{"type": "input_text", "text": text}]
            await self._session.put({"type": "message", "role": "user", "content": content})
            self._session.tell(Kind.TEXT)
        return await self._commit(route) or bool(text)

    async def _commit(self, route: _Route) -> bool:
        if not route.has_sound:
            return False
        if self._settings.turns is not Turns.OURS:
            # The server hears by itself where the user has finished.
            self._session.tell(Kind.AUDIO)
            return False
        self._session.taken()
        await self._session.send(commit(order=self._session.order("commit")))
        self._session.tell(Kind.AUDIO)
        return True

    async def _forget(self) -> None:
        self._session.pending.clear()
        await self._session.send(clear(order=self._session.order("clear")))


def _resampled(route: _Route, sound: bytes, rate: int, channels: int) -> bytes:
    import numpy as np

    samples = np.frombuffer(sound, "<i2", count=len(sound) // 2)
    if channels > 1:
        whole = samples[: len(samples) // channels * channels]
        samples = whole.reshape(-1, channels).mean(axis=1).astype(np.int16)
    if rate != route.rate:
        before = _rest(route)
        route.rate, route.ears = rate, _ears(rate)
    else:
        before = b""
    made = samples if route.ears is None else route.ears.resample_chunk(samples)
    return before + bytes(made.astype("<i2").tobytes())


def _ears(rate: int) -> soxr.ResampleStream | None:
    import soxr

    return None if rate == RATE else soxr.ResampleStream(rate, RATE, 1, dtype="int16")


def _rest(route: _Route) -> bytes:
    """What the resampler holds back."""
    import numpy as np

    if route.ears is None:
        return b""
    ears, route.ears = route.ears, None
    return bytes(ears.resample_chunk(np.empty(0, np.int16), last=True).astype("<i2").tobytes())
