"""An answer is what its pieces make together, however they come."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from doubles.chat_backend import ScriptedBackend
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import BadInput, InvalidAnswer, ModelDied, ProviderFailed
from companion.model import ChatRequest, ChatRole, Contents, Message, ModelContext, Thought
from companion.model.calls import CallDelta
from companion.model.deltas import BlobDelta, Counted, Finish, Finished, RawDelta, TextDelta, ThoughtDelta
from companion.model.gathered import Gathered, concat, gather
from companion.stream import Blob, FuncCall, Text, ToolCall, Usage


def test_usage_is_the_most_of_each_count_not_the_sum() -> None:
    counts = [Counted(Usage(10, 0)), Counted(Usage(10, 5)), Counted(Usage(10, 9)), Counted(Usage(0, 9))]

    assert concat(counts).usage == Usage(10, 9)


def test_the_finish_reason_is_the_last_that_says_anything() -> None:
    finishes = [Finished(Finish.STOP, reason="max_tokens"), Finished(Finish.LENGTH)]

    assert (concat(finishes).finish_reason, concat(finishes).provider_reason) == ("length", "max_tokens")
    assert (concat([TextDelta("Hi")]).finish_reason, concat([TextDelta("Hi")]).provider_reason) == ("", "")


@pytest.mark.parametrize(
    ("finished", "said"),
    [
        (Finished(Finish.STOP, reason="completed"), "stop"),
        (Finished(Finish.STOP, reason="end_turn"), "stop"),
        (Finished(Finish.TOOL_CALLS, reason="function_call"), "tool"),
        (Finished(Finish.LENGTH, reason="max_tokens"), "length"),
        (Finished(Finish.REFUSED, "no", "SAFETY"), "refused"),
    ],
)
def test_a_finish_reason_is_one_word_for_all_providers(finished: Finished, said: str) -> None:
    gathered = concat([finished])

    assert (gathered.finish_reason, gathered.provider_reason) == (said, finished.reason)


def test_a_call_whose_name_comes_in_the_second_piece_is_one_call() -> None:
    pieces = [CallDelta(0, "a", "", '{"x"'), CallDelta(0, "", "weather", ": 1}"), CallDelta(0, "a", "weather")]

    assert concat(pieces).calls == (ToolCall("a", FuncCall("weather", '{"x": 1}')),)


@pytest.mark.parametrize(
    "second", [CallDelta(0, "b", "", "{}"), CallDelta(0, "a", "time")], ids=["another id", "another name"]
)
def test_two_calls_at_one_index_are_an_error(second: CallDelta) -> None:
    with pytest.raises(InvalidAnswer, match="index 0 has two"):
        concat([CallDelta(0, "a", "weather"), second])


def test_calls_come_by_their_index_and_those_without_one_first() -> None:
    pieces = [CallDelta(1, "b", "two"), CallDelta(0, "a", "one"), CallDelta(None, "c", "three"), CallDelta(name="four")]

    assert [call.func_call.name for call in concat(pieces).calls] == ["three", "four", "one", "two"]


def test_a_piece_that_is_none_is_an_error_that_says_which() -> None:
    with pytest.raises(BadInput, match="delta 1 is none"):
        concat([TextDelta("a"), None])


def test_a_signature_ends_the_thought_it_belongs_to() -> None:
    pieces = [
        ThoughtDelta("a"),
        ThoughtDelta("b"),
        ThoughtDelta(signature="one"),
        ThoughtDelta("c", "two"),
        ThoughtDelta(redacted="xyz"),
        ThoughtDelta(signature="alone"),
        ThoughtDelta("d"),
        TextDelta("e"),
    ]

    assert concat(pieces).blocks == (
        Thought("ab", "one"),
        Thought("c", "two"),
        Thought("", "", "xyz"),
        Thought("", "alone"),
        Thought("d"),
        Text("e"),
    )


def test_what_is_remembered_are_words_and_each_call_by_itself() -> None:
    answer = concat([ThoughtDelta("Hm"), TextDelta("So"), CallDelta(0, "a", "one"), CallDelta(1, "b", "two")])

    assert answer.messages == (
        Message(ChatRole.ASSISTANT, Contents((Thought("Hm"), Text("So")))),
        Message(ChatRole.ASSISTANT, ToolCall("a", FuncCall("one", "{}"))),
        Message(ChatRole.ASSISTANT, ToolCall("b", FuncCall("two", "{}"))),
    )


def test_an_endless_answer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.model.gathered.MOST_BYTES", 10)
    with pytest.raises(InvalidAnswer, match="longer"):
        concat([TextDelta("123456"), TextDelta("123456")])


WORDS = st.text(min_size=1, max_size=5)
DELTAS: list[Any] = [
    st.builds(TextDelta, WORDS),
    st.builds(ThoughtDelta, WORDS, st.sampled_from(["", "sig"])),
    st.builds(BlobDelta, st.builds(Blob, st.just("image/png"), st.binary(max_size=3))),
    st.builds(RawDelta, st.integers()),
    st.builds(CallDelta, st.integers(0, 2), st.just(""), st.just("tool"), st.sampled_from(["{}", "[1]", ""])),
    st.builds(Counted, st.builds(Usage, st.integers(0, 9), st.integers(0, 9))),
    st.builds(Finished, st.sampled_from([Finish.STOP, Finish.TOOL_CALLS]), reason=st.sampled_from(["", "stop"])),
]


@given(st.lists(st.one_of(DELTAS), max_size=20))
def test_the_pieces_are_not_changed_and_an_answer_said_again_is_the_same(deltas: list[Any]) -> None:
    before = copy.deepcopy(deltas)
    answer = concat(deltas)

    assert deltas == before
    assert answer.text == "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
    assert concat(list(answer.deltas())) == answer


def test_what_no_model_says_is_not_said_again() -> None:
    from companion.model.content import Link

    with pytest.raises(BadInput, match="Link"):
        list(Gathered((Link("image/png", "https://example.com"),)).deltas())


async def test_an_answer_is_gathered_with_its_calls_and_what_is_counted_behind_it() -> None:
    call = CallDelta(0, "a", "look", "{}")
    finished = Finished(Finish.TOOL_CALLS)
    source = ScriptedBackend([TextDelta("Hi"), call, finished, Counted(Usage(3, 4)), ProviderFailed("late")])

    gathered = await gather(await source.ask(ChatRequest(ModelContext())))

    assert (gathered.text, gathered.usage, gathered.finished) == ("Hi", Usage(3, 4), finished)
    assert gathered.calls == (ToolCall("a", FuncCall("look", "{}")),)
    assert list(gathered.deltas()) == [TextDelta("Hi"), call, Counted(Usage(3, 4)), finished]


@pytest.mark.parametrize(
    ("pieces", "error"),
    [
        ([TextDelta("Hi")], ModelDied),
        ([TextDelta("Hi"), ProviderFailed("overloaded")], ProviderFailed),
        ([TextDelta("Hi"), 0.02], TimeoutError),
    ],
)
async def test_an_answer_without_its_end_is_not_gathered(pieces: list[Any], error: type[Exception]) -> None:
    source = await ScriptedBackend(pieces).ask(ChatRequest(ModelContext()))

    with pytest.raises(error):
        await gather(source, silence=0.01)
