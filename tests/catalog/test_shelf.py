"""The shelf: only whole models leave it, and nothing leads out of it."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest
from doubles.models import hub_file, model, some_bytes

from companion.catalog import proof
from companion.catalog.lock import held_at_once
from companion.catalog.proof import RECORD, Verdict
from companion.catalog.shelf import Shelf, wrong_in_words
from companion.errors import ChecksumMismatch, ModelMissing, ShelfError, UnknownModel

FILES = {"model.bin": some_bytes(5000), "extra/config.json": b'{"rate": 22050}'}


def shelf_at(root: Path, *names: str) -> Shelf:
    files = [hub_file(name, content) for name, content in FILES.items()]
    return Shelf(root, {name: model(name, *files) for name in names or ("joe",)})


def put(root: Path, name: str = "joe") -> Path:
    for file, content in FILES.items():
        (root / name / file).parent.mkdir(parents=True, exist_ok=True)
        (root / name / file).write_bytes(content)
    return root / name


def count_hashing(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    hashed: list[Path] = []
    real = proof.sha256_of
    monkeypatch.setattr(proof, "sha256_of", lambda path: hashed.append(path) or real(path))
    return hashed


def test_a_whole_model_is_handed_out(tmp_path: Path) -> None:
    folder = put(tmp_path)
    shelf = shelf_at(tmp_path)
    assert shelf.folder("joe") == folder
    assert shelf.has("joe")
    assert shelf.names() == ("joe",)


def test_the_second_start_reads_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path)
    hashed = count_hashing(monkeypatch)
    shelf_at(tmp_path).folder("joe")
    assert len(hashed) == 2
    shelf_at(tmp_path).folder("joe")
    assert len(hashed) == 2


def test_verify_always_reads_every_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path)
    shelf_at(tmp_path).folder("joe")
    hashed = count_hashing(monkeypatch)
    assert {report.verdict for report in shelf_at(tmp_path).verify("joe")} == {Verdict.GOOD}
    assert len(hashed) == 2


def test_a_missing_model_names_files_sizes_and_checksums(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing) as caught:
        shelf_at(tmp_path).folder("joe")
    assert "model.bin (5.0 kB, sha256 " in str(caught.value)
    assert "extra/config.json" in str(caught.value)
    assert "companion models pull joe" in caught.value.mend
    assert "--from /media/stick" in caught.value.mend


@pytest.mark.parametrize("remembered", [True, False])
def test_a_truncated_file_is_refused(tmp_path: Path, *, remembered: bool) -> None:
    folder = put(tmp_path)
    if remembered:
        shelf_at(tmp_path).folder("joe")
    os.truncate(folder / "model.bin", 4999)
    with pytest.raises(ChecksumMismatch, match=r"model\.bin.*wrong size"):
        shelf_at(tmp_path).folder("joe")
    assert not shelf_at(tmp_path).has("joe")


@pytest.mark.parametrize("remembered", [True, False])
def test_a_flipped_bit_is_refused(tmp_path: Path, *, remembered: bool) -> None:
    folder = put(tmp_path)
    if remembered:
        shelf_at(tmp_path).folder("joe")
    content = bytearray(FILES["model.bin"])
    content[2500] ^= 1
    (folder / "model.bin").write_bytes(content)
    with pytest.raises(ChecksumMismatch, match=r"model\.bin.*wrong bytes"):
        shelf_at(tmp_path).folder("joe")


def test_a_replaced_file_of_the_same_age_is_read_again(tmp_path: Path) -> None:
    folder = put(tmp_path)
    shelf_at(tmp_path).folder("joe")
    status = (folder / "model.bin").stat()
    (folder / "other").write_bytes(some_bytes(5000, seed=2))
    os.utime(folder / "other", ns=(status.st_atime_ns, status.st_mtime_ns))
    (folder / "other").replace(folder / "model.bin")
    with pytest.raises(ChecksumMismatch):
        shelf_at(tmp_path).folder("joe")


def test_decay_that_leaves_no_trace_is_found_by_verify(tmp_path: Path) -> None:
    folder = put(tmp_path)
    shelf_at(tmp_path).folder("joe")
    status = (folder / "model.bin").stat()
    with (folder / "model.bin").open("r+b") as opened:
        opened.write(b"decay")
    os.utime(folder / "model.bin", ns=(status.st_atime_ns, status.st_mtime_ns))
    verdicts = {report.file.name: report.verdict for report in shelf_at(tmp_path).verify("joe")}
    assert verdicts == {"model.bin": Verdict.WRONG_BYTES, "extra/config.json": Verdict.GOOD}
    with pytest.raises(ChecksumMismatch):
        shelf_at(tmp_path).folder("joe")


@pytest.mark.parametrize("record", [b"", b"[]", b"not json", b'{"model.bin": 3}', b"\xff"])
def test_a_damaged_memory_only_costs_time(tmp_path: Path, record: bytes) -> None:
    folder = put(tmp_path)
    (folder / RECORD).write_bytes(record)
    assert shelf_at(tmp_path).folder("joe") == folder
    assert set(json.loads((folder / RECORD).read_bytes())) == set(FILES)


def test_a_shelf_that_cannot_be_written_still_serves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = put(tmp_path)

    def refuse(path: Path, content: bytes) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(proof, "write_whole", refuse)
    assert shelf_at(tmp_path).folder("joe") == folder


def test_remove_takes_the_model_and_what_a_pull_left(tmp_path: Path) -> None:
    folder = put(tmp_path)
    shelf = shelf_at(tmp_path)
    shelf.workplace("joe").mkdir(parents=True)
    (shelf.workplace("joe") / "model.bin.part").write_bytes(b"half")
    assert shelf.remove("joe") == sum(map(len, FILES.values())) + 4
    assert not folder.exists()
    assert not shelf.workplace("joe").exists()
    assert shelf.remove("joe") == 0


def test_a_disk_too_full_to_work_on_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = put(tmp_path)

    def full(path: Path, *_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(os, "open", full)
    with pytest.raises(ShelfError, match="No space left"):
        shelf_at(tmp_path).remove("joe")
    assert folder.exists()


def test_remove_follows_no_link_out_of_the_shelf(tmp_path: Path) -> None:
    outside = put(tmp_path / "elsewhere")
    root = tmp_path / "shelf"
    root.mkdir()
    (root / "joe").symlink_to(outside)
    assert shelf_at(root).folder("joe") == root / "joe"
    shelf_at(root).remove("joe")
    assert not (root / "joe").exists()
    assert (outside / "model.bin").read_bytes() == FILES["model.bin"]


@pytest.mark.parametrize("name", ["..", "../elsewhere", "/etc", "", ".pull", "joe/..", "jo"])
def test_a_name_that_is_no_model_reaches_nothing(tmp_path: Path, name: str) -> None:
    shelf = shelf_at(tmp_path)
    for ask in (shelf.folder, shelf.has, shelf.verify, shelf.remove, shelf.place):
        with pytest.raises(UnknownModel):
            ask(name)


def test_a_near_miss_is_guessed(tmp_path: Path) -> None:
    with pytest.raises(UnknownModel) as caught:
        shelf_at(tmp_path, "whisper-base").folder("wisper-base")
    assert "Did you mean whisper-base?" in caught.value.mend


def test_a_model_that_is_being_pulled_is_not_removed(tmp_path: Path) -> None:
    put(tmp_path)
    shelf = shelf_at(tmp_path)
    with held_at_once(shelf.lock("joe")), pytest.raises(ShelfError, match="another process"):
        shelf.remove("joe")
    assert shelf.has("joe")


def test_what_is_wrong_with_files_is_told_kind_by_kind(tmp_path: Path) -> None:
    shelf = shelf_at(tmp_path)
    assert wrong_in_words(shelf.verify("joe")) == "missing: model.bin, extra/config.json"
    (put(tmp_path) / "model.bin").write_bytes(b"cut short")
    assert wrong_in_words(shelf.verify("joe")) == "wrong size: model.bin"
    put(tmp_path)
    assert wrong_in_words(shelf.verify("joe")) == ""
