"""Grammars of reranking: a question and documents out, scores in. No sockets, clocks or retries."""

from companion.dialects.reranking.contract import RerankingDialect
from companion.dialects.reranking.registry import (
    choose_reranking_dialect,
    register_reranking_dialect,
    reranking_dialects,
)

__all__ = ["RerankingDialect", "choose_reranking_dialect", "register_reranking_dialect", "reranking_dialects"]
