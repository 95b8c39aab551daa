"""JSON schemas in the narrower form to which a provider can hold its model.

OpenAI: developers.openai.com/api/docs/guides/structured-outputs, "Supported schemas". Anthropic:
platform.claude.com/docs/en/build-with-claude/structured-outputs, "JSON Schema limitations".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from companion.model.options import JsonValue
from companion.model.plain import to_json
from companion.model.tool import FuncTool

Schema = dict[str, JsonValue]

_NOTES = frozenset(("$schema", "$id", "default", "examples"))
"""Say nothing about what fits."""
_MANY = {"anyOf": "anyOf", "oneOf": "anyOf", "allOf": "allOf"}


@dataclass(frozen=True, slots=True)
class Subset:
    """What of JSON schema a provider can hold its model to.

    words: the keywords it knows, beside those of objects, lists and choices.
    formats: of texts that it knows; all where there are none here.
    is_complete: every field of an object has to be required.
    tells: what it does not know is put into the description, where the model reads it; else there is no form.
    """

    words: frozenset[str]
    formats: frozenset[str] = frozenset()
    is_complete: bool = False
    tells: bool = False

    def form(self, schema: Mapping[str, object]) -> Schema | None:
        """The schema, its objects closed to fields it does not name; None where this would change what fits."""
        try:
            return self._form(schema) if schema.get("type") == "object" else None
        except (_TooWideError, RecursionError, TypeError, ValueError):
            return None

    def _form(self, schema: object) -> Schema:
        if not isinstance(schema, Mapping) or not schema:
            raise _TooWideError
        if isinstance(schema.get("$ref"), str):
            return {"$ref": schema["$ref"]}
        form: Schema = {name: value for name, value in schema.items() if self._is_known(name, value)}
        form |= self._inner(schema)
        told = {name: schema[name] for name in schema if name not in form and name not in _NOTES and name != "oneOf"}
        return self._told(form, told) if told else form

    def _is_known(self, name: str, value: object) -> bool:
        if name == "format" and self.formats:
            return value in self.formats
        if name == "minItems" and self.tells:
            return value in (0, 1)
        return name in self.words

    def _inner(self, schema: Mapping[str, object]) -> Schema:
        form: Schema = {}
        for name, called in _MANY.items():
            if name not in schema:
                continue
            if called not in self.words:
                raise _TooWideError
            form[called] = [self._form(branch) for branch in cast("Sequence[object]", schema[name])]
        if "items" in schema:
            form["items"] = self._form(schema["items"])
        if "$defs" in schema:
            form["$defs"] = self._named(schema["$defs"])
        if schema.get("type") == "object" or "properties" in schema:
            form |= self._object(schema)
        if schema.get("type") == "array" and "items" not in schema:
            raise _TooWideError
        return form

    def _object(self, schema: Mapping[str, object]) -> Schema:
        if "properties" not in schema or schema.get("additionalProperties"):
            raise _TooWideError
        properties = self._named(schema["properties"])
        required = [name for name in properties if name in cast("Sequence[str]", schema.get("required", ()))]
        if self.is_complete and len(required) < len(properties):
            raise _TooWideError
        return {"properties": properties, "required": required, "additionalProperties": False}

    def _named(self, schemas: object) -> Schema:
        if not isinstance(schemas, Mapping):
            raise _TooWideError
        return {name: self._form(one) for name, one in schemas.items()}

    def _told(self, form: Schema, told: Mapping[str, object]) -> Schema:
        if not self.tells:
            raise _TooWideError
        bounds = ", ".join(f"{name}: {to_json(value)}" for name, value in told.items())
        words = form.get("description")
        return {**form, "description": f"{words} ({bounds})" if words else f"({bounds})"}


class _TooWideError(Exception):
    """The schema lets in what the form could not."""


_PLAIN = frozenset(("type", "title", "description", "enum", "const", "anyOf"))
_BOUNDS = frozenset(
    ("pattern", "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
) | frozenset(("minItems", "maxItems"))

_NO_NAME = re.compile(r"[^a-zA-Z0-9_-]")
_LONGEST_NAME = 64


def openai_form(tool: FuncTool) -> Schema:
    """The form of an answer as OpenAI's protocols name it: the provider holds its model to it where it can."""
    strict = OPENAI.form(tool.parameters)
    return {
        "name": _NO_NAME.sub("_", tool.name)[:_LONGEST_NAME] or "answer",
        "schema": cast(JsonValue, tool.parameters if strict is None else strict),
        **({"strict": True} if strict is not None else {}),
        **({"description": tool.description} if tool.description else {}),
    }


OPENAI = Subset(_PLAIN | _BOUNDS, is_complete=True)
ANTHROPIC = Subset(
    _PLAIN | {"allOf"},
    formats=frozenset(("date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid")),
    tells=True,
)
