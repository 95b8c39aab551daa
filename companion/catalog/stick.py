"""A folder as a source: a USB stick, another shelf, a pile of downloads, in whatever order it lies there."""

from __future__ import annotations

import asyncio
import logging
import re
from dataclasses import dataclass, field
from pathlib import Path

from companion.catalog.manifest import ModelFile, Wheel, WheelMember, WheelSource
from companion.catalog.progress import Phase
from companion.catalog.proof import hashed
from companion.catalog.source import Errand
from companion.catalog.wheel import join
from companion.errors import SourceUnreachable, reason_of

MOST_FILES = 100_000
"""Files looked at in the folder, so that naming a whole disk by mistake comes to an end."""
MOST_ALIKE = 8
"""Files of the right size that are read in search of the right bytes."""
SLICE = 4 << 20

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _Contents:
    by_size: dict[int, list[Path]] = field(default_factory=dict)
    wheels: list[Path] = field(default_factory=list)


class Stick:
    """Finds files by size, those of the right name first; also inside wheels that lie in the folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._contents: _Contents | None = None

    @property
    def title(self) -> str:
        return str(self._folder)

    def place(self, file: ModelFile) -> int | None:
        return -1

    async def bring(self, errand: Errand) -> None:
        """Copy a file of the right size; where several could be the one, that with the right checksum.

        Raises:
            SourceUnreachable: nothing in the folder could be the file, or it cannot be read.
            OSError: the part cannot be written.
        """
        if self._contents is None:
            self._contents = await asyncio.to_thread(_look, self._folder)
        found = await self._choose(errand)
        if found is not None:
            await _copy(found, errand)
            return
        wheels, members = _wheels(errand.file, self._contents)
        if not wheels:
            raise SourceUnreachable(
                f"{self._folder}: holds no {errand.file.name} with the right bytes", retryable=False
            )
        await join(wheels, members, errand)

    async def close(self) -> None:
        """Nothing stays open."""

    async def _choose(self, errand: Errand) -> Path | None:
        assert self._contents is not None
        file = errand.file
        alike = self._contents.by_size.get(file.bytes, [])
        named = sorted(alike, key=lambda path: path.name != Path(file.name).name)
        for path in named[:MOST_ALIKE]:
            try:
                if await hashed(path, lambda done: errand.tell(Phase.CHECKING, done, file.bytes)) == file.sha256:
                    return path
            except OSError as error:
                raise SourceUnreachable(f"{path}: {reason_of(error)}", retryable=False) from error
        return None


def _look(folder: Path) -> _Contents:
    if not folder.is_dir():
        raise SourceUnreachable(
            f"{folder}: is not a folder", mend="Name the folder that holds the files.", retryable=False
        )
    contents = _Contents()
    for count, path in enumerate(folder.rglob("*")):
        if count == MOST_FILES:
            break
        try:
            size = path.stat().st_size if path.is_file() else 0
        except OSError as error:
            logger.info("%s is passed over: %s", path, error)
            continue
        contents.by_size.setdefault(size, []).append(path)
        if path.suffix == ".whl":
            contents.wheels.append(path)
    return contents


def _wheels(file: ModelFile, contents: _Contents) -> tuple[list[Path], tuple[WheelMember, ...]]:
    """The wheels in the folder that make the file, one for each member; none unless all are there."""
    for source in file.sources:
        if isinstance(source, WheelSource):
            found = [_wheel(member.wheel, contents) for member in source.members]
            wheels = [path for path in found if path is not None]
            if len(wheels) == len(found):
                return wheels, source.members
    return [], ()


def _wheel(wheel: Wheel, contents: _Contents) -> Path | None:
    # In the name of a wheel the words of a package are joined by "_".
    wanted = [re.sub(r"[._-]+", "_", wheel.package), wheel.version]
    return next((path for path in contents.wheels if path.name.lower().split("-")[:2] == wanted), None)


async def _copy(source: Path, errand: Errand) -> None:
    total = errand.file.bytes
    with source.open("rb") as opened, errand.part.open("wb") as sink:

        def carry() -> int:
            try:
                piece = opened.read(SLICE)
            except OSError as error:
                raise SourceUnreachable(f"{source}: {reason_of(error)}", retryable=False) from error
            return sink.write(piece)

        done = 0
        while count := await asyncio.to_thread(carry):
            done += count
            errand.tell(Phase.FETCHING, done, total)
