"""What plugins reach of other machines: by the house's own client, bounded, and told of like all that goes out.

This machine itself is not among them, by whatever name: what listens here trusts who asks from here.
"""

from __future__ import annotations

import asyncio
import ipaddress
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.events import Telling, WentOut
from companion.errors import BadInput, Unreachable
from companion.settings.schema import Cloud

if TYPE_CHECKING:
    from companion.providers.remote.http import Http

LONGEST_URL = 2_000
"""Characters."""
LARGEST = 4 << 20
"""Bytes of an answer."""
SECONDS = 20.0
"""For all of one request."""
AT_ONCE = 4
"""Requests of one plugin that may be under way."""


class PluginNetworks:
    """All ways out of plugins; they share connections. Nothing is opened before one asks."""

    def __init__(self, cloud: Cloud, telling: Telling) -> None:
        self._cloud = cloud
        self._telling = telling
        self._http: Http | None = None
        self._networks: dict[str, PluginNetwork] = {}

    def of(self, plugin: str) -> PluginNetwork:
        """That of one plugin, by its name."""
        return self._networks.setdefault(plugin, PluginNetwork(plugin, self))

    def went_out(self, plugin: str, host: str, size: int) -> None:
        self._telling.tell(WentOut(f"plugin {plugin}", host, size, ("address",)))

    def client(self) -> Http:
        if self._http is None:
            from companion.providers.remote.exchange import Deadlines
            from companion.providers.remote.http import Http, HttpOptions

            ca_file = Path(self._cloud.ca_file).expanduser() if self._cloud.ca_file else None
            deadlines = Deadlines(first=SECONDS, silence=SECONDS, total=SECONDS)
            self._http = Http(HttpOptions(deadlines, proxy=self._cloud.proxy, ca_file=ca_file))
        return self._http

    async def close(self) -> None:
        """Give back the connections."""
        http, self._http = self._http, None
        if http is not None:
            await http.close()


class PluginNetwork:
    """Implements ``agent.plugin.Network`` for one plugin."""

    def __init__(self, plugin: str, networks: PluginNetworks) -> None:
        self._plugin = plugin
        self._networks = networks
        self._room = asyncio.Semaphore(AT_ONCE)

    async def get(self, url: str) -> bytes:
        """What is there.

        Raises:
            BadInput: nothing can be asked for there.
            Unreachable, WireBroken, SettingsError, SetupError, TimeoutError: it could not be had.
        """
        from companion.providers.remote.exchange import HttpRequest, name_of

        refused = BadInput(f"plugin {self._plugin}: it may ask for http and https of other machines", mend="Name one.")
        is_url = isinstance(url, str) and len(url) <= LONGEST_URL
        if not is_url or not url.lower().startswith(("http://", "https://")) or not name_of(url):
            raise refused
        request = HttpRequest("GET", url)
        async with asyncio.timeout(SECONDS), self._room:
            if await leads_here(name_of(url)):
                raise refused
            head, body = await self._networks.client().fetch(
                request,
                most=LARGEST,
                on_sent=lambda: self._networks.went_out(self._plugin, request.host, len(url.encode())),
            )
        if head.status >= 300:
            raise Unreachable(f"{request.host} answers with {head.status}", mend="Check the address.", retryable=False)
        return body


async def leads_here(name: str) -> bool:
    """Whether a host is this machine. One that nobody knows here, as behind a proxy, is none."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(name, None)
    except (OSError, UnicodeError):
        return False
    return any(_is_here(str(one[4][0])) for one in found)


def _is_here(address: str) -> bool:
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    return ip.is_loopback or ip.is_unspecified or ip.is_link_local
