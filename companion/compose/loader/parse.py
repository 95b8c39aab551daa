"""The fields of one configuration file, made into entries."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from companion.compose.loader.credentials import Credentials, Missing
from companion.compose.loader.entry import Entry, EntryKeys, ModelType, Schema
from companion.compose.loader.fields import Fields
from companion.compose.loader.providers import LEGACY_KINDS, Provider
from companion.errors import StorageError
from companion.model import ModelParams
from companion.model.options import Thinking

VERSION = "v1"
"""Of all subjects that are known."""
_ROLES = ("system", "developer")
_PENALTY = (-2.0, 2.0)


@dataclass(frozen=True, slots=True)
class Unready:
    """An entry that cannot be used here and now, though nothing is wrong with it."""

    entry: Entry
    reason: str
    mend: str


Parsed = Entry | Unready


def parse(
    values: Mapping[str, object], file: Path, providers: Mapping[str, Provider], credentials: Credentials
) -> list[Parsed]:
    """The entries of a file, in their order, with their keys in place.

    providers: by name, for the types and keys of each.

    Raises:
        ModelConfigError: a field cannot be used, or secrets cannot be read; names file and field.
    """
    fields = Fields(values, file)
    schema, type_ = _schema(fields)
    provider = _provider(fields, schema, type_, providers)
    keys = _keys(fields, provider, credentials)
    of_all = Entry(
        name="",
        type=type_,
        schema=schema,
        file=file,
        place="",
        folder=file.parent,
        keys=keys if isinstance(keys, EntryKeys) else EntryKeys(),
        base_url=_url(fields),
        allow_plain_http=bool(fields.flag("allow_plain_http")),
        cluster=fields.text("cluster"),
        model=fields.text("model"),
        default_params=fields.open("default_params"),
    )
    found = list(_voices(fields, of_all) if type_ is ModelType.TTS else _models(fields, of_all))
    fields.close()
    if isinstance(keys, Missing):
        return [Unready(entry, keys.reason, keys.mend) for entry in found]
    return [*found]


def _schema(fields: Fields) -> tuple[Schema, ModelType]:
    written, kind = fields.text("schema"), fields.choice("kind", tuple(LEGACY_KINDS))
    word = fields.choice("type", tuple(ModelType))
    if not written and kind:
        written, word = LEGACY_KINDS[kind], word or ModelType.GENERATOR
    if not written:
        raise fields.wrong("schema", "is missing", 'Write it as "provider/subject/v1".')
    schema = Schema.parse(written)
    if schema is None:
        raise fields.wrong("schema", f"is {written[:60]!r}", 'Write it as "provider/subject/v1".')
    if not word:
        raise fields.wrong("type", "is missing", f"Make it one of: {', '.join(ModelType)}.")
    return schema, ModelType(word)


def _provider(fields: Fields, schema: Schema, type_: ModelType, providers: Mapping[str, Provider]) -> Provider:
    provider = providers.get(schema.provider)
    if provider is None:
        guess, known = _near(schema.provider, providers), ", ".join(sorted(providers))
        raise fields.wrong(
            "schema", f"names {schema.provider[:40]!r}, who is no provider", f"{guess}Known are: {known}."
        )
    if type_ not in provider.types:
        served = ", ".join(sorted(provider.types))
        raise fields.wrong("type", f"is {type_}, which {schema.provider} does not serve", f"It serves: {served}.")
    _check_subject(fields, schema, provider.subjects.get(type_, ()))
    return provider


def _check_subject(fields: Fields, schema: Schema, subjects: Sequence[str]) -> None:
    """subjects: those that are known; none where any will do."""
    if not subjects or (schema.subject in subjects and schema.version in ("", VERSION)):
        return
    known = [f"{schema.provider}/{subject}/{VERSION}" for subject in subjects]
    guess = _near(f"{schema.provider}/{schema.subject}/{VERSION}", known)
    raise fields.wrong("schema", f"is {str(schema)[:60]!r}", f"{guess}Known are: {', '.join(known)}.")


def _near(word: str, known: Iterable[str]) -> str:
    alike = difflib.get_close_matches(word, list(known), n=1)
    return f"Did you mean {alike[0]}? " if alike else ""


def _url(fields: Fields) -> str:
    url = fields.text("base_url")
    if url and not re.fullmatch(r"(https?|wss?)://[^\s/]+\S*", url):
        raise fields.wrong("base_url", "is no address", 'Write it as "https://host/v1".')
    return url


def _models(fields: Fields, of_all: Entry) -> Iterator[Entry]:
    needs_model = of_all.type is ModelType.GENERATOR or of_all.type.reads_by_generator
    for each in fields.tables("models"):
        yield replace(
            of_all,
            name=each.text("name", is_needed=True),
            place=each.place,
            model=each.text("model", is_needed=needs_model and not of_all.model) or of_all.model,
            voice=each.text("voice"),
            resource_id=each.text("resource_id"),
            generate_params=_params(each.table("generate_params")),
            invoke_params=_params(each.table("invoke_params")),
            support_json_output=each.flag("support_json_output"),
            support_tool_calls=each.flag("support_tool_calls"),
            text_only=bool(each.flag("text_only")),
            prompt_role=each.choice("prompt_role", _ROLES),
            extra_fields=each.open("extra_fields"),
            desc=each.text("desc"),
        )
        each.close()


def _voices(fields: Fields, of_all: Entry) -> Iterator[Entry]:
    for each in fields.tables("voices"):
        yield replace(
            of_all,
            name=each.text("name", is_needed=True),
            place=each.place,
            voice=each.text("voice_id", is_needed=True),
            cluster=each.text("cluster") or of_all.cluster,
            desc=each.text("desc"),
        )
        each.close()


def _params(fields: Fields) -> ModelParams:
    params = ModelParams(
        max_tokens=fields.whole("max_tokens", low=1),
        temperature=fields.number("temperature", 0, 2),
        top_p=fields.number("top_p", 0, 1),
        top_k=fields.whole("top_k", low=0),
        frequency_penalty=fields.number("frequency_penalty", *_PENALTY),
        presence_penalty=fields.number("presence_penalty", *_PENALTY),
        seed=fields.whole("seed"),
        n=fields.whole("n", low=1),
        stop=fields.texts("stop"),
        thinking=_thinking(fields.table("thinking")) if "thinking" in fields else None,
        extra_fields=fields.open("extra_fields"),
    )
    fields.table("thinking")
    fields.close()
    return params


def _thinking(fields: Fields) -> Thinking:
    thinking = Thinking(enabled=fields.flag("enabled"), level=fields.text("level") or None)
    fields.close()
    return thinking


def _keys(fields: Fields, provider: Provider, credentials: Credentials) -> EntryKeys | Missing:
    app_id = _key(fields, "app_id", provider, credentials)
    api_key = _key(fields, "api_key", provider, credentials)
    if isinstance(app_id, Missing):
        return app_id
    return api_key if isinstance(api_key, Missing) else EntryKeys(app_id, api_key)


def _key(fields: Fields, name: str, provider: Provider, credentials: Credentials) -> str | Missing:
    written = fields.text(name)
    if not written and name in provider.needs:
        return Missing(f"{name} is missing", f'Write {name}: "$NAME", and set that variable.')
    try:
        key = credentials.resolve(written)
    except StorageError as error:
        raise fields.wrong(name, f"is a secret, but {error}", error.mend) from error
    return Missing(f"{name}: {key.reason}", key.mend) if isinstance(key, Missing) else key
