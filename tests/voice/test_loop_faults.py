"""What may break around the loop, and what the user then hears or sees."""

from __future__ import annotations

import pytest
from doubles import virtual_time
from doubles.agent import Kept, Memory
from doubles.conversation import conversation

from companion.agent.plugin import SayAgain, SetVolume
from companion.errors import ModelDied, ModelMissing, NoSpeaker
from companion.voice.events import Ignored, Spoken, State, Trouble
from companion.voice.orders import Reason

LONG = "The tallest mountain on land is Mount Everest in the Himalayas. It is eight thousand metres high. Really."


def test_a_recogniser_that_hangs_is_told_of_and_it_listens_again() -> None:
    async def scene() -> None:
        async with conversation() as talk:
            talk.recogniser.seconds = 1e6
            await talk.ask("how high is everest")
            ended = talk.now
            await talk.until(State.SPEAKING)
            assert talk.now - ended == pytest.approx(10.1, abs=0.1)
            assert talk.of(Trouble)[0].message.startswith("Sorry, I could not keep up.")
            assert talk.recogniser.dropped == 1
            await talk.until(State.LISTENING)
            talk.recogniser.seconds = 0.2
            await talk.room.say("how high is everest")
            await talk.until(State.SPEAKING)
            assert talk.agent.asked == ["how high is everest"]

    virtual_time.run(scene())


def test_a_recogniser_that_fails_is_told_of() -> None:
    async def scene() -> None:
        async with conversation() as talk:
            talk.recogniser.error = ModelDied("out of memory", mend="close something")
            await talk.ask("how high is everest")
            await talk.until(State.SPEAKING)
            assert talk.of(Trouble)[0].detail == "out of memory"
            await talk.until(State.LISTENING)
            assert talk.voice.said == ["Sorry, I could not make that out.", " Please say it again."]

    virtual_time.run(scene())


def test_a_judge_that_fails_only_makes_the_turn_longer() -> None:
    async def scene() -> None:
        async with conversation() as talk:
            talk.judge.error = RuntimeError("broken")
            await talk.ask("how high is everest")
            await talk.until(State.SPEAKING)
            assert talk.agent.asked == ["how high is everest"]

    virtual_time.run(scene())


def test_no_model_is_said_and_the_mend_is_shown() -> None:
    async def scene() -> None:
        async with conversation() as talk:
            talk.agent.error = ModelMissing("there is no language model", mend="run companion models pull")
            await talk.ask("how high is everest")
            await talk.until(State.SPEAKING)
            assert talk.of(Trouble)[0].mend == "run companion models pull"
            await talk.until(State.LISTENING)
            assert talk.agent.history == []

    virtual_time.run(scene())


def test_a_model_that_dies_mid_sentence_says_what_it_had_and_apologises() -> None:
    async def scene() -> None:
        async with conversation(Memory({"how high is everest": LONG})) as talk:
            talk.agent.dies_after = 14
            await talk.ask("how high is everest")
            await talk.until(State.SPEAKING)
            await talk.until(State.LISTENING)
            said = "".join(talk.voice.said)
            assert said.endswith("Sorry, I lost my train of thought. Please ask again.")
            assert talk.agent.history[0].heard.startswith("The tallest mountain on land")
            assert not talk.agent.history[0].whole
            assert talk.of(Trouble)[0].detail == "out of memory"

    virtual_time.run(scene())


@pytest.mark.parametrize("words", [0, 14])
def test_a_model_that_hangs_is_ended(words: int) -> None:
    async def scene() -> None:
        async with conversation(Memory({"how high is everest": LONG})) as talk:
            talk.agent.hangs_after = words
            await talk.ask("how high is everest")
            await talk.until(State.THINKING)
            await talk.room.quiet(60.0)
            assert talk.loop.state is State.ASLEEP
            assert len(talk.of(Trouble)) == 1
            assert len(talk.agent.history) == 1

    virtual_time.run(scene())


def test_a_voice_that_fails_is_shown_and_it_listens_again() -> None:
    async def scene() -> None:
        async with conversation() as talk:
            talk.voice.error = ModelDied("no voice for Klingon", mend="pull one")
            await talk.ask("how high is everest")
            await talk.until(State.THINKING)
            await talk.until(State.LISTENING)
            assert [trouble.mend for trouble in talk.of(Trouble)] == ["pull one"]
            assert talk.mouth.chimes == ["trouble"]

    virtual_time.run(scene())


