"""What each field may hold, and what is said about one that holds something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.compose.loader.credentials import Credentials
from companion.compose.loader.entry import Entry, ModelType, Schema
from companion.compose.loader.parse import Parsed, Unready, parse
from companion.compose.loader.providers import REMOTE, Provider
from companion.errors import ModelConfigError, StorageError
from companion.model import ModelParams
from companion.model.options import Thinking

FILE = Path("folder/file.yaml")
MODEL = {"name": "n", "model": "m"}


def unreadable(name: str) -> str:
    raise StorageError("secrets.json cannot be read", file="secrets.json", mend="Allow your user to read it.")


def parsed(credentials: Credentials | None = None, **fields: object) -> list[Parsed]:
    providers = {**REMOTE, "toy": Provider(frozenset(ModelType))}
    return parse(fields, FILE, providers, credentials or Credentials({}, {}.get))


def one(**fields: object) -> Entry:
    (entry,) = parsed(**{"schema": "toy/chat/v1", "type": "generator", "models": [MODEL], **fields})
    assert isinstance(entry, Entry)
    return entry


def complaint(**fields: object) -> ModelConfigError:
    with pytest.raises(ModelConfigError) as refused:
        one(**fields)
    return refused.value


@pytest.mark.parametrize(
    ("text", "schema"),
    [
        ("openai/chat/v1", Schema("openai", "chat", "v1")),
        ("toy/chat", Schema("toy", "chat")),
        ("doubao/realtime/duplex/v1", Schema("doubao", "realtime/duplex", "v1")),
        ("toy/v1", Schema("toy", "v1")),
        ("toy/a/b", Schema("toy", "a/b")),
        ("openai", None),
        ("", None),
        ("/chat/v1", None),
        ("toy//v1", None),
        ("toy/", None),
    ],
)
def test_a_schema_names_provider_subject_and_version(text: str, schema: Schema | None) -> None:
    assert Schema.parse(text) == schema
    assert schema is None or str(schema) == text


def test_every_field_of_a_model_arrives() -> None:
    entry = one(
        base_url="http://localhost:8080/v1",
        app_id="id",
        api_key="key",
        default_params={"threads": 2, "deep": {"list": [1, 0.5, None, True, "x"]}},
        models=[
            {
                **MODEL,
                "generate_params": {
                    "max_tokens": 1, "temperature": 0, "top_p": 0, "top_k": 0, "frequency_penalty": -2,
                    "presence_penalty": 2, "seed": 0, "n": 1, "stop": ["END"],
                    "thinking": {"enabled": False, "level": "low"}, "extra_fields": {"x": 1},
                },
                "invoke_params": {"temperature": 0.0},
                "support_json_output": True, "support_tool_calls": True, "text_only": True, "prompt_role": "system",
                "extra_fields": {"y": [2]}, "voice": "v", "resource_id": "r", "desc": "d",
            }
        ],
    )  # fmt: skip

    assert entry.generate_params == ModelParams(
        1, 0.0, 0.0, 0, -2.0, 2.0, 0, 1, ("END",), Thinking(False, "low"), {"x": 1}
    )
    assert entry.invoke_params == ModelParams(temperature=0.0)
    assert (entry.name, entry.model, entry.voice, entry.resource_id, entry.desc) == ("n", "m", "v", "r", "d")
    assert (entry.support_json_output, entry.support_tool_calls, entry.text_only) == (True, True, True)
    assert (entry.prompt_role, entry.extra_fields, entry.base_url) == ("system", {"y": [2]}, "http://localhost:8080/v1")
    assert (entry.keys.app_id, entry.keys.api_key) == ("id", "key")
    assert entry.default_params == {"threads": 2, "deep": {"list": [1, 0.5, None, True, "x"]}}
    assert (entry.file, entry.place, entry.folder) == (FILE, "models[0]", Path("folder"))


def test_a_voice_takes_from_its_file_what_it_does_not_say_itself() -> None:
    voices = [{"name": "a", "voice_id": "va", "cluster": "own"}, {"name": "b", "voice_id": "vb", "desc": "soft"}]
    found = parsed(schema="toy/tts/v1", type="tts", cluster="shared", model="speech-02", voices=voices)

    assert [(e.name, e.voice, e.cluster, e.model, e.place) for e in found if isinstance(e, Entry)] == [
        ("a", "va", "own", "speech-02", "voices[0]"),
        ("b", "vb", "shared", "speech-02", "voices[1]"),
    ]


def test_a_recogniser_needs_no_model_and_a_generator_may_have_that_of_its_file() -> None:
    assert one(type="asr", models=[{"name": "a"}]).model == ""
    assert one(model="shared", models=[{"name": "a"}]).model == "shared"


def test_two_entries_are_the_same_wherever_they_stand_in_their_folder() -> None:
    first, second = parsed(schema="toy/chat", type="generator", models=[{**MODEL, "name": "x"}, MODEL])

    assert first != second
    assert second == parsed(schema="toy/chat", type="generator", models=[MODEL])[0]


@pytest.mark.parametrize(
    ("fields", "field", "why"),
    [
        ({"schema": ""}, "schema", "is missing"),
        ({"schema": "openai"}, "schema", "is 'openai'"),
        ({"schema": "nobody/chat/v1"}, "schema", "names 'nobody', who is no provider"),
        ({"schema": 1}, "schema", "must be text, not 1"),
        ({"type": None}, "type", "is missing"),
        ({"type": "speech"}, "type", "is 'speech'"),
        ({"schema": "anthropic/chat/v1", "type": "asr"}, "type", "is asr, which anthropic does not serve"),
        ({"kind": "claude"}, "kind", "is 'claude'"),
        ({"api_key": 123456}, "api_key", "must be text, not 123456"),
        ({"api_key": ["sk-secret"]}, "api_key", "must be text, not a list"),
        ({"api_key": "sk-\nsecret"}, "api_key", "must be one line of text"),
        ({"base_url": "sk-secret"}, "base_url", "is no address"),
        ({"models": None}, "models", "must be a list of one or more, not nothing"),
        ({"models": []}, "models", "must be a list of one or more, not a list"),
        ({"models": "m"}, "models", "must be a list of one or more, not text"),
        ({"models": [MODEL, 1]}, "models[1]", "must be a table of fields, not 1"),
        ({"models": [{"model": "m"}]}, "models[0].name", "is missing"),
        ({"models": [{"name": "n"}]}, "models[0].model", "is missing"),
        ({"models": [{**MODEL, "text_only": "yes"}]}, "models[0].text_only", "must be true or false, not text"),
        ({"models": [{**MODEL, "prompt_role": "user"}]}, "models[0].prompt_role", "is 'user'"),
        ({"models": [{**MODEL, "modle": 1}]}, "models[0].modle", "is not known here"),
        ({"voices": [{"name": "v", "voice_id": "x"}]}, "voices", "is not known here"),
        ({"type": "tts"}, "voices", "must be a list of one or more, not nothing"),
        ({"type": "tts", "models": None, "voices": [{"name": "v"}]}, "voices[0].voice_id", "is missing"),
        ({"type": "segmentor", "models": [{"name": "n"}]}, "models[0].model", "is missing"),
        ({"default_params": [1]}, "default_params", "must be a table of fields, not a list"),
        ({"default_params": {"when": FILE}}, "default_params.when", "holds a PosixPath, which JSON does not have"),
        ({"default_params": {"x": {1: 2}}}, "default_params.x", "holds a table of fields, which JSON does not have"),
        ({"default_params": {"x": float("nan")}}, "default_params.x", "holds nan"),
        ({"app_id": True}, "app_id", "must be text, not true"),
    ],
)  # fmt: skip
def test_a_field_that_cannot_be_used_is_named(fields: dict[str, object], field: str, why: str) -> None:
    refused = complaint(**fields)

    assert str(refused).startswith(f"{FILE}: {field} {why}")
    assert (refused.file, refused.field, refused.exit_status) == (str(FILE), field, 2)
    assert "secret" not in f"{refused} {refused.mend}"


@pytest.mark.parametrize(
    ("param", "why"),
    [
        ({"max_tokens": 0}, "max_tokens must be a whole number of 1 or more, not 0"),
        ({"max_tokens": 1.5}, "max_tokens must be a whole number of 1 or more, not 1.5"),
        ({"temperature": 2.1}, "temperature must be a number from 0 to 2, not 2.1"),
        ({"temperature": float("nan")}, "temperature must be a number from 0 to 2, not nan"),
        ({"top_p": True}, "top_p must be a number from 0 to 1, not true"),
        ({"presence_penalty": "0"}, "presence_penalty must be a number from -2 to 2, not text"),
        ({"seed": []}, "seed must be a whole number, not a list"),
        ({"stop": "END"}, "stop must be a list of texts, not text"),
        ({"stop": ["END", ""]}, "stop must be a list of texts, not a list"),
        ({"thinking": True}, "thinking must be a table of fields, not true"),
        ({"thinking": {"hard": 1}}, "thinking.hard is not known here"),
        ({"temprature": 1}, "temprature is not known here"),
    ],
)
def test_a_parameter_that_cannot_be_used_is_named(param: dict[str, object], why: str) -> None:
    refused = complaint(models=[{**MODEL, "generate_params": param}])

    assert str(refused) == f"{FILE}: models[0].generate_params.{why}"


def test_a_table_that_says_too_much_in_few_words_is_refused() -> None:
    row: object = "x"
    for _ in range(6):
        row = [row] * 10
    assert "default_params.x holds too much" in str(complaint(default_params={"x": row}))
    round_about: list[object] = []
    round_about.append(round_about)
    assert "default_params.x holds too much" in str(complaint(default_params={"x": round_about}))


def test_secrets_that_cannot_be_read_are_an_error_and_no_missing_key() -> None:
    with pytest.raises(ModelConfigError, match=r"file\.yaml: api_key is a secret, but secrets\.json cannot be read"):
        parsed(Credentials({}, unreadable), schema="toy/chat", type="generator", api_key="keyring:x", models=[MODEL])


def test_a_missing_key_leaves_out_every_entry_of_its_file() -> None:
    found = parsed(schema="toy/chat", type="generator", api_key="$UNSET", models=[MODEL, {**MODEL, "name": "other"}])

    assert [isinstance(each, Unready) for each in found] == [True, True]


def test_a_schema_goes_before_a_kind() -> None:
    assert str(one(kind="gemini").schema) == "toy/chat/v1"
