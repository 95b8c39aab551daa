"""Asks for the user's yes in words: to a call, which waits while the model is told to ask, or to an offer of our own.

What the model asks may be anything, for it has read what it cannot trust. So a first yes is answered by the program,
which says in its own words what would be done, and only a second yes does it. Each counts only as the very next thing
that the user says, and only if it is a yes and nothing else, in the words as they came. Anything else is a no. Only
turns of the user ask, and of those only what was really said: an early answer that was dropped has asked nothing.

One thing waits at a time, so that a yes is never to two. A call goes before an offer.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from companion.agent.handlers import Handler
from companion.agent.registry import Registry
from companion.agent.safety import ConsentRequest
from companion.agent.stages import Origin, Stage, StageContext, thawed
from companion.agent.turns import Turn
from companion.errors import CompanionError
from companion.model import Toolkit
from companion.model.tool_context import ToolContext, called_within
from companion.settings.language import primary
from companion.stream import FuncCall

logger = logging.getLogger(__name__)

OWNER = "consent"
BEFORE_COMMANDS = -2000
"""The priority of the handler: "yes" is a word some command may know, too."""
CALL_SECONDS = 20.0
PATIENCE = timedelta(minutes=2)
"""After which a yes is an answer to something else."""
LONGEST_QUESTION = 300
"""Characters."""

_YES = {
    "en": frozenset({"yes", "yes please", "yeah", "yep", "sure", "ok", "okay", "do it", "please do", "go ahead"}),
    "zh": frozenset({"是", "是的", "好", "好的", "可以", "行", "对", "同意"}),
}
_NO = {
    "en": frozenset({"no", "no thanks", "no thank you", "nope", "not now", "please don't", "don't"}),
    "zh": frozenset({"不", "不用", "不用了", "不要", "不必", "不需要", "算了", "不用谢谢"}),
}
"""What answers an offer; a call that was not allowed is for the model to talk of."""
_SURE = ("To be sure: shall I do this: {}?", "确认一下：要我这样做吗：{}？")
_DONE = ("Done.", "好了。")
_LEFT = ("Okay.", "好的。")
_FAILED = ("Sorry, that did not work.", "抱歉，没有成功。")


@dataclass(frozen=True, slots=True)
class Offer:
    """Something the program could do, and has asked about in its own words.

    sure: asks again, and says all that would be done. do: does it, at this moment, and says so. at: when it was made.
    """

    sure: str
    do: Callable[[datetime], Awaitable[str]]
    at: datetime


class YesInWords:
    """Implements ``agent.safety.Consent``. ``attach`` gives it its place among the handlers."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._pending: ConsentRequest | Offer | None = None
        self._is_told = False
        """Whether the user has heard from the program what would be done."""
        self._since = datetime.min.replace(tzinfo=UTC)

    def attach(self) -> Callable[[], None]:
        """Listen for the yes; gives what ends that."""
        handler = Handler(Stage.ON_INPUT, self._hear, OWNER, BEFORE_COMMANDS, seconds=CALL_SECONDS + 1, is_own=True)
        removes = (self._registry.handlers.add(handler), self._registry.add_command(self.understands))

        def end() -> None:
            for remove in removes:
                remove()

        return end

    def understands(self, words: str) -> bool:
        """Whether these words answer what waits; then they are a command, which is never asked for early."""
        is_no = isinstance(self._pending, Offer) and _is_one_of(words, _NO)
        return self._pending is not None and (is_no or _is_yes(words))

    @property
    def pending(self) -> ConsentRequest | Offer | None:
        """What the user's next yes would allow."""
        return self._pending

    def offer(self, offer: Offer) -> bool:
        """Have the user's next yes be to this, which was asked just now; not where something waits already."""
        if self._pending is not None:
            return False
        self._pending, self._is_told, self._since = offer, False, offer.at
        return True

    async def ask(self, request: ConsentRequest) -> bool:
        """No for now; the newest question of the user's turns is the one that the next yes answers."""
        if _turn_of(request).about.origin is Origin.USER:
            self._pending, self._is_told, self._since = request, False, _turn_of(request).about.now
        return False

    async def _hear(self, context: StageContext) -> None:
        pending = self._pending
        if pending is None or context.about.origin is not Origin.USER:
            return
        self._pending = None
        language, now, words = context.about.language, context.about.now, context.about.words
        is_late = now - self._since > PATIENCE
        if is_late or not _is_yes(words) or not _was_asked(pending):
            if not is_late and isinstance(pending, Offer) and _is_one_of(words, _NO):
                context.response = _LEFT[primary(language) == "zh"]
        elif self._is_told:
            context.response = await self._done(pending, now, language)
        else:
            self._pending, self._is_told, self._since = pending, True, now
            context.response = _question(pending, language)

    async def _done(self, pending: ConsentRequest | Offer, now: datetime, language: str) -> str:
        if isinstance(pending, ConsentRequest):
            return await self._make(pending, language)
        try:
            return await pending.do(now)
        except CompanionError as error:
            logger.warning("what was offered failed: %s", type(error).__name__)
            return _FAILED[primary(language) == "zh"]

    async def _make(self, request: ConsentRequest, language: str) -> str:
        tools = [replace(tool, limit_seconds=CALL_SECONDS) for tool in self._registry.all_tools]
        arguments = json.dumps(thawed(request.arguments), ensure_ascii=False)
        try:
            with called_within(ToolContext(attributes=request.attributes)):
                await Toolkit(tools).invoke(FuncCall(request.tool, arguments))
        except CompanionError as error:
            logger.warning("what the user allowed failed: %s", type(error).__name__)
            return _FAILED[primary(language) == "zh"]
        return _DONE[primary(language) == "zh"]


def _turn_of(request: ConsentRequest) -> Turn:
    turn = request.attributes["turn"]
    assert isinstance(turn, Turn)
    return turn


def _was_asked(pending: ConsentRequest | Offer) -> bool:
    return isinstance(pending, Offer) or _turn_of(pending).confirmed.is_set()


def _question(pending: ConsentRequest | Offer, language: str) -> str:
    if isinstance(pending, Offer):
        return pending.sure
    return _SURE[primary(language) == "zh"].format(_in_words(pending))


def _in_words(request: ConsentRequest) -> str:
    """The call as a person can hear it: ``forget, about: Emma``."""
    arguments = thawed(request.arguments)
    given = (f"{name}: {value}" for name, value in arguments.items()) if isinstance(arguments, dict) else ()
    words = ", ".join([request.tool.replace("_", " "), *given])
    more = len(words) - LONGEST_QUESTION
    return f"{words[:LONGEST_QUESTION]} ... (+{more})" if more > 0 else words


def _is_yes(words: str) -> bool:
    return _is_one_of(words, _YES)


def _is_one_of(words: str, answers: Mapping[str, frozenset[str]]) -> bool:
    plain = words.strip().strip(".!,。！，").lower().replace(",", "").replace("，", "")
    return any(plain in some for some in answers.values())
