"""Providers beside the models of this machine, for the steps for which the settings allow it.

With the default settings nothing of this is made, and no library for it is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from companion.app.ensemble import Ensemble
from companion.app.events import Problem, Served, Telling
from companion.app.gate import HEARING, SPEAKING, THINKING, Gate, Prices, open_ledger, price_of
from companion.app.mind import Thinker
from companion.app.paths import Paths
from companion.app.services import Services
from companion.compose.answered import Told
from companion.compose.fallback import Failover
from companion.compose.tokens import guessed
from companion.errors import CompanionError, SettingsError
from companion.model import ChatBackend, ModelContext
from companion.model.backends import backend_of
from companion.model.chat import ChatModel
from companion.providers.stand_in import Hears, Speaks, StandInRecogniser, StandInVoice
from companion.settings.schema import Cloud, Policy, Settings
from companion.settings.secrets import Secrets
from companion.stream import Transformer

if TYPE_CHECKING:
    from companion.providers.remote.endpoint import Endpoint
    from companion.providers.remote.keys import Key
    from companion.providers.remote.provider_link import ProviderLink

T = TypeVar("T")

CONNECT_SECONDS = 1.0
"""To reach a provider where this machine could answer: a network that is gone is noticed in that time."""
FAILURES = 1
"""After which a provider is left alone: somebody else is there to ask."""


def with_cloud(models: Ensemble, office: Office) -> Ensemble:
    """The same models, with providers beside them as the settings say. Whoever gets them closes them."""
    hear, think, speak = office.hear(models.hear), office.think(models.think), office.speak(models.speak)
    return replace(
        models,
        hear=hear,
        think=think,
        think_name=models.think_name or office.cloud.chat_model,
        speak=speak,
        # What is kept of a voice must not mix with another one's.
        voice_name=models.voice_name if speak is models.speak else "",
        closing=(*models.closing, office.close),
    )


@dataclass(frozen=True, slots=True)
class Office:
    """Puts providers beside the models of this machine. secret: fetches a secret by its name."""

    settings: Settings
    telling: Telling
    gate: Gate
    secret: Callable[[str], str | None]

    @classmethod
    def open(
        cls,
        settings: Settings,
        paths: Paths,
        telling: Telling,
        *,
        clock: Callable[[], datetime],
        secret: Callable[[str], str | None] | None = None,
    ) -> Office:
        """Make one.

        clock: local time. secret: None for the secrets of this user.

        Raises:
            StorageError: nobody can tell what was spent.
        """
        from companion.providers.remote.exchange import Deadlines

        cloud = settings.cloud
        deadlines = Deadlines(connect=CONNECT_SECONDS, first=cloud.slow_after)
        ledger = open_ledger(cloud, paths, clock)
        gate = Gate.open(cloud, telling, ledger, deadlines=deadlines, failures=FAILURES)
        return cls(settings, telling, gate, secret or Secrets(paths.secrets_file).get)

    @property
    def cloud(self) -> Cloud:
        return self.settings.cloud

    async def close(self) -> None:
        """Give back the connections."""
        await self.gate.close()

    # -- the three steps

    def hear(self, local: Transformer) -> Transformer:
        def beside(here: Transformer) -> Transformer:
            from companion.providers.paid import PaidRecogniser
            from companion.providers.remote.transcription import RemoteRecogniser

            line, model = self._line("recogniser_model", self.cloud.recogniser_model)
            remote = RemoteRecogniser(line, model, language=self.settings.general.language)
            till = self.gate.till(line.endpoint, HEARING, remote.name)
            paid = PaidRecogniser(remote, till, price=price_of(line.endpoint, self.cloud.minute_price))
            order = _ordered(self.cloud.recogniser, ("", _hears(here)), (remote.name, paid))
            return StandInRecogniser(order, patience=self.cloud.slow_after, on_served=self._served(HEARING))

        return self._or_local("recogniser", self.cloud.recogniser, local, beside)

    def think(self, local: Thinker | None) -> Thinker | None:
        def beside(here: Thinker | None) -> Thinker | None:
            remote = self._chat()
            backends: list[ChatBackend] = [remote]
            if here is not None:
                backends = _ordered(self.cloud.language_model, backend_of(here), remote)
            chain = Failover(backends, patience=self.cloud.slow_after, rounds=1)
            tell = self._served(THINKING)
            return _Thinking(Told(chain, lambda one: tell(one.name if one.name == remote.name else "")), here)

        return self._or_local("language model", self.cloud.language_model, local, beside)

    def speak(self, local: Transformer) -> Transformer:
        def beside(here: Transformer) -> Transformer:
            from companion.providers.paid import PaidVoice
            from companion.providers.remote.speech import RemoteSynthesiser

            line, model = self._line("voice_model", self.cloud.voice_model)
            language = self.settings.general.language
            remote = RemoteSynthesiser(line, model, {language: self.cloud.voice_name}, speed=self.settings.models.speed)
            till = self.gate.till(line.endpoint, SPEAKING, remote.name)
            paid = PaidVoice(remote, till, price=price_of(line.endpoint, self.cloud.speech_price))
            slow_after, served = self.cloud.slow_after, self._served(SPEAKING)
            if not isinstance(here, Speaks):
                # There is no voice of this machine; what the provider cannot say can still be read.
                return StandInVoice(
                    [(remote.name, paid)], patience=slow_after, on_served=served, on_nobody=self._unspoken
                )
            order = _ordered(self.cloud.voice, ("", here), (remote.name, paid))
            return StandInVoice(order, patience=slow_after, on_served=served)

        return self._or_local("voice", self.cloud.voice, local, beside)

    # -- what they share

    def _or_local(self, step: str, policy: Policy, local: T, beside: Callable[[T], T]) -> T:
        """What is beside the local model, or that alone where nothing else is allowed or can be set up."""
        if policy == "local":
            return local
        try:
            return beside(local)
        except CompanionError as fault:
            self.telling.tell(Problem(f"cloud {step}", str(fault), fault.mend))
            return local

    def _chat(self) -> ChatBackend:
        found, key, model = self._service("chat_model", self.cloud.chat_model)
        return self.gate.paid(self.gate.chat(found, model, key), found, Prices.of(self.cloud))

    def _line(self, setting: str, service: str) -> tuple[ProviderLink, str]:
        """The way to a provider, and the model it is asked for. Raises as ``_service``."""
        found, key, model = self._service(setting, service)
        return self.gate.line(found, key), model

    def _service(self, setting: str, service: str) -> tuple[Endpoint, Key, str]:
        """A provider, its key, and the model it is asked for. Raises as ``Services.of``."""
        return Services(self.cloud, self.secret).of(setting, service)

    def _unspoken(self, fault: Exception) -> None:
        mend = fault.mend if isinstance(fault, CompanionError) else ""
        self.telling.tell(Problem("cloud voice", str(fault), mend))

    def _served(self, step: str) -> Callable[[str], None]:
        return lambda name: self.telling.tell(Served(step, name))


class _Thinking(ChatModel):
    """A Thinker over several: reading ahead and counting are the local model's."""

    def __init__(self, backend: ChatBackend, local: Thinker | None) -> None:
        super().__init__(backend)
        self._local = local

    def count_tokens(self, text: str) -> int:
        return self._local.count_tokens(text) if self._local else guessed(text)

    async def warm(self, context: ModelContext) -> None:
        """Raises as the local model does."""
        if self._local is not None:
            await self._local.warm(context)


def _ordered(policy: Policy, local: T, remote: T) -> list[T]:
    return [remote, local] if policy == "cloud_first" else [local, remote]


def _hears(local: Transformer) -> Hears:
    if not isinstance(local, Hears):
        raise SettingsError("the recogniser of this machine hears no recordings", field="cloud.recogniser")
    return local
