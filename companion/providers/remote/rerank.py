"""Ranks from a provider."""

from __future__ import annotations

from dataclasses import replace

from companion.dialects.reranking import RerankingDialect, choose_reranking_dialect
from companion.model.rerank import Reranked, RerankParams, RerankRequest
from companion.providers.remote.provider_link import ProviderLink, call_of, through


class RemoteReranking:
    """A RerankBackend at an endpoint.

    model: where a request names none. dialect: None for what the endpoint speaks.

    Raises:
        Unsupported: the endpoint speaks no dialect of reranking.
    """

    def __init__(self, line: ProviderLink, model: str, *, dialect: RerankingDialect | None = None) -> None:
        self._line, self._dialect = (line, dialect) if dialect else through(line, choose_reranking_dialect, "reranking")
        self._own = RerankParams(model)

    @property
    def name(self) -> str:
        return f"{self._line.endpoint.name}/{self._own.model}"

    async def rerank(self, request: RerankRequest) -> Reranked:
        """Raises as the contract says, and MissingKey where there is no key."""
        request = replace(request, params=self._own.merged(request.params))
        call = call_of(self._dialect.encode(request, self._line.endpoint.door.base_url))
        return await self._line.ask(call, self._dialect, self._dialect.read)
