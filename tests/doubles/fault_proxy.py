"""A line between two that is as bad as told: it delays, cuts, resets and trickles, each connection by a seeded plan."""

from __future__ import annotations

import asyncio
import random
import socket
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Good:
    """Passes everything on."""


@dataclass(frozen=True)
class Delay:
    """Holds back what the server sends for so many seconds."""

    seconds: float


@dataclass(frozen=True)
class Cut:
    """Closes the connection after so many bytes of the server's."""

    after: int


@dataclass(frozen=True)
class Reset:
    """Resets the connection after so many bytes of the server's."""

    after: int


@dataclass(frozen=True)
class Trickle:
    """Passes on what the server sends in pieces of so many bytes, with a pause of so many seconds between them."""

    size: int
    seconds: float = 0.0


@dataclass(frozen=True)
class Silence:
    """Passes on nothing that the server sends."""


Fault = Good | Delay | Cut | Reset | Trickle | Silence


def seeded_plan(seed: int, *, good: float = 0.4, longest: float = 0.05, most: int = 2_000) -> Iterator[Fault]:
    """Faults without end, the same for the same seed.

    good: share of connections without one. longest: seconds of a delay. most: bytes before a cut.
    """
    chance = random.Random(seed)
    while True:
        if chance.random() < good:
            yield Good()
            continue
        yield chance.choice(
            [
                Delay(chance.uniform(0, longest)),
                Cut(chance.randrange(most)),
                Reset(chance.randrange(most)),
                Trickle(chance.randrange(1, 40), longest / 100),
            ]
        )


@dataclass
class FaultProxy:
    """Passes connections on to ``port`` of this machine. plan: a fault for each; when it runs out, the rest is good."""

    port: int
    plan: Iterator[Fault] | Sequence[Fault]
    met: list[Fault] = field(default_factory=list)
    """The fault of each connection, in order."""

    async def __aenter__(self) -> FaultProxy:
        self._faults = iter(self.plan)
        self._serving: set[asyncio.Task[None]] = set()
        self._is_over = False
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._is_over = True
        self._server.close()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)
        await self._server.wait_closed()

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_over:
            writer.transport.abort()
            return
        fault = next(self._faults, Good())
        self.met.append(fault)
        task = asyncio.ensure_future(self._serve(reader, writer, fault))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)
        # One that is cancelled before its first step closes nothing itself.
        task.add_done_callback(lambda _: writer.close())

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, fault: Fault) -> None:
        try:
            await self._join(reader, writer, fault)
        except (ConnectionError, asyncio.CancelledError):
            # One of the two has gone, or the test is over.
            writer.transport.abort()
        finally:
            writer.close()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, fault: Fault) -> None:
        other_reader, other_writer = await asyncio.open_connection("127.0.0.1", self.port)
        there = asyncio.ensure_future(_pass_on(reader, other_writer))
        back = asyncio.ensure_future(_pass_back(other_reader, writer, fault))
        try:
            await asyncio.wait([there, back], return_when=asyncio.FIRST_COMPLETED)
        finally:
            # Before anything is waited for: the test may end meanwhile.
            other_writer.close()
            for way in (there, back):
                way.cancel()
            await asyncio.gather(there, back, return_exceptions=True)


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(1 << 16):
        writer.write(data)
        await writer.drain()


async def _pass_back(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, fault: Fault) -> None:
    passed = 0
    while data := await reader.read(1 << 16):
        match fault:
            case Good():
                await _write(writer, data)
            case Delay(seconds):
                await asyncio.sleep(seconds)
                await _write(writer, data)
            case Trickle(size, seconds):
                for start in range(0, len(data), size):
                    await _write(writer, data[start : start + size])
                    await asyncio.sleep(seconds)
            case Silence():
                continue
            case Cut(after) | Reset(after):
                await _write(writer, data[: after - passed])
                passed += len(data)
                if passed >= after:
                    if isinstance(fault, Reset):
                        reset(writer)
                    return


def reset(writer: asyncio.StreamWriter) -> None:
    """End a connection as one that crashed does (RST), not with a close."""
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def _write(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(data)
    await writer.drain()
