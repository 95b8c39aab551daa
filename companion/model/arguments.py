"""Reads the arguments of a tool call: JSON text in, checked values out.

Schemas may come from strangers. They are interpreted, never compiled to code, and nothing they refer to is fetched.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any, cast

from companion.errors import BadArguments, BadTool, InvalidAnswer
from companion.model.json_repair import read_json, strict_json
from companion.model.tool import FuncTool

LONGEST_REASON = 300
"""Characters; the values of a call can be long, and the reason quotes them."""


class ArgumentReader:
    """Reads the arguments of one tool's calls.

    Raises:
        BadTool: its parameters are no JSON schema of an object.
    """

    def __init__(self, tool: FuncTool) -> None:
        self._tool = tool.name
        self._validator = _validator(tool)

    def read(self, text: str) -> dict[str, object]:
        """The arguments by name. Blank text is no arguments; slightly broken JSON is mended.

        Raises:
            BadArguments: the text is no JSON, or does not fit the schema; the message names the field.
        """
        try:
            arguments = _parsed(text) if text.strip() else {}
        except (ValueError, InvalidAnswer) as error:
            raise self._bad(f"are no JSON: {error}") from error
        self.check(arguments)
        return cast("dict[str, object]", arguments)

    def check(self, arguments: object) -> None:
        """Check arguments that are values already.

        Raises:
            BadArguments: they do not fit the schema; the message names the field.
            BadTool: the schema refers to another one, which it does not hold, or to a wrong one.
        """
        from jsonschema.exceptions import best_match
        from referencing.exceptions import Unresolvable

        try:
            fault = best_match(self._validator.iter_errors(arguments))
        except Unresolvable as error:
            raise BadTool(f"tool {self._tool!r}: its schema does not hold {error.ref!r}", tool=self._tool) from error
        except re.error as error:
            raise BadTool(f"tool {self._tool!r}: a pattern of its schema is wrong: {error}", tool=self._tool) from error
        except RecursionError as error:
            raise self._bad("are nested too deep") from error
        if fault is not None:
            raise self._bad(f"do not fit{_words(fault)}", place_of(fault)) from fault

    def _bad(self, why: str, field: str = "") -> BadArguments:
        return BadArguments(f"the arguments of {self._tool!r} {why}", tool=self._tool, field=field)


def _validator(tool: FuncTool) -> Any:
    from jsonschema import SchemaError

    schema = dict(tool.parameters)
    if schema.get("type") != "object":
        raise BadTool(f"tool {tool.name!r}: its parameters are no schema of an object", tool=tool.name)
    try:
        return _validator_of(json.dumps(schema))
    except (TypeError, ValueError) as error:
        raise BadTool(f"tool {tool.name!r}: its schema is no JSON: {error}", tool=tool.name) from error
    except SchemaError as error:
        raise BadTool(f"tool {tool.name!r}: its schema is wrong{_words(error)}", tool=tool.name) from error


@lru_cache(maxsize=256)
def _validator_of(text: str) -> Any:
    """What checks by this schema. Kept, because the same tools come with every turn, and to check a schema is slow."""
    from jsonschema import Draft202012Validator, FormatChecker
    from jsonschema.validators import validator_for
    from referencing import Registry

    schema = json.loads(text)
    kind: Any = validator_for(schema, default=Draft202012Validator)
    kind.check_schema(schema, format_checker=FormatChecker(("regex",)))
    # An empty registry: the library's own would fetch what a schema refers to.
    return kind(schema, registry=Registry())


def place_of(fault: Any) -> str:
    """The field that a fault of the schema library is about: ``stops[0].city``; empty for the whole."""
    return str(getattr(fault, "json_path", "")).removeprefix("$").removeprefix(".")


def _parsed(text: str) -> object:
    """A broken value is mended; two, or a value and more, are not: a tool is not run on a guess."""
    try:
        return strict_json(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            raise
    return read_json(text, only_one=True)


def _words(error: Any) -> str:
    """Where it does not fit, and why, in one line: `` at stops[0].city: 5 is not of type 'string'``."""
    place = place_of(error)
    reason = " ".join(error.message.split())
    reason = reason if len(reason) <= LONGEST_REASON else f"{reason[:LONGEST_REASON]}..."
    return f" at {place}: {reason}" if place else f": {reason}"
