"""Documents: one file each, found again, never removed by reading, and their index mended from the files."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from doubles.memory import NOON, Wall, a_store
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import StorageError
from companion.memory import document as files
from companion.memory.archive import EVENTS, archived
from companion.memory.context import Context, Event
from companion.memory.document import Document, Source
from companion.memory.documents import Documents

LISTS = {"shopping": "milk\nbread\nolives from the market", "holiday": "a house by the sea near Brest in June"}


@asynccontextmanager
async def some_documents(folder: Path, clock: Wall | None = None) -> AsyncIterator[Documents]:
    clock = clock or Wall()
    async with a_store(folder, clock) as store:
        yield await Documents.open(folder / "documents", store, clock)


async def fill(documents: Documents) -> dict[str, Document]:
    return {name: await documents.insert(name, content) for name, content in LISTS.items()}


def rewrite(folder: Path, document: Document) -> None:
    files.write(folder / "documents", document)


def events(count: int) -> list[Event]:
    return [
        Event(NOON + timedelta(minutes=n), "user", f"tell me of river {n}", f"River {n} is long.") for n in range(count)
    ]


async def test_a_document_is_one_json_file(tmp_path: Path) -> None:
    async with some_documents(tmp_path) as documents:
        made = await documents.insert("shopping", "milk", tags=["list"], entities=["Emma"], meta={"by": "user"})
        held = json.loads((tmp_path / "documents" / f"{made.id}.json").read_text())

    assert held["id"].startswith("doc_")
    assert (held["summary"], held["content"], held["tags"], held["entities"]) == (
        "shopping",
        "milk",
        ["list"],
        ["Emma"],
    )
    assert (held["source"], held["access_count"], held["last_access"]) == ("manual", 1, NOON.isoformat())
    assert held["meta"] == {"by": "user", "content_hash": files.hash_of("milk")}


async def test_the_same_content_is_not_added_again(tmp_path: Path) -> None:
    clock = Wall()
    async with some_documents(tmp_path, clock) as documents:
        first = await documents.insert("list", "milk", tags=["a"])
        later = clock.go(hours=1)
        second = await documents.insert("shopping", "milk", tags=["b"])

        assert await documents.size() == 1
    assert (second.id, second.summary, second.tags) == (first.id, "shopping", ("b", "a"))
    assert (second.created_at, second.updated_at) == (first.created_at, later)


async def test_two_documents_of_one_moment_have_names_of_their_own(tmp_path: Path) -> None:
    async with some_documents(tmp_path) as documents:
        assert len({(await documents.insert("s", f"content {n}")).id for n in range(3)}) == 3


async def test_only_documents_read_long_ago_and_seldom_are_cold(tmp_path: Path) -> None:
    """Case 38."""
    clock = Wall()
    async with some_documents(tmp_path, clock) as documents:
        names = ("long ago", "hot", "at the border", "a moment before it", "often asked for", "twice")
        made = {name: await documents.insert(name, name) for name in names}
        now = clock.go(hours=200)
        access = {
            "long ago": (now - timedelta(hours=100), 1),
            "hot": (now, 1),
            "at the border": (now - timedelta(hours=72), 1),
            "a moment before it": (now - timedelta(hours=72, microseconds=1), 2),
            "often asked for": (now - timedelta(hours=100), 3),
            "twice": (now - timedelta(hours=90), 2),
        }
        for name, (at, count) in access.items():
            rewrite(tmp_path, replace(made[name], last_access=at, access_count=count))
        await documents.reindex()

        assert [one.summary for one in await documents.cold()] == ["long ago", "twice", "a moment before it"]


async def test_a_document_that_was_shown_is_still_there(tmp_path: Path) -> None:
    """Case 43."""
    async with some_documents(tmp_path) as documents:
        made = await fill(documents)

        for _ in range(3):
            assert [hit.document.id for hit in await documents.query("olives")] == [made["shopping"].id]
        assert await documents.get(made["shopping"].id) is not None


async def test_only_a_deliberate_query_counts_as_access(tmp_path: Path) -> None:
    clock = Wall()
    async with some_documents(tmp_path, clock) as documents:
        made = await fill(documents)
        later = clock.go(hours=1)
        await documents.search("olives")
        assert await documents.get(made["shopping"].id) == made["shopping"]

        await documents.query("olives")
        asked = await documents.get(made["shopping"].id)
        assert asked == replace(made["shopping"], access_count=2, last_access=later)
        assert await documents.get(made["holiday"].id) == made["holiday"]
    async with some_documents(tmp_path, clock) as documents:
        assert await documents.get(made["shopping"].id) == asked


@pytest.mark.parametrize(
    ("content", "question"),
    [
        ("我们六月去海边度假", "六月去哪里度假"),
        ("Emma 在 Lyon 买了房子", "Emma 的房子"),
        ("the plumber is called Mehmet", "plumbers"),
    ],
)
async def test_english_chinese_and_both_are_found(tmp_path: Path, content: str, question: str) -> None:
    async with some_documents(tmp_path) as documents:
        await fill(documents)
        made = await documents.insert("", content)

        hits = await documents.query(question)
        assert hits[0].document.id == made.id


async def test_a_misspelt_word_is_found_where_no_word_fits(tmp_path: Path) -> None:
    async with some_documents(tmp_path) as documents:
        await fill(documents)
        made = await documents.insert("", "the blue bicycle is behind the shed")

        assert [hit.document.id for hit in await documents.query("bycicle")] == [made.id]


async def test_no_more_than_asked_for_and_five_by_default(tmp_path: Path) -> None:
    async with some_documents(tmp_path) as documents:
        for number in range(8):
            await documents.insert(f"walk {number}", f"a walk along river {number}")

        assert len(await documents.query("river", 3)) == 3
        assert len(await documents.query("river", 0)) == 5
        assert [one.summary for one in await documents.recent(2)] == ["walk 7", "walk 6"]


async def test_an_archive_has_a_line_an_event_and_every_event_whole(tmp_path: Path) -> None:
    long = "b" * 300
    told = [Event(NOON, "user", "what is the time", "noon"), Event(NOON, "lamp", "on", long, ("lamp",), ("12 W",))]
    async with some_documents(tmp_path) as documents:
        made = await documents.archive(told)

    assert made is not None
    assert made.source == Source.ARCHIVED
    assert made.content == f"[12:00] user: what is the time -> noon\n[12:00] lamp: on -> {'b' * 100}\n  12 W"
    assert made.meta[EVENTS][1]["response"] == long
    assert "12" not in " ".join(made.tags)


async def test_events_that_read_alike_on_two_days_are_both_kept(tmp_path: Path) -> None:
    async with some_documents(tmp_path) as documents:
        for day in (0, 1):
            made = await documents.archive([Event(NOON + timedelta(days=day), "user", "good night", "sleep well")])

    assert made is not None
    assert len(made.meta[EVENTS]) == 2


async def test_nothing_is_made_of_empty_events(tmp_path: Path) -> None:
    assert archived([Event(NOON, "user")]) is None
    async with some_documents(tmp_path) as documents:
        assert await documents.archive([]) is None
        assert await documents.size() == 0


async def test_a_context_leaves_its_events_here_before_they_go(tmp_path: Path) -> None:
    async with some_documents(tmp_path) as documents:
        context = await Context.open(tmp_path / "context.json")
        for event in events(35):
            await context.append(event)
        await context.prune("river 3", documents)

        (held,) = await documents.recent()
        assert len(held.meta[EVENTS]) == 5
        assert len(context.events) == 30


async def test_a_removed_document_is_gone_and_an_unknown_one_is_no_fault(tmp_path: Path) -> None:
    async with some_documents(tmp_path) as documents:
        made = await fill(documents)

        assert await documents.remove(made["shopping"].id)
        assert not await documents.remove(made["shopping"].id)
        assert not await documents.remove("../memory.db")
        assert await documents.get("../memory.db") is None
        assert await documents.query("olives") == []
        assert await documents.size() == 1


async def test_who_is_forgotten_leaves_archives_and_documents(tmp_path: Path) -> None:
    async with some_documents(tmp_path) as documents:
        made = await fill(documents)
        kept = await documents.archive([*events(2), Event(NOON, "user", "Where is Brest?", "In Brittany.")])
        await documents.archive([Event(NOON, "user", "Brest again", "Still there.")])

        assert await documents.forget_about("Brest") == 3
        assert await documents.query("Brest") == []
        assert await documents.get(made["holiday"].id) is None
        assert await documents.size() == 2
        assert kept is not None
        rest = await documents.get(kept.id)
        assert rest is not None
        assert len(rest.meta[EVENTS]) == 2
    assert not holds(tmp_path, b"Brest")


def holds(folder: Path, content: bytes) -> bool:
    return any(content in file.read_bytes() for file in folder.rglob("*") if file.is_file())


async def test_the_index_is_built_anew_from_the_files(tmp_path: Path) -> None:
    async with some_documents(tmp_path) as documents:
        made = await fill(documents)
    (tmp_path / "memory.db").unlink()

    async with some_documents(tmp_path) as documents:
        assert [hit.document.id for hit in await documents.query("Brest")] == [made["holiday"].id]
        assert await documents.size() == 2


async def test_files_changed_by_hand_are_seen(tmp_path: Path) -> None:
    async with some_documents(tmp_path) as documents:
        made = await fill(documents)
        rewrite(tmp_path, replace(made["shopping"], content="a new bicycle"))
        (tmp_path / "documents" / f"{made['holiday'].id}.json").unlink()
        await documents.reindex()

        assert [hit.document.id for hit in await documents.query("bicycle")] == [made["shopping"].id]
        assert await documents.query("olives") == []
        assert await documents.size() == 1


@pytest.mark.parametrize("damage", [b"", b"{}", b"[1]", b"\xff", b"[" * 9000, b'{"id": "doc_2"}'])
async def test_a_damaged_file_is_set_aside_by_name_and_the_others_stay(tmp_path: Path, damage: bytes) -> None:
    async with some_documents(tmp_path) as documents:
        made = await fill(documents)
    file = tmp_path / "documents" / f"{made['shopping'].id}.json"
    file.write_bytes(damage)

    async with some_documents(tmp_path) as documents:
        assert file.with_name(f"{file.name}.damaged").read_bytes() == damage
        assert not file.exists()
        assert file.name in documents.problems[0]
        assert await documents.query("olives") == []
        assert [hit.document.id for hit in await documents.query("Brest")] == [made["holiday"].id]


async def test_a_second_damaged_file_does_not_replace_the_first(tmp_path: Path) -> None:
    for content in (b"one", b"two"):
        async with some_documents(tmp_path):
            (tmp_path / "documents").mkdir(exist_ok=True)
            (tmp_path / "documents" / "doc_1.json").write_bytes(content)
        async with some_documents(tmp_path):
            pass

    assert {file.read_bytes() for file in (tmp_path / "documents").iterdir()} == {b"one", b"two"}


async def test_a_disk_that_refuses_says_so_and_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with some_documents(tmp_path) as documents:
        made = await fill(documents)

        def refuse(file: Path, text: str) -> None:
            raise StorageError("full", file=str(file))

        with monkeypatch.context() as broken:
            broken.setattr(files, "write_atomically", refuse)
            with pytest.raises(StorageError):
                await documents.insert("new", "new")
            with pytest.raises(StorageError):
                await documents.archive(events(2))
            assert [hit.document.summary for hit in await documents.query("olives")] == ["shopping"]
        assert await documents.size() == 2
        assert await documents.get(made["shopping"].id) == made["shopping"]


async def test_many_at_once_lose_nothing(tmp_path: Path) -> None:
    async with some_documents(tmp_path) as documents:
        await fill(documents)
        async with asyncio.TaskGroup() as tasks:
            for number in range(5):
                tasks.create_task(documents.insert("walk", f"river {number}"))
                tasks.create_task(documents.query("olives"))

        assert await documents.size() == 7
        (hit,) = await documents.search("olives")
        assert hit.document.access_count == 6


@settings(max_examples=60)
@given(st.data())
def test_no_damage_to_a_file_is_taken_for_a_document_or_raises(data: st.DataObject) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        document = Document("doc_1", "s", "我们 content", "manual", NOON, NOON, NOON, meta={"a": [1]})
        files.write(Path(folder), document)
        file = files.file_of(Path(folder), "doc_1")
        raw = bytearray(file.read_bytes())
        at = data.draw(st.integers(0, len(raw) - 1))
        if data.draw(st.booleans()):
            del raw[at:]
        else:
            raw[at] ^= data.draw(st.integers(1, 255))
        file.write_bytes(bytes(raw))
        try:
            held = files.read(file)
        except files.DamagedDocument:
            return
        assert held.id == "doc_1"
        assert held.hash == files.hash_of(held.content)