def test_a_loudspeaker_that_is_gone_is_shown_and_it_listens_again() -> None:
    async def scene() -> None:
        async with conversation() as talk:
            talk.mouth.error = NoSpeaker("no loudspeaker", mend="plug one in")
            await talk.ask("how high is everest")
            await talk.until(State.THINKING)
            await talk.until(State.LISTENING)
            assert [trouble.mend for trouble in talk.of(Trouble)] == ["plug one in"]
            talk.mouth.error = None
            await talk.room.say("how high is everest")
            await talk.until(State.SPEAKING)

    virtual_time.run(scene())


def test_a_loudspeaker_that_hangs_is_given_up() -> None:
    async def scene() -> None:
        async with conversation() as talk:
            talk.mouth.is_stuck = True
            await talk.ask("how high is everest")
            await talk.until(State.SPEAKING)
            await talk.room.quiet(45.0)
            assert talk.loop.state is State.ASLEEP
            assert talk.of(Trouble)[0].message == "My reply got stuck."

    virtual_time.run(scene())


@pytest.mark.parametrize("state", [State.ASLEEP, State.LISTENING, State.HEARING, State.DECIDING, State.THINKING])
def test_a_microphone_unplugged_before_the_reply_comes_back(state: State) -> None:
    async def scene() -> None:
        async with conversation(Memory({"how high is everest": "Very high."})) as talk:
            talk.agent.first_token = 1.0
            if state is not State.ASLEEP:
                await talk.room.wake()
            if state in (State.HEARING, State.DECIDING, State.THINKING):
                await talk.room.say("how high is everest")
            await talk.until(state, within=3.0)
            talk.room.lose()
            await talk.until(State.DEAF)
            talk.room.find()
            await talk.until(State.ASLEEP)
            await talk.ask("how high is everest")
            await talk.until(State.SPEAKING)
            assert "I can't hear you: the microphone is gone." in [trouble.message for trouble in talk.of(Trouble)]

    virtual_time.run(scene())


def test_a_microphone_unplugged_during_a_reply_lets_it_end() -> None:
    async def scene() -> None:
        async with conversation(Memory({"how high is everest": LONG})) as talk:
            await talk.ask("how high is everest")
            await talk.until(State.SPEAKING)
            talk.room.lose()
            await talk.until(State.DEAF)
            assert talk.agent.history == [Kept("how high is everest", LONG, whole=True)]
            talk.room.find()
            await talk.until(State.ASLEEP)
            assert talk.mouth.chimes[-1] == "ready"

    virtual_time.run(scene())


def test_a_microphone_that_falls_silent_without_a_word_is_noticed() -> None:
    async def scene() -> None:
        async with conversation() as talk:
            talk.room.stall()
            await talk.until(State.DEAF, within=4.0)
            talk.room.stall(on=False)
            await talk.until(State.ASLEEP, within=1.0)

    virtual_time.run(scene())


def test_a_sentence_unplugged_in_its_middle_is_asked_for_again() -> None:
    async def scene() -> None:
        async with conversation() as talk:
            await talk.ask("remind me to")
            talk.room.lose()
            await talk.until(State.SPEAKING)
            await talk.until(State.DEAF)
            assert talk.voice.said[0].startswith("I lost the microphone")
            assert talk.agent.asked == []

    virtual_time.run(scene())


def test_an_announcement_waits_for_the_user_to_finish() -> None:
    async def scene() -> None:
        async with conversation(Memory({"how high is everest": "Very high."})) as talk:
            await talk.room.wake()
            await talk.room.say("how high")
            talk.loop.announce("The eggs are done.", chime="timer")
            await talk.room.say("is everest")
            await talk.until(State.SPEAKING)
            await talk.until(State.LISTENING)
            await talk.until(State.SPEAKING)
            await talk.until(State.LISTENING)
            assert talk.voice.said == ["Very high.", "The eggs are done."]
            assert talk.mouth.chimes == ["timer"]
            assert [kept.said for kept in talk.agent.history] == ["how high is everest"]

    virtual_time.run(scene())


