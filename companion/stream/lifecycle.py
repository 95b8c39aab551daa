"""Which routes and channels of a stream are open: begins and ends must pair up."""

from __future__ import annotations

from companion.errors import RouteError
from companion.stream.chunk import Blob, MessageChunk, Part, Role, Text, end_of_stream


class Routes:
    """Follows the begins and ends in a sequence of chunks.

    Data without a begin declares its channel. A route that has ended stays ended; the newest
    ``remember`` ended routes are kept to tell a late chunk from a new route.
    """

    def __init__(self, *, remember: int = 64) -> None:
        self._open: dict[str, dict[str, Part]] = {}
        self._marks: dict[str, tuple[Role | None, str]] = {}
        self._ended: dict[str, None] = {}
        self._ended_channels: dict[str, set[str]] = {}
        self._remember = remember

    @property
    def open_routes(self) -> tuple[str, ...]:
        return tuple(self._open)

    def open_channels(self, stream_id: str) -> tuple[str, ...]:
        """MIME types still open on the route, sorted."""
        return tuple(sorted(self._open.get(stream_id, ())))

    def accept(self, chunk: MessageChunk) -> None:
        """Take note of one chunk.

        Raises:
            RouteError: a chunk on an ended route or channel, a second begin of an open one, or a begin or
                end whose part names no channel.
        """
        route = chunk.stream_id
        channel = chunk.mime_type
        if route in self._ended:
            raise RouteError(f"stream {route!r} has ended and cannot carry more")
        if chunk.part is not None and channel is None and (chunk.is_begin or chunk.is_end):
            raise RouteError(f"stream {route!r}: a begin or end whose part has no valid MIME type")
        if chunk.part is None and chunk.is_begin and route in self._open:
            raise RouteError(f"stream {route!r} began twice")
        channels = self._open.setdefault(route, {})
        self._remember_marks(chunk)
        if chunk.part is None and chunk.is_end:
            self._end_route(route)
        elif chunk.part is not None and channel is not None:
            self._accept_channel(chunk, chunk.part, channel, channels)

    def _accept_channel(self, chunk: MessageChunk, part: Part, channel: str, channels: dict[str, Part]) -> None:
        route = chunk.stream_id
        ended = self._ended_channels.setdefault(route, set())
        if channel in ended:
            raise RouteError(f"channel {channel!r} of stream {route!r} has ended and cannot carry more")
        if chunk.is_begin and channel in channels:
            raise RouteError(f"channel {channel!r} of stream {route!r} began twice")
        if chunk.is_end:
            channels.pop(channel, None)
            ended.add(channel)
        else:
            channels.setdefault(channel, _empty(part))

    def _remember_marks(self, chunk: MessageChunk) -> None:
        role, label = self._marks.get(chunk.stream_id, (None, ""))
        new_label = chunk.ctrl.label if chunk.ctrl else ""
        self._marks[chunk.stream_id] = (chunk.role or role, new_label or label)

    def _end_route(self, route: str) -> None:
        self._open.pop(route, None)
        self._marks.pop(route, None)
        self._ended_channels.pop(route, None)
        self._ended[route] = None
        while len(self._ended) > self._remember:
            del self._ended[next(iter(self._ended))]

    def ends(self, error: str = "") -> list[MessageChunk]:
        """End markers for everything still open: each channel in MIME order, then its route."""
        markers: list[MessageChunk] = []
        for route, channels in self._open.items():
            role, label = self._marks.get(route, (None, ""))
            markers.extend(
                end_of_stream(route, role=role, label=label, part=channels[channel], error=error)
                for channel in sorted(channels)
            )
            markers.append(end_of_stream(route, role=role, label=label, error=error))
        return markers


def _empty(part: Part) -> Part:
    return Text("") if isinstance(part, Text) else Blob(part.mime_type, b"")
