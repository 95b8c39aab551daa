"""The door for a second process: one line of JSON asks, one line of JSON answers.

The socket belongs to the user alone (mode 0600). A client may be slow, wordy, wrong or gone in the
middle: it is answered or dropped within a deadline, and never hurts the engine. There are no Unix
sockets for asyncio on Windows: there the companion runs without this door.

    {"order": "mute", "on": true}
    {"ok": true, "answer": {...}}
    {"ok": false, "error": "there is no order 'dance'", "mend": "Use one of ...", "exit_status": 2}
"""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import os
import socket
import stat
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from companion.app.orders import Order, read, written
from companion.app.orders import patience as allowed
from companion.errors import BadInput, CompanionError, ControlError, NotRunning, StorageError, reason_of
from companion.stream.tasks import Tasks

logger = logging.getLogger(__name__)

LONGEST_LINE = 16_384
"""Bytes."""
MOST_CLIENTS = 16
MOST_REQUESTS = 100
"""Of one client, after which it may connect again."""
LOOK = 30.0
PATIENCE = 5.0
"""Seconds for a client to send a line or to take an answer."""

Answer = Mapping[str, object]


class ControlServer:
    """Carries orders from the control socket to ``perform`` and its answers back.

    patience: seconds for a client to send or take a line. look: seconds after which it is looked for a socket that
    somebody has removed, as cleaners of temporary folders do.
    """

    def __init__(
        self,
        path: Path,
        perform: Callable[[Order], Awaitable[Answer]],
        *,
        patience: float = PATIENCE,
        look: float = LOOK,
    ) -> None:
        self._path = path
        self._perform = perform
        self._patience = patience
        self._look = look
        self._tasks = Tasks()
        self._server: asyncio.Server | None = None
        self._made: int | None = None
        """Which file the socket is, so that only our own is removed."""
        self._clients: set[asyncio.Task[Any]] = set()

    async def open(self) -> None:
        """Listen. The caller owns the data folder, so a socket that is already there belongs to nobody.

        Raises:
            StorageError: the socket cannot be made.
        """
        if not hasattr(socket, "AF_UNIX") or os.name == "nt":
            logger.warning("no control socket on this system: a second process cannot reach this companion")
            return
        try:
            await self._listen()
        except OSError as error:
            raise StorageError(
                f"the control socket {self._path} cannot be made: {reason_of(error)}",
                file=str(self._path),
                mend="Allow your user to write there, or set XDG_RUNTIME_DIR.",
            ) from error

        self._tasks.start(self._put_back(), name="control socket")

    async def _listen(self) -> None:
        self._server = await asyncio.start_unix_server(self._serve, sock=_bound(self._path), limit=LONGEST_LINE)
        self._made = self._path.stat().st_ino

    async def _put_back(self) -> None:
        """One that is gone is made anew. One that is another's stays: an engine that hung may have a successor."""
        while True:
            await asyncio.sleep(self._look)
            if self._server is None or await asyncio.to_thread(self._path.exists):
                continue
            self._server.close()
            try:
                await self._listen()
            except OSError as error:
                logger.warning("the control socket cannot be made anew: %s", error)
            else:
                logger.info("the control socket had gone, and is there again")

    async def close(self) -> None:
        """Stop listening and drop the clients. May be called twice."""
        await self._tasks.close()
        if self._server is None:
            return
        self._server.close()
        self._server = None
        clients = list(self._clients)
        for client in clients:
            client.cancel()
        await asyncio.gather(*clients, return_exceptions=True)
        if _is_file(self._path, self._made):
            self._path.unlink(missing_ok=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        crowded = len(self._clients) >= MOST_CLIENTS
        self._clients.add(task)
        try:
            await self._talk_with(reader, writer, crowded=crowded)
        except (OSError, TimeoutError) as error:
            logger.info("dropped a control client: %s", error or type(error).__name__)
            # One that takes no answers would else keep its connection until it does.
            writer.transport.abort()
        except asyncio.CancelledError:
            logger.debug("dropped a control client: closing")
        finally:
            self._clients.discard(task)
            writer.close()

    async def _talk_with(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, crowded: bool) -> None:
        for _ in range(1 if crowded else MOST_REQUESTS):
            try:
                async with asyncio.timeout(self._patience):
                    line = await reader.readuntil()
            except asyncio.IncompleteReadError:
                return
            except asyncio.LimitOverrunError:
                await self._send(writer, _refusal(BadInput(f"a line is longer than {LONGEST_LINE} bytes")))
                return
            await self._send(writer, _TOO_MANY if crowded else await self._answer(line))

    async def _send(self, writer: asyncio.StreamWriter, answer: Answer) -> None:
        writer.write(json.dumps(answer).encode() + b"\n")
        async with asyncio.timeout(self._patience):
            await writer.drain()

    async def _answer(self, line: bytes) -> Answer:
        try:
            document = json.loads(line)
        except (ValueError, RecursionError):
            return _refusal(BadInput("this line is no JSON", mend='Send {"order": "status"}.'))
        try:
            order = read(document)
            async with asyncio.timeout(allowed(order)):
                return {"ok": True, "answer": dict(await self._perform(order))}
        except TimeoutError:
            return _refusal(ControlError("the companion did not get to it in time", mend="Try again."))
        except CompanionError as error:
            return _refusal(error)
        except Exception as error:
            logger.exception("an order failed")
            return _refusal(ControlError(f"something went wrong inside ({type(error).__name__})", mend="See the log."))


def _bound(path: Path) -> socket.socket:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if _is_strangers(path.parent):
        raise PermissionError(errno.EPERM, f"{path.parent} belongs to somebody else")
    path.unlink(missing_ok=True)
    door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    # Before the bind, so that there is no moment in which others could connect.
    before = os.umask(0o177)
    try:
        door.bind(str(path))
    except OSError:
        door.close()
        raise
    finally:
        os.umask(before)
    return door


def _is_file(path: Path, number: int | None) -> bool:
    """Whether it is that very file: an engine that hung may end when another has taken its place."""
    try:
        return path.stat().st_ino == number
    except OSError:
        return False


def _is_strangers(folder: Path) -> bool:
    """Whether somebody else made it, or a link to it, where everybody may, as in the folder for temporary files."""
    if not hasattr(os, "getuid"):
        return False
    try:
        made, around = folder.lstat(), folder.parent.stat()
    except FileNotFoundError:
        return False
    return made.st_uid != os.getuid() and bool(around.st_mode & stat.S_IWOTH)


def _refusal(error: CompanionError) -> Answer:
    return {"ok": False, "error": str(error), "mend": error.mend, "exit_status": error.exit_status}


_TOO_MANY = _refusal(ControlError("too many control clients", mend="Try again."))


def ask(path: Path, order: Order, *, patience: float | None = None) -> dict[str, Any]:
    """Ask the running companion, from another process.

    patience: seconds; None gives the order the time it may take.

    Raises:
        NotRunning: nobody listens there.
        ControlError: it refused, did not answer in time, or its socket lies in a stranger's folder.
    """
    if not hasattr(socket, "AF_UNIX"):
        raise ControlError("a running companion cannot be reached on this system", mend="Restart it instead.")
    if _is_strangers(path.parent):
        raise ControlError(f"{path.parent} belongs to somebody else", mend="Set XDG_RUNTIME_DIR to a folder of yours.")
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
            door.settimeout(allowed(order) + 1.0 if patience is None else patience)
            door.connect(str(path))
            door.sendall(json.dumps(written(order)).encode() + b"\n")
            with door.makefile("rb") as answers:
                line = answers.readline(1 << 20)
    except (FileNotFoundError, ConnectionRefusedError) as error:
        raise NotRunning("no companion is running here", mend="Start one by `companion`.") from error
    except OSError as error:
        raise ControlError(
            f"the running companion does not answer ({error or type(error).__name__})", mend="See its log."
        ) from error
    return _taken(line)


def _taken(line: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(line)
        if answer["ok"]:
            return dict(answer["answer"])
        refusal, mend, status = str(answer["error"]), str(answer["mend"]), answer["exit_status"]
    except (ValueError, KeyError, TypeError) as error:
        raise ControlError("the running companion gave no answer", mend="See its log.") from error
    raise (BadInput if status == BadInput.exit_status else ControlError)(refusal, mend=mend)
