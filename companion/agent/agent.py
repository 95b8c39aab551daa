"""Answers turns: by a talent when a rule understands the sentence, else by the language model."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from companion.agent.answer import Answer, Said
from companion.agent.plugin import Foresight, Reply, Request, Talent
from companion.agent.prompt import PromptBuilder
from companion.compose.entry import Entry
from companion.compose.session import Session
from companion.errors import CompanionError, PluginError
from companion.insight.match import Matcher
from companion.insight.understood import Match
from companion.model import ChatRole, Generator, ModelContext
from companion.settings.language import primary
from companion.settings.schema import Settings
from companion.stream import (
    MessageChunk,
    Role,
    Stream,
    StreamCtrl,
    Text,
    begin_of_stream,
    end_of_stream,
    new_stream_id,
    stream_of,
)

logger = logging.getLogger(__name__)

TALENT_SECONDS = 5.0
"""A talent that takes longer has failed."""
NO_MODEL = "notice:no-model"
"""Source of the answer given in place of a model's: see ``Answer.source``."""

_NO_MODEL = (
    "I can't chat yet, because there is no language model here. "
    "Run companion models pull on this computer, then start me again.",
    "我还不能聊天，因为这里没有语言模型。请在这台电脑上运行 companion models pull，然后重新启动我。",
)
_FAILED = ("Sorry, that did not work.", "抱歉，没有成功。")


class Agent:
    """Implements ``agent.answer.Answerer``.

    matchers: the rules by language ("en", "zh"); a sentence is tried against its own language first.
    generator: None where no language model is there; commands work all the same.
    model: its name, for ``Answer.source``.
    count_tokens: tokens of a text, by the model's tokeniser.
    clock: the local time, with its zone.

    Raises:
        PluginError: two talents answer the same command.
    """

    def __init__(
        self,
        *,
        matchers: Mapping[str, Matcher],
        talents: Sequence[Talent],
        generator: Generator | None,
        session: Session,
        personality: str,
        settings: Settings,
        clock: Callable[[], datetime],
        count_tokens: Callable[[str], int],
        model: str = "local",
    ) -> None:
        self._model = model
        self._matchers = matchers
        self._talents = _by_intent(talents)
        self._generator = generator
        self._session = session
        self._clock = clock
        self._prompts = PromptBuilder(session, personality, settings, count_tokens)

    def is_command(self, said: Said) -> bool:
        """Whether a rule understands all of it, and a talent answers that rule."""
        return self._understood(said) is not None

    def may_go_on(self, said: Said) -> bool:
        """Whether it is a command that more words may belong to ("remind me at six to call ..."), so that a short
        silence does not end it."""
        understood = self._understood(said)
        return understood is not None and understood[0].open_ended

    async def answer(self, said: Said) -> Answer:
        """Begin an answer; see Answerer.

        Raises:
            ModelError: the model cannot be loaded or cannot carry the conversation.
        """
        if understood := self._understood(said):
            return await self._act(said, *understood)
        if self._generator is None:
            text = _in(said.language, _NO_MODEL)
            return Answer(said, said_at_once(text, said.language), said.language, NO_MODEL)
        stream = await self._generator.generate_stream(self._prompts.context(said, self._clock()))
        return Answer(said, stream, said.language, f"model:{self._model}")

    async def commit(self, answer: Answer, heard: str, *, whole: bool) -> None:
        """Write a turn to the history; see Answerer.

        Orders to the loudspeaker ("louder", "stop", "say that again") and the notice that there is no model
        are not part of the conversation. A reply nobody heard leaves the question only.

        Raises:
            SessionError: the turn could not be kept.
        """
        if answer.effects or answer.source == NO_MODEL:
            return
        now, said = self._clock(), answer.said
        entries = [Entry.of(ChatRole.USER, said.text, language=said.language, at=now)]
        if heard.strip():
            reply = Entry.of(ChatRole.ASSISTANT, heard.strip(), language=answer.language, at=now, interrupted=not whole)
            entries.append(reply)
        await self._session.add(*entries)

    def past(self) -> ModelContext:
        """What the model will be given before the next question, for reading it ahead."""
        context = self._prompts.context(Said("", "en"), self._clock())
        return replace(context, messages=context.messages[:-1], closing="")

    def frequent_replies(self, language: str) -> tuple[str, ...]:
        """Sentences worth synthesising beforehand."""
        talents = dict.fromkeys(self._talents.values())
        replies = [reply for talent in talents for reply in talent.frequent_replies(language)]
        return tuple(dict.fromkeys([*replies, _in(language, _FAILED)]))

    def likely_replies(self, language: str) -> tuple[str, ...]:
        """Sentences it would say if it were asked now."""
        now = self._clock()
        seers = [talent for talent in dict.fromkeys(self._talents.values()) if isinstance(talent, Foresight)]
        return tuple(reply for talent in seers for reply in talent.likely_replies(language, now))

    def _understood(self, said: Said) -> tuple[Match, str] | None:
        """The rule that understands it and that a talent answers, and the language to reply in."""
        own = primary(said.language)
        for language, matcher in sorted(self._matchers.items(), key=lambda item: item[0] != own):
            match = matcher.match(said.text)
            if match is not None and match.rule in self._talents:
                return match, said.language if own in self._matchers else language
        return None

    async def _act(self, said: Said, match: Match, language: str) -> Answer:
        request = Request(match.rule, match.slots, said.text, language, self._clock())
        reply = await self._reply(self._talents[match.rule], request)
        text = said_at_once(reply.text, language)
        return Answer(said, text, language, f"rule:{match.rule}", reply.effects, reply.follow_up)

    async def _reply(self, talent: Talent, request: Request) -> Reply:
        try:
            async with asyncio.timeout(TALENT_SECONDS):
                return await talent.answer(request)
        except CompanionError as error:
            logger.warning("%s could not: %s", talent.name, error)
            return Reply(str(error))
        except Exception as error:  # a broken talent must not end the conversation
            logger.error("talent %s failed: %s", talent.name, type(error).__name__, exc_info=error)
            return Reply(_in(request.language, _FAILED))


def said_at_once(text: str, language: str) -> Stream:
    """A stream of one sentence, or of nothing where ``text`` is empty."""
    route = new_stream_id()
    chunks = [begin_of_stream(route, role=Role.MODEL)]
    if text:
        chunks.append(MessageChunk(role=Role.MODEL, part=Text(text, language), ctrl=StreamCtrl(route)))
        chunks.append(end_of_stream(route, role=Role.MODEL, part=Text("")))
    chunks.append(end_of_stream(route, role=Role.MODEL))
    return stream_of(chunks)


def _by_intent(talents: Iterable[Talent]) -> dict[str, Talent]:
    by_intent: dict[str, Talent] = {}
    for talent in talents:
        for intent in talent.intents & by_intent.keys():
            other = by_intent[intent].name
            raise PluginError(f"{talent.name} and {other} both answer {intent}", plugin=talent.name)
        by_intent |= dict.fromkeys(talent.intents, talent)
    return by_intent


def _in(language: str, sentences: tuple[str, str]) -> str:
    return sentences[primary(language) == "zh"]
