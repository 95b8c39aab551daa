import asyncio
import errno
import os
import random
import signal
import stat
import sys
import textwrap
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.compose.entry import Entry
from companion.compose.session import FileSession, MemorySession
from companion.errors import SessionError
from companion.model import ChatRole, Message, ToolResult
from companion.stream import FuncCall, ToolCall

USER, ASSISTANT = ChatRole.USER, ChatRole.ASSISTANT


def said(*texts: object, role: ChatRole = USER) -> list[Entry]:
    return [Entry.of(role, str(text)) for text in texts]


def texts(session: MemorySession) -> list[str]:
    return [entry.message.text for entry in session.entries]


def call(name: str) -> Entry:
    return Entry(Message(ASSISTANT, ToolCall(name, FuncCall("look", "{}"))))


def result(name: str) -> Entry:
    return Entry(Message(ChatRole.TOOL, ToolResult(name, f"saw {name}")))


async def test_the_system_message_stays_when_others_are_let_go_of() -> None:
    session = MemorySession(cap=3)
    await session.add(*said("system", role=ChatRole.SYSTEM), *said(1, 2, 3))
    assert texts(session) == ["system", "2", "3"]

    await session.add(*said(4))
    assert texts(session) == ["system", "3", "4"]


async def test_a_cap_of_zero_is_no_limit() -> None:
    session = MemorySession(cap=0)
    await session.add(*said(*range(200)))

    assert len(session.entries) == 200


async def test_tool_calls_go_together_with_their_results() -> None:
    session = MemorySession(cap=4)
    await session.add(call("a"), call("b"), result("a"), result("b"), *said("done"))

    assert texts(session) == ["done"]
    assert session.first == 4


async def test_only_what_overflows_is_let_go_of() -> None:
    session = MemorySession(cap=4)
    await session.add(*said(1), call("a"), result("a"), *said(2, 3))

    assert [entry.is_tool_call for entry in session.entries] == [True, False, False, False]


async def test_a_reopened_session_holds_the_newest_and_its_file_loses_none(tmp_path: Path) -> None:
    session = await FileSession.open(tmp_path, "home", cap=50)
    await session.add(*said(*range(60)))

    reopened = await FileSession.open(tmp_path, "home", cap=50)

    assert texts(reopened) == [str(number) for number in range(10, 60)]
    await reopened.add(*said("more"))
    assert len((tmp_path / "home.messages.ndjson").read_text().splitlines()) == 61


async def test_every_field_survives(tmp_path: Path) -> None:
    entries = [
        Entry.of(USER, "你好，\n“world”\u2028", language="zh", at=datetime(2026, 11, 30, 14, 20, tzinfo=UTC)),
        Entry.of(ASSISTANT, "Hello th", language="en", interrupted=True),
        call("a"),
        result("a"),
        Entry(Message.of(USER, ""), None),
    ]
    session = await FileSession.open(tmp_path, "home")
    await session.add(*entries)

    assert list((await FileSession.open(tmp_path, "home")).entries) == entries


async def test_system_messages_are_not_written(tmp_path: Path) -> None:
    session = await FileSession.open(tmp_path, "home")
    await session.add(*said("you are kind", role=ChatRole.SYSTEM), *said("hi"))

    assert "kind" not in (tmp_path / "home.messages.ndjson").read_text()


async def test_a_cleared_session_is_empty_and_goes_on(tmp_path: Path) -> None:
    session = await FileSession.open(tmp_path, "home")
    await session.add(*said("secret"))
    await session.clear()

    assert session.entries == ()
    assert not (tmp_path / "home.messages.ndjson").exists()
    await session.add(*said("fresh"))
    assert texts(await FileSession.open(tmp_path, "home")) == ["fresh"]


async def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    session = await FileSession.open(tmp_path / "sessions", "home")
    await session.add(*said("secret"))

    assert stat.S_IMODE((tmp_path / "sessions" / "home.messages.ndjson").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../up", "a/b", "a\\b", "/etc/passwd", "a.b", "a\0b", "a" * 65, "-x", "ü", "a b", "a\n"]
)
async def test_a_name_cannot_leave_its_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(SessionError, match="cannot be the name of a conversation"):
        await FileSession.open(tmp_path, name)
    assert os.listdir(tmp_path) == []  # noqa: PTH208


@pytest.mark.parametrize("torn", [b'{"role": "user", "te', b"{", b"\x00" * 40, b'{"role": "user", "text": "\xe4\xbd'])
async def test_a_torn_last_line_is_moved_aside(tmp_path: Path, torn: bytes) -> None:
    session = await FileSession.open(tmp_path, "home")
    await session.add(*said("one", "two"))
    file = tmp_path / "home.messages.ndjson"
    whole = file.read_bytes()
    file.write_bytes(whole + torn)

    reopened = await FileSession.open(tmp_path, "home")

    assert texts(reopened) == ["one", "two"]
    assert reopened.problems == ("home.messages.ndjson: the last line was torn; it was moved to home.messages.torn",)
    assert file.read_bytes() == whole
    assert (tmp_path / "home.messages.torn").read_bytes() == torn + b"\n"


async def test_a_whole_last_line_without_its_end_is_kept(tmp_path: Path) -> None:
    (tmp_path / "home.messages.ndjson").write_text('{"role": "user", "text": "one"}')

    session = await FileSession.open(tmp_path, "home")
    await session.add(*said("two"))

    assert texts(await FileSession.open(tmp_path, "home")) == ["one", "two"]


