"""A grammar, in llama.cpp's GBNF, of the JSON that a schema allows.

It leads the model; it does not replace the check of the answer. What a grammar says badly (patterns, formats, most
limits of numbers) it leaves open, and where a limit would make it too large it is narrower than the schema. Objects
hold the fields the schema names, in its order, so that a model has no choice where it needs none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from companion.errors import Unsupported
from companion.model.tool_text import TAG, TAG_END

_DEEPEST = 32
_LARGEST = 1 << 16
"""Characters of a grammar."""
_LONGEST_TEXT, _LONGEST_LIST = 400, 64
"""Repetitions that llama.cpp takes as a limit; longer ones are narrowed to these."""
_SMALL_RANGE = 128
"""Whole numbers that are written down one by one."""

_JSON = {
    "root": "",
    "value": 'object | array | string | number | "true" | "false" | "null"',
    "object": r'"{" (string ":" " "? value ("," " "? string ":" " "? value)*)? "}"',
    "array": r'"[" (value ("," " "? value)*)? "]"',
    "string": r'"\"" char* "\""',
    "char": r'[^"\\\x00-\x1F] | "\\" ["\\/bfnrt]',
    "whole": '"0" | [1-9] [0-9]{0,15}',
    "number": '"-"? positive',
    "positive": r'whole ("." [0-9]{1,15})? ([eE] [-+]? [0-9]{1,2})?',
}


def grammar_of(schema: Mapping[str, object]) -> str:
    """The grammar of the JSON that fits ``schema``; its first rule is ``root``.

    Raises:
        Unsupported: the schema is too deep or too large, or refers to what it does not hold.
    """
    return _Grammar(schema).text()


def grammar_of_calls(tools: Mapping[str, Mapping[str, object]]) -> str:
    """The grammar of one call of one of ``tools``, by name with the schema of its arguments, between its tags.

    Raises:
        Unsupported: as for ``grammar_of``; or there are no tools.
    """
    if not tools:
        raise Unsupported("a call of no tool at all makes no grammar", mend="offer a tool")
    return _Grammar({}).calls(tools)


class _Grammar:
    def __init__(self, schema: Mapping[str, object]) -> None:
        self._schema = schema
        self._rules = dict(_JSON)
        self._names: dict[str, str] = {}
        self._referred: dict[tuple[str, str], str] = {}
        self._owner = ""
        self._size = 0

    def text(self) -> str:
        return self._written(self._value(self._schema, 0))

    def calls(self, tools: Mapping[str, Mapping[str, object]]) -> str:
        call = _either([self._call(*tool) for tool in tools.items()])
        return self._written(rf'"{TAG}\n" {call} "\n{TAG_END}"')

    def _written(self, root: str) -> str:
        self._rules["root"] = root
        return "\n".join(f"{name} ::= {body}" for name, body in self._rules.items()) + "\n"

    def _call(self, name: str, schema: Mapping[str, object]) -> str:
        # What a schema refers to, it holds itself.
        self._owner, self._schema = name, schema
        arguments = self._value({"type": "object", **schema}, 1)
        return self._rule(rf'"{{\"name\": " {_literal(name)} ", \"arguments\": " {arguments} "}}"')

    def _value(self, schema: object, depth: int) -> str:
        """An expression for one value: a rule's name, a literal, or alternatives in brackets."""
        if depth > _DEEPEST:
            raise Unsupported(f"a schema nested deeper than {_DEEPEST} makes no grammar", mend="make it flatter")
        if not isinstance(schema, Mapping):
            return "value"
        match schema:
            case {"$ref": str() as reference}:
                return self._reference(reference, depth)
            case {"enum": list() as values}:
                return _either([_literal(value) for value in values])
            case {"const": only}:
                return _literal(only)
            case {"anyOf": list() as branches} | {"oneOf": list() as branches}:
                return _either([self._value(branch, depth + 1) for branch in branches])
            case {"allOf": [single]}:
                return self._value(single, depth + 1)
            case {"type": list() as kinds}:
                return _either([self._kind(kind, schema, depth) for kind in kinds])
        return self._kind(schema.get("type", "object" if "properties" in schema else None), schema, depth)

    def _kind(self, kind: object, schema: Mapping[str, object], depth: int) -> str:
        match kind:
            case "object":
                return self._object(schema, depth)
            case "array":
                return self._array(schema, depth)
            case "string":
                return self._string(schema)
            case "integer":
                return _integer(schema)
            case "number":
                return _number(schema)
            case "boolean":
                return '("true" | "false")'
            case "null":
                return '"null"'
            case _:
                return "value"

    def _object(self, schema: Mapping[str, object], depth: int) -> str:
        fields, required = _fields(schema)
        if not fields:
            others = schema.get("additionalProperties", "properties" not in schema)
            if others is False:
                return '"{}"'
            anything = self._value(others, depth + 1)
            pair = self._rule(f'string ":" " "? {anything}')
            return self._rule(f'"{{" ({pair} ("," " "? {pair})*)? "}}"')
        # From the last field to the first: what may follow where nothing has been written yet, and where something has.
        first = after = '"}"'
        for name, inner in reversed(fields.items()):
            pair = self._rule(f'{_literal(name)[:-1]}:" " "? {self._value(inner, depth + 1)}')
            with_first, with_after = f"{pair} {after}", f'"," " "? {pair} {after}'
            optional = name not in required
            first = self._rule(f"{with_first} | {first}" if optional else with_first)
            after = self._rule(f"{with_after} | {after}" if optional else with_after)
        return self._rule(f'"{{" {first}')

    def _array(self, schema: Mapping[str, object], depth: int) -> str:
        item = self._rule(self._value(schema.get("items", True), depth + 1))
        least, most = _limits(schema, "minItems", "maxItems", _LONGEST_LIST)
        if most == 0:
            return '"[]"'
        more = self._rule(f'"," " "? {item}')
        some = f"{item} {more}{{{max(least - 1, 0)},{'' if most is None else most - 1}}}"
        return self._rule(f'"[" {some} "]"' if least else f'"[" ({some})? "]"')

    def _string(self, schema: Mapping[str, object]) -> str:
        least, most = _limits(schema, "minLength", "maxLength", _LONGEST_TEXT)
        if not least and most is None:
            return "string"
        return self._rule(rf'"\"" char{{{least},{"" if most is None else most}}} "\""')

    def _reference(self, reference: str, depth: int) -> str:
        key = self._owner, reference
        if key not in self._referred:
            # Named before it is written, for it may refer to itself.
            name = self._referred[key] = f"ref{len(self._referred)}"
            self._rules[name] = self._value(self._held(reference), depth + 1)
        return self._referred[key]

    def _held(self, reference: str) -> object:
        place: object = self._schema if reference.startswith("#") else None
        for step in reference.removeprefix("#").split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")
            place = place.get(step) if isinstance(place, Mapping) else None
        if place is None:
            raise Unsupported(f"the schema does not hold {reference!r}", mend="put it under $defs")
        return place

    def _rule(self, body: str) -> str:
        """The name of a rule for ``body``; the same for the same."""
        if body not in self._names:
            self._size += len(body)
            if self._size > _LARGEST:
                raise Unsupported("the schema is too large for a grammar", mend="ask for less at once")
            self._names[body] = f"r{len(self._names)}"
            self._rules[self._names[body]] = body
        return self._names[body]


