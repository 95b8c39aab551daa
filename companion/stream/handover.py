"""Who speaks for a label: a begin takes it over from the routes that had it."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TypeVar

from companion.stream.chunk import MessageChunk
from companion.stream.lifecycle import Route
from companion.stream.timeline import Timed, Timeline

T = TypeVar("T")
_REMEMBERED = 64
_SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True)
class Takeover:
    """dropped: what was taken off the timeline. ends: what the reader has to be told."""

    dropped: list[Timed]
    ends: list[MessageChunk]


@dataclass(frozen=True, slots=True)
class _Silenced:
    label: str
    is_over: bool
    """The reader was told the end of the whole route; else it still has words to come."""


class Handover:
    """The routes that speak, by label, those the reader hears, and the newest of those that were silenced.

    Silenced means: no more sound. Words stay, and with them the end of their route.
    """

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._speaking: OrderedDict[str, str] = OrderedDict()
        self._silenced: OrderedDict[str, _Silenced] = OrderedDict()
        self._heard: OrderedDict[str, Route] = OrderedDict()

    def is_active(self, stream_id: str) -> bool:
        return stream_id in self._speaking.values()

    def is_awaited(self, stream_id: str) -> bool:
        """The reader has heard it and not its end, or will hear of it."""
        return stream_id in self._heard or bool(self._timeline.of(stream_id))

    def hears(self, chunk: MessageChunk) -> None:
        """The reader has pulled ``chunk``."""
        route = self._heard.get(chunk.stream_id) or Route(chunk.stream_id)
        # What does not pair up is the producer's fault; it passes, and says nothing about what is open.
        if route.admit(chunk):
            return
        if route.has_ended:
            self._heard.pop(chunk.stream_id, None)
        else:
            _remember(self._heard, chunk.stream_id, route)

    def refuses(self, chunk: MessageChunk) -> bool:
        """Is it of a silenced route, and sound, or a mark that nobody awaits?"""
        silenced = self._silenced.get(chunk.stream_id)
        if silenced is None or silenced.is_over:
            return silenced is not None
        if _is_bare_mark(chunk):
            return not self.is_awaited(chunk.stream_id)
        return _is_sound(chunk.mime_type) and _matches(label_of(chunk), silenced.label)

    def begins(self, chunk: MessageChunk) -> bool:
        """Does it take over its label?"""
        is_new = self._speaking.get(label_of(chunk)) != chunk.stream_id and chunk.stream_id not in self._silenced
        return chunk.is_begin and is_new

    def take_over(self, stream_id: str, label: str) -> Takeover:
        """Let ``stream_id`` speak for ``label`` and silence whatever else has it."""
        before = {other: speaker for other, speaker in self._speaking.items() if _matches(label, other)}
        for other in before:
            del self._speaking[other]
        _remember(self._speaking, label, stream_id)
        queued = self._timeline.stream_ids(lambda chunk: _matches(label, label_of(chunk)))
        heard = {name for name, route in self._heard.items() if _matches(label, route.label)}
        takeover = Takeover([], [])
        for other in sorted({*before.values(), *queued, *heard} - {stream_id, *self._silenced}):
            self._silence(other, label, takeover)
        return takeover

    def _silence(self, stream_id: str, label: str, takeover: Takeover) -> None:
        def is_its_sound(timed: Timed) -> bool:
            chunk = timed.chunk
            return chunk.stream_id == stream_id and _is_sound(chunk.mime_type) and _matches(label, label_of(chunk))

        takeover.dropped.extend(self._timeline.pop_all(is_its_sound))
        route = self._heard.get(stream_id)
        has_words = not all(map(_is_bare_mark, self._timeline.of(stream_id)))
        if route is not None:
            has_words |= not all(map(_is_sound, route.open_channels))
            ends = route.ends("" if route.is_complete else _SUPERSEDED)
            takeover.ends.extend(end for end in ends if not has_words or _is_sound(end.mime_type))
        if not has_words:
            takeover.dropped.extend(self._timeline.pop_all(lambda timed: timed.chunk.stream_id == stream_id))
        is_over = route is not None and not has_words
        _remember(self._silenced, stream_id, _Silenced(label, is_over))


def label_of(chunk: MessageChunk) -> str:
    return chunk.ctrl.label if chunk.ctrl else ""


def _is_sound(mime_type: str | None) -> bool:
    return mime_type is not None and (
        mime_type.startswith("audio/") or mime_type.partition(";")[0] == "application/ogg"
    )


def _is_bare_mark(chunk: MessageChunk) -> bool:
    return chunk.part is None and chunk.tool_call is None


def _matches(label: str, other: str) -> bool:
    """The empty label stands for any."""
    return not label or not other or label == other


def _remember(newest: OrderedDict[str, T], name: str, value: T) -> None:
    newest[name] = value
    newest.move_to_end(name)
    if len(newest) > _REMEMBERED:
        newest.popitem(last=False)
