"""Asks for the user's yes in words: the call waits, and the model is told to ask.

What the model asks may be anything, for it has read what it cannot trust. So a first yes is answered by the program,
which says in its own words what would be done, and only a second yes does it. Each counts only as the very next thing
that the user says, and only if it is a yes and nothing else, in the words as they came. Anything else is a no. Only
turns of the user ask, and of those only what was really said: an early answer that was dropped has asked nothing.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import replace
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
_SURE = ("To be sure: shall I do this: {}?", "确认一下：要我这样做吗：{}？")
_DONE = ("Done.", "好了。")
_FAILED = ("Sorry, that did not work.", "抱歉，没有成功。")


class YesInWords:
    """Implements ``agent.safety.Consent``. ``attach`` gives it its place among the handlers."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._pending: ConsentRequest | None = None
        self._is_told = False
        """Whether the user has heard from the program what would be done."""
        self._since = datetime.min.replace(tzinfo=UTC)

    def attach(self) -> Callable[[], None]:
        """Listen for the yes; gives what ends that."""
        handler = Handler(Stage.ON_INPUT, self._hear, OWNER, BEFORE_COMMANDS, seconds=CALL_SECONDS + 1)
        removes = (self._registry.handlers.add(handler), self._registry.add_command(self.understands))

        def end() -> None:
            for remove in removes:
                remove()

        return end

    def understands(self, words: str) -> bool:
        """Whether these words would make the call; then they are a command, which is never asked for early."""
        return self._pending is not None and _is_yes(words)

    @property
    def pending(self) -> ConsentRequest | None:
        """What the user's next yes would allow."""
        return self._pending

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
        is_late = context.about.now - self._since > PATIENCE
        if is_late or not _is_yes(context.about.words) or not _turn_of(pending).confirmed.is_set():
            return
        language = context.about.language
        if self._is_told:
            context.response = await self._make(pending, language)
        else:
            self._pending, self._is_told, self._since = pending, True, context.about.now
            context.response = _SURE[primary(language) == "zh"].format(_in_words(pending))

    async def _make(self, request: ConsentRequest, language: str) -> str:
        tools = [replace(tool, limit_seconds=CALL_SECONDS) for tool in self._registry.tools]
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


def _in_words(request: ConsentRequest) -> str:
    """The call as a person can hear it: ``forget, about: Emma``."""
    arguments = thawed(request.arguments)
    given = (f"{name}: {value}" for name, value in arguments.items()) if isinstance(arguments, dict) else ()
    return ", ".join([request.tool.replace("_", " "), *given])[:LONGEST_QUESTION]


def _is_yes(words: str) -> bool:
    plain = words.strip().strip(".!,。！，").lower().replace(",", "")
    return any(plain in yes for yes in _YES.values())
