"""The grammar of Google's Interactions API, of the revision of May 2026; its older events are understood too.

Source: Gemini API, "Interactions API" and its reference (ai.google.dev/api/interactions-api); google-genai 3.6.
"""

from __future__ import annotations

from companion.dialects.contract import Decoder, Framing, WireRequest
from companion.dialects.google_faults import google_fault
from companion.dialects.google_interactions.decode import InteractionDecoder
from companion.dialects.google_interactions.encode import encode
from companion.errors import ModelError
from companion.model.deltas import Delta
from companion.model.options import JsonValue
from companion.model.request import ChatRequest


class GoogleInteractions:
    """Google's models, asked with the whole conversation; nothing is kept there."""

    name = "google-interactions"
    framing = Framing.SSE

    def encode(self, request: ChatRequest, base_url: str) -> WireRequest:
        return encode(request, base_url)

    def decoder(self) -> Decoder:
        return InteractionDecoder()

    def read(self, answer: JsonValue) -> list[Delta]:
        return InteractionDecoder().whole(answer)

    def fault(self, status: int, answer: JsonValue | str) -> ModelError:
        return google_fault(status, answer)


__all__ = ["GoogleInteractions"]
