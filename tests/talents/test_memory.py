"""What the user asks to be remembered, what is said of it, and how it is forgotten."""

from __future__ import annotations

import pytest
from doubles.notebook import Notebook, shelf
from doubles.said import MONDAY, ask

from companion.agent.plugin import About, Origin, StopSpeaking
from companion.errors import PluginError
from companion.talents.knowledge import LONGEST, Knowledge, shortened
from companion.talents.memory import Memory
from companion.talents.memory_phrases import facts_in_words


class Heard:
    """The part of a stage context that is looked at."""

    def __init__(self, words: str, language: str = "en", origin: Origin = Origin.USER) -> None:
        self.raw_message = words
        self.about = About(1, "voice", language, MONDAY, origin, words=words)
        self.response: str | None = None


async def next_thing(talent: Memory, words: str, language: str = "en", origin: Origin = Origin.USER) -> str | None:
    heard = Heard(words, language, origin)
    await talent.hear(heard)  # type: ignore[arg-type]
    return heard.response


SAID = [
    ("user | is_called | Nora", "You are called Nora."),
    ("my sister | is_called | Emma", "Your sister is called Emma."),
    ("user | lives_in | Lyon", "You live in Lyon."),
    ("Emma | lives_in | Lyon", "Emma lives in Lyon."),
    ("user | favourite_colour | dark green", "Your favourite colour is dark green."),
    ("Leo | favourite_food | rice", "Leo's favourite food is rice."),
    ("Emma | is_sibling_of | user", "Emma is a brother or sister of you."),
    ("user | born_on | --05-09", "You were born on May 9."),
    ("Leo | born_on | 2019-05-09", "Leo was born on May 9, 2019."),
    ("user | married_on | 2014-06", "You got married on June 2014."),
    ("blue box | is_kept_in | under the stairs", "Blue box is kept under the stairs."),
    ("key | is_kept_in | the hall", "Key is kept in the hall."),
    ("user | keeps_bees_in | Kent", "You keep bees in Kent."),
    ("user | asked_to_remember | the boiler was mended", "You told me: the boiler was mended."),
]
SAID_IN_CHINESE = [
    ("user | is_called | 小梅", "您叫小梅。"),
    ("user | born_on | --05-09", "您的生日是5月9日。"),
    ("我妹妹 | is_called | 小梅", "您妹妹叫小梅。"),
    ("user | asked_to_remember | 锅炉修好了。", "您告诉过我：锅炉修好了。"),
]


@pytest.mark.parametrize(("line", "said"), SAID)
def test_a_fact_is_said_as_a_person_would(line: str, said: str) -> None:
    assert facts_in_words(Notebook.of(line).lines, "en") == said


@pytest.mark.parametrize(("line", "said"), SAID_IN_CHINESE)
def test_a_fact_is_said_in_chinese(line: str, said: str) -> None:
    assert facts_in_words(Notebook.of(line).lines, "zh") == said


async def test_what_is_to_be_remembered_is_kept_in_the_user_s_spelling() -> None:
    book = Notebook()
    assert (await ask(Memory(book), "Remember that my sister is called Emma.")).text == "I'll remember that."
    assert book.lines[0].object == "my sister is called Emma"
    assert (await ask(Memory(book), "Remember that my sister is called Emma.")).text == "I knew that already."


async def test_a_secret_is_not_kept() -> None:
    book = Notebook()
    assert "don't keep passwords" in (await ask(Memory(book), "remember that my password is hunter two")).text
    assert not book.lines


async def test_the_user_is_told_who_they_are() -> None:
    assert (await ask(Memory(Notebook.of("user | is_called | Nora")), "Who am I?")).text == "You are Nora."
    assert (await ask(Memory(Notebook(), called="Walter"), "Who am I?")).text == "You are Walter."
    assert "not told me your name" in (await ask(Memory(Notebook()), "Who am I?")).text
    assert (await ask(Memory(Notebook.of("user | is_called | 小梅")), "我是谁", "zh")).text == "您是小梅。"


async def test_a_few_facts_are_said_and_the_rest_counted() -> None:
    book = Notebook.of(*(f"user | likes | thing {number}" for number in range(8)))
    told = (await ask(Memory(book), "What do you know about me?")).text
    assert told.startswith("You like thing 7. You like thing 6.")
    assert told.endswith("And 3 more.")


