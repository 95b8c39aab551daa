"""The one HTTP client of all remote providers.

It keeps connections of HTTP/1.1 open between requests, has a deadline for every wait, follows no redirects, keeps no
cookies, and lets interceptors see every request and answer. What goes to this machine itself never takes a proxy.
Certificates are always checked but for hosts that are named in ``unverified``, and each use of those is told of.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import __version__
from companion.errors import SettingsError, SetupError, Unreachable, WireBroken
from companion.providers.remote.body import Body
from companion.providers.remote.broken_line import HUNG_UP, broken, line_errors, telling
from companion.providers.remote.certificates import certificates
from companion.providers.remote.exchange import (
    Deadlines,
    HttpHead,
    HttpInterceptor,
    HttpRequest,
    is_this_machine,
    name_of,
)
from companion.stream.threads import finish_in_thread

if TYPE_CHECKING:
    import httpx

logger = logging.getLogger(__name__)

CONNECTIONS = 64
"""Of one kind, at once: an answer that is read takes one."""
KEPT = 4
KEPT_SECONDS = 90.0
"""A connection that is kept spares the next turn of a talk its handshakes."""
LONGEST_WHOLE = 64 << 20
"""Bytes of an answer that is read whole."""


@dataclass(frozen=True, slots=True)
class HttpOptions:
    """How to reach the world.

    proxy: its URL; empty for the one in the environment (HTTPS_PROXY, NO_PROXY), if there is one.
    ca_file: PEM certificates that are trusted beside the usual ones.
    unverified: hosts whose certificates are not checked; they are reached without a proxy, and each use is told of.
    """

    deadlines: Deadlines = field(default_factory=Deadlines)
    proxy: str = field(default="", repr=False)
    ca_file: Path | None = None
    unverified: tuple[str, ...] = ()


class _Lane(StrEnum):
    """Which way a request goes out."""

    HOME = "home"
    """To this machine."""
    AWAY = "away"
    BLIND = "blind"
    """To a host whose certificate is not checked."""


class Http:
    """Sends requests; any number at once. Belongs to the event loop it is first used on.

    tell: called with a sentence for a person whenever a certificate is not checked.
    """

    def __init__(
        self,
        options: HttpOptions | None = None,
        *,
        interceptors: Sequence[HttpInterceptor] = (),
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self._options = options or HttpOptions()
        self._interceptors = tuple(interceptors)
        self._tell = tell
        self._clients: dict[_Lane, httpx.AsyncClient] = {}
        self._opening = asyncio.Lock()

    async def open(self, request: HttpRequest, *, on_sent: Callable[[], None] | None = None) -> HttpAnswer:
        """Send a request; the head of the answer is there when this returns, its body is read from the answer.

        on_sent: called when the first bytes leave, each time that they do: there is a connection by then.

        Raises:
            Unreachable: there is no connection, or it broke.
            TimeoutError: the answer did not begin in time.
            SettingsError: the URL, the proxy or the CA file cannot be used.
            SetupError: a library for this kind of proxy is missing.
        """
        for interceptor in self._interceptors:
            request = await interceptor.request(request)
        client = await self._client(self._lane(request))
        answer = await _send(client, request, request.deadlines or self._options.deadlines, on_sent)
        try:
            for interceptor in reversed(self._interceptors):
                answer.head = await interceptor.response(request, answer.head)
        except BaseException:
            await answer.close()
            raise
        return answer

    async def fetch(
        self, request: HttpRequest, *, most: int = LONGEST_WHOLE, on_sent: Callable[[], None] | None = None
    ) -> tuple[HttpHead, bytes]:
        """Send a request and read its answer whole.

        most: bytes of the body.

        Raises:
            WireBroken: the answer is longer.
            Unreachable, TimeoutError, SettingsError, SetupError: as for ``open``.
        """
        answer = await self.open(request, on_sent=on_sent)
        return answer.head, await answer.read(most)

    async def close(self) -> None:
        """Close every connection; answers on their way break."""
        clients, self._clients = list(self._clients.values()), {}
        for client in clients:
            await client.aclose()

    def _lane(self, request: HttpRequest) -> _Lane:
        if request.url.lower().startswith("https:") and name_of(request.url) in self._options.unverified:
            warning = f"The certificate of {request.host} is not checked, as was asked for."
            logger.warning("%s", warning)
            if self._tell is not None:
                self._tell(warning)
            return _Lane.BLIND
        return _Lane.HOME if is_this_machine(request.url) else _Lane.AWAY

    async def _client(self, lane: _Lane) -> httpx.AsyncClient:
        async with self._opening:
            if lane not in self._clients:
                # Importing httpx and reading the certificates takes longer than the event loop may be held.
                self._clients[lane] = await finish_in_thread(lambda: _client_for(lane, self._options))
            return self._clients[lane]


class HttpAnswer:
    """The answer to a request: its head is there, its body comes piece by piece. One reader at a time.

    Whoever has it reads it to its end or closes it.
    """

    def __init__(self, response: httpx.Response, host: str, deadlines: Deadlines, waited: float) -> None:
        self.head = HttpHead(response.status_code, {name.lower(): text for name, text in response.headers.items()})
        self.host = host
        self._body = Body(response)
        self._silence = deadlines.silence
        self._left = deadlines.total - waited

    async def next(self) -> bytes:
        """The next piece of the body; empty at its end. Cancelling a wait loses nothing.

        Raises:
            Unreachable: the line broke, or was closed.
            TimeoutError: nothing came in time, or the whole took too long; it is closed then.
        """
        clock = asyncio.get_running_loop().time
        began = clock()
        try:
            piece = await self._body.pull(max(min(self._silence, self._left), 0.0))
        except TimeoutError as error:
            await self.close()
            raise TimeoutError(self._too_long()) from error
        except line_errors() as error:
            await self.close()
            raise broken(error, self.host, most=CONNECTIONS) from telling(error)
        finally:
            self._left -= clock() - began
        if not piece:
            await self.close()
        return piece

    async def read(self, most: int = LONGEST_WHOLE) -> bytes:
        """The whole body, of at most ``most`` bytes; it is closed then.

        Raises:
            WireBroken: it is longer.
            Unreachable, TimeoutError: as for ``next``.
        """
        body = bytearray()
        try:
            while piece := await self.next():
                body += piece
                if len(body) > most:
                    raise WireBroken(f"{self.host} sends more than {most} bytes", retryable=False)
        finally:
            await self.close()
        return bytes(body)

    async def read_some(self, most: int, *, within: float) -> bytes:
        """The first ``most`` bytes of the body, or as many as come within so many seconds and before the line breaks;
        it is closed then.
        """
        self._left = min(self._left, within)
        body = bytearray()
        try:
            while len(body) < most and (piece := await self.next()):
                body += piece
        except (Unreachable, TimeoutError) as error:
            logger.debug("the words of %s were cut: %s", self.host, error)
        finally:
            await self.close()
        return bytes(body[:most])

    async def close(self) -> None:
        """Leave it, and wake whoever waits for more; a connection whose answer has not ended is closed.

        Idempotent, never raises. Cancelling it does not keep it from ending.
        """
        await self._body.close()

    def _too_long(self) -> str:
        if self._left <= self._silence:
            return f"{self.host} took too long for its answer"
        return f"{self.host} sent nothing for {self._silence:g} s"


async def _send(
    client: httpx.AsyncClient, request: HttpRequest, deadlines: Deadlines, on_sent: Callable[[], None] | None
) -> HttpAnswer:
    import httpx

    loop, longest = asyncio.get_running_loop(), min(deadlines.connect + deadlines.first, deadlines.total)
    began = loop.time()
    try:
        async with asyncio.timeout(longest):
            response = await _answered(client, request, deadlines, _Watch(on_sent))
    except TimeoutError as error:
        raise TimeoutError(f"{request.host} did not begin to answer within {longest:g} s") from error
    except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
        # Its words would quote the URL, which may hold a password.
        raise SettingsError(f"no request can be sent to {request.host or 'an empty address'}", field="url") from error
    except httpx.TransportError as error:
        raise broken(error, request.host, most=CONNECTIONS) from telling(error)
    return HttpAnswer(response, request.host, deadlines, loop.time() - began)


async def _answered(
    client: httpx.AsyncClient, request: HttpRequest, deadlines: Deadlines, watch: _Watch
) -> httpx.Response:
    """The response to a request.

    A server may close a kept connection at any moment, and so just when a request is on its way to it. One that was
    answered by nothing at all on such a connection is sent again, at last on one of its own; what is no HTTP is an
    answer, too.
    """
    import httpx

    for _ in range(KEPT + 1):
        built = client.build_request(
            request.method,
            request.url,
            headers=dict(request.headers),
            content=request.body or None,
            timeout=httpx.Timeout(None, connect=deadlines.connect, pool=deadlines.connect),
            extensions={"trace": watch},
        )
        watch.is_fresh = False
        try:
            return await client.send(built, stream=True, auth=_no_other_key(request))
        except (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError) as error:
            is_answered = isinstance(error, httpx.RemoteProtocolError) and not str(error).startswith(HUNG_UP)
            if watch.is_fresh or is_answered:
                raise
            logger.debug("%s had closed a kept connection", request.host)
    raise httpx.ReadError("every kept connection was closed")


def _no_other_key(request: HttpRequest) -> httpx.Auth | None:
    """A user's name in the URL is sent where there is no key, and never in place of one."""
    import httpx

    is_keyed = any(name.lower() == "authorization" for name in request.headers)
    return httpx.Auth() if is_keyed else None


