"""Models of providers, made as an entry of a configuration file describes them.

Laws:

1. Whoever makes them connects to nobody, and asks the keyring for nothing but whether there is a key.
2. All of them pass one gate: one client, one budget, one circuit for each provider; what leaves is told.
3. A gate that cannot be opened, since nobody can tell what was spent, leaves out the models that need it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.agent.clock import local_clock
from companion.app.events import Telling
from companion.app.gate import HEARING, SPEAKING, TALKING, Gate, Prices, open_ledger
from companion.app.models import ModelRoom
from companion.app.remote_services import SUBJECTS, Service, service_of
from companion.compose.ledger import Ledger
from companion.compose.loader import Entry, Fields, Missing, ModelType
from companion.compose.loader.fields import wrong
from companion.compose.metered import Price
from companion.dialects.openai_realtime import RealtimeSettings, Turns
from companion.errors import MissingKey, StorageError
from companion.model import Generator, ModelParams
from companion.providers.paid import PaidRecogniser, PaidVoice
from companion.providers.paid_talk import TalkMeter
from companion.providers.remote.bounded import BoundedChat, Bounds
from companion.providers.remote.exchange import Deadlines
from companion.providers.remote.invoke import RemoteGenerator, Skill
from companion.providers.remote.keys import Keys
from companion.providers.remote.realtime import RealtimeSpeech
from companion.providers.remote.realtime_plan import RealtimePlan
from companion.providers.remote.speech import RemoteSynthesiser
from companion.providers.remote.transcription import RemoteRecogniser
from companion.providers.stand_in import StandInRecogniser, StandInVoice
from companion.settings.language import AUTO, primary
from companion.stream import Transformer

FAILURES = 5
"""After which a provider is left alone; nobody else may be there to ask."""
_DEAREST = 100_000.0
_LONGEST_CALL = 1_000_000
_TURNS = {"user": Turns.OURS, "silence": Turns.BY_SILENCE, "meaning": Turns.BY_MEANING}
_ANY = "und"
"""The tag of a language that nobody has told (BCP 47)."""
_PATIENCE = 600.0
"""Seconds; of one alone, nobody counts them."""


class RemoteMakers:
    """Makes models of providers; what an entry leaves open is as in the settings.

    secret: fetches a secret by its name. telling: told of what leaves. ledger: None for one of its own, where nobody
    else in this program writes down what is spent.
    """

    def __init__(
        self,
        room: ModelRoom,
        secret: Callable[[str], str | None],
        *,
        telling: Telling | None = None,
        ledger: Ledger | None = None,
    ) -> None:
        self._room = room
        self._keys = Keys(secret)
        self._telling = telling or Telling()
        self._ledger = ledger
        self._gate: Gate | None = None

    @property
    def generators(self) -> dict[tuple[ModelType, str], Callable[[Entry], Generator]]:
        """Makers by type and provider."""
        return {what: self.chat for what in SUBJECTS if what[0] is ModelType.GENERATOR}

    @property
    def transformers(self) -> dict[tuple[ModelType, str], Callable[[Entry], Transformer]]:
        """Makers by type and provider."""
        makers: dict[ModelType, Callable[[Entry], Transformer]] = {
            ModelType.ASR: self.recogniser,
            ModelType.TTS: self.voice,
            ModelType.REALTIME: self.talk,
        }
        return {what: makers[what[0]] for what in SUBJECTS if what[0] in makers}

    def objection(self, entry: Entry) -> Missing | None:
        """Why an entry is to be left out: there is no key, or nobody can tell what was spent. It asks the keyring.

        Raises:
            ModelConfigError: a field cannot be used, or the secrets cannot be read.
        """
        if (entry.type, entry.schema.provider) not in SUBJECTS:
            return None
        service = service_of(entry, self._keys)
        try:
            self._open()
        except StorageError as error:
            return Missing(str(error), error.mend)
        try:
            if service.needs_kept_key:
                service.key()
        except MissingKey as error:
            return Missing(str(error), error.mend)
        except StorageError as error:
            raise wrong(entry.file, "api_key", f"is looked for, but {error}", error.mend) from error
        return None

    async def close(self) -> None:
        """Give back the connections; the next load may go on with this."""
        if self._gate is not None:
            await self._gate.close()

    # -- what it makes

    def chat(self, entry: Entry) -> RemoteGenerator:
        """A generator.

        Raises:
            ModelConfigError: a field cannot be used, as with all of these.
            StorageError: nobody can tell what was spent; likewise.
        """
        gate, service = self._open(), service_of(entry, self._keys)
        params = _params(entry)
        prices = self._prices(params)
        params.close()
        remote = gate.chat(service.endpoint, entry.model, service.key)
        bounds = Bounds(
            entry.text_only,
            holds_form=entry.support_json_output is not False,
            calls_tools=entry.support_tool_calls is not False,
            extra_fields=entry.extra_fields,
        )
        chat = BoundedChat(gate.paid(remote, service.endpoint, prices), bounds)
        return RemoteGenerator(chat, without=_without(entry, service))

    def recogniser(self, entry: Entry) -> Transformer:
        """What hears."""
        gate, service = self._open(), _speech_of(entry, self._keys)
        params = _params(entry)
        price = self._price(params, "minute_price", self._prices_set.minute)
        language, prompt = params.text("language") or self._room.language, params.words("prompt")
        is_detailed = bool(params.flag("detailed"))
        params.close()
        line = gate.line(service.endpoint, service.key)
        remote = RemoteRecogniser(line, entry.model, language=language, prompt=prompt, is_detailed=is_detailed)
        if remote.is_local:
            return remote
        paid = PaidRecogniser(remote, gate.till(service.endpoint, HEARING, remote.name), price=price)
        return StandInRecogniser([(remote.name, paid)], patience=_PATIENCE)

    def voice(self, entry: Entry) -> Transformer:
        """What speaks."""
        gate, service = self._open(), _speech_of(entry, self._keys)
        params = _params(entry)
        price = self._price(params, "speech_price", self._prices_set.letters)
        speed, instructions = params.number("speed", 0.25, 4), params.words("instructions")
        params.close()
        line = gate.line(service.endpoint, service.key)
        speed = self._room.settings.models.speed if speed is None else speed
        remote = RemoteSynthesiser(line, entry.model, {_ANY: entry.voice}, speed=speed, instructions=instructions)
        if remote.is_local:
            return remote
        paid = PaidVoice(remote, gate.till(service.endpoint, SPEAKING, remote.name), price=price)
        return StandInVoice([(remote.name, paid)], patience=_PATIENCE)

    def talk(self, entry: Entry) -> RealtimeSpeech:
        """What hears and speaks in one."""
        gate, service = self._open(), _speech_of(entry, self._keys)
        params = _params(entry)
        prices = self._prices(params)
        settings = self._settings(entry, params)
        params.close()
        plan = RealtimePlan(service.endpoint, entry.model, settings, service.key, gate.options, watch=gate.went_out)
        if service.endpoint.is_local:
            return RealtimeSpeech(plan)
        till = gate.till(service.endpoint, TALKING, f"{service.endpoint.name}/{entry.model}")
        return RealtimeSpeech(
            replace(plan, meter=lambda: TalkMeter(till, prices.tokens, most_tokens=prices.call_tokens))
        )

    # -- what they share

    def _open(self) -> Gate:
        """The gate, opened when it is first needed."""
        if self._gate is None:
            cloud = self._room.settings.cloud
            ledger = self._ledger or open_ledger(cloud, self._room.paths, local_clock())
            self._gate = Gate.open(cloud, self._telling, ledger, deadlines=Deadlines(), failures=FAILURES)
        return self._gate

    @property
    def _prices_set(self) -> Prices:
        return Prices.of(self._room.settings.cloud)

    def _prices(self, params: Fields) -> Prices:
        prices = self._prices_set
        tokens = Price(
            self._price(params, "read_price", prices.tokens.prompt),
            self._price(params, "write_price", prices.tokens.completion),
        )
        most = params.whole("call_tokens", low=1)
        return replace(prices, tokens=tokens, call_tokens=min(most or prices.call_tokens, _LONGEST_CALL))

    def _price(self, params: Fields, field: str, otherwise: float) -> float:
        price = params.number(field, 0, _DEAREST)
        return otherwise if price is None else price

    def _settings(self, entry: Entry, params: Fields) -> RealtimeSettings:
        language = params.text("language") or self._room.language
        return RealtimeSettings(
            params.words("instructions"),
            entry.voice,
            params.number("speed", 0.25, 1.5),
            has_sound=params.flag("sound") is not False,
            transcriber=params.text("transcriber"),
            language="" if language == AUTO else primary(language),
            turns=_TURNS[params.choice("turns", tuple(_TURNS)) or "user"],
            silence_ms=params.whole("silence_ms", low=1),
            most_tokens=entry.generate_params.max_tokens,
        )


def _params(entry: Entry) -> Fields:
    return Fields(entry.default_params, entry.file, "default_params")


def _without(entry: Entry, service: Service) -> list[Skill]:
    holds_form = entry.support_json_output
    without = []
    if not (service.endpoint.door.has_schema if holds_form is None else holds_form):
        without.append(Skill.SCHEMA)
    if entry.support_tool_calls is False:
        without.append(Skill.TOOLS)
    return without


def _speech_of(entry: Entry, keys: Keys) -> Service:
    """The service of an entry that is for speech, and says nothing that only a generator can heed."""
    if not entry.model:
        if entry.type is ModelType.TTS:
            raise wrong(entry.file, "model", "is missing", "Name the model that speaks, beside the voices.")
        raise entry.wrong("model", "is missing")
    generate = entry.generate_params
    if entry.type is ModelType.REALTIME:
        generate = replace(generate, max_tokens=None)
    said = {"generate_params": generate, "invoke_params": entry.invoke_params, "extra_fields": entry.extra_fields}
    unheeded = [name for name, value in said.items() if value not in ({}, ModelParams())]
    if unheeded or entry.prompt_role:
        raise entry.wrong(unheeded[0] if unheeded else "prompt_role", f"is nothing that {entry.type} heeds")
    return service_of(entry, keys)
