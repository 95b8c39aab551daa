"""Remembers what the user asks it to, says what it knows, and forgets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.agent.plugin import Origin, Reply, Request, StageContext, StopSpeaking
from companion.errors import CompanionError, PluginError
from companion.talents.memory_phrases import SAY, USER, Known, as_said, facts_in_words, person_in_words
from companion.talents.spoken.language import is_chinese

NAME = "is_called"
MOST_SAID = 5
"""Facts in one answer."""
QUOTES = "memory"
"""Whose words an answer repeats that says what is remembered."""
_YES = frozenset(
    {"yes", "yes please", "yeah", "yep", "sure", "do it", "please do", "go ahead", "yes do it", "yes forget it"}
    | {"是", "是的", "好", "好的", "对", "可以", "行", "确定", "嗯"}
)
_ME = frozenset({"me", "myself", "us", "我", "我自己", "我们"})
_EVERYTHING = ""
_NAME_ASKED = re.compile(r"\b(?:who|call|called|name|named)\b|叫|谁|名字", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Told:
    """What became of something that was to be remembered.

    is_secret: it is what is never stored. is_later: the disk takes nothing now, and it is stored when it does.
    offer: what the user is asked besides, in words; empty for nothing.
    """

    kept: Sequence[Known]
    is_secret: bool = False
    is_later: bool = False
    offer: str = ""


class Remembrance(Protocol):
    """The memory, as this talent asks for it. Each raises CompanionError where it cannot be reached."""

    async def tell(self, text: str, request: Request) -> Told:
        """Keep what the user wants remembered."""

    async def about(self, name: str) -> Sequence[Known]:
        """What holds of somebody, newest first; ``USER`` is the user."""

    async def answer(self, question: str, names: Sequence[str]) -> Sequence[Known]:
        """What answers a question about these names, the best first; nothing where nothing does."""

    async def forget_newest(self) -> Sequence[Known]:
        """Forget what was stored last, and say what it was."""

    async def forget(self, name: str) -> int:
        """Forget all about somebody for good, or everything where ``name`` is empty; how many facts it was."""


class Memory:
    """Answers "remember that ...", "what do you know about ...", "forget that" and their kin.

    What cannot be brought back asks for a yes; only the very next thing the user says counts.
    """

    name = "memory"
    intents = frozenset(
        {"memory.remember", "memory.about_me", "memory.about", "memory.who_am_i", "memory.ask", "memory.told"}
        | {"memory.forget_that", "memory.forget"}
    )

    def __init__(self, remembrance: Remembrance, *, called: str = "") -> None:
        self._memory = remembrance
        self._called = called
        self._to_forget: str | None = None
        """Whom a yes would have forgotten."""

    async def answer(self, request: Request) -> Reply:
        try:
            return await self._answer(request)
        except CompanionError as error:
            text = SAY.say("unreachable", request.language)
            raise PluginError(text, plugin=self.name, mend=error.mend) from error

    async def _answer(self, request: Request) -> Reply:
        match request.intent:
            case "memory.remember":
                return await self._remember(request)
            case "memory.about_me":
                return await self._tell_about(USER, request)
            case "memory.who_am_i":
                return await self._who(request)
            case "memory.ask":
                return await self._ask(request)
            case "memory.forget_that":
                return await self._forget_newest(request)
            case "memory.forget":
                return self._ask_whether(request)
            case _:
                return await self._about(request)

    # -- the yes

    def understands(self, words: str) -> bool:
        """Whether these words are the yes that is waited for; then they are a command."""
        return self._to_forget is not None and _is_yes(words)

    async def hear(self, context: StageContext) -> None:
        """A handler of ``on_input``: the next thing the user says is the yes, or it is a no."""
        name, self._to_forget = self._to_forget, None
        if name is None or context.about.origin is not Origin.USER or not _is_yes(context.about.words):
            return
        language = context.about.language
        try:
            count = await self._memory.forget(name)
        except CompanionError:
            context.response = SAY.say("unreachable", language)
        else:
            context.response = SAY.say("forgotten" if count else "nothing", language)

    def _ask_whether(self, request: Request) -> Reply:
        said = request.slots.get("who")
        if said is None:
            self._to_forget = _EVERYTHING
            return Reply(SAY.say("sure.everything", request.language))
        self._to_forget = _name_of(request, said)
        key = "sure.me" if self._to_forget == USER else "sure"
        return Reply(SAY.say(key, request.language, who=_told_back(request, said)))

    # -- what is said and asked

    async def _remember(self, request: Request) -> Reply:
        slot = "note" if "note" in request.slots else "mine"
        told = await self._memory.tell(as_said(request, slot), request)
        if told.is_secret:
            return Reply(SAY.say("secret", request.language))
        if told.is_later:
            return Reply(SAY.say("later", request.language))
        said = SAY.say("remembered" if told.kept else "known", request.language)
        space = "" if is_chinese(request.language) or not told.offer else " "
        return Reply(f"{said}{space}{told.offer}")

    async def _who(self, request: Request) -> Reply:
        names = [fact.object for fact in await self._memory.about(USER) if fact.relation == NAME and _is_user(fact)]
        name = next(iter(names), self._called)
        return Reply(SAY.say("you" if name else "who", request.language, name=name), quotes=QUOTES if names else "")

    async def _tell_about(self, name: str, request: Request) -> Reply:
        facts = await self._memory.about(name)
        if not facts:
            return Reply(SAY.say("nothing.me", request.language))
        return Reply(self._in_words(facts, request), quotes=QUOTES)

    async def _about(self, request: Request) -> Reply:
        said = request.slots["who"]
        name = _name_of(request, said)
        if name == USER:
            return await self._tell_about(USER, request)
        facts = await self._memory.about(name) or await self._memory.answer(request.text, [name])
        if facts:
            return Reply(self._in_words(facts, request), quotes=QUOTES)
        who = _told_back(request, said)
        # What nobody has told may be something that everybody knows.
        return Reply(SAY.say("nothing.about", request.language, who=who), yields=request.intent == "memory.about")

    async def _ask(self, request: Request) -> Reply:
        said = as_said(request, "who").removesuffix("'s").removesuffix("’s")
        names = [_my(request, said)] if said else []
        facts = await self._memory.answer(request.text, [*names, USER])
        if _NAME_ASKED.search(request.text):
            facts = sorted(facts, key=lambda fact: fact.relation != NAME)
        if facts:
            return Reply(facts_in_words(facts[:1], request.language), quotes=QUOTES)
        return Reply(SAY.say("not_told", request.language))

    async def _forget_newest(self, request: Request) -> Reply:
        gone = await self._memory.forget_newest()
        if gone:
            said = SAY.say("forgotten.that", request.language, what=facts_in_words(gone, request.language))
            return Reply(said, quotes=QUOTES, is_kept=False)
        return Reply(SAY.say("nothing.new", request.language), (StopSpeaking(),), follow_up=False)

    def _in_words(self, facts: Sequence[Known], request: Request) -> str:
        said = facts_in_words(facts[:MOST_SAID], request.language)
        more = len(facts) - MOST_SAID
        return f"{said} {SAY.say('more', request.language, count=str(more))}" if more > 0 else said

    def frequent_replies(self, language: str) -> tuple[str, ...]:
        return SAY.frequent(language)


def _is_yes(words: str) -> bool:
    return words.strip().rstrip(".!。！").lower().replace(",", "").replace("，", "").strip() in _YES


def _is_user(fact: Known) -> bool:
    return fact.subject == USER


def _name_of(request: Request, said: str) -> str:
    """Whom the user means: "me" is the user."""
    return USER if said in _ME else as_said(request, "who")


def _my(request: Request, said: str) -> str:
    """Whose name is asked for: behind "my" is somebody of the user's."""
    if is_chinese(request.language):
        return f"我{said}"
    return f"my {said}"


def _told_back(request: Request, said: str) -> str:
    return person_in_words(as_said(request, "who") or said, request.language)
