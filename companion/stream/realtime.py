"""Chunks of several sources, given out in the order of their time and not before it.

1. Order. By timestamp; those of one timestamp in the order they were pushed.
2. Delay. A chunk comes out once the clock has passed its timestamp by the delay, so that one that is
   late by less than that still finds its place.
3. Unset times. A chunk without a timestamp gets the present, but always after what is already out; an
   end gets a time after all that was ever pushed. What is set or changed is written into the chunk.
4. Late. What is older than the last one out is dropped; of a route that speaks, and an end that somebody
   awaits, it is moved to right after that one. Nothing of a route overtakes what was so moved, or its begin,
   and nothing of a channel the begin of that.
5. Hand-over. A begin takes its label over: queued sound of other routes of that label is dropped, later
   sound refused, and what the reader has heard begin of them is ended with the error "superseded".
   An empty label stands for any.
6. Full means drop: data older than the window, and the oldest data beyond the bounds. Begins and ends
   are kept; one for which there is no room is refused, and changes nothing.
7. Told. ``on_drop`` is told of every chunk that was taken and will not come out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from typing import Protocol

from companion.errors import OutputLimit, StreamClosed
from companion.stream.chunk import MessageChunk, StreamCtrl
from companion.stream.contract import State, Status, Usage, state_for
from companion.stream.growing import Limit, weight
from companion.stream.handover import Handover, Takeover, label_of
from companion.stream.newest import Newest
from companion.stream.rung import RungStream
from companion.stream.timeline import Timed, Timeline

_DELAY_MS = 80
_WINDOW_MS = 120_000


class Alarm(Protocol):
    """A call that is still to come."""

    def cancel(self) -> None: ...


class Clock(Protocol):
    """The sample clock, in milliseconds. It may be set back."""

    def now(self) -> int: ...

    def call_at(self, at: int, wake: Callable[[], None]) -> Alarm:
        """Call ``wake`` on the event loop once ``now`` is at least ``at``."""


class LoopClock:
    """The event loop's time since this clock was made."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._start = self._loop.time()

    def now(self) -> int:
        return int((self._loop.time() - self._start) * 1000)

    def call_at(self, at: int, wake: Callable[[], None]) -> Alarm:
        return self._loop.call_at(self._start + at / 1000, wake)


class Loss(StrEnum):
    """Why a chunk does not come out."""

    LATE = "older than what is out already"
    EXPIRED = "older than the window"
    OVERFLOW = "beyond the bounds"
    SUPERSEDED = "of a route whose label another one speaks for"
    UNREAD = "its reader has gone"


