"""JSON as models write it: read as it stands where it is JSON, else by the most likely meaning of what is written.

Forgiven are words around it, code fences, comments, commas too many or missing, single and curly quotes, quotes
inside a text, keys and texts without quotes, Python's True, None and tuples, and an end that is missing. The time is
in proportion to the length, because no place in the text is tried twice.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from enum import Enum

from companion.errors import InvalidAnswer

Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None

LONGEST = 1 << 17
"""Characters of an answer that are read."""
DEEPEST = 64
"""Lists and objects inside each other."""


def read_json(text: str, *, only_one: bool = False) -> Json:
    """The JSON value in ``text``. Where there are several, the longest object counts, then the longest list.

    only_one: refuse several, of which nobody knows which is meant.

    Raises:
        InvalidAnswer: there is none, or it is too long or too deep.
    """
    if len(text) > LONGEST:
        raise InvalidAnswer(f"the answer is longer than {LONGEST} characters", mend="ask for a shorter answer")
    try:
        return strict_json(text)
    except ValueError:
        return _repaired(text, only_one=only_one)


def is_json(text: str) -> bool:
    """Whether ``text`` is whole and valid as it stands."""
    try:
        strict_json(text)
    except ValueError:
        return False
    return True


def strict_json(text: str) -> Json:
    """The value of ``text``, which is whole and valid JSON.

    Raises:
        ValueError: it is not, or holds a number that is none here (NaN, 1e999), or is too deep.
    """
    try:
        value: Json = _DECODER.decode(text)
    except RecursionError as error:
        raise ValueError("too deep") from error
    if not _is_shallow(value):
        raise ValueError("too deep")
    return value


def _no_constant(word: str) -> Json:
    raise ValueError(f"{word} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("a number out of range")
    return number


_DECODER = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite)


def _is_shallow(value: Json) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        level = [inner for outer in level for inner in _inside(outer) if isinstance(inner, dict | list)]
        if not level:
            return True
    return False


def _inside(value: Json) -> Iterable[Json]:
    match value:
        case dict():
            return value.values()
        case list():
            return value
        case _:
            return ()


def _repaired(text: str, *, only_one: bool) -> Json:
    _, _, answer = text.rpartition("</think>")
    found = list(_found(answer.strip().removesuffix("```")))
    if not found:
        raise InvalidAnswer("there is no JSON in the answer")
    if only_one and len(found) > 1:
        raise InvalidAnswer("there are several values in the answer")
    _, _, value = max(found, key=lambda one: one[:2])
    return value


def _found(text: str) -> Iterator[tuple[bool, int, Json]]:
    """Every object and list outside of others: whether it is an object, its length, and what it says."""
    at = 0
    while opening := _OPENING.search(text, at):
        reader = _Reader(text, opening.start())
        try:
            value = reader.value()
        except _Stuck:
            at = max(reader.at, opening.end())
        else:
            at = reader.at
            yield isinstance(value, dict), at - opening.start(), None if value is _Nothing.NOTHING else value


class _Stuck(Exception):
    """What stands here is no JSON, however broken."""


class _Nothing(Enum):
    """Where a value should be and is none."""

    NOTHING = 0


_NOTHING = _Nothing.NOTHING
_OPENING = re.compile(r"[{\[]")
# Behind something, "#" begins a value: a colour, a channel.
_BLANK = re.compile(r"(?:\n[ \t]*#[^\n]*|\s|//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/)?)*")
_NUMBER = r"[+-]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_WORD = r"(?:true|false|null|True|False|None|undefined|[+-]?(?:NaN|nan|Infinity|inf))"
_PLAIN = re.compile(rf"({_NUMBER}|{_WORD})(?=\s|[,\]}})\"'“]|//|/\*|$)")
_BARE = re.compile(r"[^\s,:{}\[\]()\"'“”][^,{}\[\]\n]*")
_BARE_KEY = re.compile(r"[^\s,:{}\[\]()\"'“”]{1,128}")
# What stands at the opening quote, and where a text may end: at a closing quote that is not escaped.
_QUOTES = {opening: re.compile(rf"\\.|{closing}", re.DOTALL) for opening, closing in ('""', "''", "“”", "‘’")}
_WORDS: dict[str, Json] = {"true": True, "True": True, "false": False, "False": False}

_KEY = r"(?:\"[^\"\n]{0,128}\"|'[^'\n]{0,128}'|“[^”\n]{0,128}”|[^\s,:{}\[\]()\"']{1,128})\s*:"
# What follows a quote that ends a text; any other quote is taken for a part of it.
_AFTER_KEY = re.compile(r"\s*:")
_AFTER_FIELD = re.compile(rf"\s*(?:$|[}}\])]|//|/\*|,\s*(?:$|[}}\])]|{_KEY})|{_KEY})")
_AFTER_ITEM = re.compile(r"\s*(?:$|[}\]),]|//|/\*)")
_INNER_QUOTES = 8
"""Quotes looked at before the first is taken for the end; what bounds the time."""


class _Reader:
    """Reads one value, from ``at`` on, which is left where reading stopped."""

    def __init__(self, text: str, at: int) -> None:
        self._text = text
        self.at = at

    def value(self, depth: int = 0, after: re.Pattern[str] = _AFTER_ITEM) -> Json | _Nothing:
        match self._here():
            case "{":
                return self._object(depth + 1)
            case "[" | "(":
                return self._list(depth + 1)
            case "" | "," | "}" | "]" | ")":
                return _NOTHING
            case quote if quote in _QUOTES:
                return self._quoted(after)
            case _:
                return self._unquoted()

    def _object(self, depth: int) -> dict[str, Json]:
        self._enter(depth)
        fields: dict[str, Json] = {}
        while (here := self._here()) not in ("", "}", "]", ")"):
            if here == ",":
                self.at += 1
                continue
            key = self._quoted(_AFTER_KEY) if here in _QUOTES else self._taken(_BARE_KEY)
            colon = self._here()
            if colon not in (":", ""):
                raise _Stuck
            self.at += len(colon)
            value = self.value(depth, _AFTER_FIELD)
            if value is not _NOTHING:
                fields[key] = value
        self._leave("}")
        return fields

    def _list(self, depth: int) -> list[Json]:
        self._enter(depth)
        items: list[Json] = []
        while (here := self._here()) not in ("", "}", "]", ")"):
            if here == ",":
                self.at += 1
                continue
            item = self.value(depth)
            if item is not _NOTHING:
                items.append(item)
        self._leave("])")
        return items

    def _enter(self, depth: int) -> None:
        if depth > DEEPEST:
            raise InvalidAnswer(f"the answer is nested deeper than {DEEPEST}", mend="ask for a flatter answer")
        self.at += 1

    def _leave(self, closings: str) -> None:
        """Go past the closing mark; another one ends what is around as well."""
        if self.at < len(self._text) and self._text[self.at] in closings:
            self.at += 1

    def _here(self) -> str:
        """The next character that means something; empty at the end."""
        blank = _BLANK.match(self._text, self.at)
        self.at = blank.end() if blank else self.at
        return self._text[self.at : self.at + 1]

    def _taken(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._text, self.at)
        if found is None:
            raise _Stuck
        self.at = found.end()
        return found[0]

    def _quoted(self, after: re.Pattern[str]) -> str:
        start = self.at + 1
        end = self._end_of_text(_QUOTES[self._text[self.at]], start, after)
        self.at = min(end + 1, len(self._text))
        return _unescaped(self._text[start:end])

    def _end_of_text(self, ends: re.Pattern[str], start: int, after: re.Pattern[str]) -> int:
        first: int | None = None
        seen = 0
        for mark in ends.finditer(self._text, start):
            if mark[0].startswith("\\"):
                continue
            if after.match(self._text, mark.end()):
                return mark.start()
            first = mark.start() if first is None else first
            seen += 1
            if seen == _INNER_QUOTES:
                break
        return len(self._text) if first is None else first

    def _unquoted(self) -> Json | _Nothing:
        if plain := _PLAIN.match(self._text, self.at):
            self.at = plain.end()
            return _plain(plain[0])
        words = re.split(r"\s(?://|/\*)", self._taken(_BARE))[0].rstrip()
        if words in ("...", "…"):
            return _NOTHING
        return self._begun(words)

    def _begun(self, words: str) -> Json | _Nothing:
        """What ``words`` mean: at the end of the text, perhaps the beginning of a literal or a number."""
        if self.at == len(self._text):
            if words in ("-", "+"):
                return _NOTHING
            if literal := next((one for one in ("true", "false", "null") if one.startswith(words)), None):
                return _plain(literal)
            if number := re.fullmatch(rf"({_NUMBER})[eE][+-]?", words):
                return _plain(number[1])
        return words.rstrip(")")


def _plain(word: str) -> Json:
    if re.fullmatch(_WORD, word):
        return _WORDS.get(word)
    try:
        return int(word) if re.fullmatch(r"[+-]?[\d_]+", word) else _finite(word)
    except ValueError as error:
        raise _Stuck from error


_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|U([0-9A-Fa-f]{8})|u[0-9A-Fa-f]{0,3}$|(.)|$)", re.DOTALL)
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", '"': '"', "'": "'", "\n": ""}


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    return _PAIR.sub(_joined, _ESCAPE.sub(_letter, text))


def _letter(escape: re.Match[str]) -> str:
    if code := escape[1] or escape[2] or escape[3]:
        return chr(int(code, 16)) if int(code, 16) <= 0x10FFFF else "\ufffd"
    # An unknown escape is mostly a backslash that was meant: a path, a pattern.
    return _LETTERS.get(escape[4], escape[0]) if escape[4] else ""


def _joined(pair: re.Match[str]) -> str:
    return pair[0].encode("utf-16", "surrogatepass").decode("utf-16")
