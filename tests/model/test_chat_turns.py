"""Random answers, faults and readers: the order is kept, every call has one result, nothing is lost or doubled."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from doubles import virtual_time
from doubles.chat_backend import Piece, ScriptedBackend
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.compose.session import MemorySession
from companion.compose.window import WindowedSession
from companion.errors import ModelError, ProviderFailed, StreamBlocked, Unsupported
from companion.model import ChatRole, Contents, FuncTool, Message, ToolResult
from companion.model.calls import CallDelta
from companion.model.chat import Asking, ChatModel
from companion.model.chat_options import with_limits, with_timeouts
from companion.model.conversation import Conversation, PassingConversation
from companion.model.deltas import BlobDelta, Counted, Finish, Finished, RawDelta, TextDelta, ThoughtDelta
from companion.model.event_order import EventOrder
from companion.model.events import Error, Event, ResponseEnd, StepStart, ToolCallEnd
from companion.model.response import ChatResponse
from companion.stream import Blob, ToolCall, Usage

PROGRAMS = int(os.environ.get("COMPANION_TEST_TURNS", "150"))
TOOLS_RUN_SECONDS = 30.0


async def quick(number: int) -> int:
    """Gives the number back."""
    return number


async def slow(number: int) -> int:
    """Takes a while."""
    await asyncio.sleep(number)
    return number


def broken(number: int) -> int:
    """Fails."""
    raise ValueError(f"no {number}")


TOOLS = [
    FuncTool.of(quick),
    replace(FuncTool.of(slow), is_parallel=True),
    replace(FuncTool.of(quick, name="direct"), return_direct=True),
    replace(FuncTool.of(quick, name="beside"), is_parallel=True),
    FuncTool.of(broken),
]

WORDS = st.text(st.sampled_from("ab \n"), max_size=4)
ARGUMENTS = st.one_of(
    st.integers(0, 60).map(lambda number: f'{{"number": {number}}}'),
    st.sampled_from(["", "{", "[1]", '{"number": "x"}']),
)
NAMES = st.sampled_from(["quick", "slow", "direct", "beside", "broken", "unknown"])
USAGES = st.builds(Usage, st.integers(0, 9), st.integers(0, 9))
PLAIN = st.one_of(
    st.builds(TextDelta, WORDS),
    st.builds(ThoughtDelta, WORDS, st.sampled_from(["", "sig"])),
    st.builds(RawDelta, st.integers(0, 3)),
    st.builds(BlobDelta, st.just(Blob("image/png", b"x"))),
    st.builds(Counted, USAGES),
    st.sampled_from([1.0, 10.0]),
)
FAULTS = st.sampled_from([ProviderFailed("busy"), 3600.0, Unsupported("no"), KeyError("a bug")])
ENDS = st.sampled_from([Finished(Finish.STOP, reason="stop"), Finished(Finish.TOOL_CALLS), Finished(Finish.LENGTH)])


@st.composite
def a_call(draw: st.DrawFn, index: int) -> list[Piece]:
    arguments, name = draw(ARGUMENTS), draw(NAMES)
    cut = draw(st.integers(0, len(arguments)))
    call_id = draw(st.sampled_from(["", "x", f"id{index}"]))
    late = draw(st.booleans())
    first = CallDelta(index, "" if late else call_id, name, arguments[:cut])
    return [first, CallDelta(index, call_id, "", arguments[cut:])]


@st.composite
def an_answer(draw: st.DrawFn) -> Sequence[Piece] | Exception:
    """The pieces of one answer; most of them end well."""
    fault = draw(st.integers(0, 11))
    if fault == 0:
        return draw(st.sampled_from([ProviderFailed("busy"), Unsupported("no"), TimeoutError("too slow")]))
    pieces: list[Piece] = draw(st.lists(PLAIN, max_size=6))
    for index in range(draw(st.sampled_from([0, 0, 1, 2, 3]))):
        place = draw(st.integers(0, len(pieces)))
        pieces[place:place] = draw(a_call(index))
    if fault == 1:
        return [*pieces, draw(FAULTS)]
    if fault == 2:
        return pieces
    if fault == 3:
        return [*pieces, Finished(Finish.REFUSED, "no")]
    return [*pieces, draw(ENDS), *draw(st.lists(st.builds(Counted, USAGES), max_size=1))]


@dataclass
class Leaves:
    """A reader that leaves after so many events, or after so many seconds."""

    events: int
    seconds: float
    way: str


READERS = st.builds(
    Leaves,
    st.integers(0, 40),
    st.floats(0.0, 100.0),
    st.sampled_from(["pull", "pull", "close", "sink", "cancel", "call"]),
)


class Gone(Exception):
    """The reader has left."""


async def listen(asking: Asking, reader: Leaves, told: list[Event]) -> ChatResponse | None:
    match reader.way:
        case "call":
            return await asking.call()
        case "sink":

            def sink(event: Event) -> None:
                if len(told) == reader.events:
                    raise Gone
                told.append(event)

            return await asking.stream_to(sink)
        case "cancel":
            async with asyncio.timeout(reader.seconds):
                return await asking.stream_to(told.append)
    events = asking.stream()
    async with events:
        async for event in events:
            told.append(event)
            if reader.way == "close" and len(told) == reader.events:
                return None
    return events.response


CONVERSATIONS: list[Callable[[], Conversation]] = [
    PassingConversation,
    MemorySession,
    lambda: MemorySession(cap=5),
    lambda: WindowedSession(MemorySession(), len, 200),
]


def check_session(messages: Sequence[Message]) -> None:
    """Every call has one result, in order, and nothing stands between."""
    waiting: list[str] = []
    seen: set[str] = set()
    in_results = False
    for message in messages:
        match message.payload:
            case ToolCall(id):
                assert not in_results or not waiting
                assert id not in seen
                seen.add(id)
                waiting.append(id)
                in_results = False
            case ToolResult(id):
                assert message.role is ChatRole.TOOL
                assert waiting.pop(0) == id
                in_results = True
            case Contents():
                assert not waiting
    assert not waiting


@settings(max_examples=PROGRAMS, deadline=None)
@given(st.lists(an_answer(), min_size=1, max_size=6), READERS, st.integers(0, 4), st.sampled_from(CONVERSATIONS))
def test_whatever_comes_a_turn_keeps_its_laws(
    answers: list[Sequence[Piece] | Exception], reader: Leaves, rounds: int, begin: Callable[[], Conversation]
) -> None:
    backend = ScriptedBackend(*answers)
    conversation = begin()
    told: list[Event] = []
    asking = (
        ChatModel(backend, tools=TOOLS)
        .prompt("?")
        .session(conversation)
        .options(with_limits(rounds=rounds), with_timeouts(tool=TOOLS_RUN_SECONDS))
    )
    response: ChatResponse | None = None
    failure: BaseException | None = None

    async def scene() -> None:
        nonlocal response, failure
        try:
            response = await listen(asking, reader, told)
        except (ModelError, StreamBlocked, TimeoutError, Gone, KeyError) as error:
            failure = error

    virtual_time.run(scene())

    is_over = bool(told) and isinstance(told[-1], ResponseEnd)
    EventOrder.check(told, is_whole=is_over)
    assert is_over or failure is not None or response is not None or reader.way in ("close", "cancel")
    assert not backend.open_sources
    check_session(conversation.messages)
    for request in backend.requests:
        check_session(request.context.messages)
        assert [message.text for message in request.context.messages if message.role is ChatRole.USER] == ["?"]
    if isinstance(conversation, MemorySession) and conversation.first == 0:
        # What was recorded is whole, too, and not only what is shown of it.
        check_session([entry.message for entry in conversation.entries])
    errors = [event for event in told if isinstance(event, Error)]
    has_left = reader.way == "close" or isinstance(failure, Gone)
    assert [event.error for event in errors] in ([], [failure]) or has_left
    if response is None:
        return
    EventOrder.check(response.events)
    assert not errors
    if reader.way != "call":
        assert list(response.events) == told
    if isinstance(conversation, PassingConversation):
        assert response.messages == conversation.messages[1:]
    check_trace(response, response.messages)


def check_trace(response: ChatResponse, recorded: Sequence[Message]) -> None:
    """What was told, what is remembered and what was counted are one and the same."""
    told = response.events
    said = "".join(event.text for event in told if isinstance(event, TextDelta))
    assert said == "".join(message.text for message in recorded)
    calls = [event.call for event in told if isinstance(event, ToolCallEnd) and not event.is_cut]
    assert calls == [message.payload for message in recorded if isinstance(message.payload, ToolCall)]
    results = [event for event in told if isinstance(event, ToolResult)]
    assert results == [message.payload for message in recorded if isinstance(message.payload, ToolResult)]
    assert [result.id for result in results] == [call.id for call in calls]
    total = Usage()
    for event in told:
        total += event if isinstance(event, Usage) else Usage()
    assert response.usage == total
    assert sum(isinstance(event, StepStart) for event in told) <= 6
