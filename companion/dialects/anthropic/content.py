"""A conversation in the blocks of the Messages API: platform.claude.com/docs/en/api/messages, "content"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from companion.dialects.anthropic.marks import BLOCK, NAME, REDACTED, SIGNATURE
from companion.dialects.call_arguments import arguments_of
from companion.dialects.media import base64_of, held_by
from companion.dialects.seals import unseal
from companion.dialects.turns import Item, Turn, document, without_idle_thoughts
from companion.errors import Unsupported
from companion.model.content import Kind, Link, Resource, Thought, kind_of
from companion.model.json_repair import Json, strict_json
from companion.model.message import ToolResult
from companion.model.options import JsonValue
from companion.stream import Blob, Text, ToolCall, canonical_mime

Wire = dict[str, JsonValue]
"""One block, as it is sent."""

ASSISTANT = "assistant"
PICTURES = ("image/jpeg", "image/png", "image/gif", "image/webp")
PDF = "application/pdf"
_THINKING = ("thinking", "redacted_thinking")


def text_block(text: str) -> Wire:
    return {"type": "text", "text": text}


def blocks_of(turn: Turn) -> list[Wire]:
    """The blocks of a turn. Results of tools come first, as the protocol wants it, and blank texts not at all.

    Raises:
        Unsupported: a part of it has no block.
    """
    results = [_result(result) for result in turn.results]
    others = (one for one in turn.items if not isinstance(one, ToolResult))
    if turn.role == ASSISTANT:
        return without_idle_thoughts([block for item in others for block in _said(item)], is_thought)
    return [*results, *(block for item in others for block in _asked(item))]


def is_thought(block: Wire) -> bool:
    return block["type"] in _THINKING


def _said(item: Item) -> Iterator[Wire]:
    """Of the assistant."""
    match item:
        case Text(text):
            yield from [text_block(text)] if text.strip() else []
        case Resource(text=text) if text.strip():
            yield text_block(document(item))
        case Thought():
            yield from _thought(item)
        case ToolCall(id, call):
            yield {"type": "tool_use", "id": id, "name": call.name, "input": arguments_of(call)}
        case _:
            raise Unsupported(
                f"{NAME} takes no {_what(item)} back from its model", mend="leave it out of the conversation"
            )


def _asked(item: Item) -> Iterator[Wire]:
    """Of the user."""
    match item:
        case Text(text):
            yield from [text_block(text)] if text.strip() else []
        case Thought():
            pass
        case Blob() | Link():
            yield _media(item)
        case Resource():
            yield _resource(item)
        case ToolCall() | ToolResult():
            raise Unsupported(f"{NAME} takes no {_what(item)} from the user", mend="say it as the assistant")
        case _:
            assert_never(item)


def _thought(thought: Thought) -> Iterator[Wire]:
    """Only what the provider knows again: another's thoughts, and those without a signature, are refused."""
    match unseal(NAME, thought.redacted) or unseal(NAME, thought.signature):
        case (kind, data) if kind == SIGNATURE:
            yield {"type": "thinking", "thinking": thought.text, "signature": data}
        case (kind, data) if kind == REDACTED:
            yield {"type": "redacted_thinking", "data": data}
        case (kind, data) if kind == BLOCK:
            block = _json(data)
            if isinstance(block, dict):
                yield {**block}


def _result(result: ToolResult) -> Wire:
    block: Wire = {"type": "tool_result", "tool_use_id": result.id, "content": result.result}
    return {**block, "is_error": True} if result.is_error else block


def _json(text: str) -> Json:
    try:
        return strict_json(text)
    except ValueError:
        return None


def _media(media: Blob | Link) -> Wire:
    held = held_by(media)
    return _blob(held) if isinstance(held, Blob) else _link(held)


def _blob(blob: Blob, title: str = "") -> Wire:
    mime = canonical_mime(blob.mime_type) or ""
    if mime in PICTURES or mime == PDF:
        source: Wire = {"type": "base64", "media_type": mime, "data": base64_of(blob.data)}
        return {"type": "image", "source": source} if mime != PDF else _document(source, title)
    if mime.startswith("text/"):
        return _document(_words(blob.data.decode("utf-8", "replace")), title)
    raise _unread(blob.mime_type)


def _link(link: Link) -> Wire:
    source: Wire = {"type": "url", "url": link.url}
    if kind_of(link) is Kind.IMAGE:
        return {"type": "image", "source": source}
    if canonical_mime(link.mime_type) == PDF:
        return _document(source, "")
    raise _unread(link.mime_type)


def _resource(resource: Resource) -> Wire:
    if resource.text:
        return _document(_words(resource.text), resource.uri)
    if not resource.data:
        return _media(Link(resource.mime_type, resource.uri))
    return _blob(Blob(resource.mime_type, resource.data), resource.uri)


def _words(text: str) -> Wire:
    return {"type": "text", "media_type": "text/plain", "data": text}


def _document(source: Wire, title: str) -> Wire:
    document: Wire = {"type": "document", "source": source}
    return {**document, "title": title} if title else document


def _unread(mime_type: str) -> Unsupported:
    kinds = ", ".join(kind.partition("/")[2].upper() for kind in PICTURES)
    return Unsupported(
        f"{NAME} reads no {mime_type}",
        mend=f"send a picture as {kinds}, a document as PDF or words, and sound in words",
    )


def _what(item: Item) -> str:
    match item:
        case Blob(mime_type) | Link(mime_type) | Resource(_, mime_type):
            return mime_type
        case ToolCall():
            return "tool call"
        case _:
            return "tool result"
