"""The line to a realtime session: events of the protocol over a WebSocket (RFC 6455)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit, urlunsplit

from companion.dialects.openai_realtime import Order, RealtimeEvent, read_event
from companion.dialects.urls import complete_url
from companion.errors import ModelError, Unreachable, Unsupported, one_line
from companion.model.plain import json_text
from companion.providers.remote.certificates import certificates
from companion.providers.remote.exchange import Deadlines, HttpHead, host_of, is_this_machine
from companion.providers.remote.faults import MOST, Tells, fault_of
from companion.providers.remote.http import HttpOptions
from companion.providers.remote.teller import Teller
from companion.stream.threads import finish_in_thread

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

logger = logging.getLogger(__name__)

_LARGEST = 16 << 20
"""Bytes of one event of the server."""
_GOODBYE = 1.0
"""Seconds the server may take to hear that the line is closed."""
_PATH = "/v1/realtime"


class RealtimeLine:
    """One connection. Any number may send, one reads. teller: tells its errors."""

    def __init__(self, connection: ClientConnection, host: str, deadlines: Deadlines, teller: Teller) -> None:
        self._connection = connection
        self._host = host
        self._deadlines = deadlines
        self._teller = teller

    async def send(self, order: Order) -> int:
        """Send one event; the number of its bytes.

        Raises:
            Unsupported: it holds what JSON cannot say.
            Unreachable: the line broke.
            TimeoutError: the server takes nothing any more.
        """
        from websockets.exceptions import ConnectionClosed

        try:
            text = json_text(order, is_compact=True)
        except (ValueError, TypeError) as error:
            raise Unsupported("an order holds what JSON cannot say", mend="look for numbers that are none") from error
        try:
            async with asyncio.timeout(self._deadlines.silence):
                await self._connection.send(text)
        except TimeoutError as error:
            raise TimeoutError(f"{self._host} takes nothing any more") from error
        except ConnectionClosed as error:
            raise self._broken(error) from None
        return len(text.encode())

    async def next(self) -> RealtimeEvent:
        """The next event.

        Raises:
            Unreachable: the line broke, or the server closed it.
            WireBroken: the event is malformed.
        """
        from websockets.exceptions import ConnectionClosed

        try:
            event = read_event(await self._connection.recv())
        except ConnectionClosed as error:
            # Its words are the server's too.
            raise self._broken(error) from None
        fault = getattr(event, "error", None)
        if isinstance(fault, ModelError):
            self._teller.told(fault)
        return event

    def _broken(self, error: Exception) -> Unreachable:
        words = self._teller.words(one_line(error))
        return Unreachable(f"the line to {self._host} broke: {words}", mend="Ask again.")

    async def close(self) -> None:
        """Close it. Never raises."""
        try:
            await self._connection.close()
        except Exception as error:  # noqa: BLE001 - the line is given up; what its end says helps nobody
            logger.debug("the line to %s did not close cleanly: %s", self._host, type(error).__name__)


def address(base_url: str, model: str) -> str:
    """Where the realtime session of a model is."""
    parts = urlsplit(complete_url(base_url, _PATH))
    scheme = "wss" if parts.scheme.lower() in ("https", "wss") else "ws"
    return urlunsplit((scheme, parts.netloc, parts.path, f"model={quote(model)}", ""))


def _without_user(url: str) -> str:
    """The URL without a user's name, which would be sent in place of a key."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


async def connect(
    url: str, headers: Mapping[str, str], options: HttpOptions, *, dialect: Tells, teller: Teller
) -> RealtimeLine:
    """Connect to the session at ``url``. dialect, teller: tell what the server says when it refuses.

    Raises:
        Unreachable: there is no connection.
        Refused, Throttled, ProviderFailed: as the provider does.
        TimeoutError: it took too long.
        SettingsError: the proxy or the CA file cannot be used.
    """
    from websockets.asyncio.client import connect as open_socket
    from websockets.exceptions import InvalidStatus, WebSocketException

    class Straight(open_socket):
        """Follows no redirects: they would be shown the key."""

        def process_redirect(self, exc: Exception) -> Exception | str:
            return exc

    host, deadlines = host_of(url), options.deadlines
    is_safe = url.startswith("wss:")
    tls = await finish_in_thread(lambda: certificates(options.ca_file)) if is_safe else None
    opening = Straight(
        _without_user(url) if headers else url,
        additional_headers=dict(headers),
        ssl=tls,
        proxy=None if is_this_machine(url) else (options.proxy or True),
        open_timeout=None,
        close_timeout=_GOODBYE,
        max_size=_LARGEST,
        compression=None,
    )
    try:
        async with asyncio.timeout(deadlines.connect):
            return RealtimeLine(await opening, host, deadlines, replace(teller, title=""))
    except TimeoutError as error:
        raise TimeoutError(f"{host} did not answer within {deadlines.connect:g} s") from error
    except InvalidStatus as error:
        response = error.response
        head = HttpHead(response.status_code, {name.lower(): text for name, text in response.headers.raw_items()})
        raise fault_of(head, bytes(response.body or b"")[:MOST], dialect, teller=teller) from None
    except (OSError, WebSocketException) as error:
        raise Unreachable(
            f"{host} cannot be reached: {teller.words(one_line(error))}", mend="Check the network and the address."
        ) from error
