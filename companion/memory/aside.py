"""Setting a damaged file aside, so that nothing of it is lost and a good one can take its place."""

from __future__ import annotations

from pathlib import Path

from companion.errors import StorageError, reason_of

DAMAGED = ".damaged"
_MOST = 1_000


def set_aside(file: Path) -> Path:
    """Give ``file`` a name that says that it is damaged, its own name kept in it; the new name.

    Raises:
        StorageError: the folder does not let us.
    """
    names = (file.with_name(f"{file.name}{DAMAGED}{number or ''}") for number in range(_MOST))
    fresh = next((name for name in names if not name.exists()), file.with_name(f"{file.name}{DAMAGED}"))
    try:
        return file.replace(fresh)
    except OSError as error:
        raise StorageError(
            f"{file} is damaged and could not be set aside: {reason_of(error)}",
            file=str(file),
            mend="Allow writing in its folder, or move the file away.",
        ) from error
