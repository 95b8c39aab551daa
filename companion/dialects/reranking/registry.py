"""Which dialect of reranking an endpoint speaks, by the rules of ``companion.dialects.table``."""

from __future__ import annotations

from companion.dialects.reranking.contract import RerankingDialect
from companion.dialects.table import DialectTable, Place, made_by
from companion.dialects.urls import is_dashscope

RERANKING: DialectTable[RerankingDialect] = DialectTable(
    "reranking",
    Place(
        "dashscope",
        made_by("reranking.dashscope:DashScopeReranking"),
        10,
        providers=("dashscope",),
        is_of_url=is_dashscope,
    ),
    Place("cohere", made_by("reranking.cohere:CohereReranking"), standards=("jina", "openai", "openai-completions")),
)
register_reranking_dialect, reranking_dialects = RERANKING.register, RERANKING.names
choose_reranking_dialect = RERANKING.choose
