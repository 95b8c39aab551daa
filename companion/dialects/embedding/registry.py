"""Which dialect of embedding an endpoint speaks, by the rules of ``companion.dialects.table``."""

from __future__ import annotations

from companion.dialects.embedding.contract import EmbeddingDialect
from companion.dialects.table import DialectTable, Place, ends, made_by
from companion.dialects.urls import is_dashscope

EMBEDDING: DialectTable[EmbeddingDialect] = DialectTable(
    "embedding",
    Place(
        "dashscope",
        made_by("embedding.dashscope:DashScopeEmbedding"),
        10,
        providers=("dashscope",),
        is_of_url=is_dashscope,
    ),
    Place(
        "ollama",
        made_by("embedding.ollama:OllamaEmbedding"),
        20,
        providers=("ollama",),
        is_of_url=ends("/api/embed", "/api/chat"),
    ),
    Place("openai", made_by("embedding.openai:OpenAIEmbedding"), standards=("openai-completions", "openai-responses")),
)
register_embedding_dialect, embedding_dialects = EMBEDDING.register, EMBEDDING.names
choose_embedding_dialect = EMBEDDING.choose
