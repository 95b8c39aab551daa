"""Vectors from a provider."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.dialects.embedding import EmbeddingDialect, choose_embedding_dialect
from companion.model.embed import Embedded, EmbedParams
from companion.providers.remote.provider_link import ProviderLink, call_of, through


class RemoteEmbedding:
    """An EmbedBackend at an endpoint.

    model: where a request names none. dialect: None for what the endpoint speaks. batch_size: texts a request; 0 for
    what the protocol takes.

    Raises:
        Unsupported: the endpoint speaks no dialect of embedding.
    """

    def __init__(
        self, line: ProviderLink, model: str, *, dialect: EmbeddingDialect | None = None, batch_size: int = 0
    ) -> None:
        self._line, self._dialect = (line, dialect) if dialect else through(line, choose_embedding_dialect, "embedding")
        self._model = model
        self._batch_size = batch_size or self._dialect.batch_size

    @property
    def name(self) -> str:
        return f"{self._line.endpoint.name}/{self._model}"

    @property
    def batch_size(self) -> int:
        return self._batch_size

    async def embed_batch(self, texts: Sequence[str], params: EmbedParams) -> Embedded:
        """Raises as the contract says, and MissingKey where there is no key."""
        params = replace(params, model=params.model or self._model)
        call = call_of(self._dialect.encode(texts, params, self._line.endpoint.door.base_url))
        return await self._line.ask(call, self._dialect, lambda answer: self._dialect.read(answer, len(texts)))
