"""How a model's context is written down for it, token by token and always the same way.

ChatML is written by our own code, so that nothing a person says can pass for a mark, and every
message is tokenised once. Other models get the template of their file.
"""

from __future__ import annotations

import logging
import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from companion.errors import ModelBroken, Unsupported
from companion.model import ChatRole, Contents, Link, Message, ModelContext, Resource, ToolResult
from companion.stream import Blob, ToolCall

logger = logging.getLogger(__name__)

_STEP = 8
"""Messages forgotten at a time when the context is full: rarely and many, so that the prefix cache lasts."""
_REMEMBERED = 512
"""Messages whose tokens are kept."""
_MARK = re.compile(r"<\|[^|<>]{1,40}\|>")
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
    """One message as the model reads it."""

    role: ChatRole
    text: str


class ChatPrompt:
    """Writes prompts for one loaded model.

    Raises:
        ModelBroken: the model's file says nothing about how it wants to be talked to.
    """

    def __init__(self, spelling: Spelling) -> None:
        self._spelling = spelling
        self._spelt: OrderedDict[Turn, list[int]] = OrderedDict()
        self._is_chatml = "<|im_start|>" in spelling.template or len(spelling.tokenise("<|im_start|>", marks=True)) == 1
        self._opening = NO_THOUGHT if "<think>" in spelling.template else ""
        if not self._is_chatml and not spelling.template:
            raise ModelBroken("this model has no chat template", mend="use an instruct model")

    def write(self, context: ModelContext, *, room: int) -> list[int]:
        """Tokens of the whole prompt, up to the place where the answer begins; at most ``room`` of them.

        Where it does not fit, the oldest messages go, in big steps; then the newest is cut at its front.
        """
        turns = turns_of(context)
        head = [turn for turn in turns[:1] if turn.role is ChatRole.SYSTEM]
        talk = turns[len(head) :]
        for dropped in range(0, len(talk) + _STEP, _STEP):
            kept = _from_user(talk[min(dropped, len(talk) - 1) :]) if talk else []
            tokens = self._write([*head, *kept], context.closing)
            if len(tokens) <= room:
                if dropped:
                    logger.info("the context is full: the oldest %d messages are not given to the model", dropped)
                return tokens
        logger.warning("the newest message does not fit into the context: it is cut to its end")
        return self._cut(head, talk[-1:], context.closing, room)

    def stem(self, context: ModelContext) -> list[int]:
        """Tokens that the next prompt of this conversation will begin with."""
        if not self._is_chatml:
            return []
        return [token for turn in turns_of(context) for token in self._turn(turn)]

    def remember(self, text: str, tokens: Sequence[int]) -> None:
        """Spell an answer in prompts to come just as the model did, so that its memory of it can be used again."""
        if text.strip():
            self._keep(Turn(ChatRole.ASSISTANT, text.strip()), [*self._opened(), *tokens, *self._closed()])

    def _write(self, turns: Sequence[Turn], closing: str) -> list[int]:
        if not self._is_chatml:
            return self._by_template(turns, closing)
        aside = [Turn(ChatRole.SYSTEM, closing.strip())] if closing.strip() else []
        # Behind the question, small models answer the closing text instead.
        ordered = [*turns[:-1], *aside, *turns[-1:]]
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

    def _by_template(self, turns: Sequence[Turn], closing: str) -> list[int]:
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        messages = [{"role": turn.role.value, "content": _MARK.sub("", turn.text)} for turn in turns]
        if closing.strip() and messages:
            # Many templates refuse a system text behind the first message.
            messages[-1]["content"] += f"\n\n({_MARK.sub('', closing.strip())})"
        template = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True).from_string(
            self._spelling.template
        )
        text = template.render(
            messages=messages,
            add_generation_prompt=True,
            enable_thinking=False,
            bos_token=self._spelling.first_mark,
            eos_token=self._spelling.end_mark,
        )
        return self._spelling.tokenise(text, marks=True)

    def _cut(self, head: Sequence[Turn], newest: Sequence[Turn], closing: str, room: int) -> list[int]:
        """Shorten the newest message, then the system text, by halves until it fits."""
        for shorten_head in (False, True):
            for _ in range(24):
                tokens = self._write([*head, *newest], closing)
                if len(tokens) <= room:
                    return tokens
                if shorten_head:
                    head, closing = [_halved(turn, front=False) for turn in head], ""
                else:
                    newest = [_halved(turn, front=True) for turn in newest]
        raise Unsupported(f"a context of {room} tokens is too small for any prompt", mend="raise models.context_tokens")


