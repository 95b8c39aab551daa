"""What a model is asked and what it answers: messages, contexts, tools, parameters and the Generator contract."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from companion.model.arguments import ArgumentReader
from companion.model.builder import ContextBuilder
from companion.model.content import Block, Kind, Link, Resource, Thought, audio, blob, image, kind_of, video
from companion.model.context import ModelContext, SystemPrompt
from companion.model.dump import described
from companion.model.generator import Generator
from companion.model.message import ChatRole, Contents, Message, Payload, ToolResult
from companion.model.options import JsonValue, ModelParams, Thinking
from companion.model.profile import ModelReport
from companion.model.prompt import Prompt, PromptLike
from companion.model.request import Calling, ChatBackend, ChatRequest, ToolChoice
from companion.model.tool import FuncTool, SearchWebTool, Tool
from companion.model.toolkit import CallBudget, Toolkit
from companion.stream import State, Status, Usage

if TYPE_CHECKING:
    from companion.model.chat import ChatModel
    from companion.model.chat_events import ChatEvents
    from companion.model.chat_options import ChatOptions
    from companion.model.response import ChatResponse
    from companion.model.tool_builder import NewTool
    from companion.model.tool_context import ToolContext

__all__ = [
    "ArgumentReader",
    "Block",
    "CallBudget",
    "Calling",
    "ChatBackend",
    "ChatEvents",
    "ChatModel",
    "ChatOptions",
    "ChatRequest",
    "ChatResponse",
    "ChatRole",
    "Contents",
    "ContextBuilder",
    "FuncTool",
    "Generator",
    "JsonValue",
    "Kind",
    "Link",
    "Message",
    "ModelContext",
    "ModelParams",
    "ModelReport",
    "NewTool",
    "Payload",
    "Prompt",
    "PromptLike",
    "Resource",
    "SearchWebTool",
    "State",
    "Status",
    "SystemPrompt",
    "Thinking",
    "Thought",
    "Tool",
    "ToolChoice",
    "ToolContext",
    "ToolResult",
    "Toolkit",
    "Usage",
    "audio",
    "blob",
    "described",
    "image",
    "kind_of",
    "video",
]

_LATER = {
    "ChatEvents": "companion.model.chat_events",
    "ChatModel": "companion.model.chat",
    "ChatOptions": "companion.model.chat_options",
    "ChatResponse": "companion.model.response",
    "NewTool": "companion.model.tool_builder",
    "ToolContext": "companion.model.tool_context",
}
"""What not everybody needs, and where it is; it is imported when it is first asked for."""


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)
