"""The talk key by the desktop's portal for global shortcuts, as Wayland has it: the desktop asks its user, keeps the
key, and tells when it goes down and up.

Written by the documentation of org.freedesktop.portal.GlobalShortcuts, version 2, and of
org.freedesktop.host.portal.Registry; proven against a portal of the tests' own, not on a desktop.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from jeepney import DBusAddress, DBusErrorResponse, HeaderFields, MatchRule, Message, new_method_call
from jeepney.bus_messages import message_bus
from jeepney.io.asyncio import DBusRouter, Proxy, open_dbus_connection
from jeepney.io.common import RouterClosed
from jeepney.wrappers import unwrap_msg

from companion.app.talk_key.combination import Combination
from companion.app.talk_key.hand import Hand
from companion.errors import ControlError, SetupError, one_line

APPLICATION = "org.companion.Companion"
"""The name of our desktop entry, by which the portal knows us."""
SHORTCUT = "talk"
_BUS = "org.freedesktop.portal.Desktop"
_PATH = "/org/freedesktop/portal/desktop"
_SHORTCUTS = "org.freedesktop.portal.GlobalShortcuts"
_REQUEST = "org.freedesktop.portal.Request"
_REGISTRY = "org.freedesktop.host.portal.Registry"
PATIENCE = 5.0
"""Seconds for the portal to answer."""
USER_PATIENCE = 120.0
"""Seconds for the user to answer what the desktop asks about the key."""
LOOK = 30.0
"""Seconds after which it is looked whether the portal is still there."""
_MOST_WAITING = 64
"""Presses that were not yet seen to."""

Told = Callable[[str], None]


async def watch_portal(keys: Combination, description: str, hand: Hand, on_bound: Told) -> None:
    """Bind the key, and watch it until cancelled.

    description: what the key does, as the desktop shows it. on_bound: told of the keys the user has chosen there.

    Raises:
        ControlError: there is no such portal, or the connection to it ended.
        SetupError: the user has said no.
    """
    try:
        async with _router() as router:
            portal = _Portal(router)
            with router.filter(await portal.find(), bufsize=_MOST_WAITING) as moves:
                session = await portal.open()
                on_bound(await portal.bind(session, keys, description))
                await _follow(moves, session, hand, portal)
    except (OSError, EOFError, KeyError, RouterClosed, DBusErrorResponse) as error:
        raise ControlError(
            f"the desktop has no key to talk for us ({_reason(error)})",
            mend="Bind `companion toggle` to a key in the desktop's own keyboard settings.",
        ) from error


@asynccontextmanager
async def _router() -> AsyncIterator[DBusRouter]:
    """The session bus. jeepney's own context leaves the connection open where the bus has ended."""
    async with asyncio.timeout(PATIENCE):
        connection = await open_dbus_connection("SESSION")
    try:
        async with DBusRouter(connection) as router:
            yield router
    finally:
        await connection.close()


class _Portal:
    """Asks the portal; each answer comes as a signal of a request of its own."""

    def __init__(self, router: DBusRouter) -> None:
        self._router = router
        self._bus = Proxy(message_bus, router)
        self._owner = ""

    async def find(self) -> MatchRule:
        """Where the portal is; returns what tells its signals from those of others."""
        await self._introduce()
        async with asyncio.timeout(PATIENCE):
            self._owner = str((await self._bus.GetNameOwner(_BUS))[0])
        rule = MatchRule(type="signal", sender=self._owner, interface=_SHORTCUTS, path=_PATH)
        await self._subscribe(rule)
        return rule

    async def open(self) -> str:
        """A session; returns its handle."""
        wanted = {"session_handle_token": ("s", _token())}
        results = await self._ask("CreateSession", "a{sv}", (), wanted, PATIENCE)
        return str(results["session_handle"][1])

    async def bind(self, session: str, keys: Combination, description: str) -> str:
        """Bind the key; returns what the user has to press, in the desktop's words."""
        shortcut = (SHORTCUT, {"description": ("s", description), "preferred_trigger": ("s", keys.trigger)})
        results = await self._ask("BindShortcuts", "oa(sa{sv})sa{sv}", (session, [shortcut], ""), {}, USER_PATIENCE)
        bound = dict(results.get("shortcuts", ("", []))[1])
        return str(bound.get(SHORTCUT, {}).get("trigger_description", ("s", str(keys)))[1])

    async def _subscribe(self, rule: MatchRule) -> None:
        async with asyncio.timeout(PATIENCE):
            await self._bus.AddMatch(rule)

    async def is_alive(self) -> bool:
        """Whether it is still the same portal."""
        async with asyncio.timeout(PATIENCE):
            return str((await self._bus.GetNameOwner(_BUS))[0]) == self._owner

    async def _introduce(self) -> None:
        """Tell who we are. Older portals have no such door, and know us by how we were started."""
        call = new_method_call(DBusAddress(_PATH, _BUS, _REGISTRY), "Register", "sa{sv}", (APPLICATION, {}))
        async with asyncio.timeout(PATIENCE):
            await self._router.send_and_get_reply(call)

    async def _ask(
        self, method: str, signature: str, given: tuple[Any, ...], options: dict[str, Any], patience: float
    ) -> Mapping[str, Any]:
        token = _token()
        sender = str(self._router.unique_name).removeprefix(":").replace(".", "_")
        rule = MatchRule(
            type="signal",
            sender=self._owner,
            interface=_REQUEST,
            member="Response",
            path=f"{_PATH}/request/{sender}/{token}",
        )
        body = (*given, {"handle_token": ("s", token), **options})
        call = new_method_call(DBusAddress(_PATH, _BUS, _SHORTCUTS), method, signature, body)
        # Before it is asked: the answer may come before the reply to the call.
        await self._subscribe(rule)
        with self._router.filter(rule) as answers:
            async with asyncio.timeout(PATIENCE):
                unwrap_msg(await self._router.send_and_get_reply(call))
            async with asyncio.timeout(patience):
                answer: Message = await answers.get()
        response, results = answer.body
        if response != 0:
            raise SetupError("the desktop was not allowed to give us a key to talk", mend="Allow it, then try again.")
        return dict(results)


async def _follow(moves: asyncio.Queue[Message], session: str, hand: Hand, portal: _Portal) -> None:
    while True:
        try:
            async with asyncio.timeout(LOOK):
                move = await moves.get()
        except TimeoutError:
            if not await portal.is_alive():
                raise EOFError("the portal has ended") from None
            continue
        if tuple(move.body[:2]) == (session, SHORTCUT):
            _moved(move, hand)


def _moved(move: Message, hand: Hand) -> None:
    match move.header.fields.get(HeaderFields.member):
        case "Activated":
            hand.press()
        case "Deactivated":
            hand.let_go()
        case _:
            pass


def _token() -> str:
    return f"companion_{secrets.token_hex(8)}"


def _reason(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return "it does not answer"
    return one_line(error)
