"""A provider on the loopback device: plays answers as they were recorded, and misbehaves as told.

It speaks HTTP/1.1 with kept connections. Nothing in it waits for a time: it waits for an event, or for ever.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from doubles.fault_proxy import reset


class Ending(Enum):
    """What comes behind the pieces of an answer."""

    WELL = auto()
    CUT = auto()
    """The connection is closed, though more was announced."""
    RESET = auto()
    STALL = auto()
    """Nothing more comes, and the connection stays."""


@dataclass(frozen=True)
class Reply:
    """One answer. pieces: of the body, sent one by one; at an event the server waits for it."""

    pieces: Sequence[bytes | asyncio.Event] = ()
    status: int = 200
    content_type: str = "text/event-stream"
    headers: Mapping[str, str] = field(default_factory=dict)
    ending: Ending = Ending.WELL
    is_chunked: bool = True
    """False: its length is announced."""
    has_head: bool = True
    """False: nothing is said before the ending."""

    @classmethod
    def json(cls, answer: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
        return cls((json.dumps(answer).encode(),), status, "application/json", headers or {}, is_chunked=False)

    @classmethod
    def sse(cls, *events: object, ending: Ending = Ending.WELL) -> Reply:
        """Server-sent events without names, one piece each; text goes out as it is, anything else as JSON."""
        texts = [event if isinstance(event, str) else json.dumps(event) for event in events]
        return cls(tuple(f"data: {text}\n\n".encode() for text in texts), ending=ending)


@dataclass
class Asked:
    """A request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class ProviderServer:
    """Answers with the next of ``replies`` (the last again and again), or with what the function says."""

    replies: Sequence[Reply] | Callable[[Asked], Reply]
    tls: ssl.SSLContext | None = None
    asked: list[Asked] = field(default_factory=list)
    connections: int = 0
    cut_off: int = 0
    """Connections that whoever asked closed before the answer had ended."""

    async def __aenter__(self) -> ProviderServer:
        self._serving: set[asyncio.Task[None]] = set()
        self._arrived = asyncio.Condition()
        self._is_over = False
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0, ssl=self.tls)
        self.port = self._server.sockets[0].getsockname()[1]
        self.url = f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._is_over = True
        self._server.close()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)
        await self._server.wait_closed()
        async with asyncio.timeout(10):
            # A handshake that the other side breaks off ends by itself, in a task of asyncio's own.
            while any("_accept_connection2" in repr(task.get_coro()) for task in asyncio.all_tasks()):  # noqa: ASYNC110
                await asyncio.sleep(0)

    async def until(self, holds: Callable[[ProviderServer], bool]) -> None:
        """Wait until something has happened here."""
        async with asyncio.timeout(10), self._arrived:
            await self._arrived.wait_for(lambda: holds(self))

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """No coroutine, so that a connection that is made while the server ends leaves no task behind."""
        if self._is_over:
            writer.transport.abort()
            return
        self.connections += 1
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)
        # One that is cancelled before its first step closes nothing itself.
        task.add_done_callback(lambda _: writer.close())

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while asked := await _request(reader):
                self.asked.append(asked)
                await self._tell()
                if not await self._answer(reader, writer, self._reply(asked)):
                    break
        except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
            self.cut_off += 1
            await self._tell()
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            writer.close()

    async def _tell(self) -> None:
        async with self._arrived:
            self._arrived.notify_all()

    def _reply(self, asked: Asked) -> Reply:
        if callable(self.replies):
            return self.replies(asked)
        return self.replies[min(len(self.asked), len(self.replies)) - 1]

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, reply: Reply) -> bool:
        """Whether the connection may be used again."""
        if reply.has_head:
            writer.write(_head(reply))
        for piece in reply.pieces:
            if isinstance(piece, asyncio.Event):
                await _unless_gone(reader, piece.wait())
                continue
            writer.write(b"%x\r\n%s\r\n" % (len(piece), piece) if reply.is_chunked else piece)
            await writer.drain()
        match reply.ending:
            case Ending.WELL:
                writer.write(b"0\r\n\r\n" if reply.is_chunked else b"")
                await writer.drain()
                return reply.headers.get("connection") != "close"
            case Ending.CUT:
                return False
            case Ending.RESET:
                reset(writer)
                return False
            case Ending.STALL:
                await _unless_gone(reader, asyncio.Event().wait())
                return False


async def _unless_gone(reader: asyncio.StreamReader, waiting: Any) -> None:
    """Wait, unless whoever asked closes the connection."""
    other, gone = asyncio.ensure_future(waiting), asyncio.ensure_future(reader.read(1))
    try:
        await asyncio.wait([other, gone], return_when=asyncio.FIRST_COMPLETED)
        if gone.done():
            raise ConnectionResetError
    finally:
        for task in (other, gone):
            task.cancel()
        await asyncio.gather(other, gone, return_exceptions=True)


async def _request(reader: asyncio.StreamReader) -> Asked | None:
    try:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    except asyncio.IncompleteReadError as error:
        if error.partial:
            raise
        return None
    method, path, _ = lines[0].split(" ")
    fields = (line.partition(":") for line in lines[1:] if line)
    headers = {name.lower(): value.strip() for name, _, value in fields}
    return Asked(method, path, headers, await reader.readexactly(int(headers.get("content-length", "0"))))


def _head(reply: Reply) -> bytes:
    size = sum(len(piece) for piece in reply.pieces if isinstance(piece, bytes))
    size += 0 if reply.ending is Ending.WELL else 1
    length = {"transfer-encoding": "chunked"} if reply.is_chunked else {"content-length": str(size)}
    headers = {"content-type": reply.content_type, **length, **reply.headers}
    lines = [f"HTTP/1.1 {reply.status} Told", *(f"{name}: {value}" for name, value in headers.items() if value)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()