class RealtimeStream(RungStream):
    """A Stream that is pushed into and read in the order of time. ``push`` never waits.

    delay_ms: how long a chunk is held back (below zero: not at all).
    window_ms: how much older than the newest data may be (zero or below: two minutes).
    max_items, max_bytes: bounds of what waits.
    on_drop: is told of each chunk that is dropped; on_close: tells the sources to end, once, when the reader
        closes early. Neither may raise or wait.
    """

    def __init__(
        self,
        *,
        clock: Clock | None = None,
        delay_ms: int = _DELAY_MS,
        window_ms: int = _WINDOW_MS,
        max_items: int = 16_384,
        max_bytes: int = 32 * 1024 * 1024,
        on_drop: Callable[[MessageChunk, Loss], None] | None = None,
        on_close: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(on_close)
        self._clock = clock or LoopClock()
        self._delay = max(delay_ms, 0)
        self._window = window_ms if window_ms > 0 else _WINDOW_MS
        self._max_bytes = max_bytes
        self._on_drop = on_drop
        self._timeline = Timeline(Limit(max_items, max_bytes))
        self._handover = Handover(self._timeline)
        self._floors: Newest[tuple[str, str | None], int] = Newest()
        self._last_out: int | None = None
        self._newest: int | None = None

    def push(self, chunk: MessageChunk) -> None:
        """Put ``chunk`` where its time is, or drop it by the laws above.

        Raises:
            StreamClosed: the stream has ended, or its reader has gone.
            OutputLimit: it alone is beyond the bounds, or they are filled by begins and ends.
        """
        if not self.is_open:
            raise StreamClosed(f"stream {chunk.stream_id!r}: pushed after the end of the stream")
        if weight(chunk) > self._max_bytes:
            raise OutputLimit(f"stream {chunk.stream_id!r}: a chunk of over {self._max_bytes} bytes")
        first = self._timeline.first
        try:
            self._take(chunk)
        finally:
            if self._timeline.first is not first:
                self._bell.ring()

    def done(self, usage: Usage | None = None) -> None:
        """No more comes: what waits is given out at once, in order, and then the normal end."""
        self.end_with(State(Status.DONE, usage or Usage()))

    def abort(self, error: BaseException) -> None:
        """Like ``done``, but the end is ``error``."""
        self.end_with(state_for(error))

    def _take(self, chunk: MessageChunk) -> None:
        if self._handover.refuses(chunk):
            self._drop(chunk, Loss.SUPERSEDED)
            return
        at = self._time_of(chunk)
        if at is None:
            self._drop(chunk, Loss.LATE)
            return
        takeover = None
        if self._handover.begins(chunk):
            takeover = self._handover.plan(chunk.stream_id, label_of(chunk))
        self._demand_room(chunk, takeover)
        if takeover is not None:
            self._hand_over(takeover, at)
        self._raise_floor(chunk, at)
        self._put(_stamped(chunk, at), at)

    def _demand_room(self, chunk: MessageChunk, takeover: Takeover | None) -> None:
        """Data finds room by being dropped; a begin or an end needs some beside those that stay."""
        if not _is_mark(chunk):
            return
        ends = takeover.ends if takeover else []
        gone = {timed.sequence for timed in takeover.dropped} if takeover else set()

        def stays(timed: Timed) -> bool:
            return _is_mark(timed.chunk) and timed.sequence not in gone

        if not self._timeline.has_room([chunk, *ends], beside=stays):
            raise OutputLimit(f"stream {chunk.stream_id!r}: no room beside the begins and ends that wait to be read")

    def _time_of(self, chunk: MessageChunk) -> int | None:
        """When it comes out, the delay aside; None: it is too late."""
        told = chunk.ctrl.timestamp if chunk.ctrl else None
        at = self._present(chunk) if told is None else told
        if self._last_out is not None and at < self._last_out:
            if not self._may_be_late(chunk):
                return None
            at = self._last_out + 1
        return max(at, self._floor(chunk, at))

    def _floor(self, chunk: MessageChunk, default: int) -> int:
        """What it must not come before: its route, its channel, or, where it ends a route, any channel of it."""
        if chunk.part is None and chunk.is_end:
            return max((at for (route, _), at in self._floors.items() if route == chunk.stream_id), default=default)
        keys = ((chunk.stream_id, None), (chunk.stream_id, chunk.mime_type))
        return max(self._floors.get(key, default) for key in keys)

    def _raise_floor(self, chunk: MessageChunk, at: int) -> None:
        told = chunk.ctrl.timestamp if chunk.ctrl else None
        if chunk.is_begin:
            self._floors[chunk.stream_id, chunk.mime_type] = at
        if told is not None and self._last_out is not None and told < self._last_out:
            self._floors[chunk.stream_id, None] = at

    def _may_be_late(self, chunk: MessageChunk) -> bool:
        if self._handover.is_active(chunk.stream_id) or self._handover.begins(chunk):
            return True
        return chunk.is_end and self._handover.is_awaited(chunk.stream_id)

    def _present(self, chunk: MessageChunk) -> int:
        at = self._clock.now()
        if self._last_out is not None:
            at = max(at, self._last_out + 1)
        if chunk.is_end and self._newest is not None:
            at = max(at, self._newest + 1)
        return at

    def _put(self, chunk: MessageChunk, at: int) -> None:
        self._timeline.add(chunk, at)
        self._newest = at if self._newest is None else max(at, self._newest)
        oldest = self._newest - self._window
        for expired in self._timeline.pop_all(_is_data, before=oldest):
            self._drop(expired.chunk, Loss.EXPIRED)
        while self._timeline.is_too_full:
            overflow = self._timeline.pop_first(_is_data)
            assert overflow is not None, "begins and ends are asked whether there is room for them"
            self._drop(overflow.chunk, Loss.OVERFLOW)

    def _hand_over(self, takeover: Takeover, at: int) -> None:
        self._handover.carry_out(takeover)
        for timed in takeover.dropped:
            self._drop(timed.chunk, Loss.SUPERSEDED)
        for end in takeover.ends:
            self._timeline.add(_stamped(end, at), at)

    def _drop(self, chunk: MessageChunk, loss: Loss) -> None:
        if self._on_drop is not None:
            self._on_drop(chunk, loss)

    def _pull(self) -> MessageChunk:
        timed = self._timeline.pop()
        self._last_out = timed.at
        self._handover.hears(timed.chunk)
        return timed.chunk

    def _is_due(self) -> bool:
        first = self._timeline.first
        if first is None:
            return False
        return self._final is not None or first.at + self._delay <= self._clock.now()

    async def _wait(self) -> None:
        first = self._timeline.first
        alarm = None if first is None else self._clock.call_at(first.at + self._delay, self._bell.ring)
        try:
            await self._bell.wait()
        finally:
            if alarm is not None:
                alarm.cancel()

    def _drop_all(self) -> None:
        for timed in self._timeline.pop_all(lambda _: True):
            self._drop(timed.chunk, Loss.UNREAD)


def _is_data(timed: Timed) -> bool:
    return not _is_mark(timed.chunk)


def _is_mark(chunk: MessageChunk) -> bool:
    return chunk.is_begin or chunk.is_end


def _stamped(chunk: MessageChunk, at: int) -> MessageChunk:
    ctrl = chunk.ctrl or StreamCtrl()
    return chunk if ctrl.timestamp == at else replace(chunk, ctrl=replace(ctrl, timestamp=at))
