from datetime import datetime
from pathlib import Path

import pytest
from doubles.generator import ScriptedGenerator, count_words
from doubles.rules import matcher
from doubles.said import MONDAY

from companion.agent.agent import NO_MODEL, Agent
from companion.agent.answer import Answer, Answerer, Said
from companion.agent.plugin import Reply, Request, SayAgain, SetVolume, StopSpeaking, Talent
from companion.compose.session import FileSession, MemorySession, Session
from companion.errors import ModelDied, PluginError
from companion.model import Generator
from companion.settings.schema import General, Models, Settings
from companion.stream import Status, Text
from companion.talents.clock import Clock
from companion.talents.repeat import Repeat
from companion.talents.stop import Stop
from companion.talents.volume import Volume


class Failing:
    """A talent that raises what it was given."""

    name = "failing"
    intents = frozenset({"thanks"})

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def answer(self, request: Request) -> Reply:
        raise self._error

    def frequent_replies(self, language: str) -> tuple[str, ...]:
        return ()


def agent_with(
    generator: Generator | None = None,
    *,
    talents: tuple[Talent, ...] = (Clock(), Stop(), Repeat(), Volume(0.8)),
    session: Session | None = None,
    settings: Settings | None = None,
    now: datetime = MONDAY,
) -> Agent:
    return Agent(
        matchers={"en": matcher("en"), "zh": matcher("zh")},
        talents=talents,
        generator=generator,
        session=MemorySession() if session is None else session,
        personality="You are kind.\n",
        settings=settings or Settings(),
        clock=lambda: now,
        count_tokens=count_words,
    )


async def read(answer: Answer) -> str:
    parts = [chunk.part.text async for chunk in answer.text if isinstance(chunk.part, Text) and chunk.part.text]
    return " ".join(parts)


async def turn(agent: Agent, text: str, heard: str | None = None, *, whole: bool = True, language: str = "en") -> str:
    """One whole turn; ``heard``: what the user heard of the reply, all of it by default."""
    answer = await agent.answer(Said(text, language))
    reply = await read(answer)
    await agent.commit(answer, reply if heard is None else heard, whole=whole)
    return reply


def history(session: Session) -> list[tuple[str, str]]:
    return [(entry.message.role.value, entry.message.text) for entry in session.entries]


def test_it_keeps_the_contract() -> None:
    answerer: Answerer = agent_with()

    assert answerer.is_command(Said("What time is it?", "en"))
    assert not answerer.is_command(Said("What is time?", "en"))


async def test_a_command_never_reaches_the_model() -> None:
    generator = ScriptedGenerator()

    answer = await agent_with(generator).answer(Said("Okay Nabu, what time is it?", "en"))

    assert await read(answer) == "It's 2:20 PM."
    assert (answer.source, answer.language, answer.follow_up) == ("rule:clock.time", "en", True)
    assert answer.text.state is not None
    assert answer.text.state.status is Status.DONE
    assert generator.contexts == []


async def test_commands_carry_their_effects() -> None:
    agent = agent_with()

    effects = {text: (await agent.answer(Said(text, "en"))).effects for text in ("Stop.", "Say that again.", "Mute.")}

    assert effects == {"Stop.": (StopSpeaking(),), "Say that again.": (SayAgain(),), "Mute.": (SetVolume(0.0),)}


async def test_stop_says_nothing_and_ends_the_conversation() -> None:
    answer = await agent_with().answer(Said("Stop.", "en"))

    assert await read(answer) == ""
    assert not answer.follow_up


@pytest.mark.parametrize(
    ("text", "language", "reply", "spoken"),
    [
        ("What time is it?", "en", "It's 2:20 PM.", "en"),
        ("几点了", "zh", "现在下午2点20分。", "zh"),
        ("几点了", "zh-CN", "现在下午2点20分。", "zh-CN"),
        ("Never mind.", "zh", "好的。", "zh"),
        ("Never mind.", "de", "Okay.", "en"),
    ],
)
async def test_the_reply_is_in_the_language_of_the_turn(text: str, language: str, reply: str, spoken: str) -> None:
    answer = await agent_with().answer(Said(text, language))

    assert (await read(answer), answer.language) == (reply, spoken)


async def test_a_rule_whose_talent_is_off_is_left_to_the_model() -> None:
    agent = agent_with(ScriptedGenerator("I would not know."), talents=(Stop(),))

    assert not agent.is_command(Said("What time is it?", "en"))
    assert await turn(agent, "What time is it?") == "I would not know."


async def test_two_talents_for_one_command_are_refused() -> None:
    with pytest.raises(PluginError, match=r"stop and stop both answer (stop|never_mind)"):
        agent_with(talents=(Stop(), Stop()))


async def test_a_talents_error_is_said() -> None:
    agent = agent_with(talents=(Failing(PluginError("Sorry, I could not save that.", plugin="failing")),))

    assert await turn(agent, "Thank you.") == "Sorry, I could not save that."


@pytest.mark.parametrize(("language", "text"), [("en", "Sorry, that did not work."), ("zh", "抱歉，没有成功。")])
async def test_a_broken_talent_does_not_end_the_conversation(language: str, text: str) -> None:
    agent = agent_with(talents=(Failing(ZeroDivisionError("private words")),))

    assert await turn(agent, "Thank you." if language == "en" else "谢谢你", language=language) == text


