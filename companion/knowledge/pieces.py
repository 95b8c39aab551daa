"""The pieces of knowledge on disk: a folder of its name for each, with one file in it. Blocking work."""

from __future__ import annotations

import os
from pathlib import Path

from companion.errors import BadInput, BadName, KnowledgeExists, StorageError, reason_of
from companion.knowledge.names import safe_name
from companion.knowledge.scan import CONTENT
from companion.settings.atomic import write_atomically

LONGEST_CONTENT = 1_000_000
"""Characters of one piece."""
MOST_PIECES = 10_000


class Pieces:
    """The pieces in a folder. Names come from models and people: none can lead out of the folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, name: str, content: str, *, replace: bool) -> Path:
        """Keep a piece; it is on the disk when this returns.

        Raises:
            BadName: this cannot be its name.
            BadInput: it is empty or too long.
            KnowledgeExists: there is another one of that name, and it shall not be replaced.
            StorageError: the disk does not let us; what was there is as it was.
        """
        file = self._file(safe_name(name))
        _check(content)
        if self._is_led_away(file):
            raise BadName("this name leads out of the folder of knowledge", name=name, mend="Choose another name.")
        try:
            before = file.read_bytes() if file.exists() else None
        except OSError as error:
            raise _trouble(file, "read", error) from error
        if before == content.encode():
            return file
        if before is not None and not replace:
            raise KnowledgeExists(
                f'there is knowledge called "{file.parent.name}" already', name=name, mend="Choose another name."
            )
        if before is None and len(self.names()) >= MOST_PIECES:
            raise BadInput(f"there are {MOST_PIECES:,} pieces of knowledge already", mend="Remove some.")
        write_atomically(file, content)
        return file

    def remove(self, name: str) -> Path | None:
        """Remove a piece, if there is one; the file that went.

        Raises:
            StorageError: the disk does not let us.
        """
        try:
            file = self._file(safe_name(name))
        except BadName:
            return None
        if self._is_led_away(file) or not file.exists():
            return None
        try:
            file.unlink()
            if not any(file.parent.iterdir()):
                file.parent.rmdir()
        except OSError as error:
            raise _trouble(file, "removed", error) from error
        return file

    def names(self) -> list[str]:
        """The names there are, in order.

        Raises:
            StorageError: the folder cannot be read.
        """
        try:
            with os.scandir(self.folder) as entries:
                names = [entry.name for entry in entries if _is_piece(entry)]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise _trouble(self.folder, "read", error) from error
        return sorted(names)

    def _file(self, name: str) -> Path:
        return self.folder / name / CONTENT

    def _is_led_away(self, file: Path) -> bool:
        return file.is_symlink() or file.parent.is_symlink()


def _is_piece(entry: os.DirEntry[str]) -> bool:
    is_folder = entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")
    file = Path(entry.path) / CONTENT
    return is_folder and file.is_file() and not file.is_symlink()


def _check(content: str) -> None:
    if not content.strip():
        raise BadInput("there is nothing to keep", mend="Say what shall be known.")
    if len(content) > LONGEST_CONTENT:
        raise BadInput(f"this is longer than {LONGEST_CONTENT:,} characters", mend="Split it into several pieces.")
    try:
        content.encode()
    except UnicodeError as error:
        raise BadInput("this is no text that can be written", mend="Leave out broken characters.") from error


def _trouble(file: Path, what: str, error: OSError) -> StorageError:
    return StorageError(
        f"{file} could not be {what}: {reason_of(error)}", file=str(file), mend="Allow reading and writing there."
    )
