"""A model hub on the loopback device: redirects to its store, knows ranges and ETags, and misbehaves as told."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Cut:
    """Closes the connection after that many bytes of the body."""

    after: int


@dataclass(frozen=True)
class Answer:
    """Answers with a status and headers, and no file."""

    status: int
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class OtherRange:
    """Answers a range with one that begins elsewhere."""

    shift: int = 7


@dataclass(frozen=True)
class Longer:
    """Sends more than the file, without saying how much."""

    by: int = 10


Fault = Cut | Answer | OtherRange | Longer


@dataclass
class Request:
    path: str
    headers: dict[str, str]


@dataclass
class HubDouble:
    """Serves ``files`` by the path after the host. ``faults`` are used up, one for each request to the store."""

    files: dict[str, bytes]
    faults: list[Fault] = field(default_factory=list)
    ranges: bool = True
    etags: bool = True
    stall_after: int | None = None
    """Bytes of a body after which nothing more comes, and the connection stays."""
    requests: list[Request] = field(default_factory=list)
    sent: int = 0
    """Bytes of files that went out."""

    async def __aenter__(self) -> HubDouble:
        self._serving: set[asyncio.Task[None]] = set()
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.endpoint = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)
        await self._server.wait_closed()

    @property
    def asked_from_store(self) -> list[Request]:
        return [request for request in self.requests if request.path.startswith("/store/")]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        try:
            await self._answer(await _request(reader), writer)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            # Whoever asked has gone, or the test is over.
            writer.transport.abort()
        finally:
            self._serving.discard(task)
            writer.close()

    async def _answer(self, request: Request, writer: asyncio.StreamWriter) -> None:
        self.requests.append(request)
        path = request.path
        if not path.startswith("/store"):
            known = path in self.files
            _head(writer, 302 if known else 404, {"location": f"/store{path}"} if known else {})
            return
        fault = self.faults.pop(0) if self.faults else None
        if isinstance(fault, Answer):
            _head(writer, fault.status, dict(fault.headers))
            return
        await self._send(self.files[path.removeprefix("/store")], request, fault, writer)

    async def _send(self, body: bytes, request: Request, fault: Fault | None, writer: asyncio.StreamWriter) -> None:
        etag = '"' + hashlib.md5(body).hexdigest() + '"'
        headers = {"etag": etag} if self.etags else {}
        start = self._start(request, etag)
        status = 200
        if start is not None and start >= len(body):
            _head(writer, 416, {"content-range": f"bytes */{len(body)}"})
            return
        if start is not None:
            status = 206
            start = max(0, start - fault.shift) if isinstance(fault, OtherRange) else start
            headers["content-range"] = f"bytes {start}-{len(body) - 1}/{len(body)}"
        rest = body[start or 0 :]
        if isinstance(fault, Longer):
            rest += b"x" * fault.by
        else:
            headers["content-length"] = str(len(rest))
        _head(writer, status, headers)
        rest = rest[: fault.after] if isinstance(fault, Cut) else rest
        stalls = self.stall_after is not None and len(rest) > self.stall_after
        rest = rest[: self.stall_after] if stalls else rest
        self.sent += len(rest)
        writer.write(rest)
        await writer.drain()
        if stalls:
            await asyncio.Event().wait()

    def _start(self, request: Request, etag: str) -> int | None:
        wanted = request.headers.get("range", "")
        if not self.ranges or not wanted or request.headers.get("if-range", etag) != etag:
            return None
        return int(wanted.removeprefix("bytes=").split("-")[0])


async def _request(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    fields = (line.partition(": ") for line in head[1:] if line)
    return Request(head[0].split(" ")[1], {name.lower(): value for name, _, value in fields})


def _head(writer: asyncio.StreamWriter, status: int, headers: dict[str, str]) -> None:
    if status not in {200, 206}:
        headers = {"content-length": "0", **headers}
    lines = [f"HTTP/1.1 {status} Told", "connection: close", *(f"{name}: {value}" for name, value in headers.items())]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
