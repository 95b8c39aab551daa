"""Who speaks of an appointment is asked once whether to be reminded of it, and is reminded after two yeses."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from doubles.generator import ScriptedGenerator, count_words

from companion.agent import reply
from companion.agent.answer import Said
from companion.agent.registry import Registry
from companion.agent.stages import About
from companion.agent.yes import YesInWords
from companion.app.mind import Mind, build_mind
from companion.app.minding import reminders as reminders_room
from companion.app.minding.reminders import MOST_A_DAY, REST, UNWANTED, ReminderOffers, due_before
from companion.app.paths import Paths
from companion.memory.facts import Triple
from companion.model import ModelContext
from companion.settings.schema import Memory, Settings
from companion.stream import Text
from companion.talents.timer_book import Kind

NOW = datetime(2026, 11, 30, 14, 20, tzinfo=ZoneInfo("Europe/Berlin"))


class Scripted(ScriptedGenerator):
    """A thinker."""

    def count_tokens(self, text: str) -> int:
        return count_words(text)

    async def warm(self, context: ModelContext) -> None:
        """It is warm."""


@pytest.fixture(autouse=True)
def _busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that has other work to do may take its time."""
    monkeypatch.setattr(reply, "AFTERWORD_SECONDS", 30.0)


@asynccontextmanager
async def a_mind(folder: Path, *answers: str, **settings: object) -> AsyncIterator[Mind]:
    paths = Paths.under(folder / "home")
    paths.prepare()
    mind = await build_mind(Settings(**settings), paths, Scripted(*answers))  # type: ignore[arg-type]
    if mind.around.keeper is not None and mind.around.memory is not None:
        await mind.around.keeper.prepare()
        await mind.around.memory.opened()
    try:
        yield mind
    finally:
        await mind.close()


async def say(mind: Mind, text: str, language: str = "en", *, most: int | None = None) -> str:
    """A whole turn; of the answer so many letters are heard."""
    answer = await mind.agent.answer(Said(text, language))
    answer.confirm()
    said = "".join([chunk.part.text async for chunk in answer.text if isinstance(chunk.part, Text)])
    await mind.agent.commit(answer, said[:most], whole=most is None)
    await mind.agent.settle()
    return said


def reminders(mind: Mind) -> list[str]:
    assert mind.timers is not None
    return [timer.label for timer in mind.timers._book.of_kind(Kind.REMINDER)]


async def test_an_appointment_becomes_a_dated_fact_and_a_reminder_after_two_yeses(tmp_path: Path) -> None:
    async with a_mind(tmp_path, "Splendid.") as mind:
        assert await say(mind, "My dentist is on Friday.") == "Splendid. Shall I remind you?"
        opened = mind.around.memory.open_now  # type: ignore[union-attr]
        assert opened is not None
        (fact,) = [one for one in await opened.graph.about("user") if one.relation == "has_appointment"]
        assert fact.valid_from is not None
        assert reminders(mind) == []

        sure = await say(mind, "Yes, please.")
        assert sure.startswith("To be sure: shall I remind you")
        assert sure.endswith(": dentist?")
        assert reminders(mind) == []
        assert (await say(mind, "Yes.")).startswith("Okay, I will remind you")
        assert reminders(mind) == ["dentist"]
        assert mind.timers is not None
        due = mind.timers.next_due()
        assert due is not None
        assert fact.valid_from - timedelta(days=1) <= due < fact.valid_from + timedelta(days=1)


async def test_it_is_offered_in_chinese_too(tmp_path: Path) -> None:
    async with a_mind(tmp_path, "好的。") as mind:
        assert await say(mind, "我明天下午三点要去看牙医", "zh") == "好的。要我提醒您吗？"
        sure = await say(mind, "好的", "zh")
        assert sure.startswith("确认一下")
        assert "看牙医" in sure
        assert "提醒您" in await say(mind, "是的", "zh")
        assert reminders(mind) == ["看牙医"]


async def test_what_was_to_be_remembered_is_offered_with_the_answer(tmp_path: Path) -> None:
    async with a_mind(tmp_path) as mind:
        told = await say(mind, "Remember that my dentist is on Friday.")
        assert told == "I'll remember that. Shall I remind you?"
        await say(mind, "Yes.")
        await say(mind, "Yes.")
        assert reminders(mind) == ["dentist"]
        assert await say(mind, "Remember that my dentist is on Friday.") == "I knew that already."


async def test_a_reply_does_not_wait_for_what_takes_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()

    def slow(source: object) -> object:
        release.wait(20)
        raise ValueError

    async with a_mind(tmp_path, "Splendid.") as mind:
        monkeypatch.setattr(reply, "AFTERWORD_SECONDS", 0.01)
        monkeypatch.setattr(reminders_room, "read_out", slow)
        answer = await mind.agent.answer(Said("My dentist is on Friday.", "en"))
        answer.confirm()
        async with asyncio.timeout(10):
            said = "".join([chunk.part.text async for chunk in answer.text if isinstance(chunk.part, Text)])
        release.set()
        assert said == "Splendid."
        await mind.agent.commit(answer, said, whole=True)
        await mind.agent.settle()


