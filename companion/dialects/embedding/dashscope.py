"""DashScope's text embeddings.

Source: Alibaba Cloud Model Studio, "General text embedding"; as read in its Python SDK 2.0.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.dialects.contract import WireRequest
from companion.dialects.dashscope_faults import dashscope_fault
from companion.dialects.dashscope_service import output_of, service_url
from companion.dialects.embedding.vectors import in_order, vector_of
from companion.dialects.fields import Fields, as_fields, broken, count, inner, rows
from companion.errors import ModelError
from companion.model.embed import Embedded, EmbedParams
from companion.model.options import JsonValue
from companion.stream import Usage

_PLACE = "answer with embeddings"
_SERVICE = "embeddings/text-embedding/text-embedding"


class DashScopeEmbedding:
    """Ten texts at once are what its current models take (text-embedding-v3 and later)."""

    name = "dashscope"
    batch_size = 10

    def encode(self, texts: Sequence[str], params: EmbedParams, base_url: str) -> WireRequest:
        parameters: dict[str, JsonValue] = {}
        if params.purpose is not None:
            parameters["text_type"] = params.purpose
        if params.dimensions is not None:
            parameters["dimension"] = params.dimensions
        body: dict[str, JsonValue] = {
            "model": params.model,
            "input": {"texts": list(texts)},
            "parameters": {**parameters, **params.extra_fields},
        }
        return WireRequest(service_url(base_url, _SERVICE), body)

    def read(self, answer: JsonValue, texts: int) -> Embedded:
        output = output_of(answer, _PLACE)
        found = rows(output, "embeddings", _PLACE)
        vectors = ((_index(row), vector_of(row.get("embedding"), _PLACE)) for row in found)
        usage = inner(as_fields(answer, _PLACE), "usage", _PLACE)
        return Embedded(in_order(vectors, texts, _PLACE), Usage(count(usage, "total_tokens", _PLACE)))

    def fault(self, status: int, answer: JsonValue | str) -> ModelError:
        return dashscope_fault(status, answer)


def _index(row: Fields) -> int:
    if "text_index" not in row:
        raise broken(_PLACE, "a vector does not say to which text it belongs")
    return count(row, "text_index", _PLACE)
