"""Which dialect of reranking an endpoint speaks."""

from __future__ import annotations

from companion.dialects.dashscope_service import is_dashscope
from companion.dialects.registry import UrlRule, dialects
from companion.dialects.reranking.cohere import CohereReranking
from companion.dialects.reranking.contract import RerankingDialect
from companion.dialects.reranking.dashscope import DashScopeReranking
from companion.dialects.table import DialectTable, Place

_TABLE: DialectTable[RerankingDialect] = DialectTable(
    "reranking",
    Place(DashScopeReranking(), 10, providers=("dashscope",), is_of_url=is_dashscope),
    Place(CohereReranking(), 100, standards=("jina", "openai", "openai-completions")),
)


def register_reranking_dialect(
    dialect: RerankingDialect,
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


def reranking_dialects() -> tuple[str, ...]:
    """The names of all, those that are asked first first."""
    dialects()  # so that the plugins have been asked
    return _TABLE.names()


def choose_reranking_dialect(standard: str = "", provider: str = "", url: str = "") -> RerankingDialect:
    """The dialect that an endpoint speaks; see ``companion.dialects.table`` for what decides.

    Raises:
        NotRegistered: no dialect is of that standard; ``mend`` names the nearest.
        SettingsError: the URL is none.
    """
    dialects()  # so that the plugins have been asked
    return _TABLE.choose(standard, provider, url)
