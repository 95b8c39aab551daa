import asyncio

from doubles.generator import count_words
from hypothesis import given
from hypothesis import strategies as st

from companion.compose.entry import Entry
from companion.compose.groups import whole_messages
from companion.compose.session import MemorySession
from companion.compose.tokens import PICTURE_TOKENS
from companion.compose.window import MESSAGE_TOKENS, Window, WindowedSession
from companion.model import ChatRole, Contents, Message, ToolResult, image
from companion.stream import FuncCall, Text, ToolCall

TURN = 2 * MESSAGE_TOKENS + 4
"""Tokens of one turn here."""


async def talk(session: MemorySession, turns: int) -> None:
    for _ in range(turns):
        question = Entry.of(ChatRole.USER, f"question {session.first + len(session.entries)}")
        await session.add(question, Entry.of(ChatRole.ASSISTANT, "an answer"))


async def starts(session: MemorySession, window: Window, budget: int, turns: int) -> list[str]:
    """The first message that is shown, turn after turn."""
    found: list[str] = []
    for _ in range(turns):
        await talk(session, 1)
        shown = window.of(session, budget)
        assert sum(count_words(entry.message.text) + MESSAGE_TOKENS for entry in shown) <= budget
        found.append(shown[0].message.text)
    return found


async def test_all_is_shown_while_it_fits() -> None:
    session, window = MemorySession(), Window(count_words)
    await talk(session, 5)

    assert window.of(session, 5 * TURN) == session.entries


async def test_the_start_jumps_rarely_and_far() -> None:
    session, window = MemorySession(cap=0), Window(count_words)

    found = await starts(session, window, 10 * TURN, turns=100)

    assert len(set(found)) <= 100 // 5 + 1
    assert all(start.startswith("question") for start in found)


async def test_messages_let_go_of_do_not_move_the_start_each_turn() -> None:
    session, window = MemorySession(cap=20), Window(count_words)

    found = await starts(session, window, 1000 * TURN, turns=100)

    assert len(set(found)) <= 100 // 5 + 1


async def test_no_room_shows_nothing() -> None:
    session, window = MemorySession(), Window(count_words)
    await talk(session, 3)

    assert window.of(session, 0) == ()


async def test_a_cleared_conversation_is_not_shown() -> None:
    session, window = MemorySession(), Window(count_words)
    await talk(session, 3)
    window.of(session, 1000)
    await session.clear()
    await talk(session, 1)

    assert window.of(session, 1000) == session.entries


async def test_system_messages_are_for_the_prompt() -> None:
    session, window = MemorySession(), Window(count_words)
    await session.add(Entry.of(ChatRole.SYSTEM, "be kind"))
    await talk(session, 1)

    assert [entry.message.role for entry in window.of(session, 1000)] == [ChatRole.USER, ChatRole.ASSISTANT]


async def test_a_text_is_counted_once() -> None:
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return 1

    session, window = MemorySession(), Window(count)
    await talk(session, 3)
    window.of(session, 1000)
    window.of(session, 1000)

    assert len(counted) == 6


def call(name: str) -> list[Entry]:
    """A call with its result: two tokens and one, and what goes around them."""
    called = Message(ChatRole.ASSISTANT, ToolCall(name, FuncCall("look", "{}")))
    return [Entry(called), Entry(Message(ChatRole.TOOL, ToolResult(name, "seen")))]


GROUP = 2 * MESSAGE_TOKENS + 3


async def test_calls_and_results_cost_what_they_say() -> None:
    session, window = MemorySession(), Window(count_words)
    await session.add(Entry.of(ChatRole.USER, "look"), *call("a"))

    assert len(window.of(session, MESSAGE_TOKENS + 1 + GROUP)) == 3
    assert window.of(session, MESSAGE_TOKENS + GROUP) == ()


async def test_of_a_turn_that_is_too_long_the_question_and_the_newest_steps_are_shown() -> None:
    session, window = MemorySession(), Window(count_words)
    await talk(session, 2)
    question = Entry.of(ChatRole.USER, "look")
    await session.add(question, *call("a"), *call("b"), *call("c"))

    shown = window.of(session, MESSAGE_TOKENS + 1 + 2 * GROUP)

    assert shown == (question, *session.entries[-4:])


async def test_a_picture_has_its_price() -> None:
    session, window = MemorySession(), Window(count_words)
    await session.record(Message(ChatRole.USER, Contents((Text("see"), image(b"\xff")))))

    assert window.of(session, PICTURE_TOKENS) == ()
    assert len(window.of(session, PICTURE_TOKENS + MESSAGE_TOKENS + 1)) == 1


async def test_a_message_in_the_place_of_one_that_was_taken_back_is_counted_anew() -> None:
    session, window = MemorySession(), Window(count_words)
    await session.add(Entry.of(ChatRole.USER, "short"))
    window.of(session, 1000)
    await session.remove_latest(1)
    await session.add(Entry.of(ChatRole.USER, "long " * 500))

    assert window.of(session, 100) == ()


async def test_a_windowed_session_shows_what_fits_and_keeps_all() -> None:
    session = MemorySession(cap=0)
    windowed = WindowedSession(session, count_words, 10 * TURN)
    for number in range(30):
        await windowed.record(
            Message.of(ChatRole.USER, f"question {number}"), Message.of(ChatRole.ASSISTANT, "an answer")
        )

    assert windowed.messages[-2].text == "question 29"
    assert len(windowed.messages) <= 20
    assert len(session.entries) == 60
    assert windowed.name == session.name


@given(st.data())
def test_no_window_ever_parts_a_call_from_its_result(data: st.DataObject) -> None:
    async def scene() -> None:
        session, window = MemorySession(cap=data.draw(st.integers(0, 12))), Window(count_words)
        for number in range(data.draw(st.integers(1, 25))):
            match data.draw(st.sampled_from(["user", "assistant", "calls", "remove"])):
                case "user":
                    await session.add(Entry.of(ChatRole.USER, "a question"))
                case "assistant":
                    await session.add(Entry.of(ChatRole.ASSISTANT, "an answer"))
                case "remove":
                    await session.remove_latest(data.draw(st.integers(0, 4)))
                case _:
                    steps = [call(f"{number}-{place}") for place in range(data.draw(st.integers(1, 3)))]
                    await session.add(*(step[0] for step in steps), *(step[1] for step in steps))
            budget = data.draw(st.integers(0, 200))
            shown = window.of(session, budget)
            assert sum(MESSAGE_TOKENS for _ in shown) <= budget
            assert not shown or shown[0].message.role is ChatRole.USER or shown[0] is session.entries[0]
            for kept in (shown, session.entries):
                assert len(whole_messages(kept)) == len(kept)

    asyncio.run(scene())
