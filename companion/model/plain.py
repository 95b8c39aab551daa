"""Python values as JSON and YAML say them, always in the same order.

JSON has no numbers without an end (NaN, infinity), and UTF-8 no half letters (a half of a pair of UTF-16, as a careless
server cuts it): the first are errors here, the second become a replacement character, since many readers refuse the
whole text over one.
"""

from __future__ import annotations

import dataclasses
import enum
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

_TOO_DEEP = "it contains itself, or is nested too deep"


def plain(value: object) -> object:
    """The value in what JSON has: dataclasses and pydantic models as objects, enums as their value, sets sorted.

    Raises:
        TypeError: JSON has nothing like it.
    """
    match value:
        case enum.Enum():
            return plain(value.value)
        case None | bool() | int() | float() | str():
            return value
        case Mapping():
            return {_name(name): plain(one) for name, one in value.items()}
        case list() | tuple():
            return [plain(one) for one in value]
        case set() | frozenset():
            return sorted((plain(one) for one in value), key=to_json)
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
        case _ if hasattr(value, "model_dump"):
            return value.model_dump(mode="json")
        case _:
            raise TypeError(f"JSON has nothing like {type(value).__name__}")


def _name(name: object) -> str:
    if isinstance(name, enum.Enum):
        name = name.value
    if not isinstance(name, str):
        raise TypeError(f"JSON names things by text, not by {name!r}")
    return name


def to_json(value: object) -> str:
    """The value as one line of JSON.

    Raises:
        TypeError: JSON has nothing like it.
        ValueError: it is no finite number, or contains itself.
    """
    try:
        return json_text(plain(value))
    except RecursionError as error:
        raise ValueError(_TOO_DEEP) from error


def json_text(value: object, *, is_compact: bool = False) -> str:
    """What JSON has already, as one line of it. is_compact: without blanks.

    Raises:
        TypeError: JSON has nothing like it.
        ValueError: it holds no finite number, contains itself, or is nested too deep.
    """
    try:
        text = json.dumps(
            value, ensure_ascii=False, allow_nan=False, separators=(",", ":") if is_compact else (", ", ": ")
        )
    except RecursionError as error:
        raise ValueError(_TOO_DEEP) from error
    return whole_letters(text)


def json_bytes(value: object) -> bytes:
    """What JSON has already, as it is sent: without blanks, in UTF-8.

    Raises:
        TypeError, ValueError: as ``json_text``.
    """
    return json_text(value, is_compact=True).encode()


def whole_letters(text: str) -> str:
    """The text with a replacement character for every half letter, and the halves that belong together as one."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def to_yaml(value: object) -> str:
    """The value as YAML, without a line end; text of many lines is written as lines.

    Raises:
        TypeError: JSON, and so our YAML, has nothing like it.
        ValueError: it contains itself, or is nested too deep.
    """
    import yaml

    try:
        text: str = yaml.dump(plain(value), Dumper=_dumper(), allow_unicode=True, sort_keys=False, width=1 << 20)
    except RecursionError as error:
        raise ValueError(_TOO_DEEP) from error
    return text.removesuffix("\n").removesuffix("\n...")


@lru_cache(maxsize=1)
def _dumper() -> Any:
    import yaml

    class Dumper(yaml.SafeDumper):
        def ignore_aliases(self, data: object) -> bool:
            """A value that stands twice is written twice: models do not follow references."""
            return True

    def text(dumper: Dumper, words: str) -> yaml.ScalarNode:
        return dumper.represent_scalar("tag:yaml.org,2002:str", words, style="|" if "\n" in words else None)

    Dumper.add_representer(str, text)
    return Dumper
