"""Grammars of embedding: texts out, vectors in. No sockets, clocks or retries."""

from companion.dialects.embedding.contract import EmbeddingDialect
from companion.dialects.embedding.registry import (
    choose_embedding_dialect,
    embedding_dialects,
    register_embedding_dialect,
)

__all__ = ["EmbeddingDialect", "choose_embedding_dialect", "embedding_dialects", "register_embedding_dialect"]
