"""Greets, takes thanks and leave, and says what the companion can do."""

from __future__ import annotations

from companion.agent.plugin import Reply, Request, StopSpeaking
from companion.talents.phrases import Phrases

_SAY = Phrases(
    {
        "thanks": ("You're welcome.", "不客气。"),
        "hello": ("Hello!", "你好！"),
        "goodbye": ("Goodbye.", "再见。"),
        "help": (
            "I can tell the time, set timers, alarms and reminders, do sums, and chat with you.",
            "我可以报时、设计时器、闹钟和提醒、做算术，还可以陪你聊天。",
        ),
    }
)


class Courtesy:
    """Answers what people say out of politeness."""

    name = "courtesy"
    intents = frozenset({"thanks", "hello", "goodbye", "help"})

    async def answer(self, request: Request) -> Reply:
        text = _SAY.say(request.intent, request.language)
        if request.intent == "goodbye":
            return Reply(text, (StopSpeaking(),), follow_up=False)
        return Reply(text)

    def frequent_replies(self, language: str) -> tuple[str, ...]:
        return _SAY.frequent(language)
