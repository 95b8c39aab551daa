"""OpenAI's embeddings, which many servers speak.

Source: OpenAI API reference, "Embeddings", "Create embeddings"; as read in its Python SDK 3.57.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from sys import byteorder

from companion.dialects.contract import WireRequest
from companion.dialects.embedding.vectors import in_order, vector_of
from companion.dialects.fields import Fields, as_fields, broken, count, inner, rows
from companion.dialects.media import bytes_of
from companion.dialects.openai_faults import fault_of_input
from companion.dialects.urls import complete_url
from companion.errors import ModelError
from companion.model.embed import Embedded, EmbedParams, Vector
from companion.model.options import JsonValue
from companion.stream import Usage

_PLACE = "answer with embeddings"


class OpenAIEmbedding:
    """Numbers are asked for in base64, as OpenAI's own SDK does: they come in a third of the bytes, and exact.

    A server that sends them as JSON all the same is read too; one that refuses is asked with the extra field
    ``encoding_format="float"``.
    """

    name = "openai"
    batch_size = 128
    """OpenAI takes 2048, and 300,000 tokens in all; others take less, and reading many at once takes long."""

    def encode(self, texts: Sequence[str], params: EmbedParams, base_url: str) -> WireRequest:
        body: dict[str, JsonValue] = {"model": params.model, "input": list(texts), "encoding_format": "base64"}
        if params.dimensions is not None:
            body["dimensions"] = params.dimensions
        return WireRequest(complete_url(base_url, "/v1/embeddings"), {**body, **params.extra_fields})

    def read(self, answer: JsonValue, texts: int) -> Embedded:
        fields = as_fields(answer, _PLACE)
        if fields.get("error"):
            raise fault_of_input(0, answer)
        data = rows(fields, "data", _PLACE)
        vectors = ((_index(row, place), _vector(row.get("embedding"))) for place, row in enumerate(data))
        usage = inner(fields, "usage", _PLACE)
        return Embedded(in_order(vectors, texts, _PLACE), Usage(count(usage, "prompt_tokens", _PLACE)))

    def fault(self, status: int, answer: JsonValue | str) -> ModelError:
        return fault_of_input(status, answer)


def _index(row: Fields, place: int) -> int:
    """Where it belongs; some servers leave it out."""
    return count(row, "index", _PLACE) if "index" in row else place


def _vector(value: object) -> Vector:
    if not isinstance(value, str):
        return vector_of(value, _PLACE)
    raw = bytes_of(value, _PLACE)
    numbers = array("f")
    if not raw or len(raw) % numbers.itemsize:
        raise broken(_PLACE, "a vector in base64 is cut")
    numbers.frombytes(raw)
    if byteorder == "big":
        numbers.byteswap()
    return tuple(numbers)
