"""A table of a TOML file, read field by field: every complaint names the file and the field."""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion.errors import BadManifest


class Table:
    """Hands out typed values and remembers which were asked for."""

    def __init__(self, values: Mapping[str, object], *, file: str, place: str = "") -> None:
        self._values = values
        self._file = file
        self._place = place
        self._asked: set[str] = set()

    def __contains__(self, field: str) -> bool:
        return field in self._values

    def fields(self) -> tuple[str, ...]:
        return tuple(self._values)

    def text(self, field: str, pattern: str = r"[^\n]+", *, form: str = "a line of text") -> str:
        """A string that fits ``pattern`` as a whole; ``form`` says in words what that is."""
        value = self._value(field, form)
        if not isinstance(value, str) or not re.fullmatch(pattern, value):
            raise self.wrong(field, f"must be {form}, not {value!r}")
        return value

    def number(self, field: str) -> int:
        """A whole number above zero."""
        value = self._value(field, "a whole number above zero")
        if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
            raise self.wrong(field, f"must be a whole number above zero, not {value!r}")
        return value

    def texts(self, field: str, pattern: str, *, form: str) -> tuple[str, ...]:
        """A list of one or more strings."""
        values = self._list(field, form)
        for value in values:
            if not isinstance(value, str) or not re.fullmatch(pattern, value):
                raise self.wrong(field, f"each must be {form}, not {value!r}")
        return tuple(str(value) for value in values)

    def table(self, field: str) -> Table:
        """A table inside this one; an absent one is empty."""
        self._asked.add(field)
        value = self._values.get(field, {})
        if not isinstance(value, dict):
            raise self.wrong(field, f"must be a table, not {value!r}")
        return Table(value, file=self._file, place=self._inside(field))

    def tables(self, field: str) -> list[Table]:
        """A list of one or more tables."""
        tables = []
        for index, value in enumerate(self._list(field, "a table")):
            if not isinstance(value, dict):
                raise self.wrong(f"{field}[{index}]", f"must be a table, not {value!r}")
            tables.append(Table(value, file=self._file, place=self._inside(f"{field}[{index}]")))
        return tables

    def close(self) -> None:
        """Refuse what nobody asked for, so that a typing error is found."""
        for field in self._values:
            if field not in self._asked:
                raise self.wrong(field, "is not a field of a manifest")

    def wrong(self, field: str, why: str) -> BadManifest:
        """The error for ``field``, to be raised by the caller."""
        return BadManifest(
            f"{self._file}: {self._inside(field)} {why}", mend="Mend the manifest, or reinstall companion."
        )

    def _inside(self, field: str) -> str:
        return f"{self._place}.{field}" if self._place else field

    def _value(self, field: str, form: str) -> object:
        self._asked.add(field)
        if field not in self._values:
            raise self.wrong(field, f"is missing; it must be {form}")
        return self._values[field]

    def _list(self, field: str, form: str) -> list[object]:
        value = self._value(field, f"a list of one or more, each {form}")
        if not isinstance(value, list) or not value:
            raise self.wrong(field, f"must be a list of one or more, each {form}")
        return value
