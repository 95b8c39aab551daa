"""A template of a spoken sentence, and the regular expression it stands for.

``[please] set (a|an) timer (for|of) {duration}``

* a word stands for itself, and for what a recogniser writes in its place
* ``[x]`` may be missing; ``(x|y)`` is one of them; ``(x|y)+`` is as many of them as there are, one at least
* ``{name}`` is a slot, whose words are handed on; ``<name>`` is a part with a name
* ``#`` is a token that starts with a digit; ``_`` is any one token; ``*`` is one or more of any
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

ANY = "*"
"""The first key of a sentence that may start with anything."""
DIGIT = "#"
"""The first key of a sentence that starts with a digit."""


@dataclass(frozen=True, slots=True)
class Word:
    text: str


@dataclass(frozen=True, slots=True)
class Wild:
    """``#``, ``_`` or ``*``."""

    sign: str


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


_TOKEN = re.compile(r"\s+|[()\[\]|+#_*]|\{[a-z_]+\}|<[a-z_]+>|[^\s()\[\]|+#_*{}<>]+")


def parse(text: str) -> Sequence:
    """Read a template.

    Raises:
        TemplateError: it is empty, or its brackets do not pair up.
    """
    tokens = _tokens(text)
    options = _options(tokens, closing="")
    if len(options) > 1:
        raise TemplateError("'|' stands outside of ( ) and [ ]")
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
            options = _options(tokens, closing=")")
            repeated = bool(tokens) and tokens[-1] == "+"
            if repeated:
                tokens.pop()
            return Choice(options, repeated=repeated)
        case "[":
            return Choice(_options(tokens, closing="]"), optional=True)
        case "{":
            return Slot(token[1:-1])
        case "<":
            return Piece(token[1:-1])
        case "#" | "_" | "*":
            return Wild(token)
        case ")" | "]" | "+":
            raise TemplateError(f"{token!r} stands where nothing was opened")
        case _:
            return Word(token)


class Compiler:
    """Turns templates of one language into regular expressions.

    separator: what follows each token of a normalised sentence: a space, or nothing in Chinese.
    heard_as: what a recogniser writes in place of a word.
    """

    def __init__(
        self,
        parts: Mapping[str, Sequence],
        slots: Mapping[str, Sequence],
        heard_as: Mapping[str, list[str]],
        separator: str,
    ) -> None:
        self._parts = parts
        self._slots = slots
        self._heard_as = heard_as
        self._separator = separator
        self._any_token = r"[^ ]+ " if separator else "."
        self._written: dict[str, str] = {}

    def regex(self, node: Node) -> str:
        """The regular expression of ``node``.

        Raises:
            TemplateError: it names a part or slot that there is not.
        """
        match node:
            case Word(text):
                spellings = "|".join(re.escape(word) for word in self._spellings(text))
                return f"(?:{spellings}){self._separator}" if "|" in spellings else spellings + self._separator
            case Wild("#"):
                return rf"\d[\d.:]*{self._separator}"
            case Wild(sign):
                return f"(?:{self._any_token})+?" if sign == "*" else self._any_token
            case Slot(name):
                return f"(?P<{name}>{self.regex(self._slot(name))})"
            case Piece(name):
                return self._part_regex(name)
            case Sequence(items):
                return "".join(map(self.regex, items))
            case Choice(options, optional, repeated):
                # What was repeated is not given back, or a long sentence could be read in endless ways.
                sign = "?" if optional else "++" if repeated else ""
                return f"(?:{'|'.join(map(self.regex, options))}){sign}"

    def first(self, node: Node) -> tuple[frozenset[str], bool]:
        """What a sentence of ``node`` may start with, and whether it may be empty."""
        match node:
            case Word(text):
                return frozenset(first_key(word, self._separator) for word in self._spellings(text)), False
            case Wild(sign):
                return frozenset({DIGIT if sign == "#" else ANY}), False
            case Slot(name):
                return self.first(self._slot(name))
            case Piece(name):
                return self.first(self._part(name))
            case Sequence(items):
                keys: frozenset[str] = frozenset()
                for item in items:
                    more, empty = self.first(item)
                    keys |= more
                    if not empty:
                        return keys, False
                return keys, True
            case Choice(options, optional, _):
                firsts = [self.first(option) for option in options]
                return frozenset().union(*(keys for keys, _ in firsts)), optional or any(empty for _, empty in firsts)

    def _spellings(self, word: str) -> list[str]:
        return [word, *self._heard_as.get(word, ())]

    def _slot(self, name: str) -> Sequence:
        if name not in self._slots:
            raise TemplateError(f"there is no slot {{{name}}}")
        return self._slots[name]

    def _part(self, name: str) -> Sequence:
        if name not in self._parts:
            raise TemplateError(f"there is no part <{name}>")
        return self._parts[name]

    def _part_regex(self, name: str) -> str:
        if name not in self._written:
            self._written[name] = ""
            self._written[name] = self.regex(self._part(name))
        elif not self._written[name]:
            raise TemplateError(f"the part <{name}> contains itself")
        return f"(?:{self._written[name]})"


def first_key(sentence: str, separator: str) -> str:
    """The key under which a normalised sentence is looked up: its first token, or DIGIT for a number."""
    if sentence[:1].isdigit():
        return DIGIT
    return sentence.split(separator, 1)[0] if separator else sentence[:1]
