"""Which provider the settings mean for a step, with its address and its key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.errors import SettingsError
from companion.settings.schema import Cloud

if TYPE_CHECKING:
    from companion.providers.remote.endpoint import Endpoint
    from companion.providers.remote.keys import Key


@dataclass(frozen=True, slots=True)
class Services:
    """secret: fetches a secret by its name."""

    cloud: Cloud
    secret: Callable[[str], str | None]

    def of(self, setting: str, service: str) -> tuple[Endpoint, Key, str]:
        """A provider, its key, and the model it is asked for. setting: of the table "cloud", as "chat_model".

        Raises:
            SettingsError: the setting names none, or the address is no address.
            NotRegistered: there is no such provider.
        """
        from companion.providers.remote.endpoints import endpoint
        from companion.providers.remote.keys import Keys

        name, _, model = service.partition("/")
        if not model:
            raise SettingsError(
                f"cloud.{setting} names no provider and model",
                field=f"cloud.{setting}",
                mend=f"companion settings set cloud.{setting} PROVIDER/MODEL",
            )
        found = endpoint(name)
        key = Keys(self.secret).of(found, setting=f"cloud.{setting}")
        if self.cloud.address:
            self._demand_one_provider()
            found = found.at(self.cloud.address)
            key = _unless_in_the_clear(self.cloud.address, key)
        return found, key, model

    def _demand_one_provider(self) -> None:
        """Raises SettingsError where several providers would be asked at one address, which would see every key."""
        services = (
            (self.cloud.recogniser, self.cloud.recogniser_model),
            (self.cloud.language_model, self.cloud.chat_model),
            (self.cloud.voice, self.cloud.voice_model),
        )
        names = sorted({service.partition("/")[0] for policy, service in services if policy != "local" and service})
        if len(names) > 1:
            raise SettingsError(
                f"cloud.address is of one server, and {' and '.join(names)} would all be asked there",
                field="cloud.address",
                mend="Ask one provider for all steps, or leave cloud.address empty.",
            )


def _unless_in_the_clear(address: str, key: Key) -> Key:
    """``key``, which raises SettingsError where there is one, and everybody between here and there could read it."""
    from companion.providers.remote.exchange import is_this_machine

    def fetched() -> str:
        found = key()
        if found:
            raise SettingsError(
                "the key would go to cloud.address in the clear",
                field="cloud.address",
                mend="Begin the address with https://, or take a provider that needs no key there.",
            )
        return found

    return key if address.lower().startswith("https:") or is_this_machine(address) else fetched