def turns_of(context: ModelContext) -> list[Turn]:
    """The context as turns: the system texts as one, chains of thought last among them, then the messages.

    Raises:
        Unsupported: tools are offered, or a message holds something else than words.
    """
    if context.tools:
        names = ", ".join(tool.name for tool in context.tools)
        raise Unsupported(f"this model calls no tools: {names}", mend="use invoke, or a model that calls tools")
    texts = (*(prompt.text for prompt in context.prompts), *context.cots)
    system = "\n\n".join(text.strip() for text in texts if text.strip())
    head = [Turn(ChatRole.SYSTEM, system)] if system else []
    return head + [_turn_of(message) for message in context.messages]


def _turn_of(message: Message) -> Turn:
    match message.payload:
        case Contents(parts):
            for part in parts:
                if isinstance(part, Blob | Link | Resource):
                    raise Unsupported(f"this model reads words, not {part.mime_type}", mend="describe it in words")
            return Turn(message.role, message.text.strip())
        case ToolCall(func_call=call):
            spelt = f'<tool_call>\n{{"name": "{call.name}", "arguments": {call.arguments}}}\n</tool_call>'
            return Turn(ChatRole.ASSISTANT, spelt)
        case ToolResult(result=result):
            return Turn(ChatRole.USER, f"<tool_response>\n{result}\n</tool_response>")


def _from_user(turns: Sequence[Turn]) -> list[Turn]:
    """From the first turn of a user on; an answer without its question only confuses."""
    for place, turn in enumerate(turns):
        if turn.role is ChatRole.USER:
            return list(turns[place:])
    return list(turns[-1:])


def _halved(turn: Turn, *, front: bool) -> Turn:
    half = len(turn.text) // 2
    return replace(turn, text=turn.text[half:] if front else turn.text[:half])


class Unthinking:
    """Takes ``<think>...</think>`` out of text that comes in pieces."""

    _OPEN, _CLOSE = "<think>", "</think>"

    def __init__(self) -> None:
        self._held = ""
        self._inside = False
        self._after = False
        """Whether a thought has just ended: the blank space behind it belongs to it."""

    def take(self, piece: str) -> str:
        """What of the text so far may be said."""
        self._held += piece
        return "".join(self._said())

    def rest(self) -> str:
        """What was held back as the possible beginning of a mark and was none."""
        held, self._held = self._held, ""
        return "" if self._inside else held

    def _said(self) -> Iterator[str]:
        while self._held:
            if self._after:
                self._held = self._held.lstrip()
                self._after = not self._held
            mark = self._CLOSE if self._inside else self._OPEN
            before, found, after = self._held.partition(mark)
            if not found:
                kept = _begun_mark(self._held, mark)
                if not self._inside:
                    yield self._held[: len(self._held) - kept]
                self._held = self._held[len(self._held) - kept :]
                return
            if not self._inside:
                yield before
            self._inside = not self._inside
            self._after = not self._inside
            self._held = after


def _begun_mark(text: str, mark: str) -> int:
    """How many characters at the end of ``text`` may be the beginning of ``mark``."""
    return next((size for size in range(len(mark) - 1, 0, -1) if text.endswith(mark[:size])), 0)
