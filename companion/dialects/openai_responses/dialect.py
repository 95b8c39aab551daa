"""The dialect of the Responses API: developers.openai.com/api/reference/resources/responses."""

from __future__ import annotations

from companion.dialects.contract import Framing, WireRequest
from companion.dialects.openai_faults import fault
from companion.dialects.openai_responses.decode import ResponsesDecoder, read_response
from companion.dialects.openai_responses.encode import encode
from companion.errors import ModelError
from companion.model.deltas import Delta
from companion.model.options import JsonValue
from companion.model.request import ChatRequest


class OpenAIResponses:
    """``companion.dialects.contract.Dialect`` for ``/v1/responses``. Nothing is kept by the provider: the whole
    conversation goes along with each request.
    """

    name = "openai-responses"
    framing = Framing.SSE

    def encode(self, request: ChatRequest, base_url: str) -> WireRequest:
        """What is to be posted.

        Raises:
            Unsupported: a part or a parameter that the protocol has no place for.
        """
        return encode(request, base_url)

    def decoder(self) -> ResponsesDecoder:
        return ResponsesDecoder()

    def read(self, answer: JsonValue) -> list[Delta]:
        """The deltas of an answer that came whole, its finish signal last.

        Raises:
            WireBroken: it is no response, or one that has not ended.
            ModelError: it has failed.
        """
        return read_response(answer)

    def fault(self, status: int, answer: JsonValue | str) -> ModelError:
        return fault(status, answer)
