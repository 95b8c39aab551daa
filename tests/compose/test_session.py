"""A conversation is kept: in memory, on disk, whole behind a crash, and as models may be shown it."""

from __future__ import annotations

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

from companion.compose.blocks import MOST_BYTES
from companion.compose.entry import Entry, from_line
from companion.compose.journal import Journal
from companion.compose.session import FileSession, MemorySession
from companion.errors import SessionError
from companion.model import Block, ChatRole, Contents, Link, Message, Resource, Thought, ToolResult
from companion.stream import Blob, FuncCall, Text, ToolCall, pcm

USER, ASSISTANT = ChatRole.USER, ChatRole.ASSISTANT


def said(*texts: object, role: ChatRole = USER) -> list[Entry]:
    return [Entry.of(role, str(text)) for text in texts]


def texts(session: MemorySession) -> list[str]:
    return [entry.message.text for entry in session.entries]


def call(name: str) -> Entry:
    return Entry(Message(ASSISTANT, ToolCall(name, FuncCall("look", "{}"))))


def result(name: str) -> Entry:
    return Entry(Message(ChatRole.TOOL, ToolResult(name, f"saw {name}")))


async def test_what_a_model_is_shown_begins_with_the_user_where_the_beginning_was_let_go_of() -> None:
    session = MemorySession(cap=3)
    await session.add(*said("system", role=ChatRole.SYSTEM), *said("hello", role=ASSISTANT))
    assert [message.text for message in session.messages] == ["system", "hello"]

    for turn in range(3):
        await session.add(*said(f"u{turn}"), *said(f"a{turn}", role=ASSISTANT))
    assert [message.text for message in session.messages] == ["system", "u2", "a2"]
    await session.add(*said("u3"))
    assert texts(session) == ["system", "a2", "u3"]
    assert [message.text for message in session.messages] == ["system", "u3"]


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
        Entry.of(ASSISTANT, "Hello th", language="en", interrupted=True, quotes=("read_page", "memory")),
        call("a"),
        result("a"),
        Entry(Message.of(USER, ""), None),
    ]
    session = await FileSession.open(tmp_path, "home")
    await session.add(*entries)

    assert list((await FileSession.open(tmp_path, "home")).entries) == entries


@pytest.mark.parametrize("mark", ['"read_page"', '["read_page"]', "7", "null", "{}"])
def test_a_damaged_mark_marks_all_the_same(mark: str) -> None:
    line = f'{{"role": "assistant", "text": "x", "quotes": {mark}}}'

    assert from_line(line.encode()).quotes


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
             '{"role": "user", "text": "\\udcff"}', '{"role": "user", "parts": {}}', '{"role": "user", "parts": [{}]}',
             '{"role": "user", "parts": [{"mime": "a/b", "data": "!"}]}',
             '{"role": "user", "parts": [{"text": "x", "language": 5}]}',
             '{"role": "user", "parts": [{"text": "x", "confidence": "high"}]}']
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
    assert texts(await FileSession.open(tmp_path, "home")) == ["one", "two", "three"]


async def test_half_a_character_costs_itself_only(tmp_path: Path) -> None:
    session = await FileSession.open(tmp_path, "default")
    await session.add(*said("tea \udcff please"))

    assert texts(await FileSession.open(tmp_path, "default")) == ["tea \ufffd please"]


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


BLOCKS: list[Block] = [
    Text("words", "en", 0.9, "spoken words"),
    Blob("image/png", b"\x89PNG\r\n\x00\xff"),
    Blob("audio/ogg; codecs=opus", b""),
    Blob("application/octet-stream", b"\n\n"),
    Link("video/mp4", "https://example.org/film.mp4"),
    Resource("file:///notes.txt", text="a note\nof two lines"),
    Resource("file:///paper.pdf", "application/pdf", data=b"%PDF\x00"),
    Thought("I think", "c2lnbmVk"),
    Thought("", redacted="sealed"),
]


