"""A conversation as a wire wants it: neighbours of one role together, the closing text in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TypeVar

from companion.errors import Unsupported
from companion.model.content import Block, Resource, Thought
from companion.model.context import ModelContext, SystemPrompt
from companion.model.message import ChatRole, Contents, Message, ToolResult
from companion.stream import Text, ToolCall

Item = Block | ToolCall | ToolResult
ItemT = TypeVar("ItemT", bound=Item)
WireT = TypeVar("WireT")


@dataclass(frozen=True, slots=True)
class Turn:
    """All that is said in one go. role: in the words of the wire. name: of who says it, mostly empty."""

    role: str
    items: tuple[Item, ...]
    name: str = ""

    @property
    def blocks(self) -> tuple[Block, ...]:
        """What is said, without thoughts."""
        return tuple(one for one in self.items if not isinstance(one, ToolCall | ToolResult | Thought))

    @property
    def thoughts(self) -> tuple[Thought, ...]:
        return tuple(one for one in self.items if isinstance(one, Thought))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return tuple(one for one in self.items if isinstance(one, ToolCall))

    @property
    def results(self) -> tuple[ToolResult, ...]:
        return tuple(one for one in self.items if isinstance(one, ToolResult))


def turns_of(messages: Iterable[Message], wire_role: Callable[[ChatRole], str] = str) -> list[Turn]:
    """The messages, neighbours of one wire role and name in one turn, in order. Empty ones are left out.

    wire_role: what the wire calls a role; where it has one word for two, they become neighbours.
    """
    turns: list[Turn] = []
    for message in messages:
        turn = Turn(wire_role(message.role), _items(message), message.name)
        if not turn.items:
            continue
        if turns and (turns[-1].role, turns[-1].name) == (turn.role, turn.name):
            turns[-1] = Turn(turn.role, turns[-1].items + turn.items, turn.name)
        else:
            turns.append(turn)
    return turns


def _items(message: Message) -> tuple[Item, ...]:
    return tuple(_joined(message.payload.parts)) if isinstance(message.payload, Contents) else (message.payload,)


def _joined(parts: Iterable[Block]) -> Iterator[Block]:
    """The parts of one message, its words together: in pieces they only came. Blank pieces at the ends say nothing."""
    for is_text, run in groupby(parts, lambda part: isinstance(part, Text)):
        if is_text:
            yield from _one_text([part.text for part in run if isinstance(part, Text)])
        else:
            yield from run


def _one_text(pieces: list[str]) -> Iterator[Text]:
    said = [at for at, piece in enumerate(pieces) if piece.strip()]
    if said:
        yield Text("".join(pieces[said[0] : said[-1] + 1]))


def nameless(messages: Iterable[Message]) -> Iterator[Message]:
    """The messages without their writers' names, for wires that have no place for them: names divide turns."""
    return (replace(message, name="") if message.name else message for message in messages)


def system_text(context: ModelContext) -> str:
    """The system texts and the chains of thought behind them, in one."""
    texts = (*(prompt.text for prompt in context.prompts), *context.cots)
    return "\n\n".join(text.strip() for text in texts if text.strip())


def system_first(context: ModelContext) -> ModelContext:
    """The context for a wire that takes one system text, before all else.

    What a conversation begins with is part of it; later system texts the user seems to say. One that is nothing but
    system texts stays as it is.
    """
    messages = context.messages
    count = next((at for at, message in enumerate(messages) if not _is_system_words(message)), len(messages))
    if count == len(messages):
        return context
    prompts = (*context.prompts, *(SystemPrompt("conversation", message.text) for message in messages[:count]))
    return replace(context, prompts=prompts, messages=tuple(map(_not_of_system, messages[count:])))


def _is_system_words(message: Message) -> bool:
    payload = message.payload
    is_words = isinstance(payload, Contents) and all(isinstance(part, Text) for part in payload.parts)
    return is_words and message.role is ChatRole.SYSTEM


def _not_of_system(message: Message) -> Message:
    return replace(message, role=ChatRole.USER) if message.role is ChatRole.SYSTEM else message


def with_closing(context: ModelContext, role: ChatRole = ChatRole.SYSTEM) -> tuple[Message, ...]:
    """The messages, with the closing text as one of ``role`` before the newest of the user.

    So it stands behind all that stays as it is, and never between a call and its result. Where the user has said
    nothing, it comes first.
    """
    closing = context.closing.strip()
    if not closing:
        return context.messages
    at = _newest_of_user(context.messages)
    return (*context.messages[:at], Message.of(role, closing), *context.messages[at:])


def _newest_of_user(messages: Sequence[Message]) -> int:
    """Where the newest turn of the user begins; 0 where there is none."""
    at = next((at for at in range(len(messages) - 1, -1, -1) if messages[at].role is ChatRole.USER), 0)
    while at and messages[at - 1].role is ChatRole.USER:
        at -= 1
    return at


def tool_names(messages: Iterable[Message]) -> dict[str, str]:
    """The tools that were called, by the id of the call; for wires that want a result's name."""
    return {call.id: call.func_call.name for call in _calls(messages)}


def _calls(messages: Iterable[Message]) -> Iterator[ToolCall]:
    for message in messages:
        if isinstance(message.payload, ToolCall):
            yield message.payload


def only_results(turn: Turn, dialect: str) -> tuple[ToolResult, ...]:
    """The results of a turn of tools, where the wire takes nothing else of them.

    Raises:
        Unsupported: something else is said in it.
    """
    if turn.blocks:
        raise Unsupported(f"{dialect} takes no message of a tool but results", mend="give it as the result of a call")
    return turn.results


def in_order_of_calls(items: Iterable[ItemT], names: Mapping[str, str]) -> list[ItemT]:
    """The items, results in the order of their calls, as some wires want them. names: of all calls, by their id."""
    order = {call: place for place, call in enumerate(names)}
    return sorted(items, key=lambda item: order.get(item.id, 0) if isinstance(item, ToolResult) else 0)


def name_of_result(result: ToolResult, names: Mapping[str, str], dialect: str) -> str:
    """The tool that gave a result, for wires that want to be told. names: of the calls so far, by their id.

    Raises:
        Unsupported: no call has that id.
    """
    if result.id not in names:
        raise Unsupported(
            f"{dialect}: the result {result.id!r} has no call before it", mend="keep a call and its results together"
        )
    return names[result.id]


def document(resource: Resource) -> str:
    """A document's words below its address."""
    return f"{resource.uri}\n{resource.text}" if resource.uri else resource.text


def without_idle_thoughts(wires: list[WireT], is_thought: Callable[[WireT], bool]) -> list[WireT]:
    """What goes back to a model, without thoughts at the end: what they were about has not been said, and some
    providers refuse that.
    """
    while wires and is_thought(wires[-1]):
        wires.pop()
    return wires
