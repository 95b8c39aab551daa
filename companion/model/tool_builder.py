"""Builds a tool by its parameters, one after another, where no typed function tells them."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping

from companion.errors import BadTool
from companion.model.shape import Schema
from companion.model.tool import FuncTool
from companion.model.typed import shape_of


class NewTool:
    """A tool in the making; every call but ``build`` gives the builder back.

    >>> add = NewTool("add").desc("Adds.").int_param("a").int_param("b").handler(lambda a, b: a + b).build()
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._title = self._description = ""
        self._strict = self._direct = self._parallel = False
        self._limit: float | None = None
        self._properties: dict[str, Schema] = {}
        self._required: list[str] = []
        self._input: Mapping[str, object] | None = None
        self._output: Mapping[str, object] | None = None
        self._meta: dict[str, object] = {}
        self._convert: Callable[[object], str] | None = None
        self._function: Callable[..., Awaitable[object] | object] | None = None

    def title(self, title: str) -> NewTool:
        """For people."""
        self._title = title
        return self

    def desc(self, description: str) -> NewTool:
        """What it does, for the model."""
        self._description = description
        return self

    def strict(self, is_strict: bool = True) -> NewTool:
        """The provider shall hold the model to the schema, where it can."""
        self._strict = is_strict
        return self

    def return_direct(self, is_direct: bool = True) -> NewTool:
        """What it gives is the answer."""
        self._direct = is_direct
        return self

    def parallel(self, is_parallel: bool = True) -> NewTool:
        """It may run beside other calls."""
        self._parallel = is_parallel
        return self

    def limit(self, seconds: float) -> NewTool:
        """How long a call may take."""
        self._limit = seconds
        return self

    def param(self, name: str, kind: object, description: str = "", *, required: bool = True) -> NewTool:
        """A parameter of a Python type, or of a JSON schema.

        Raises:
            BadTool: JSON cannot say the type, or there is a parameter of this name.
        """
        if name in self._properties:
            raise BadTool(f"tool {self._name!r}: there are two parameters {name!r}", tool=self._name)
        try:
            schema = dict(kind) if isinstance(kind, Mapping) else shape_of(kind).schema()
        except TypeError as error:
            raise BadTool(f"tool {self._name!r}: {name}: {error}", tool=self._name) from error
        self._properties[name] = {**schema, "description": description} if description else schema
        self._required += [name] if required else []
        return self

    def string_param(self, name: str, description: str = "", *, required: bool = True) -> NewTool:
        return self.param(name, str, description, required=required)

    def int_param(self, name: str, description: str = "", *, required: bool = True) -> NewTool:
        return self.param(name, int, description, required=required)

    def float_param(self, name: str, description: str = "", *, required: bool = True) -> NewTool:
        return self.param(name, float, description, required=required)

    def bool_param(self, name: str, description: str = "", *, required: bool = True) -> NewTool:
        return self.param(name, bool, description, required=required)

    def date_param(self, name: str, description: str = "", *, required: bool = True) -> NewTool:
        """A day, as text: 2026-05-17."""
        return self.param(name, {"type": "string", "format": "date"}, description, required=required)

    def date_time_param(self, name: str, description: str = "", *, required: bool = True) -> NewTool:
        """A moment, as text: 2026-05-17T08:30:00+02:00."""
        return self.param(name, {"type": "string", "format": "date-time"}, description, required=required)

    def input_schema_json(self, schema: str) -> NewTool:
        """The whole JSON schema of the parameters, in place of those named one by one.

        Raises:
            BadTool: it is no JSON object.
        """
        self._input = self._object(schema)
        return self

    def output_schema_json(self, schema: str) -> NewTool:
        """The JSON schema of the result.

        Raises:
            BadTool: it is no JSON object.
        """
        self._output = self._object(schema)
        return self

    def meta(self, key: str, value: object) -> NewTool:
        """What those who handle the tool need to know; no model sees it."""
        self._meta[key] = value
        return self

    def result_converter(self, convert: Callable[[object], str]) -> NewTool:
        """Makes the text of a result, in place of JSON."""
        self._convert = convert
        return self

    def handler(self, function: Callable[..., Awaitable[object] | object]) -> NewTool:
        """What runs, sync or async, with the arguments by name."""
        self._function = function
        return self

    def build(self) -> FuncTool:
        """The tool. Without a handler it is only declared: the caller answers its calls.

        Raises:
            BadTool: it has no name.
        """
        if not self._name.strip():
            raise BadTool("a tool has no name", tool="")
        return FuncTool(
            name=self._name,
            description=self._description,
            parameters=self._input if self._input is not None else self._parameters(),
            function=self._function,
            title=self._title,
            strict=self._strict,
            is_parallel=self._parallel,
            return_direct=self._direct,
            limit_seconds=self._limit,
            convert=self._convert,
            output=self._output,
            meta=dict(self._meta),
        )

    def _parameters(self) -> Schema:
        return {
            "type": "object",
            "properties": {name: dict(schema) for name, schema in self._properties.items()},
            "required": list(self._required),
            "additionalProperties": False,
        }

    def _object(self, schema: str) -> Mapping[str, object]:
        try:
            value = json.loads(schema)
        except ValueError as error:
            raise BadTool(f"tool {self._name!r}: its schema is no JSON: {error}", tool=self._name) from error
        if not isinstance(value, dict):
            raise BadTool(f"tool {self._name!r}: its schema is no JSON object", tool=self._name)
        return value
