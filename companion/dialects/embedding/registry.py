"""Which dialect of embedding an endpoint speaks."""

from __future__ import annotations

from companion.dialects.dashscope_service import is_dashscope
from companion.dialects.embedding.contract import EmbeddingDialect
from companion.dialects.embedding.dashscope import DashScopeEmbedding
from companion.dialects.embedding.ollama import OllamaEmbedding
from companion.dialects.embedding.openai import OpenAIEmbedding
from companion.dialects.registry import UrlRule, dialects
from companion.dialects.table import DialectTable, Place

_TABLE: DialectTable[EmbeddingDialect] = DialectTable(
    "embedding",
    Place(DashScopeEmbedding(), 10, providers=("dashscope",), is_of_url=is_dashscope),
    Place(
        OllamaEmbedding(),
        20,
        providers=("ollama",),
        is_of_url=lambda url: url.path.endswith(("/api/embed", "/api/chat")),
    ),
    Place(OpenAIEmbedding(), 100, standards=("openai-completions", "openai-responses")),
)


def register_embedding_dialect(
    dialect: EmbeddingDialect,
    priority: int = 100,
    *,
    standards: tuple[str, ...] = (),
    providers: tuple[str, ...] = (),
    is_of_url: UrlRule | None = None,
) -> None:
    """Add a dialect under its name; the lower the priority, the earlier it is asked.

    Raises:
        PatternError: its name is empty, or taken.
    """
    _TABLE.register(Place(dialect, priority, standards, providers, is_of_url))


def embedding_dialects() -> tuple[str, ...]:
    """The names of all, those that are asked first first."""
    dialects()  # so that the plugins have been asked
    return _TABLE.names()


def choose_embedding_dialect(standard: str = "", provider: str = "", url: str = "") -> EmbeddingDialect:
    """The dialect that an endpoint speaks; see ``companion.dialects.table`` for what decides.

    Raises:
        NotRegistered: no dialect is of that standard; ``mend`` names the nearest.
        SettingsError: the URL is none.
    """
    dialects()  # so that the plugins have been asked
    return _TABLE.choose(standard, provider, url)
