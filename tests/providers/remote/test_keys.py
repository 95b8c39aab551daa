"""Keys: where they are looked for, and what a missing one says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backends.fail import Keyring as NoKeyring

from companion.errors import MissingKey
from companion.providers.remote.endpoints import endpoint
from companion.providers.remote.keys import Keys, entry_of
from companion.settings.secrets import Secrets

OPENAI, LOCAL = endpoint("openai"), endpoint("llama-server")


def keys(kept: dict[str, str] | None = None, **environment: str) -> Keys:
    return Keys((kept or {}).get, environment=environment)


def test_a_key_of_the_keyring_comes_before_one_of_the_environment() -> None:
    found = keys({"provider/openai": "kept"}, OPENAI_API_KEY="set")

    assert found.of(OPENAI)() == "kept"
    assert keys(OPENAI_API_KEY="set").of(OPENAI)() == "set"


def test_the_first_variable_that_is_set_counts() -> None:
    google = endpoint("google")

    assert keys(GOOGLE_API_KEY="second").of(google)() == "second"
    assert keys(GOOGLE_API_KEY="second", GEMINI_API_KEY="first").of(google)() == "first"
    assert keys(GOOGLE_API_KEY="second", GEMINI_API_KEY="").of(google)() == "second"


def test_a_key_is_looked_for_each_time_and_not_before_it_is_asked_for() -> None:
    kept: dict[str, str] = {}
    key = Keys(kept.get, environment={}).of(OPENAI)
    kept["provider/openai"] = "given-later"

    assert key() == "given-later"


def test_spaces_around_a_key_do_not_matter() -> None:
    assert keys(OPENAI_API_KEY=" set\n").of(OPENAI)() == "set"


def test_a_missing_key_names_setting_keyring_entry_and_variable() -> None:
    with pytest.raises(MissingKey, match="there is no key for OpenAI") as caught:
        keys().of(OPENAI, setting="models.cloud")()
    assert "models.cloud" in str(caught.value)
    assert "provider/openai" in caught.value.mend
    assert "OPENAI_API_KEY" in caught.value.mend
    assert caught.value.exit_status == 2


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "schlüssel"])
def test_a_key_that_cannot_be_one_is_refused_without_repeating_it(key: str) -> None:
    with pytest.raises(MissingKey, match="letters that no key has") as caught:
        keys(OPENAI_API_KEY=key).of(OPENAI)()
    assert key not in str(caught.value) + caught.value.mend


def test_a_server_of_this_machine_needs_none_and_takes_one() -> None:
    assert keys().of(LOCAL)() == ""
    assert keys(LLAMA_API_KEY="set").of(LOCAL)() == "set"


@pytest.fixture
def _no_keyring() -> Iterator[None]:
    before = keyring.get_keyring()
    keyring.set_keyring(NoKeyring())
    yield
    keyring.set_keyring(before)


@pytest.mark.usefixtures("_no_keyring")
def test_the_file_of_secrets_holds_them_where_there_is_no_keyring(tmp_path: Path) -> None:
    secrets = Secrets(tmp_path / "secrets.json")
    secrets.set(entry_of(OPENAI), "kept")

    assert Keys(secrets.get, environment={}).of(OPENAI)() == "kept"
