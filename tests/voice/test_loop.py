"""Whole conversations through the loop, among doubles, in virtual time."""

from __future__ import annotations

import pytest
from doubles import virtual_time
from doubles.agent import Kept, Memory
from doubles.conversation import conversation

from companion.settings.schema import Wake
from companion.voice.events import HeardText, State, TurnTimed

LONG = (
    "The tallest mountain on land is Mount Everest in the Himalayas. It is eight thousand metres high. "
    "Many people climb it every year. Some of them come back."
)


def test_a_question_after_the_wake_word_is_answered_and_kept() -> None:
    async def scene() -> None:
        async with conversation(Memory({"how high is everest": "It is very high. Really."})) as talk:
            await talk.ask("how high is everest")
            ended = talk.now
            await talk.until(State.SPEAKING)
            assert talk.mouth.when("sound") - ended == pytest.approx(0.5, abs=0.25)
            await talk.until(State.LISTENING)
            assert talk.agent.history == [Kept("how high is everest", "It is very high. Really.", whole=True)]
            assert talk.recogniser.heard[-1] == "how high is everest"
            assert talk.of(HeardText)[-1].final
            timed = talk.of(TurnTimed)
            assert len(timed) == 1
            assert timed[0].total == pytest.approx(talk.mouth.when("sound") - ended, abs=0.05)

    virtual_time.run(scene())


def test_words_right_behind_the_wake_word_are_not_lost_and_it_is_not_among_them() -> None:
    async def scene() -> None:
        async with conversation(Memory(commands={"what time is it": "It is noon."})) as talk:
            talk.senses.verifying = 0.5
            await talk.ask("what time is it")
            await talk.until(State.SPEAKING)
            assert talk.recogniser.heard == ["what time is it"]
            assert talk.mouth.chimes == []

    virtual_time.run(scene())


def test_a_command_is_answered_sooner_than_a_sentence() -> None:
    async def scene() -> None:
        async with conversation(Memory(commands={"what time is it": "It is noon."})) as talk:
            await talk.ask("what time is it")
            ended = talk.now
            await talk.until(State.SPEAKING)
            assert talk.mouth.when("sound") - ended == pytest.approx(0.36, abs=0.04)

    virtual_time.run(scene())


def test_the_answer_is_made_while_the_silence_still_runs() -> None:
    async def scene() -> None:
        async with conversation(Memory({"tell me a story": "Once upon a time."})) as talk:
            talk.judge.score = 0.5
            await talk.ask("tell me a story")
            ended = talk.now
            await talk.until(State.SPEAKING)
            assert talk.mouth.when("sound") - ended == pytest.approx(0.6, abs=0.04)
            assert talk.agent.asked == ["tell me a story"]

    virtual_time.run(scene())


def test_a_pause_inside_a_sentence_is_waited_for_and_the_early_answer_dropped() -> None:
    async def scene() -> None:
        async with conversation(Memory({"tell me a story": "No.", "tell me a story about cats": "Yes."})) as talk:
            talk.judge.score = 0.5
            await talk.ask("tell me a story")
            await talk.room.quiet(0.5)
            await talk.room.say("about cats")
            await talk.until(State.LISTENING)
            assert talk.agent.history == [Kept("tell me a story about cats", "Yes.", whole=True)]
            assert talk.voice.said[-1] == "Yes."

    virtual_time.run(scene())


def test_what_a_model_wants_done_is_allowed_when_the_turn_has_ended_and_not_for_an_early_answer() -> None:
    async def scene() -> None:
        async with conversation(Memory({"tell me a story": "No.", "tell me a story about cats": "Yes."})) as talk:
            talk.judge.score = 0.5
            await talk.ask("tell me a story")
            await talk.room.quiet(0.5)
            assert talk.agent.asked == ["tell me a story"]
            assert talk.agent.confirmed == []
            await talk.room.say("about cats")
            await talk.until(State.LISTENING)
            assert talk.agent.confirmed == ["tell me a story about cats"]

    virtual_time.run(scene())


def test_going_on_after_the_turn_has_ended_joins_the_sentence() -> None:
    async def scene() -> None:
        async with conversation(Memory({"tell me a story about cats": "Yes."})) as talk:
            talk.agent.first_token = 1.0
            await talk.ask("tell me a story")
            await talk.until(State.THINKING)
            await talk.room.quiet(0.3)
            await talk.room.say("about cats")
            await talk.until(State.SPEAKING)
            await talk.until(State.LISTENING)
            assert talk.agent.history == [Kept("tell me a story about cats", "Yes.", whole=True)]

    virtual_time.run(scene())


def test_after_a_reply_more_can_be_asked_without_the_wake_word() -> None:
    async def scene() -> None:
        agent = Memory({"how high is everest": "Very high.", "and in feet": "Even higher."})
        async with conversation(agent) as talk:
            await talk.ask("how high is everest")
            await talk.until(State.SPEAKING)
            await talk.until(State.LISTENING)
            await talk.room.quiet(2.0)
            await talk.room.say("and in feet")
            await talk.until(State.SPEAKING)
            await talk.until(State.ASLEEP)
            assert [kept.heard for kept in agent.history] == ["Very high.", "Even higher."]

    virtual_time.run(scene())


