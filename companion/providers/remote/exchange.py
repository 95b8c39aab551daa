"""What goes over HTTP and comes back, and those who may look at it and change it on the way.

Neither a request nor its headers show what they hold when they are printed: bodies hold what was said, headers keys.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds.

    connect: until there is a connection. first: from there until the answer begins.
    silence: between two pieces of the answer. total: of all waiting; the time its reader takes is not counted.
    """

    connect: float = 5.0
    first: float = 60.0
    silence: float = 60.0
    total: float = 600.0


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request. deadlines: in place of those of the client."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    deadlines: Deadlines | None = None

    @property
    def host(self) -> str:
        """Where it goes: the host, and the port where the URL has one."""
        return host_of(self.url)

    def __repr__(self) -> str:
        return f"<{self.method} {self.host}, {len(self.body)} bytes>"


@dataclass(frozen=True, slots=True)
class HttpHead:
    """The head of an answer. headers: by names in small letters."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def content_type(self) -> str:
        """``application/json``, without its parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


class HttpInterceptor(Protocol):
    """Sees every request before it goes out and the head of every answer, and may change their headers.

    Of several, the first is the outermost: it sees requests first and answers last. It is trusted with keys. An error
    that it raises ends the exchange.
    """

    async def request(self, request: HttpRequest) -> HttpRequest:
        """The request that shall go out."""

    async def response(self, request: HttpRequest, head: HttpHead) -> HttpHead:
        """The head that whoever asked shall see. ``request``: as it went out."""


def host_of(url: str) -> str:
    """Host and port of a URL, without user names and passwords; empty where it has none."""
    try:
        return urlsplit(url).netloc.rpartition("@")[2]
    except ValueError:
        return ""


def name_of(url: str) -> str:
    """The host of a URL in small letters, without its port; empty where it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def is_this_machine(url: str) -> bool:
    """Whether the host of ``url`` is this very machine; what goes there leaves nothing behind elsewhere."""
    name = name_of(url)
    # Names below it (RFC 6761, 6.3) are sent to the name server by many machines, which may say anything.
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
