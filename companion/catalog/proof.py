"""What proves a file: its SHA-256. And a memory of what was proved, so that a start need not read gigabytes.

The memory is ``.verified`` in the model's folder: size, modification time and inode of each file at
the moment it was hashed. A file that was replaced, cut or copied elsewhere no longer fits its line and
is hashed again. It finds decay and accidents; it is no defence against someone who can write the shelf.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import logging
import os
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

from companion.catalog.manifest import Manifest, ModelFile

RECORD = ".verified"
SLICE = 4 << 20
"""Bytes hashed at a time: short enough to be interrupted, long enough to be quick."""

logger = logging.getLogger(__name__)


class Verdict(StrEnum):
    """How a file on the shelf compares with its manifest."""

    GOOD = "good"
    MISSING = "missing"
    WRONG_SIZE = "wrong size"
    WRONG_BYTES = "wrong bytes"
    UNREADABLE = "unreadable"


class Proofs:
    """The files of one folder that were hashed and found good."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known = _read(folder / RECORD)
        self._changed = False

    def judge(self, file: ModelFile) -> Verdict:
        """Compare by the memory where it fits, by hashing where it does not. Blocks while it hashes."""
        seen = self._glance(file)
        if isinstance(seen, Verdict):
            return seen
        try:
            found = sha256_of(self._folder / file.name)
        except OSError as error:
            return self._unreadable(file, error)
        return self._conclude(file, seen, found)

    async def examine(self, file: ModelFile, tell: Callable[[int], None]) -> Verdict:
        """``judge`` for the event loop; ``tell`` hears the bytes hashed so far."""
        seen = self._glance(file)
        if isinstance(seen, Verdict):
            return seen
        try:
            found = await hashed(self._folder / file.name, tell)
        except OSError as error:
            return self._unreadable(file, error)
        return self._conclude(file, seen, found)

    def remember(self, file: ModelFile) -> None:
        """Take a file for good that was hashed just now."""
        self._conclude(file, (self._folder / file.name).stat(), file.sha256)

    def forget(self) -> None:
        """Hash everything again from here on."""
        self._known = {}

    def save(self) -> None:
        """Write the memory down. On a shelf that cannot be written it is only worth a line in the log."""
        if not self._changed:
            return
        try:
            write_whole(self._folder / RECORD, json.dumps(self._known, indent=1).encode())
        except OSError as error:
            logger.info("cannot remember what was verified in %s: %s", self._folder, error)
        self._changed = False

    def _glance(self, file: ModelFile) -> Verdict | os.stat_result:
        """A verdict, where one is possible without reading; else what is to be remembered if reading agrees."""
        try:
            status = (self._folder / file.name).stat()
        except FileNotFoundError:
            return Verdict.MISSING
        except OSError as error:
            return self._unreadable(file, error)
        if status.st_size != file.bytes:
            return Verdict.WRONG_SIZE
        if self._known.get(file.name) == _fingerprint(file, status):
            return Verdict.GOOD
        return status

    def _conclude(self, file: ModelFile, seen: os.stat_result, found: str) -> Verdict:
        # "seen" is from before the reading: a file that changed meanwhile will not fit its line.
        if found != file.sha256:
            return Verdict.WRONG_BYTES
        self._known[file.name] = _fingerprint(file, seen)
        self._changed = True
        return Verdict.GOOD

    def _unreadable(self, file: ModelFile, error: OSError) -> Verdict:
        logger.warning("%s: %s", self._folder / file.name, error)
        return Verdict.UNREADABLE


def sizes_fit(folder: Path, manifest: Manifest) -> bool:
    """Whether every file is there with its size; nothing is read."""
    for file in manifest.files:
        try:
            if (folder / file.name).stat().st_size != file.bytes:
                return False
        except OSError:
            return False
    return True


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hex."""
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


async def hashed(path: Path, tell: Callable[[int], None]) -> str:
    """``sha256_of`` in slices, so that the loop stays free and a cancel is felt."""
    digest = hashlib.sha256()
    done = 0
    with path.open("rb") as opened:

        def take() -> int:
            piece = opened.read(SLICE)
            digest.update(piece)
            return len(piece)

        while count := await asyncio.to_thread(take):
            done += count
            tell(done)
    return digest.hexdigest()


def write_whole(path: Path, content: bytes) -> None:
    """Replace a small file so that it holds either the old or the new content, even after a power cut."""
    draft = path.with_name(path.name + ".new")
    with draft.open("wb") as opened:
        opened.write(content)
        opened.flush()
        os.fsync(opened.fileno())
    draft.replace(path)


def settle(file: Path) -> None:
    """Wait until a file is on the disk and not only in memory."""
    with file.open("r+b") as opened:
        os.fsync(opened.fileno())


def settle_folder(folder: Path) -> None:
    """The same for the names in a folder, where the file system can do that; the files of sticks often cannot."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _fingerprint(file: ModelFile, status: os.stat_result) -> list[object]:
    return [file.sha256, status.st_size, status.st_mtime_ns, status.st_ino]


def _read(path: Path) -> dict[str, list[object]]:
    """What was remembered; nothing, if the record is absent or damaged: then everything is hashed again."""
    try:
        known = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}
