"""The grammar of DashScope: ``text-generation`` and ``multimodal-generation``, the interface of its own.

Source: Alibaba Cloud Model Studio, "DashScope API reference" and "Error messages"; as its Python SDK 2.0 sends it.
"""

from __future__ import annotations

from companion.dialects.contract import Decoder, Framing, WireRequest
from companion.dialects.dashscope.decode import DashScopeDecoder
from companion.dialects.dashscope.encode import encode
from companion.dialects.dashscope_faults import dashscope_fault
from companion.errors import ModelError
from companion.model.deltas import Delta
from companion.model.options import JsonValue
from companion.model.request import ChatRequest


class DashScope:
    """Alibaba's models."""

    name = "dashscope"
    framing = Framing.SSE

    def encode(self, request: ChatRequest, base_url: str) -> WireRequest:
        return encode(request, base_url)

    def decoder(self) -> Decoder:
        return DashScopeDecoder()

    def read(self, answer: JsonValue) -> list[Delta]:
        return DashScopeDecoder().whole(answer)

    def fault(self, status: int, answer: JsonValue | str) -> ModelError:
        return dashscope_fault(status, answer)


__all__ = ["DashScope"]
