"""The log: a few rotating files in the user's log folder, without private text.

A record that holds what was said, heard or remembered is logged by ``private``, which marks it; it is
dropped unless the user turned ``log.private_text`` on.
"""

from __future__ import annotations

import logging
import os
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

MAX_BYTES = 1_000_000
KEPT_FILES = 3

PRIVATE = "private: "
"""Before what belongs to the user."""

_FORMAT = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"


class OwnerOnlyFile(RotatingFileHandler):
    """A rotating log that only its owner can read."""

    def _open(self) -> TextIOWrapper:
        return open(self.baseFilename, "a", encoding="utf-8", errors="backslashreplace", opener=_for_owner)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """A log that cannot be written (a full disk) is lost in silence: the terminal is for what matters."""

    def close(self) -> None:
        """Let the file go; on a full disk without its last lines."""
        try:
            super().close()
        except OSError:
            logging.Handler.close(self)


def _for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


class KeepPrivate(logging.Filter):
    """Drops records marked private unless they are allowed."""

    def __init__(self, *, allowed: bool) -> None:
        super().__init__()
        self._allowed = allowed

    def filter(self, record: logging.LogRecord) -> bool:
        return self._allowed or not getattr(record, "private", False)


def private(logger: logging.Logger, message: str, *values: object) -> None:
    """Log words that belong to the user, if the user has allowed it: on one line, and marked, so that they can be
    taken out again.
    """
    words = [" ".join(str(value).split()) for value in values]
    logger.info(f"{PRIVATE}{message}", *words, extra={"private": True})


def start_log(file: Path, *, level: str = "info", private_text: bool = False) -> logging.Handler:
    """Send our log, and the warnings of libraries, to ``file``; replaces what an earlier call set up.

    level: debug, info, warning or error.

    Raises:
        OSError: the file cannot be opened.
    """
    stop_log()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handler = OwnerOnlyFile(file, maxBytes=MAX_BYTES, backupCount=KEPT_FILES)
    handler.setFormatter(logging.Formatter(_FORMAT))
    handler.addFilter(KeepPrivate(allowed=private_text))
    logging.getLogger().addHandler(handler)
    logging.getLogger("companion").setLevel(level.upper())
    return handler


def adopt_log(*, level: str, private_text: bool) -> None:
    """Write more or less into the log from now on, where there is one."""
    handlers = [handler for handler in logging.getLogger().handlers if isinstance(handler, OwnerOnlyFile)]
    for handler in handlers:
        handler.filters = [KeepPrivate(allowed=private_text)]
        logging.getLogger("companion").setLevel(level.upper())


def log_stream() -> TextIOWrapper | None:
    """The open log file, for what the standard library writes by itself; None where there is no log."""
    streams = [handler.stream for handler in logging.getLogger().handlers if isinstance(handler, OwnerOnlyFile)]
    return streams[0] if streams else None


def stop_log() -> None:
    """Close what ``start_log`` opened."""
    root = logging.getLogger()
    for handler in [handler for handler in root.handlers if isinstance(handler, OwnerOnlyFile)]:
        root.removeHandler(handler)
        handler.close()
