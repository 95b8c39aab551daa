"""The answers of a realtime session on their way to the reader, and how much of each was really heard."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.dialects.openai_realtime import RATE, Called, Said, Sounded
from companion.stream import (
    Blob,
    FuncCall,
    MessageChunk,
    Role,
    Text,
    ToolCall,
    Usage,
    begin_of_stream,
    new_stream_id,
    pcm,
    pcm_format,
)
from companion.stream.invocation import Invocation
from companion.stream.response import Response

Hearing = Callable[[str], float | None]
"""Seconds of the sound of an answer, by its stream id, that somebody has heard; None where nobody knows."""

_KEPT = 8
"""Answers whose hearing is still followed."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Of the sound ``part`` of a message, no more than so much was heard."""

    item: str
    part: int
    heard_ms: int


@dataclass(slots=True)
class _Answer:
    """One answer. sounds: milliseconds of each piece of sound, by its message and place there."""

    response: Response | None = None
    sounds: dict[tuple[str, int], float] = field(default_factory=dict)
    delivered_ms: float = 0.0
    is_open: bool = True
    is_cut: bool = False


class Answers:
    """Follows answers by the server's ids. most_unread: bytes that may wait for the reader."""

    def __init__(self, heard: Hearing | None, most_unread: int) -> None:
        self.invocation = Invocation(max_bytes=most_unread, observer=self)
        self.usage = Usage()
        self._heard = heard
        self._answers: OrderedDict[str, _Answer] = OrderedDict()
        self._by_route: dict[str, _Answer] = {}
        self._has_progressed = False

    def has_progressed(self) -> bool:
        """Whether anything has come since this was last asked."""
        progressed, self._has_progressed = self._has_progressed, False
        return progressed

    @property
    def open(self) -> list[str]:
        """Answers that have begun and not ended."""
        return [name for name, answer in self._answers.items() if answer.is_open]

    def begin(self, name: str) -> None:
        """An answer begins; its route does with the first that comes of it."""
        self._answers[name] = _Answer()
        while len(self._answers) > _KEPT:
            _, old = self._answers.popitem(last=False)
            self._by_route = {route: answer for route, answer in self._by_route.items() if answer is not old}

    def take(self, event: Said | Sounded | Called) -> bool:
        """Give on what comes of an answer; False where nobody wants it any more."""
        if event.answer not in self._answers:
            self.begin(event.answer)
        answer = self._answers[event.answer]
        self._has_progressed = True
        if answer.is_cut:
            return False
        if isinstance(event, Sounded):
            place = event.item, event.part
            answer.sounds[place] = answer.sounds.get(place, 0.0) + len(event.sound) * 500 / RATE
        self.invocation.emit(self._response(answer), _chunk(event))
        return True

    def has_come(self, name: str) -> bool:
        """Whether anything of the answer went out."""
        return name in self._answers and self._answers[name].response is not None

    def end(self, name: str, error: str = "") -> None:
        """No more comes of the answer."""
        answer = self._answers.get(name)
        if answer is None or not answer.is_open:
            return
        answer.is_open = False
        if error and answer.response is None and not answer.is_cut:
            self._response(answer)
        if answer.response is not None:
            self.invocation.end(answer.response, error)

    def drop(self, name: str) -> None:
        """Forget an answer of which nothing has come."""
        self._answers.pop(name, None)

    def cut(self) -> tuple[list[str], list[Cut]]:
        """Drop what nobody has heard: the answers that were still coming, and how much was heard of which message."""
        coming: list[str] = []
        cuts: list[Cut] = []
        for name, answer in self._answers.items():
            left = self._heard_ms(answer)
            if answer.is_cut or (not answer.is_open and left >= sum(answer.sounds.values()) - 1):
                continue
            if answer.is_open:
                coming.append(name)
            answer.is_cut = True
            if answer.response is not None:
                self.invocation.interrupt(answer.response)
            for (item, part), length in answer.sounds.items():
                if left < length:
                    cuts.append(Cut(item, part, int(max(left, 0))))
                left -= length
        return coming, cuts

    def delivered(self, chunk: MessageChunk) -> None:
        """As a DeliveryObserver: the reader has pulled it."""
        answer = self._by_route.get(chunk.stream_id)
        if answer is not None and isinstance(chunk.part, Blob) and pcm_format(chunk.part.mime_type):
            answer.delivered_ms += len(chunk.part.data) * 500 / RATE

    def abandoned(self, chunk: MessageChunk) -> None:
        """As a DeliveryObserver: the reader will never see it, so nobody hears it."""

    def _heard_ms(self, answer: _Answer) -> float:
        """What was pulled, or less where somebody knows that less was heard."""
        if answer.response is None or self._heard is None:
            return answer.delivered_ms
        heard = self._heard(answer.response.stream_id)
        return answer.delivered_ms if heard is None else min(heard * 1000, answer.delivered_ms)

    def _response(self, answer: _Answer) -> Response:
        if answer.response is None:
            answer.response = self.invocation.start_response(new_stream_id(), role=Role.MODEL)
            self._by_route[answer.response.stream_id] = answer
            self.invocation.emit(answer.response, begin_of_stream(answer.response.stream_id, role=Role.MODEL))
        return answer.response


def _chunk(event: Said | Sounded | Called) -> MessageChunk:
    match event:
        case Said(text=text):
            return MessageChunk(Role.MODEL, part=Text(text))
        case Sounded(sound=sound):
            return MessageChunk(Role.MODEL, part=pcm(sound, RATE))
        case Called(call=call, name=name, arguments=arguments):
            return MessageChunk(Role.MODEL, tool_call=ToolCall(call, FuncCall(name, arguments)))
