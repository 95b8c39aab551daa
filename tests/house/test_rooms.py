"""Every room exists, says what it holds, keeps to its size, and names what it gives away."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest
from doubles.checkout import TOP, our_files, program_files, syntax

ROOMS = {
    "agent", "api", "app", "audio", "catalog", "cli", "compose", "dialects", "insight", "knowledge", "mcp", "memory",
    "model", "providers", "settings", "stream", "talents", "ui", "voice",
}  # fmt: skip
LONGEST_FILE = 400
WHOLE = {"companion/errors.py"}
"""One tree, drawn and written in one place."""
LONGEST_FUNCTION = 60


def test_every_room_exists() -> None:
    assert {path.parts[1] for path in program_files() if len(path.parts) > 2} == ROOMS


def test_every_file_begins_by_saying_what_it_is() -> None:
    silent = [str(path) for path in program_files() if not ast.get_docstring(syntax(path))]

    assert not silent


def test_no_file_is_longer_than_one_thing() -> None:
    sizes = {str(path): len((TOP / path).read_text(encoding="utf-8").splitlines()) for path in program_files()}

    assert not {path: size for path, size in sizes.items() if size > LONGEST_FILE and path not in WHOLE}


def test_no_function_is_longer_than_a_screen() -> None:
    long = {
        f"{path}:{node.lineno} {node.name}": size
        for path in program_files()
        for node in ast.walk(syntax(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (size := (node.end_lineno or node.lineno) - node.lineno + 1) > LONGEST_FUNCTION
    }

    assert not long


@pytest.mark.parametrize("name", ["helpers", "utils", "util", "misc", "manager", "base", "common"])
def test_no_file_is_named_after_nothing(name: str) -> None:
    assert name not in {path.stem for path in program_files()}


def test_imports_are_absolute() -> None:
    relative = [
        f"{path}:{node.lineno}"
        for path in program_files()
        for node in ast.walk(syntax(path))
        if isinstance(node, ast.ImportFrom) and node.level
    ]

    assert not relative


def _rooms_that_export() -> list[str]:
    return [
        ".".join(path.parent.parts)
        for path in program_files()
        if path.name == "__init__.py" and "__all__" in (TOP / path).read_text(encoding="utf-8")
    ]


@pytest.mark.parametrize("room", _rooms_that_export())
def test_what_a_room_exports_is_there_and_listed_once(room: str) -> None:
    names = importlib.import_module(room).__all__

    assert len(names) == len(set(names))
    assert all(hasattr(importlib.import_module(room), name) for name in names)


def test_the_folders_beside_the_program_hold_no_package() -> None:
    """With an ``__init__.py`` in it, ``packaging/`` would hide the library of that name."""
    beside = {"models", "assets", "packaging", "docs", "tests"}
    packages = [str(path) for path in our_files() if path.parts[0] in beside and path.name == "__init__.py"]

    assert not packages


def test_assets_and_models_hold_no_program() -> None:
    assert not [path for path in our_files() if path.parts[0] in {"assets", "models"} and path.suffix == ".py"]


def test_the_whole_program_imports_without_a_screen_or_sound() -> None:
    for path in program_files():
        if path != Path("companion/__main__.py"):
            importlib.import_module(".".join(path.with_suffix("").parts).removesuffix(".__init__"))
