"""About how many tokens a question has, before anybody has counted them; rather too many than too few."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import assert_never

from companion.model import Block, ChatRequest, Contents, JsonValue, Link, Message, Resource, Thought, ToolResult
from companion.model.content import Kind, kind_of
from companion.model.plain import to_json
from companion.model.tool import FuncTool, Tool
from companion.stream import Blob, FuncCall, Text, ToolCall, pcm_format

Count = Callable[[str], int]
"""Tokens of a text."""

PICTURE_TOKENS = 1600
"""What the dearest providers count for a picture; they make larger ones smaller first."""
LINK_TOKENS = 10_000
"""What is behind a link that is no picture, and can be anything."""
BYTES_PER_TOKEN = 3
"""Rather too few, so that a question is rather counted too long; a Chinese letter has three."""
_PER_SECOND = 40
"""Of sound."""
_PACKED_BYTES_PER_TOKEN = 64
"""Of sound and films that are packed: speech in 16 kbit/s, counted at 32 tokens a second."""


def guessed(text: str) -> int:
    """Tokens of a text, by its bytes."""
    return len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN + 1 if text else 0


def tokens_of(request: ChatRequest, count: Count = guessed) -> int:
    """Of a whole question: its texts, its media, the tools and the form it offers, and what only one provider knows."""
    context = request.context
    texts = [*(prompt.text for prompt in context.prompts), context.closing, *context.cots, *map(_told, context.tools)]
    if request.answer_form is not None:
        texts.append(_told(request.answer_form))
    if context.params.extra_fields:
        texts.append(_written(context.params.extra_fields))
    return sum(map(count, texts)) + sum(tokens_of_message(message, count) for message in context.messages)


def tokens_of_message(message: Message, count: Count = guessed) -> int:
    """Of one message; what a chat template puts around it not counted."""
    match message.payload:
        case ToolCall(func_call=FuncCall(name, arguments)):
            return count(f"{name} {arguments}")
        case ToolResult(result=result):
            return count(result)
        case Contents(parts):
            return count("".join(map(_words_of, parts))) + sum(media_tokens(part) for part in parts)
        case _:
            assert_never(message.payload)


def media_tokens(block: Block) -> int:
    """Of what a block holds beside words."""
    match block:
        case Text() | Thought():
            return 0
        case Link(url=url):
            # A link may hold the bytes themselves (RFC 2397).
            return PICTURE_TOKENS if kind_of(block) is Kind.IMAGE else max(LINK_TOKENS, len(url) // BYTES_PER_TOKEN)
        case Resource(data=data):
            return len(data) // BYTES_PER_TOKEN
        case Blob():
            return _of_bytes(block)
        case _:
            assert_never(block)


def _of_bytes(blob: Blob) -> int:
    match kind_of(blob):
        case Kind.IMAGE:
            return PICTURE_TOKENS
        case Kind.AUDIO | Kind.VIDEO:
            form = pcm_format(blob.mime_type)
            if form is not None:
                return len(blob.data) * _PER_SECOND // (2 * form.rate * form.channels) + 1
            return len(blob.data) // _PACKED_BYTES_PER_TOKEN + 1
        case _:
            return len(blob.data) // BYTES_PER_TOKEN + 1


def _words_of(block: Block) -> str:
    return "".join(_texts(block))


def _texts(block: Block) -> Iterator[str]:
    match block:
        case Text(text):
            yield text
        case Thought(text, signature, redacted):
            yield from (text, signature, redacted)
        case Resource(uri=uri, text=text):
            yield from (uri, text)
        case Blob() | Link():
            pass
        case _:
            assert_never(block)


def _written(fields: Mapping[str, JsonValue]) -> str:
    """Nothing of what is no JSON: it is never sent, and refused where the request is written."""
    try:
        return to_json(fields)
    except (TypeError, ValueError):
        return ""


def _told(tool: Tool) -> str:
    return to_json(tool.parameters) + tool.description + tool.name if isinstance(tool, FuncTool) else tool.name
