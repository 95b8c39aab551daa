"""What left for a provider: how much, where to, and of which kinds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.model import Contents, Kind, ModelContext, ToolResult, kind_of
from companion.stream import ToolCall


@dataclass(frozen=True, slots=True)
class Sent:
    """One request as it went out. It holds nothing of what was said.

    provider: by name. host: where it went. bytes: of the body. kinds: of what the messages held (words, pictures,
    sound). is_local: it went no further than this machine.
    """

    provider: str
    host: str
    bytes: int
    kinds: frozenset[Kind]
    is_local: bool


Watcher = Callable[[Sent], None]
"""Told of each request when its first bytes leave. It must not raise or wait."""


def kinds_in(context: ModelContext) -> frozenset[Kind]:
    """What a provider is shown of ``context``."""
    kinds: set[Kind] = set()
    if context.prompts or context.closing or context.tools or context.cots:
        kinds.add(Kind.TEXT)
    for message in context.messages:
        match message.payload:
            case Contents(parts):
                kinds.update(kind_of(part) for part in parts)
            case ToolCall() | ToolResult():
                kinds.add(Kind.TEXT)
    return frozenset(kinds)