async def test_a_person_is_told_of() -> None:
    book = Notebook.of("my sister | is_called | Emma", "Emma | likes | tea", "Leo | likes | trains")
    told = (await ask(Memory(book), "What do you know about Emma?")).text
    assert told == "Emma likes tea. Your sister is called Emma."
    assert (await ask(Memory(book), "What is my sister called?")).text == "Your sister is called Emma."


async def test_what_nobody_has_told_is_left_to_the_model() -> None:
    reply = await ask(Memory(Notebook()), "What do you know about black holes?")
    assert reply.yields
    assert reply.text == "You have not told me anything about black holes."
    assert not (await ask(Memory(Notebook()), "What did I tell you about Emma?")).yields
    assert not (await ask(Memory(Notebook()), "What is my sister called?")).yields


async def test_forget_that_takes_back_what_was_stored_last() -> None:
    book = Notebook.of("Emma | likes | tea", "Leo | likes | trains")
    talent = Memory(book)
    assert (await ask(talent, "Forget that.")).text == "I have forgotten this: Leo likes trains."
    assert [line.subject for line in book.lines] == ["Emma"]


async def test_forget_that_with_nothing_stored_ends_the_conversation_as_it_always_did() -> None:
    reply = await ask(Memory(Notebook()), "Forget that.")
    assert reply.effects == (StopSpeaking(),)
    assert not reply.follow_up


@pytest.mark.parametrize("yes", ["Yes.", "yes please", "Do it!", "Yes, do it."])
async def test_forgetting_somebody_asks_for_a_yes(yes: str) -> None:
    book = Notebook.of("Emma | likes | tea", "Leo | likes | trains")
    talent = Memory(book)
    assert "everything about Emma" in (await ask(talent, "Forget everything about Emma.")).text
    assert len(book.lines) == 2
    assert talent.understands(yes)
    assert await next_thing(talent, yes) == "It is forgotten."
    assert [line.subject for line in book.lines] == ["Leo"]
    assert not talent.understands(yes)


@pytest.mark.parametrize("other", ["No.", "What time is it?", "yes and also set a timer", ""])
async def test_anything_else_than_a_yes_is_a_no_and_the_question_is_over(other: str) -> None:
    book = Notebook.of("Emma | likes | tea")
    talent = Memory(book)
    await ask(talent, "Forget everything about Emma.")
    assert not talent.understands(other)
    assert await next_thing(talent, other) is None
    assert await next_thing(talent, "yes") is None
    assert book.lines


async def test_the_yes_must_be_the_user_s_own() -> None:
    book = Notebook.of("Emma | likes | tea")
    talent = Memory(book)
    await ask(talent, "Forget everything.")
    assert await next_thing(talent, "yes", origin=Origin.PLUGIN) is None
    assert book.lines


async def test_everything_is_forgotten_in_chinese() -> None:
    book = Notebook.of("小梅 | likes | 茶", "user | is_called | 阿强")
    talent = Memory(book)
    assert "一切" in (await ask(talent, "忘掉一切", "zh")).text
    assert await next_thing(talent, "是的。", "zh") == "已经忘掉了。"
    assert not book.lines


async def test_a_memory_that_cannot_be_reached_says_so() -> None:
    with pytest.raises(PluginError, match="can't get at my memory"):
        await ask(Memory(Notebook(torn=True)), "What do you know about me?")


async def test_notes_are_searched_and_their_place_is_told() -> None:
    talent = Knowledge(shelf(("The boiler was serviced in May.", "manual.pdf, page 3"), ("boiler: no", "b.md")))
    told = (await ask(talent, "Search my notes for the boiler.")).text
    assert told == "In manual.pdf, page 3: The boiler was serviced in May."
    assert "nothing about that" in (await ask(talent, "search my notes for bees")).text


def test_a_long_passage_is_cut_behind_a_sentence() -> None:
    text = "The first sentence is quite long and says much of what there is to say about boilers. " * 5
    assert len(shortened(text, LONGEST)) <= LONGEST
    assert shortened(text, LONGEST).endswith("boilers.")
    assert shortened("短。" * 300, 100).endswith("。")
    assert len(shortened("x" * 500, 100)) == 100
