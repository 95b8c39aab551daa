"""What a dialect of embedding is.

Laws: what it cannot carry is Unsupported before anything is sent; vectors come in the order of their texts, one for
each; nothing but a ModelError is raised, whatever the bytes are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from companion.dialects.contract import WireRequest
from companion.errors import ModelError
from companion.model.embed import Embedded, EmbedParams
from companion.model.options import JsonValue


class EmbeddingDialect(Protocol):
    """Holds nothing of any request, and serves any number."""

    name: str
    batch_size: int
    """Texts one request may hold."""

    def encode(self, texts: Sequence[str], params: EmbedParams, base_url: str) -> WireRequest:
        """What is to be posted. ``base_url``: of the endpoint, or the whole address.

        Raises:
            Unsupported: the protocol cannot carry what the params ask for.
        """

    def read(self, answer: JsonValue, texts: int) -> Embedded:
        """The vectors of an answer to a request of so many texts.

        Raises:
            WireBroken: it is malformed, or its vectors do not belong to the texts.
            ModelError: the provider says that it failed.
        """

    def fault(self, status: int, answer: JsonValue | str) -> ModelError:
        """The error that a response with a status of 400 and above tells of, in the provider's words."""
