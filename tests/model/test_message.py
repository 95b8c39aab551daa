"""Messages: one payload, roles that map to chunks."""

from __future__ import annotations

import pytest

from companion.model import ChatRole, Contents, Message, ToolResult
from companion.stream import Blob, FuncCall, Role, Text, ToolCall


@pytest.mark.parametrize(
    ("chat", "chunk"),
    [
        (ChatRole.SYSTEM, None),
        (ChatRole.USER, Role.USER),
        (ChatRole.ASSISTANT, Role.MODEL),
        (ChatRole.TOOL, Role.TOOL),
    ],
)
def test_assistant_and_model_map_at_the_boundary(chat: ChatRole, chunk: Role | None) -> None:
    assert chat.chunk_role is chunk
    assert chunk is None or ChatRole.of_chunk(chunk) is chat


def test_the_text_of_a_message_is_its_words_in_order() -> None:
    message = Message(ChatRole.USER, Contents((Text("what is "), Blob("image/png", b""), Text("this?"))))

    assert message.text == "what is this?"


def test_a_tool_call_and_its_result_have_no_words() -> None:
    call = Message(ChatRole.ASSISTANT, ToolCall("1", FuncCall("now", "{}")))
    result = Message(ChatRole.TOOL, ToolResult("1", "noon"))

    assert call.text == result.text == ""


def test_plain_words_keep_their_language() -> None:
    message = Message.of(ChatRole.USER, "你好", language="zh")

    assert message.payload == Contents((Text("你好", "zh"),))
    assert message.text == "你好"
