"""Messages of chat completions, written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import assert_never, cast

from companion.dialects.call_arguments import arguments_of
from companion.dialects.media import base64_of, held_by, url_of
from companion.dialects.openai_completions.habits import Habits
from companion.dialects.openai_completions.marks import DETAIL, EXTRA, NAME
from companion.dialects.seals import unseal
from companion.dialects.turns import Turn, document, only_results
from companion.errors import Unsupported
from companion.model.content import Block, Kind, Link, Resource, Thought, kind_of
from companion.model.json_repair import is_json
from companion.model.message import ChatRole
from companion.model.options import JsonValue
from companion.model.plain import to_json
from companion.stream import Blob, FuncCall, Text, ToolCall, pcm_format
from companion.stream.wav import wav

Wire = dict[str, JsonValue]

_SOUNDS = {"wav": "wav", "x-wav": "wav", "wave": "wav", "vnd.wave": "wav", "mpeg": "mp3", "mp3": "mp3"}
_NO_SPEAKER = re.compile(r"[^\w-]")
_LONGEST_SPEAKER = 64


def messages_of(turn: Turn, habits: Habits, *, keeps_extra: bool) -> list[Wire]:
    """The messages that a turn comes to.

    keeps_extra: whether what Google keeps with a call is its own here.

    Raises:
        Unsupported: it holds what the protocol has no place for.
    """
    match turn.role:
        case ChatRole.TOOL:
            return _results(turn)
        case ChatRole.ASSISTANT:
            return _answer(turn, habits, keeps_extra=keeps_extra)
        case ChatRole.SYSTEM:
            return [{"role": habits.system_role, "content": _only_words(turn.blocks, "a system text"), **_name(turn)}]
        case _:
            return [{"role": "user", "content": _content(turn.blocks, habits), **_name(turn)}] if turn.blocks else []


def _results(turn: Turn) -> list[Wire]:
    return [{"role": "tool", "tool_call_id": one.id, "content": one.result} for one in only_results(turn, NAME)]


def _answer(turn: Turn, habits: Habits, *, keeps_extra: bool) -> list[Wire]:
    content = _only_words(turn.blocks, "an answer")
    thoughts = _thoughts(turn.thoughts, habits)
    if not content and not turn.calls:
        # A thought alone is no message.
        return []
    message: Wire = {"role": "assistant", "content": content or None, **_name(turn), **thoughts}
    if turn.calls:
        message["tool_calls"] = [_call(call, keeps_extra=keeps_extra) for call in turn.calls]
    return [message]


def _name(turn: Turn) -> Wire:
    return {"name": _NO_SPEAKER.sub("_", turn.name)[:_LONGEST_SPEAKER]} if turn.name else {}


def _thoughts(thoughts: Iterable[Thought], habits: Habits) -> Wire:
    """The thoughts as this provider wants them back; all others refuse a message over them."""
    words = "".join(one.text for one in thoughts)
    if not habits.thought:
        return {}
    details: list[JsonValue] = [detail for one in thoughts for detail in _details(one)]
    wire: Wire = {habits.thought: words} if words else {}
    return {**wire, "reasoning_details": details} if details and habits.thought == "reasoning" else wire


def _details(thought: Thought) -> Iterator[Wire]:
    for text in (thought.signature, thought.redacted):
        if (sealed := unseal(NAME, text)) is not None and sealed.kind == DETAIL:
            kept: Wire = json.loads(sealed.data)
            said = {"text": thought.text} if thought.text and kept.get("type") == "reasoning.text" else {}
            yield {**kept, **said}


def _call(call: ToolCall, *, keeps_extra: bool) -> Wire:
    function: Wire = {"name": call.func_call.name, "arguments": arguments_text(call.func_call)}
    wire: Wire = {"id": call.id, "type": "function", "function": function}
    sealed = unseal(NAME, call.signature)
    if keeps_extra and sealed is not None and sealed.kind == EXTRA:
        wire["extra_content"] = json.loads(sealed.data)
    return wire


def arguments_text(call: FuncCall) -> str:
    """The arguments as they came where they are an object, else as the nearest there is."""
    arguments = arguments_of(call)
    is_whole = is_json(call.arguments) and bool(arguments)
    return call.arguments if is_whole else to_json(arguments)


def _only_words(blocks: Iterable[Block], whose: str) -> str:
    texts = []
    for block in blocks:
        match block:
            case Text(words):
                texts.append(words)
            case Resource(text=words) if words:
                texts.append(document(block))
            case _:
                raise Unsupported(
                    f"{NAME} puts no {_called(block)} into {whose}", mend="leave it out, or let the user say it"
                )
    return "\n\n".join(text for text in texts if text)


def _content(blocks: tuple[Block, ...], habits: Habits) -> JsonValue:
    """Plain words as a text, which every server takes; anything else as a list of parts."""
    if all(isinstance(block, Text) for block in blocks):
        return _only_words(blocks, "a message")
    return [_part(block, habits) for block in blocks if not isinstance(block, Text) or block.text]


def _part(block: Block, habits: Habits) -> Wire:
    match block:
        case Text(words):
            return {"type": "text", "text": words}
        case Resource():
            return _resource(block, habits)
        case Blob() | Link():
            return _media(block, habits)
        case Thought():
            raise Unsupported(f"{NAME} takes no thoughts of the user", mend="give them as words")
        case _:
            assert_never(block)


def _media(media: Blob | Link, habits: Habits) -> Wire:
    media = held_by(media)
    match kind_of(media):
        case Kind.IMAGE:
            return {"type": "image_url", "image_url": {"url": url_of(media)}}
        case Kind.AUDIO:
            return _sound(media, habits)
        case Kind.VIDEO if habits.takes_video:
            return {"type": "video_url", "video_url": {"url": url_of(media)}}
        case Kind.VIDEO:
            raise Unsupported(f"{NAME} takes no films here", mend="give pictures of it")
        case _:
            return _file(media, "")


def _sound(media: Blob | Link, habits: Habits) -> Wire:
    if isinstance(media, Link):
        raise Unsupported(f"{NAME} fetches no sound from {media.url}", mend="give its bytes")
    kind = media.mime_type.partition(";")[0].strip().lower().removeprefix("audio/")
    if (pcm := pcm_format(media.mime_type)) is not None:
        form, data = "wav", wav(media.data, pcm.rate, pcm.channels)
    elif kind in _SOUNDS:
        form, data = _SOUNDS[kind], media.data
    else:
        raise Unsupported(f"{NAME} takes sound as wav or mp3, not {media.mime_type}", mend="convert it")
    head = "data:;base64," if habits.wants_sound_url else ""
    return {"type": "input_audio", "input_audio": {"data": head + base64_of(data), "format": form}}


def _file(media: Blob | Link, name: str) -> Wire:
    if isinstance(media, Link):
        raise Unsupported(f"{NAME} fetches no file from {media.url}", mend="give its bytes")
    kind = media.mime_type.partition(";")[0].strip()
    named = name or f"file.{kind.partition('/')[2] or 'bin'}"
    return {"type": "file", "file": {"filename": named, "file_data": url_of(media)}}


def _resource(resource: Resource, habits: Habits) -> Wire:
    if resource.text:
        return {"type": "text", "text": document(resource)}
    if not resource.data:
        return _media(Link(resource.mime_type, resource.uri), habits)
    blob = Blob(resource.mime_type, resource.data)
    if kind_of(blob) is Kind.BLOB:
        return _file(blob, resource.uri.rpartition("/")[2])
    return _media(blob, habits)


def _called(block: Block) -> str:
    return cast(str, getattr(block, "mime_type", "")) or type(block).__name__.lower()
