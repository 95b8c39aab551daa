"""Chunks of several sources, given out in the order of their time and not before it.

1. Order. By timestamp; those of one timestamp in the order they were pushed.
2. Delay. A chunk comes out once the clock has passed its timestamp by the delay, so that one that is
   late by less than that still finds its place.
3. Unset times. A chunk without a timestamp gets the present, but always after what is already out; an
   end gets a time after all that was ever pushed. What is set or changed is written into the chunk.
4. Late. What is older than the last one out is dropped; of a route that speaks, and an end that somebody
   awaits, it is moved to right after that one. Nothing of a route overtakes what was so moved, or its begin.
5. Hand-over. A begin takes its label over: queued sound of other routes of that label is dropped, later
   sound refused, and what the reader has heard begin of them is ended with the error "superseded".
   An empty label stands for any.
6. Full means drop: data older than the window, and the oldest data beyond the bounds. Begins and ends
   are kept. ``on_drop`` is told of every chunk that will not come out.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from enum import StrEnum
from typing import Protocol

from companion.errors import OutputLimit, StreamClosed
from companion.stream.bell import Bell
from companion.stream.chunk import MessageChunk, StreamCtrl
from companion.stream.contract import State, Status, Usage, iterate, state_for
from companion.stream.growing import Limit, weight
from companion.stream.handover import Handover, label_of
from companion.stream.timeline import Timed, Timeline

_DELAY_MS = 80
_WINDOW_MS = 120_000
_REMEMBERED = 64


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


class RealtimeStream:
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
        self._clock = clock or LoopClock()
        self._delay = max(delay_ms, 0)
        self._window = window_ms if window_ms > 0 else _WINDOW_MS
        self._max_bytes = max_bytes
        self._on_drop = on_drop
        self._on_close = on_close
        self._timeline = Timeline(Limit(max_items, max_bytes))
        self._handover = Handover(self._timeline)
        self._floors: OrderedDict[str, int] = OrderedDict()
        self._last_out: int | None = None
        self._newest: int | None = None
        self._bell = Bell()
        self._final: State | None = None
        self._state: State | None = None

    @property
    def state(self) -> State | None:
        return self._state

    @property
    def is_open(self) -> bool:
        """More may be pushed."""
        return self._final is None and self._state is None

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
        self._finish(State(Status.DONE, usage or Usage()))

    def abort(self, error: BaseException) -> None:
        """Like ``done``, but the end is ``error``."""
        self._finish(state_for(error))

    def _finish(self, state: State) -> None:
        if self._final is None:
            self._final = state
            self._bell.ring()

    def _take(self, chunk: MessageChunk) -> None:
        if self._handover.refuses(chunk):
            self._drop(chunk, Loss.SUPERSEDED)
            return
        at = self._time_of(chunk)
        if at is None:
            self._drop(chunk, Loss.LATE)
            return
        if self._handover.begins(chunk):
            self._hand_over(chunk.stream_id, label_of(chunk), at)
        self._put(_stamped(chunk, at), at)

    def _time_of(self, chunk: MessageChunk) -> int | None:
        """When it comes out, the delay aside; None: it is too late."""
        told = chunk.ctrl.timestamp if chunk.ctrl else None
        at = self._present(chunk) if told is None else told
        if self._last_out is not None and at < self._last_out:
            if not self._may_be_late(chunk):
                return None
            at = self._last_out + 1
        at = max(at, self._floors.get(chunk.stream_id, at))
        was_moved = told is not None and at != told
        if was_moved or chunk.is_begin:
            self._floors[chunk.stream_id] = at
            self._floors.move_to_end(chunk.stream_id)
            if len(self._floors) > _REMEMBERED:
                self._floors.popitem(last=False)
        return at

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
        added = self._timeline.add(chunk, at)
        self._newest = at if self._newest is None else max(at, self._newest)
        oldest = self._newest - self._window
        for expired in self._timeline.pop_all(_is_data, before=oldest):
            self._drop(expired.chunk, Loss.EXPIRED)
        while self._timeline.is_too_full:
            self._make_room(added)

    def _make_room(self, added: Timed) -> None:
        dropped = self._timeline.pop_first(_is_data)
        if dropped is not None:
            self._drop(dropped.chunk, Loss.OVERFLOW)
            return
        self._timeline.pop_first(lambda timed: timed is added)
        raise OutputLimit(f"stream {added.chunk.stream_id!r}: {len(self._timeline)} begins and ends wait to be read")

    def _hand_over(self, stream_id: str, label: str, at: int) -> None:
        takeover = self._handover.take_over(stream_id, label)
        for timed in takeover.dropped:
            self._drop(timed.chunk, Loss.SUPERSEDED)
        for end in takeover.ends:
            self._timeline.add(_stamped(end, at), at)

    def _drop(self, chunk: MessageChunk, loss: Loss) -> None:
        if self._on_drop is not None:
            self._on_drop(chunk, loss)

    async def next(self) -> MessageChunk:
        self._bell.demand_free()
        while not self._is_due():
            if self._final is not None and not len(self._timeline):
                self._state = self._state or self._final
            if self._state is not None:
                raise self._state.error()
            await self._wait()
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

    async def close(self) -> None:
        self._end(State(Status.INTERRUPTED))

    async def close_with_error(self, error: BaseException) -> None:
        self._end(State(Status.ERROR, cause=error))

    def _end(self, state: State) -> None:
        if self._state is not None:
            return
        self._state = state
        self._timeline.clear()
        self._bell.ring()
        if self._on_close is not None:
            self._on_close()

    def __aiter__(self) -> AsyncIterator[MessageChunk]:
        return iterate(self)


def _is_data(timed: Timed) -> bool:
    return not (timed.chunk.is_begin or timed.chunk.is_end)


def _stamped(chunk: MessageChunk, at: int) -> MessageChunk:
    ctrl = chunk.ctrl or StreamCtrl()
    return chunk if ctrl.timestamp == at else replace(chunk, ctrl=replace(ctrl, timestamp=at))
