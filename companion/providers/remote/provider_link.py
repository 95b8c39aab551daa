"""The way to one provider, for questions of every trade."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from companion.dialects.contract import WireCall, WireRequest
from companion.errors import ModelError, NotRegistered, Unsupported, WireBroken
from companion.model import JsonValue, Kind
from companion.providers.remote.endpoint import Endpoint
from companion.providers.remote.exchange import Deadlines, HttpHead, HttpRequest
from companion.providers.remote.faults import ERROR_SECONDS, MOST, Tells, fault_of, is_page, moved, stranger
from companion.providers.remote.http import Http, HttpAnswer
from companion.providers.remote.keys import HeldKey, Key
from companion.providers.remote.sent import Sent, Watcher
from companion.providers.remote.teller import Teller
from companion.stream.threads import finish_in_thread

T = TypeVar("T")
D = TypeVar("D")

_FIRST_MOVE, _FIRST_FAULT = 300, 400
_KEY_FAULTS = (401, 403)


@dataclass(frozen=True, slots=True)
class ProviderLink:
    """Who a provider is, what carries requests there, and how its key is fetched: once, and again when it was refused.

    deadlines: of each exchange; None for those of ``http``. on_sent: told of each request when it leaves.
    """

    endpoint: Endpoint
    http: Http
    key: Key
    deadlines: Deadlines | None = None
    on_sent: Watcher | None = None
    held: HeldKey = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "held", HeldKey(self.key))

    async def ask(
        self,
        call: WireCall,
        dialect: Tells,
        read: Callable[[JsonValue], T],
        *,
        kinds: frozenset[Kind] = frozenset({Kind.TEXT}),
        within: float | None = None,
    ) -> T:
        """Send ``call`` and read its answer with ``read``, off the event loop: vectors are many numbers.

        kinds: of what it shows the provider; none for a question about work that is on its way. within: seconds, where
        they are fewer than the deadlines leave.

        Raises:
            MissingKey: there is none; nothing was sent.
            ModelError: the provider could not be reached, refused or failed.
            TimeoutError: it did not answer in time.
        """
        answer, teller = await self.open(call, dialect, kinds=kinds, within=within)
        body = await answer.read()
        return await finish_in_thread(lambda: _read(answer.head, body, read, teller))

    async def open(
        self, call: WireCall, dialect: Tells, *, kinds: frozenset[Kind], within: float | None = None
    ) -> tuple[HttpAnswer, Teller]:
        """Send ``call``; its answer has begun, and is none of a failure. Whoever gets it reads or closes it, and has
        its errors told by the teller.

        Raises:
            MissingKey: there is none; nothing was sent.
            ModelError: the provider could not be reached, refused or failed.
            TimeoutError: it did not begin to answer in time.
        """
        key = await self.held.get()
        request, teller = self._request(call, key, within), Teller(self.endpoint.title, key)
        answer = await self.http.open(request, on_sent=lambda: self._tell(request, kinds))
        head = answer.head
        if head.status < _FIRST_MOVE:
            return answer, teller
        if head.status in _KEY_FAULTS:
            self.held.drop(key)
        body = await answer.read_some(MOST, within=ERROR_SECONDS)
        if head.status < _FIRST_FAULT:
            raise moved(head, teller.title)
        raise fault_of(head, body, dialect, teller=teller)

    def _request(self, call: WireCall, key: str, within: float | None) -> HttpRequest:
        keyed = self.endpoint.door.key_header.of(key) if key else {}
        headers = {"accept": "application/json", **call.headers, **keyed}
        deadlines = self.deadlines
        if within is not None:
            deadlines = deadlines or Deadlines()
            deadlines = replace(deadlines, total=min(within, deadlines.total))
        return HttpRequest(call.method, call.url, headers, call.body, deadlines)

    def _tell(self, request: HttpRequest, kinds: frozenset[Kind]) -> None:
        if self.on_sent is not None:
            sent = Sent(self.endpoint.name, request.host, len(request.body), kinds, self.endpoint.is_local)
            self.on_sent(sent)


def _read(head: HttpHead, body: bytes, read: Callable[[JsonValue], T], teller: Teller) -> T:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        text = body[:MOST].decode("utf-8", "replace")
        if is_page(head, text):
            raise stranger(teller, text) from error
        raise WireBroken(f"{teller.title} sent an answer that is no JSON") from error
    try:
        return read(answer)
    except ModelError as error:
        teller.told(error)
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # Whoever reads cannot think of everything that a stranger may write.
        raise WireBroken(f"{teller.title} sent an answer that cannot be read") from error


def call_of(request: WireRequest) -> WireCall:
    """A post of JSON as bytes.

    Raises:
        Unsupported: an extra field is nothing that JSON can carry.
    """
    return WireCall.of_json(request.url, request.body, request.headers)


def through(line: ProviderLink, choose: Callable[[str], D], trade: str) -> tuple[ProviderLink, D]:
    """The line through the first door of its endpoint that speaks a dialect of ``trade`` ("embedding"), and that one.

    Raises:
        Unsupported: it has none.
    """
    for door in line.endpoint.doors:
        try:
            dialect = choose(door.dialect)
        except NotRegistered:
            continue
        return replace(line, endpoint=replace(line.endpoint, doors=(door,))), dialect
    raise Unsupported(
        f"{line.endpoint.title} is asked in no protocol of {trade} that is known here",
        mend=f"choose another provider for {trade}",
    )