@pytest.mark.parametrize("block", BLOCKS, ids=str)
async def test_every_kind_of_block_survives(tmp_path: Path, block: Block) -> None:
    session = await FileSession.open(tmp_path, "home")
    messages = (Message(USER, Contents((block,))), Message(ASSISTANT, Contents((Text("see"), block, Text("!", "en")))))
    await session.record(*messages)

    assert (await FileSession.open(tmp_path, "home")).messages == messages
    assert len((tmp_path / "home.messages.ndjson").read_bytes().splitlines()) == 2


async def test_the_signature_of_a_call_survives(tmp_path: Path) -> None:
    session = await FileSession.open(tmp_path, "home")
    signed = Message(ASSISTANT, ToolCall("a", FuncCall("look", "{}"), "c2lnbmVk"))
    await session.record(signed, result("a").message)

    assert (await FileSession.open(tmp_path, "home")).messages[0] == signed


async def test_that_a_call_has_failed_survives(tmp_path: Path) -> None:
    session = await FileSession.open(tmp_path, "home")
    failed = Message(ChatRole.TOOL, ToolResult("a", "Error: it is dark", is_error=True))
    await session.record(call("a").message, failed)

    assert (await FileSession.open(tmp_path, "home")).messages[1] == failed


async def test_a_file_of_the_first_format_is_still_read(tmp_path: Path) -> None:
    (tmp_path / "home.messages.ndjson").write_text(
        '{"role": "user", "text": "hi", "language": "en", "time": "2026-11-30T14:20:00+00:00"}\n'
        '{"role": "assistant", "call": {"id": "a", "name": "look", "arguments": "{}"}}\n'
        '{"role": "tool", "result": {"id": "a", "text": "saw a"}}\n'
    )

    session = await FileSession.open(tmp_path, "home")

    assert session.messages == (Message.of(USER, "hi", language="en"), call("a").message, result("a").message)


async def test_too_many_bytes_are_told_of_and_not_kept(tmp_path: Path) -> None:
    session = await FileSession.open(tmp_path, "home")
    await session.record(Message(USER, Contents((Text("look "), Blob("image/png", bytes(MOST_BYTES + 1))))))

    kept = (await FileSession.open(tmp_path, "home")).messages
    assert kept[0].text == f"look [image/png, {MOST_BYTES + 1} bytes, not kept]"


async def test_what_a_microphone_heard_is_written_only_where_that_is_wanted(tmp_path: Path) -> None:
    heard = Message(USER, Contents((pcm(b"\1\2" * 8, 16_000),)))
    quiet = await FileSession.open(tmp_path, "quiet")
    await quiet.record(heard)
    keeping = await FileSession.open(tmp_path, "keeping", keeps_raw_sound=True)
    await keeping.record(heard)

    assert "not kept" in (await FileSession.open(tmp_path, "quiet")).messages[0].text
    assert (await FileSession.open(tmp_path, "keeping")).messages == (heard,)


async def test_a_growing_group_is_let_go_of_only_once_it_is_not_the_newest() -> None:
    session = MemorySession(cap=2)
    await session.add(*said(1), call("a"), call("b"))
    await session.add(result("a"), result("b"))
    assert [entry.is_tool_call for entry in session.entries] == [True, True, False, False]

    await session.add(*said("done"))
    assert texts(session) == ["done"]


async def test_a_thought_goes_with_its_calls() -> None:
    thought = Entry(Message(ASSISTANT, Contents((Thought("hm", "c2ln"),))))
    session = MemorySession(cap=3)
    await session.add(thought, call("a"), result("a"), *said("done"))

    assert texts(session) == ["done"]


async def test_a_model_is_shown_no_call_without_its_result_and_no_result_without_its_call() -> None:
    session = MemorySession()
    await session.add(result("lost"), *said("look"), call("a"), call("b"), result("b"), *said("well?"))

    shown = [message.payload for message in session.messages]
    assert [getattr(payload, "id", "words") for payload in shown] == ["words", "b", "b", "words"]
    assert len(session.entries) == 6


async def test_sessions_are_told_apart_by_their_names(tmp_path: Path) -> None:
    assert MemorySession().name != MemorySession().name
    assert (await FileSession.open(tmp_path, "home")).name == "home"


