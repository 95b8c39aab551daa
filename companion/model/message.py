"""One message of a conversation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.model.content import Block
from companion.stream import Role, Text, ToolCall


class ChatRole(StrEnum):
    """Who wrote a message. Chunks say ``model`` where messages say ``assistant``."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"

    @property
    def chunk_role(self) -> Role | None:
        """The role of a chunk of such a message; None for system text, which never streams."""
        match self:
            case ChatRole.USER:
                return Role.USER
            case ChatRole.ASSISTANT:
                return Role.MODEL
            case ChatRole.TOOL:
                return Role.TOOL
            case ChatRole.SYSTEM:
                return None

    @classmethod
    def of_chunk(cls, role: Role) -> ChatRole:
        """The role of a message made of chunks of ``role``."""
        return cls.ASSISTANT if role is Role.MODEL else cls(role.value)


@dataclass(frozen=True, slots=True)
class Contents:
    """Words, pictures, sound, documents and thoughts, in order."""

    parts: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What the tool call of the same id returned.

    is_error: it did not run to its end, and ``result`` says why, for the model to read.
    """

    id: str
    result: str
    is_error: bool = False


Payload = Contents | ToolCall | ToolResult


@dataclass(frozen=True, slots=True)
class Message:
    """One message: contents, a tool call or a tool's result."""

    role: ChatRole
    payload: Payload
    name: str = ""

    @property
    def text(self) -> str:
        """The words of the contents, joined; empty for a tool call or result."""
        if not isinstance(self.payload, Contents):
            return ""
        return "".join(part.text for part in self.payload.parts if isinstance(part, Text))

    @classmethod
    def of(cls, role: ChatRole, text: str, *, language: str = "") -> Message:
        """A message of plain words."""
        return cls(role, Contents((Text(text, language),)))
