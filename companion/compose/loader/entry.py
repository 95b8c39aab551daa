"""What a configuration file says of one model or voice."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from companion.compose.loader.fields import wrong
from companion.errors import ModelConfigError
from companion.model import ModelParams
from companion.model.options import JsonValue


class ModelType(StrEnum):
    """What a model is for."""

    GENERATOR = "generator"
    TTS = "tts"
    ASR = "asr"
    REALTIME = "realtime"
    SEGMENTOR = "segmentor"
    LABELER = "labeler"
    PROFILER = "profiler"

    @property
    def reads_by_generator(self) -> bool:
        """Whether its ``model`` is the name of a generator, which may come later."""
        return self in (ModelType.SEGMENTOR, ModelType.LABELER, ModelType.PROFILER)


@dataclass(frozen=True, slots=True)
class Schema:
    """Who serves a model, and by what: written ``provider/subject/version``."""

    provider: str
    subject: str
    version: str = ""

    @classmethod
    def parse(cls, text: str) -> Schema | None:
        """The schema of a text; None if it is none. The version may be left out; a subject may have several parts."""
        provider, *rest = text.split("/")
        version = rest.pop() if len(rest) > 1 and re.fullmatch(r"v\d+", rest[-1]) else ""
        if not all((provider, *rest)) or not rest:
            return None
        return cls(provider, "/".join(rest), version)

    def __str__(self) -> str:
        return "/".join(part for part in (self.provider, self.subject, self.version) if part)


@dataclass(frozen=True, slots=True)
class EntryKeys:
    """What a provider knows its customer by."""

    app_id: str = field(default="", repr=False)
    api_key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Entry:
    """One model or voice. Two that are equal are served by the same thing.

    model: by the provider's name; of a segmentor, labeler or profiler the name of a generator.
    voice: by the provider's name, of what speaks.
    default_params: what the provider is set up with. extra_fields: what it is sent with each call.
    prompt_role: who system texts come from; empty for the provider's own way.
    support_json_output, support_tool_calls: None where the file leaves that to what is known of the provider.
    allow_plain_http: whether ``base_url`` may be of another machine without being https.
    folder: where its file lies; paths in it are meant from there.
    """

    name: str
    type: ModelType
    schema: Schema
    file: Path = field(compare=False)
    place: str = field(compare=False)
    """Of its fields within the file, as ``models[0]``."""
    folder: Path
    model: str = ""
    voice: str = ""
    resource_id: str = ""
    cluster: str = ""
    base_url: str = ""
    allow_plain_http: bool = False
    keys: EntryKeys = field(default_factory=EntryKeys)
    generate_params: ModelParams = field(default_factory=ModelParams)
    invoke_params: ModelParams = field(default_factory=ModelParams)
    support_json_output: bool | None = None
    support_tool_calls: bool | None = None
    text_only: bool = False
    prompt_role: str = ""
    extra_fields: Mapping[str, JsonValue] = field(default_factory=dict)
    default_params: Mapping[str, JsonValue] = field(default_factory=dict)
    desc: str = ""

    def wrong(self, name: str, why: str, mend: str = "") -> ModelConfigError:
        """The error about a field of this entry, to be raised by the caller."""
        return wrong(self.file, f"{self.place}.{name}", why, mend)
