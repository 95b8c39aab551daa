"""A face can follow a turn from its first words to its end: what was asked, written, said, taken back and heard."""

from __future__ import annotations

from doubles import virtual_time
from doubles.agent import Memory
from doubles.conversation import conversation

from companion.voice.events import Asked, Exchanged, HeardText, Speaking, Spoken, State, TakenBack, Writing

STORY = (
    "The tallest mountain on land is Mount Everest in the Himalayas. It is eight thousand metres high. "
    "Many people climb it every year. Some of them come back."
)


def test_an_answer_is_told_as_it_is_written_and_when_it_is_over() -> None:
    async def scene() -> None:
        async with conversation(Memory({"how high is everest": "It is very high. Really."})) as talk:
            await talk.ask("how high is everest")
            await talk.until(State.LISTENING)
            (asked,), (over,) = talk.of(Asked), talk.of(Exchanged)
            assert (asked.text, asked.spoken) == ("how high is everest", True)
            assert "".join(event.text for event in talk.of(Writing)) == "It is very high. Really."
            assert (over.text, over.written) == ("how high is everest", "It is very high. Really.")
            assert (over.heard, over.whole) == ("It is very high. Really.", True)

    virtual_time.run(scene())


def test_nothing_is_told_of_an_answer_before_its_question_is_sure() -> None:
    async def scene() -> None:
        async with conversation(Memory({"tell me a story": "No.", "tell me a story about cats": "Yes."})) as talk:
            talk.judge.score = 0.5
            await talk.ask("tell me a story")
            await talk.room.quiet(0.5)
            await talk.room.say("about cats")
            await talk.until(State.LISTENING)
            assert [event.text for event in talk.of(Asked)] == ["tell me a story about cats"]
            assert "".join(event.text for event in talk.of(Writing)) == "Yes."
            kinds = [type(event) for event in talk.events]
            final = next(
                place for place, event in enumerate(talk.events) if isinstance(event, HeardText) and event.final
            )
            assert final < kinds.index(Asked) < kinds.index(Writing) < kinds.index(Speaking) < kinds.index(Exchanged)

    virtual_time.run(scene())


def test_a_question_that_goes_on_is_taken_back() -> None:
    async def scene() -> None:
        async with conversation(Memory({"tell me a story about cats": "Yes."})) as talk:
            talk.agent.first_token = 1.0
            await talk.ask("tell me a story")
            await talk.until(State.THINKING)
            await talk.room.quiet(0.3)
            await talk.room.say("about cats")
            await talk.until(State.SPEAKING)
            await talk.until(State.LISTENING)
            assert len(talk.of(TakenBack)) == 1
            assert [event.text for event in talk.of(Exchanged)] == ["tell me a story about cats"]

    virtual_time.run(scene())


def test_what_was_not_said_is_told_when_the_user_has_interrupted() -> None:
    async def scene() -> None:
        async with conversation(Memory({"tell me of everest": STORY})) as talk:
            await talk.ask("tell me of everest")
            await talk.until(State.SPEAKING)
            await talk.room.quiet(3.0)
            await talk.room.say("what about the other one")
            await talk.until(State.LISTENING)
            over = talk.of(Exchanged)[0]
            assert not over.whole
            assert over.written.startswith(over.heard)
            assert len(over.heard) < len(over.written)
            assert talk.of(Spoken)[0].text == over.heard

    virtual_time.run(scene())


def test_an_announcement_is_no_exchange() -> None:
    async def scene() -> None:
        async with conversation() as talk:
            talk.loop.announce("The tea is ready.")
            await talk.until(State.ASLEEP)
            await talk.room.quiet(5.0)
            assert [event.text for event in talk.of(Spoken)] == ["The tea is ready."]
            assert talk.of(Asked) == talk.of(Exchanged) == talk.of(Writing) == []

    virtual_time.run(scene())
