"""Manifests: those we ship are sound, and broken ones are refused by file and field."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.paths import bundled
from companion.catalog.manifest import HubSource, Kind, WheelSource, load_manifest, load_manifests
from companion.errors import BadManifest

STARTERS = {"whisper-tiny.en", "whisper-base", "piper-en_US-joe-medium", "smollm2-135m", "smart-turn-v3.2"}

GOOD = """
kind = "voice"
title = "A voice"
note = "It speaks."
licence = "MIT"
languages = ["en"]
memory_mb = 1
machine_mb = 1
cores = 1
rank = 1

[hub]
repository = "owner/model"
revision = "0123456789012345678901234567890123456789"

[wheels.some-wheel]
version = "1.0.0"
bytes = 10

[[files]]
name = "a/b.bin"
bytes = 4
sha256 = "0000000000000000000000000000000000000000000000000000000000000000"
sources = [
  { join = [
    { wheel = "some-wheel", member = "some_wheel/b.1", bytes = 1 },
    { wheel = "some-wheel", member = "some_wheel/b.2", bytes = 3 },
  ] },
  { hub = "b.bin" },
]
"""


def written(folder: Path, text: str, name: str = "voice") -> Path:
    file = folder / f"{name}.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_the_manifests_that_come_with_the_program_are_sound() -> None:
    manifests = load_manifests(bundled("models"))
    assert set(manifests) >= STARTERS | {
        "whisper-small", "qwen3-0.6b", "qwen2.5-1.5b", "qwen3-1.7b", "qwen3-4b", "qwen2.5-coder-0.5b",
    }  # fmt: skip
    assert {manifest.kind for manifest in manifests.values()} == set(Kind)


def test_the_starter_set_comes_from_wheels_first() -> None:
    manifests = load_manifests(bundled("models"))
    for name in STARTERS:
        for file in manifests[name].files:
            assert isinstance(file.sources[0], WheelSource), f"{name}/{file.name}"


def test_a_good_manifest_is_read_as_it_is_written(tmp_path: Path) -> None:
    manifest = load_manifest(written(tmp_path, GOOD))
    (file,) = manifest.files
    joined, hub = file.sources
    assert manifest.name == "voice"
    assert isinstance(joined, WheelSource)
    assert [member.bytes for member in joined.members] == [1, 3]
    assert hub == HubSource("owner/model", "0123456789" * 4, "b.bin")


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ('kind = "voice"', 'kind = "singer"', "kind"),
        ('title = "A voice"', "", "title"),
        ('note = "It speaks."', 'note = "two\\nlines"', "note"),
        ('languages = ["en"]', 'languages = "en"', "languages"),
        ('languages = ["en"]', "languages = []", "languages"),
        ('languages = ["en"]', 'languages = ["English"]', "languages"),
        ("memory_mb = 1", "memory_mb = 0", "memory_mb"),
        ("memory_mb = 1", "memory_mb = true", "memory_mb"),
        ("memory_mb = 1", "memory_gb = 1", "memory_mb"),
        ("rank = 1", "rank = 1\nspeed = 3", "speed"),
        ('name = "a/b.bin"', 'name = "../b.bin"', "files[0].name"),
        ('name = "a/b.bin"', 'name = "/etc/b.bin"', "files[0].name"),
        ('name = "a/b.bin"', 'name = "a/../../b.bin"', "files[0].name"),
        ('name = "a/b.bin"', 'name = "a\\\\b.bin"', "files[0].name"),
        ('name = "a/b.bin"', 'name = "C:b.bin"', "files[0].name"),
        ('name = "a/b.bin"', 'name = ".verified"', "files[0].name"),
        ("bytes = 4", 'bytes = "4"', "files[0].bytes"),
        ("bytes = 4", "bytes = 5", "files[0].sources[0].join"),
        ('sha256 = "0', 'sha256 = "', "files[0].sha256"),
        ('{ hub = "b.bin" }', '{ hub = "../b.bin" }', "files[0].sources[1].hub"),
        ('{ hub = "b.bin" }', '{ hub = "b.bin", member = "x" }', "files[0].sources[1].member"),
        ('{ hub = "b.bin" }', '{ torrent = "b.bin" }', "files[0].sources[1].wheel"),
        ('wheel = "some-wheel", member = "some_wheel/b.1"', 'wheel = "other", member = "b"', "join[0].wheel"),
        ("[wheels.some-wheel]", '[wheels."--index-url"]', "wheels.--index-url"),
        ('version = "1.0.0"', 'version = ">=1"', "wheels.some-wheel.version"),
        ('revision = "01', 'revision = "main', "hub.revision"),
        ('repository = "owner/model"', 'repository = "owner"', "hub.repository"),
    ],
)
def test_a_wrong_field_is_named_with_its_file(tmp_path: Path, old: str, new: str, field: str) -> None:
    assert GOOD.count(old) >= 1
    file = written(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(BadManifest) as caught:
        load_manifest(file)
    assert str(file) in str(caught.value)
    assert field in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_status == 2


def test_two_files_that_some_systems_take_for_one_are_refused(tmp_path: Path) -> None:
    second = GOOD[GOOD.index("[[files]]") :].replace("a/b.bin", "A/B.bin")
    with pytest.raises(BadManifest, match="twice"):
        load_manifest(written(tmp_path, GOOD + second))


def test_what_is_no_toml_is_named(tmp_path: Path) -> None:
    for content in (b"kind = ", b"\xff\xfe"):
        file = tmp_path / "broken.toml"
        file.write_bytes(content)
        with pytest.raises(BadManifest, match=r"broken\.toml"):
            load_manifest(file)


def test_a_file_name_that_is_no_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadManifest, match="name"):
        load_manifest(written(tmp_path, GOOD, name="..voice"))


def test_a_folder_without_manifests_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadManifest, match="no model manifests"):
        load_manifests(tmp_path)
