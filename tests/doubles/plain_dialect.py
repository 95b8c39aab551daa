"""A dialect of a few words, for tests of what carries dialects: ``{"say": "a"}``, ``{"end": "stop"}``."""

from __future__ import annotations

import json
from typing import Any

from companion.dialects import Framing, WireEvent, WireRequest
from companion.dialects.faults import fault_of, told_error
from companion.dialects.fields import as_fields, broken, fields_of
from companion.errors import ModelError, ProviderFailed, WireBroken
from companion.model.calls import CallDelta
from companion.model.deltas import Counted, Delta, Finish, Finished, RawDelta, TextDelta
from companion.model.request import ChatRequest
from companion.stream import Usage


class PlainDecoder:
    def __init__(self) -> None:
        self.unknown = 0
        self.has_ended = False

    def feed(self, event: WireEvent) -> list[Delta]:
        deltas = read(fields_of(event.data, "plain event"))
        self.unknown += sum(isinstance(delta, RawDelta) for delta in deltas)
        self.has_ended = self.has_ended or any(isinstance(delta, Finished) for delta in deltas)
        return deltas

    def end(self) -> list[Delta]:
        if not self.has_ended:
            raise WireBroken("the plain answer stopped before its finish signal")
        return []


class PlainDialect:
    """framing: how it is streamed."""

    name = "plain"

    def __init__(self, framing: Framing = Framing.SSE) -> None:
        self.framing = framing

    def encode(self, request: ChatRequest, base_url: str) -> WireRequest:
        body: dict[str, Any] = {
            "model": request.model,
            "words": [message.text for message in request.context.messages],
            "stream": request.is_streamed,
        }
        if request.context.params.max_tokens is not None:
            body["limit"] = request.context.params.max_tokens
        if request.answer_form is not None:
            body["schema"] = dict(request.answer_form.parameters)
        if request.context.tools:
            body["tools"] = [tool.name for tool in request.context.tools]
        return WireRequest(f"{base_url}/plain", body, {"plain-version": "1"})

    def decoder(self) -> PlainDecoder:
        return PlainDecoder()

    def read(self, answer: Any) -> list[Delta]:
        return [delta for event in answer for delta in read(as_fields(event, "plain event"))]

    def fault(self, status: int, answer: Any) -> ModelError:
        why = answer.get("why") if isinstance(answer, dict) else None
        return fault_of(status, str(why or told_error(answer).words))


def read(event: Any) -> list[Delta]:
    match event:
        case {"say": str(text)}:
            return [TextDelta(text)]
        case {"call": str(name), "with": arguments}:
            return [CallDelta(0, "call-1", name, json.dumps(arguments))]
        case {"say": _}:
            raise broken("plain event", "'say' is no text")
        case {"count": [prompt, completion]}:
            return [Counted(Usage(prompt, completion))]
        case {"end": "refused"}:
            return [Finished(Finish.REFUSED, "not that")]
        case {"end": reason}:
            if reason not in list(Finish):
                raise broken("plain event", "it ends for no reason that is known")
            return [Finished(Finish(reason))]
        case {"broken": why}:
            raise ProviderFailed(why)
        case _:
            return [RawDelta(event)]
