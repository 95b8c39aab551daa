"""Where an entry of a configuration file is asked, by whose key, and what is wrong with one that cannot be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from doubles.provider_folder import it, provider_folder
from keyring.backends.fail import Keyring as NoKeyring

from companion.app.remote_services import Service, service_of
from companion.compose.loader import Entry, ModelType
from companion.compose.loader.entry import EntryKeys, Schema
from companion.errors import ModelConfigError
from companion.providers.remote.keys import Keys

ENVIRONMENT = {"OPENAI_API_KEY": "from-variable", "OLLAMA_API_KEY": "here", "GEMINI_API_KEY": "of-google"}
KEPT = {"provider/openai": "from-keyring"}
VOICES = [{"name": "v", "voice_id": "x"}]


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    before = keyring.get_keyring()
    keyring.set_keyring(NoKeyring())
    for name in (*ENVIRONMENT, "ANTHROPIC_API_KEY", "DASHSCOPE_API_KEY", "GOOGLE_API_KEY", "GROQ_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    yield
    keyring.set_keyring(before)


def service(schema: str = "openai/chat/v1", key: str = "", secrets: dict[str, str] | None = None) -> Service:
    return of(schema=schema, key=key, secrets=secrets)


def of(
    base_url: str = "",
    *,
    schema: str = "openai/chat/v1",
    key: str = "",
    secrets: dict[str, str] | None = None,
    kind: ModelType = ModelType.GENERATOR,
    allow_plain_http: bool = False,
) -> Service:
    parsed = Schema.parse(schema)
    assert parsed is not None
    entry = Entry(
        "it",
        kind,
        parsed,
        Path("file.yaml"),
        "models[0]",
        Path(),
        "m",
        base_url=base_url,
        allow_plain_http=allow_plain_http,
        keys=EntryKeys(api_key=key),
    )
    return service_of(entry, Keys((secrets or {}).get, environment=ENVIRONMENT))


def test_the_key_of_the_file_goes_first_then_the_keyring_then_the_variable() -> None:
    assert service(key="in-file", secrets=KEPT).key() == "in-file"
    assert service(secrets=KEPT).key() == "from-keyring"
    assert service().key() == "from-variable"
    assert service("gemini/chat/v1").key() == "of-google"
    assert service("ollama/chat/v1").key() == "here"


@pytest.mark.parametrize(
    "url",
    ["https://openai.example.org/v1", "http://127.0.0.1:8080/v1", "https://api.openai.com@example.org/v1",
     "https://api.openai.com.example.org/v1", "https://api.openai.com:8443/v1"],
)  # fmt: skip
def test_a_key_that_the_user_keeps_goes_to_its_provider_alone(url: str) -> None:
    assert of(url, secrets=KEPT).key() == ""
    assert of(url, secrets=KEPT, key="in-file").key() == "in-file"
    assert of("https://api.openai.com/v1", secrets=KEPT).key() == "from-keyring"
    assert of("http://api.openai.com/v1", secrets=KEPT, allow_plain_http=True).key() == ""


def test_a_server_that_speaks_the_protocol_of_openai_goes_by_its_host() -> None:
    found = of("http://127.0.0.1:8080/v1").endpoint
    assert (found.name, found.is_local, found.needs_key) == ("127.0.0.1:8080", True, False)
    assert dict(found.door.renames) == {}
    assert of("https://api.openai.com/v1").endpoint.name == "openai"
    assert of("https://ollama.example.org", schema="ollama/chat/v1").endpoint.name == "ollama"


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://example.org/v1", "would send everything in the clear"),
        ("http://192.168.1.5:11434", "would send everything in the clear"),
        ("http://localhost.example.org", "would send everything in the clear"),
        ("wss://example.org/v1", "is of a WebSocket"),
        ("https://@/v1", "is no address"),
        ("https://user:sk-secret@example.org:port/v1", "is no address"),
    ],
)
def test_an_address_that_cannot_be_used_is_named_and_not_quoted(url: str, why: str) -> None:
    with pytest.raises(ModelConfigError) as refused:
        of(url)
    assert str(refused.value).startswith(f"file.yaml: base_url {why}")
    assert "secret" not in f"{refused.value} {refused.value.mend}"


def test_an_address_in_the_clear_is_used_where_the_file_says_so_or_it_is_this_machine() -> None:
    assert of("http://192.168.1.5:11434", allow_plain_http=True).endpoint.is_local is False
    assert of("http://[::1]:11434").endpoint.is_local
    talk = of("wss://example.org/v1", schema="openai/realtime/v1", kind=ModelType.REALTIME)
    assert talk.endpoint.door.base_url == "https://example.org/v1"
    with pytest.raises(ModelConfigError, match="in the clear"):
        of("ws://example.org/v1", schema="openai/realtime/v1", kind=ModelType.REALTIME)


@pytest.mark.parametrize(
    ("schema", "kind", "near"),
    [
        ("openai/chta/v1", "generator", "openai/chat/v1"),
        ("openai/response/v1", "generator", "openai/responses/v1"),
        ("openai/chat/v2", "generator", "openai/chat/v1"),
        ("anthropic/message/v1", "generator", "anthropic/messages/v1"),
        ("gemini/char/v1", "generator", "gemini/chat/v1"),
        ("google/interaction", "generator", "google/interactions/v1"),
        ("openai/transcription/v1", "asr", "openai/transcriptions/v1"),
        ("openai/speach/v1", "tts", "openai/speech/v1"),
        ("openai/realtimes/v1", "realtime", "openai/realtime/v1"),
        ("genx/labelr/v1", "labeler", "genx/labeler/v1"),
        ("opnai/chat/v1", "generator", "openai"),
    ],
)
async def test_a_subject_that_nobody_knows_is_an_error_with_or_without_a_key(
    tmp_path: Path, schema: str, kind: str, near: str
) -> None:
    async with provider_folder(tmp_path) as home:
        for key in (None, "$NOT_SET_ANYWHERE"):
            with pytest.raises(ModelConfigError) as refused:
                await home.load(schema=schema, type=kind, api_key=key, base_url=None)
            assert str(refused.value).startswith(f"{home.folder}/file.json: schema ")
            assert f"Did you mean {near}?" in refused.value.mend


@pytest.mark.parametrize(
    ("fields", "field", "why"),
    [
        ({"models": it(prompt_role="developer"), "schema": "anthropic/messages/v1"}, "models[0].prompt_role", "is dev"),
        ({"default_params": {"temprature": 1}}, "default_params.temprature", "is not known here"),
        ({"default_params": {"read_price": -1}}, "default_params.read_price", "must be a number from 0"),
        ({"api_key": "two words"}, "api_key", "holds letters that no key has"),
        ({"schema": "openai/asr", "type": "asr", "models": [{"name": "it"}]}, "models[0].model", "is missing"),
        ({"schema": "openai/tts", "type": "tts", "models": None, "voices": VOICES}, "model", "is missing"),
        (
            {"schema": "openai/asr", "type": "asr", "models": it(extra_fields={"x": 1})},
            "models[0].extra_fields",
            "is nothing that asr heeds",
        ),
        (
            {"schema": "openai/realtime", "type": "realtime", "models": it(generate_params={"top_p": 1})},
            "models[0].generate_params",
            "is nothing that realtime heeds",
        ),
        (
            {"schema": "openai/realtime", "type": "realtime", "default_params": {"turns": "never"}},
            "default_params.turns",
            "is 'never'",
        ),
        ({"schema": "mistral/chat", "type": "asr"}, "type", "is asr, which mistral does not serve"),
    ],
)
async def test_what_a_model_of_a_provider_cannot_be_made_of_is_named(
    tmp_path: Path, fields: dict[str, object], field: str, why: str
) -> None:
    async with provider_folder(tmp_path) as home:
        with pytest.raises(ModelConfigError) as refused:
            await home.load(**fields)
        assert str(refused.value).startswith(f"{home.folder}/file.json: {field} {why}")
        assert home.muxes.generators.patterns == home.muxes.transformers.patterns == ()


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"schema": "openai/chat/v1"}, "there is no key for OpenAI"),
        ({"schema": "gemini/chat/v1"}, "there is no key for Google"),
        ({"schema": "gemini/live", "type": "realtime", "api_key": "k"}, "gemini is not built in as realtime yet"),
        ({"schema": "dashscope/asr", "type": "asr", "api_key": "k"}, "dashscope is not built in as asr yet"),
        ({"schema": "minimax/chat/v1", "api_key": "k"}, "minimax is not built in yet"),
        ({"schema": "doubao/x", "type": "realtime", "api_key": "k", "app_id": "a"}, "doubao is not built in yet"),
    ],
)
async def test_what_cannot_be_asked_here_is_left_out_with_the_reason(
    tmp_path: Path, fields: dict[str, object], reason: str
) -> None:
    async with provider_folder(tmp_path) as home:
        report = await home.load(**{"base_url": None, "allow_plain_http": None, **fields})
        assert [each.reason for each in report.left_out] == [reason]
        assert report.left_out[0].mend


async def test_a_key_that_is_kept_later_makes_the_entry_ready(tmp_path: Path) -> None:
    async with provider_folder(tmp_path) as home:
        assert (await home.load(base_url=None)).names == ()
        (home.home / "secrets.json").write_text('{"provider/openai": "sk-secret"}')
        assert (await home.loader.load()).names == ("it",)


async def test_secrets_that_cannot_be_read_are_an_error(tmp_path: Path) -> None:
    async with provider_folder(tmp_path) as home:
        (home.home / "secrets.json").write_text("?")
        with pytest.raises(ModelConfigError, match=r"file\.json: api_key is looked for, but"):
            await home.load(base_url=None)
