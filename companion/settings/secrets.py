"""Passwords and keys: in the system's keyring, or where there is none in a file only its owner can read.

A secret is never logged and never part of an error.
"""

from __future__ import annotations

import json
import logging
from pathlib import Path

from companion.errors import StorageError
from companion.settings.atomic import write_atomically
from companion.settings.ring import RING, RingRefused

logger = logging.getLogger(__name__)


class Secrets:
    """The user's secrets by name. ``file`` is used where the machine has no keyring that works."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def get(self, name: str) -> str | None:
        """The secret, or None where there is none of that name.

        Raises:
            StorageError: the file cannot be read, or the keyring hangs and the file does not hold it.
        """
        try:
            secret = RING.get(name)
        except RingRefused as error:
            logger.debug("%s; looking into %s", error, self._file)
            secret = None
        except StorageError:
            held = self._in_file().get(name)
            if held is None:
                raise
            return held
        return self._in_file().get(name) if secret is None else secret

    def set(self, name: str, secret: str) -> None:
        """Keep a secret.

        Raises:
            StorageError: the file cannot be written, or the keyring hangs: nobody asked for a file then.
        """
        try:
            RING.set(name, secret)
        except RingRefused as error:
            logger.info("%s; writing to %s", error, self._file)
            self._write({**self._in_file(), name: secret})

    def remove(self, name: str) -> None:
        """Forget a secret, wherever it is kept.

        Raises:
            StorageError: the file cannot be written, or the keyring hangs.
        """
        try:
            RING.remove(name)
        except RingRefused as error:
            logger.info("%s", error)
        kept = self._in_file()
        if kept.pop(name, None) is not None:
            self._write(kept)

    def _in_file(self) -> dict[str, str]:
        try:
            held = json.loads(self._file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            # Without the error's text: a JSON error may quote the secret it stumbled over.
            raise StorageError(
                f"{self._file} cannot be read", file=str(self._file), mend="Allow your user to read it, or remove it."
            ) from (error if isinstance(error, OSError) else None)
        return {str(name): str(secret) for name, secret in held.items()} if isinstance(held, dict) else {}

    def _write(self, secrets: dict[str, str]) -> None:
        if self._file.exists():
            self._file.chmod(0o600)
        write_atomically(self._file, json.dumps(secrets, indent=2) + "\n")
