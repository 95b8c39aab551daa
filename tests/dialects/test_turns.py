"""A conversation is laid out as a wire wants it, and nothing a model once wrote breaks it."""

from __future__ import annotations

import logging

import pytest

from companion.dialects.call_arguments import arguments_of
from companion.dialects.media import blob_of, bytes_of, data_url
from companion.dialects.openai_completions.content import arguments_text
from companion.dialects.turns import Turn, system_first, system_text, tool_names, turns_of, with_closing
from companion.errors import WireBroken
from companion.model import ChatRole, Contents, Link, Message, ModelContext, SystemPrompt, Thought, ToolResult
from companion.stream import Blob, FuncCall, Text, ToolCall

CALL = ToolCall("c1", FuncCall("look", "{}"))
PICTURE = Blob("image/png", b"\x89PNG")


def said(role: ChatRole, text: str, name: str = "") -> Message:
    return Message(role, Contents((Text(text),)), name)


def test_neighbours_of_one_role_are_one_turn() -> None:
    messages = [
        said(ChatRole.USER, "a"),
        Message(ChatRole.ASSISTANT, Contents((Thought("hm", "sig"), Text("b")))),
        Message(ChatRole.ASSISTANT, CALL),
        Message(ChatRole.TOOL, ToolResult("c1", "x")),
        said(ChatRole.USER, "c"),
    ]

    assert turns_of(messages) == [
        Turn("user", (Text("a"),)),
        Turn("assistant", (Thought("hm", "sig"), Text("b"), CALL)),
        Turn("tool", (ToolResult("c1", "x"),)),
        Turn("user", (Text("c"),)),
    ]


def test_two_roles_of_one_wire_role_are_neighbours() -> None:
    messages = [Message(ChatRole.TOOL, ToolResult("c1", "x")), said(ChatRole.USER, "c")]

    (turn,) = turns_of(messages, lambda role: "user")

    assert turn.results == (ToolResult("c1", "x"),)
    assert turn.blocks == (Text("c"),)


def test_two_people_take_two_turns() -> None:
    messages = [said(ChatRole.USER, "a", "Ann"), said(ChatRole.USER, "b", "Bo"), said(ChatRole.USER, "c", "Bo")]

    assert [(turn.name, len(turn.items)) for turn in turns_of(messages)] == [("Ann", 1), ("Bo", 2)]


def test_words_of_one_message_that_came_in_pieces_are_one_text() -> None:
    parts = (Text(""), Text("Hel"), Text("lo "), Text("you"), Text(" "), PICTURE, Text("!"))

    (turn,) = turns_of([Message(ChatRole.USER, Contents(parts))])

    assert turn.items == (Text("Hello you"), PICTURE, Text("!"))


def test_messages_that_say_nothing_take_no_turn() -> None:
    assert turns_of([said(ChatRole.USER, ""), Message(ChatRole.USER, Contents(()))]) == []


def test_system_texts_are_one_and_the_chains_of_thought_come_last() -> None:
    context = ModelContext(
        prompts=(SystemPrompt("a", " A "), SystemPrompt("b", ""), SystemPrompt("c", "C")), cots=("D",)
    )

    assert system_text(context) == "A\n\nC\n\nD"


def test_of_system_texts_in_a_conversation_nothing_is_lost() -> None:
    shown = Message(ChatRole.SYSTEM, Contents((Text("See"), PICTURE)))
    begins = ModelContext((SystemPrompt("a", "A"),), (said(ChatRole.SYSTEM, "B"), shown, said(ChatRole.USER, "c")))
    placed = system_first(begins)

    assert system_text(placed) == "A\n\nB"
    assert placed.messages == (Message(ChatRole.USER, shown.payload), said(ChatRole.USER, "c"))
    alone = ModelContext((), (said(ChatRole.SYSTEM, "B"),))
    assert system_first(alone) == alone


def test_the_closing_text_stands_before_the_newest_words_of_the_user() -> None:
    messages = (
        said(ChatRole.USER, "a"),
        said(ChatRole.ASSISTANT, "b"),
        said(ChatRole.USER, "c"),
        said(ChatRole.USER, "d"),
    )

    placed = with_closing(ModelContext(messages=messages, closing=" noon "))

    assert placed == (*messages[:2], Message.of(ChatRole.SYSTEM, "noon"), *messages[2:])


def test_the_closing_text_never_comes_between_a_call_and_its_result() -> None:
    messages = (
        said(ChatRole.USER, "a"),
        Message(ChatRole.ASSISTANT, CALL),
        Message(ChatRole.TOOL, ToolResult("c1", "x")),
    )

    placed = with_closing(ModelContext(messages=messages, closing="noon"), ChatRole.USER)

    assert placed == (Message.of(ChatRole.USER, "noon"), *messages)


def test_without_a_closing_text_the_messages_are_as_they_are() -> None:
    messages = (said(ChatRole.USER, "a"),)

    assert with_closing(ModelContext(messages=messages, closing="  ")) is messages


def test_the_name_of_a_tool_is_found_by_the_call() -> None:
    assert tool_names([said(ChatRole.USER, "a"), Message(ChatRole.ASSISTANT, CALL)]) == {"c1": "look"}


@pytest.mark.parametrize("written", ["", "  ", "None", "abc", "[1,2]", '{"a": "b', '"{\\"a\\": 1}"', "7", '{"a": NaN'])
def test_arguments_that_are_no_object_go_back_as_none_at_all(written: str, caplog: pytest.LogCaptureFixture) -> None:
    call = FuncCall("look", written)
    with caplog.at_level(logging.WARNING):
        assert arguments_text(call) == "{}"

    assert arguments_of(call) == {}
    assert bool(caplog.records) == bool(written.strip())
    assert "abc" not in caplog.text, "nothing that was said is in the log"


def test_loose_quotes_become_json() -> None:
    assert arguments_text(FuncCall("look", "{'a':'b'}")) == '{"a": "b"}'


def test_arguments_that_are_an_object_go_back_as_they_came() -> None:
    written = '{"b": 1,  "a": "\\u00e9"}'

    assert arguments_text(FuncCall("look", written)) == written


def test_bytes_travel_in_a_url() -> None:
    url = data_url(Blob("audio/pcm; rate=16000", b"\0\1"))

    assert url == "data:audio/pcm;rate=16000;base64,AAE="
    assert blob_of(url, "it") == Blob("audio/pcm;rate=16000", b"\0\1")


def test_any_other_url_is_a_place() -> None:
    assert blob_of("https://h/a.png", "it") == Link("application/octet-stream", "https://h/a.png")


@pytest.mark.parametrize("url", ["data:", "data:image/png,abc", "data:image/png;base64,a?b"])
def test_a_data_url_that_cannot_be_read_is_an_error(url: str) -> None:
    with pytest.raises(WireBroken, match="it is"):
        blob_of(url, "it")


def test_what_is_no_base64_is_an_error_by_name() -> None:
    with pytest.raises(WireBroken, match="the picture is not base64"):
        bytes_of("é", "the picture")
