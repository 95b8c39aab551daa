"""What several backends say of one answer comes out as one."""

from __future__ import annotations

import pytest

from companion.compose.one_answer import GO_ON, MOST_HELD, OneAnswer
from companion.errors import InvalidAnswer, Unreachable
from companion.model import ChatRequest, ChatRole, FuncTool, Message, ModelContext
from companion.model.calls import CallDelta
from companion.model.deltas import BlobDelta, Counted, Delta, Finish, Finished, TextDelta, ThoughtDelta
from companion.stream import Blob, Usage

ASKED = ChatRequest(ModelContext(messages=(Message.of(ChatRole.USER, "Hi"),)))
FORM = FuncTool("note", "Notes something.", {"type": "object"})
STOP = Finished(Finish.STOP)
GONE = Unreachable("gone")


def out_of(answer: OneAnswer, *deltas: Delta) -> list[Delta]:
    """What is to be handed out behind ``deltas``."""
    for delta in deltas:
        answer.take(delta)
    ready = list(answer.ready)
    answer.ready.clear()
    return ready


def test_the_next_one_is_shown_what_was_said_and_asked_to_go_on() -> None:
    answer = OneAnswer(ASKED)
    assert answer.request() is ASKED
    out_of(answer, TextDelta("It is "), TextDelta("a quarter past"))
    answer.break_off(GONE)

    so_far, order = answer.request().context.messages[1:]
    assert (so_far.role, so_far.text) == (ChatRole.ASSISTANT, "It is a quarter past")
    assert (order.role, order.text) == (ChatRole.USER, GO_ON)


def test_what_is_repeated_is_cut_and_what_was_spent_is_added() -> None:
    answer = OneAnswer(ASKED)
    out_of(answer, Counted(Usage(10, 4)), TextDelta("It is a quarter past"))
    answer.break_off(GONE)

    deltas = out_of(answer, TextDelta("a quarter past four."), Counted(Usage(20, 3)), STOP)

    assert "".join(delta.text for delta in deltas if isinstance(delta, TextDelta)) == " four."
    assert [delta.usage for delta in deltas if isinstance(delta, Counted)] == [Usage(30, 7)]
    assert answer.text == "It is a quarter past four."


def test_calls_come_out_with_the_end_and_those_of_who_broke_off_never() -> None:
    answer, call = OneAnswer(ASKED), CallDelta(0, "a", "look", "{}")
    assert out_of(answer, CallDelta(0, "z", "lost", "{")) == []
    answer.break_off(GONE)

    assert out_of(answer, call) == []
    assert out_of(answer, Finished(Finish.TOOL_CALLS)) == [call, Finished(Finish.TOOL_CALLS)]
    assert answer.is_finished


def test_an_answer_in_a_form_comes_whole() -> None:
    answer = OneAnswer(ChatRequest(ASKED.context, answer_form=FORM))
    assert out_of(answer, TextDelta('{"a": ')) == []
    answer.break_off(GONE)

    assert out_of(answer, TextDelta('{"a": 1'), TextDelta("}"), STOP) == [TextDelta('{"a": 1}'), STOP]


def test_nobody_goes_on_with_half_a_picture() -> None:
    answer = OneAnswer(ASKED)
    out_of(answer, BlobDelta(Blob("image/png", b"png")))

    with pytest.raises(Unreachable, match="gone"):
        answer.break_off(GONE)


def test_behind_half_a_thought_of_another_nothing_is_signed() -> None:
    answer = OneAnswer(ASKED)
    out_of(answer, ThoughtDelta("hm"))
    answer.break_off(GONE)

    assert out_of(answer, ThoughtDelta("so"), ThoughtDelta(signature="one")) == [ThoughtDelta("so"), ThoughtDelta()]
    assert out_of(answer, ThoughtDelta("well", "two")) == [ThoughtDelta("well", "two")]


def test_more_than_anybody_would_use_is_not_held_back() -> None:
    answer = OneAnswer(ASKED)
    with pytest.raises(InvalidAnswer, match="tool calls are longer"):
        out_of(answer, CallDelta(0, "a", "look", "x" * (MOST_HELD + 1)))
