"""A streamed answer, from the bytes of the line to deltas.

What came out before an error has come out: where one stands in the middle of what is fed, the deltas before it are
returned, and the error is told by ``failure`` at once and raised by the next call.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.dialects.contract import Dialect, Framing, WireEvent
from companion.dialects.ndjson import NdjsonReader
from companion.dialects.sse import SseReader
from companion.dialects.wire_names import names_back
from companion.errors import ModelError, WireBroken
from companion.model.deltas import Delta, Finished
from companion.model.json_repair import strict_json

_GATEWAY = 502
"""The status of an error that stands in the middle of an answer without one: whoever is between us and the model."""


class AnswerReader:
    """Reads one streamed answer. Deltas behind the finish signal (the counts) come out too; a second one does not.

    names: as ``WireRequest`` has them.
    """

    def __init__(self, dialect: Dialect, names: Mapping[str, str] | None = None) -> None:
        self._dialect = dialect
        self._names = names or {}
        self._decoder = dialect.decoder()
        self._framing = SseReader() if dialect.framing is Framing.SSE else NdjsonReader()
        self.failure: ModelError | None = None
        """Why no more will come: raised by every call from now on."""
        self.is_finished = False
        """Whether the finish signal has come; the counts may still come behind it."""

    @property
    def unknown(self) -> int:
        """Events that the dialect does not know, and lines that are none."""
        return self._decoder.unknown + self._framing.strays

    def feed(self, data: bytes) -> list[Delta]:
        """The deltas that ``data`` completes.

        Raises:
            WireBroken: an event is malformed.
            ModelError: the provider says that it failed.
        """
        self._stand()
        deltas: list[Delta] = []
        try:
            self._read(self._framing.feed(data), deltas)
        except ModelError as error:
            return self._failed(error, deltas)
        return names_back(deltas, self._names)

    def end(self) -> list[Delta]:
        """The deltas that were held back, once the line was closed.

        Raises:
            WireBroken: the answer stopped in the middle.
            ModelError: what came in place of the answer's end tells of an error.
        """
        self._stand()
        deltas: list[Delta] = []
        try:
            self._read_rest(deltas)
        except ModelError as error:
            return self._failed(error, deltas)
        return names_back(deltas, self._names)

    def _stand(self) -> None:
        if self.failure is not None:
            raise self.failure

    def _failed(self, error: ModelError, deltas: list[Delta]) -> list[Delta]:
        self.failure = error
        if not deltas:
            raise error
        return names_back(deltas, self._names)

    def _read(self, events: list[WireEvent], deltas: list[Delta]) -> None:
        feed = self._decoder.feed
        for event in events:
            for delta in feed(event):
                if type(delta) is not Finished or self._is_first_finish():
                    deltas.append(delta)  # noqa: PERF401 - what is cheapest for one or none

    def _is_first_finish(self) -> bool:
        is_first, self.is_finished = not self.is_finished, True
        return is_first

    def _read_rest(self, deltas: list[Delta]) -> None:
        try:
            self._read(self._framing.end(), deltas)
        except WireBroken:
            # What is cut off behind the finish signal takes nothing from the answer.
            if not self.is_finished:
                raise
        if not self.is_finished and (stray := self._framing.stray.strip()):
            raise self._gateway_error(stray)
        deltas += [one for one in self._decoder.end() if type(one) is not Finished or self._is_first_finish()]
        if not self.is_finished:
            raise WireBroken(f"the {self._dialect.name} answer stopped before its finish signal")

    def _gateway_error(self, stray: str) -> ModelError:
        try:
            return self._dialect.fault(_GATEWAY, strict_json(stray))
        except ValueError:
            return self._dialect.fault(_GATEWAY, stray)
