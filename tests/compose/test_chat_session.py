"""A chat model goes on with a conversation on disk, and leaves it whole when it is cut off."""

from __future__ import annotations

import asyncio
from pathlib import Path

from doubles.chat_backend import ScriptedBackend, calls, says

from companion.compose.session import FileSession, MemorySession
from companion.errors import SessionError
from companion.model import ChatRole, Message, ToolResult
from companion.model.chat import ChatModel
from companion.model.events import StepEnd
from companion.stream import ToolCall


async def forever() -> str:
    """Never ends."""
    await asyncio.sleep(3600)
    return ""


async def test_a_turn_that_is_cut_off_in_its_tools_is_whole_on_disk(tmp_path: Path) -> None:
    session = await FileSession.open(tmp_path, "talk")
    model = ChatModel(ScriptedBackend(calls(("forever", ""), ("nothing", "")), says("Hello.")), tools=[forever])
    async with model.prompt("Hi").session(session).stream() as events:
        async for event in events:
            if isinstance(event, StepEnd):
                break

    again = await FileSession.open(tmp_path, "talk")
    payloads = [message.payload for message in again.messages[1:]]
    assert [type(payload) for payload in payloads] == [ToolCall, ToolCall, ToolResult, ToolResult]
    assert [payload.result for payload in payloads[2:]] == ["Error: the turn was cancelled"] * 2
    assert (await model.prompt("Again").session(again).call()).text == "Hello."
    assert not again.problems


async def test_a_model_is_shown_the_question_of_a_turn_longer_than_its_session() -> None:
    backend = ScriptedBackend(*(calls(("nothing", f'{{"a": {number}}}')) for number in range(9)), says("ok"))
    session = MemorySession(cap=4)
    response = await ChatModel(backend).prompt("What is it?").session(session).call()

    assert response.text == "ok"
    for request in backend.requests:
        assert request.context.messages[0] == Message.of(ChatRole.USER, "What is it?")


async def test_a_conversation_that_cannot_be_kept_goes_on() -> None:
    class Full(MemorySession):
        async def record(self, *messages: Message) -> None:
            await super().record(*messages)
            raise SessionError("no space left")

    session = Full()
    model = ChatModel(ScriptedBackend(calls(("nothing", "")), says("ok")))

    assert (await model.prompt("Hi").session(session).call()).text == "ok"
    assert len(session.messages) == 4
