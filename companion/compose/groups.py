"""What of a conversation belongs together: the calls of one step with their results.

A group is the run of the assistant's messages in which tools are called, its thoughts and words with it, and the
results behind it. Every other message is a group of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.compose.entry import Entry
from companion.model import ChatRole, Message, ToolResult
from companion.stream import ToolCall


def groups(entries: Sequence[Entry]) -> list[tuple[int, int]]:
    """Where each group starts, and where it ends."""
    found: list[tuple[int, int]] = []
    start = 0
    while start < len(entries):
        end = _end_of_group(entries, start)
        found.append((start, end))
        start = end
    return found


def _end_of_group(entries: Sequence[Entry], start: int) -> int:
    end = start
    while end < len(entries) and entries[end].message.role is ChatRole.ASSISTANT:
        end += 1
    if not any(entry.is_tool_call for entry in entries[start:end]):
        return start + 1
    while end < len(entries) and entries[end].is_tool_result:
        end += 1
    return end


def whole_messages(entries: Sequence[Entry]) -> tuple[Message, ...]:
    """The messages, without calls that have no result and results that have no call."""
    shown: list[Message] = []
    for start, end in groups(entries):
        messages = [entry.message for entry in entries[start:end]]
        called = {message.payload.id for message in messages if isinstance(message.payload, ToolCall)}
        answered = {message.payload.id for message in messages if isinstance(message.payload, ToolResult)}
        paired = called & answered
        shown += [message for message in messages if _is_alone(message) or _id_of(message) in paired]
    return tuple(shown)


def _is_alone(message: Message) -> bool:
    return not isinstance(message.payload, ToolCall | ToolResult)


def _id_of(message: Message) -> str:
    return message.payload.id if isinstance(message.payload, ToolCall | ToolResult) else ""
