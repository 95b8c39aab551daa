"""The clock, the volume, stop, repeat, courtesy and sums."""

from fractions import Fraction

import pytest
from doubles.notebook import Notebook, shelf
from doubles.rules import matcher
from doubles.said import MONDAY, ask

from companion.agent.plugin import SayAgain, SetVolume, StopSpeaking, Talent
from companion.talents.clock import Clock
from companion.talents.courtesy import Courtesy
from companion.talents.knowledge import Knowledge
from companion.talents.maths import Maths, TooLargeError, value_of
from companion.talents.memory import Memory
from companion.talents.repeat import Repeat
from companion.talents.stop import Stop
from companion.talents.timers import Timers
from companion.talents.volume import Volume

ANSWERS = [
    (Clock(), "What time is it?", "en", "It's 2:20 PM."),
    (Clock(), "几点了", "zh", "现在下午2点20分。"),
    (Clock(), "What's the date?", "en", "It's Monday, November 30."),
    (Clock(), "今天几号", "zh", "今天是11月30日星期一。"),
    (Clock(), "What day is it?", "en", "It's Monday."),
    (Clock(), "What day is tomorrow?", "en", "Tomorrow is Tuesday."),
    (Clock(), "明天星期几", "zh", "明天是星期二。"),
    (Clock(), "What year is it?", "en", "It's 2026."),
    (Clock(), "What month is it?", "en", "It's November."),
    (Maths(), "What is 12 times 7?", "en", "That's 84."),
    (Maths(), "What's 5 plus 3 times 2?", "en", "That's 11."),
    (Maths(), "What is 10 divided by 3?", "en", "That's about 3.33."),
    (Maths(), "What is 10 divided by 0?", "en", "I can't divide by zero."),
    (Maths(), "What is 121 divided by 8?", "en", "That's 15.125."),
    (Maths(), "What is 1 divided by 7?", "en", "That's about 0.1429."),
    (Maths(), "What is 1 divided by 3000?", "en", "That's about 0.00033333."),
    (Maths(), "What is 0.1 plus 0.2?", "en", "That's 0.3."),
    (Maths(), "What is 20% of 80?", "en", "That's 16."),
    (Maths(), "What is 5 minus 8?", "en", "That's minus 3."),
    (Maths(), "What is the square root of 144?", "en", "That's 12."),
    (Maths(), "What is the square root of minus four?", "en", "A negative number has no real square root."),
    (Maths(), "What is two to the power of ten?", "en", "That's 1024."),
    (Maths(), "What is 9 to the power of 999?", "en", "That number is too large for me."),
    (Maths(), "What is one hundred and five plus twenty?", "en", "That's 125."),
    (Maths(), "What is square root of nine plus one?", "en", "That's 4."),
    (Maths(), "What is (3 + 4) * 5?", "en", "That's 35."),
    (Maths(), "What is 2 * (3 + (4 - 1))^2?", "en", "That's 72."),
    (Maths(), "What is 2 * (3 + 4?", "en", "Sorry, I did not catch the numbers."),
    (Maths(), "（3+4）*5等于几", "zh", "等于35。"),
    (Maths(), "一百除以四等于多少", "zh", "等于25。"),
    (Maths(), "三减五等于几", "zh", "等于负2。"),
    (Maths(), "二的十次方", "zh", "等于1024。"),
    (Maths(), "80的20%是多少", "zh", "等于16。"),
    (Courtesy(), "Thank you.", "en", "You're welcome."),
    (Courtesy(), "你好", "zh", "你好！"),
    (Volume(0.8), "Set the volume to 50%.", "en", "Volume 50 percent."),
    (Volume(0.8), "Set the volume to 200%.", "en", "Give me a volume from 0 to 100 percent."),
    (Volume(0.8), "音量调到百分之三十", "zh", "音量百分之30。"),
    (Stop(), "Stop.", "en", ""),
    (Stop(), "Never mind.", "en", "Okay."),
    (Repeat(), "Say that again.", "en", ""),
]

EFFECTS = [
    ("Turn it up.", SetVolume(change=0.15)),
    ("Turn it down.", SetVolume(change=-0.15)),
    ("Turn the volume up by 20%.", SetVolume(change=0.2)),
    ("Set volume to 50%.", SetVolume(0.5)),
    ("Volume 7.", SetVolume(0.7)),
    ("Mute.", SetVolume(0.0)),
    ("Unmute.", SetVolume(0.8)),
    ("Maximum volume.", SetVolume(1.0)),
]


@pytest.mark.parametrize(("talent", "said", "language", "reply"), ANSWERS)
async def test_a_talent_answers(talent: Talent, said: str, language: str, reply: str) -> None:
    assert (await ask(talent, said, language)).text == reply


@pytest.mark.parametrize(("said", "effect"), EFFECTS)
async def test_the_volume_is_set(said: str, effect: SetVolume) -> None:
    assert (await ask(Volume(0.8), said)).effects == (effect,)


async def test_stop_ends_the_reply_and_the_conversation() -> None:
    reply = await ask(Stop(), "Stop!")

    assert reply.effects == (StopSpeaking(),)
    assert not reply.follow_up


async def test_the_last_reply_is_asked_for_again() -> None:
    assert (await ask(Repeat(), "What did you say?")).effects == (SayAgain(),)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_rule_is_answered_by_one_talent(language: str, tmp_path) -> None:
    small = [Clock(), Courtesy(), Maths(), Repeat(), Stop(), Volume(0.8)]
    talents = [*small, Timers(tmp_path / "timers", MONDAY), Memory(Notebook()), Knowledge(shelf())]
    answered = [intent for talent in talents for intent in talent.intents]

    assert sorted(answered) == sorted(matcher(language).rules)
    assert all(isinstance(talent, Talent) for talent in talents)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_replies_worth_keeping_have_no_blanks(language: str, tmp_path) -> None:
    talents = [Clock(), Courtesy(), Maths(), Stop(), Volume(0.8), Timers(tmp_path / "timers", MONDAY)]
    replies = [reply for talent in talents for reply in talent.frequent_replies(language)]

    assert replies
    assert all(reply and "{" not in reply for reply in replies)


def test_a_power_of_powers_is_refused_before_it_takes_all_day() -> None:
    assert value_of("0.3 to the power of 10") == Fraction(3, 10) ** 10
    with pytest.raises(TooLargeError):
        value_of("0.3" + " to the power of 1000" * 5)
