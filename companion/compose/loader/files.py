"""Configuration files: found in a folder and all that is below it, and read as JSON or YAML."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from companion.compose.loader.fields import kind_of
from companion.errors import ModelConfigError, reason_of
from companion.settings.written import Unreadable, read_written

SUFFIXES = (".json", ".yaml", ".yml")
LARGEST = 1 << 18
"""Bytes of a file."""


def config_files(folder: Path) -> list[Path]:
    """The configuration files below ``folder``, by path. Names that begin with a dot are an editor's and left out.

    Raises:
        ModelConfigError: there is no such folder, or one in it cannot be read.
    """
    if not folder.is_dir():
        raise _unusable(folder, "is no folder", "Name the folder that holds the files.")

    def stop(error: OSError) -> None:
        raise _unusable(Path(error.filename), f"cannot be read: {reason_of(error)}") from error

    found: list[Path] = []
    for place, folders, names in os.walk(folder, onerror=stop):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(place, name) for name in names if name.endswith(SUFFIXES) and not name.startswith(".")]
    return sorted(found, key=lambda file: file.relative_to(folder).parts)


def read_file(file: Path) -> Mapping[str, object]:
    """The fields of a file.

    Raises:
        ModelConfigError: it cannot be read, or is no JSON or YAML with fields.
    """
    content = _parsed(file, _text(file))
    if not isinstance(content, dict):
        raise _unusable(file, f"must hold fields, not {kind_of(content)}", 'Begin with "schema:" and "type:".')
    if not all(isinstance(name, str) for name in content):
        raise _unusable(file, "has a field whose name is no text", "Put quotes around it.")
    return content


def _text(file: Path) -> str:
    try:
        with file.open("rb") as reading:
            raw = reading.read(LARGEST + 1)
    except OSError as error:
        raise _unusable(file, f"cannot be read: {reason_of(error)}") from error
    if len(raw) > LARGEST:
        raise _unusable(file, "is larger than 256 KB", "Split it.")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _unusable(file, f"is no UTF-8 at byte {error.start}", "Save it as UTF-8.") from error


def _parsed(file: Path, text: str) -> object:
    try:
        return read_written(text, file=file.name)
    except Unreadable as error:
        raise _unusable(file, str(error)) from None


def _unusable(file: Path, why: str, mend: str = "") -> ModelConfigError:
    join = " " if why.startswith(("is ", "cannot ", "must ", "has ")) else ", "
    return ModelConfigError(f"{file}{join}{why}", file=str(file), mend=mend)