class _Watch:
    """Follows a request on its way, by the "trace" extension of httpcore; calls ``on_sent`` whenever it leaves."""

    def __init__(self, on_sent: Callable[[], None] | None) -> None:
        self._on_sent = on_sent
        self.is_fresh = False
        """Whether a connection was made for it."""

    async def __call__(self, event: str, about: dict[str, Any]) -> None:
        if event == "connection.connect_tcp.started":
            self.is_fresh = True
        elif event == "http11.send_request_headers.started":
            self._leaves(about["request"].method)

    def _leaves(self, method: bytes) -> None:
        # What asks a proxy for a way to the host holds nothing of ours.
        if self._on_sent is not None and method != b"CONNECT":
            self._on_sent()


def _client_for(lane: _Lane, options: HttpOptions) -> httpx.AsyncClient:
    from http.cookiejar import CookieJar, DefaultCookiePolicy

    import httpx

    try:
        return httpx.AsyncClient(
            verify=certificates(options.ca_file, is_checked=lane is not _Lane.BLIND),
            proxy=(options.proxy or None) if lane is _Lane.AWAY else None,
            trust_env=lane is _Lane.AWAY,
            headers={"user-agent": f"companion/{__version__}", "accept-encoding": "identity"},
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            limits=httpx.Limits(
                max_connections=CONNECTIONS, max_keepalive_connections=KEPT, keepalive_expiry=KEPT_SECONDS
            ),
            follow_redirects=False,
        )
    except ImportError as error:
        raise SetupError("this kind of proxy needs a library: socksio", mend="Type: pip install socksio") from error
    except (ValueError, httpx.InvalidURL) as error:
        raise SettingsError("the proxy is no URL as http://host:port", field="proxy") from error
