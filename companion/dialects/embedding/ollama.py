"""Ollama's embeddings.

Source: Ollama API documentation, "Generate embeddings" (POST /api/embed); as read in its Python SDK 0.6.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.dialects.contract import WireRequest
from companion.dialects.embedding.vectors import in_order, vector_of
from companion.dialects.fields import as_fields, broken, count
from companion.dialects.openai_faults import fault_of_input
from companion.dialects.urls import complete_url
from companion.errors import ModelError
from companion.model.embed import Embedded, EmbedParams
from companion.model.options import JsonValue
from companion.stream import Usage

_PLACE = "answer with embeddings"
_DIRECT = ("truncate", "keep_alive", "options", "dimensions")
"""Extra fields that stand beside the texts; all others are options of the model."""


class OllamaEmbedding:
    """The model runs at home, where a large batch only makes the first answer late."""

    name = "ollama"
    batch_size = 64

    def encode(self, texts: Sequence[str], params: EmbedParams, base_url: str) -> WireRequest:
        body: dict[str, JsonValue] = {"model": params.model, "input": list(texts)}
        if params.dimensions is not None:
            body["dimensions"] = params.dimensions
        body.update({name: value for name, value in params.extra_fields.items() if name in _DIRECT})
        options = {name: value for name, value in params.extra_fields.items() if name not in _DIRECT}
        if options:
            given = body.get("options")
            body["options"] = {**(given if isinstance(given, dict) else {}), **options}
        return WireRequest(complete_url(base_url, "/api/embed"), body)

    def read(self, answer: JsonValue, texts: int) -> Embedded:
        fields = as_fields(answer, _PLACE)
        if fields.get("error"):
            raise fault_of_input(0, answer)
        vectors = fields.get("embeddings")
        if not isinstance(vectors, list):
            raise broken(_PLACE, "'embeddings' is no list")
        numbered = ((index, vector_of(vector, _PLACE)) for index, vector in enumerate(vectors))
        return Embedded(in_order(numbered, texts, _PLACE), Usage(count(fields, "prompt_eval_count", _PLACE)))

    def fault(self, status: int, answer: JsonValue | str) -> ModelError:
        return fault_of_input(status, answer)
