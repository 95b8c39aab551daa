"""A desktop's portal for global shortcuts on a session bus of its own, with a user who says yes or no."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from pathlib import Path
from typing import Any

from jeepney import DBusAddress, HeaderFields, Message, MessageType, new_error, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.asyncio import DBusConnection, DBusRouter, Proxy, open_dbus_connection

NAME = "org.freedesktop.portal.Desktop"
PATH = "/org/freedesktop/portal/desktop"
SHORTCUTS = "org.freedesktop.portal.GlobalShortcuts"
REQUEST = "org.freedesktop.portal.Request"
DEADLINE = 10.0
_CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={socket}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
</policy></busconfig>"""


class Bus:
    """An async context: a session bus in ``folder``. ``address`` is what DBUS_SESSION_BUS_ADDRESS has to hold."""

    def __init__(self, folder: Path) -> None:
        self._socket = folder / "bus"
        self._config = folder / "bus.conf"
        self.address = f"unix:path={self._socket}"

    async def __aenter__(self) -> Bus:
        self._config.write_text(_CONFIG.format(socket=self._socket))
        program = shutil.which("dbus-daemon")
        assert program, "dbus-daemon is needed: apt-get install dbus-daemon"
        self._process = await asyncio.create_subprocess_exec(
            program, "--nofork", f"--config-file={self._config}", stderr=asyncio.subprocess.DEVNULL
        )
        async with asyncio.timeout(DEADLINE):
            while not await self._answers():  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.01)
        return self

    async def _answers(self) -> bool:
        try:
            _, writer = await asyncio.open_unix_connection(self._socket)
        except OSError:  # not there, or there and not listening
            return False
        writer.close()
        await writer.wait_closed()
        return True

    async def __aexit__(self, *_: object) -> None:
        await self.end()

    async def end(self) -> None:
        """End it, with all that hangs on it. May be called twice."""
        if self._process.returncode is None:
            self._process.terminate()
        await self._process.wait()


class ShortcutPortal:
    """An async context. says_yes: whether the user lets us have the key. is_old: it has no register of programs."""

    def __init__(self, address: str, *, says_yes: bool = True, is_old: bool = False) -> None:
        self._address = address
        self._says_yes = says_yes
        self._is_old = is_old
        self.registered: list[str] = []
        self.bound: list[tuple[str, dict[str, Any]]] = []
        self.session = ""
        self.is_bound = asyncio.Event()

    async def __aenter__(self) -> ShortcutPortal:
        self._connection: DBusConnection = await open_dbus_connection(self._address)
        async with DBusRouter(self._connection) as router:
            await Proxy(message_bus, router).RequestName(NAME)
        self._serving = asyncio.create_task(self._serve())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._serving.cancel()
        await asyncio.gather(self._serving, return_exceptions=True)
        with contextlib.suppress(OSError):  # where the bus has ended before
            await self._connection.close()

    async def press(self, shortcut: str = "talk", *, session: str = "") -> None:
        await self._move("Activated", shortcut, session)

    async def let_go(self, shortcut: str = "talk") -> None:
        await self._move("Deactivated", shortcut, "")

    async def _move(self, member: str, shortcut: str, session: str) -> None:
        body = (session or self.session, shortcut, 12345, {})
        await self._connection.send(new_signal(DBusAddress(PATH, interface=SHORTCUTS), member, "osta{sv}", body))

    async def _serve(self) -> None:
        while True:
            message = await self._connection.receive()
            if message.header.message_type is MessageType.method_call:
                await self._answer(message)

    async def _answer(self, call: Message) -> None:
        member, sender = (call.header.fields.get(field) for field in (HeaderFields.member, HeaderFields.sender))
        match member:
            case "Register" if self._is_old:
                await self._connection.send(new_error(call, "org.freedesktop.DBus.Error.UnknownMethod"))
            case "Register":
                self.registered.append(call.body[0])
                await self._connection.send(new_method_return(call))
            case "CreateSession":
                options = call.body[0]
                self.session = f"{PATH}/session/{_part(sender)}/{options['session_handle_token'][1]}"
                await self._respond(call, options, 0, {"session_handle": ("s", self.session)})
            case "BindShortcuts":
                session, shortcuts, _, options = call.body
                assert session == self.session
                self.bound = [(name, {key: value for key, (_, value) in told.items()}) for name, told in shortcuts]
                told = [(name, {"trigger_description": ("s", "Press Ctrl+Alt+Space")}) for name, _ in self.bound]
                await self._respond(call, options, 0 if self._says_yes else 1, {"shortcuts": ("a(sa{sv})", told)})
                self.is_bound.set()

    async def _respond(self, call: Message, options: dict[str, Any], code: int, results: dict[str, Any]) -> None:
        """The signal before the reply to the call, as a quick portal may do."""
        request = f"{PATH}/request/{_part(call.header.fields[HeaderFields.sender])}/{options['handle_token'][1]}"
        body = (code, results if code == 0 else {})
        await self._connection.send(new_signal(DBusAddress(request, interface=REQUEST), "Response", "ua{sv}", body))
        await self._connection.send(new_method_return(call, "o", (request,)))


def _part(sender: str) -> str:
    return sender.removeprefix(":").replace(".", "_")
