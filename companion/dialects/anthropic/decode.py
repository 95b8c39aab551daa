"""Answers of the Messages API, read: platform.claude.com/docs/en/build-with-claude/streaming."""

from __future__ import annotations

from dataclasses import dataclass

from companion.dialects.anthropic.faults import fault_in_answer
from companion.dialects.anthropic.marks import BLOCK, NAME, REDACTED, SIGNATURE
from companion.dialects.contract import WireEvent
from companion.dialects.fields import Fields, as_fields, as_json, broken, count, fields_of, inner, rows, text
from companion.dialects.seals import seal
from companion.model.calls import CallDelta
from companion.model.deltas import Counted, Delta, Finish, Finished, RawDelta, TextDelta, ThoughtDelta
from companion.model.json_repair import LONGEST, is_json
from companion.model.options import JsonValue
from companion.stream import Usage

MOST_OPEN = 256
"""Blocks that have begun and not ended."""

_WHY = {
    "tool_use": Finish.TOOL_CALLS,
    "max_tokens": Finish.LENGTH,
    "model_context_window_exceeded": Finish.LENGTH,
    # The provider rests in a long turn of its own tools, and goes on where the answer is sent back to it.
    "pause_turn": Finish.LENGTH,
    "refusal": Finish.REFUSED,
}
"""All others end an answer as it should end."""


@dataclass(slots=True)
class _Block:
    """A block that has begun. has_input: arguments of its call came in pieces."""

    kind: str
    fields: Fields
    has_input: bool = False
    input: str = ""
    """Of a tool that the provider runs itself."""


class AnthropicDecoder:
    """Reads one streamed message."""

    def __init__(self) -> None:
        self.unknown = 0
        self._blocks: dict[int, _Block] = {}
        self._is_finished = False

    def feed(self, event: WireEvent) -> list[Delta]:
        """The deltas of the next event.

        Raises:
            WireBroken: the event is malformed, or ends a message that has not said why it ends.
            ModelError: it is an error.
        """
        fields = fields_of(event.data, event.name or NAME)
        kind = text(fields, "type", NAME) or event.name
        match kind:
            case "content_block_delta":
                return self._more(fields)
            case "content_block_start":
                return self._begun(fields)
            case "content_block_stop":
                return self._ended(fields)
            case "message_start":
                return _counted(inner(inner(fields, "message", kind), "usage", kind), kind)
            case "message_delta":
                return self._finishing(fields)
            case "message_stop":
                return self._stopped()
            case "ping":
                return []
            case "error":
                raise fault_in_answer(fields)
        return self._strange(fields)

    def end(self) -> list[Delta]:
        """Nothing: no delta is held back.

        Raises:
            WireBroken: the message has not said why it ends.
        """
        if not self._is_finished:
            raise broken(f"{NAME} answer", "it stopped before its finish signal")
        return []

    def _more(self, fields: Fields) -> list[Delta]:
        place = "content_block_delta"
        delta = inner(fields, "delta", place)
        index = count(fields, "index", place)
        match delta.get("type"):
            case "text_delta":
                return [TextDelta(text(delta, "text", place))]
            case "thinking_delta":
                return [ThoughtDelta(text(delta, "thinking", place))]
            case "input_json_delta":
                return self._input(index, text(delta, "partial_json", place))
            case "signature_delta":
                return _signed(text(delta, "signature", place))
            case "citations_delta":
                return [RawDelta(inner(delta, "citation", place))]
        return self._strange(fields)

    def _input(self, index: int, piece: str) -> list[Delta]:
        block = self._blocks.get(index)
        if block is None:
            return [CallDelta(index, arguments=piece)]
        if block.kind == "tool_use":
            block.has_input = block.has_input or bool(piece)
            return [CallDelta(index, arguments=piece)]
        block.input += piece
        if len(block.input) > LONGEST:
            raise broken("input_json_delta", "the input of a tool is too long")
        return []

    def _begun(self, fields: Fields) -> list[Delta]:
        place = "content_block_start"
        index = count(fields, "index", place)
        block = inner(fields, "content_block", place)
        kind = text(block, "type", place)
        self._blocks[index] = _Block(kind, block)
        if len(self._blocks) > MOST_OPEN:
            raise broken(place, "too many blocks are open")
        match kind:
            case "tool_use":
                return [CallDelta(index, text(block, "id", place), text(block, "name", place))]
            case "text" | "thinking":
                return [delta for delta in _block(index, block, place) if delta not in _EMPTY]
            case "redacted_thinking":
                return _block(index, block, place)
        if _is_of_provider(kind):
            return []
        return self._strange(fields)

    def _ended(self, fields: Fields) -> list[Delta]:
        place = "content_block_stop"
        index = count(fields, "index", place)
        block = self._blocks.pop(index, None)
        if block is None:
            return []
        if block.kind == "tool_use" and not block.has_input:
            return _arguments(index, block.fields, place)
        if not _is_of_provider(block.kind) or (block.input and not is_json(block.input)):
            return []
        whole = {**block.fields, "input": fields_of(block.input, place)} if block.input else block.fields
        return _kept(whole, place)

    def _finishing(self, fields: Fields) -> list[Delta]:
        place = "message_delta"
        deltas = _counted(inner(fields, "usage", place), place)
        finished = _finished(inner(fields, "delta", place), place)
        self._is_finished = self._is_finished or bool(finished)
        return [*deltas, *finished]

    def _stopped(self) -> list[Delta]:
        if not self._is_finished:
            raise broken("message_stop", "the message has not said why it ends")
        return []

    def _strange(self, fields: Fields) -> list[Delta]:
        self.unknown += 1
        return [RawDelta(fields)]


