"""Keys of providers: from the keyring (or its file on machines without one), else from the environment.

A key is fetched when it is first needed, never kept in settings, never logged and never part of an error.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping

from companion.errors import MissingKey
from companion.providers.remote.endpoint import Endpoint
from companion.stream.threads import finish_in_thread

Key = Callable[[], str]
"""Fetches a key; empty where none is needed and there is none. May block: it may ask the keyring.

It raises MissingKey where one is needed.
"""


def entry_of(endpoint: Endpoint) -> str:
    """The name of its entry in the keyring."""
    return f"provider/{endpoint.name}"


def no_key() -> str:
    """The key of a server that asks for none."""
    return ""


def is_key(text: str) -> bool:
    """Whether a header can carry it; an empty one is no key, but does no harm."""
    return text.isascii() and text.isprintable() and " " not in text


class Keys:
    """Finds keys.

    secret: fetches a secret by its name, as ``Secrets.get`` does.
    environment: None for that of this process.
    """

    def __init__(self, secret: Callable[[str], str | None], *, environment: Mapping[str, str] | None = None) -> None:
        self._secret = secret
        self._environment = os.environ if environment is None else environment

    def of(self, endpoint: Endpoint, *, setting: str = "") -> Key:
        """A way to fetch the key of ``endpoint``. setting: that asks for this provider, named where the key is missing.

        The way raises:
            MissingKey: there is none, or it holds what no key holds. Nothing was sent.
            StorageError: the file of secrets cannot be read.
        """
        return lambda: self._fetch(endpoint, setting)

    def _fetch(self, endpoint: Endpoint, setting: str) -> str:
        found = self._secret(entry_of(endpoint)) or next(
            (key for name in endpoint.variables if (key := self._environment.get(name))), ""
        )
        key = found.strip()
        if not key and endpoint.needs_key:
            raise _missing(f"there is no key for {endpoint.title}", endpoint, setting)
        if not is_key(key):
            raise _missing(f"the key for {endpoint.title} holds letters that no key has", endpoint, setting)
        return key


class HeldKey:
    """A key that was fetched stays at hand until it is refused: the user may give another one meanwhile."""

    def __init__(self, fetch: Key) -> None:
        self._fetch = fetch
        self._held: str | None = None
        self._fetching = asyncio.Lock()

    async def get(self) -> str:
        """The key. Raises as the way to fetch it, and MissingKey where no header can carry what that found."""
        async with self._fetching:
            held = self._held
            if held is None:
                held = await finish_in_thread(self._fetch)
                if not is_key(held):
                    raise MissingKey("the key of a provider holds letters that no key has", mend="Set the key again.")
                self._held = held
            return held

    def drop(self, key: str) -> None:
        """``key`` was refused. Another that was fetched meanwhile stays."""
        if self._held == key:
            self._held = None


def _missing(what: str, endpoint: Endpoint, setting: str) -> MissingKey:
    wanted = f" (the setting {setting} asks for it)" if setting else ""
    places = f"Type: companion key set {endpoint.name} (it is kept in the keyring as {entry_of(endpoint)})"
    variables = " or ".join(endpoint.variables)
    return MissingKey(f"{what}{wanted}", mend=f"{places}, or set {variables}." if variables else f"{places}.")
