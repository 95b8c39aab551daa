"""Configuration files: found in a folder and all that is below it, and read as JSON or YAML."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from companion.compose.loader.fields import kind_of
from companion.errors import ModelConfigError

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
        raise _unusable(Path(error.filename), f"cannot be read: {error.strerror}") from error

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
        raise _unusable(file, f"cannot be read: {error.strerror or error}") from error
    if len(raw) > LARGEST:
        raise _unusable(file, "is larger than 256 KB", "Split it.")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _unusable(file, f"is no UTF-8 at byte {error.start}", "Save it as UTF-8.") from error


def _parsed(file: Path, text: str) -> object:
    # Errors of the libraries quote what they stumbled over, which may be a key: they are not chained.
    try:
        return _from_json(text) if file.suffix == ".json" else _from_yaml(text)
    except json.JSONDecodeError as error:
        raise _unusable(file, f"line {error.lineno}: this is no JSON: {error.msg}") from None
    except _Unreadable as error:
        raise _unusable(file, str(error)) from None
    except RecursionError:
        raise _unusable(file, "is nested too deeply") from None


class _Unreadable(ValueError):
    """What is wrong, in words that quote nothing."""


def _from_json(text: str) -> object:
    def table(pairs: list[tuple[str, object]]) -> dict[str, object]:
        fields: dict[str, object] = {}
        for name, value in pairs:
            if name in fields:
                raise _Unreadable(f"{name} is given twice")
            fields[name] = value
        return fields

    def constant(name: str) -> object:
        raise _Unreadable(f"{name} is no number of JSON")

    return json.loads(text, object_pairs_hook=table, parse_constant=constant)


def _from_yaml(text: str) -> object:
    import yaml

    # The one in C is ten times quicker; not every build of the library has it.
    safe: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(safe):  # type: ignore[valid-type, misc]
        """Refuses a field that is given twice, of which it would take the last."""

        def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[object, object]:
            names: set[str] = set()
            for key in (key for key, _ in node.value if isinstance(key, yaml.ScalarNode)):
                if key.value in names:
                    raise _Unreadable(f"line {key.start_mark.line + 1}: {key.value} is given twice")
                names.add(key.value)
            fields: dict[object, object] = super().construct_mapping(node, deep)
            return fields

    try:
        return yaml.load(text, Loader)  # noqa: S506 - it is a SafeLoader
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f"line {mark.line + 1}: " if mark else ""
        problem = (error.problem or error.context or "").partition("'")[0].strip()
        raise _Unreadable(f"{line}this is no YAML: {problem}") from None
    except (yaml.YAMLError, ValueError) as error:
        raise error if isinstance(error, _Unreadable) else _Unreadable("this is no YAML") from None


def _unusable(file: Path, why: str, mend: str = "") -> ModelConfigError:
    join = " " if why.startswith(("is ", "cannot ", "must ", "has ")) else ", "
    return ModelConfigError(f"{file}{join}{why}", file=str(file), mend=mend)
