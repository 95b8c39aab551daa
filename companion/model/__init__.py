"""What a model is asked and what it answers: messages, contexts, tools, parameters and the Generator contract."""

from companion.model.arguments import ArgumentReader
from companion.model.builder import ContextBuilder
from companion.model.context import ModelContext, SystemPrompt
from companion.model.dump import described
from companion.model.generator import Generator
from companion.model.message import ChatRole, Contents, Message, Payload, ToolResult
from companion.model.options import JsonValue, ModelParams, Thinking
from companion.model.profile import ModelReport
from companion.model.prompt import Prompt, PromptLike
from companion.model.tool import FuncTool, SearchWebTool, Tool
from companion.model.toolkit import CallBudget, Toolkit
from companion.stream import State, Status, Usage

__all__ = [
    "ArgumentReader",
    "CallBudget",
    "ChatRole",
    "Contents",
    "ContextBuilder",
    "FuncTool",
    "Generator",
    "JsonValue",
    "Message",
    "ModelContext",
    "ModelParams",
    "ModelReport",
    "Payload",
    "Prompt",
    "PromptLike",
    "SearchWebTool",
    "State",
    "Status",
    "SystemPrompt",
    "Thinking",
    "Tool",
    "ToolResult",
    "Toolkit",
    "Usage",
    "described",
]
