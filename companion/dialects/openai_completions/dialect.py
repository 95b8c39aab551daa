"""The dialect of chat completions: developers.openai.com/api/reference/resources/chat."""

from __future__ import annotations

from companion.dialects.contract import Framing, WireRequest
from companion.dialects.openai_completions.decode import CompletionsDecoder, read_completion
from companion.dialects.openai_completions.encode import encode
from companion.dialects.openai_completions.marks import NAME
from companion.dialects.openai_faults import fault
from companion.errors import ModelError
from companion.model.deltas import Delta
from companion.model.options import JsonValue
from companion.model.request import ChatRequest


class OpenAICompletions:
    """``companion.dialects.contract.Dialect`` for ``/v1/chat/completions``."""

    name = NAME
    framing = Framing.SSE

    def encode(self, request: ChatRequest, base_url: str) -> WireRequest:
        """What is to be posted. What a provider makes of the protocol is told by the host of ``base_url``.

        Raises:
            Unsupported: a part or a parameter that the protocol has no place for.
        """
        return encode(request, base_url)

    def decoder(self) -> CompletionsDecoder:
        return CompletionsDecoder()

    def read(self, answer: JsonValue) -> list[Delta]:
        """The deltas of an answer that came whole, its finish signal last.

        Raises:
            WireBroken: it is no completion, or one that has not ended.
            ModelError: it tells of an error.
        """
        return read_completion(answer)

    def fault(self, status: int, answer: JsonValue | str) -> ModelError:
        return fault(status, answer)
