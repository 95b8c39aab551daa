"""What providers make of the protocol where it lets them, by the host; the sources are their API references, 2026.

A host that is not in the table is taken for one of the open engines (llama-server, vLLM, LM Studio), which pass over
what they do not know.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from companion.dialects.urls import split_url
from companion.dialects.wire_names import WORD, Form, NameLimits


class ThinkingWay(Enum):
    """The fields that turn thinking on and off."""

    EFFORT = "reasoning_effort"
    """A word, and "none" for off."""
    ROUTED = "reasoning"
    """An object with both."""
    TYPED = "thinking"
    """An object that says on or off, and the effort beside it."""
    SWITCHED = "enable_thinking"
    """A switch, and a number of tokens beside it."""
    TEMPLATE = "chat_template_kwargs"
    """The effort, and a switch for the template of a model's file."""


_WORDS = NameLimits(Form(WORD, 64), Form(WORD, 40))
"""OpenAI refuses longer ones; others have the same letters."""


@dataclass(frozen=True, slots=True)
class Habits:
    """Of one provider.

    limit: the field of the most tokens. system_role: what system texts are called.
    thought: the field in which a thought goes back with its answer; empty: it must not.
    chooses: whether it can be told which of the tools may be called; else only those are offered.
    has_top_k, searches, takes_video: whether it does. wants_sound_url: whether sound comes as a URL that holds it.
    is_strict_order: whether only the first message may be a system text.
    has_writers: whether a message may say who wrote it; who knows no such field may refuse the request over it.
    limits: what names of tools and ids of calls it takes.
    """

    limit: str = "max_tokens"
    system_role: str = "system"
    thinking: ThinkingWay = ThinkingWay.EFFORT
    thought: str = ""
    chooses: bool = False
    has_top_k: bool = False
    searches: bool = False
    takes_video: bool = False
    wants_sound_url: bool = False
    is_strict_order: bool = True
    has_writers: bool = True
    limits: NameLimits = _WORDS


_OPENAI = Habits("max_completion_tokens", "developer", chooses=True, searches=True, is_strict_order=False)
_ENGINE = Habits(
    thinking=ThinkingWay.TEMPLATE, thought="reasoning_content", has_top_k=True, takes_video=True, limits=NameLimits()
)
_HABITS = {
    "openai.com": _OPENAI,
    "azure.com": _OPENAI,
    "openrouter.ai": Habits(
        thinking=ThinkingWay.ROUTED,
        thought="reasoning",
        has_top_k=True,
        searches=True,
        takes_video=True,
    ),
    "deepseek.com": Habits(thinking=ThinkingWay.TYPED, thought="reasoning_content", is_strict_order=False),
    "aliyuncs.com": Habits(
        thinking=ThinkingWay.SWITCHED,
        thought="reasoning_content",
        has_top_k=True,
        takes_video=True,
        wants_sound_url=True,
    ),
    "groq.com": Habits("max_completion_tokens", is_strict_order=False),
    "mistral.ai": Habits(has_writers=False, limits=NameLimits(Form(WORD, 64), Form("a-zA-Z0-9", 9, shortest=9))),
    "googleapis.com": Habits(),
    "x.ai": Habits(is_strict_order=False),
}


@lru_cache(maxsize=64)
def host_of(base_url: str) -> str:
    """The last two words of the host, by which providers are known; empty where the URL has none."""
    return ".".join((split_url(base_url).hostname or "").split(".")[-2:])


def habits_of(base_url: str) -> Habits:
    """The habits of whoever serves there."""
    return _HABITS.get(host_of(base_url), _ENGINE)
