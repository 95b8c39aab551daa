"""What a model is asked and what it answers: messages, contexts, tools, parameters and the Generator contract."""

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

__all__ = [
    "ArgumentReader",
    "Block",
    "CallBudget",
    "Calling",
    "ChatBackend",
    "ChatRequest",
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
