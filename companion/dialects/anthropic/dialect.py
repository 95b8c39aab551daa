"""The dialect of the Messages API: platform.claude.com/docs/en/api/messages, version 2026-10-21."""

from __future__ import annotations

from companion.dialects.anthropic.decode import AnthropicDecoder, read_message
from companion.dialects.anthropic.encode import encode
from companion.dialects.anthropic.faults import fault
from companion.dialects.contract import Framing, WireRequest
from companion.errors import ModelError
from companion.model.deltas import Delta
from companion.model.options import JsonValue
from companion.model.request import ChatRequest


class Anthropic:
    """``companion.dialects.contract.Dialect`` for ``/v1/messages``."""

    name = "anthropic"
    framing = Framing.SSE

    def encode(self, request: ChatRequest, base_url: str) -> WireRequest:
        """What is to be posted. What is asked for is cached up to the newest words of the user.

        Raises:
            Unsupported: a part, a parameter or a choice that the protocol has no place for.
        """
        return encode(request, base_url)

    def decoder(self) -> AnthropicDecoder:
        return AnthropicDecoder()

    def read(self, answer: JsonValue) -> list[Delta]:
        """The deltas of an answer that came whole, its finish signal last.

        Raises:
            WireBroken: it is no message, or one that does not say why it ended.
            ModelError: it is an error.
        """
        return read_message(answer)

    def fault(self, status: int, answer: JsonValue | str) -> ModelError:
        return fault(status, answer)
