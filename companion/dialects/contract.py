"""What a dialect is: the grammar of one provider protocol. No sockets, no clocks, no retries.

Laws, checked for every dialect by ``companion.dialects.laws``:

1. What a dialect cannot carry is Unsupported, before anything is sent.
2. An event it does not know is counted in ``unknown``, given on as a RawDelta and skipped; one it knows that is
   malformed is WireBroken, and the message names it.
3. Bytes mean the same however they are cut.
4. An answer that stops before its finish signal is WireBroken, never a silent end; the deltas before it came out, and
   nothing waits for the signal but what it says itself.
5. Nothing but a ModelError is raised, whatever the bytes are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Protocol, runtime_checkable

from companion.errors import ModelError, Unsupported
from companion.model.deltas import Delta
from companion.model.options import JsonValue
from companion.model.plain import json_bytes
from companion.model.request import ChatRequest


class Framing(StrEnum):
    """How the events of a streamed answer are set apart."""

    SSE = "sse"
    """Server-sent events (WHATWG HTML, section 9.2)."""
    NDJSON = "ndjson"
    """One JSON value a line."""


class WireEvent(NamedTuple):
    """One event. name: of a server-sent event, empty where it has none. data: its text."""

    name: str
    data: str


@dataclass(frozen=True, slots=True)
class WireRequest:
    """What is to be posted, as a value that can still be fitted to an endpoint.

    url: whole. body: to be sent as JSON.
    headers: what the dialect itself asks for, as the version of the protocol; never a key.
    names: what tools are called in the conversation, by their names on the wire, where the wire does not take those;
        a call in the answer is one of the tool of the conversation.
    """

    url: str
    body: Mapping[str, JsonValue]
    headers: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WireCall:
    """One exchange, written to the last byte.

    headers: what the dialect itself asks for, as the type of the body; never a key.
    """

    method: str
    url: str
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_json(cls, url: str, body: Mapping[str, JsonValue], headers: Mapping[str, str] | None = None) -> WireCall:
        """A post of JSON.

        Raises:
            Unsupported: ``body`` holds a number that JSON cannot say.
        """
        try:
            data = json_bytes(body)
        except (ValueError, TypeError) as error:
            raise Unsupported(f"a field of the request is nothing that JSON can carry: {error}") from error
        return cls("POST", url, data, {"content-type": "application/json", **(headers or {})})


class Decoder(Protocol):
    """Reads one streamed answer: events in, deltas out."""

    unknown: int
    """Events it did not know."""

    def feed(self, event: WireEvent) -> list[Delta]:
        """The deltas of the next event.

        Raises:
            WireBroken: the event is malformed.
            ModelError: the provider says that it failed, in the middle of its answer.
        """

    def end(self) -> list[Delta]:
        """The deltas that were held back, once the line was closed.

        Raises:
            WireBroken: the finish signal is missing.
        """


@runtime_checkable
class Dialect(Protocol):
    """The grammar of one protocol. Holds nothing of any request, and serves any number."""

    name: str
    """By which a configuration asks for it ("anthropic")."""
    framing: Framing

    def encode(self, request: ChatRequest, base_url: str) -> WireRequest:
        """What is to be sent. ``base_url``: of the endpoint, without the part that the protocol adds.

        Raises:
            Unsupported: the protocol cannot carry a part of it; ``mend`` says what would be.
        """

    def decoder(self) -> Decoder:
        """A reader of one streamed answer."""

    def read(self, answer: JsonValue) -> list[Delta]:
        """The deltas of an answer that came whole, its finish signal last.

        Raises:
            WireBroken: it is malformed.
            ModelError: the provider says that it failed.
        """

    def fault(self, status: int, answer: JsonValue | str) -> ModelError:
        """The error that a response with a status of 400 and above tells of, in the provider's words."""
