"""DashScope's reranking.

Source: Alibaba Cloud Model Studio, "Text rerank"; as read in its Python SDK 2.0.
"""

from __future__ import annotations

from companion.dialects.contract import WireRequest
from companion.dialects.dashscope_faults import dashscope_fault
from companion.dialects.dashscope_service import output_of, service_url
from companion.dialects.fields import as_fields, count, inner
from companion.dialects.reranking.scores import PLACE, ranked_in
from companion.errors import ModelError
from companion.model.options import JsonValue
from companion.model.rerank import Reranked, RerankRequest
from companion.stream import Usage

_SERVICE = "rerank/text-rerank/text-rerank"


class DashScopeReranking:
    name = "dashscope"

    def encode(self, request: RerankRequest, base_url: str) -> WireRequest:
        parameters: dict[str, JsonValue] = {} if request.top_n is None else {"top_n": request.top_n}
        body: dict[str, JsonValue] = {
            "model": request.params.model,
            "input": {"query": request.query, "documents": list(request.documents)},
            "parameters": {**parameters, **request.params.extra_fields},
        }
        return WireRequest(service_url(base_url, _SERVICE), body)

    def read(self, answer: JsonValue) -> Reranked:
        output = output_of(answer, PLACE)
        usage = inner(as_fields(answer, PLACE), "usage", PLACE)
        return Reranked(ranked_in(output, "results"), Usage(count(usage, "total_tokens", PLACE)))

    def fault(self, status: int, answer: JsonValue | str) -> ModelError:
        return dashscope_fault(status, answer)
