"""Stops the reply and the conversation."""

from __future__ import annotations

from companion.agent.plugin import Reply, Request, StopSpeaking
from companion.talents.phrases import Phrases

# Who asks for silence gets it; who changes their mind is told that it was understood.
_SAY = Phrases({"stop": ("", ""), "never_mind": ("Okay.", "好的。")})


class Stop:
    """Answers "stop", "be quiet" and "never mind"."""

    name = "stop"
    intents = frozenset({"stop", "never_mind"})

    async def answer(self, request: Request) -> Reply:
        return Reply(_SAY.say(request.intent, request.language), (StopSpeaking(),), follow_up=False)

    def frequent_replies(self, language: str) -> tuple[str, ...]:
        return _SAY.frequent(language)
