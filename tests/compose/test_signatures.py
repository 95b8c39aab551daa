"""What one backend has signed is shown to that one alone."""

from __future__ import annotations

from dataclasses import replace

from companion.compose.signatures import MOST_KEPT, Signatures
from companion.model import ChatRequest, ChatRole, Contents, Message, ModelContext, Thought
from companion.model.calls import CallDelta
from companion.model.deltas import TextDelta, ThoughtDelta
from companion.stream import FuncCall, Text, ToolCall

THOUGHT = Message(ChatRole.ASSISTANT, Contents((Thought("hm", "one"), Text("Well."))))
SEALED = Message(ChatRole.ASSISTANT, Contents((Thought("", redacted="two"),)))
CALL = Message(ChatRole.ASSISTANT, ToolCall("a", FuncCall("look", "{}"), "three"))
PLAIN = Message.of(ChatRole.USER, "Hi")
TALK = ChatRequest(ModelContext(messages=(PLAIN, THOUGHT, SEALED, CALL)))


def kept(signatures: Signatures, reader: str, request: ChatRequest = TALK) -> tuple[Message, ...]:
    return signatures.for_reader(reader, request).context.messages


def signed_by(giver: str) -> Signatures:
    signatures = Signatures()
    for delta in (
        ThoughtDelta("hm"),
        ThoughtDelta(signature="one"),
        ThoughtDelta(redacted="two"),
        CallDelta(0, "a", "look", "{}", "three"),
        TextDelta("Well."),
    ):
        signatures.note(giver, delta)
    return signatures


def test_who_has_signed_reads_all_of_it() -> None:
    assert signed_by("near").for_reader("near", TALK) is TALK


def test_another_reads_the_words_and_calls_without_what_was_signed() -> None:
    assert kept(signed_by("near"), "far") == (
        PLAIN,
        replace(THOUGHT, payload=Contents((Text("Well."),))),
        replace(CALL, payload=ToolCall("a", FuncCall("look", "{}"))),
    )


def test_what_nobody_is_known_to_have_signed_is_somebody_elses() -> None:
    assert kept(Signatures(), "near") == kept(signed_by("near"), "far")


def test_a_thought_without_a_signature_is_everybodys() -> None:
    open_thought = replace(THOUGHT, payload=Contents((Thought("hm"),)))
    request = ChatRequest(ModelContext(messages=(open_thought,)))

    assert signed_by("near").for_reader("far", request) is request


def test_no_more_than_the_newest_are_remembered() -> None:
    signatures = signed_by("near")
    signatures.note("near", ThoughtDelta(signature="one"))
    for number in range(MOST_KEPT - 1):
        signatures.note("far", ThoughtDelta(signature=f"s{number}"))

    assert THOUGHT in kept(signatures, "near")
    assert SEALED not in kept(signatures, "near")
