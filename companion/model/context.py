"""All that a model is given for one answer."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.model.message import Message
from companion.model.options import ModelParams
from companion.model.tool import Tool


@dataclass(frozen=True, slots=True)
class SystemPrompt:
    """A named system text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ModelContext:
    """What a generator reads; it never changes it.

    prompts: system texts, stable ones first, so that a prefix cache hits.
    messages: the conversation, oldest first.
    closing: text that changes from turn to turn (the clock, recalled facts); it goes behind all that stays,
        before the newest message.
    tools: what the model may call.
    cots: chains of thought, written down, that show the model how to think.
    """

    prompts: tuple[SystemPrompt, ...] = ()
    messages: tuple[Message, ...] = ()
    closing: str = ""
    params: ModelParams = field(default_factory=ModelParams)
    tools: tuple[Tool, ...] = ()
    cots: tuple[str, ...] = ()

    @classmethod
    def joined(cls, *contexts: ModelContext) -> ModelContext:
        """Several contexts as one: everything one after another, but the params of the first that sets any."""
        return cls(
            prompts=tuple(prompt for context in contexts for prompt in context.prompts),
            messages=tuple(message for context in contexts for message in context.messages),
            closing="\n".join(context.closing for context in contexts if context.closing),
            params=next((context.params for context in contexts if context.params.is_set), ModelParams()),
            tools=tuple(tool for context in contexts for tool in context.tools),
            cots=tuple(cot for context in contexts for cot in context.cots),
        )
