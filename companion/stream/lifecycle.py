"""Which routes and channels of a stream are open: begins and ends must pair up."""

from __future__ import annotations

from companion.errors import RouteError
from companion.stream.chunk import Blob, MessageChunk, Part, Role, StreamCtrl, Text, begin_of_stream, end_of_stream
from companion.stream.newest import Newest


class Route:
    """The begins and ends of one stream id.

    Data without a begin declares its channel. What has ended stays ended.
    begin_first: nothing may come before the begin of its route or of its channel.
    """

    def __init__(self, stream_id: str, *, begin_first: bool = False) -> None:
        self.stream_id = stream_id
        self.role: Role | None = None
        self.label = ""
        self.has_begun = False
        """By a begin of the whole route; a channel's begin and mere data do not count."""
        self.has_ended = False
        self._begin_first = begin_first
        self._is_touched = False
        self._channels: dict[str, Part] = {}
        self._begun_channels: set[str] = set()
        self._ended_channels: set[str] = set()

    @property
    def open_channels(self) -> tuple[str, ...]:
        """MIME types still open, sorted."""
        if self.has_ended:
            return ()
        return tuple(sorted(self._channels.keys() - self._ended_channels))

    @property
    def is_complete(self) -> bool:
        """Ended as a whole, or channel by channel. A route without a channel is not complete."""
        return self.has_ended or (bool(self._channels) and not self.open_channels)

    @property
    def is_over(self) -> bool:
        """Nothing of it is owed an end: a begin of the whole route holds it open until the end of the whole route."""
        return self.has_ended or (self.is_complete and not self.has_begun)

    def objection(self, chunk: MessageChunk) -> str:
        """Why ``chunk`` cannot come now; empty where it can."""
        route, channel = repr(self.stream_id), chunk.mime_type
        if self.has_ended:
            return f"stream {route} has ended and cannot carry more"
        if chunk.part is None:
            return self._objection_without_part(chunk)
        if channel is None:
            is_mark = chunk.is_begin or chunk.is_end
            return f"stream {route}: a begin or end whose part has no valid MIME type" if is_mark else ""
        if channel in self._ended_channels:
            return f"channel {channel!r} of stream {route} has ended and cannot carry more"
        if chunk.is_begin and channel in self._channels:
            return f"channel {channel!r} of stream {route} began twice"
        if self._begin_first and not (chunk.is_begin or self.has_begun or channel in self._channels):
            return f"channel {channel!r} of stream {route} carries data before its begin"
        return ""

    def _objection_without_part(self, chunk: MessageChunk) -> str:
        if chunk.is_begin and self._is_touched:
            return f"stream {self.stream_id!r} began twice"
        if self._begin_first and not (chunk.is_begin or self._is_touched):
            what = "ended" if chunk.is_end else "carries data"
            return f"stream {self.stream_id!r} {what} before its begin"
        return ""

    def accept(self, chunk: MessageChunk) -> None:
        """Take note of one chunk.

        Raises:
            RouteError: it cannot come now; ``objection`` says why.
        """
        if objection := self.admit(chunk):
            raise RouteError(objection)

    def admit(self, chunk: MessageChunk) -> str:
        """Take note of one chunk, or say why it cannot come now."""
        if objection := self.objection(chunk):
            return objection
        self._is_touched = True
        self.role = chunk.role or self.role
        self.label = (chunk.ctrl.label if chunk.ctrl else "") or self.label
        channel = chunk.mime_type
        if chunk.part is None:
            self.has_begun |= chunk.is_begin
            self.has_ended |= chunk.is_end
        elif channel is not None:
            self._admit_to_channel(chunk, chunk.part, channel)
        return ""

    def _admit_to_channel(self, chunk: MessageChunk, part: Part, channel: str) -> None:
        if channel not in self._channels:
            self._channels[channel] = _empty(part)
        if chunk.is_begin:
            self._begun_channels.add(channel)
        if chunk.is_end:
            self._ended_channels.add(channel)

    def ends(self, error: str = "") -> list[MessageChunk]:
        """End markers for what is still open: each channel in MIME order, then the route."""
        if self.has_ended:
            return []
        return [*(self._end(channel, error) for channel in self.open_channels), self._end(None, error)]

    def rest_after(self, read: Route, error: str = "") -> list[MessageChunk]:
        """Begins and ends that complete ``read``, a beginning of this route, without any of the data between.

        A begin that was made and not read is made again, empty; none is invented.
        """
        if read.has_ended:
            return []
        rest: list[MessageChunk] = []
        if self.has_begun and not read.has_begun:
            rest.append(begin_of_stream(self.stream_id, role=self.role, label=self.label))
        for channel in sorted(self._channels.keys() - read._ended_channels):
            if channel in self._begun_channels - read._begun_channels:
                rest.append(self._begin(channel))
            rest.append(self._end(channel, error))
        return [*rest, self._end(None, error)]

    def _begin(self, channel: str) -> MessageChunk:
        mark = StreamCtrl(self.stream_id, self.label, begin_of_stream=True)
        return MessageChunk(self.role, part=self._channels[channel], ctrl=mark)

    def _end(self, channel: str | None, error: str) -> MessageChunk:
        part = None if channel is None else self._channels[channel]
        return end_of_stream(self.stream_id, role=self.role, label=self.label, part=part, error=error)


class Routes:
    """Follows the begins and ends in a sequence of chunks, route by route.

    The newest ``remember`` ended routes are kept to tell a late chunk from a new route.
    begin_first: nothing may come before the begin of its route or of its channel.
    """

    def __init__(self, *, remember: int = 64, begin_first: bool = False) -> None:
        self._open: dict[str, Route] = {}
        self._ended: Newest[str, Route] = Newest(remember)
        self._begin_first = begin_first

    @property
    def open_routes(self) -> tuple[str, ...]:
        return tuple(self._open)

    def accept(self, chunk: MessageChunk) -> None:
        """Take note of one chunk.

        Raises:
            RouteError: a chunk on an ended route or channel, a second begin of an open one, a begin or end
                whose part names no channel, or data before its begin where begins come first.
        """
        name = chunk.stream_id
        route = self._open.get(name) or self._ended.get(name) or Route(name, begin_first=self._begin_first)
        route.accept(chunk)
        if not route.has_ended:
            self._open[name] = route
            return
        self._open.pop(name, None)
        self._ended[name] = route

    def finish(self) -> None:
        """No more chunks come.

        Raises:
            RouteError: a named route was never ended.
        """
        if unended := [route for route in self._open.values() if route.stream_id]:
            raise RouteError(f"never ended: {'; '.join(_described(route) for route in unended)}")


def _described(route: Route) -> str:
    channels = ", ".join(route.open_channels)
    return f"stream {route.stream_id!r}" + (f" (open: {channels})" if channels else "")


def _empty(part: Part) -> Part:
    return Text("") if isinstance(part, Text) else Blob(part.mime_type, b"")
