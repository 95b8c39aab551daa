"""One call of a transformer, seen from inside: its responses, its output, and how both are cut short."""

from __future__ import annotations

from collections.abc import Callable

from companion.errors import InactiveResponse, ResponseActive, RouteError
from companion.stream.chunk import MessageChunk, Role, new_stream_id
from companion.stream.contract import State, Status, Stream, Usage, state_for
from companion.stream.growing import Limit
from companion.stream.newest import Newest
from companion.stream.outlet import DeliveryObserver, Outlet
from companion.stream.response import Response, ResponseMarks


class Invocation:
    """Gathers the responses of one call into the Stream its reader pulls, which is ``stream``.

    A producer never waits: the output grows. A producer that would pass the limit gets OutputLimit; what is
    queued is dropped and ``stream`` ends.

    max_bytes, max_items: the limit of what may wait unread.
    observer: is told which chunk was pulled and which never will be.
    on_close: tells the work behind this call to end; called once, when the reader closes early, the output
        runs over, or ``cancel`` is called. It must not raise or wait.

    Delivered is what the reader of ``stream`` has pulled: a stage that reads ahead belongs before an invocation,
    not behind one. Nothing here is shared with another call, and all of it runs on one event loop.
    """

    def __init__(
        self,
        *,
        max_bytes: int = 16 * 1024 * 1024,
        max_items: int = 65_536,
        observer: DeliveryObserver | None = None,
        on_close: Callable[[], None] | None = None,
    ) -> None:
        self._outlet = Outlet(Limit(max_items, max_bytes), observer, on_close)
        self._responses: dict[str, Response] = {}
        self._ended: Newest[str, None] = Newest()

    @property
    def stream(self) -> Stream:
        return self._outlet

    def start_response(
        self, stream_id: str = "", *, role: Role | None = None, name: str = "", label: str = ""
    ) -> Response:
        """Open a response under ``stream_id`` (empty: a new one). What its chunks lack is filled from here.

        Nothing is emitted: a producer that wants a begin emits one.

        Raises:
            ResponseActive: the response of that id has not ended.
            RouteError: it has; a replacement needs an id of its own.
            OutputLimit: too much waits to be read. The invocation is over.
        """
        self._outlet.demand_room(stream_id)
        self._forget_delivered()
        present = self._responses.get(stream_id)
        if present is not None and present.is_active:
            raise ResponseActive(f"stream {stream_id!r} has a response that has not ended")
        if present is not None or stream_id in self._ended:
            raise RouteError(f"stream {stream_id!r} has ended; a new response needs a new stream id")
        response = Response(stream_id or new_stream_id(), ResponseMarks(role, name, label))
        self._responses[response.stream_id] = response
        return response

    def emit(self, response: Response, *chunks: MessageChunk) -> None:
        """Queue chunks of ``response`` for the reader, at once.

        Raises:
            InactiveResponse: it has ended, was interrupted or is not of this invocation, or its channel has ended.
            OutputLimit: too much waits to be read. The invocation is over.
            StreamClosed: the output has ended, or its reader has gone.
        """
        for chunk in chunks:
            self._emit(response, response.filled(chunk))

    def _emit(self, response: Response, chunk: MessageChunk) -> None:
        self._demand_own(response)
        if objection := response.admit(chunk):
            raise InactiveResponse(objection)
        self._outlet.put(response, chunk)

    def end(self, response: Response, error: str = "") -> None:
        """End each channel of ``response`` still open, in MIME order, then its route. Does nothing the second time.

        Raises:
            InactiveResponse: it is not of this invocation.
        """
        self._demand_own(response)
        self._outlet.put_marks(response, response.end(error))

    def _demand_own(self, response: Response) -> None:
        if response.is_active and self._responses.get(response.stream_id) is not response:
            raise InactiveResponse(f"stream {response.stream_id!r} is no response of this invocation")

    def interrupt(self, response: Response, error: str = "interrupted") -> bool:
        """Drop what the reader has not pulled of ``response`` and end it, now; say whether there was anything to end.

        The reader's next chunks are the ends of its channels, carrying ``error``; other responses go on.
        """
        is_mine = self._responses.get(response.stream_id) is response
        if not (is_mine and response.can_be_cut) or self._outlet.state is not None:
            return False
        self._outlet.replace(response, response.cut(error))
        return True

    def cancel(self, error: str = "cancelled") -> None:
        """Drop all the reader has not pulled, end every response with ``error``, then the stream and its work."""
        for response in reversed(self._responses.values()):
            self.interrupt(response, error)
        self._outlet.end_with(State(Status.TRUNCATED))
        self._outlet.abandon_work()

    def done(self, usage: Usage | None = None) -> None:
        """End normally, once the reader has drained what is queued. Responses still active are ended first."""
        self._finish(State(Status.DONE, usage or Usage()), "")

    def fail(self, error: BaseException) -> None:
        """End by failure, once the reader has drained what is queued. Responses still active end with its words."""
        state = state_for(error)
        self._finish(state, str(state.error()))

    def _finish(self, state: State, error: str) -> None:
        for response in self._responses.values():
            self.end(response, error)
        self._outlet.end_with(state)

    def _forget_delivered(self) -> None:
        for stream_id in [name for name, response in self._responses.items() if response.is_delivered]:
            del self._responses[stream_id]
            self._ended[stream_id] = None
