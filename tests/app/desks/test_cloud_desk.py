"""What may leave the house is seen in one place; keys go to the keyring, and a try says what came of it."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import keyring
import pytest
from doubles.provider_server import ProviderServer, Reply
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as NoKeyring
from keyring.errors import PasswordDeleteError

from companion.app.desks.cloud_desk import CloudDesk
from companion.app.events import Telling, WentOut
from companion.app.minding.desks import Given
from companion.app.paths import Paths
from companion.errors import BadInput, CompanionError, NotRegistered, OverBudget, SettingsError
from companion.settings.ring import SERVICE
from companion.settings.secrets import Secrets
from companion.settings.store import SettingsStore

ANSWER = Reply.sse(
    {
        "choices": [
            {"index": 0, "delta": {"role": "assistant", "content": "Hello there, friend."}, "finish_reason": None}
        ]
    },
    {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    {"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 4, "total_tokens": 14}},
    "[DONE]",
)
REFUSED = Reply.json({"error": {"message": "Incorrect API key provided: sk-secret"}}, status=401)


class Drawer(KeyringBackend):
    """A keyring that works."""

    priority = 1  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.held: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.held.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.held[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.held.pop((service, username), None) is None:
            raise PasswordDeleteError("not there")


@pytest.fixture
def drawer() -> Iterator[Drawer]:
    before, made = keyring.get_keyring(), Drawer()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


@pytest.fixture(autouse=True)
def _no_keys_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


class Home:
    def __init__(self, folder: Path) -> None:
        self.paths = Paths.under(folder)
        self.paths.prepare()
        self.store = SettingsStore(self.paths.settings_file)
        self.told: list[object] = []
        telling = Telling()
        telling.subscribe(self.told.append)
        secrets = Secrets(self.paths.secrets_file)
        self.desk = CloudDesk(self.store, secrets, self.paths, telling, lambda: datetime(2026, 11, 30, tzinfo=UTC))

    async def tend(self, action: str, **given: object) -> Any:
        return json.loads(json.dumps(await self.desk.perform(action, Given(given))))

    async def provider(self, name: str) -> Any:
        return {one["name"]: one for one in (await self.tend("list"))["providers"]}[name]


@pytest.fixture
def home(tmp_path: Path, drawer: Drawer) -> Home:
    return Home(tmp_path / "home")


@asynccontextmanager
async def served(home: Home, *replies: Reply) -> AsyncGenerator[ProviderServer, None]:
    async with ProviderServer(replies) as server:
        home.store.set("cloud.address", server.url)
        home.store.set("cloud.chat_model", "openai/gpt-test")
        home.store.set("cloud.recogniser_model", "openai/heard-test")
        home.store.set("cloud.voice_model", "openai/spoken-test")
        yield server


async def test_by_default_nothing_leaves_and_nothing_was_spent(home: Home) -> None:
    told = await home.tend("list")
    assert {step["step"]: step["policy"] for step in told["steps"]} == {
        "recogniser": "local",
        "language model": "local",
        "voice": "local",
    }
    assert (told["month"], told["spent"], told["budget"]) == ("2026-11", 0, 5.0)
    ollama = await home.provider("ollama")
    assert (ollama["is_local"], ollama["needs_key"]) == (True, False)


async def test_a_key_goes_into_the_keyring_and_is_never_told(home: Home, drawer: Drawer) -> None:
    told = await home.tend("set_key", provider="openai", key=" sk-secret \n")
    assert drawer.held == {(SERVICE, "provider/openai"): "sk-secret"}
    assert "sk-secret" not in json.dumps(told)
    assert (await home.provider("openai"))["has_key"]
    await home.tend("remove_key", provider="openai")
    assert drawer.held == {}
    assert not (await home.provider("openai"))["has_key"]


async def test_without_a_keyring_the_key_goes_into_a_file_for_the_user_alone(home: Home) -> None:
    keyring.set_keyring(NoKeyring())
    await home.tend("set_key", provider="openai", key="sk-secret")
    assert (await home.provider("openai"))["has_key"]
    assert home.paths.secrets_file.stat().st_mode & 0o777 == 0o600


async def test_a_key_of_the_environment_is_told_by_its_name(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-other")
    openai = await home.provider("openai")
    assert (openai["has_key"], openai["variable"]) == (False, "OPENAI_API_KEY")


@pytest.mark.parametrize("key", ["", "two words", "schlüssel", "x" * 1001, "\udcff"])
async def test_what_is_no_key_is_refused_without_being_repeated(home: Home, drawer: Drawer, key: str) -> None:
    with pytest.raises(BadInput) as caught:
        await home.tend("set_key", provider="openai", key=key)
    assert not key or key not in f"{caught.value} {caught.value.mend}"
    assert drawer.held == {}


async def test_there_are_no_keys_for_strangers(home: Home) -> None:
    with pytest.raises(NotRegistered):
        await home.tend("set_key", provider="opanai", key="sk-secret")


async def test_a_try_asks_the_provider_though_nobody_else_may(home: Home) -> None:
    await home.tend("set_key", provider="openai", key="sk-secret")
    async with served(home, ANSWER) as server:
        told = await home.tend("test", step="language model")
        assert told["said"] == "Hello there, friend."
        assert told["seconds"] >= 0
        (asked,) = server.asked
        assert asked.headers["authorization"] == "Bearer sk-secret"


async def test_a_try_of_what_speaks_and_of_what_hears(home: Home) -> None:
    await home.tend("set_key", provider="openai", key="sk-secret")
    sound = Reply((bytes(48_000),), content_type="audio/pcm")
    async with served(home, Reply.json({"text": ""}), sound) as server:
        assert (await home.tend("test", step="recogniser"))["said"] == ""
        assert (await home.tend("test", step="voice"))["said"] == "Hello."
        assert [asked.path.rpartition("/")[2] for asked in server.asked] == ["transcriptions", "speech"]


async def test_what_a_try_costs_is_put_down_and_told_as_gone_out(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.providers.remote.endpoint.is_this_machine", lambda url: False)
    await home.tend("set_key", provider="openai", key="sk-secret")
    async with served(home, ANSWER):
        told = await home.tend("test", step="language model")
    assert told["spent"] > 0
    assert list(told["services"])
    assert any(isinstance(event, WentOut) for event in home.told)
    home.store.set("cloud.monthly_budget", "0")
    async with served(home, ANSWER) as server:
        with pytest.raises(OverBudget):
            await home.tend("test", step="language model")
        assert server.asked == []


async def test_a_refused_key_is_told_without_the_key(home: Home) -> None:
    await home.tend("set_key", provider="openai", key="sk-secret")
    async with served(home, REFUSED):
        with pytest.raises(CompanionError) as caught:
            await home.tend("test", step="language model")
    assert "sk-secret" not in f"{caught.value} {caught.value.mend}"
    assert caught.value.mend


async def test_what_is_not_set_up_cannot_be_tried(home: Home) -> None:
    with pytest.raises(SettingsError):
        await home.tend("test", step="language model")
    with pytest.raises(BadInput):
        await home.tend("test", step="kitchen")
