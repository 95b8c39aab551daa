"""Which dialect of making pictures an endpoint speaks, by the rules of ``companion.dialects.table``."""

from __future__ import annotations

from companion.dialects.images.contract import ImageDialect
from companion.dialects.table import DialectTable, Place, made_by
from companion.dialects.urls import is_dashscope

IMAGES: DialectTable[ImageDialect] = DialectTable(
    "pictures",
    Place(
        "dashscope", made_by("images.dashscope:DashScopeImages"), 10, providers=("dashscope",), is_of_url=is_dashscope
    ),
    Place("openai", made_by("images.openai:OpenAIImages"), standards=("openai-completions", "openai-responses")),
)
register_image_dialect, image_dialects, choose_image_dialect = IMAGES.register, IMAGES.names, IMAGES.choose
