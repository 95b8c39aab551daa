"""What every command begins with: the user's folders, settings and log."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.cli import show

if TYPE_CHECKING:
    from companion.app.paths import Paths
    from companion.settings.schema import Settings


class House(NamedTuple):
    paths: Paths
    settings: Settings


def opened() -> House:
    """The folders made, the settings read, the log started. Faults of the settings are told, and do not stop us.

    Raises:
        StorageError: the folders cannot be made.
    """
    from companion.app.log import start_log
    from companion.app.paths import Paths
    from companion.errors import StorageError, reason_of
    from companion.settings.store import SettingsStore

    paths = Paths.here()
    try:
        paths.prepare()
        start_log(paths.log_file)
        loaded = SettingsStore(paths.settings_file).load()
        start_log(paths.log_file, level=loaded.settings.log.level, private_text=loaded.settings.log.private_text)
    except OSError as error:
        raise StorageError(
            f"{error.filename or paths.data} cannot be used: {reason_of(error)}",
            file=str(error.filename or paths.data),
            mend="Allow your user to write there, or name another folder in COMPANION_HOME.",
        ) from error
    for problem in loaded.problems:
        show.warning(problem)
    return House(paths, loaded.settings)
