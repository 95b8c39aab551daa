"""A chat model answers in three ways, with one set of events, and leaves nothing open."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest
from doubles.chat_backend import ScriptedBackend, calls, says

from companion.errors import (
    BadInput,
    InvalidAnswer,
    ModelDied,
    ProviderFailed,
    StreamBlocked,
    StreamInterrupted,
    Unsupported,
)
from companion.model import (
    ChatRole,
    Contents,
    FuncTool,
    Message,
    Thought,
    image,
)
from companion.model.chat import ChatModel
from companion.model.chat_options import (
    with_answer_form,
    with_max_tokens,
    with_temperature,
    with_timeouts,
    with_tools_run,
)
from companion.model.content import Link
from companion.model.conversation import PassingConversation
from companion.model.deltas import (
    BlobDelta,
    Counted,
    Finish,
    Finished,
    RawDelta,
    TextDelta,
    ThoughtDelta,
)
from companion.model.event_order import EventOrder
from companion.model.events import Custom, Error, Event, Raw, ResponseEnd, StepEnd, TextEnd, TextStart, ThinkingDelta
from companion.stream import Blob, Text, Usage

STOP = Finished(Finish.STOP, reason="end_turn")


def add(one: int, two: int) -> int:
    """Adds two numbers."""
    return one + two


ADD = FuncTool.of(add)
PICTURE = Blob("image/png", b"png")


async def test_one_question_is_answered_with_every_reading() -> None:
    backend = ScriptedBackend(
        [
            ThoughtDelta("Hm. "),
            ThoughtDelta("Ulm.", signature="sig"),
            TextDelta("It is "),
            TextDelta("Ulm."),
            RawDelta({"index": 1}),
            BlobDelta(PICTURE),
            Counted(Usage(10)),
            Counted(Usage(10, 7, thinking_tokens=3)),
            STOP,
        ]
    )

    response = await ChatModel(backend).generate("Where?")

    assert response.text == "It is Ulm."
    assert response.thinking == "Hm. Ulm."
    assert response.blocks == (Thought("Hm. Ulm.", "sig"), Text("It is Ulm."), PICTURE)
    assert response.content == Contents((Text("It is Ulm."), PICTURE))
    assert response.finish_reason == "stop"
    assert response.usage == Usage(10, 7, thinking_tokens=3)
    assert response.raw == ({"index": 1},)
    assert response.is_terminal
    assert response.has_content
    assert response.messages == (Message(ChatRole.ASSISTANT, Contents(response.blocks)),)
    EventOrder.check(response.events)
    assert not backend.open_sources


async def test_content_is_as_plain_as_it_can_be() -> None:
    model = ChatModel(ScriptedBackend([TextDelta("Hi"), STOP], [BlobDelta(PICTURE), STOP], [ThoughtDelta("Hm"), STOP]))
    words, picture, nothing = [await model.generate("?") for _ in range(3)]

    assert (words.content, picture.content, nothing.content) == ("Hi", PICTURE, "")
    assert (words.has_content, picture.has_content, nothing.has_content) == (True, True, False)


async def test_the_three_ways_to_listen_tell_the_same() -> None:
    answer = [ThoughtDelta("Hm"), *calls(("add", '{"one": 1, "two": 2}'), text="Let me see.")]
    model = ChatModel(ScriptedBackend(answer, says("Three.")), tools=[ADD])
    asking = model.prompt("1 + 2?")
    told: list[Event] = []

    def again() -> None:
        model._backend._answers[:] = [answer, says("Three.")]

    async with asking.stream() as events:
        pulled = [event async for event in events]
    again()
    sunk = await asking.stream_to(told.append)
    again()
    whole = await asking.call_stream()
    again()
    called = await asking.call()

    assert events.response is not None
    assert events.response.events == tuple(pulled)
    assert pulled == told == list(sunk.events) == list(whole.events)
    assert {whole.text, sunk.text, called.text, events.response.text} == {"Three."}
    assert whole.usage == called.usage == Usage(20, 4)
    for response in (sunk, whole, called):
        EventOrder.check(response.events)


async def test_words_thoughts_and_pictures_each_have_their_events() -> None:
    pieces = [TextDelta("a"), TextDelta(""), ThoughtDelta("b"), TextDelta("c"), RawDelta(1), BlobDelta(PICTURE), STOP]
    response = await ChatModel(ScriptedBackend(pieces)).prompt("?").call_stream()

    assert list(response.events[2:-2]) == [
        TextStart(),
        TextDelta("a"),
        TextEnd(),
        ThinkingDelta("b"),
        TextStart(),
        TextDelta("c"),
        Raw(1),
        TextEnd(),
        Custom("blob", PICTURE),
    ]
    assert response.events[-2:] == (StepEnd(1, "stop"), ResponseEnd("stop"))


async def test_a_failure_is_told_then_the_end_then_raised() -> None:
    failure = ProviderFailed("overloaded", status=529)
    model = ChatModel(ScriptedBackend([TextDelta("Hel"), failure]))
    conversation = PassingConversation()
    told: list[Event] = []

    with pytest.raises(ProviderFailed, match="overloaded"):
        await model.prompt("?").session(conversation).stream_to(told.append)

    EventOrder.check(told)
    assert told[-2:] == [Error(failure), ResponseEnd("error")]
    assert [message.text for message in conversation.messages] == ["?"]
    events = model.stream("?")
    assert [await anext(events) for _ in told] == told
    with pytest.raises(ProviderFailed):
        await anext(events)
    assert events.response is None


async def test_an_answer_that_stops_early_is_an_error_never_a_silent_end() -> None:
    with pytest.raises(ModelDied, match="finish signal"):
        await ChatModel(ScriptedBackend([TextDelta("Hel")])).generate("?")


async def test_a_refusal_is_raised_and_not_remembered() -> None:
    conversation = PassingConversation()
    backend = ScriptedBackend([TextDelta("I"), Finished(Finish.REFUSED, "not nice")])

    with pytest.raises(StreamBlocked, match="not nice"):
        await ChatModel(backend).prompt("?").session(conversation).call_stream()

    assert len(conversation.messages) == 1
    assert not backend.open_sources


async def test_a_listener_that_raises_ends_the_turn() -> None:
    backend = ScriptedBackend([TextDelta("a"), 3600.0, STOP])

    def sink(event: Event) -> None:
        if event == TextDelta("a"):
            raise KeyError("the sink is full")

    with pytest.raises(KeyError, match="full"):
        await ChatModel(backend).prompt("?").stream_to(sink)
    assert not backend.open_sources


async def test_nothing_is_lost_however_slowly_it_is_read() -> None:
    words = [TextDelta(str(number)) for number in range(500)]
    async with ChatModel(ScriptedBackend([*words, STOP])).stream("?") as events:
        told = []
        async for event in events:
            await asyncio.sleep(0)
            told.append(event)

    assert [event for event in told if isinstance(event, TextDelta)] == words


async def test_a_turn_is_no_more_than_64_events_ahead_of_its_reader() -> None:
    backend = ScriptedBackend([*(TextDelta(str(number)) for number in range(500)), STOP])
    async with ChatModel(backend).stream("?") as events:
        await anext(events)
        for _ in range(1000):
            await asyncio.sleep(0)

        assert 500 - 70 < len(backend.sources[0]._pieces) < 500


async def test_work_begins_with_the_first_event_that_is_asked_for() -> None:
    backend = ScriptedBackend(says("Hi"))
    events = ChatModel(backend).stream("?")
    await asyncio.sleep(0)
    await events.aclose()

    assert not backend.requests
    with pytest.raises(StreamInterrupted):
        await anext(events)


async def test_closing_ends_the_work_at_once() -> None:
    backend = ScriptedBackend([TextDelta("a"), 3600.0, STOP])
    events = ChatModel(backend).stream("?")
    read = [await anext(events) for _ in range(4)]
    await events.aclose()
    await events.aclose()

    assert read[-1] == TextDelta("a")
    EventOrder.check(read, is_whole=False)
    assert not backend.open_sources


async def test_cancelling_a_wait_ends_the_work() -> None:
    backend = ScriptedBackend([3600.0, STOP])
    events = ChatModel(backend).stream("?")
    for _ in range(2):
        await anext(events)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(anext(events), 0.01)

    assert not backend.open_sources


async def test_cancelling_a_call_is_a_cancellation() -> None:
    backend = ScriptedBackend([3600.0, STOP])
    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(ChatModel(backend).generate("?"))
        for _ in range(10):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    assert not backend.open_sources


async def test_a_turn_that_takes_too_long_is_a_timeout() -> None:
    told: list[Event] = []
    asking = ChatModel(ScriptedBackend([TextDelta("a"), 3600.0])).prompt("?")
    with pytest.raises(TimeoutError, match="the turn took longer than"):
        await asking.options(with_timeouts(deadline=0.01)).stream_to(told.append)
    EventOrder.check(told)
    with pytest.raises(TimeoutError, match="said nothing"):
        await asking.options(with_timeouts(silence=0.01)).call_stream()


async def test_who_listens_slowly_uses_up_no_time() -> None:
    async def sink(event: Event) -> None:
        await asyncio.sleep(0.01)

    asking = ChatModel(ScriptedBackend(says("one two three four five six"))).prompt("?")

    assert (await asking.options(with_timeouts(deadline=0.05)).stream_to(sink)).text == "one two three four five six"


async def test_the_chain_says_who_the_model_is_and_what_it_shall_mind() -> None:
    backend = ScriptedBackend(says("Arr"))
    start = ChatModel(backend).prompt("Hi").role("a pirate")
    await start.instruction("Be short.").options(with_temperature(0.0), with_max_tokens(9)).call()
    await start.call()

    first, second = backend.requests
    assert [prompt.text for prompt in first.context.prompts] == ["# Role: a pirate\n\nBe short."]
    assert (first.context.params.temperature, first.context.params.max_tokens) == (0.0, 9)
    assert [prompt.text for prompt in second.context.prompts] == ["# Role: a pirate"]
    assert not second.context.params.is_set
    assert not first.is_streamed


async def test_a_session_is_gone_on_with_and_holds_no_system_text() -> None:
    backend = ScriptedBackend(says("Hello."), says("Fine."))
    conversation = PassingConversation()
    asking = ChatModel(backend).prompt([Message.of(ChatRole.SYSTEM, "Be kind."), Message.of(ChatRole.USER, "Hi")])
    await asking.session(conversation).call()
    await ChatModel(backend).prompt("How are you?").session(conversation).call()

    assert [message.text for message in backend.requests[1].context.messages] == ["Hi", "Hello.", "How are you?"]
    assert [prompt.text for prompt in backend.requests[0].context.prompts] == ["Be kind."]
    assert not backend.requests[1].context.prompts
    assert [message.text for message in conversation.messages] == ["Hi", "Hello.", "How are you?", "Fine."]


async def test_nothing_asked_goes_on_with_the_session() -> None:
    model = ChatModel(ScriptedBackend(says("Hello.")))
    conversation = PassingConversation([Message.of(ChatRole.USER, "Hi")])

    assert (await model.prompt().session(conversation).call()).text == "Hello."
    with pytest.raises(BadInput, match="nothing was asked"):
        await model.prompt().call()


async def test_a_model_with_other_tools_is_another_model() -> None:
    backend = ScriptedBackend([0.001, *says("ok")])
    one = ChatModel(backend, tools=[ADD])

    def sub(one: int, two: int) -> int:
        """Takes a number from another."""
        return one - two

    other, none = one.with_tools([sub]), one.with_tools([])
    await asyncio.gather(one.generate("a"), other.generate("b"), none.generate("c"))

    offered = {request.context.messages[0].text: request.context.tools for request in backend.requests}
    assert {asked: [tool.name for tool in tools] for asked, tools in offered.items()} == {
        "a": ["add"],
        "b": ["sub"],
        "c": [],
    }


@dataclass
class Point:
    """A place."""

    x: int
    y: int


async def test_an_answer_is_bound_to_a_dataclass_or_a_pydantic_model() -> None:
    from pydantic import BaseModel

    class Place(BaseModel):
        x: int

    backend = ScriptedBackend(says('{"x": 1, "y": 2}'))
    response = await ChatModel(backend).generate("?", with_answer_form(Point))

    assert response.bind(Point) == Point(1, 2)
    assert (await ChatModel(ScriptedBackend(says('{"x": 1}'))).generate("?")).bind(Place) == Place(x=1)
    form = backend.requests[0].answer_form
    assert form is not None
    assert (form.name, form.description) == ("Point", "A place.")
    with pytest.raises(InvalidAnswer) as fault:
        (await ChatModel(ScriptedBackend(says('{"x": 1, "y": "secret"}'))).generate("?")).bind(Point)
    assert fault.value.field == "y"
    assert "secret" not in str(fault.value)
    with pytest.raises(InvalidAnswer) as fault:
        (await ChatModel(ScriptedBackend(says('{"x": "secret"}'))).generate("?")).bind(Place)
    assert (fault.value.field, "secret" in str(fault.value)) == ("x", False)


async def test_who_has_no_answer_form_is_told_in_words() -> None:
    backend = ScriptedBackend(Unsupported("no forms"), says('{"x": 1, "y": 2}'))
    response = await ChatModel(backend).generate("?", with_answer_form(Point))

    assert response.bind(Point) == Point(1, 2)
    assert '"properties":{"x"' in backend.requests[1].context.prompts[-1].text
    EventOrder.check(response.events)


def test_an_answer_has_the_form_of_an_object() -> None:
    with pytest.raises(BadInput, match="no object"):
        with_answer_form(int)
    with pytest.raises(BadInput, match="complex"):
        with_answer_form(complex)


async def test_what_a_backend_cannot_carry_is_said_before_anything_else() -> None:
    picture = Message(ChatRole.USER, Contents((image("https://example.com/a.png"),)))
    with pytest.raises(Unsupported):
        await ChatModel(ScriptedBackend(Unsupported("no pictures"))).generate(picture)
    assert picture.payload == Contents((Link("image/jpeg", "https://example.com/a.png"),))


async def test_calls_are_the_callers_where_tools_are_not_run() -> None:
    model = ChatModel(ScriptedBackend(calls(("add", "{}"))), tools=[ADD])
    response = await model.generate("?", with_tools_run(False))

    assert [call.func_call.name for call in response.tool_calls] == ["add"]
    assert (response.is_terminal, response.finish_reason) == (False, "tool")
