"""What it means to be a source of model files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from companion.catalog.manifest import ModelFile
from companion.catalog.progress import Phase

Tell = Callable[[Phase, int, int], None]


@dataclass(frozen=True, slots=True)
class Errand:
    """One file to bring."""

    file: ModelFile
    part: Path
    """Where its bytes go. Somebody may have left the beginning of it here."""
    folder: Path
    """Where a source may keep things until the whole model has been brought."""
    tell: Tell


class Source(Protocol):
    """Brings files. It need not check them: the checksum is asked afterwards, whatever brought them."""

    @property
    def title(self) -> str:
        """What a person calls it."""

    def place(self, file: ModelFile) -> int | None:
        """Where it stands in the file's order of sources, the lowest first; None when it is none of them."""

    async def bring(self, errand: Errand) -> None:
        """Write the whole file to ``errand.part``.

        Raises:
            SourceUnreachable: it did not deliver; the part may stay for another try.
            DiskFull: it needs more room than there is.
            OSError: the part cannot be written.
        """

    async def close(self) -> None:
        """Let go of connections and child processes."""
