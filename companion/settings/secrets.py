"""Passwords and keys: in the system's keyring, or where there is none in a file only its owner can read.

A secret is never logged and never part of an error.
"""

from __future__ import annotations

import json
import logging
from pathlib import Path

import keyring
import keyring.backends.fail
from keyring.errors import KeyringError, PasswordDeleteError

from companion.errors import StorageError
from companion.settings.atomic import write_atomically

logger = logging.getLogger(__name__)

SERVICE = "companion"


class Secrets:
    """The user's secrets by name. ``file`` is used where the machine has no keyring that works."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def get(self, name: str) -> str | None:
        """The secret, or None where there is none of that name.

        Raises:
            StorageError: the file cannot be read.
        """
        if _has_keyring():
            try:
                secret = keyring.get_password(SERVICE, name)
            except KeyringError as error:
                logger.warning("the keyring does not answer (%s); looking into %s", type(error).__name__, self._file)
            else:
                if secret is not None:
                    return str(secret)
        return self._in_file().get(name)

    def set(self, name: str, secret: str) -> None:
        """Keep a secret.

        Raises:
            StorageError: the file cannot be written.
        """
        if _has_keyring():
            try:
                keyring.set_password(SERVICE, name, secret)
            except KeyringError as error:
                logger.warning("the keyring does not answer (%s); writing to %s", type(error).__name__, self._file)
            else:
                return
        self._write({**self._in_file(), name: secret})

    def remove(self, name: str) -> None:
        """Forget a secret, wherever it is kept.

        Raises:
            StorageError: the file cannot be written.
        """
        if _has_keyring():
            try:
                keyring.delete_password(SERVICE, name)
            except PasswordDeleteError:
                logger.debug("the keyring holds no %s", name)
            except KeyringError as error:
                logger.warning("the keyring does not answer (%s)", type(error).__name__)
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


def _has_keyring() -> bool:
    return not isinstance(keyring.get_keyring(), keyring.backends.fail.Keyring)
