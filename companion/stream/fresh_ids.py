"""Answers of a model under stream ids of their own, whatever ids the model's service gives them."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace

from companion.stream.chunk import MessageChunk, Role, StreamCtrl, new_stream_id
from companion.stream.contract import PulledStream, Stream
from companion.stream.lifecycle import Route
from companion.stream.newest import Newest


class FreshIds:
    """A Transformer that gives each response of the model a new stream id.

    All channels of one response share it. An id the service uses again after a response is complete stands
    for a new response; ends that come late still go to the one they end. Chunks of the user and of tools keep
    their ids; a chunk that says of nobody goes with the response of its id, if there is one.
    """

    async def transform(self, source: Stream) -> Stream:
        renaming = _Renaming()

        async def renamed() -> AsyncGenerator[MessageChunk, None]:
            async for chunk in source:
                yield renaming.of(chunk)

        return PulledStream(renamed(), source)


class _Renaming:
    """Which response each id of the service stands for: the newest that are open, and the newest of those complete."""

    def __init__(self) -> None:
        self._open: Newest[str, Route] = Newest()
        self._complete: Newest[str, Route] = Newest()

    def of(self, chunk: MessageChunk) -> MessageChunk:
        given = chunk.stream_id
        is_known = given in self._open or given in self._complete
        if not (chunk.role is Role.MODEL or (chunk.role is None and is_known)):
            return chunk
        response = self._response_of(chunk) or Route(new_stream_id())
        renamed = replace(chunk, ctrl=replace(chunk.ctrl or StreamCtrl(), stream_id=response.stream_id))
        self._note(given, response, renamed)
        return renamed

    def _response_of(self, chunk: MessageChunk) -> Route | None:
        response = self._open.get(chunk.stream_id)
        if response is None:
            return self._complete.get(chunk.stream_id) if chunk.is_end else None
        begins_anew = chunk.part is None and chunk.is_begin and response.is_complete
        return None if begins_anew else response

    def _note(self, given: str, response: Route, chunk: MessageChunk) -> None:
        # What does not pair up is the service's fault, and is passed on for its reader to see.
        response.admit(chunk)
        if not response.is_over:
            self._open[given] = response
            return
        self._open.pop(given, None)
        self._complete[given] = response
