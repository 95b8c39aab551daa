"""The base of knowledge as its users see it: files come, change and go; questions find passages with their places."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from doubles.knowledge import PlainReader, base_of, docx_file, pdf_file

from companion.errors import BadInput, StorageError
from companion.knowledge import Limits, Progress, Refreshed, cite
from companion.knowledge.index import MOST_WAITING
from companion.knowledge.reader_process import ReaderProcess

HOUSE = "# House\n\n## Boiler\n\nThe boiler keeps sixty degrees.\n\n## Garden\n\nRoses are cut in March.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "house.md").write_text(HOUSE)
    return folder


def counts(refreshed: Refreshed) -> dict[str, int]:
    """What is not zero."""
    names = ("read", "removed", "unchanged", "failed", "pending")
    return {name: getattr(refreshed, name) for name in names if getattr(refreshed, name)}


# Searching.


async def test_an_answer_names_file_and_place(tmp_path: Path, folder: Path) -> None:
    async with base_of(tmp_path, folder) as base:
        await base.refresh()
        (hit,) = await base.search("When are the roses cut?")

    assert hit.file == folder / "house.md"
    assert (hit.name, hit.title, hit.headings, hit.line, hit.page) == ("house.md", "House", ("House", "Garden"), 7, 0)
    assert cite(hit) == "house.md, line 7, House > Garden"
    assert "sixty degrees" in hit.before
    assert hit.after == ""


async def test_every_kind_of_file_is_found_by_the_process_that_reads(tmp_path: Path, folder: Path) -> None:
    (folder / "a.txt").write_text("The boiler is old.")
    (folder / "b.html").write_text("<h1>Boiler</h1><p>The boiler is loud.")
    (folder / "c.docx").write_bytes(docx_file(("Heading 1", "Boiler"), ("Normal", "The boiler is heavy.")))
    (folder / "d.pdf").write_bytes(pdf_file(["Nothing here."], ["The boiler is blue."]))
    async with base_of(tmp_path, folder, reader=ReaderProcess()) as base:
        await base.refresh()
        hits = {hit.name: hit for hit in await base.search("boiler", 10)}

    assert set(hits) == {"a.txt", "b.html", "c.docx", "d.pdf", "house.md"}
    assert cite(hits["d.pdf"]) == "d.pdf, page 1"
    assert cite(hits["c.docx"]) == "c.docx, Boiler"


@pytest.mark.parametrize(("k", "count"), [(0, 5), (-3, 5), (2, 2), (7, 7), (100, 9)])
async def test_as_many_hits_as_are_wanted(tmp_path: Path, folder: Path, k: int, count: int) -> None:
    for number in range(8):
        (folder / f"{number}.txt").write_text(f"Boiler number {number}.")
    async with base_of(tmp_path, folder) as base:
        await base.refresh()
        assert len(await base.search("boiler", k)) == count


async def test_what_shares_no_word_is_no_hit(tmp_path: Path, folder: Path) -> None:
    async with base_of(tmp_path, folder) as base:
        await base.refresh()
        for query in ("xylophone", "钢琴", "", "   ", "?!", "\x00", '"', "NEAR(", "* OR", "x" * 100_000):
            assert await base.search(query) == ()


async def test_nothing_is_found_before_there_is_anything(tmp_path: Path) -> None:
    async with base_of(tmp_path) as base:
        await base.refresh()
        assert await base.search("boiler") == ()
        assert await base.list() == ()


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("锅炉的压力什么时候检查？", "heating.txt"),
        ("我的猫几岁了", "cat.txt"),
        ("猫", "cat.txt"),
        ("三", "cat.txt"),
        ("WiFi 密码", "mixed.txt"),
        ("what is the WiFi password", "mixed.txt"),
        ("ＷｉＦｉ", "mixed.txt"),
        ("Schlussel", "key.txt"),
        ("チェック", "japanese.txt"),
    ],
)
async def test_chinese_and_mixed_text_is_found(tmp_path: Path, question: str, name: str) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    texts = {
        "heating.txt": "锅炉在地下室。压力每年五月检查。",
        "cat.txt": "小白是一只白色的猫，今年三岁。",
        "mixed.txt": "客人的WiFi网络叫Garden，密码写在冰箱上。The WiFi password is on the fridge.",
        "key.txt": "Der Schlüssel hängt über der Tür.",
        "japanese.txt": "ボイラーを毎年チェックする。",
        "other.txt": "花园里有玫瑰。",
    }
    for each, text in texts.items():
        (folder / each).write_text(text, encoding="utf-8")
    async with base_of(tmp_path, folder) as base:
        await base.refresh()
        hits = await base.search(question)

    assert hits
    assert hits[0].name == name


async def test_a_question_in_other_forms_of_its_words_finds(tmp_path: Path, folder: Path) -> None:
    async with base_of(tmp_path, folder) as base:
        await base.refresh()
        assert (await base.search("cutting a rose"))[0].headings == ("House", "Garden")


async def test_a_file_is_found_by_its_name_and_its_headings(tmp_path: Path, folder: Path) -> None:
    (folder / "washing_machine.txt").write_text("Thirty degrees.")
    async with base_of(tmp_path, folder) as base:
        await base.refresh()
        assert (await base.search("washing machine"))[0].name == "washing_machine.txt"


async def test_a_passage_that_stands_in_two_files_comes_once(tmp_path: Path, folder: Path) -> None:
    (folder / "copy.md").write_text(HOUSE)
    async with base_of(tmp_path, folder) as base:
        await base.refresh()
        assert len(await base.search("roses march")) == 1


# Keeping up.


async def test_only_what_changed_is_read(tmp_path: Path, folder: Path) -> None:
    reader = PlainReader()
    (folder / "other.txt").write_text("The pump.")
    async with base_of(tmp_path, folder, reader=reader) as base:
        assert counts(await base.refresh()) == {"read": 2}
        assert counts(await base.refresh()) == {"unchanged": 2}
        (folder / "other.txt").write_text("The pump hums.")
        assert counts(await base.refresh()) == {"read": 1, "unchanged": 1}
        assert reader.read_files == 3
        assert [hit.text for hit in await base.search("pump")] == ["The pump hums."]


async def test_a_file_that_was_only_touched_is_not_read_again(tmp_path: Path, folder: Path) -> None:
    reader = PlainReader()
    async with base_of(tmp_path, folder, reader=reader) as base:
        await base.refresh()
        os.utime(folder / "house.md", (1, 1))
        assert counts(await base.refresh()) == {"unchanged": 1}
        assert reader.read_files == 1


async def test_what_was_read_is_known_after_a_restart(tmp_path: Path, folder: Path) -> None:
    async with base_of(tmp_path, folder) as base:
        await base.refresh()
    reader = PlainReader()
    async with base_of(tmp_path, folder, reader=reader) as base:
        assert await base.search("roses")
        await base.refresh()
    assert reader.read_files == 0


async def test_removed_and_renamed_files_vanish(tmp_path: Path, folder: Path) -> None:
    (folder / "pump.txt").write_text("The pump.")
    async with base_of(tmp_path, folder) as base:
        await base.refresh()
        (folder / "house.md").unlink()
        (folder / "pump.txt").rename(folder / "pump.bak")
        assert counts(await base.refresh()) == {"removed": 2}
        assert await base.search("roses") == ()
        assert await base.search("pump") == ()


async def test_the_files_of_a_folder_that_is_no_longer_named_vanish(tmp_path: Path, folder: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "pump.txt").write_text("The pump.")
    async with base_of(tmp_path, folder, other) as base:
        await base.refresh()
        await base.name_folders([other])
        await base.refresh()
        assert await base.search("roses") == ()
        assert await base.search("pump")


async def test_a_folder_within_another_is_read_once(tmp_path: Path, folder: Path) -> None:
    (folder / "inner").mkdir()
    (folder / "inner" / "pump.txt").write_text("The pump.")
    async with base_of(tmp_path, folder / "inner", folder, folder) as base:
        assert counts(await base.refresh()) == {"read": 2}
        assert [named.folder for named in await base.folders()] == [folder]


async def test_progress_is_told_file_by_file(tmp_path: Path, folder: Path) -> None:
    (folder / "pump.txt").write_text("The pump.")
    told: list[Progress] = []
    async with base_of(tmp_path, folder, on_progress=told.append) as base:
        await base.refresh()
        await base.refresh()

    assert [(each.done, each.total, each.file.name) for each in told] == [(1, 2, "house.md"), (2, 2, "pump.txt")]


async def test_reading_holds_back_while_it_is_told_to(tmp_path: Path, folder: Path) -> None:
    may_go = asyncio.Event()

    async def until_then() -> None:
        await may_go.wait()

    async with base_of(tmp_path, folder, before_each=until_then) as base, asyncio.TaskGroup() as tasks:
        looking = tasks.create_task(base.refresh())
        piece = await base.create("pump", "The pump.")
        assert (await base.search("pump"))[0].file == piece.file
        assert not looking.done()
        may_go.set()


async def test_trouble_with_one_file_stops_no_other(tmp_path: Path, folder: Path) -> None:
    (folder / "bad.txt").write_text("falls over")
    reader = PlainReader(refuses=[b"falls over"])
    async with base_of(tmp_path, folder, reader=reader) as base:
        assert counts(await base.refresh()) == {"read": 1, "failed": 1}
        assert await base.search("roses")
        (trouble,) = await base.troubles()
        assert (trouble.file.name, trouble.reason) == ("bad.txt", "its reader fell over")
        await base.refresh()
        assert reader.read_files == 2  # a bad file is not tried again before it changes
        (folder / "bad.txt").write_text("mended")
        assert counts(await base.refresh()) == {"read": 1, "unchanged": 1}
        assert await base.troubles() == ()


async def test_a_file_that_turns_bad_is_no_longer_found(tmp_path: Path, folder: Path) -> None:
    async with base_of(tmp_path, folder, reader=PlainReader(refuses=[b"bad"])) as base:
        await base.refresh()
        (folder / "house.md").write_text("bad")
        await base.refresh()
        assert await base.search("roses") == ()


async def test_a_file_that_changes_while_it_is_read_is_read_again(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_read, writes = os.read, iter(["first", "second"])

    def read_and_write(handle: int, size: int) -> bytes:
        block = real_read(handle, size)
        if block.startswith(b"# House") and (text := next(writes, None)):
            (folder / "house.md").write_text(f"# House\n\nThe {text} of them.\n")
        return block

    async with base_of(tmp_path, folder) as base:
        monkeypatch.setattr(os, "read", read_and_write)
        assert counts(await base.refresh()) == {"pending": 1}
        assert counts(await base.refresh()) == {"pending": 1}
        assert counts(await base.refresh()) == {"read": 1}
        (hit,) = await base.search("them")
        assert hit.text == (folder / "house.md").read_text()


async def test_what_takes_the_place_of_a_file_is_not_taken_for_it(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("# House\n\nThe treasure.\n")
    real_open = os.open

    def swapped(path: Path, flags: int, *more: int) -> int:
        if Path(path) == folder / "house.md":
            (folder / "house.md").unlink()
            os.link(secret, folder / "house.md")
        return real_open(path, flags, *more)

    async with base_of(tmp_path, folder) as base:
        monkeypatch.setattr(os, "open", swapped)
        assert counts(await base.refresh()) == {"pending": 1}
        assert await base.search("treasure") == ()


# The walk.


async def test_links_are_told_and_never_followed(tmp_path: Path, folder: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("The treasure.")
    (folder / "link.md").symlink_to(outside / "secret.md")
    (folder / "inner").symlink_to(outside)
    (folder / "loop").symlink_to(folder)
    async with base_of(tmp_path, folder) as base:
        await base.refresh()
        assert await base.search("treasure") == ()
        assert [problem.file.name for problem in await base.troubles()] == ["link.md"]


async def test_what_is_no_file_is_never_opened(tmp_path: Path, folder: Path) -> None:
    os.mkfifo(folder / "pipe.md")
    (folder / "folder.md").mkdir()
    async with base_of(tmp_path, folder) as base:
        assert counts(await base.refresh()) == {"read": 1}


async def test_hidden_files_are_passed_over(tmp_path: Path, folder: Path) -> None:
    (folder / ".git").mkdir()
    (folder / ".git" / "x.md").write_text("The treasure.")
    (folder / ".x.md").write_text("The treasure.")
    async with base_of(tmp_path, folder) as base:
        await base.refresh()
        assert await base.search("treasure") == ()


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(files=3), "it holds more than 3 files; the rest is left out"),
        (Limits(looked_at=4), "it holds more than 4 entries; the rest is left out"),
        (Limits(depth=1), "it lies more than 1 folders deep and is left out"),
    ],
)
async def test_what_lies_beyond_a_limit_is_left_out_and_told(
    tmp_path: Path, folder: Path, limits: Limits, reason: str
) -> None:
    (folder / "a" / "b").mkdir(parents=True)
    for number in range(4):
        (folder / f"{number}.txt").write_text("boiler")
    async with base_of(tmp_path, folder, limits=limits) as base:
        await base.refresh()
        assert [problem.reason for problem in await base.troubles()] == [reason]
        assert await base.search("boiler")


async def test_a_name_that_is_no_text_is_a_name(tmp_path: Path, folder: Path) -> None:
    (folder / os.fsdecode(b"b\xff.txt")).write_text("The pump.")
    async with base_of(tmp_path, folder) as base:
        await base.refresh()
        (hit,) = await base.search("pump")
        assert hit.file.read_text() == "The pump."
        assert cite(hit).encode()


async def test_a_folder_that_is_not_there_is_told(tmp_path: Path, folder: Path) -> None:
    async with base_of(tmp_path, folder, tmp_path / "gone") as base:
        assert counts(await base.refresh()) == {"read": 1}
        assert [(each.file.name, each.reason) for each in await base.troubles()] == [
            ("gone", "there is no such folder")
        ]


async def test_files_behind_a_door_that_is_shut_are_not_taken_for_removed(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "inner").mkdir()
    (folder / "inner" / "pump.txt").write_text("The pump.")
    real_scandir = os.scandir

    def shut(path: Path) -> object:
        if Path(path) == folder / "inner":
            raise PermissionError(13, "Permission denied")
        return real_scandir(path)

    async with base_of(tmp_path, folder) as base:
        await base.refresh()
        monkeypatch.setattr(os, "scandir", shut)
        assert counts(await base.refresh()) == {"unchanged": 1}
        assert await base.search("pump")
        assert [problem.reason for problem in await base.troubles()] == ["it cannot be looked into: Permission denied"]


async def test_a_file_of_too_many_passages_is_cut_and_told(tmp_path: Path, folder: Path) -> None:
    (folder / "house.md").write_text("# Boiler\n" * 50)
    limits = Limits(passages=10)
    async with base_of(tmp_path, folder, reader=ReaderProcess(limits), limits=limits) as base:
        await base.refresh()
        (named,) = await base.folders()
        assert named.passages == 10
        assert [each.reason for each in await base.troubles()] == ["only the first 10 passages are kept"]


async def test_an_index_that_is_full_takes_no_more_and_says_so(tmp_path: Path, folder: Path) -> None:
    (folder / "pump.txt").write_text("The pump.")
    async with base_of(tmp_path, folder, limits=Limits(all_passages=2)) as base:
        assert counts(await base.refresh()) == {"read": 1, "failed": 1}
        assert [each.file.name for each in await base.troubles()] == ["pump.txt"]


async def test_there_is_an_end_to_the_folders_that_may_be_named(tmp_path: Path, folder: Path) -> None:
    async with base_of(tmp_path, folder, limits=Limits(folders=1)) as base:
        with pytest.raises(BadInput):
            await base.name_folders([folder, tmp_path])


async def test_there_is_an_end_to_the_questions_that_may_wait(tmp_path: Path, folder: Path) -> None:
    async with base_of(tmp_path, folder) as base:
        await base.refresh()
        answers = await asyncio.gather(*(base.search("roses") for _ in range(200)), return_exceptions=True)

    refused = [answer for answer in answers if isinstance(answer, StorageError)]
    assert len(refused) == 200 - MOST_WAITING
    assert all(answer for answer in answers if not isinstance(answer, StorageError))


async def test_a_closed_base_says_so(tmp_path: Path) -> None:
    async with base_of(tmp_path) as base:
        await base.close()
        with pytest.raises(StorageError, match="closed"):
            await base.search("boiler")
