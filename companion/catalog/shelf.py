"""The shelf: one folder for each model, and nothing in it is used before its checksum was seen to be right.

::

    models/
    +- whisper-base/          appears at once, whole, when everything in it has been proved
    |  +- model.bin ...
    |  +- .verified           what was proved, see ``proof``
    +- .pull/                 the workshop of ``pull``
       +- whisper-base.lock
       +- whisper-base/       what has arrived so far; a later pull goes on from here
"""

from __future__ import annotations

import contextlib
import difflib
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.catalog.lock import held_at_once
from companion.catalog.manifest import Manifest, ModelFile
from companion.catalog.proof import Proofs, Verdict, sizes_fit
from companion.catalog.room import shelf_writes
from companion.catalog.sizes import in_words
from companion.errors import ChecksumMismatch, ModelMissing, UnknownModel

WORKSHOP = ".pull"


@dataclass(frozen=True, slots=True)
class FileReport:
    """One file of a model, as found."""

    file: ModelFile
    verdict: Verdict


class Shelf:
    """The models of this user. Nothing is created by building one."""

    def __init__(self, root: Path, manifests: Mapping[str, Manifest]) -> None:
        self.root = root
        self.manifests = manifests

    def manifest(self, name: str) -> Manifest:
        """The manifest of that name.

        Raises:
            UnknownModel: there is none.
        """
        if name in self.manifests:
            return self.manifests[name]
        alike = difflib.get_close_matches(name, self.manifests, n=1)
        guess = f"Did you mean {alike[0]}? " if alike else ""
        raise UnknownModel(f"there is no model {name!r}", mend=f"{guess}See `companion models list`.")

    def place(self, name: str) -> Path:
        """Where the model's folder is or would be.

        Raises:
            UnknownModel: no manifest has that name; so no name leads out of the shelf.
        """
        return self.root / self.manifest(name).name

    def workplace(self, name: str) -> Path:
        """Where what has arrived of a model is kept until it is whole."""
        return self.root / WORKSHOP / self.manifest(name).name

    def lock(self, name: str) -> Path:
        """The file whose lock means: working on this model."""
        return self.root / WORKSHOP / f"{self.manifest(name).name}.lock"

    def has(self, name: str) -> bool:
        """Whether every file is there with its size. Quick: nothing is read, so nothing is proved."""
        return sizes_fit(self.place(name), self.manifest(name))

    def names(self) -> tuple[str, ...]:
        """The models it has."""
        return tuple(name for name in self.manifests if self.has(name))

    def present(self) -> tuple[str, ...]:
        """The models of which there is anything, whole or not."""
        return tuple(name for name in self.manifests if self.place(name).exists())

    def folder(self, name: str) -> Path:
        """The folder of a whole model. Quick, except after files were put there by hand: then they are read once.

        Raises:
            ModelMissing: a file is not there; the message names every one that is missing.
            ChecksumMismatch: a file is cut short, or its bytes are not the ones the manifest vouches for.
            UnknownModel: no manifest has that name.
        """
        reports = self._judge(name, Proofs(self.place(name)))
        missing = [report.file for report in reports if report.verdict is Verdict.MISSING]
        if missing:
            raise ModelMissing(missing_in_words(name, missing), mend=bring_in_words([name]))
        for report in reports:
            if report.verdict is not Verdict.GOOD:
                raise ChecksumMismatch(
                    f"{self.place(name) / report.file.name}: {report.verdict}, so it is not used",
                    mend=bring_in_words([name]),
                )
        return self.place(name)

    def verify(self, name: str) -> tuple[FileReport, ...]:
        """Read every file again and compare. Slow on purpose.

        Raises:
            UnknownModel: no manifest has that name.
        """
        proofs = Proofs(self.place(name))
        proofs.forget()
        return self._judge(name, proofs)

    def remove(self, name: str) -> int:
        """Take a model off the shelf, with what a pull left unfinished. Returns the bytes that were set free.

        Raises:
            UnknownModel: no manifest has that name.
            ShelfError: a pull is working on it, or the folder cannot be removed.
        """
        place, workplace = self.place(name), self.workplace(name)
        if not place.is_symlink() and not place.exists() and not workplace.exists():
            return 0
        with shelf_writes(self.root, full_passes=False), held_at_once(self.lock(name)):
            freed = sum(size_of(folder) for folder in (place, workplace))
            clear(workplace)
            # Out of sight first: a model that is half removed must not look like one.
            if place.is_symlink():
                place.unlink()
            elif place.exists():
                clear(place.rename(_graveyard(workplace)))
            return freed

    def _judge(self, name: str, proofs: Proofs) -> tuple[FileReport, ...]:
        reports = tuple(FileReport(file, proofs.judge(file)) for file in self.manifest(name).files)
        proofs.save()
        return reports


def missing_in_words(name: str, files: Sequence[ModelFile]) -> str:
    """Which files of a model are missing, how large they are, and how their checksums begin."""
    each = ", ".join(f"{file.name} ({in_words(file.bytes)}, sha256 {file.sha256[:12]})" for file in files)
    return f"{name} is not on the shelf; missing: {each}"


def wrong_in_words(reports: Sequence[FileReport]) -> str:
    """What is wrong with the files of a model, as "missing: config.json, model.bin"; empty where nothing is."""
    bad = [verdict for verdict in Verdict if verdict is not Verdict.GOOD]
    named = {verdict: [one.file.name for one in reports if one.verdict is verdict] for verdict in bad}
    return "; ".join(f"{verdict}: {', '.join(names)}" for verdict, names in named.items() if names)


def bring_in_words(names: Sequence[str]) -> str:
    """How to get models, with and without a network."""
    return (
        f"Run `companion models pull {' '.join(names)}`. Without a network: run it with `--to /media/stick` on a "
        "machine that has one, then with `--from /media/stick` here."
    )


def swap_in(workplace: Path, place: Path) -> None:
    """Put a finished folder in its place at once, and what was there aside and away."""
    grave = _graveyard(workplace)
    clear(grave)
    with contextlib.suppress(FileNotFoundError):
        place.rename(grave)
    workplace.rename(place)
    clear(grave)


def clear(folder: Path) -> None:
    """Remove a folder and what is in it; links are removed, not followed."""
    if folder.is_symlink() or folder.is_file():
        folder.unlink()
    elif folder.exists():
        shutil.rmtree(folder)


def size_of(folder: Path) -> int:
    """Bytes in a folder; a link counts for nothing, since what it points at stays."""
    if folder.is_symlink() or not folder.is_dir():
        return 0
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def _graveyard(workplace: Path) -> Path:
    return workplace.with_name(workplace.name + ".old")
