"""How a model's context is written down for it, token by token and always the same way.

ChatML is written by our own code, so that nothing a person says can pass for a mark, and every
message is tokenised once. Other models get the template of their file. Tools stand in the system text,
which changes only with them.
"""

from __future__ import annotations

import json
import logging
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from companion.errors import ModelBroken, Unsupported
from companion.model import ChatRole, Contents, FuncTool, Link, Message, ModelContext, Resource, ToolResult
from companion.providers.local.told_tools import (
    MARK,
    declared,
    functions,
    in_own_words,
    render,
    spelt_call,
    spelt_result,
    with_tools,
)
from companion.stream import Blob, FuncCall, ToolCall

logger = logging.getLogger(__name__)

_STEP = 8
"""Messages forgotten at a time when the context is full: rarely and many, so that the prefix cache lasts."""
_REMEMBERED = 512
"""Messages whose tokens are kept."""
_TOLD = 8
"""System texts with tools that are kept."""
NO_THOUGHT = "<think>\n\n</think>\n\n"
"""What a thinking model is given to make it answer at once."""


class Spelling(Protocol):
    """What writing a prompt needs of the engine."""

    @property
    def template(self) -> str: ...

    @property
    def first_mark(self) -> str: ...

    @property
    def end_mark(self) -> str: ...

    def tokenise(self, text: str, *, marks: bool = False) -> list[int]: ...


@dataclass(frozen=True, slots=True)
class Turn:
    """One message as the model reads it. is_result: it holds what tools returned, and nobody said it."""

    role: ChatRole
    text: str
    is_result: bool = False


class ChatPrompt:
    """Writes prompts for one loaded model.

    Raises:
        ModelBroken: the model's file says nothing about how it wants to be talked to.
    """

    def __init__(self, spelling: Spelling) -> None:
        self._spelling = spelling
        self._spelt: OrderedDict[Turn, list[int]] = OrderedDict()
        self._told: OrderedDict[tuple[str, str], Turn] = OrderedDict()
        self._is_chatml = "<|im_start|>" in spelling.template or len(spelling.tokenise("<|im_start|>", marks=True)) == 1
        self._opening = NO_THOUGHT if "<think>" in spelling.template else ""
        if not self._is_chatml and not spelling.template:
            raise ModelBroken("this model has no chat template", mend="use an instruct model")

    def write(self, context: ModelContext, *, room: int) -> list[int]:
        """Tokens of the whole prompt, up to the place where the answer begins; at most ``room`` of them.

        Where it does not fit, the oldest messages go, in big steps; then the newest is cut at its front.
        """
        turns = self._turns(context)
        head = [turn for turn in turns[:1] if turn.role is ChatRole.SYSTEM]
        talk = turns[len(head) :]
        tools = functions(context.tools)
        for dropped in range(0, len(talk) + _STEP, _STEP):
            kept = _from_user(talk[min(dropped, len(talk) - 1) :]) if talk else []
            tokens = self._write([*head, *kept], context.closing, tools)
            if len(tokens) <= room:
                if dropped:
                    logger.info("the context is full: the oldest %d messages are not given to the model", dropped)
                return tokens
        logger.warning("the newest message does not fit into the context: it is cut to its end")
        return self._cut(head, talk[-1:], context.closing, tools, room)

    def stem(self, context: ModelContext) -> list[int]:
        """Tokens that the next prompt of this conversation will begin with."""
        if not self._is_chatml:
            return []
        return [token for turn in self._turns(context) for token in self._turn(turn)]

    def remember(self, text: str, tokens: Sequence[int], calls: Sequence[FuncCall] = ()) -> None:
        """Spell an answer in prompts to come just as the model did, so that its memory of it can be used again."""
        if turn := _answered(text, *calls):
            self._keep(turn, [*self._opened(), *tokens, *self._closed()])

    def _turns(self, context: ModelContext) -> list[Turn]:
        """The context as turns, with its tools in the system text where that is ours to write."""
        turns = turns_of(context)
        if not context.tools or not self._is_chatml:
            return turns
        head = turns.pop(0).text if turns and turns[0].role is ChatRole.SYSTEM else ""
        return [self._system(head, functions(context.tools)), *turns]

    def _system(self, text: str, tools: Sequence[FuncTool]) -> Turn:
        key = text, json.dumps(declared(tools))
        if key not in self._told:
            self._told[key] = Turn(ChatRole.SYSTEM, with_tools(text, tools, self._spelling.template))
            while len(self._told) > _TOLD:
                self._told.popitem(last=False)
        self._told.move_to_end(key)
        return self._told[key]

    def _write(self, turns: Sequence[Turn], closing: str, tools: Sequence[FuncTool]) -> list[int]:
        if not self._is_chatml:
            return self._by_template(turns, closing, tools)
        aside = [Turn(ChatRole.SYSTEM, closing.strip())] if closing.strip() else []
        # Behind the question, small models answer the closing text instead. It stays there while tools are called.
        place = _newest_question(turns)
        ordered = [*turns[:place], *aside, *turns[place:]]
        return [*(token for turn in ordered for token in self._turn(turn)), *self._opened()]

    def _turn(self, turn: Turn) -> list[int]:
        if turn in self._spelt:
            self._spelt.move_to_end(turn)
            return self._spelt[turn]
        begin = self._opened() if turn.role is ChatRole.ASSISTANT else self._begun(turn.role)
        return self._keep(turn, [*begin, *self._spelling.tokenise(turn.text), *self._closed()])

    def _keep(self, turn: Turn, tokens: list[int]) -> list[int]:
        self._spelt[turn] = tokens
        self._spelt.move_to_end(turn)
        while len(self._spelt) > _REMEMBERED:
            self._spelt.popitem(last=False)
        return tokens

    def _begun(self, role: ChatRole) -> list[int]:
        return self._spelling.tokenise(f"<|im_start|>{role.value}\n", marks=True)

    def _opened(self) -> list[int]:
        return self._begun(ChatRole.ASSISTANT) + self._spelling.tokenise(self._opening, marks=True)

    def _closed(self) -> list[int]:
        return self._spelling.tokenise("<|im_end|>\n", marks=True)

    def _by_template(self, turns: Sequence[Turn], closing: str, tools: Sequence[FuncTool]) -> list[int]:
        messages = [{"role": turn.role.value, "content": MARK.sub("", turn.text)} for turn in turns]
        if closing.strip() and messages:
            # Many templates refuse a system text behind the first message.
            messages[-1]["content"] += f"\n\n({MARK.sub('', closing.strip())})"
        given: dict[str, object] = {}
        if tools and "tools" in self._spelling.template:
            given = {"tools": declared(tools)}
        elif tools and messages:
            messages[0]["content"] = f"{MARK.sub('', in_own_words(tools))}\n\n{messages[0]['content']}"
        text = render(
            self._spelling.template,
            messages=messages,
            add_generation_prompt=True,
            enable_thinking=False,
            bos_token=self._spelling.first_mark,
            eos_token=self._spelling.end_mark,
            **given,
        )
        return self._spelling.tokenise(text, marks=True)

    def _cut(
        self, head: Sequence[Turn], newest: Sequence[Turn], closing: str, tools: Sequence[FuncTool], room: int
    ) -> list[int]:
        """Shorten the newest message, then the system text, by halves until it fits."""
        for shorten_head in (False, True):
            for _ in range(24):
                tokens = self._write([*head, *newest], closing, tools)
                if len(tokens) <= room:
                    return tokens
                if shorten_head:
                    head, closing = [_halved(turn, front=False) for turn in head], ""
                else:
                    newest = [_halved(turn, front=True) for turn in newest]
        raise Unsupported(f"a context of {room} tokens is too small for any prompt", mend="raise models.context_tokens")


