"""Pieces of knowledge: made, listed, replaced, removed; no name leads out of their folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from doubles.knowledge import base_of
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import BadInput, BadName, KnowledgeExists, StorageError
from companion.knowledge import KnowledgeBase, Limits
from companion.knowledge.index import Index
from companion.knowledge.names import safe_name
from companion.knowledge.pieces import Pieces
from companion.settings import atomic


async def test_what_was_created_is_on_the_disk_and_found(tmp_path: Path) -> None:
    async with base_of(tmp_path) as base:
        piece = await base.create("wifi", "The password is on the fridge.")

        assert piece.file == tmp_path / "knowledge" / "wifi" / "content.md"
        assert piece.file.read_text() == "The password is on the fridge."
        assert piece.passages == 1
        assert (await base.search("password"))[0].file == piece.file
        assert await base.list() == (piece,)


async def test_pieces_that_a_person_wrote_by_hand_are_found(tmp_path: Path) -> None:
    folder = tmp_path / "knowledge" / "Wi-Fi (old)"
    folder.mkdir(parents=True)
    (folder / "content.md").write_text("The password is on the fridge.")
    (folder / "other.md").write_text("The treasure.")
    (folder / "deeper").mkdir()
    (folder / "deeper" / "content.md").write_text("The treasure.")
    (tmp_path / "knowledge" / "content.md").write_text("The treasure.")
    async with base_of(tmp_path) as base:
        assert [piece.name for piece in await base.list()] == ["Wi-Fi (old)"]
        await base.refresh()
        assert await base.search("password")
        assert await base.search("treasure") == ()


async def test_a_piece_is_replaced_only_when_that_is_meant(tmp_path: Path) -> None:
    async with base_of(tmp_path) as base:
        await base.create("wifi", "The password is on the fridge.")
        await base.create("wifi", "The password is on the fridge.")
        with pytest.raises(KnowledgeExists):
            await base.create("wifi", "Forget it.")
        assert await base.search("fridge")
        await base.create("wifi", "The password is on the door.", replace=True)
        assert await base.search("fridge") == ()
        assert await base.search("door")


async def test_a_removed_piece_is_gone_and_removing_an_unknown_one_is_no_error(tmp_path: Path) -> None:
    async with base_of(tmp_path) as base:
        await base.create("wifi", "The password is on the fridge.")
        assert await base.remove(" wifi ")
        assert not await base.remove("wifi")
        assert not await base.remove("../cache")
        assert await base.search("fridge") == ()
        assert await base.list() == ()
        assert list((tmp_path / "knowledge").iterdir()) == []


BAD = [
    "", " ", ".", "..", "../x", "a/b", "/etc", "a\\b", ".hidden", "a\x00b", "a\nb", "x" * 65, "字" * 64 + "字", "con",
    "LPT1.md", "C:", "a..b", "name.", "-x", "~", "$HOME", "a*", "\u202egnp", "\ud800",
]  # fmt: skip


@pytest.mark.parametrize("name", BAD)
async def test_a_name_that_might_lead_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    async with base_of(tmp_path) as base:
        with pytest.raises(BadName):
            await base.create(name, "text")
        assert not await base.remove(name)
    assert not (tmp_path / "knowledge").exists()


@pytest.mark.parametrize("name", ["wifi", "Wi-Fi 2", "锅炉", "Über uns", "a.b", "notes_2026"])
def test_plain_names_are_folders(name: str) -> None:
    assert safe_name(name) == name


@given(st.text())
def test_no_name_leads_out_of_the_folder(name: str) -> None:
    try:
        plain = safe_name(name)
    except BadName:
        return
    folder = Path("/knowledge")
    assert (folder / plain).parent == folder
    assert len(Path(plain).parts) == 1


@pytest.mark.parametrize("content", ["", "  \n", "x" * 1_000_001, "half \ud800"])
async def test_what_cannot_be_kept_is_refused(tmp_path: Path, content: str) -> None:
    async with base_of(tmp_path) as base:
        with pytest.raises(BadInput):
            await base.create("wifi", content)
        assert await base.list() == ()


async def test_a_link_in_the_folder_of_knowledge_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "content.md").write_text("The treasure.")
    (tmp_path / "knowledge").mkdir()
    (tmp_path / "knowledge" / "trap").symlink_to(outside)
    async with base_of(tmp_path) as base:
        with pytest.raises(BadName):
            await base.create("trap", "mine now", replace=True)
        assert not await base.remove("trap")
        await base.refresh()
        assert await base.search("treasure") == ()
        assert await base.list() == ()
    assert (outside / "content.md").read_text() == "The treasure."


async def test_a_disk_that_refuses_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with base_of(tmp_path) as base:
        await base.create("wifi", "The password is on the fridge.")

        def refuse(handle: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(atomic.os, "fsync", refuse)
        with pytest.raises(StorageError, match="No space left"):
            await base.create("wifi", "Forget it.", replace=True)
        assert (await base.search("fridge"))[0].file.read_text() == "The password is on the fridge."


async def test_a_piece_that_the_index_has_no_room_for_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*_: object) -> None:
        raise StorageError("no room", file="knowledge.db")

    async with base_of(tmp_path) as base:
        with monkeypatch.context() as patched:
            patched.setattr(Index, "put", refuse)
            piece = await base.create("wifi", "The password is on the fridge.")
        assert piece.problem == "it is kept, but cannot be found yet"
        await base.refresh()
        assert await base.search("fridge")


def test_there_is_an_end_to_the_number_of_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.knowledge.pieces.MOST_PIECES", 2)
    pieces = Pieces(tmp_path)
    for name in ("a", "b"):
        pieces.write(name, "text", replace=False)
    with pytest.raises(BadInput):
        pieces.write("c", "text", replace=False)
    pieces.write("a", "other", replace=True)


async def test_a_piece_too_large_to_read_says_so(tmp_path: Path) -> None:
    base = await KnowledgeBase.open(tmp_path / "knowledge", cache=tmp_path / "cache", limits=Limits(text_bytes=10))
    try:
        piece = await base.create("wifi", "The password is on the fridge.")
        assert (piece.passages, piece.problem) == (0, "it is larger than 0 MB")
    finally:
        await base.close()
