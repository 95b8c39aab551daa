"""What a model is asked and what it answers: messages, contexts, parameters and the Generator contract."""

from companion.model.context import ModelContext, ModelParams, SystemPrompt
from companion.model.generator import Generator
from companion.model.message import ChatRole, Contents, Message, ToolResult
from companion.model.profile import ModelReport
from companion.model.tool import FuncTool, SearchWebTool, Tool

__all__ = [
    "ChatRole",
    "Contents",
    "FuncTool",
    "Generator",
    "Message",
    "ModelContext",
    "ModelParams",
    "ModelReport",
    "SearchWebTool",
    "SystemPrompt",
    "Tool",
    "ToolResult",
]
