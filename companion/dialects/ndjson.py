"""One JSON value a line, read from bytes as they come (the NDJSON format: lines end in LF, CRLF is allowed)."""

from __future__ import annotations

from companion.dialects.contract import WireEvent
from companion.dialects.sse import LARGEST
from companion.errors import WireBroken


class NdjsonReader:
    """Bytes in, events without names out. Empty lines are keep-alives and mean nothing."""

    stray = ""
    strays = 0
    """Every line is an event here."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        """A line that has not ended."""
        self._size = 0
        self._is_first = True

    def feed(self, data: bytes) -> list[WireEvent]:
        """The lines that ``data`` completes.

        Raises:
            WireBroken: a line is too large.
        """
        head, end, rest = data.rpartition(b"\n")
        if end:
            head = b"".join((*self._pieces, head))
            self._pieces, self._size = [], 0
        if rest:
            self._pieces.append(rest)
            self._size += len(rest)
        if self._size > LARGEST:
            raise WireBroken(f"a line of the answer is larger than {LARGEST} bytes", retryable=False)
        return self._events(head) if end else []

    def end(self) -> list[WireEvent]:
        """The line that the closed line left without its end."""
        rest = b"".join(self._pieces)
        self._pieces = []
        return self._events(rest)

    def _events(self, data: bytes) -> list[WireEvent]:
        text = str(data, "utf-8", "replace").replace("\r\n", "\n").removesuffix("\r")
        if self._is_first and text:
            self._is_first = False
            text = text.removeprefix("\ufeff")
        return [WireEvent("", line) for line in text.split("\n") if line.strip()]
