"""Providers beside the models of this machine, for the steps for which the settings allow it.

With the default settings nothing of this is made, and no library for it is imported.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from companion.app.ensemble import Ensemble
from companion.app.events import Problem, Served, Telling, WentOut
from companion.app.mind import Thinker
from companion.app.paths import Paths
from companion.compose.answered import Told
from companion.compose.breaker import Breaker, Circuit
from companion.compose.fallback import Failover
from companion.compose.ledger import Ledger
from companion.compose.metered import Metered, Price
from companion.errors import CompanionError, SettingsError
from companion.model import ChatBackend, ModelContext
from companion.model.backends import backend_of
from companion.model.chat import ChatModel
from companion.providers.stand_in import Hears, Speaks, StandInRecogniser, StandInVoice
from companion.settings.schema import Cloud, Policy, Settings
from companion.settings.secrets import Secrets
from companion.stream import Blob, Text, Transformer

if TYPE_CHECKING:
    from companion.providers.paid import Till
    from companion.providers.remote.ask import Line
    from companion.providers.remote.endpoints import Endpoint
    from companion.providers.remote.http import Http
    from companion.providers.remote.sent import Sent

T = TypeVar("T")

CONNECT_SECONDS = 1.0
"""To reach a provider where this machine could answer: a network that is gone is noticed in that time."""
ALONE_SECONDS = 30.0
"""For which a provider that failed is left alone."""
HEARING, THINKING, SPEAKING = "recogniser", "language model", "voice"
_BYTES_PER_TOKEN = 3


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
    """Where everything that goes out passes: keys, budget, deadlines, and whom to tell.

    secret: fetches a secret by its name.
    """

    settings: Settings
    telling: Telling
    http: Http
    ledger: Ledger
    secret: Callable[[str], str | None]
    circuits: dict[str, Circuit]

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
        ledger = Ledger(paths.spent, budget=settings.cloud.monthly_budget, clock=clock)
        return cls(settings, telling, _http(settings.cloud), ledger, secret or Secrets(paths.secrets_file).get, {})

    @property
    def cloud(self) -> Cloud:
        return self.settings.cloud

    async def close(self) -> None:
        """Give back the connections."""
        await self.http.close()

    # -- the three steps

    def hear(self, local: Transformer) -> Transformer:
        def beside(here: Transformer) -> Transformer:
            from companion.providers.paid import PaidRecogniser
            from companion.providers.remote.transcription import RemoteRecogniser

            line, model = self._line("recogniser_model", self.cloud.recogniser_model)
            remote = RemoteRecogniser(line, model, language=self.settings.general.language)
            till = self._till(line.endpoint, HEARING, remote.name)
            paid = PaidRecogniser(remote, till, price=_price(line.endpoint, self.cloud.minute_price))
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
            till = self._till(line.endpoint, SPEAKING, remote.name)
            paid = PaidVoice(remote, till, price=_price(line.endpoint, self.cloud.speech_price))
            order = _ordered(self.cloud.voice, ("", _speaks(here)), (remote.name, paid))
            return StandInVoice(order, patience=self.cloud.slow_after, on_served=self._served(SPEAKING))

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
        from companion.providers.remote.chat import RemoteChat

        line, model = self._line("chat_model", self.cloud.chat_model)
        remote = RemoteChat(line.endpoint, model, self.http, key=line.key, watch=self._went_out)
        guarded = Breaker(remote, self._circuit(line.endpoint))
        if line.endpoint.is_local:
            return guarded
        price = Price(self.cloud.read_price, self.cloud.write_price)
        return Metered(guarded, self.ledger, price, most_tokens=self.cloud.call_tokens, stage=THINKING)

    def _line(self, setting: str, service: str) -> tuple[Line, str]:
        """The way to a provider, and the model it is asked for.

        Raises:
            SettingsError: the setting names none, or the address is no address.
            NotRegistered: there is no such provider.
        """
        from companion.providers.remote.ask import Line
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
        if self.cloud.address:
            found = found.at(self.cloud.address)
        key = Keys(self.secret).of(found, setting=f"cloud.{setting}")
        return Line(found, self.http, key, on_sent=self._went_out), model

    def _till(self, endpoint: Endpoint, step: str, name: str) -> Till:
        from companion.providers.paid import Till

        return Till(self.ledger, self._circuit(endpoint), f"{step}: {name}")

    def _circuit(self, endpoint: Endpoint) -> Circuit:
        fresh = Circuit(endpoint.title, threshold=1, cooldown=ALONE_SECONDS)
        return self.circuits.setdefault(endpoint.name, fresh)

    def _served(self, step: str) -> Callable[[str], None]:
        return lambda name: self.telling.tell(Served(step, name))

    def _went_out(self, sent: Sent) -> None:
        if not sent.is_local:
            self.telling.tell(WentOut(sent.provider, sent.host, sent.bytes, tuple(sorted(sent.kinds))))


class _Thinking(ChatModel):
    """A Thinker over several: reading ahead and counting are the local model's."""

    def __init__(self, backend: ChatBackend, local: Thinker | None) -> None:
        super().__init__(backend)
        self._local = local

    def count_tokens(self, text: str) -> int:
        return self._local.count_tokens(text) if self._local else len(text.encode()) // _BYTES_PER_TOKEN + 1

    async def warm(self, context: ModelContext) -> None:
        """Raises as the local model does."""
        if self._local is not None:
            await self._local.warm(context)


def _http(cloud: Cloud) -> Http:
    from companion.providers.remote.exchange import Deadlines
    from companion.providers.remote.http import Http, HttpOptions

    deadlines = Deadlines(connect=CONNECT_SECONDS, first=cloud.slow_after)
    ca_file = Path(cloud.ca_file).expanduser() if cloud.ca_file else None
    return Http(HttpOptions(deadlines, proxy=cloud.proxy, ca_file=ca_file))


def _ordered(policy: Policy, local: T, remote: T) -> list[T]:
    return [remote, local] if policy == "cloud_first" else [local, remote]


def _price(endpoint: Endpoint, price: float) -> float:
    """What runs on this machine costs nothing."""
    return 0.0 if endpoint.is_local else price


def _hears(local: Transformer) -> Hears:
    if not isinstance(local, Hears):
        raise SettingsError("the recogniser of this machine hears no recordings", field="cloud.recogniser")
    return local


def _speaks(local: Transformer) -> Speaks:
    return local if isinstance(local, Speaks) else _Silent()


class _Silent:
    """In place of a voice that this machine does not have."""

    async def speak(self, text: Text) -> AsyncGenerator[Blob, None]:
        return
        yield  # it is a generator all the same
