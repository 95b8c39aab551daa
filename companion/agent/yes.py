"""Asks for the user's yes in words: the call waits, the model is told to ask, and the next "yes" of the user makes it.

Only the very next thing the user says counts, and only if it is a yes and nothing else. Anything else is a no.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import replace

from companion.agent.handlers import Handler
from companion.agent.registry import Registry
from companion.agent.safety import ConsentRequest
from companion.agent.stages import Origin, Stage, StageContext, thawed
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

_YES = {
    "en": frozenset({"yes", "yes please", "yeah", "yep", "sure", "ok", "okay", "do it", "please do", "go ahead"}),
    "zh": frozenset({"是", "是的", "好", "好的", "可以", "行", "对", "同意"}),
}
_DONE = ("Done.", "好了。")
_FAILED = ("Sorry, that did not work.", "抱歉，没有成功。")


class YesInWords:
    """Implements ``agent.safety.Consent``. ``attach`` gives it its place among the handlers."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._pending: ConsentRequest | None = None

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
        """No for now; the newest question is the one that the next yes answers."""
        self._pending = request
        return False

    async def _hear(self, context: StageContext) -> None:
        pending = self._pending
        if pending is None or context.about.origin is not Origin.USER:
            return
        self._pending = None
        if _is_yes(context.raw_message):
            context.response = await self._make(pending, context.about.language)

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


def _is_yes(words: str) -> bool:
    plain = words.strip().strip(".!,。！，").lower().replace(",", "")
    return any(plain in yes for yes in _YES.values())
