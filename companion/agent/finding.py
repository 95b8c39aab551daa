"""Where plugins come from: the program itself, installed packages, and the user's plugin folder. Nothing is run here
but what ``Found.make`` is called for.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import metadata
from pathlib import Path

from companion.agent.plugin import NAME, House, Manifest, Plugin, Talent
from companion.errors import CompanionError, PluginError

GROUP = "companion.plugins"
"""The group of entry points by which packages offer plugins."""
MOST_PLUGINS = 100
RESERVED = frozenset({"talents", "consent", "companion", "model", "memory", "knowledge", "reminders", "user", "self"})
"""Names of parts of the program, which no plugin of others may have."""


class Home(StrEnum):
    BUILT_IN = "built in"
    PACKAGE = "package"
    FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class Found:
    """A plugin that could be loaded.

    manifest: None where only the plugin itself knows it. problem: why it cannot be loaded at all.
    make: imports and makes it; blocking, and may raise anything.
    """

    name: str
    home: Home
    make: Callable[[], object]
    manifest: Manifest | None = None
    problem: CompanionError | None = None


def built_in(plugin: Plugin) -> Found:
    """One that the program brings itself."""
    return Found(plugin.manifest.name, Home.BUILT_IN, lambda: plugin, plugin.manifest)


class TalentPlugin:
    """A talent on its own, as a plugin: our talents come through the same door."""

    def __init__(self, talent: Talent) -> None:
        self._talent = talent
        self.manifest = Manifest(talent.name.replace("_", "-").replace(" ", "-"), description="commands")

    async def start(self, house: House) -> None:
        house.add_talent(self._talent)

    async def check(self) -> None:
        """It needs nothing."""

    async def stop(self) -> None:
        """It holds nothing."""


def in_packages() -> Sequence[Found]:
    """Those of installed packages. Blocking."""
    entries = list(metadata.entry_points(group=GROUP))[:MOST_PLUGINS]
    return [Found(entry.name, Home.PACKAGE, _maker(entry), problem=_misnamed(entry.name)) for entry in entries]


def _misnamed(name: str) -> CompanionError | None:
    """What is wrong with the name of a plugin of others."""
    if NAME.fullmatch(name) and name not in RESERVED:
        return None
    return PluginError(
        f"no plugin can be called {name[:40]!r}", plugin=name[:40], mend="Have its author give it another name."
    )


def _maker(entry: metadata.EntryPoint) -> Callable[[], object]:
    return lambda: entry.load()()


def in_folder(folder: Path) -> Sequence[Found]:
    """Those of the user's folder: each a folder with ``plugin.toml`` and ``plugin.py``. Blocking."""
    if not folder.is_dir():
        return []
    places = sorted(place for place in folder.iterdir() if place.is_dir() and not place.name.startswith((".", "_")))
    return [_in_place(place) for place in places[:MOST_PLUGINS]]


def _in_place(place: Path) -> Found:
    def nothing() -> object:
        raise PluginError(f"{place.name} cannot be loaded", plugin=place.name)

    try:
        manifest = Manifest.read(place / "plugin.toml")
        if (misnamed := _misnamed(place.name)) is not None:
            raise misnamed
        if manifest.name != place.name:
            raise PluginError(
                f"{place}: the folder has to be called as the plugin, {manifest.name!r}", plugin=place.name
            )
    except CompanionError as problem:
        return Found(place.name, Home.FOLDER, nothing, problem=problem)
    return Found(place.name, Home.FOLDER, lambda: _imported(place), manifest)


def _imported(place: Path) -> object:
    """What ``plugin()`` in its file makes; the file is read anew each time."""
    name = f"companion_plugin_{place.name.replace('-', '_')}"
    file = place / "plugin.py"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None or not file.is_file():
        raise PluginError(f"{place}: there is no plugin.py", plugin=place.name)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
        return module.plugin()
    except BaseException:
        sys.modules.pop(name, None)
        raise