@pytest.mark.parametrize(
    ("language", "told", "begin"),
    [("en", "en", "I can't chat yet"), ("zh", "zh", "我还不能聊天"), ("de", "en", "I can't chat yet")],
)
async def test_without_a_model_commands_work_and_the_rest_says_what_to_do(language: str, told: str, begin: str) -> None:
    session = MemorySession()
    agent = agent_with(None, session=session)

    answer = await agent.answer(Said("Tell me a story.", language))
    text = await read(answer)
    await agent.commit(answer, text, whole=True)

    assert text.startswith(begin)
    assert "companion models pull" in text
    assert (answer.source, answer.language) == (NO_MODEL, told)
    assert history(session) == []
    assert await turn(agent, "What time is it?") == "It's 2:20 PM."


async def test_a_model_that_fails_says_so() -> None:
    with pytest.raises(ModelDied):
        await agent_with(ScriptedGenerator(error=ModelDied("gone"))).answer(Said("Hm, who are you?", "en"))


async def test_the_model_is_told_what_day_it_is_who_it_is_and_what_was_said() -> None:
    generator = ScriptedGenerator("I am fine.", "In Paris.")
    settings = Settings(general=General(name="Ada"), models=Models(answer_tokens=99, temperature=0.0))
    agent = agent_with(generator, settings=settings)

    await turn(agent, "How are you?")
    await turn(agent, "Where is the Louvre?")

    context = generator.contexts[1]
    assert [prompt.text for prompt in context.prompts] == [
        "Today is Monday, November 30, 2026, in the afternoon.",
        "You are kind.",
        "The person you talk with is called Ada.",
    ]
    assert [message.text for message in context.messages] == ["How are you?", "I am fine.", "Where is the Louvre?"]
    assert context.closing == ""
    assert (context.params.max_tokens, context.params.temperature) == (99, 0.0)


async def test_a_language_other_than_english_is_asked_for_last() -> None:
    generator = ScriptedGenerator("好。")

    await turn(agent_with(generator), "给我讲个故事", language="zh-CN")

    assert generator.contexts[0].closing == "Answer in Chinese."


async def test_what_was_heard_enters_the_history_and_not_what_was_generated() -> None:
    session = MemorySession()
    agent = agent_with(ScriptedGenerator("Once upon a time there was a king."), session=session)

    await turn(agent, "Tell me a story.", heard="Once upon a", whole=False)

    assert history(session) == [("user", "Tell me a story."), ("assistant", "Once upon a")]
    assert [entry.interrupted for entry in session.entries] == [False, True]


async def test_a_question_without_a_heard_answer_is_joined_to_the_next() -> None:
    session, generator = MemorySession(), ScriptedGenerator("No.", "Yes.")
    agent = agent_with(generator, session=session)

    await turn(agent, "Is it warm?", heard="", whole=False)
    await turn(agent, "In Rome, I mean.")

    assert history(session)[0] == ("user", "Is it warm?")
    assert [message.text for message in generator.contexts[1].messages] == ["Is it warm?\nIn Rome, I mean."]


@pytest.mark.parametrize("text", ["Stop.", "Louder.", "Say that again.", "Never mind."])
async def test_orders_to_the_loudspeaker_are_no_conversation(text: str) -> None:
    session = MemorySession()
    await turn(agent_with(session=session), text)

    assert history(session) == []


async def test_an_answer_that_is_dropped_leaves_no_trace() -> None:
    session, generator = MemorySession(), ScriptedGenerator("Once upon a time.")
    agent = agent_with(generator, session=session)

    answer = await agent.answer(Said("Tell me a story.", "en"))
    await answer.text.next()
    await answer.text.close()

    assert history(session) == []
    assert generator.streams[0].state is not None
    assert generator.streams[0].state.status is Status.INTERRUPTED


async def test_the_conversation_goes_on_after_a_restart(tmp_path: Path) -> None:
    first = agent_with(ScriptedGenerator("Hello Ada."), session=await FileSession.open(tmp_path, "home"))
    await turn(first, "I am Ada.")
    generator = ScriptedGenerator("You are Ada.")

    await turn(agent_with(generator, session=await FileSession.open(tmp_path, "home")), "Who am I?")

    assert [message.text for message in generator.contexts[0].messages] == ["I am Ada.", "Hello Ada.", "Who am I?"]


async def test_prompts_begin_alike_turn_after_turn_and_never_overflow() -> None:
    generator = ScriptedGenerator(*["word " * 20 + "end."] * 60)
    agent = agent_with(generator, settings=Settings(models=Models(context_tokens=1024, answer_tokens=100)))

    for number in range(60):
        await turn(agent, f"Tell me more about number {number}, dear companion.")

    starts = [context.messages[0].text for context in generator.contexts]
    assert len(set(starts)) <= 8
    sizes = [sum(count_words(m.text) + 8 for m in context.messages) for context in generator.contexts]
    assert max(sizes) < 1024 - 100


async def test_a_tiny_context_still_carries_the_question() -> None:
    generator = ScriptedGenerator("Yes.", "Yes.")
    agent = agent_with(generator, settings=Settings(models=Models(context_tokens=512, answer_tokens=500)))

    await turn(agent, "Is it warm today in Rome?")
    await turn(agent, "And in Paris?")

    assert [message.text for message in generator.contexts[1].messages] == ["And in Paris?"]


def test_commands_that_may_go_on_are_known() -> None:
    from companion.talents.timers import Timers

    agent = agent_with(talents=(Timers(Path("unused"), MONDAY), Stop()))

    assert agent.may_go_on(Said("Remind me at six to call", "en"))
    assert not agent.may_go_on(Said("Stop.", "en"))
    assert not agent.may_go_on(Said("Tell me a story.", "en"))


def test_frequent_replies_of_all_talents_are_known() -> None:
    assert {"Okay.", "Muted."} <= set(agent_with().frequent_replies("en"))
    assert {"好的。", "已静音。"} <= set(agent_with().frequent_replies("zh"))
