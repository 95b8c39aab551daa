"""A conversation in the items of the Responses API: ``input`` of the method ``create``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import PurePosixPath
from typing import assert_never
from urllib.parse import urlsplit

from companion.dialects.call_arguments import arguments_of
from companion.dialects.media import data_url, held_by, url_of
from companion.dialects.openai_responses.marks import ITEM, NAME, PHASE, REASONING
from companion.dialects.seals import unseal
from companion.dialects.turns import Item, Turn, document, without_idle_thoughts
from companion.errors import Unsupported
from companion.model.content import Block, Kind, Link, Resource, Thought, kind_of
from companion.model.json_repair import strict_json
from companion.model.message import ToolResult
from companion.model.options import JsonValue
from companion.model.plain import to_json
from companion.stream import Blob, Text, ToolCall

Wire = dict[str, JsonValue]
"""One item or part, as it is sent."""

ASSISTANT = "assistant"
_SUFFIXES = {"application/pdf": ".pdf", "text/plain": ".txt", "text/markdown": ".md", "text/csv": ".csv"}


def text_part(text: str) -> Wire:
    return {"type": "input_text", "text": text}


def items_of(turn: Turn) -> list[Wire]:
    """The items of a turn: neighbouring words, pictures and files in one message, everything else by itself.

    Raises:
        Unsupported: a part of it has no place in an item.
    """
    items: list[Wire] = []
    phase: Wire = {}
    for is_alone, group in groupby(turn.items, lambda one: isinstance(one, ToolCall | ToolResult | Thought)):
        if not is_alone:
            items += [item | phase for item in _message(turn.role, [one for one in group if isinstance(one, Block)])]
            phase = {}
            continue
        for one in group:
            items += _alone(one)
            phase = _phase(one) or phase
    return without_idle_thoughts(items, lambda item: item["type"] == "reasoning")


def _phase(item: Item) -> Wire:
    """Whether the words behind it were on the way to the answer, or the answer."""
    sealed = unseal(NAME, item.redacted) if isinstance(item, Thought) else None
    return {"phase": sealed.data} if sealed is not None and sealed.kind == PHASE else {}


def _alone(one: Item) -> Iterator[Wire]:
    match one:
        case ToolCall(id, call):
            arguments = call.arguments if _is_object(call.arguments) else to_json(arguments_of(call))
            yield {"type": "function_call", "call_id": id, "name": call.name, "arguments": arguments}
        case ToolResult(id, result):
            yield {"type": "function_call_output", "call_id": id, "output": result}
        case Thought():
            yield from _thought(one)


def _is_object(arguments: str) -> bool:
    try:
        return isinstance(strict_json(arguments), dict)
    except ValueError:
        return False


def _thought(thought: Thought) -> Iterator[Wire]:
    """Only what the provider knows again: another's thoughts are left out."""
    match unseal(NAME, thought.redacted) or unseal(NAME, thought.signature):
        case (kind, data) if kind == REASONING:
            name, _, hidden = data.partition(" ")
            summary: list[JsonValue] = [{"type": "summary_text", "text": thought.text}] if thought.text else []
            yield {"type": "reasoning", "id": name, "summary": summary, "encrypted_content": hidden}
        case (kind, data) if kind == ITEM:
            item = strict_json(data)
            if isinstance(item, dict):
                yield {**item}


def _message(role: str, blocks: list[Block]) -> list[Wire]:
    blocks = [block for block in blocks if not isinstance(block, Text) or block.text]
    if role == ASSISTANT or all(isinstance(block, Text) for block in blocks):
        words = "\n\n".join(_own_words(block) for block in blocks)
        return [_item(role, words)] if words else []
    return [_item(role, [_part(block) for block in blocks])]


def _item(role: str, content: JsonValue) -> Wire:
    return {"type": "message", "role": role, "content": content}


def _own_words(block: Block) -> str:
    match block:
        case Text(text):
            return text
        case Resource(text=text) if text:
            return document(block)
    raise Unsupported(f"{NAME} takes nothing but words back from its model", mend="leave it out of the conversation")


def _part(block: Block) -> Wire:
    match block:
        case Text(text):
            return text_part(text)
        case Blob() | Link():
            return _media(block)
        case Resource():
            return _resource(block)
        case Thought():
            raise Unsupported(f"{NAME} takes no thoughts of the user", mend="leave them out")
        case _:
            assert_never(block)


def _media(media: Blob | Link) -> Wire:
    media = held_by(media)
    match kind_of(media):
        case Kind.IMAGE:
            return {"type": "input_image", "image_url": url_of(media), "detail": "auto"}
        case Kind.AUDIO | Kind.VIDEO as kind:
            raise Unsupported(f"{NAME} reads no {kind}", mend="tell it in words, or ask by openai-completions")
        case _:
            return _file(media)


def _file(media: Blob | Link, name: str = "") -> Wire:
    if isinstance(media, Link):
        return {"type": "input_file", "file_url": media.url}
    name = name or f"file{_SUFFIXES.get(media.mime_type, '')}"
    return {"type": "input_file", "filename": name, "file_data": data_url(media)}


def _resource(resource: Resource) -> Wire:
    if resource.text:
        return text_part(document(resource))
    if not resource.data:
        return _media(Link(resource.mime_type, resource.uri))
    blob = Blob(resource.mime_type, resource.data)
    if kind_of(blob) is not Kind.BLOB:
        return _media(blob)
    return _file(blob, PurePosixPath(urlsplit(resource.uri).path).name)
