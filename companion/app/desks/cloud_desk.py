"""The desk of what may leave the house: providers and their keys, who is asked for which step, a try, and the costs."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from companion.app.costs import costs
from companion.app.events import Telling
from companion.app.gate import HEARING, SPEAKING, THINKING, Gate, Prices, open_ledger, price_of
from companion.app.minding.desks import Given, Row
from companion.app.orders import is_text
from companion.app.paths import Paths
from companion.app.services import Services
from companion.errors import BadInput, ControlError, ModelDied
from companion.model import ChatRole, Message, ModelContext, ModelParams
from companion.model.chat import ChatModel
from companion.settings.language import or_english
from companion.settings.schema import Cloud, Settings
from companion.settings.secrets import Secrets
from companion.settings.store import SettingsStore
from companion.stream import Blob, Text
from companion.stream.threads import finish_in_thread
from companion.voice.contract import BYTES_PER_SECOND

if TYPE_CHECKING:
    from companion.providers.remote.endpoint import Endpoint
    from companion.providers.remote.provider_link import ProviderLink

TEST_SECONDS = 30.0
LONGEST_KEY = 1000
"""Characters."""
STEPS = {
    HEARING: ("recogniser", "recogniser_model"),
    THINKING: ("language_model", "chat_model"),
    SPEAKING: ("voice", "voice_model"),
}
"""The settings of a step: who is asked, and which model."""
QUESTION, SENTENCE = "Say hello in three words.", "Hello."
"""What goes out to try a model that answers, and one that speaks."""
SILENCE = bytes(BYTES_PER_SECOND)
"""A second of it goes out to try one that writes down."""
MOST_TOKENS = 64


class CloudDesk:
    """Implements ``Desk``. clock: local time."""

    actions = ("list", "set_key", "remove_key", "test")

    def __init__(
        self, store: SettingsStore, secrets: Secrets, paths: Paths, telling: Telling, clock: Callable[[], datetime]
    ) -> None:
        self._store = store
        self._secrets = secrets
        self._paths = paths
        self._telling = telling
        self._clock = clock

    async def perform(self, action: str, given: Given) -> Row:
        """``list``; ``set_key`` of ``provider`` to ``key``; ``remove_key`` of ``provider``; ``test`` of a ``step``
        ("recogniser", "language model", "voice"), for which a word or a second of silence goes out.
        """
        match action:
            case "set_key":
                entry, key = self._entry(given.text("provider")), _checked(given.text("key"))
                await finish_in_thread(lambda: self._secrets.set(entry, key))
            case "remove_key":
                entry = self._entry(given.text("provider"))
                await finish_in_thread(lambda: self._secrets.remove(entry))
            case "test":
                return await self._tested(given.text("step"))
        return await finish_in_thread(self._list)

    def _entry(self, provider: str) -> str:
        from companion.app.provider_keys import entry_named

        return entry_named(provider)

    # -- how it stands

    def _list(self) -> Row:
        cloud = self._store.usable().cloud
        months = costs(self._paths)
        month = self._clock().strftime("%Y-%m")
        return {
            "providers": self._providers(),
            "steps": [_step(step, cloud) for step in STEPS],
            "month": month,
            "spent": round(sum(months.get(month, {}).values()), 4),
            "services": {name: round(cost, 4) for name, cost in sorted(months.get(month, {}).items())},
            "budget": cloud.monthly_budget,
        }

    def _providers(self) -> list[Row]:
        from companion.providers.remote.endpoints import ENDPOINTS

        return [self._provider(one) for one in ENDPOINTS]

    def _provider(self, one: Endpoint) -> Row:
        from companion.providers.remote.exchange import host_of
        from companion.providers.remote.keys import entry_of

        is_kept = bool(self._secrets.get(entry_of(one)))
        variable = next((name for name in one.variables if os.environ.get(name)), "")
        return {
            "name": one.name,
            "title": one.title,
            "host": host_of(one.door.base_url),
            "is_local": one.is_local,
            "needs_key": one.needs_key,
            "has_key": is_kept,
            "variable": "" if is_kept else variable,
        }

    # -- a try

    async def _tested(self, step: str) -> Row:
        if step not in STEPS:
            raise BadInput(f"there is no step {step[:40]!r}", mend=f"There are: {', '.join(STEPS)}.")
        settings = await finish_in_thread(self._store.check)
        began = time.monotonic()
        try:
            async with asyncio.timeout(TEST_SECONDS):
                said = await self._tried(step, settings)
        except TimeoutError as error:
            raise ControlError(
                f"nothing came within {TEST_SECONDS:g} seconds", mend="Check the network, and the name of the model."
            ) from error
        took = round(time.monotonic() - began, 2)
        return {"step": step, "seconds": took, "said": said} | await finish_in_thread(self._list)

    async def _tried(self, step: str, settings: Settings) -> str:
        from companion.providers.remote.exchange import Deadlines

        cloud = settings.cloud
        ledger = open_ledger(cloud, self._paths, self._clock)
        gate = Gate.open(cloud, self._telling, ledger, deadlines=Deadlines(first=TEST_SECONDS), failures=1)
        try:
            _, setting = STEPS[step]
            found, key, model = Services(cloud, self._secrets.get).of(setting, getattr(cloud, setting))
            if step == THINKING:
                return await _thought(ChatModel(gate.paid(gate.chat(found, model, key), found, Prices.of(cloud))))
            return await (_heard if step == HEARING else _spoken)(gate, found, gate.line(found, key), model, settings)
        finally:
            await gate.close()


async def _thought(model: ChatModel) -> str:
    """What it answers."""
    context = ModelContext(messages=(Message.of(ChatRole.USER, QUESTION),), params=ModelParams(max_tokens=MOST_TOKENS))
    stream = await model.generate_stream(context)
    try:
        return "".join([chunk.part.text async for chunk in stream if isinstance(chunk.part, Text)]).strip()
    finally:
        await stream.close()


async def _heard(gate: Gate, found: Endpoint, line: ProviderLink, model: str, settings: Settings) -> str:
    """What it hears in silence: nothing, if all is well."""
    from companion.providers.paid import PaidRecogniser
    from companion.providers.remote.transcription import RemoteRecogniser

    remote = RemoteRecogniser(line, model, language=settings.general.language, has_voice=lambda sound: True)
    till = gate.till(found, HEARING, remote.name)
    paid = PaidRecogniser(remote, till, price=price_of(found, settings.cloud.minute_price))
    return (await paid.hear(SILENCE)).text.strip()


async def _spoken(gate: Gate, found: Endpoint, line: ProviderLink, model: str, settings: Settings) -> str:
    """What it has said, once there was sound of it."""
    from companion.providers.paid import PaidVoice
    from companion.providers.remote.speech import RemoteSynthesiser

    language = or_english(settings.general.language)
    remote = RemoteSynthesiser(line, model, {language: settings.cloud.voice_name}, speed=settings.models.speed)
    till = gate.till(found, SPEAKING, remote.name)
    paid = PaidVoice(remote, till, price=price_of(found, settings.cloud.speech_price))
    size = sum(
        [len(blob.data) async for blob in paid.speak(Text(SENTENCE, language=language)) if isinstance(blob, Blob)]
    )
    if not size:
        raise ModelDied("the provider sent no sound", mend="Check the names of the model and of the voice.")
    return SENTENCE


def _step(step: str, cloud: Cloud) -> Row:
    policy, model = STEPS[step]
    return {
        "step": step,
        "policy": getattr(cloud, policy),
        "model": getattr(cloud, model),
        "policy_setting": f"cloud.{policy}",
        "model_setting": f"cloud.{model}",
    }


def _checked(key: str) -> str:
    """Raises BadInput, without the key."""
    from companion.providers.remote.keys import is_key

    key = key.strip()
    if not key or len(key) > LONGEST_KEY or not is_text(key) or not is_key(key):
        raise BadInput("this is no key", mend="Copy it whole from the provider's page, without spaces.")
    return key
