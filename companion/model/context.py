"""All that a model is given for one answer."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.model.message import Message
from companion.model.tool import Tool


@dataclass(frozen=True, slots=True)
class SystemPrompt:
    """A named system text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ModelParams:
    """How to sample. None means unset; zero is a value."""

    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    frequency_penalty: float | None = None
    presence_penalty: float | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class ModelContext:
    """What a generator reads; it never changes it.

    prompts: system texts, stable ones first, so that a prefix cache hits.
    messages: the conversation, oldest first.
    closing: text that changes from turn to turn (the clock, recalled facts); it goes behind all that stays,
        before the newest message.
    tools: what the model may call.
    cots: how the model shall think before it answers, a step or a way each.
    """

    prompts: tuple[SystemPrompt, ...] = ()
    messages: tuple[Message, ...] = ()
    closing: str = ""
    params: ModelParams = field(default_factory=ModelParams)
    tools: tuple[Tool, ...] = ()
    cots: tuple[str, ...] = ()
