"""What the user has decided about plugins, in one TOML file with comments kept.

::

    [weather]
    enabled = true
    permissions = ["network"]

    [weather.settings]
    city = "Rome"
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.agent.plugin import NAME, Permission
from companion.errors import PluginError, StorageError, one_line, reason_of
from companion.settings.atomic import write_atomically


@dataclass(frozen=True, slots=True)
class Choice:
    """About one plugin. enabled: None where the user has not said."""

    enabled: bool | None = None
    permissions: frozenset[Permission] = frozenset()
    settings: Mapping[str, object] = field(default_factory=dict)


class ChoiceFile:
    """Blocking work on one file, for one writer."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def load(self) -> Mapping[str, Choice]:
        """All choices, by plugin.

        Raises:
            PluginError: the file cannot be read; nothing in it counts then, so that nothing is allowed by mistake.
        """
        text = self._read()
        try:
            return {name: _choice(table) for name, table in tomllib.loads(text).items()}
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise PluginError(f"{self._file}: {one_line(error)}", plugin="", mend=f"Mend {self._file}.") from error

    def enable(self, name: str, permissions: Iterable[Permission] = ()) -> None:
        """Turn a plugin on, and allow it these permissions besides those it has.

        Raises:
            PluginError: as ``load``, or no plugin can have that name.
            StorageError: the file cannot be written.
        """

        def change(table: Any) -> None:
            table["enabled"] = True
            had = [str(one) for one in table.get("permissions", [])]
            wanted = sorted({*had, *(Permission(one).value for one in permissions)})
            if wanted:
                table["permissions"] = wanted

        self._change(name, change)

    def withdraw(self, name: str, permissions: Iterable[Permission]) -> None:
        """Take single permissions back. Raises as ``enable``."""
        gone = {one.value for one in permissions}

        def change(table: Any) -> None:
            table["permissions"] = [str(one) for one in table.get("permissions", []) if str(one) not in gone]

        self._change(name, change)

    def disable(self, name: str) -> None:
        """Turn a plugin off, and take its permissions back. Raises as ``enable``."""

        def change(table: Any) -> None:
            table["enabled"] = False
            table.pop("permissions", None)

        self._change(name, change)

    def _change(self, name: str, change: Callable[[Any], None]) -> None:
        import tomlkit

        if not NAME.fullmatch(name):
            raise PluginError(f"no plugin can be called {name[:40]!r}", plugin="")
        self.load()
        document: Any = tomlkit.parse(self._read())
        if name not in document:
            document[name] = tomlkit.table()
        change(document[name])
        write_atomically(self._file, tomlkit.dumps(document))

    def _read(self) -> str:
        try:
            return self._file.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""
        except UnicodeDecodeError as error:
            raise PluginError(f"{self._file}: this is no text", plugin="", mend=f"Mend {self._file}.") from error
        except OSError as error:
            raise StorageError(
                f"{self._file}: {reason_of(error)}", file=str(self._file), mend="Allow reading it."
            ) from error


def _choice(table: Mapping[str, Any]) -> Choice:
    enabled = table.get("enabled")
    if not isinstance(enabled, bool | None):
        raise ValueError("enabled is true or false")
    settings = table.get("settings", {})
    if not isinstance(settings, Mapping):
        raise ValueError("settings is a table")
    return Choice(enabled, frozenset(Permission(one) for one in table.get("permissions", [])), settings)
