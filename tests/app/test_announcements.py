"""It is known of every announcement whether it was heard."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from doubles import virtual_time
from doubles.conversation import Conversation, conversation

from companion.app.announcements import Announcements
from companion.app.events import Telling
from companion.talents.timers import Due
from companion.voice.events import Ignored, Spoken
from companion.voice.orders import Reason


def due(text: str) -> Due:
    return Due(1, text, "en", timedelta())


def following(talk: Conversation, telling: Telling) -> None:
    """Let announcements hear what this conversation tells."""
    talk.loop._show = talk.loop._replies._show = lambda event: (talk.events.append(event), telling.tell(event))  # type: ignore[assignment,func-returns-value]


def test_what_is_said_through_the_loop_counts_as_heard() -> None:
    async def scene() -> None:
        telling = Telling()
        announcements = Announcements(telling)
        async with conversation() as talk:
            following(talk, telling)
            announcements.speak_through(talk.loop)
            said = await asyncio.gather(
                announcements.say(due("The tea is ready.")), announcements.say(due("So is lunch."))
            )
            assert said == [True, True]
            assert talk.voice.said == ["The tea is ready.", "So is lunch."]
            assert talk.mouth.chimes == ["timer", "timer"]

    virtual_time.run(scene())


def test_one_that_gave_way_before_it_was_heard_is_said_once(telling: Telling) -> None:
    async def scene() -> None:
        announcements = Announcements(telling)
        async with conversation() as talk:
            following(talk, telling)
            announcements.speak_through(talk.loop)
            saying = asyncio.create_task(announcements.say(due("The tea is ready.")))
            await asyncio.sleep(0.02)
            talk.loop.talk()
            assert await saying is True
            assert talk.voice.said == ["The tea is ready."]

    virtual_time.run(scene())


def test_one_that_is_taken_back_before_it_was_heard_is_not_said(telling: Telling) -> None:
    async def scene() -> None:
        announcements = Announcements(telling)
        async with conversation() as talk:
            following(talk, telling)
            announcements.speak_through(talk.loop)
            await talk.room.wake()
            saying = asyncio.create_task(announcements.say(due("The tea is ready.")))
            await asyncio.sleep(0.02)
            saying.cancel()
            await asyncio.wait({saying})
            assert await announcements.say(due("So is lunch.")) is True
            assert talk.voice.said == ["So is lunch."]

    virtual_time.run(scene())


def test_each_is_said_in_its_own_language(telling: Telling) -> None:
    async def scene() -> None:
        announcements = Announcements(telling)
        async with conversation() as talk:
            following(talk, telling)
            announcements.speak_through(talk.loop)
            assert await announcements.say(Due(1, "茶好了。", "zh", timedelta())) is True
            announcements.tell("饭好了。")
            assert await announcements.say(due("So is lunch.")) is True
            assert talk.voice.languages == ["zh", "zh", "en"]

    virtual_time.run(scene())


def test_a_broken_loudspeaker_leaves_it_unsaid() -> None:
    from companion.errors import NoSpeaker

    async def scene() -> None:
        telling = Telling()
        announcements = Announcements(telling, patience=20)
        async with conversation() as talk:
            following(talk, telling)
            talk.mouth.error = NoSpeaker("gone")
            announcements.speak_through(talk.loop)
            assert await announcements.say(due("The tea is ready.")) is False

    virtual_time.run(scene())


class Deaf:
    """A loop that takes announcements and does nothing."""

    def __init__(self) -> None:
        self.taken: list[str] = []

    def announce(self, text: str, *, chime: str, number: int, language: str = "") -> None:
        self.taken.append(text)

    def recall(self, number: int) -> None:
        self.taken[number - 1] = ""


@pytest.fixture
def telling() -> Telling:
    return Telling()


async def test_without_a_loop_nothing_is_said(telling: Telling) -> None:
    announcements = Announcements(telling)
    announcements.tell("nobody hears this")
    assert await announcements.say(due("nor this")) is False


async def test_a_loop_that_goes_takes_its_announcements_with_it(telling: Telling) -> None:
    announcements, loop = Announcements(telling), Deaf()
    announcements.speak_through(loop)  # type: ignore[arg-type]
    waiting = asyncio.create_task(announcements.say(due("tea")))
    await asyncio.sleep(0)
    announcements.speak_through(None)
    assert await waiting is False


async def test_one_that_is_never_said_is_given_up(telling: Telling) -> None:
    announcements, loop = Announcements(telling, patience=0.01), Deaf()
    announcements.speak_through(loop)  # type: ignore[arg-type]
    assert await announcements.say(due("tea")) is False
    assert loop.taken == [""]


async def test_one_too_many_is_known_not_to_be_said(telling: Telling) -> None:
    announcements = Announcements(telling)
    announcements.speak_through(Deaf())  # type: ignore[arg-type]
    first = asyncio.create_task(announcements.say(due("first")))
    second = asyncio.create_task(announcements.say(due("second")))
    await asyncio.sleep(0)
    telling.tell(Ignored(Reason.TOO_MANY_ANNOUNCEMENTS))
    assert await second is False
    telling.tell(Spoken("first", whole=True, announcement=1))
    assert await first is True


async def test_an_answer_in_between_is_no_announcement(telling: Telling) -> None:
    announcements = Announcements(telling, patience=0.05)
    announcements.speak_through(Deaf())  # type: ignore[arg-type]
    waiting = asyncio.create_task(announcements.say(due("tea")))
    await asyncio.sleep(0)
    telling.tell(Spoken("It is noon.", whole=True))
    assert await waiting is False