@pytest.mark.parametrize(
    "line", ["{", "5", "null", "[]", '{"role": "king", "text": "x"}', '{"role": "user"}', "\0\0", "[" * 100_000,
             '{"role": "user", "text": 5}', '{"role": "user", "text": "x", "time": "noon"}', "\udcff",
             '{"role": "user", "text": "\\udcff"}']
)  # fmt: skip
async def test_an_unreadable_line_is_skipped_and_told_of(tmp_path: Path, line: str) -> None:
    good = '{"role": "user", "text": "%s"}\n'
    content = good % "one" + line + "\n" + good % "two"
    (tmp_path / "home.messages.ndjson").write_bytes(content.encode("utf-8", "surrogateescape"))

    session = await FileSession.open(tmp_path, "home")

    assert texts(session) == ["one", "two"]
    assert session.problems == ("home.messages.ndjson: 1 unreadable lines were left out",)


async def test_a_long_file_is_read_from_its_end(tmp_path: Path) -> None:
    lines = (f'{{"role": "user", "text": "{number} {"x" * 2000}"}}\n' for number in range(1000))
    (tmp_path / "home.messages.ndjson").write_text("".join(lines))

    few = await FileSession.open(tmp_path, "home", cap=50)
    many = await FileSession.open(tmp_path, "home", cap=400)
    everything = await FileSession.open(tmp_path, "home", cap=0)

    assert [text.split()[0] for text in texts(few)] == [str(number) for number in range(950, 1000)]
    assert len(many.entries) == 400
    assert len(everything.entries) == 1000


async def test_a_reopened_session_does_not_begin_with_a_lost_calls_result(tmp_path: Path) -> None:
    session = await FileSession.open(tmp_path, "home")
    await session.add(call("a"), result("a"), *said("one"))

    assert texts(await FileSession.open(tmp_path, "home", cap=2)) == ["one"]


async def test_a_full_disk_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = await FileSession.open(tmp_path, "home")
    await session.add(*said("one"))
    real = os.write

    def full(handle: int, content: bytes) -> int:
        real(handle, content[:5])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("companion.compose.journal.os.write", full)
    with pytest.raises(SessionError, match="No space left on device"):
        await session.add(*said("two"))
    monkeypatch.setattr("companion.compose.journal.os.write", real)
    await session.add(*said("three"))

    assert texts(session) == ["one", "two", "three"]
    assert texts(await FileSession.open(tmp_path, "home")) == ["one", "three"]


async def test_half_a_character_costs_itself_only(tmp_path: Path) -> None:
    session = await FileSession.open(tmp_path, "default")
    await session.add(*said("tea \udcff please"))

    assert texts(await FileSession.open(tmp_path, "default")) == ["tea ? please"]


async def test_turns_added_at_once_are_written_in_order(tmp_path: Path) -> None:
    session = await FileSession.open(tmp_path, "home")
    async with asyncio.TaskGroup() as tasks:
        for number in range(30):
            tasks.create_task(session.add(*said(number)))

    assert texts(await FileSession.open(tmp_path, "home")) == [str(number) for number in range(30)]


async def test_a_cancelled_turn_is_whole_or_absent(tmp_path: Path) -> None:
    session = await FileSession.open(tmp_path, "home")
    adding = asyncio.get_running_loop().create_task(session.add(*said("one" * 1000)))
    await asyncio.sleep(0)
    adding.cancel()
    await asyncio.wait([adding])
    await session.add(*said("two"))

    assert (await FileSession.open(tmp_path, "home")).problems == ()


WRITER = textwrap.dedent(
    """
    import asyncio, sys
    from pathlib import Path
    from companion.compose.entry import Entry
    from companion.compose.session import FileSession
    from companion.model import ChatRole

    async def main():
        session = await FileSession.open(Path(sys.argv[1]), "home", cap=0)
        for number in range(len(session.entries) // 2, 1_000_000):
            await session.add(Entry.of(ChatRole.USER, f"question {number}"), Entry.of(ChatRole.ASSISTANT, "x" * 3000))
            print(number, flush=True)

    asyncio.run(main())
    """
)


async def test_no_finished_turn_is_lost_to_a_kill(tmp_path: Path) -> None:
    chance = random.Random(8)
    for _ in range(10):
        writer = await asyncio.create_subprocess_exec(
            sys.executable, "-c", WRITER, str(tmp_path), stdout=asyncio.subprocess.PIPE
        )
        assert writer.stdout is not None
        await asyncio.wait_for(writer.stdout.readline(), 30)
        await asyncio.sleep(chance.uniform(0, 0.05))
        writer.send_signal(signal.SIGKILL)
        finished = (await writer.stdout.read()).split()
        await writer.wait()

        session = await FileSession.open(tmp_path, "home", cap=0)

        questions = [text for text in texts(session) if text.startswith("question")]
        assert questions == [f"question {number}" for number in range(len(questions))]
        assert len(questions) > int(finished[-1] if finished else 0)
        # A kill between the two lines of a turn leaves its question; the next run goes on behind it.
        if len(session.entries) % 2:
            await session.add(Entry.of(ASSISTANT, "lost"))
