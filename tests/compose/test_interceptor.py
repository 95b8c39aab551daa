"""The everyday interceptors: asking first, saying first, noting what was done."""

from __future__ import annotations

import logging

import pytest
from doubles.chat_backend import ScriptedBackend, calls, says

from companion.compose.fallback import Failover
from companion.compose.interceptor import AskBefore, LogCalls, SayFirst
from companion.model import ChatRequest, ModelContext, SystemPrompt, ToolResult
from companion.model.chat import ChatModel
from companion.model.deltas import TextDelta
from companion.model.request import answered_by
from companion.model.tool_builder import NewTool
from companion.model.tool_context import ToolContext
from companion.stream import ToolCall

CLOCK = NewTool("clock").handler(lambda: "noon").build()


@pytest.mark.parametrize(("allowed", "result"), [(True, "noon"), (False, "Error: the call of 'clock' was denied")])
async def test_a_tool_runs_where_it_is_allowed(allowed: bool, result: str) -> None:
    async def is_allowed(call: ToolCall, context: ToolContext) -> bool:
        return allowed

    for gate in (AskBefore(is_allowed), AskBefore(lambda call, context: allowed)):
        backend = ScriptedBackend(calls(("clock", "")), says("ok"))
        response = await ChatModel(backend, tools=[CLOCK], interceptors=[gate]).generate("?")
        assert response.messages[1].payload == ToolResult("id0", result, is_error=not allowed)


async def test_a_text_is_put_before_the_others() -> None:
    backend = ScriptedBackend(says("ok"))
    first = SayFirst("day", lambda draft: "It is Monday.")
    nothing = SayFirst("none", lambda draft: "")
    await ChatModel(backend, interceptors=[first, nothing]).prompt("?").role("Ada").call()

    assert backend.requests[0].context.prompts == (
        SystemPrompt("day", "It is Monday."),
        SystemPrompt("role", "# Role: Ada"),
    )


@pytest.mark.parametrize("is_streamed", [False, True])
async def test_the_log_holds_what_was_done_and_nothing_that_was_said(
    caplog: pytest.LogCaptureFixture, is_streamed: bool
) -> None:
    backend = ScriptedBackend(calls(("clock", '{"secret": 1}')), says("secret"))
    tool = NewTool("clock").param("secret", int).handler(lambda secret: "secret").build()
    asking = ChatModel(backend, tools=[tool], interceptors=[LogCalls()]).prompt("secret")
    with caplog.at_level(logging.INFO):
        response = await (asking.call_stream() if is_streamed else asking.call())

    assert response.answered_by == ("scripted",)
    assert caplog.text.count("10 tokens read, 2 written, 1 tools called") == 1
    assert caplog.text.count("answered in") == 2
    assert "clock took" in caplog.text
    assert "secret" not in caplog.text


async def test_an_answer_that_is_left_in_the_middle_is_noted_once_and_keeps_its_name(
    caplog: pytest.LogCaptureFixture,
) -> None:
    backend = Failover([ScriptedBackend([TextDelta("Hi"), 60], name="near")])
    with caplog.at_level(logging.INFO):
        source = await LogCalls().stream(ChatRequest(ModelContext()), backend.ask)
        await source.next()
        assert answered_by(source, ChatModel(ScriptedBackend(says("Hi"), name="other"))) == ("near",)
        for _ in range(2):
            await source.close()

    assert caplog.text.count("answered in") == 1