def _fields(schema: Mapping[str, object]) -> tuple[dict[str, object], set[str]]:
    properties, required = schema.get("properties"), schema.get("required")
    names = [name for name in required if isinstance(name, str)] if isinstance(required, list | tuple) else []
    fields: dict[str, object] = dict(properties) if isinstance(properties, Mapping) else {}
    for name in names:
        fields.setdefault(name, True)
    return fields, set(names)


def _limits(schema: Mapping[str, object], lower: str, upper: str, highest: int) -> tuple[int, int | None]:
    least, most = _whole(schema.get(lower)) or 0, _whole(schema.get(upper))
    if least > highest or (most is not None and most < least):
        raise Unsupported(f"a grammar has no room for {lower} {least}", mend="ask for less at once")
    return least, most if most is None else min(most, highest)


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _integer(schema: Mapping[str, object]) -> str:
    match schema:
        case {"minimum": int() as least, "maximum": int() as most} if 0 <= most - least < _SMALL_RANGE:
            return _either([_literal(number) for number in range(least, most + 1)])
        case {"minimum": int() as least} if least >= 0:
            return "whole"
        case _:
            return '("-"? whole)'


def _number(schema: Mapping[str, object]) -> str:
    match schema:
        case {"minimum": 0, "maximum": 1}:
            return r'("0" ("." [0-9]{1,3})? | "1")'
        case {"minimum": int() | float() as least} if least >= 0:
            return "positive"
        case _:
            return "number"


def _either(choices: Sequence[str]) -> str:
    # Twice the same choice would be followed twice.
    return f"({' | '.join(dict.fromkeys(choices))})" if choices else "value"


def _literal(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
