"""Where everything passes that leaves the house: one client, the month's budget, who is left alone, and who is told."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.events import Telling, WentOut
from companion.app.paths import Paths
from companion.compose.breaker import Breaker, Circuit
from companion.compose.ledger import Ledger
from companion.compose.metered import Metered, Price
from companion.model import ChatBackend
from companion.settings.schema import Cloud

if TYPE_CHECKING:
    from companion.providers.paid import Till
    from companion.providers.remote.chat import RemoteChat
    from companion.providers.remote.endpoint import Endpoint
    from companion.providers.remote.exchange import Deadlines
    from companion.providers.remote.http import Http, HttpOptions
    from companion.providers.remote.keys import Key
    from companion.providers.remote.provider_link import ProviderLink
    from companion.providers.remote.sent import Sent

logger = logging.getLogger(__name__)

HEARING, THINKING, SPEAKING, TALKING = "recogniser", "language model", "voice", "talk"
"""What a service is used for, as the ledger names it."""
ALONE_SECONDS = 30.0
"""For which a provider that failed is left alone."""


@dataclass(frozen=True, slots=True)
class Prices:
    """What services cost, in the user's currency: of a million tokens, a minute of sound, a million letters.

    call_tokens: most of one call.
    """

    tokens: Price
    minute: float
    letters: float
    call_tokens: int

    @classmethod
    def of(cls, cloud: Cloud) -> Prices:
        """Those of the settings."""
        tokens = Price(cloud.read_price, cloud.write_price)
        return cls(tokens, cloud.minute_price, cloud.speech_price, cloud.call_tokens)


@dataclass(frozen=True, slots=True)
class Gate:
    """failures: in a row, after which a provider is left alone.

    What runs on this machine passes too, and costs nothing.
    """

    telling: Telling
    options: HttpOptions
    http: Http
    ledger: Ledger
    failures: int
    circuits: dict[tuple[str, str], Circuit] = field(default_factory=dict)

    @classmethod
    def open(cls, cloud: Cloud, telling: Telling, ledger: Ledger, *, deadlines: Deadlines, failures: int) -> Gate:
        """Make one; nobody is connected to."""
        from companion.providers.remote.http import Http, HttpOptions

        ca_file = Path(cloud.ca_file).expanduser() if cloud.ca_file else None
        options = HttpOptions(deadlines, proxy=cloud.proxy, ca_file=ca_file)
        return cls(telling, options, Http(options), ledger, failures)

    async def close(self) -> None:
        """Give back the connections."""
        await self.http.close()

    def line(self, endpoint: Endpoint, key: Key) -> ProviderLink:
        """The way to a provider."""
        from companion.providers.remote.provider_link import ProviderLink

        return ProviderLink(endpoint, self.http, key, on_sent=self.went_out)

    def chat(self, endpoint: Endpoint, model: str, key: Key) -> RemoteChat:
        """A chat model there; ``paid`` guards and pays for it."""
        from companion.providers.remote.chat import RemoteChat

        return RemoteChat(endpoint, model, self.http, key=key, watch=self.went_out)

    def paid(self, chat: ChatBackend, endpoint: Endpoint, prices: Prices) -> ChatBackend:
        """``chat``, unless its provider is left alone, and within the budget."""
        guarded = Breaker(chat, self.circuit(endpoint))
        if endpoint.is_local:
            return guarded
        return Metered(guarded, self.ledger, prices.tokens, most_tokens=prices.call_tokens, stage=THINKING)

    def till(self, endpoint: Endpoint, step: str, name: str) -> Till:
        """Where the calls of a service are paid for."""
        from companion.providers.paid import Till

        return Till(self.ledger, self.circuit(endpoint), f"{step}: {name}")

    def circuit(self, endpoint: Endpoint) -> Circuit:
        """The circuit of a provider at its address; all its models share one."""
        from companion.providers.remote.exchange import host_of

        fresh = Circuit(endpoint.title, threshold=self.failures, cooldown=ALONE_SECONDS)
        return self.circuits.setdefault((endpoint.name, host_of(endpoint.door.base_url)), fresh)

    def went_out(self, sent: Sent) -> None:
        """Tell what has left, unless it went no further than this machine."""
        if not sent.is_local:
            kinds = tuple(sorted(sent.kinds))
            logger.info("%d bytes (%s) went out to %s", sent.bytes, ", ".join(kinds), sent.host)
            self.telling.tell(WentOut(sent.provider, sent.host, sent.bytes, kinds))


def open_ledger(cloud: Cloud, paths: Paths, clock: Callable[[], datetime]) -> Ledger:
    """What was spent, and the month's budget. clock: local time.

    Raises:
        StorageError: nobody can tell what was spent.
    """
    return Ledger(paths.spent, budget=cloud.monthly_budget, clock=clock)


def price_of(endpoint: Endpoint, price: float) -> float:
    """What runs on this machine costs nothing."""
    return 0.0 if endpoint.is_local else price
