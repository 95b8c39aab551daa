"""How soon the language model says its first word, cold and warm, and how fast it goes on."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol

from companion.app.bench.figures import Amount, Note, Section, Spread
from companion.app.mind import Thinker
from companion.app.paths import bundled
from companion.app.warmup import Loadable
from companion.model import ChatRole, Message, ModelContext, ModelParams, SystemPrompt
from companion.stream import Text

QUESTIONS = (
    "Good morning, how are you today?",
    "What is a good name for a small grey cat?",
    "Why is the sky blue?",
    "Can you recommend something to cook tonight?",
    "What do bees do in winter?",
    "Tell me something about the moon.",
    "How do I get rid of a cold?",
    "What should I read next?",
)
ANSWER_TOKENS = 60


class Model(Thinker, Loadable, Protocol):
    """A language model that can be loaded beforehand."""


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer, timed. ``speed``: tokens a second after the first."""

    text: str
    first: float
    speed: float


async def measure(model: Model, name: str, *, rounds: int = 3) -> Section:
    """Ask it ``rounds`` times: a strange prompt each time for cold; for warm a conversation that grows, and that it
    has read ahead up to the question."""
    await model.load()
    personality = (bundled("assets") / "personality" / "default.md").read_text(encoding="utf-8")
    cold: list[Answered] = []
    warm: list[Answered] = []
    for number in range(rounds):
        # What the prompt begins with differs, so nothing of the round before is of use.
        prompt = SystemPrompt("personality", f"This is house number {number + 1}.\n{personality}")
        messages: list[Message] = []
        for question in QUESTIONS:
            messages.append(Message.of(ChatRole.USER, question))
            answered = await answer(model, ModelContext((prompt,), tuple(messages), "It is noon.", _PARAMS))
            (warm if len(messages) > 1 else cold).append(answered)
            messages.append(Message.of(ChatRole.ASSISTANT, answered.text))
            # As the companion does while its answer is still being spoken.
            await model.warm(ModelContext((prompt,), tuple(messages)))
    report = model.report
    return Section(
        f"Model {name}",
        {
            "first token, cold": Spread.of((one.first for one in cold), "s"),
            "first token, warm": Spread.of((one.first for one in warm), "s"),
            "speed": Spread.of((one.speed for one in [*cold, *warm] if one.speed), "tokens/s"),
            "load": Amount(report.load_seconds, "s"),
            "memory": Amount(report.memory_bytes / 1e6, "MB"),
            "how": Note(f"{len(QUESTIONS)} questions a conversation, answers of up to {ANSWER_TOKENS} tokens"),
        },
    )


_PARAMS = ModelParams(max_tokens=ANSWER_TOKENS, temperature=0.0)


async def answer(model: Model, context: ModelContext) -> Answered:
    """One answer of the model."""
    text, first = "", 0.0
    began = time.perf_counter()
    stream = await model.generate_stream(context)
    try:
        async for chunk in stream:
            if isinstance(chunk.part, Text) and chunk.part.text:
                first = first or time.perf_counter() - began
                text += chunk.part.text
    finally:
        await stream.close()
    took = time.perf_counter() - began - first
    tokens = model.count_tokens(text) - 1
    return Answered(text, first, tokens / took if tokens > 0 and took > 0 else 0.0)