def turns_of(context: ModelContext) -> list[Turn]:
    """The context as turns: the system texts as one, chains of thought last among them, then the messages.

    The calls of an answer stand with its words, and the results of several calls in one turn, in their order.

    Raises:
        Unsupported: a tool is no function, or a message holds something else than words.
    """
    functions(context.tools)
    texts = (*(prompt.text for prompt in context.prompts), *context.cots)
    system = "\n\n".join(text.strip() for text in texts if text.strip())
    turns = [Turn(ChatRole.SYSTEM, system)] if system else []
    before: Message | None = None
    for message in context.messages:
        turn = _turn_of(message)
        if before is not None and _goes_on(before, message):
            turn = replace(turn, text="\n".join(text for text in (turns.pop().text, turn.text) if text))
        turns.append(turn)
        before = message
    return turns


def _goes_on(before: Message, message: Message) -> bool:
    """Whether a message belongs into the turn of the one before."""
    if isinstance(message.payload, ToolCall):
        return before.role is ChatRole.ASSISTANT
    return isinstance(message.payload, ToolResult) and isinstance(before.payload, ToolResult)


def _turn_of(message: Message) -> Turn:
    match message.payload:
        case Contents(parts):
            for part in parts:
                if isinstance(part, Blob | Link | Resource):
                    raise Unsupported(f"this model reads words, not {part.mime_type}", mend="describe it in words")
            return Turn(message.role, message.text.strip())
        case ToolCall(func_call=call):
            return Turn(ChatRole.ASSISTANT, spelt_call(call))
        case ToolResult(result=result):
            return Turn(ChatRole.USER, spelt_result(result), is_result=True)


def _answered(text: str, *calls: FuncCall) -> Turn | None:
    """The turn that an answer will be."""
    parts = [part for part in (text.strip(), *map(spelt_call, calls)) if part]
    return Turn(ChatRole.ASSISTANT, "\n".join(parts)) if parts else None


def _newest_question(turns: Sequence[Turn]) -> int:
    asked = [place for place, turn in enumerate(turns) if turn.role is ChatRole.USER and not turn.is_result]
    return asked[-1] if asked else max(len(turns) - 1, 0)


def _from_user(turns: Sequence[Turn]) -> list[Turn]:
    """From the first turn of a user on; an answer without its question only confuses."""
    for place, turn in enumerate(turns):
        if turn.role is ChatRole.USER and not turn.is_result:
            return list(turns[place:])
    return list(turns[-1:])


def _halved(turn: Turn, *, front: bool) -> Turn:
    half = len(turn.text) // 2
    return replace(turn, text=turn.text[half:] if front else turn.text[:half])
