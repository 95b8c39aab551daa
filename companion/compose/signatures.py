"""Keeps the signed thoughts of one backend from another: only who gave a signature can read it.

A conversation outlives the choice of who answers next. A signed thought of somebody else is left out of what a backend
is asked, and a call of somebody else's loses its signature. What nobody is known to have given, as from an earlier
run, is taken for somebody else's.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace

from companion.model import ChatRequest, Contents, Message, Thought
from companion.model.calls import CallDelta
from companion.model.deltas import Delta, ThoughtDelta
from companion.stream import ToolCall

MOST_KEPT = 4096
"""Signatures that are remembered, the newest."""


class Signatures:
    """Who gave which."""

    def __init__(self) -> None:
        self._givers: OrderedDict[str, str] = OrderedDict()

    def note(self, giver: str, delta: Delta) -> None:
        """Remember what ``giver`` has signed."""
        match delta:
            case ThoughtDelta(_, signature, redacted):
                signed = [signature, redacted]
            case CallDelta(signature=signature):
                signed = [signature]
            case _:
                return
        for one in filter(None, signed):
            self._givers[one] = giver
            self._givers.move_to_end(one)
        while len(self._givers) > MOST_KEPT:
            self._givers.popitem(last=False)

    def for_reader(self, reader: str, request: ChatRequest) -> ChatRequest:
        """The request without what others have signed."""
        messages = request.context.messages
        readable = tuple(kept for message in messages if (kept := self._readable(reader, message)) is not None)
        if all(kept is message for kept, message in zip(readable, messages, strict=False)):
            return request
        return replace(request, context=replace(request.context, messages=readable))

    def _readable(self, reader: str, message: Message) -> Message | None:
        match message.payload:
            case ToolCall(signature=signature) if not self._is_own(reader, signature):
                return replace(message, payload=replace(message.payload, signature=""))
            case Contents(parts):
                kept = tuple(
                    part for part in parts if not (isinstance(part, Thought) and self._is_foreign(reader, part))
                )
                if len(kept) == len(parts):
                    return message
                return replace(message, payload=Contents(kept)) if kept else None
            case _:
                return message

    def _is_foreign(self, reader: str, thought: Thought) -> bool:
        return not (self._is_own(reader, thought.signature) and self._is_own(reader, thought.redacted))

    def _is_own(self, reader: str, signature: str) -> bool:
        return not signature or self._givers.get(signature) == reader
