"""What a model is asked and what it answers: messages, contexts, parameters and the Generator contract."""

from companion.model.context import ModelContext, ModelParams, SystemPrompt
from companion.model.generator import Generator
from companion.model.message import ChatRole, Contents, Message, ToolResult
from companion.model.profile import ModelReport

__all__ = [
    "ChatRole",
    "Contents",
    "Generator",
    "Message",
    "ModelContext",
    "ModelParams",
    "ModelReport",
    "SystemPrompt",
    "ToolResult",
]
