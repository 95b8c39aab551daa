"""Where a JSON list or object ends, in text that comes in pieces (RFC 8259).

It follows the form, not the values: an escape or a number that is none is found by whoever reads the whole. The time
is in proportion to the length, however the text is cut.
"""

from __future__ import annotations

import re
from enum import Enum

from companion.model.json_repair import DEEPEST

_BLANKS = " \t\r\n"
_QUOTED = re.compile(r'[^"\\]*')
_PLAIN = re.compile(r"[-+.0-9A-Za-z]*")
_WORD = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?|true|false|null|True|False|None")
_CLOSING = {"{": "}", "[": "]"}


class Verdict(Enum):
    """What a text is so far."""

    OPEN = "it may still become one"
    WHOLE = "it is one"
    BROKEN = "it can never be one"


class _Wanted(Enum):
    VALUE = "a value"
    FIRST_ITEM = "a value, or the end of a list"
    KEY = "a key"
    FIRST_KEY = "a key, or the end of an object"
    COLON = "a colon"
    MORE = "a comma or an end"


class JsonScan:
    """Follows one list or object from its first bracket on."""

    def __init__(self) -> None:
        self._nest: list[str] = []
        self._wanted = _Wanted.VALUE
        self._is_quoted = False
        self._is_escaped = False
        self._is_key = False
        self._word = ""

    def take(self, text: str, place: int = 0) -> tuple[Verdict, int]:
        """Follow ``text`` from ``place`` on; the place behind the value once it is whole, else where it broke or stops.

        What is open is gone on with by the text that comes behind; a scan that is not, is used up.
        """
        while place < len(text):
            if self._is_quoted:
                place = self._quoted(text, place)
                continue
            if self._is_in_word(text[place]):
                place = self._plain(text, place)
                continue
            if not self._word_fits():
                return Verdict.BROKEN, place
            if text[place] in _BLANKS:
                place += 1
                continue
            if not self._sign(text[place]):
                return Verdict.BROKEN, place
            place += 1
            if not self._nest:
                return Verdict.WHOLE, place
        return Verdict.OPEN, place

    def _quoted(self, text: str, place: int) -> int:
        """Behind the next quote or escape."""
        if self._is_escaped:
            self._is_escaped = False
            return place + 1
        run = _QUOTED.match(text, place)
        place = run.end() if run else place
        if place < len(text):
            self._is_escaped = text[place] == "\\"
            if not self._is_escaped:
                self._is_quoted = False
                self._wanted = _Wanted.COLON if self._is_key else _Wanted.MORE
            place += 1
        return place

    def _is_in_word(self, letter: str) -> bool:
        is_wanted = self._wanted in (_Wanted.VALUE, _Wanted.FIRST_ITEM) and bool(self._nest)
        return is_wanted and bool(_PLAIN.fullmatch(letter))

    def _plain(self, text: str, place: int) -> int:
        run = _PLAIN.match(text, place)
        end = run.end() if run else place
        self._word += text[place:end]
        return end

    def _word_fits(self) -> bool:
        word, self._word = self._word, ""
        if word:
            self._wanted = _Wanted.MORE
        return not word or _WORD.fullmatch(word) is not None

    def _sign(self, letter: str) -> bool:
        """Take one letter of the frame, and say whether it may stand here."""
        match self._wanted, letter:
            case ((_Wanted.VALUE | _Wanted.FIRST_ITEM), ("{" | "[")):
                self._nest.append(_CLOSING[letter])
                self._wanted = _Wanted.FIRST_KEY if letter == "{" else _Wanted.FIRST_ITEM
                return len(self._nest) <= DEEPEST
            case ((_Wanted.VALUE | _Wanted.FIRST_ITEM | _Wanted.KEY | _Wanted.FIRST_KEY), '"') if self._nest:
                self._is_key = self._wanted in (_Wanted.KEY, _Wanted.FIRST_KEY)
                self._is_quoted = True
                return True
            case _Wanted.COLON, ":":
                self._wanted = _Wanted.VALUE
                return True
            case _Wanted.MORE, ",":
                self._wanted = _Wanted.KEY if self._nest[-1] == "}" else _Wanted.VALUE
                return True
            case ((_Wanted.MORE | _Wanted.FIRST_ITEM | _Wanted.FIRST_KEY), ("}" | "]")) if self._nest[-1] == letter:
                self._nest.pop()
                self._wanted = _Wanted.MORE
                return True
        return False
