"""Keys that a configuration names instead of holding them: ``$VARIABLE``, ``${VARIABLE}`` and ``keyring:NAME``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

KEYRING = "keyring:"
_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))")


@dataclass(frozen=True, slots=True)
class Missing:
    """A key that is named but not there."""

    reason: str
    mend: str


@dataclass(frozen=True, slots=True)
class Credentials:
    """Where keys are kept.

    environment: variables by name. secret: the secret of a name, or None; it may block.
    """

    environment: Mapping[str, str]
    secret: Callable[[str], str | None]

    def resolve(self, written: str) -> str | Missing:
        """The key that is meant. Only what begins with ``$`` or ``keyring:`` means another; the rest stays as it is.

        Raises:
            StorageError: the secrets cannot be read.
        """
        if written.startswith(KEYRING):
            return self._from_keyring(written.removeprefix(KEYRING))
        if written.startswith("$"):
            return self._from_environment(written)
        return written

    def _from_keyring(self, name: str) -> str | Missing:
        found = self.secret(name) if name else None
        return found or Missing(f"the keyring holds no {name!r}", "Put it there, or name a variable.")

    def _from_environment(self, written: str) -> str | Missing:
        names = [braced or plain for braced, plain in _VARIABLE.findall(written)]
        for name in names:
            if not self.environment.get(name):
                return Missing(f"the variable {name} is not set", "Set it before you start.")
        if not names:
            return Missing('"$" is followed by no name of a variable', "Write $NAME or ${NAME}.")
        return _VARIABLE.sub(lambda match: self.environment[match[1] or match[2]], written)
