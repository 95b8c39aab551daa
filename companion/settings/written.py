"""Reads data that a person wrote in YAML, JSON or TOML into the tables, lists and values it stands for.

A name that is given twice is refused in all three, and so is what refers to itself. What is wrong is said in words
that quote no value, for it might be a key; errors of the libraries, which do, are not chained.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import PurePath
from typing import Any

DEEPEST = 20
"""Levels of tables and lists within each other, in YAML, where an alias may lead back to where it stands."""


class Unreadable(ValueError):
    """What was written is not in its grammar; the message says where, in one line."""


def read_written(text: str, *, file: str, plain_as_text: bool = False) -> object:
    """The data in ``text``.

    file: its name; ``.json`` is JSON, ``.toml`` is TOML, anything else YAML.
    plain_as_text: take every plain value of YAML as a text, so that "no", "on" and "12:30" stay words.

    Raises:
        Unreadable: it is none.
    """
    try:
        match PurePath(file).suffix.lower():
            case ".json":
                return json.loads(text, object_pairs_hook=_table, parse_constant=_no_constant)
            case ".toml":
                return tomllib.loads(text)
            case _:
                return _read_yaml(text, plain_as_text)
    except json.JSONDecodeError as error:
        raise Unreadable(f"line {error.lineno}: this is no JSON: {error.msg}") from None
    except tomllib.TOMLDecodeError as error:
        raise Unreadable(f"this is no TOML: {error}") from None
    except RecursionError:
        raise Unreadable("is nested too deeply") from None


def _table(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table: dict[str, object] = {}
    for name, value in pairs:
        if name in table:
            raise Unreadable(f"{name!r} is given twice")
        table[name] = value
    return table


def _no_constant(word: str) -> object:
    raise Unreadable(f"{word} is no number of JSON")


def _read_yaml(text: str, plain_as_text: bool) -> object:
    import yaml

    # Those in C are ten times quicker; not every build of the library has them.
    kind = "BaseLoader" if plain_as_text else "SafeLoader"
    loader = getattr(yaml, f"C{kind}", getattr(yaml, kind))(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        _check(node, set(), DEEPEST)
        return loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f"line {mark.line + 1}: " if mark else ""
        problem = (error.problem or error.context or "").partition("'")[0].strip()
        raise Unreadable(f"{line}this is no YAML: {problem}") from None
    except (yaml.YAMLError, ValueError) as error:
        raise error if isinstance(error, Unreadable) else Unreadable("this is no YAML") from None
    finally:
        loader.dispose()


def _check(node: Any, known: set[int], deepest: int) -> None:
    """Refuse what YAML would allow; of a name that is given twice, it takes the last.

    known: what was looked at before, for an alias may name one many times.
    """
    line = node.start_mark.line + 1
    if not deepest:
        raise Unreadable(f"line {line}: nested more than {DEEPEST} levels deep")
    if id(node) in known:
        return
    match node.id:
        case "sequence":
            for item in node.value:
                _check(item, known, deepest - 1)
        case "mapping":
            _check_names([name for name, _ in node.value])
            for _, value in node.value:
                _check(value, known, deepest - 1)
    known.add(id(node))


def _check_names(names: list[Any]) -> None:
    given: set[str] = set()
    for name in names:
        line = name.start_mark.line + 1
        if name.id != "scalar":
            raise Unreadable(f"line {line}: a name must be a text")
        if name.value in given:
            raise Unreadable(f"line {line}: {name.value!r} is given twice")
        given.add(name.value)
