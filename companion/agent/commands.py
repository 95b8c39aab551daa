"""Commands: a sentence that a rule understands whole is answered by a talent, before anything else hears it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass

from companion.agent.answer import Said
from companion.agent.handlers import Handler
from companion.agent.plugin import Effect, Reply, Request
from companion.agent.registry import Registered, Registry
from companion.agent.stages import LONGEST_TEXT, Origin, Stage, StageContext
from companion.agent.turns import Turn
from companion.errors import CompanionError, PluginError
from companion.insight.match import Matcher
from companion.insight.understood import Match
from companion.settings.language import primary

logger = logging.getLogger(__name__)

TALENT_SECONDS = 5.0
"""A talent of a plugin that takes longer has failed."""
OWN_TALENT_SECONDS = 30.0
"""The same for one of ours: right after the start of a slow machine it may have to wait for what it needs."""
TALENTS = "talents"
FIRST_OF_ALL = -1000
"""The priority of commands."""
ACTED = "acted"
FAILED = ("Sorry, that did not work.", "抱歉，没有成功。")


@dataclass(frozen=True, slots=True)
class Acted:
    """What a talent has done, by which rule, and the language of its reply. quotes: whose words it may repeat."""

    reply: Reply
    language: str
    rule: str
    quotes: tuple[str, ...] = ()


class Commands:
    """The commands of one agent.

    matchers: the rules by language; a sentence is tried against its own language first. has_model: whether a talent may
    leave the answer to a model.
    """

    def __init__(self, matchers: Mapping[str, Matcher], registry: Registry, *, has_model: bool) -> None:
        self._matchers = matchers
        self._registry = registry
        self._has_model = has_model

    def handler(self) -> Handler:
        """What answers them, at its place among the handlers."""
        return Handler(Stage.ON_INPUT, self._hear, TALENTS, FIRST_OF_ALL, seconds=OWN_TALENT_SECONDS + 1, is_own=True)

    def understood(self, said: Said) -> tuple[Match, str] | None:
        """The rule that understands it and that a talent answers, and the language to reply in."""
        own = primary(said.language)
        for language, matcher in sorted(self._matchers.items(), key=lambda item: item[0] != own):
            match = matcher.match(said.text)
            if match is not None and self._registry.talent_for(match.rule) is not None:
                return match, said.language if own in self._matchers else language
        return None

    async def _hear(self, context: StageContext) -> None:
        """The handler of ``on_input`` that answers commands; what others put in commands nothing."""
        if context.about.origin is not Origin.USER:
            return
        understood = self.understood(Said(context.raw_message, context.about.language))
        if understood is None:
            return
        match, language = understood
        request = Request(match.rule, match.slots, context.raw_message, language, context.about.now)
        registered = self._registry.registered(match.rule)
        assert registered is not None
        reply = await self._reply(registered, request)
        if reply.yields and self._has_model:
            return
        quoted = reply.quotes if registered.is_own else registered.owner
        context.notes[ACTED] = Acted(reply, language, match.rule, (quoted,) if quoted else ())
        context.response = reply.text

    async def _reply(self, registered: Registered, request: Request) -> Reply:
        async def act() -> Reply:
            try:
                return _checked(await registered.talent.answer(request))
            except CompanionError as error:
                # It could not, and says so; that is no fault of its own.
                logger.warning("%s could not: %s", registered.name, type(error).__name__)
                return Reply(str(error)[:LONGEST_TEXT])

        seconds = OWN_TALENT_SECONDS if registered.is_own else TALENT_SECONDS
        try:
            return await self._registry.guests.ask(registered.owner, request.intent, act, seconds=seconds)
        except PluginError:  # a broken talent must not end the conversation
            return Reply(in_language(request.language, FAILED))


def acted_in(turn: Turn) -> Acted | None:
    """What a talent has done in this turn, where it was one that answered."""
    acted = turn.notes(TALENTS).get(ACTED) if turn.answered_by == TALENTS else None
    return acted if isinstance(acted, Acted) else None


def in_language(language: str, sentences: tuple[str, str]) -> str:
    """Of a sentence in English and in Chinese that which fits."""
    return sentences[primary(language) == "zh"]


def told_in(language: str) -> str:
    """The language of what ``in_language`` gives where the user speaks ``language``."""
    return language if primary(language) == "zh" else "en"


def _checked(reply: object) -> Reply:
    """The reply, if all of it is what it should be, and not too much of it."""
    if (
        isinstance(reply, Reply)
        and isinstance(reply.text, str)
        and len(reply.text) <= LONGEST_TEXT
        and isinstance(reply.quotes, str)
        and isinstance(reply.is_kept, bool)
        and isinstance(reply.effects, tuple)
        and all(isinstance(one, Effect) for one in reply.effects)
    ):
        return reply
    raise TypeError("what it gave is no reply")
