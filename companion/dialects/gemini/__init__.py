"""The grammar of Gemini: ``generateContent`` and ``streamGenerateContent?alt=sse``.

Source: Gemini API reference v1beta, "Generating content" (ai.google.dev/api/generate-content); google-genai 3.6.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.dialects.contract import Decoder, Framing, WireRequest
from companion.dialects.gemini.decode import GeminiDecoder
from companion.dialects.gemini.encode import encode
from companion.dialects.google_faults import google_fault
from companion.errors import ModelError
from companion.model.deltas import Delta
from companion.model.options import JsonValue
from companion.model.request import ChatRequest


class Gemini:
    """Google's models, asked by their older interface, which holds no state."""

    name = "gemini"
    framing = Framing.SSE

    def encode(self, request: ChatRequest, base_url: str) -> WireRequest:
        return encode(request, base_url)

    def decoder(self) -> Decoder:
        return GeminiDecoder()

    def read(self, answer: JsonValue) -> list[Delta]:
        decoder = GeminiDecoder()
        events = answer if isinstance(answer, Sequence) and not isinstance(answer, str) else [answer]
        deltas = [delta for event in events for delta in decoder.take(event)]
        deltas += decoder.end()
        finished = decoder.finished
        return [*(delta for delta in deltas if delta is not finished), *([finished] if finished else [])]

    def fault(self, status: int, answer: JsonValue | str) -> ModelError:
        return google_fault(status, answer)


__all__ = ["Gemini"]
