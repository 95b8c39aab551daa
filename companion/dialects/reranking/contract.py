"""What a dialect of reranking is.

Laws: what it cannot carry is Unsupported before anything is sent; nothing but a ModelError is raised, whatever the
bytes are. Whether the scores belong to the documents is checked by the Reranker.
"""

from __future__ import annotations

from typing import Protocol

from companion.dialects.contract import WireRequest
from companion.errors import ModelError
from companion.model.options import JsonValue
from companion.model.rerank import Reranked, RerankRequest


class RerankingDialect(Protocol):
    """Holds nothing of any request, and serves any number."""

    name: str

    def encode(self, request: RerankRequest, base_url: str) -> WireRequest:
        """What is to be posted. ``base_url``: of the endpoint, or the whole address.

        Raises:
            Unsupported: the protocol cannot carry a part of it.
        """

    def read(self, answer: JsonValue) -> Reranked:
        """The scores of an answer.

        Raises:
            WireBroken: it is malformed.
            ModelError: the provider says that it failed.
        """

    def fault(self, status: int, answer: JsonValue | str) -> ModelError:
        """The error that a response with a status of 400 and above tells of, in the provider's words."""
