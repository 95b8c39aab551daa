"""A provider: its addresses, how it wants its key, which dialects it speaks, and what it refuses."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from companion.dialects.urls import shown_url
from companion.errors import NotRegistered, SettingsError, Unsupported
from companion.model import JsonValue
from companion.providers.remote.exchange import host_of, is_this_machine

SYSTEM_ROLES = ("system", "developer")
"""What the protocols of OpenAI call those whom system texts come from."""


class KeyHeader(StrEnum):
    """The header that carries the key."""

    BEARER = "authorization"
    """``Authorization: Bearer ...`` (RFC 6750, section 2.1)."""
    X_API_KEY = "x-api-key"
    X_GOOG_API_KEY = "x-goog-api-key"

    def of(self, key: str) -> dict[str, str]:
        """The header that carries ``key``."""
        return {self.value: f"Bearer {key}" if self is KeyHeader.BEARER else key}


@dataclass(frozen=True, slots=True)
class Door:
    """One of the addresses at which a provider is asked.

    dialect: by name. base_url: without what the dialect adds.
    renames: fields of a body that have another name here. drops: fields that it does not know and nobody misses.
    refuses: fields it does not serve; a request that has one is not sent.
    has_schema: whether it holds an answer to a JSON schema.
    has_named_choice: whether one of several tools can be forced by its name.
    writes_calls: small models answer there, that write their calls into the text.
    system_role: who system texts among the messages come from; empty where the dialect shall say.
    """

    dialect: str
    base_url: str
    key_header: KeyHeader = KeyHeader.BEARER
    renames: Mapping[str, str] = field(default_factory=dict)
    drops: frozenset[str] = frozenset()
    refuses: frozenset[str] = frozenset()
    has_schema: bool = True
    has_named_choice: bool = True
    writes_calls: bool = False
    system_role: str = ""

    def fitted(self, body: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """``body`` as this one takes it.

        Raises:
            Unsupported: it holds a field that is not served.
        """
        if unserved := sorted(self.refuses & body.keys()):
            raise Unsupported(
                f"{host_of(self.base_url)} does not serve {', '.join(unserved)}", mend="Leave it out of the settings."
            )
        fitted = {self.renames.get(name, name): value for name, value in body.items() if name not in self.drops}
        for name in ("messages", "input") if self.system_role else ():
            if isinstance(said := fitted.get(name), list):
                fitted[name] = [_from(self.system_role, one) for one in said]
        return fitted


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A provider.

    name: by which the settings and the keyring know it. title: for people.
    doors: the first is the one that is taken when nobody asks for another.
    variables: of the environment, that may hold its key; the first one set counts.
    needs_key: whether it serves nobody without one.
    is_local: whether what it is sent stays on this machine.
    """

    name: str
    title: str
    doors: tuple[Door, ...]
    variables: tuple[str, ...] = ()
    needs_key: bool = True
    is_local: bool = False

    @property
    def door(self) -> Door:
        """The one in use."""
        return self.doors[0]

    def speaking(self, dialect: str) -> Endpoint:
        """The same provider, asked in ``dialect``; empty: as it is.

        Raises:
            NotRegistered: it does not speak that; ``mend`` names the nearest.
        """
        if not dialect:
            return self
        spoken = [door.dialect for door in self.doors]
        if dialect not in spoken:
            raise no_such(f"{self.title} is not asked in the dialect", dialect, spoken)
        first = self.doors[spoken.index(dialect)]
        return replace(self, doors=(first, *(door for door in self.doors if door is not first)))

    def at(self, base_url: str, *, is_local: bool | None = None) -> Endpoint:
        """The same kind of provider at another address; its other doors fall away.

        is_local: None where the address shall say: only this machine is.

        Raises:
            SettingsError: the address is no http or https URL.
        """
        door = replace(self.door, base_url=base_url)
        return replace(self, doors=(door,), is_local=_demand_url(base_url) if is_local is None else is_local)


def endpoint_at(base_url: str, dialect: str, *, name: str = "", is_local: bool | None = None) -> Endpoint:
    """A server that is in no table. name: empty for its host.

    is_local: None where the address shall say: only this machine is.

    Raises:
        SettingsError: the address is no http or https URL.
    """
    is_here = _demand_url(base_url)
    name = name or host_of(base_url)
    return Endpoint(
        name, name, (Door(dialect, base_url),), needs_key=False, is_local=is_here if is_local is None else is_local
    )


def _demand_url(base_url: str) -> bool:
    """Whether a good address is of this machine."""
    if not base_url.lower().startswith(("http://", "https://")) or not host_of(base_url):
        raise SettingsError(
            f"{host_of(base_url) or shown_url(base_url)!r} is no address of a provider",
            field="base_url",
            mend='Write it as "https://host/v1".',
        )
    return is_this_machine(base_url)


def no_such(what: str, name: str, names: list[str]) -> NotRegistered:
    """The error that there is no ``name`` among ``names``; ``mend`` names the nearest."""
    alike = difflib.get_close_matches(name.strip().lower(), names, n=1, cutoff=0.5)
    guess = f"did you mean {alike[0]}? " if alike else ""
    return NotRegistered(f"{what} {name!r}", name=name, mend=f"{guess}there are {', '.join(names)}")


def _from(role: str, message: JsonValue) -> JsonValue:
    """A message, from ``role`` where it is a system text."""
    is_system = isinstance(message, Mapping) and message.get("role") in SYSTEM_ROLES
    return {**message, "role": role} if is_system else message  # type: ignore[dict-item]
