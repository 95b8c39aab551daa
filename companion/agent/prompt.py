"""Builds what a model is asked: what day it is, who it is, what was said before.

Measured on a model of 135 million parameters: a clock behind the question makes it answer the clock, the day
before everything else does no harm. So the part of the day heads the prompt, which costs the model's memory of
it four times a day; the exact time is what a rule answers. Only a language other than English is asked for last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from companion.agent.answer import Said
from companion.agent.clock import day_in_words
from companion.agent.teachings import Taught
from companion.compose.entry import Entry
from companion.compose.session import Session
from companion.compose.window import MESSAGE_TOKENS, Window
from companion.model import ChatRole, FuncTool, Message, ModelContext, ModelParams, SystemPrompt, Tool
from companion.model.plain import to_json
from companion.model.prompt import Prompt
from companion.settings.language import primary
from companion.settings.schema import Settings

_SPEAKERS = (ChatRole.USER, ChatRole.ASSISTANT)
SPARE_TOKENS = 64
"""Kept free for what a chat template adds."""

_LANGUAGES = {
    "zh": "Chinese",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "it": "Italian",
    "pt": "Portuguese",
    "nl": "Dutch",
    "ja": "Japanese",
    "ko": "Korean",
    "ru": "Russian",
    "pl": "Polish",
    "uk": "Ukrainian",
    "tr": "Turkish",
    "sv": "Swedish",
    "da": "Danish",
    "no": "Norwegian",
    "fi": "Finnish",
    "cs": "Czech",
    "el": "Greek",
    "hu": "Hungarian",
    "ro": "Romanian",
    "ar": "Arabic",
    "hi": "Hindi",
}


@dataclass(frozen=True, slots=True)
class Prompted:
    """What a model is asked. quotes: whose words may stand in the conversation that it is shown; see ``Entry``."""

    context: ModelContext
    quotes: tuple[str, ...] = ()


class PromptBuilder:
    """Contexts of one conversation.

    count_tokens: tokens of a text, by the model's own tokeniser where there is one.
    """

    def __init__(
        self, session: Session, personality: str, settings: Settings, count_tokens: Callable[[str], int]
    ) -> None:
        self._session = session
        self._count = count_tokens
        self._window = Window(count_tokens)
        self.adopt(personality, settings)

    def adopt(self, personality: str, settings: Settings) -> None:
        """Be somebody else, or go by other settings, from the next question on."""
        self._models = settings.models
        self._prompts = (SystemPrompt("personality", personality.strip()), *_about_user(settings.general.name))

    def context(
        self,
        said: Said,
        now: datetime,
        *,
        remembered: str = "",
        tools: tuple[Tool, ...] = (),
        taught: Taught | None = None,
    ) -> Prompted:
        """What the model is given to answer ``said``.

        remembered: text for this turn alone, marked as data. taught: what is told to it besides, for which room is
        left.
        """
        prompts = (SystemPrompt("today", f"Today is {day_in_words(now)}."), *self._prompts)
        asked = Prompt.of(said.text)
        closing = "\n".join(part for part in (remembered, _closing(said.language)) if part)
        lessons = [one.told(asked).text for one in taught.teachings] if taught is not None else []
        texts = (*(prompt.text for prompt in prompts), *lessons, closing, said.text)
        offered = (*tools, *(taught.tools if taught is not None else ()))
        fixed = sum(self._count(text) + MESSAGE_TOKENS for text in (*texts, *map(_words_of, offered)))
        budget = self._models.context_tokens - self._models.answer_tokens - SPARE_TOKENS - fixed
        past = self._window.of(self._session, max(budget, 0))
        question = Entry.of(ChatRole.USER, said.text, language=said.language)
        context = ModelContext(
            prompts=prompts,
            messages=tuple(_joined((*past, question))),
            closing=closing,
            params=ModelParams(max_tokens=self._models.answer_tokens, temperature=self._models.temperature),
            tools=tools,
        )
        return Prompted(context, tuple(dict.fromkeys(mark for entry in past for mark in entry.quotes)))


def _about_user(name: str) -> tuple[SystemPrompt, ...]:
    name = name.strip()
    return (SystemPrompt("user", f"The person you talk with is called {name}."),) if name else ()


def _words_of(tool: Tool) -> str:
    """What a prompt says of a tool, about."""
    return f"{tool.name} {tool.description} {to_json(tool.parameters)}" if isinstance(tool, FuncTool) else tool.name


def _closing(language: str) -> str:
    spoken = _LANGUAGES.get(primary(language))
    return f"Answer in {spoken}." if spoken else ""


def _joined(entries: Iterable[Entry]) -> list[Message]:
    """The messages, with questions that got no answer joined to the next, and what was said unasked to the answer
    before: chat templates want turns to alternate.
    """
    messages: list[Message] = []
    for entry in entries:
        message = entry.message
        if messages and message.text and message.role is messages[-1].role in _SPEAKERS and messages[-1].text:
            message = Message.of(message.role, f"{messages.pop().text}\n{message.text}")
        messages.append(message)
    return messages
