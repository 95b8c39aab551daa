"""A template of a spoken sentence.

``(please|) set (a|an) timer (for|of) [duration]``

* a word stands for itself, and for what a recogniser writes in its place
* ``(x|y)`` is one of them; ``(x|)`` may be missing; ``(x|y)+`` is as many of them as there are, one at least
* ``[name]`` is a slot, whose words are handed on; ``<name>`` is a part with a name
* ``#`` is a token that starts with a digit; ``_`` is any one token; ``*`` is one or more of any
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

NAME = r"[A-Za-z_][A-Za-z0-9_]*"


@dataclass(frozen=True, slots=True)
class Word:
    text: str


class Wild(StrEnum):
    """Whatever is said. The last two cannot be written; they are what variables of these types hold."""

    DIGITS = "#"
    ONE = "_"
    MANY = "*"
    INT = "int"
    FLOAT = "float"


@dataclass(frozen=True, slots=True)
class Slot:
    name: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A part by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class Sequence:
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    options: tuple[Sequence, ...]
    optional: bool = False
    repeated: bool = False


Node = Word | Wild | Slot | Piece | Sequence | Choice


class TemplateError(ValueError):
    """A template that cannot be read; ``match`` turns it into an error that names file and rule."""


_TOKEN = re.compile(rf"\s+|[()|+#*]|\[{NAME}\]|<{NAME}>|[^\s()\[\]|+#*<>]+")


def parse(text: str) -> Sequence:
    """Read a template.

    Raises:
        TemplateError: it is empty, or its brackets do not pair up.
    """
    tokens = _tokens(text)
    options = _options(tokens, closing="")
    if len(options) > 1:
        raise TemplateError("'|' stands outside of ( )")
    if not options[0].items:
        raise TemplateError("the template is empty")
    return options[0]


def _tokens(text: str) -> list[str]:
    """The tokens of a template, last one first."""
    tokens: list[str] = []
    position = 0
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            raise TemplateError(f"cannot read {text[position:]!r}")
        position = token.end()
        if not token[0].isspace():
            tokens.append(token[0])
    return tokens[::-1]


def _options(tokens: list[str], *, closing: str) -> tuple[Sequence, ...]:
    options: list[Sequence] = []
    items: list[Node] = []
    while tokens:
        token = tokens.pop()
        if token == "|":  # noqa: S105 - a sign of the grammar
            options.append(Sequence(tuple(items)))
            items = []
        elif token == closing:
            return (*options, Sequence(tuple(items)))
        else:
            items.append(_item(token, tokens))
    if closing:
        raise TemplateError(f"{closing!r} is missing")
    return (*options, Sequence(tuple(items)))


def _item(token: str, tokens: list[str]) -> Node:
    match token[0]:
        case "(":
            return _choice(tokens)
        case "[":
            return Slot(token[1:-1])
        case "<":
            return Piece(token[1:-1])
        case ")" | "+":
            raise TemplateError(f"{token!r} stands where nothing was opened")
        case _:
            return Wild(token) if token in ("#", "_", "*") else Word(token)


def _choice(tokens: list[str]) -> Choice:
    options = _options(tokens, closing=")")
    filled = tuple(option for option in options if option.items)
    if not filled:
        raise TemplateError("'( )' is empty")
    repeated = bool(tokens) and tokens[-1] == "+"
    if repeated:
        tokens.pop()
    return Choice(filled, optional=len(filled) < len(options), repeated=repeated)