def test_speaking_over_a_reply_quietens_it_then_stops_it_and_history_ends_at_the_word() -> None:
    async def scene() -> None:
        agent = Memory({"how high is everest": LONG, "no in europe i mean": "Mont Blanc."})
        async with conversation(agent) as talk:
            await talk.ask("how high is everest")
            await talk.until(State.SPEAKING)
            await talk.room.quiet(3.0)
            onset = talk.now
            await talk.room.say("no in europe i mean")
            await talk.until(State.THINKING)
            assert talk.mouth.when("duck") - onset == pytest.approx(0.05, abs=0.04)
            assert talk.mouth.when("hush") - onset == pytest.approx(0.16, abs=0.05)
            await talk.until(State.SPEAKING)
            await talk.until(State.ASLEEP)
            first, second = agent.history
            assert first.said == "how high is everest"
            assert LONG.startswith(first.heard)
            assert not first.whole
            assert first.heard == "The tallest mountain on land is Mount Everest in"
            assert second == Kept("no in europe i mean", "Mont Blanc.", whole=True)

    virtual_time.run(scene())


@pytest.mark.parametrize("call", ["stop", "names stop stop", "will i stop"])
def test_stop_ends_the_reply_and_the_conversation_even_where_the_reply_is_mixed_into_it(call: str) -> None:
    async def scene() -> None:
        agent = Memory({"how high is everest": LONG})
        async with conversation(agent) as talk:
            await talk.ask("how high is everest")
            await talk.until(State.SPEAKING)
            await talk.room.quiet(2.0)
            await talk.room.say(call)
            await talk.until(State.ASLEEP)
            assert [kept.said for kept in agent.history] == ["how high is everest", "Stop."]
            await talk.room.quiet(5.0)
            assert talk.loop.state is State.ASLEEP

    virtual_time.run(scene())


@pytest.mark.parametrize("sound", ["mhm", "yeah okay", ""])
def test_a_backchannel_lets_the_reply_go_on_to_its_end(sound: str) -> None:
    async def scene() -> None:
        agent = Memory({"how high is everest": LONG})
        async with conversation(agent) as talk:
            await talk.ask("how high is everest")
            await talk.until(State.SPEAKING)
            await talk.room.quiet(6.0)
            await (talk.room.say(sound, pace=0.4) if sound else talk.room.cough(0.5))
            await talk.until(State.SPEAKING)
            await talk.until(State.LISTENING)
            assert agent.history == [Kept("how high is everest", LONG, whole=True)]
            assert agent.asked == ["how high is everest"]

    virtual_time.run(scene())


def test_a_short_cough_only_ducks() -> None:
    async def scene() -> None:
        agent = Memory({"how high is everest": LONG})
        async with conversation(agent) as talk:
            await talk.ask("how high is everest")
            await talk.until(State.SPEAKING)
            await talk.room.quiet(2.0)
            await talk.room.cough(0.12)
            await talk.until(State.LISTENING)
            noted = [what for _, what in talk.mouth.log]
            assert noted == ["sound", "duck", "unduck", "silent"]
            assert agent.history[0].whole

    virtual_time.run(scene())


def test_it_does_not_wake_on_its_own_words() -> None:
    async def scene() -> None:
        agent = Memory({"what do i call you": "Say okay nabu, and I will listen to whatever you say to me."})
        async with conversation(agent) as talk:
            await talk.ask("what do i call you")
            await talk.until(State.SPEAKING)
            await talk.room.quiet(1.0)
            woken = talk.senses.verified
            talk.loop._ears._maybe_wake("okay_nabu", talk.loop._ears.now)
            await talk.until(State.LISTENING)
            assert talk.senses.verified == woken

    virtual_time.run(scene())


def test_it_does_not_answer_its_own_voice() -> None:
    async def scene() -> None:
        agent = Memory({"how high is everest": LONG})
        async with conversation(agent) as talk:
            await talk.ask("how high is everest")
            await talk.until(State.SPEAKING)
            await talk.room.quiet(2.5)
            await talk.room.say("the tallest mountain on land")
            await talk.until(State.SPEAKING)
            await talk.until(State.LISTENING)
            assert agent.history == [Kept("how high is everest", LONG, whole=True)]

    virtual_time.run(scene())


def test_the_wake_word_interrupts_a_reply() -> None:
    async def scene() -> None:
        agent = Memory({"how high is everest": LONG, "never mind that": "Fine."})
        async with conversation(agent) as talk:
            await talk.ask("how high is everest")
            await talk.until(State.SPEAKING)
            await talk.room.quiet(2.0)
            await talk.ask("never mind that")
            await talk.until(State.SPEAKING)
            await talk.until(State.LISTENING)
            assert [kept.said for kept in agent.history] == ["how high is everest", "never mind that"]
            assert talk.recogniser.heard[-1] == "never mind that"

    virtual_time.run(scene())


def test_a_wake_word_that_is_not_verified_wakes_nobody() -> None:
    async def scene() -> None:
        async with conversation() as talk:
            talk.senses.believes = False
            await talk.ask("how high is everest")
            await talk.room.quiet(5.0)
            assert talk.states == [State.ASLEEP]

    virtual_time.run(scene())


def test_ten_minutes_of_silence_are_no_turn() -> None:
    async def scene() -> None:
        async with conversation() as talk:
            await talk.room.quiet(600.0)
            assert talk.states == [State.ASLEEP]
            assert talk.recogniser.heard == []

    virtual_time.run(scene())


def test_ten_minutes_of_coughs_into_an_open_microphone_are_no_turn() -> None:
    async def scene() -> None:
        async with conversation(wake=Wake(open_microphone=True)) as talk:
            for _ in range(120):
                await talk.room.cough(0.5)
                await talk.room.quiet(4.5)
            assert talk.agent.asked == []
            assert talk.loop.state is State.LISTENING

    virtual_time.run(scene())