async def test_what_is_recorded_has_the_time_of_the_clock() -> None:
    noon = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
    session = MemorySession(now=lambda: noon)
    await session.record(Message.of(USER, "hi"))

    assert session.entries[0].at == noon


async def test_the_latest_begin_with_the_user() -> None:
    session = MemorySession()
    await session.add(
        *said("be kind", role=ChatRole.SYSTEM), *said(1), call("a"), result("a"), *said(2, role=ASSISTANT)
    )

    def latest(window: int) -> list[str]:
        return [message.text or getattr(message.payload, "id", "") for message in session.get_latest(window)]

    assert latest(1) == latest(3) == latest(0) == ["be kind", "1", "a", "a", "2"]
    await session.add(*said(3))
    assert latest(1) == ["be kind", "3"]
    assert latest(2) == ["be kind", "1", "a", "a", "2", "3"]


async def test_the_latest_without_words_of_the_user_begin_with_a_whole_group() -> None:
    session = MemorySession([call("a"), result("a"), call("b"), result("b")])

    assert session.get_latest(1) == (call("b").message, result("b").message)
    assert session.get_latest(3) == tuple(entry.message for entry in session.entries)


async def test_a_window_that_begins_before_the_user_begins_with_the_user() -> None:
    session = MemorySession([*said("welcome", role=ASSISTANT), *said(1, 2)])

    assert [message.text for message in session.get_latest(3)] == ["1", "2"]


@pytest.mark.parametrize(("count", "left"), [(0, 5), (-1, 5), (1, 4), (2, 1), (3, 1), (4, 1), (5, 0), (9, 0)])
async def test_the_newest_messages_can_be_taken_back_groups_as_a_whole(tmp_path: Path, count: int, left: int) -> None:
    session = await FileSession.open(tmp_path, "home")
    await session.add(*said("be kind", role=ChatRole.SYSTEM), *said(1), call("a"), call("b"), result("a"))
    await session.add(*said("thanks"))
    before = (tmp_path / "home.messages.ndjson").stat().st_ino

    await session.remove_latest(count)

    assert len(session.entries) - 1 == left
    assert session.entries[0].message.role is ChatRole.SYSTEM
    assert (await FileSession.open(tmp_path, "home")).entries == session.entries[1:]
    # The file is replaced where something goes, and else left alone.
    assert ((tmp_path / "home.messages.ndjson").stat().st_ino == before) == (left == 5)
    assert os.listdir(tmp_path) == ["home.messages.ndjson"]  # noqa: PTH208


async def test_taking_back_leaves_what_memory_has_let_go_of(tmp_path: Path) -> None:
    session = await FileSession.open(tmp_path, "home", cap=3)
    await session.add(*said(*(f"{number} {'x' * 90_000}" for number in range(12))))
    await session.remove_latest(50)

    whole = await FileSession.open(tmp_path, "home", cap=0)
    assert [text.split()[0] for text in texts(whole)] == [str(number) for number in range(9)]


async def test_taking_back_keeps_unreadable_lines(tmp_path: Path) -> None:
    file = tmp_path / "home.messages.ndjson"
    file.write_bytes(b'{"role": "user", "text": "1"}\n\xff\xfe\n\n{"role": "user", "text": "2"}\n')
    session = await FileSession.open(tmp_path, "home")
    await session.remove_latest(1)

    assert file.read_bytes() == b'{"role": "user", "text": "1"}\n\xff\xfe\n\n'


