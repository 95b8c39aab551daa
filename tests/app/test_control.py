"""The control socket answers good clients and outlives bad ones."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from companion.app.control import LONGEST_LINE, MOST_CLIENTS, MOST_REQUESTS, Answer, ControlServer, ask
from companion.app.orders import Announce, Mute, Order, Status
from companion.errors import BadInput, ControlError, NotRunning, StorageError


class Butler:
    """Takes orders and remembers them."""

    def __init__(self) -> None:
        self.orders: list[Order] = []

    async def perform(self, order: Order) -> Answer:
        self.orders.append(order)
        if order == Announce("fail"):
            raise ControlError("it cannot be said", mend="Say less.")
        if order == Announce("break"):
            raise RuntimeError("a fault of ours")
        if order == Announce("a bad value"):
            raise ValueError("a fault of ours")
        return {"muted": isinstance(order, Mute)}


@asynccontextmanager
async def served(folder: Path, patience: float = 5.0) -> AsyncIterator[tuple[Path, Butler]]:
    butler, path = Butler(), folder / "control.sock"
    server = ControlServer(path, butler.perform, patience=patience)
    await server.open()
    try:
        yield path, butler
    finally:
        await server.close()


async def said(path: Path, *lines: bytes) -> list[dict[str, object]]:
    """What the server answers to raw lines."""
    reader, writer = await asyncio.open_unix_connection(str(path))
    answers: list[dict[str, object]] = []
    try:
        for line in lines:
            writer.write(line)
            answer = await reader.readline()
            if not answer:
                break
            answers.append(json.loads(answer))
    except ConnectionError:
        pass
    finally:
        writer.close()
    return answers


async def asked_again(path: Path, order: Order) -> dict[str, object]:
    """What is answered when somebody is there."""
    async with asyncio.timeout(10):
        while True:
            with suppress(NotRunning):
                return await asked(path, order)


async def asked(path: Path, order: Order) -> dict[str, object]:
    return await asyncio.to_thread(ask, path, order, patience=5.0)


async def test_an_order_is_carried_out_and_answered(tmp_path: Path) -> None:
    async with served(tmp_path) as (path, butler):
        assert await asked(path, Mute(on=True)) == {"muted": True}
        assert await asked(path, Status()) == {"muted": False}

    assert butler.orders == [Mute(on=True), Status()]


async def test_only_the_owner_may_connect_and_the_socket_goes_with_the_server(tmp_path: Path) -> None:
    async with served(tmp_path) as (path, _):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not path.exists()


async def test_a_socket_left_by_a_killed_companion_is_no_obstacle(tmp_path: Path) -> None:
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(tmp_path / "control.sock"))
    left.close()
    async with served(tmp_path) as (path, _):
        assert await asked(path, Status()) == {"muted": False}


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"hello\n",
        b"\xff\xfe\x00\n",
        b"[1, 2]\n",
        b"null\n",
        b'{"order": "dance"}\n',
        b'{"order": 7}\n',
        b'{"order": ["status"]}\n',
        b'{"order": "mute", "on": "loud"}\n',
        b'{"order": "status", "depth": 3}\n',
        b'{"order": "announce"}\n',
        b'{"order": "announce", "text": " "}\n',
        b'{"order": "ask", "text": "half a \\udcff character"}\n',
        b"[" * 9_000 + b"\n",
    ],
)
async def test_a_line_that_is_no_order_is_refused_and_the_next_is_served(tmp_path: Path, line: bytes) -> None:
    async with served(tmp_path) as (path, butler):
        refused, good = await said(path, line, b'{"order": "status"}\n')

    assert refused["ok"] is False
    assert refused["error"]
    assert good["ok"] is True
    assert butler.orders == [Status()]


async def test_an_endless_line_is_cut_off(tmp_path: Path) -> None:
    async with served(tmp_path) as (path, butler):
        answers = await said(path, b"x" * (LONGEST_LINE + 1))
        assert await asked(path, Status())

    assert "longer than" in str(answers[0]["error"])
    assert len(butler.orders) == 1


async def test_a_client_that_sends_nothing_is_dropped_after_the_deadline(tmp_path: Path) -> None:
    async with served(tmp_path, patience=0.05) as (path, _):
        reader, writer = await asyncio.open_unix_connection(str(path))
        assert await asyncio.wait_for(reader.read(), 5) == b""
        writer.close()


async def test_a_client_that_takes_no_answer_is_let_go_of(tmp_path: Path) -> None:
    async def wordy(order: Order) -> Answer:
        return {"told": "x" * 4_000_000}

    server = ControlServer(tmp_path / "control.sock", wordy, patience=0.05)
    await server.open()
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(tmp_path / "control.sock"))
        client.sendall(b'{"order": "status"}\n')
        await asyncio.sleep(0.3)
        client.settimeout(5)
        received = 0
        while more := await asyncio.to_thread(client.recv, 1 << 16):
            received += len(more)
    await server.close()

    assert received < 4_000_000


async def test_a_client_that_goes_in_the_middle_hurts_nobody(tmp_path: Path) -> None:
    async with served(tmp_path) as (path, _):
        _, writer = await asyncio.open_unix_connection(str(path))
        writer.write(b'{"order": "sta')
        writer.close()
        assert await asked(path, Status()) == {"muted": False}


async def test_one_client_too_many_is_told_so(tmp_path: Path) -> None:
    async with served(tmp_path) as (path, _):
        crowd = [await asyncio.open_unix_connection(str(path)) for _ in range(MOST_CLIENTS)]
        with pytest.raises(ControlError, match="too many"):
            await asked(path, Status())
        for _, writer in crowd:
            writer.close()


async def test_one_client_has_a_bounded_number_of_requests(tmp_path: Path) -> None:
    async with served(tmp_path) as (path, butler):
        answers = await said(path, *[b'{"order": "status"}\n'] * (MOST_REQUESTS + 1))

    assert len(answers) == MOST_REQUESTS == len(butler.orders)


async def test_a_failure_reaches_the_client_with_its_mend(tmp_path: Path) -> None:
    async with served(tmp_path) as (path, _):
        with pytest.raises(ControlError, match="cannot be said") as failure:
            await asked(path, Announce("fail"))
        with pytest.raises(ControlError, match="RuntimeError"):
            await asked(path, Announce("break"))
        with pytest.raises(ControlError, match="ValueError"):
            await asked(path, Announce("a bad value"))

    assert failure.value.mend == "Say less."


async def test_bad_input_stays_bad_input_on_the_other_side(tmp_path: Path) -> None:
    async with served(tmp_path) as (path, _):
        with pytest.raises(BadInput, match="too long"):
            await asked(path, Announce("a" * 5000))


async def test_closing_drops_clients_that_wait(tmp_path: Path) -> None:
    async with served(tmp_path) as (path, _):
        reader, writer = await asyncio.open_unix_connection(str(path))
        await said(path, b'{"order": "status"}\n')
    assert await asyncio.wait_for(reader.read(), 5) == b""
    writer.close()


def test_nobody_running_is_said(tmp_path: Path) -> None:
    with pytest.raises(NotRunning) as failure:
        ask(tmp_path / "control.sock", Status())
    assert "companion" in failure.value.mend


async def test_a_server_that_says_nonsense_is_an_error_not_a_crash(tmp_path: Path) -> None:
    async def babble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b"42\n")
        writer.close()

    path = tmp_path / "control.sock"
    server = await asyncio.start_unix_server(babble, str(path))
    with pytest.raises(ControlError, match="no answer"):
        await asked(path, Status())
    server.close()
    await server.wait_closed()


def test_a_server_that_hangs_is_given_up(tmp_path: Path) -> None:
    # Accepted by the kernel, answered by nobody.
    path = tmp_path / "control.sock"
    with socket.socket(socket.AF_UNIX) as deaf:
        deaf.bind(str(path))
        deaf.listen()
        with pytest.raises(ControlError, match="does not answer"):
            ask(path, Status(), patience=0.05)


async def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    server = ControlServer(blocked / "control.sock", Butler().perform)
    with pytest.raises(StorageError, match=os.fspath(blocked)):
        await server.open()


async def test_a_folder_that_a_stranger_made_where_everybody_may_is_not_used(tmp_path: Path) -> None:
    everybodys = tmp_path / "tmp"
    everybodys.mkdir()
    everybodys.chmod(0o1777)
    strangers = everybodys / "companion-0"
    strangers.mkdir()
    os.chown(strangers, 12_345, 12_345)

    server = ControlServer(strangers / "control.sock", Butler().perform)
    with pytest.raises(StorageError, match="belongs to somebody else") as refused:
        await server.open()
    assert "XDG_RUNTIME_DIR" in refused.value.mend
    with pytest.raises(ControlError, match="belongs to somebody else"):
        ask(strangers / "control.sock", Status())


async def test_a_link_that_a_stranger_made_where_everybody_may_is_not_followed(tmp_path: Path) -> None:
    everybodys, ours = tmp_path / "tmp", tmp_path / "ours"
    everybodys.mkdir()
    everybodys.chmod(0o1777)
    ours.mkdir()
    link = everybodys / "companion-0"
    link.symlink_to(ours)
    os.chown(link, 12_345, 12_345, follow_symlinks=False)

    with pytest.raises(StorageError, match="belongs to somebody else"):
        await ControlServer(link / "control.sock", Butler().perform).open()
    with pytest.raises(ControlError, match="belongs to somebody else"):
        ask(link / "control.sock", Status())
    assert list(ours.iterdir()) == []


async def test_a_socket_that_somebody_has_removed_is_made_anew(tmp_path: Path) -> None:
    butler, path = Butler(), tmp_path / "control.sock"
    server = ControlServer(path, butler.perform, look=0.01)
    await server.open()
    path.unlink()
    assert await asked_again(path, Mute(True)) == {"muted": True}
    await server.close()

    assert not path.exists()


async def test_the_socket_of_a_successor_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"
    first, second = Butler(), Butler()
    hung, successor = ControlServer(path, first.perform, look=0.01), ControlServer(path, second.perform)
    await hung.open()
    await successor.open()
    await asyncio.sleep(0.05)
    await asked(path, Mute(True))
    await hung.close()

    assert (len(first.orders), len(second.orders)) == (0, 1)
    assert path.exists()
    await successor.close()
