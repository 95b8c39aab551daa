"""Server-sent events, read from bytes as they come (WHATWG HTML, section 9.2, "Server-sent events").

Lines end in LF, CR or CRLF; comments and unknown fields mean nothing; several lines of data are one text. A line that
is no field at all is kept in ``stray``: gateways put their errors there, in plain words or as bare JSON.
"""

from __future__ import annotations

from companion.dialects.contract import WireEvent
from companion.errors import WireBroken

LARGEST = 1 << 25
"""Bytes of one event. A picture is a few MiB of base64."""
MOST_STRAY = 1 << 13
"""Bytes kept of what is no event."""
_BOM = b"\xef\xbb\xbf"


class SseReader:
    """Bytes in, events out, however the bytes are cut."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        """A line that has not ended."""
        self._size = 0
        """Bytes of the event that has not ended."""
        self._is_first = True
        self._is_after_cr = False
        self._name = ""
        self._data: list[str] = []
        self._stray: list[bytes] = []
        self._stray_size = 0
        self.strays = 0
        """Lines that are no fields."""

    @property
    def stray(self) -> str:
        """The lines that are no fields, as far as they are kept."""
        return b"\n".join(self._stray).decode("utf-8", "replace")

    def feed(self, data: bytes) -> list[WireEvent]:
        """The events that ``data`` completes.

        Raises:
            WireBroken: an event is too large.
        """
        if self._is_after_cr and data:
            self._is_after_cr = False
            data = data.removeprefix(b"\n")
        self._size += len(data)
        if not (b"\n" in data or b"\r" in data):
            return self._held(data)
        lines = b"".join((*self._pieces, data)).splitlines()
        self._pieces = [] if data.endswith((b"\n", b"\r")) else [lines.pop()]
        self._is_after_cr = data.endswith(b"\r")
        events = self._events(lines)
        self._check()
        return events

    def end(self) -> list[WireEvent]:
        """The event that the closed line left without its end; many senders forget the empty line behind the last."""
        rest = b"".join(self._pieces)
        self._pieces = []
        events = self._events([rest]) if rest else []
        return [*events, *self._completed()]

    def _held(self, data: bytes) -> list[WireEvent]:
        if data:
            self._pieces.append(data)
        self._check()
        return []

    def _check(self) -> None:
        if self._size > LARGEST:
            raise WireBroken(f"an event of the answer is larger than {LARGEST} bytes", retryable=False)

    def _events(self, lines: list[bytes]) -> list[WireEvent]:
        if self._is_first:
            self._is_first = False
            lines[0] = lines[0].removeprefix(_BOM)
        events: list[WireEvent] = []
        for line in lines:
            if line.startswith(b"data: "):
                self._data.append(str(line[6:], "utf-8", "replace"))
            elif line:
                self._field(line)
            elif self._data:
                events += self._completed()
            else:
                self._name = ""
        if events or not self._data:
            self._size = sum(map(len, self._pieces))
        return events

    def _completed(self) -> list[WireEvent]:
        name, data = self._name, self._data
        self._name = ""
        if not data:
            return []
        self._data = []
        return [WireEvent(name, data[0] if len(data) == 1 else "\n".join(data))]

    def _field(self, line: bytes) -> None:
        if line.startswith(b"event:"):
            self._name = _value(line, 6)
        elif line.startswith(b"data:"):
            self._data.append(_value(line, 5))
        elif line == b"data":
            self._data.append("")
        elif line == b"event":
            self._name = ""
        elif not line.startswith((b":", b"id:", b"retry:")) and line not in (b"id", b"retry"):
            self._keep(line)

    def _keep(self, line: bytes) -> None:
        self.strays += 1
        if self._stray_size < MOST_STRAY:
            self._stray.append(line[: MOST_STRAY - self._stray_size])
            self._stray_size += len(line)


def _value(line: bytes, start: int) -> str:
    return str(line[start:], "utf-8", "replace").removeprefix(" ")
