"""Which dialect of making pictures an endpoint speaks."""

from __future__ import annotations

from companion.dialects.dashscope_service import is_dashscope
from companion.dialects.images.contract import ImageDialect
from companion.dialects.images.dashscope import DashScopeImages
from companion.dialects.images.openai import OpenAIImages
from companion.dialects.registry import UrlRule, dialects
from companion.dialects.table import DialectTable, Place

_TABLE: DialectTable[ImageDialect] = DialectTable(
    "pictures",
    Place(DashScopeImages(), 10, providers=("dashscope",), is_of_url=is_dashscope),
    Place(OpenAIImages(), 100, standards=("openai-completions", "openai-responses")),
)


def register_image_dialect(
    dialect: ImageDialect,
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


def image_dialects() -> tuple[str, ...]:
    """The names of all, those that are asked first first."""
    dialects()  # so that the plugins have been asked
    return _TABLE.names()


def choose_image_dialect(standard: str = "", provider: str = "", url: str = "") -> ImageDialect:
    """The dialect that an endpoint speaks; see ``companion.dialects.table`` for what decides.

    Raises:
        NotRegistered: no dialect is of that standard; ``mend`` names the nearest.
        SettingsError: the URL is none.
    """
    dialects()  # so that the plugins have been asked
    return _TABLE.choose(standard, provider, url)
