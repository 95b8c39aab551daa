"""The fields of a configuration file, handed out with their types: every complaint names file and field.

What was written is never repeated in a complaint unless it is one of a few known words: it might be a key.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from companion.errors import ModelConfigError
from companion.model.options import JsonValue

MOST_VALUES = 10_000
DEEPEST = 20


class Fields:
    """A table of fields, which remembers those that were asked for.

    place: of the table within its file, as ``models[0]``; empty for the whole file.
    """

    def __init__(self, values: Mapping[str, object], file: Path, place: str = "") -> None:
        self._values = values
        self._asked: set[str] = set()
        self.file = file
        self.place = place

    def __contains__(self, field: str) -> bool:
        return self._values.get(field) is not None

    def text(self, field: str, *, is_needed: bool = False) -> str:
        """One line of text; empty where there is none.

        Raises:
            ModelConfigError: as all methods do, where it is something else, or needed and not there.
        """
        value = self._value(field)
        if value is None or value == "":
            if is_needed:
                raise self.wrong(field, "is missing")
            return ""
        if not isinstance(value, str):
            raise self.wrong(field, f"must be text, not {kind_of(value)}", "Put quotes around it.")
        if not value.isprintable():
            raise self.wrong(field, "must be one line of text")
        return value

    def words(self, field: str) -> str:
        """Text of any number of lines; empty where there is none."""
        value = self._value(field)
        if value is None or isinstance(value, str):
            return value or ""
        raise self.wrong(field, f"must be text, not {kind_of(value)}", "Put quotes around it.")

    def choice(self, field: str, allowed: Sequence[str]) -> str:
        """One of the allowed words; empty where there is none."""
        word = self.text(field)
        if word and word not in allowed:
            raise self.wrong(field, f"is {word[:40]!r}", f"Make it one of: {', '.join(allowed)}.")
        return word

    def flag(self, field: str) -> bool | None:
        value = self._value(field)
        if value is None or isinstance(value, bool):
            return value
        raise self.wrong(field, f"must be true or false, not {kind_of(value)}")

    def whole(self, field: str, *, low: int | None = None) -> int | None:
        """A whole number, at least ``low``."""
        value = self._value(field)
        if value is None:
            return None
        limits = "" if low is None else f" of {low} or more"
        if not isinstance(value, int) or isinstance(value, bool) or (low is not None and value < low):
            raise self.wrong(field, f"must be a whole number{limits}, not {kind_of(value)}")
        return value

    def number(self, field: str, low: float, high: float) -> float | None:
        """A number from ``low`` to ``high``."""
        value = self._value(field)
        if value is None:
            return None
        if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= high:
            raise self.wrong(field, f"must be a number from {low:g} to {high:g}, not {kind_of(value)}")
        return float(value)

    def texts(self, field: str) -> tuple[str, ...] | None:
        """A list of texts, none of them empty; None where there is none."""
        value = self._value(field)
        if value is None:
            return None
        if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
            raise self.wrong(field, f"must be a list of texts, not {kind_of(value)}")
        return tuple(value)

    def table(self, field: str) -> Fields:
        """A table inside this one; an absent one is empty."""
        value = self._value(field)
        return self._inner({} if value is None else value, field)

    def tables(self, field: str) -> list[Fields]:
        """A list of one or more tables."""
        value = self._value(field)
        if not isinstance(value, list) or not value:
            raise self.wrong(field, f"must be a list of one or more, not {kind_of(value)}")
        return [self._inner(one, f"{field}[{index}]") for index, one in enumerate(value)]

    def open(self, field: str) -> Mapping[str, JsonValue]:
        """A table whose fields only the provider knows."""
        return self.table(field).everything()

    def everything(self) -> Mapping[str, JsonValue]:
        """All fields, whatever their names are."""
        budget = [MOST_VALUES]
        return {name: self._json(value, name, budget, 0) for name, value in self._values.items()}

    def close(self) -> None:
        """Refuse what nobody asked for, so that a typing error is found."""
        unknown = next((field for field in self._values if field not in self._asked), None)
        if unknown is not None:
            raise self.wrong(unknown, "is not known here", f"Known are: {', '.join(sorted(self._asked))}.")

    def wrong(self, field: str, why: str, mend: str = "") -> ModelConfigError:
        """The error about ``field``, to be raised by the caller."""
        return wrong(self.file, self._path(field), why, mend)

    def _value(self, field: str) -> object:
        self._asked.add(field)
        return self._values.get(field)

    def _inner(self, value: object, field: str) -> Fields:
        if not isinstance(value, dict):
            raise self.wrong(field, f"must be a table of fields, not {kind_of(value)}")
        for name in value:
            if not isinstance(name, str):
                raise self.wrong(field, "has a field whose name is no text", "Put quotes around it.")
        return Fields(value, self.file, self._path(field))

    def _json(self, value: object, field: str, budget: list[int], depth: int) -> JsonValue:
        """The value, once it is known to be one that JSON has. YAML has more, and can say much in few words."""
        budget[0] -= 1
        if budget[0] < 0 or depth > DEEPEST:
            raise self.wrong(field, "holds too much")
        match value:
            case None | bool() | int() | str():
                return value
            case float() if math.isfinite(value):
                return value
            case list():
                return [self._json(one, field, budget, depth + 1) for one in value]
            case dict() if all(isinstance(name, str) for name in value):
                return {name: self._json(one, field, budget, depth + 1) for name, one in value.items()}
            case _:
                raise self.wrong(field, f"holds {kind_of(value)}, which JSON does not have", "Put quotes around it.")

    def _path(self, field: str) -> str:
        return f"{self.place}.{field}" if self.place else field


def wrong(file: Path, field: str, why: str, mend: str = "") -> ModelConfigError:
    """The error about a field of a file, to be raised by the caller."""
    return ModelConfigError(f"{file}: {field} {why}", file=str(file), field=field, mend=mend)


def kind_of(value: object) -> str:
    """What kind of thing a value is; numbers and truth values as they are."""
    match value:
        case None:
            return "nothing"
        case bool():
            return str(value).lower()
        case int() | float():
            return f"{value:g}"
        case str():
            return "text"
        case list():
            return "a list"
        case dict():
            return "a table of fields"
        case _:
            return f"a {type(value).__name__}"
