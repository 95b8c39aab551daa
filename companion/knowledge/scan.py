"""Which files there are: a walk through the user's folders that neither leaves them nor loses itself in them.

Laws:

1. Links are never followed, and what is no plain file is never opened.
2. Hidden files and folders are passed over, as are files that no reader reads.
3. A folder that cannot be looked into is told; the files known in it are not taken for removed.
4. What lies beyond a limit is left out and told.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from companion.errors import reason_of
from companion.knowledge.limits import Limits
from companion.knowledge.readers import kind_of

CONTENT = "content.md"
"""The one file of a piece of knowledge, in a folder of its name."""


@dataclass(frozen=True, slots=True)
class Root:
    """A folder to look through. is_own: ours, with nothing in it but knowledge; else one that the user has named."""

    folder: Path
    is_own: bool = False


class FileKey(NamedTuple):
    """Which file: where it lies below its root."""

    root: Path
    path: str

    @property
    def file(self) -> Path:
        return self.root / self.path


class Seen(NamedTuple):
    """A file as the walk found it. mark: changes whenever the file does."""

    kind: str
    size: int
    device: int
    inode: int
    mark: str


@dataclass(slots=True)
class Scan:
    """What a walk has found. unreachable: folders that could not be looked into."""

    files: dict[FileKey, Seen] = field(default_factory=dict)
    unreachable: set[Path] = field(default_factory=set)
    problems: dict[Path, str] = field(default_factory=dict)

    def may_hide(self, key: FileKey) -> bool:
        """Whether the file may be there although it was not seen."""
        if not self.unreachable:
            return False
        return key.root in self.unreachable or any(folder in self.unreachable for folder in key.file.parents)


def mark_of(stat: os.stat_result) -> str:
    return f"{stat.st_size}:{stat.st_mtime_ns}:{stat.st_ctime_ns}:{stat.st_ino}"


def scan(roots: tuple[Root, ...], limits: Limits) -> Scan:
    """Look through ``roots``, one after the other. Blocks."""
    found = Scan()
    for root in roots:
        _Walk(root, limits, found).run()
    return found


def seen_at(key: FileKey) -> Seen:
    """What a walk would see of one file; of one that is not there, what it never can be. Blocks."""
    try:
        stat = key.file.stat(follow_symlinks=False)
    except OSError:
        return Seen(kind_of(key.path), 0, 0, 0, "")
    return _seen(key.file.name, stat)


def _seen(name: str, stat: os.stat_result) -> Seen:
    return Seen(kind_of(name), stat.st_size, stat.st_dev, stat.st_ino, mark_of(stat))


class _Walk:
    def __init__(self, root: Root, limits: Limits, found: Scan) -> None:
        self._root = root
        self._limits = limits
        self._found = found
        self._prefix = len(os.path.join(root.folder, ""))  # noqa: PTH118 - with the sign behind it
        self._files = 0
        self._looked_at = 0
        self._is_full = False

    def run(self) -> None:
        waiting = [(self._root.folder, 0)]
        while waiting and not self._is_full:
            folder, depth = waiting.pop()
            inner = [Path(entry.path) for entry in self._entries(folder) if self._is_folder(entry, depth)]
            waiting += [(each, depth + 1) for each in reversed(inner)]

    def _entries(self, folder: Path) -> Iterator[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as listing:
                entries = sorted(self._counted(listing), key=lambda entry: entry.name)
        except (FileNotFoundError, NotADirectoryError):
            if folder == self._root.folder and not self._root.is_own:
                self._tell(folder, "there is no such folder")
            return
        except OSError as error:
            self._found.unreachable.add(folder)
            self._tell(folder, f"it cannot be looked into: {reason_of(error)}")
            return
        yield from entries

    def _counted(self, listing: Iterator[os.DirEntry[str]]) -> Iterator[os.DirEntry[str]]:
        for entry in listing:
            self._looked_at += 1
            if self._looked_at > self._limits.looked_at:
                self._fill(f"it holds more than {self._limits.looked_at:,} entries; the rest is left out")
                return
            if not entry.name.startswith("."):
                yield entry

    def _is_folder(self, entry: os.DirEntry[str], depth: int) -> bool:
        """Take ``entry`` if it is a file; say whether it is a folder to look into."""
        try:
            if entry.is_symlink():
                if kind_of(entry.name):
                    self._tell(Path(entry.path), "it is a link, and links are not followed")
                return False
            if entry.is_dir(follow_symlinks=False):
                return self._may_enter(Path(entry.path), depth)
            if entry.is_file(follow_symlinks=False):
                self._take(entry, depth)
        except OSError as error:
            self._tell(Path(entry.path), f"it cannot be looked at: {reason_of(error)}")
        return False

    def _may_enter(self, folder: Path, depth: int) -> bool:
        if self._root.is_own:
            return depth == 0
        if depth >= self._limits.depth:
            self._tell(folder, f"it lies more than {self._limits.depth} folders deep and is left out")
            return False
        return True

    def _take(self, entry: os.DirEntry[str], depth: int) -> None:
        is_wanted = depth == 1 and entry.name == CONTENT if self._root.is_own else bool(kind_of(entry.name))
        if not is_wanted:
            return
        if self._files >= self._limits.files:
            self._fill(f"it holds more than {self._limits.files:,} files; the rest is left out")
            return
        self._files += 1
        key = FileKey(self._root.folder, entry.path[self._prefix :])
        # On Windows a listing does not have the number of the file.
        stat = Path(entry.path).stat(follow_symlinks=False) if os.name == "nt" else entry.stat(follow_symlinks=False)
        self._found.files[key] = _seen(entry.name, stat)

    def _fill(self, problem: str) -> None:
        self._is_full = True
        self._tell(self._root.folder, problem)

    def _tell(self, place: Path, problem: str) -> None:
        if len(self._found.problems) < self._limits.files:
            self._found.problems[place] = problem
