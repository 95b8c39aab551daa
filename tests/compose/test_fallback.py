"""Several backends give one answer: nothing twice, nothing lost, and every failure told."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace

import pytest
from doubles import virtual_time
from doubles.backends import PlayedBackend, Step, question, read, text_of, words

from companion.compose.answered import Answered, Told
from companion.compose.breaker import Breaker, Circuit
from companion.compose.fallback import Failover, Failure, Order
from companion.compose.one_answer import GO_ON
from companion.compose.retry import Retry, RetryPolicy
from companion.errors import (
    BadInput,
    EndOfStream,
    InvalidAnswer,
    MissingKey,
    NobodyAnswered,
    OverBudget,
    ProviderFailed,
    Refused,
    StorageError,
    Unreachable,
    Unsupported,
)
from companion.model import ChatRequest, ChatRole, Contents, Message, ModelContext, Thought
from companion.model.answer_stream import answer_of
from companion.model.calls import CallDelta
from companion.model.deltas import (
    BlobDelta,
    Counted,
    Delta,
    Finish,
    Finished,
    RawDelta,
    TextDelta,
    ThoughtDelta,
)
from companion.model.request import answered_by
from companion.model.tool import FuncTool
from companion.stream import Blob, Status, Usage

GONE = Unreachable("the line is dead")
STOP = Finished(Finish.STOP)


def in_virtual_time(scene: Coroutine[None, None, None]) -> None:
    virtual_time.run(scene)


async def ask(backend: Failover, request: ChatRequest | None = None) -> list[Delta]:
    return await read(await backend.ask(request or question()))


async def test_the_next_one_answers_where_the_first_cannot_be_reached() -> None:
    cloud, local = PlayedBackend("cloud", [GONE]), PlayedBackend("local", words("hi"))
    request = question()
    source = await Failover([cloud, local]).ask(request)

    assert await read(source) == [TextDelta("hi"), STOP]
    assert answered_by(source, cloud) == ("local",)
    assert local.requests == [request]


@pytest.mark.parametrize(
    "error",
    [
        Refused("wrong key", status=401),
        MissingKey("no key"),
        OverBudget("too dear"),
        Unsupported("no"),
        TimeoutError(),
        StorageError("the ledger cannot be written", file="spent.json"),
    ],
)
async def test_whatever_a_model_fails_with_another_may_do(error: Exception) -> None:
    cloud, local = PlayedBackend("cloud", [error]), PlayedBackend("local", words("hi"))

    assert text_of(await ask(Failover([cloud, local]))) == "hi"
    assert cloud.asked == 1


async def test_a_mistake_in_the_program_is_not_hidden() -> None:
    cloud, local = PlayedBackend("cloud", [ValueError("a mistake")]), PlayedBackend("local", words("hi"))

    with pytest.raises(ValueError, match="a mistake"):
        await ask(Failover([cloud, local]))
    assert local.asked == 0


async def test_where_all_fail_the_error_says_what_each_of_them_said() -> None:
    cloud, local = PlayedBackend("cloud", [GONE]), PlayedBackend("local", [Refused("no model", status=404)])

    with pytest.raises(NobodyAnswered, match=r"nobody answered\. cloud: the line is dead; local: no model") as caught:
        await ask(Failover([cloud, local]))
    assert caught.value.retryable
    # Asking again is of no use to the one that refused.
    assert (cloud.asked, local.asked) == (2, 1)


async def test_the_only_ones_error_is_raised_as_it_is() -> None:
    with pytest.raises(Unreachable):
        await ask(Failover([PlayedBackend("cloud", [GONE])]))


def test_a_chain_of_none_is_refused() -> None:
    with pytest.raises(BadInput):
        Failover([])


async def test_an_answer_that_breaks_in_the_middle_is_gone_on_with() -> None:
    cloud = PlayedBackend("cloud", [TextDelta("The sun rises "), TextDelta("in the east"), GONE])
    local = PlayedBackend("local", words("rises in the east", ", and sets in the west."))
    source = await Failover([cloud, local]).ask(question())

    assert text_of(await read(source)) == "The sun rises in the east, and sets in the west."
    assert answered_by(source, cloud) == ("cloud", "local")
    _, so_far, go_on = local.requests[0].context.messages
    assert (so_far.role, so_far.text) == (ChatRole.ASSISTANT, "The sun rises in the east")
    assert (go_on.role, go_on.text) == (ChatRole.USER, GO_ON)
    assert (cloud.open, local.open) == (0, 0)


async def test_an_answer_that_stops_without_a_finish_signal_is_gone_on_with() -> None:
    cloud, local = PlayedBackend("cloud", [TextDelta("One, ")]), PlayedBackend("local", words("two."))

    assert text_of(await ask(Failover([cloud, local]))) == "One, two."


async def test_who_broke_off_may_go_on_itself() -> None:
    cloud = PlayedBackend("cloud", [TextDelta("One, "), GONE], words("two."))
    source = await Failover([cloud]).ask(question())

    assert text_of(await read(source)) == "One, two."
    assert answered_by(source, cloud) == ("cloud",)


async def test_what_the_second_held_back_when_it_broke_is_not_lost_or_said_twice() -> None:
    a = PlayedBackend("a", [TextDelta("The sun rises in the east"), GONE])
    b = PlayedBackend("b", [TextDelta("The sun rises"), GONE])
    c = PlayedBackend("c", words("in the east, always."))

    assert text_of(await ask(Failover([a, b, c]))) == "The sun rises in the east, always."


async def test_half_a_call_is_never_handed_out() -> None:
    half: list[Step] = [TextDelta("Let me see. "), CallDelta(0, "a", "look", '{"pla'), GONE]
    whole = [CallDelta(0, "b", "look", '{"place"'), CallDelta(0, "", "", ": 1}")]
    cloud = PlayedBackend("cloud", half)
    local = PlayedBackend("local", [*whole, Finished(Finish.TOOL_CALLS)])

    assert await ask(Failover([cloud, local])) == [TextDelta("Let me see. "), *whole, Finished(Finish.TOOL_CALLS)]


def test_a_long_call_that_is_held_back_is_not_taken_for_silence() -> None:
    async def scene() -> None:
        pieces: list[Step] = [step for _ in range(60) for step in (CallDelta(0, "", "", "12345678"), 3.0)]
        local = PlayedBackend("local", [CallDelta(0, "a", "look"), *pieces, Finished(Finish.TOOL_CALLS)])
        stream = answer_of(await Failover([local]).ask(question()), silence=60.0)
        calls = [chunk.tool_call async for chunk in stream if chunk.tool_call]
        assert [call.func_call.arguments for call in calls] == ["12345678" * 60]
        assert stream.state is not None
        assert stream.state.usage.completion_tokens <= 60
        assert asyncio.get_running_loop().time() > 170.0

    in_virtual_time(scene())


async def test_an_answer_in_a_form_comes_from_one_of_them_alone() -> None:
    cloud, local = PlayedBackend("cloud", [TextDelta('{"a'), GONE]), PlayedBackend("local", words('{"b": ', "1}"))
    form = FuncTool("answer", "", {"type": "object"})
    request = ChatRequest(ModelContext(), answer_form=form)

    assert text_of(await ask(Failover([cloud, local]), request)) == '{"b": 1}'
    assert local.requests == [request]


async def test_half_a_picture_cannot_be_gone_on_with() -> None:
    cloud = PlayedBackend("cloud", [BlobDelta(Blob("image/png", b"half")), GONE])
    local = PlayedBackend("local", words("hi"))

    with pytest.raises(Unreachable):
        await ask(Failover([cloud, local]))


async def test_what_all_of_them_counted_is_added_up() -> None:
    cloud = PlayedBackend("cloud", [Counted(Usage(10, 1)), TextDelta("One, "), Counted(Usage(10, 5)), GONE])
    local = PlayedBackend("local", [Counted(Usage(12, 0)), TextDelta("two."), STOP, Counted(Usage(12, 3))])

    counted = [delta.usage for delta in await ask(Failover([cloud, local])) if isinstance(delta, Counted)]
    assert counted == [Usage(10, 1), Usage(10, 5), Usage(22, 5), Usage(22, 8)]


async def test_an_error_behind_the_finish_signal_changes_nothing() -> None:
    cloud, local = PlayedBackend("cloud", [*words("hi"), GONE]), PlayedBackend("local", words("?"))

    assert await ask(Failover([cloud, local])) == [TextDelta("hi"), STOP]
    assert local.asked == 0


async def test_a_judge_sees_what_was_said_and_may_stop() -> None:
    seen: list[Failure] = []

    def never(failure: Failure) -> bool:
        seen.append(failure)
        return False

    cloud, local = PlayedBackend("cloud", [TextDelta("One, "), GONE]), PlayedBackend("local", words("two."))
    with pytest.raises(Unreachable):
        await ask(Failover([cloud, local], should_failover=never))
    assert seen == [Failure("cloud", GONE, "One, ")]
    assert (local.asked, cloud.open) == (0, 0)


async def test_whoever_answered_last_is_asked_first() -> None:
    cloud, local = PlayedBackend("cloud", [GONE], words("cloud")), PlayedBackend("local", words("local"))
    chain = Failover([cloud, local], order=Order.LAST_GOOD)

    assert [text_of(await ask(chain)) for _ in range(2)] == ["local", "local"]
    assert (cloud.asked, local.asked) == (1, 2)


async def test_in_a_fixed_order_the_first_is_always_asked_first() -> None:
    cloud, local = PlayedBackend("cloud", [GONE], words("cloud")), PlayedBackend("local", words("local"))
    chain = Failover([cloud, local])

    assert [text_of(await ask(chain)) for _ in range(2)] == ["local", "cloud"]


async def test_signatures_of_one_are_not_shown_to_the_next() -> None:
    signed: list[Step] = [ThoughtDelta("hm"), ThoughtDelta(signature="A"), TextDelta("ok"), STOP]
    cloud, local = PlayedBackend("cloud", signed, [GONE]), PlayedBackend("local", words("hi"))
    chain = Failover([cloud, local])
    await ask(chain)
    thought = Message(ChatRole.ASSISTANT, Contents((Thought("hm", "A"),)))
    hello = Message.of(ChatRole.USER, "hello")
    await ask(chain, ChatRequest(ModelContext(messages=(thought, hello))))

    assert cloud.requests[1].context.messages == (thought, hello)
    assert local.requests[0].context.messages == (hello,)


async def test_a_signature_is_not_set_under_half_a_thought_of_another() -> None:
    cloud = PlayedBackend("cloud", [ThoughtDelta("half"), GONE])
    first, second = ThoughtDelta(" whole", "B1"), ThoughtDelta("another", "B2")
    local = PlayedBackend("local", [first, second, TextDelta("hi"), STOP])

    thoughts = [delta for delta in await ask(Failover([cloud, local])) if isinstance(delta, ThoughtDelta)]
    assert thoughts == [ThoughtDelta("half"), ThoughtDelta(" whole"), second]


def test_one_that_says_nothing_for_too_long_is_left() -> None:
    async def scene() -> None:
        mute: list[Step] = [RawDelta("ping"), 4.0, RawDelta("ping"), 4.0, *words("late")]
        cloud, local = PlayedBackend("cloud", mute), PlayedBackend("local", [100.0, *words("hi")])
        source = await Failover([cloud, local], patience=5.0, rounds=1).ask(question())
        assert text_of(await read(source)) == "hi"
        assert asyncio.get_running_loop().time() == pytest.approx(105.0)
        assert cloud.open == 0

    in_virtual_time(scene())


def test_one_that_does_not_even_begin_is_left() -> None:
    async def scene() -> None:
        cloud, local = PlayedBackend("cloud", [60.0, *words("late")]), PlayedBackend("local", words("hi"))
        assert text_of(await ask(Failover([cloud, local], patience=5.0))) == "hi"
        assert asyncio.get_running_loop().time() == pytest.approx(5.0)

    in_virtual_time(scene())


def test_a_slow_reader_does_not_use_up_the_patience() -> None:
    async def scene() -> None:
        cloud, local = (
            PlayedBackend("cloud", [TextDelta("One, "), 4.0, *words("two.")]),
            PlayedBackend("b", words("?")),
        )
        source = await Failover([cloud, local], patience=5.0).ask(question())
        await source.next()
        await asyncio.sleep(60.0)
        assert text_of(await read(source)) == "two."

    in_virtual_time(scene())


@pytest.mark.parametrize("first", [[TextDelta("One, "), GONE], [TextDelta("One, "), 1000.0, GONE]])
def test_closing_stops_whatever_is_waited_for(first: list[Step]) -> None:
    async def scene() -> None:
        cloud, local = PlayedBackend("cloud", first), PlayedBackend("local", [1000.0, *words("two.")])
        source = await Failover([cloud, local]).ask(question())
        assert await source.next() == TextDelta("One, ")
        async with asyncio.TaskGroup() as tasks:
            waiting = tasks.create_task(read(source))
            await asyncio.sleep(1.0)
            await source.close()
            await source.close()
        assert waiting.result() == []
        assert asyncio.get_running_loop().time() == pytest.approx(1.0)
        assert (cloud.open, local.open) == (0, 0)
        with pytest.raises(EndOfStream):
            await source.next()

    in_virtual_time(scene())


def test_whoever_is_cancelled_asks_nobody_else() -> None:
    async def scene() -> None:
        cloud, local = PlayedBackend("cloud", [1000.0]), PlayedBackend("local", words("hi"))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1.0):
                await Failover([cloud, local]).ask(question())
        assert local.asked == 0

    in_virtual_time(scene())


async def test_the_stream_of_such_an_answer_is_one() -> None:
    cloud = PlayedBackend("cloud", [TextDelta("One, "), GONE])
    told: list[Answered] = []
    backend = Told(Failover([cloud, PlayedBackend("local", words("two."))]), told.append)
    stream = answer_of(await backend.ask(question()))

    chunks = [chunk async for chunk in stream]
    assert "".join(chunk.part.text for chunk in chunks if chunk.part) == "One, two."
    assert stream.state is not None
    assert stream.state.status is Status.DONE
    assert [answered.name for answered in told] == ["cloud", "local"]


WORDS = [f"{first}{second}{third}" for first in "bdfgklm" for second in "aeiou" for third in "nrst"]


def faulty(answer: str, chance: random.Random, rate: float) -> Callable[[ChatRequest], Sequence[Step]]:
    """A model that knows the answer, goes on where it is asked to, and fails as chance has it."""

    def play(request: ChatRequest) -> Sequence[Step]:
        said = request.context.messages[-2].text if request.context.messages[-1].text == GO_ON else ""
        # Models repeat a few words, or begin anew, or go on at the very place.
        begin = chance.choice([0, len(said), max(answer.rfind(" ", 0, max(len(said) - 12, 1)), 0)]) if said else 0
        steps: list[Step] = [Counted(Usage(3, 0))] if chance.random() < 0.5 else []
        rest = answer[begin:]
        while rest:
            size = chance.randrange(1, 12)
            steps.append(TextDelta(rest[:size]))
            rest = rest[size:]
            if chance.random() < 0.2:
                steps.append(chance.choice([0.5, 3.0, TextDelta(""), RawDelta("ping")]))
        steps.append(STOP)
        if chance.random() < rate:
            fault = chance.choice([GONE, ProviderFailed("ill", status=503), TimeoutError(), 1000.0, None])
            cut = chance.randrange(len(steps))
            return [*steps[:cut], *([] if fault is None else [fault])]
        return steps

    return play


@pytest.mark.parametrize("seed", range(3))
def test_a_hundred_turns_with_faults_have_a_hundred_answers(seed: int) -> None:
    """Nothing is said twice, and nothing is lost."""

    async def scene() -> None:
        chance = random.Random(seed)
        for _ in range(100):
            answer = " ".join(chance.sample(WORDS, chance.randrange(5, 40))) + "."
            backends = [
                PlayedBackend("cloud", faulty(answer, chance, 0.7)),
                PlayedBackend("spare", faulty(answer, chance, 0.7)),
                PlayedBackend("local", faulty(answer, chance, 0.0)),
            ]
            hardened = [
                Retry(Breaker(backend, Circuit(backend.name)), RetryPolicy(deadline=20.0), chance=chance.random)
                for backend in backends
            ]
            source = await Failover(hardened, patience=5.0, order=chance.choice(list(Order))).ask(question())
            deltas = await read(source)
            assert text_of(deltas) == answer
            assert [delta for delta in deltas if isinstance(delta, Finished)] == [STOP]
            assert all(backend.open == 0 for backend in backends)
            assert set(answered_by(source, hardened[0])) <= {"cloud", "spare", "local"}

    in_virtual_time(scene())


async def test_nobody_is_asked_to_go_on_behind_nothing_but_spaces() -> None:
    cloud, local = PlayedBackend("cloud", [TextDelta(" \n"), GONE]), PlayedBackend("local", words("hi"))
    request = question()
    assert text_of(await ask(Failover([cloud, local]), request)).strip() == "hi"
    assert local.requests == [request]


async def test_a_form_that_is_too_long_is_named_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.compose.one_answer.MOST_HELD", 10)
    form = replace(question(), answer_form=FuncTool("answer", "", {"type": "object"}))
    with pytest.raises(InvalidAnswer, match="the form and the tool calls are longer than 10"):
        await ask(Failover([PlayedBackend("cloud", [TextDelta("x" * 20), STOP])]), form)
