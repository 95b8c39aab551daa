"""A context as a page a person can read: always the same for the same context."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import assert_never

from companion.model.content import Block, Link, Resource, Thought
from companion.model.context import ModelContext
from companion.model.message import Contents, Message, Payload, ToolResult
from companion.model.options import ModelParams, Thinking
from companion.model.plain import to_json
from companion.model.tool import FuncTool, SearchWebTool, Tool
from companion.stream import Blob, FuncCall, Text, ToolCall


def described(context: ModelContext) -> str:
    """The context as Markdown: what is in it, under a heading each, in the order a model is given it."""
    sections = [
        *((f"prompt: {prompt.name}", prompt.text) for prompt in context.prompts),
        *(("chain of thought", cot) for cot in context.cots),
        ("tools", "\n".join(_tool(tool) for tool in context.tools)),
        ("messages", "\n".join(_message(message) for message in context.messages)),
        ("closing", context.closing),
        ("params", "\n".join(_params(context.params))),
    ]
    return "\n\n".join(f"## {head}\n{text}" for head, text in sections if text) + "\n"


def _tool(tool: Tool) -> str:
    match tool:
        case FuncTool(name, description, parameters):
            about = " ".join(description.split())
            return f"- {name}: {about}\n  {to_json(parameters)}"
        case SearchWebTool(name=name):
            return f"- {name}: the model searches the web itself"
        case _:
            assert_never(tool)


def _message(message: Message) -> str:
    who = f"{message.role.value} ({message.name})" if message.name else message.role.value
    return f"- {who}: {_payload(message.payload)}"


def _payload(payload: Payload) -> str:
    match payload:
        case Contents(parts):
            return " ".join(_part(part) for part in parts)
        case ToolCall(id, FuncCall(name, arguments)):
            return f"calls {name}({arguments}) as {id}"
        case ToolResult(id, result, is_error):
            return f"{id} {'failed:' if is_error else 'gave'} {result}"
        case _:
            assert_never(payload)


def _part(part: Block) -> str:
    match part:
        case Text(text):
            return text.replace("\n", "\n  ")
        case Thought(text):
            return f"[thinks: {text}]" if text else "[thinks what only its provider can read]"
        case Blob(mime_type, data):
            return f"[{mime_type}, {len(data)} bytes]"
        case Link(mime_type, url):
            return f"[{mime_type} at {url}]"
        case Resource(uri, mime_type, text, data):
            return f"[{uri}, {mime_type}: {text or f'{len(data)} bytes'}]"
        case _:
            assert_never(part)


def _params(options: ModelParams | Thinking) -> Iterator[str]:
    for field in fields(options):
        match getattr(options, field.name):
            case Thinking() as thinking:
                yield from (line.replace("- ", "- thinking ", 1) for line in _params(thinking))
            case value if value is not None and value != {}:
                yield f"- {field.name}: {to_json(value)}"