async def test_a_no_is_taken_and_it_is_not_asked_again(tmp_path: Path) -> None:
    async with a_mind(tmp_path, "Splendid.", "Aha.", "Hm.") as mind:
        await say(mind, "My dentist is on Friday.")
        assert await say(mind, "No, thanks.") == "Okay."
        assert await say(mind, "My dentist is on Friday.") == "Aha."
        assert await say(mind, "Yes.") == "Hm."
        assert reminders(mind) == []


async def test_anything_else_leaves_it(tmp_path: Path) -> None:
    async with a_mind(tmp_path, "Splendid.", "Salt.", "Hm.") as mind:
        await say(mind, "My dentist is on Friday.")
        assert await say(mind, "Why is the sea so salty?") == "Salt."
        assert await say(mind, "Yes.") == "Hm."
        assert reminders(mind) == []


async def test_what_was_not_heard_was_not_asked(tmp_path: Path) -> None:
    async with a_mind(tmp_path, "Splendid.", "Hm.") as mind:
        await say(mind, "My dentist is on Friday.", most=10)
        assert await say(mind, "Yes.") == "Hm."


@pytest.mark.parametrize(
    ("said", "answer", "settings"),
    [
        ("My dentist is on Friday.", "Splendid.", {"memory": Memory(offer_reminders=False)}),
        ("My dentist is on Friday.", "Splendid.", {"memory": Memory(keep=False)}),
        ("My dentist is on Friday.", "Really?", {}),
        ("My brother is called Tom.", "Aha.", {}),
        ("Is my dentist on Friday?", "Maybe.", {}),
        ("I was at the dentist on Friday.", "Aha.", {}),
    ],
)
async def test_nothing_is_offered_where_it_is_not_wanted_or_not_fitting(
    tmp_path: Path, said: str, answer: str, settings: dict[str, object]
) -> None:
    async with a_mind(tmp_path, answer, **settings) as mind:
        assert await say(mind, said) == answer


class Never:
    """Sets nothing."""

    async def remind(self, due: datetime, task: str, language: str, now: datetime) -> str:
        return "set"


class Always:
    """Finds a new appointment in everything."""

    async def appointments(self, said: Said, now: datetime) -> Sequence[Triple]:
        start = now + timedelta(days=3)
        return [Triple("user", "has_appointment", said.text, valid_from=start, valid_until=start + timedelta(days=1))]


class Offers:
    """Offers of a house where time is stepped."""

    def __init__(self) -> None:
        self.yes = YesInWords(Registry())
        self.offers = ReminderOffers(self.yes, Never(), Always())
        self.now = NOW

    async def offered(self, *, accepted: bool) -> bool:
        about = About(1, "voice", "en", self.now)
        behind = await self.offers.behind("dentist", about, "Aha.")
        if behind is None:
            return False
        behind.asked()
        pending, self.yes._pending = self.yes.pending, None
        if accepted:
            assert pending is not None
            await pending.do(self.now)  # type: ignore[union-attr]
        return True


async def test_it_is_offered_so_often_a_day_and_no_more() -> None:
    house = Offers()
    assert [await house.offered(accepted=True) for _ in range(MOST_A_DAY + 2)] == [True] * MOST_A_DAY + [False] * 2
    house.now += timedelta(days=1)
    assert await house.offered(accepted=True)


async def test_where_it_is_not_wanted_it_rests() -> None:
    house = Offers()
    assert [await house.offered(accepted=False) for _ in range(UNWANTED + 1)] == [True] * UNWANTED + [False]
    house.now += REST - timedelta(minutes=1)
    assert not await house.offered(accepted=False)
    house.now += timedelta(minutes=1)
    assert await house.offered(accepted=True)


async def test_it_waits_where_something_else_waits_for_a_yes() -> None:
    house = Offers()
    behind = await house.offers.behind("dentist", About(1, "voice", "en", NOW), "Aha.")
    assert behind is not None
    behind.asked()
    assert await house.offers.behind("party", About(2, "voice", "en", NOW), "Aha.") is None


def stretch(start: str, hours: float) -> Triple:
    begins = datetime.fromisoformat(start).replace(tzinfo=NOW.tzinfo)
    return Triple("user", "has_appointment", "x", valid_from=begins, valid_until=begins + timedelta(hours=hours))


@pytest.mark.parametrize(
    ("triple", "due"),
    [
        (stretch("2026-12-04T00:00", 24), "2026-12-03T18:00"),
        (stretch("2026-12-01T00:00", 24), "2026-11-30T18:00"),
        (stretch("2026-12-04T15:00", 1), "2026-12-04T14:00"),
        (stretch("2026-11-30T15:00", 1), None),
        (stretch("2026-11-30T00:00", 24), None),
        (stretch("2026-11-29T00:00", 24), None),
    ],
)
def test_the_reminder_comes_before_it(triple: Triple, due: str | None) -> None:
    found = due_before(triple, NOW)
    assert (found.replace(tzinfo=None).isoformat(timespec="minutes") if found else None) == due
