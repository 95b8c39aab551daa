"""The table of endpoints: what is in it, and what becomes of a name that is not."""

from __future__ import annotations

import traceback
from urllib.parse import urlsplit

import pytest

from companion.dialects import dialects
from companion.dialects.urls import complete_url
from companion.errors import NotRegistered, SettingsError, Unsupported
from companion.providers.remote.endpoint import Door, Endpoint, KeyHeader, endpoint_at
from companion.providers.remote.endpoints import ENDPOINTS, endpoint
from companion.providers.remote.exchange import is_this_machine

NAMES = (
    "openai anthropic google ollama dashscope deepseek groq mistral openrouter lm-studio llama-server vllm"
).split()


def test_the_table_holds_each_provider_once() -> None:
    assert sorted(known.name for known in ENDPOINTS) == sorted(NAMES)


@pytest.mark.parametrize("known", ENDPOINTS, ids=lambda known: known.name)
def test_an_entry_can_be_used(known: Endpoint) -> None:
    assert endpoint(f" {known.name.upper()} ") is known
    assert known.title
    spoken = [door.dialect for door in known.doors]
    assert len(spoken) == len(set(spoken))
    assert set(spoken) <= set(dialects())
    for door in known.doors:
        assert is_this_machine(door.base_url) is known.is_local
        assert urlsplit(door.base_url).scheme == ("http" if known.is_local else "https")
        assert not door.base_url.endswith("/")
    assert known.needs_key is not known.is_local
    assert all(name.isupper() for name in known.variables)


def test_what_stays_here_needs_no_key() -> None:
    assert [known.name for known in ENDPOINTS if known.is_local] == ["ollama", "lm-studio", "llama-server", "vllm"]


@pytest.mark.parametrize(
    ("name", "near"), [("opnai", "openai"), ("llamaserver", "llama-server"), ("LMStudio", "lm-studio")]
)
def test_an_unknown_name_is_an_error_with_the_nearest(name: str, near: str) -> None:
    with pytest.raises(NotRegistered, match=f"there is no provider '{name}'") as caught:
        endpoint(name)
    assert caught.value.name == name
    assert f"did you mean {near}?" in caught.value.mend


def test_a_name_like_no_other_is_answered_with_all() -> None:
    with pytest.raises(NotRegistered) as caught:
        endpoint("hal9000")
    assert all(name in caught.value.mend for name in NAMES)
    assert "did you mean" not in caught.value.mend


def test_a_provider_can_be_asked_in_another_of_its_dialects() -> None:
    server = endpoint("llama-server").speaking("anthropic")

    assert server.door.dialect == "anthropic"
    assert len(server.doors) == len(endpoint("llama-server").doors)
    assert endpoint("llama-server").speaking("") is endpoint("llama-server")


def test_a_dialect_that_a_provider_does_not_speak_is_an_error() -> None:
    with pytest.raises(NotRegistered, match="OpenAI is not asked in the dialect 'openai-response'") as caught:
        endpoint("openai").speaking("openai-response")
    assert "did you mean openai-responses?" in caught.value.mend


def test_a_provider_can_be_asked_at_another_address() -> None:
    moved = endpoint("ollama").at("https://models.example.org:8443")

    assert moved.door.base_url == "https://models.example.org:8443"
    assert not moved.is_local
    assert endpoint("ollama").at("http://192.168.0.7:11434", is_local=True).is_local
    assert endpoint("openai").at("http://localhost:9/v1").is_local


def test_a_server_in_no_table_has_the_name_of_its_host() -> None:
    server = endpoint_at("http://127.0.0.1:9/v1", "openai-completions")

    assert (server.name, server.is_local, server.needs_key) == ("127.0.0.1:9", True, False)
    assert endpoint_at("https://user:word@example.org/v1", "anthropic").name == "example.org"
    assert endpoint_at("https://example.org/v1", "anthropic", name="mine").name == "mine"


@pytest.mark.parametrize("url", ["", "example.org", "ftp://example.org", "http://", "https://[::"])
def test_an_address_that_is_none_is_an_error(url: str) -> None:
    with pytest.raises(SettingsError) as caught:
        endpoint_at(url, "anthropic")
    assert caught.value.field == "base_url"


@pytest.mark.parametrize("url", ["someone:a-word@host/v1", "ftp://someone:a-word@host", "http://someone:a-word@"])
def test_an_address_that_is_none_is_not_repeated_with_its_password(url: str) -> None:
    with pytest.raises(SettingsError) as caught:
        endpoint_at(url, "openai-completions")
    assert "a-word" not in "".join(traceback.format_exception(caught.value)[-1:])


@pytest.mark.parametrize("url", ["http://someone:a-wo/rd@host", "http://h:x/v1?key=a-word", "http://[someone:a-word@h"])
def test_an_address_that_cannot_be_read_is_not_repeated_with_its_password(url: str) -> None:
    with pytest.raises(SettingsError) as caught:
        complete_url(url, "/v1/messages")
    assert "a-wo" not in str(caught.value)
    assert caught.value.__suppress_context__


def test_a_body_is_fitted_to_what_a_provider_takes() -> None:
    door = endpoint("mistral").door

    assert door.fitted({"max_completion_tokens": 5, "seed": 7, "stream_options": {}, "stream": True}) == {
        "max_tokens": 5,
        "random_seed": 7,
        "stream": True,
    }


def test_a_field_that_is_not_served_is_named_and_not_dropped() -> None:
    with pytest.raises(Unsupported, match=r"api\.groq\.com does not serve logit_bias, logprobs"):
        endpoint("groq").door.fitted({"logprobs": True, "logit_bias": {}, "stream": True})


def test_a_key_goes_into_the_header_that_the_provider_reads() -> None:
    assert KeyHeader.BEARER.of("k") == {"authorization": "Bearer k"}
    assert KeyHeader.X_API_KEY.of("k") == {"x-api-key": "k"}
    assert KeyHeader.X_GOOG_API_KEY.of("k") == {"x-goog-api-key": "k"}
    assert endpoint("anthropic").door.key_header is KeyHeader.X_API_KEY
    assert Door("plain", "http://x").key_header is KeyHeader.BEARER
