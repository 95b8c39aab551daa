"""Who speaks for a label: a begin takes it over from the routes that had it."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.stream.chunk import MessageChunk
from companion.stream.lifecycle import Route
from companion.stream.newest import Newest
from companion.stream.timeline import Timed, Timeline

_SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True)
class _Silenced:
    label: str
    is_over: bool
    """The reader was told the end of the whole route; else it still has words to come."""


@dataclass(frozen=True, slots=True)
class Takeover:
    """What it means that ``stream_id`` takes ``label`` over.

    dropped: what goes from the timeline. ends: what the reader has to be told.
    """

    stream_id: str
    label: str
    dropped: list[Timed] = field(default_factory=list)
    ends: list[MessageChunk] = field(default_factory=list)
    silenced: dict[str, _Silenced] = field(default_factory=dict)


class Handover:
    """The routes that speak, by label, those the reader hears, and the newest of those that were silenced.

    Silenced means: no more sound. Words stay, and with them the end of their route.
    """

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._speaking: Newest[str, str] = Newest()
        self._silenced: Newest[str, _Silenced] = Newest()
        self._heard: Newest[str, Route] = Newest()

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
            self._heard[chunk.stream_id] = route

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

    def plan(self, stream_id: str, label: str) -> Takeover:
        """What happens when ``stream_id`` speaks for ``label`` and whatever else has it is silenced."""
        before = {speaker for other, speaker in self._speaking.items() if _matches(label, other)}
        queued = self._timeline.stream_ids(lambda chunk: _matches(label, label_of(chunk)))
        heard = {name for name, route in self._heard.items() if _matches(label, route.label)}
        takeover = Takeover(stream_id, label)
        for other in sorted({*before, *queued, *heard} - {stream_id, *self._silenced}):
            self._plan_silence(other, takeover)
        return takeover

    def _plan_silence(self, stream_id: str, takeover: Takeover) -> None:
        def is_its_sound(timed: Timed) -> bool:
            return _is_sound(timed.chunk.mime_type) and _matches(takeover.label, label_of(timed.chunk))

        waiting = self._timeline.of(stream_id)
        route = self._heard.get(stream_id)
        has_words = not all(is_its_sound(timed) or _is_bare_mark(timed.chunk) for timed in waiting)
        if route is not None:
            has_words |= not all(map(_is_sound, route.open_channels))
            ends = route.ends("" if route.is_complete else _SUPERSEDED)
            takeover.ends.extend(end for end in ends if not has_words or _is_sound(end.mime_type))
        takeover.dropped.extend(timed for timed in waiting if not has_words or is_its_sound(timed))
        takeover.silenced[stream_id] = _Silenced(takeover.label, is_over=route is not None and not has_words)

    def carry_out(self, takeover: Takeover) -> None:
        """Do what was planned. The ends are for the caller to put where they belong."""
        for other in [other for other in self._speaking if _matches(takeover.label, other)]:
            del self._speaking[other]
        self._speaking[takeover.label] = takeover.stream_id
        for stream_id, silenced in takeover.silenced.items():
            self._silenced[stream_id] = silenced
        self._timeline.remove(takeover.dropped)


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
