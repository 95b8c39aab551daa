"""The checkout as the house tests see it: its files, without what tools leave behind."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
_NOT_OURS = {".git", ".venv", "build", "dist", "__pycache__"}


@cache
def our_files() -> tuple[Path, ...]:
    """Every file of the project, as paths from the top."""
    return tuple(sorted(path.relative_to(TOP) for path in _walk(TOP)))


def _walk(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.name in _NOT_OURS or path.name.endswith(("_cache", ".egg-info")) or path.name == ".hypothesis":
            continue
        if path.is_dir():
            yield from _walk(path)
        elif path.name != ".setup.lock":
            yield path


@cache
def program_files() -> tuple[Path, ...]:
    """The Python files of the program."""
    return tuple(path for path in our_files() if path.parts[0] == "companion" and path.suffix == ".py")


@cache
def syntax(path: Path) -> ast.Module:
    return ast.parse((TOP / path).read_text(encoding="utf-8"), filename=str(path))
