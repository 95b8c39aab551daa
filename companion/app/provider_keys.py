"""The providers there are, and whether each has a key."""

from __future__ import annotations

import os
from collections.abc import Callable

from companion.providers.remote.endpoint import Endpoint
from companion.providers.remote.endpoints import ENDPOINTS, endpoint
from companion.providers.remote.keys import entry_of


def entry_named(provider: str) -> str:
    """The name of a provider's entry in the keyring.

    Raises:
        NotRegistered: there is no such provider; ``mend`` names the nearest.
    """
    return entry_of(endpoint(provider))


def known(secret: Callable[[str], str | None]) -> dict[str, str]:
    """Every provider by name, and where its key is.

    Raises:
        StorageError: the secrets cannot be read.
    """
    return {one.name: _where(one, secret) for one in ENDPOINTS}


def _where(one: Endpoint, secret: Callable[[str], str | None]) -> str:
    if secret(entry_of(one)):
        return "key kept"
    named = next((name for name in one.variables if os.environ.get(name)), "")
    if named:
        return f"key in {named}"
    return "no key" if one.needs_key else "needs no key"
