"""A chat model over what is put together here: kept conversations, routers, and chains of fallbacks."""

from pathlib import Path

from doubles.backends import PlayedBackend, words

from companion.compose.fallback import Failover
from companion.compose.router import ROUTE_ID, RoundRobin, Route, Router
from companion.compose.session import FileSession, MemorySession
from companion.compose.window import WindowedSession
from companion.errors import Unreachable
from companion.model import ChatRole, Contents, FuncTool, Message, Prompt, Thought, ToolResult
from companion.model.calls import CallDelta
from companion.model.chat import ChatModel
from companion.model.deltas import Finish, Finished, TextDelta, ThoughtDelta
from companion.model.event_order import EventOrder
from companion.stream import FuncCall, ToolCall


def add(one: int, two: int) -> int:
    """Adds two numbers."""
    return one + two


ADD = FuncTool.of(add)
CALLING = [
    ThoughtDelta("A sum."),
    ThoughtDelta(signature="c2ln"),
    CallDelta(0, "c1", "add", '{"one": 2, "two": 3}'),
    Finished(Finish.TOOL_CALLS),
]


async def test_a_turn_with_a_tool_is_kept_on_disk_and_gone_on_with(tmp_path: Path) -> None:
    model = ChatModel(PlayedBackend("local", CALLING, words("Five."))).with_tools([ADD])
    session = await FileSession.open(tmp_path, "home")
    await model.prompt("What is 2 + 3?").session(session).call()

    reopened = await FileSession.open(tmp_path, "home")
    assert reopened.messages == session.messages
    question, thought, call, result, answer = reopened.messages
    assert question.text == "What is 2 + 3?"
    assert thought.payload == Contents((Thought("A sum.", "c2ln"),))
    assert call.payload == ToolCall("c1", FuncCall("add", '{"one": 2, "two": 3}'))
    assert isinstance(result.payload, ToolResult)
    assert result.payload == ToolResult("c1", "5")
    assert (answer.role, answer.text) == (ChatRole.ASSISTANT, "Five.")

    later = PlayedBackend("later", words("Two and three."))
    await ChatModel(later).prompt("Of what?").session(reopened).call()
    assert later.requests[0].context.messages == (*session.messages, Message.of(ChatRole.USER, "Of what?"))


async def test_a_prompt_may_name_its_route() -> None:
    routes = [Route(one, one, 1, PlayedBackend(one, words(one))) for one in ("a", "b")]
    model = ChatModel(Router(routes, RoundRobin()))
    named = Prompt((Message.of(ChatRole.USER, "hi"),), {ROUTE_ID: "b"})

    answers = [await model.prompt(prompt).call() for prompt in ("hi", named, "hi")]
    assert [answer.text for answer in answers] == ["a", "b", "b"]


async def test_a_turn_that_changes_hands_is_one_turn() -> None:
    cloud = PlayedBackend("cloud", CALLING, [TextDelta("The sum "), Unreachable("gone")])
    local = PlayedBackend("local", words("sum is five."))
    session = MemorySession()
    model = ChatModel(Failover([cloud, local], rounds=1)).with_tools([ADD])
    response = await model.prompt("What is 2 + 3?").session(session).call_stream()

    assert response.text == "The sum is five."
    EventOrder.check(response.events)
    assert [message.text for message in session.messages][-1] == "The sum is five."
    # What the cloud has signed stays between it and us.
    assert all("c2ln" not in str(message) for message in local.requests[0].context.messages)


async def test_a_model_is_shown_a_window_and_the_session_keeps_all() -> None:
    session = MemorySession(cap=0)
    backend = PlayedBackend("local", words("an answer"))
    windowed = WindowedSession(session, lambda text: len(text.split()), 100)
    for number in range(20):
        await ChatModel(backend).prompt(f"question {number}").session(windowed).call()

    assert len(session.messages) == 40
    assert len(backend.requests[-1].context.messages) < 15
    assert backend.requests[-1].context.messages[0].role is ChatRole.USER
