"""Python values as JSON and YAML say them, always in the same order."""

from __future__ import annotations

import dataclasses
import enum
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any


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
        return json.dumps(plain(value), ensure_ascii=False, allow_nan=False)
    except RecursionError as error:
        raise ValueError("it contains itself, or is nested too deep") from error


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
        raise ValueError("it contains itself, or is nested too deep") from error
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