async def test_a_fault_is_remembered_until_the_file_is_written_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await FileSession.open(tmp_path, "home")
    assert session.last_error is None

    def full(handle: int, content: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("companion.compose.journal.os.write", full)
        with pytest.raises(SessionError):
            await session.add(*said("late"))
    assert "No space left" in str(session.last_error)

    await session.add(*said("kept"))
    assert session.last_error is None
    assert texts(await FileSession.open(tmp_path, "home")) == ["late", "kept"]
    await session.remove_latest(2)
    assert session.entries == ()
    assert (tmp_path / "home.messages.ndjson").read_bytes() == b""


async def test_a_failed_rewrite_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = await FileSession.open(tmp_path, "home")
    await session.add(*said(1, 2))
    whole = (tmp_path / "home.messages.ndjson").read_bytes()

    def refuse(handle: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr("companion.compose.journal.os.fsync", refuse)
        with pytest.raises(SessionError, match="Input/output error"):
            await session.remove_latest(1)

    assert os.listdir(tmp_path) == ["home.messages.ndjson"]  # noqa: PTH208
    assert (tmp_path / "home.messages.ndjson").read_bytes() == whole


async def test_what_was_wrong_with_a_file_is_its_last_error(tmp_path: Path) -> None:
    (tmp_path / "home.messages.ndjson").write_text('{"role": "us')

    session = await FileSession.open(tmp_path, "home")

    assert "torn" in str(session.last_error)


async def test_a_reopened_group_is_whole_or_gone(tmp_path: Path) -> None:
    session = await FileSession.open(tmp_path, "home", cap=0)
    await session.add(*said("one"), call("a"), call("b"), result("a"), result("b"), *said("two", "three"))

    for cap in range(1, 8):
        reopened = await FileSession.open(tmp_path, "home", cap=cap)
        assert len(reopened.entries) == (cap if cap in (1, 2, 6, 7) else 2)
        # A group without the question it is about is not shown.
        assert len(reopened.messages) == (cap if cap in (1, 2, 7) else 2)


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


class Disk:
    """Takes nothing while it is full."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_full = False
        real = Journal.append

        def append(journal: Journal, lines: str) -> None:
            if self.is_full:
                raise OSError(errno.ENOSPC, "No space left on device")
            real(journal, lines)

        monkeypatch.setattr(Journal, "append", append)


async def test_what_could_not_be_written_stands_before_what_comes_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, disk = await FileSession.open(tmp_path, "home", cap=2), Disk(monkeypatch)
    disk.is_full = True
    for text in ("one", "two", "three"):
        with pytest.raises(SessionError):
            await session.add(*said(text))
    await session.remove_latest(1)
    disk.is_full = False
    await session.add(*said("four"))
    await session.add(*said("five"))

    assert texts(await FileSession.open(tmp_path, "home")) == ["one", "two", "four", "five"]


async def test_what_is_forgotten_before_it_was_written_is_never_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, disk = await FileSession.open(tmp_path, "home"), Disk(monkeypatch)
    disk.is_full = True
    with pytest.raises(SessionError):
        await session.add(*said("one"))
    await session.clear()
    disk.is_full = False
    await session.add(*said("two"))
    assert texts(await FileSession.open(tmp_path, "home")) == ["two"]


async def test_what_happens_to_a_file_at_once_happens_in_order(tmp_path: Path) -> None:
    session = await FileSession.open(tmp_path, "home")
    adding = [session.add(*said("one")), session.add(*said("two"))]
    await asyncio.gather(*adding, session.clear(), session.add(*said("three")))
    assert texts(await FileSession.open(tmp_path, "home")) == ["three"]

    await asyncio.gather(session.add(*said("four")), session.remove_latest(1), session.add(*said("five")))
    assert texts(await FileSession.open(tmp_path, "home")) == texts(session) == ["three", "five"]


async def test_who_is_called_off_while_it_is_written_has_it_written_once(tmp_path: Path) -> None:
    session = await FileSession.open(tmp_path, "home")
    adding = asyncio.ensure_future(session.add(*said("one")))
    await asyncio.sleep(0)
    adding.cancel()
    await asyncio.gather(adding, return_exceptions=True)
    await session.add(*said("two"))
    assert texts(await FileSession.open(tmp_path, "home")) == ["one", "two"]


async def test_a_disk_that_takes_nothing_for_long_costs_the_oldest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.compose.session.MOST_UNWRITTEN", 2)
    session, disk = await FileSession.open(tmp_path, "home"), Disk(monkeypatch)
    disk.is_full = True
    for text in ("one", "two", "three"):
        with pytest.raises(SessionError):
            await session.add(*said(text))
    disk.is_full = False
    await session.add(*said("four"))
    assert texts(await FileSession.open(tmp_path, "home")) == ["three", "four"]
