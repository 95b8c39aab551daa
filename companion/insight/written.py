"""Reads data that a person wrote in YAML, JSON or TOML into the tables, lists and texts it stands for.

Every plain value of YAML is a text, so that "no", "on" and "12:30" stay words. A name that is given twice is refused
in all three, and so is what refers to itself.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable
from pathlib import PurePath
from typing import Any

DEEPEST = 20
"""Levels of tables and lists within each other."""


class Unreadable(ValueError):
    """What was written is not in its grammar; the message says where, in one line."""


def read_written(text: str, *, file: str) -> object:
    """The data in ``text``.

    file: its name; ``.json`` is JSON, ``.toml`` is TOML, anything else YAML.

    Raises:
        Unreadable: it is none.
    """
    match PurePath(file).suffix.lower():
        case ".json":
            return _read_json(text)
        case ".toml":
            return _read_toml(text)
        case _:
            return _read_yaml(text)


def _read_toml(text: str) -> object:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Unreadable(str(error)) from error


def _read_json(text: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=_table)
    except (json.JSONDecodeError, RecursionError) as error:
        raise Unreadable(str(error)) from error


def _read_yaml(text: str) -> object:
    import yaml

    try:
        node = yaml.compose(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
        return None if node is None else _from_node(node, {}, DEEPEST)
    except (yaml.YAMLError, RecursionError) as error:
        raise Unreadable(" ".join(str(error).split())) from error


def _from_node(node: Any, known: dict[int, object], deepest: int) -> object:
    """known: what nodes stand for that were read before, for an alias may name one many times."""
    if not deepest:
        raise Unreadable(f"line {node.start_mark.line + 1}: more than {DEEPEST} levels deep")
    if id(node) not in known:
        known[id(node)] = _value(node, known, deepest - 1)
    return known[id(node)]


def _value(node: Any, known: dict[int, object], deepest: int) -> object:
    match node.id:
        case "sequence":
            return [_from_node(item, known, deepest) for item in node.value]
        case "mapping":
            pairs = ((_name(key), _from_node(value, known, deepest)) for key, value in node.value)
            return _table(pairs, f"line {node.start_mark.line + 1}: ")
        case _:
            return node.value


def _name(node: Any) -> str:
    if node.id != "scalar":
        raise Unreadable(f"line {node.start_mark.line + 1}: a name must be a text")
    return str(node.value)


def _table(pairs: Iterable[tuple[str, object]], where: str = "") -> dict[str, object]:
    table: dict[str, object] = {}
    for name, value in pairs:
        if name in table:
            raise Unreadable(f"{where}{name!r} is given twice")
        table[name] = value
    return table
