"""Files that cannot be read say which, where and why, and quote nothing that might be a key."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.compose.loader.files import LARGEST, config_files, read_file
from companion.errors import ModelConfigError

CASES = {
    "a.yaml": [
        ("a: 1\na: 2\n", ", line 2: 'a' is given twice"),
        ("models:\n  - {name: x, name: y}\n", ", line 2: 'name' is given twice"),
        ("a: [1\n", "this is no YAML"),
        ("api_key: *sk-secret\n", ", line 1: this is no YAML: found undefined alias"),
        ("a: !!python/object/apply:os.system ['true']\n", "this is no YAML: could not determine a constructor"),
        ("a: 2026-99-99\n", "this is no YAML"),
        ("a: 1\n---\nb: 2\n", "this is no YAML"),
        ("a: \x07\n", "this is no YAML"),
        ("a: " + "[" * 2000, "nest"),
        ("1: x\n", "has a field whose name is no text"),
        ("", "must hold fields, not nothing"),
        ("- a\n", "must hold fields, not a list"),
        ("sk-secret", "must hold fields, not text"),
        ("? [a, b]\n: c\n", "a name must be a text"),
    ],
    "a.json": [
        ('{"a": 1, "a": 2}', "'a' is given twice"),
        ('{"a": {"b": 1, "b": 2}}', "'b' is given twice"),
        ('{"api_key": sk-secret}', ", line 1: this is no JSON"),
        ('{"a": NaN}', "NaN is no number of JSON"),
        ("[" * 200_000, "is nested too deeply"),
        ("a: 1", "this is no JSON"),
        ("null", "must hold fields, not nothing"),
        (b"\xff", "is no UTF-8 at byte 0"),
        ('"' + "x" * LARGEST + '"', "is larger than 256 KB"),
    ],
}


@pytest.mark.parametrize(
    ("name", "content", "why"), [(name, content, why) for name, cases in CASES.items() for content, why in cases]
)
def test_a_file_that_is_none_says_why(tmp_path: Path, name: str, content: str | bytes, why: str) -> None:
    file = tmp_path / name
    file.write_bytes(content.encode() if isinstance(content, str) else content)

    with pytest.raises(ModelConfigError) as refused:
        read_file(file)

    assert str(refused.value).startswith(str(file))
    assert why in str(refused.value)
    assert refused.value.file == str(file)
    assert "secret" not in f"{refused.value} {refused.value.__cause__} {refused.value.mend}"


def test_fields_come_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("\ufeffbase: &b {x: 1}\nown: {<<: *b, y: 2}\n", encoding="utf-8")

    assert read_file(file) == {"base": {"x": 1}, "own": {"x": 1, "y": 2}}


def test_files_are_found_at_any_depth_by_path(tmp_path: Path) -> None:
    for name in ("b.yml", "a/z.json", "a/y/x.yaml", "A.json", "readme.md", ".git/a.yaml", ".b.yml.swp", "c.YAML"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")

    found = [file.relative_to(tmp_path).as_posix() for file in config_files(tmp_path)]

    assert found == ["A.json", "a/y/x.yaml", "a/z.json", "b.yml"]


def test_a_folder_that_is_none_is_named(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("")
    for folder in (tmp_path / "missing", file):
        with pytest.raises(ModelConfigError, match="is no folder"):
            config_files(folder)


def test_a_file_that_leads_nowhere_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").symlink_to(tmp_path / "gone.yaml")

    with pytest.raises(ModelConfigError, match=r"a\.yaml cannot be read: No such file"):
        read_file(config_files(tmp_path)[0])
