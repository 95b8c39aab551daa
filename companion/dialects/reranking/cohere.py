"""Reranking as Cohere began it; Jina, vLLM, llama.cpp's server and many others speak it too.

Sources: Cohere API reference, "Rerank API (v2)"; Jina AI, "Reranker API"; llama.cpp, server documentation,
"POST /reranking".
"""

from __future__ import annotations

from companion.dialects.contract import WireRequest
from companion.dialects.fields import Fields, as_fields, count, inner
from companion.dialects.openai_faults import fault_of_input
from companion.dialects.reranking.scores import PLACE, ranked_in
from companion.dialects.urls import complete_url
from companion.errors import ModelError
from companion.model.options import JsonValue
from companion.model.rerank import Reranked, RerankRequest
from companion.stream import Usage


class CohereReranking:
    """The documents are not asked for again: who asked has them. Voyage's ``data`` is read as ``results``."""

    name = "cohere"

    def encode(self, request: RerankRequest, base_url: str) -> WireRequest:
        body: dict[str, JsonValue] = {
            "model": request.params.model,
            "query": request.query,
            "documents": list(request.documents),
        }
        if request.top_n is not None:
            body["top_n"] = request.top_n
        return WireRequest(complete_url(base_url, "/v2/rerank"), {**body, **request.params.extra_fields})

    def read(self, answer: JsonValue) -> Reranked:
        fields = as_fields(answer, PLACE)
        if fields.get("error"):
            raise fault_of_input(0, answer)
        name = "data" if "data" in fields and "results" not in fields else "results"
        return Reranked(ranked_in(fields, name), Usage(_tokens(fields)))

    def fault(self, status: int, answer: JsonValue | str) -> ModelError:
        return fault_of_input(status, answer)


def _tokens(fields: Fields) -> int:
    """What it cost: ``usage`` of Jina and those after it, or ``meta`` of Cohere, which counts searches otherwise."""
    usage = inner(fields, "usage", PLACE)
    told = count(usage, "prompt_tokens", PLACE) or count(usage, "total_tokens", PLACE)
    return told or _whole(inner(inner(fields, "meta", PLACE), "tokens", PLACE).get("input_tokens"))


def _whole(value: object) -> int:
    """Cohere counts tokens in numbers with a point."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e15
    return int(value) if is_number and isinstance(value, int | float) else 0
