"""Which dialects of chat there are, and which one an endpoint speaks.

``companion.dialects.table`` has the rules, and ``companion.dialects.plugins`` what a plugin does to add its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.dialects.contract import Dialect
from companion.dialects.table import DialectTable, Place, ends, made_by
from companion.dialects.urls import is_dashscope

if TYPE_CHECKING:
    from urllib.parse import SplitResult


def _is_gemini(url: SplitResult) -> bool:
    is_of_models = "/v1beta/models/" in url.path or "/v1/models/" in url.path
    return is_of_models and url.path.endswith(("generateContent", "streamGenerateContent"))


CHAT: DialectTable[Dialect] = DialectTable(
    "chat",
    Place("dashscope", made_by("dashscope:DashScope"), 10, providers=("dashscope",), is_of_url=is_dashscope),
    Place("ollama", made_by("ollama:Ollama"), 20, providers=("ollama",), is_of_url=ends("/api/chat")),
    Place(
        "google-interactions",
        made_by("google_interactions:GoogleInteractions"),
        29,
        standards=("gemini-interactions",),
        is_of_url=ends("/interactions"),
    ),
    Place(
        "gemini",
        made_by("gemini:Gemini"),
        30,
        standards=("google", "google-models", "google-generate", "gemini-models"),
        providers=("google", "gemini"),
        is_of_url=_is_gemini,
    ),
    Place(
        "anthropic",
        made_by("anthropic:Anthropic"),
        40,
        standards=("claude",),
        providers=("anthropic", "claude"),
        is_of_url=ends("/messages"),
    ),
    Place("openai-responses", made_by("openai_responses:OpenAIResponses"), is_of_url=ends("/responses")),
    Place("openai-completions", made_by("openai_completions:OpenAICompletions"), standards=("openai",)),
)
register_dialect, dialects, choose_dialect = CHAT.register, CHAT.names, CHAT.choose
