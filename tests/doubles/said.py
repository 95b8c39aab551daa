"""Asks a talent through the rules that come with the program, as the agent does."""

from datetime import datetime
from zoneinfo import ZoneInfo

from doubles.rules import matcher

from companion.agent.plugin import Reply, Request, Talent

BERLIN = ZoneInfo("Europe/Berlin")
MONDAY = datetime(2026, 11, 30, 14, 20, tzinfo=BERLIN)


class SteppedClock:
    """A wall clock and a steady clock that only move when told to; ``jump`` moves the wall clock alone."""

    def __init__(self, now: datetime = MONDAY) -> None:
        self.now = now
        self.seconds = 1000.0

    def __call__(self) -> datetime:
        return self.now

    def steady(self) -> float:
        return self.seconds

    def step(self, **length: float) -> None:
        from datetime import UTC, timedelta

        passed = timedelta(**length)
        self.now = (self.now.astimezone(UTC) + passed).astimezone(self.now.tzinfo)
        self.seconds += passed.total_seconds()

    def jump(self, **length: float) -> None:
        steady = self.seconds
        self.step(**length)
        self.seconds = steady


def request_for(text: str, language: str = "en", now: datetime = MONDAY) -> Request:
    match = matcher(language).match(text)
    assert match is not None, f"no rule understands {text!r}"
    return Request(match.rule, match.slots, text, language, now)


async def ask(talent: Talent, text: str, language: str = "en", now: datetime = MONDAY) -> Reply:
    request = request_for(text, language, now)
    assert request.intent in talent.intents
    return await talent.answer(request)