_EMPTY = (TextDelta(""), ThoughtDelta())


def read_message(answer: JsonValue) -> list[Delta]:
    """The deltas of a message that came whole, as its decoder would give them.

    Raises:
        WireBroken: it is malformed.
        ModelError: it is an error.
    """
    place = f"{NAME} message"
    fields = as_fields(answer, place)
    if fields.get("type") == "error":
        raise fault_in_answer(fields)
    deltas: list[Delta] = []
    for index, block in enumerate(rows(fields, "content", place)):
        deltas += _block(index, block, place)
    finished = _finished(fields, place)
    if not finished:
        raise broken(place, "it does not say why it ended")
    return [*deltas, *_counted(inner(fields, "usage", place), place), *finished]


def _block(index: int, block: Fields, place: str) -> list[Delta]:
    """The deltas of a whole block."""
    match kind := text(block, "type", place):
        case "text":
            citations: list[Delta] = [RawDelta(one) for one in rows(block, "citations", place)]
            return [TextDelta(text(block, "text", place)), *citations]
        case "thinking":
            return [ThoughtDelta(text(block, "thinking", place)), *_signed(text(block, "signature", place))]
        case "redacted_thinking":
            return [ThoughtDelta(redacted=seal(NAME, REDACTED, text(block, "data", place)))]
        case "tool_use":
            call = CallDelta(index, text(block, "id", place), text(block, "name", place))
            return [call, *_arguments(index, block, place)]
    return _kept(block, place) if _is_of_provider(kind) else [RawDelta(block)]


def _is_of_provider(kind: str) -> bool:
    """Whether it tells of a tool that the provider runs itself: it wants to see these blocks again."""
    return kind == "server_tool_use" or kind.endswith("_tool_result")


def _kept(block: Fields, place: str) -> list[Delta]:
    return [RawDelta(block), ThoughtDelta(redacted=seal(NAME, BLOCK, as_json(block, place)))]


def _signed(signature: str) -> list[Delta]:
    return [ThoughtDelta(signature=seal(NAME, SIGNATURE, signature))] if signature else []


def _arguments(index: int, block: Fields, place: str) -> list[Delta]:
    arguments = inner(block, "input", place)
    return [CallDelta(index, arguments=as_json(arguments, place))] if arguments else []


def _counted(usage: Fields, place: str) -> list[Delta]:
    """Here what came from the cache, or went into it, is not among the input tokens."""
    read = count(usage, "cache_read_input_tokens", place)
    stored = count(usage, "cache_creation_input_tokens", place)
    counted = Usage(
        prompt_tokens=count(usage, "input_tokens", place) + read + stored,
        completion_tokens=count(usage, "output_tokens", place),
        cached_tokens=read,
        stored_tokens=stored,
        thinking_tokens=count(inner(usage, "output_tokens_details", place), "thinking_tokens", place),
    )
    return [Counted(counted)] if counted != Usage() else []


def _finished(fields: Fields, place: str) -> list[Delta]:
    reason = text(fields, "stop_reason", place)
    if not reason:
        return []
    why = _WHY.get(reason, Finish.STOP)
    details = inner(fields, "stop_details", place)
    refusal = text(details, "explanation", place) or text(details, "category", place)
    return [Finished(why, refusal if why is Finish.REFUSED else "", reason)]
