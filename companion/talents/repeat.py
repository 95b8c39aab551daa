"""Says the last reply once more."""

from __future__ import annotations

from companion.agent.plugin import Reply, Request, SayAgain


class Repeat:
    """Answers "say that again". The voice loop knows what was said last; here it is only asked for."""

    name = "repeat"
    intents = frozenset({"repeat"})

    async def answer(self, request: Request) -> Reply:
        return Reply("", (SayAgain(),))

    def frequent_replies(self, language: str) -> tuple[str, ...]:
        return ()
