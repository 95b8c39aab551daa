from doubles.generator import count_words

from companion.compose.entry import Entry
from companion.compose.session import MemorySession
from companion.compose.window import MESSAGE_TOKENS, Window
from companion.model import ChatRole

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
