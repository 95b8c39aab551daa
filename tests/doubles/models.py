"""Small made-up models: manifests, the bytes of their files, and wheels that carry them."""

from __future__ import annotations

import hashlib
import random
import zipfile
from dataclasses import replace
from pathlib import Path

from companion.catalog.manifest import (
    FileSource,
    HubSource,
    Kind,
    Manifest,
    ModelFile,
    Wheel,
    WheelMember,
    WheelSource,
)

REVISION = "0" * 40


def some_bytes(count: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(count)


def hub_file(name: str, content: bytes, *sources: FileSource) -> ModelFile:
    """A file that the hub has at its own name, after the other sources."""
    hub = HubSource("owner/model", REVISION, name)
    return ModelFile(name, len(content), hashlib.sha256(content).hexdigest(), (*sources, hub))


def without_hub(file: ModelFile) -> ModelFile:
    return replace(file, sources=tuple(source for source in file.sources if not isinstance(source, HubSource)))


def hub_path(name: str) -> str:
    return f"/owner/model/resolve/{REVISION}/{name}"


def model(name: str, *files: ModelFile, kind: Kind = Kind.VOICE, **changes: object) -> Manifest:
    made = Manifest(
        name=name, kind=kind, title=name, note="made up", licence="MIT", languages=("en",), memory_mb=100,
        machine_mb=900, cores=1, rank=10, files=files,
    )  # fmt: skip
    return replace(made, **changes)  # type: ignore[arg-type]


def wheel_source(package: str, *members: tuple[str, int]) -> WheelSource:
    wheel = Wheel(package, "1.0.0", 1000)
    return WheelSource(tuple(WheelMember(wheel, path, size) for path, size in members))


def make_wheel(folder: Path, package: str, members: dict[str, bytes]) -> Path:
    """A wheel that pip takes for one."""
    folder.mkdir(parents=True, exist_ok=True)
    name = package.replace("-", "_")
    file = folder / f"{name}-1.0.0-py3-none-any.whl"
    info = f"{name}-1.0.0.dist-info"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in members.items():
            archive.writestr(path, content)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0.0\n")
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: made\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")
    return file