def test_mute_hears_nothing_and_says_why_it_does_not_listen() -> None:
    async def scene() -> None:
        async with conversation() as talk:
            talk.loop.mute(True)
            assert talk.loop.is_muted
            await talk.ask("how high is everest")
            await talk.room.quiet(2.0)
            talk.loop.talk()
            assert talk.of(Ignored)[-1].reason is Reason.MUTED
            assert talk.recogniser.heard == []
            talk.loop.mute(False)
            await talk.ask("how high is everest")
            await talk.until(State.SPEAKING)

    virtual_time.run(scene())


def test_the_talk_key_needs_no_wake_word() -> None:
    async def scene() -> None:
        async with conversation(Memory({"how high is everest": "Very high."})) as talk:
            talk.loop.talk(hold=True)
            await talk.room.say("how high")
            await talk.room.quiet(3.0)
            await talk.room.say("is everest")
            talk.loop.release()
            await talk.until(State.SPEAKING)
            await talk.until(State.LISTENING)
            talk.loop.stop()
            assert talk.loop.state is State.ASLEEP
            assert talk.agent.history[0].said == "how high is everest"

    virtual_time.run(scene())


def test_effects_of_commands_are_carried_out() -> None:
    async def scene() -> None:
        agent = Memory({"how high is everest": "Very high."}, {"louder": "", "again please": "ignored"})
        agent.effects |= {"louder": (SetVolume(change=0.5),), "again please": (SayAgain(),)}
        async with conversation(agent) as talk:
            await talk.ask("how high is everest")
            await talk.until(State.SPEAKING)
            await talk.until(State.LISTENING)
            await talk.room.say("louder")
            await talk.until(State.THINKING)
            await talk.until(State.LISTENING)
            assert talk.mouth.volume == 1.0
            await talk.room.say("again please")
            await talk.until(State.SPEAKING)
            await talk.until(State.LISTENING)
            assert talk.voice.said == ["Very high.", "Very high."]

    virtual_time.run(scene())


def test_sound_that_ends_is_answered_before_the_loop_ends() -> None:
    async def scene() -> None:
        async with conversation(Memory({"how high is everest": LONG})) as talk:
            await talk.ask("how high is everest")
            talk.room.end()
            await talk.until(State.SPEAKING)
            await talk.until(State.LISTENING)
            assert talk.agent.history == [Kept("how high is everest", LONG, whole=True)]

    virtual_time.run(scene())


def test_closing_in_the_middle_of_a_reply_keeps_what_was_heard() -> None:
    async def scene() -> None:
        async with conversation(Memory({"how high is everest": LONG})) as talk:
            await talk.ask("how high is everest")
            await talk.until(State.SPEAKING)
            await talk.room.quiet(2.2)
            await talk.loop.close()
            assert talk.agent.history == [Kept("how high is everest", "The tallest mountain on land is", whole=False)]
            assert talk.of(Spoken)[-1].text == "The tallest mountain on land is"

    virtual_time.run(scene())


def test_a_reply_interrupted_before_anything_was_heard_leaves_no_answer() -> None:
    async def scene() -> None:
        async with conversation(Memory({"how high is everest": LONG})) as talk:
            talk.agent.first_token = 3.0
            await talk.ask("how high is everest")
            await talk.until(State.THINKING)
            talk.loop.talk()
            await talk.room.quiet(0.5)
            assert talk.loop.state is State.LISTENING
            assert talk.agent.history == [Kept("how high is everest", "", whole=False)]

    virtual_time.run(scene())


def test_a_fault_in_one_order_does_not_make_it_deaf_to_all_others() -> None:
    async def scene() -> None:
        async with conversation() as talk:

            def broken(sound: str) -> None:
                talk.loop.stop()
                raise RuntimeError("a fault of ours")

            talk.loop.mute(on=True)
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(talk.mouth, "chime", broken)
                with pytest.raises(RuntimeError, match="a fault"):
                    talk.loop.talk()
            talk.loop.mute(on=False)

            await talk.ask("how high is everest")
            await talk.until(State.SPEAKING)
            assert talk.agent.asked == ["how high is everest"]

    virtual_time.run(scene())
