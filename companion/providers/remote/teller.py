"""Tells errors in the name of a provider, and never the key that it was asked with.

Providers repeat keys: in the words of an error, in the middle of an answer, in a web page of a gateway. So a key is
taken out of all that is told, before it is shortened: half a key that stands at its end would no more be found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from companion.dialects.faults import Spoken, spoken
from companion.errors import ModelError
from companion.model.deltas import Delta, Finished

HIDDEN: Final = "***"
_DOTS: Final = "..."
_LEAST: Final = 4
"""Letters of the beginning of a key by which it is known where a text was cut."""

_PIECE: Final = 8
"""Letters of a key by which it is known anywhere."""

E = TypeVar("E", bound=ModelError)


@dataclass(frozen=True, slots=True, repr=False)
class Teller:
    """title: of the provider; empty where whoever is told knows whose error it is.

    key: that it was asked with; empty where it wants none.
    """

    title: str
    key: str = ""

    def told(self, error: E) -> E:
        """``error``, whose words now begin with the provider's title and hold no key. Telling it twice is as once."""
        words = error.args[0] if error.args else ""
        said = str(spoken(self.words(words.whole)) if isinstance(words, Spoken) else self.words(str(words)))
        # A single argument, as all of our errors have: their words.
        title = f"{self.title}: " if self.title else ""
        error.args = (said if said.startswith(title) else title + said,)
        return error

    def words(self, text: str) -> str:
        """The text without the key and longer pieces of it, and without its beginning at the end of the text."""
        if not self.key:
            return text
        text = _without_pieces(self.key, re.sub(_spellings(self.key), HIDDEN, text))
        kept = text.removesuffix(_DOTS)
        for size in range(min(len(self.key) - 1, len(kept)), _LEAST - 1, -1):
            if kept.endswith(self.key[:size]):
                return f"{kept[:-size]}{HIDDEN}"
        return text

    def deltas(self, deltas: Iterable[Delta]) -> Iterator[Delta]:
        """Why an answer was refused becomes an error, elsewhere."""
        for one in deltas:
            if type(one) is Finished and (one.refusal or one.reason):
                yield replace(one, refusal=self.words(one.refusal), reason=self.words(one.reason))
            else:
                yield one


def _spellings(key: str) -> str:
    """A regular expression of the key as it may be written in JSON, HTML and URLs; nobody escapes plain letters."""
    return "".join(letter if letter.isalnum() else _escapes(letter) for letter in key)


def _without_pieces(key: str, text: str) -> str:
    """Providers shorten keys themselves, and show the half of one."""
    pieces = {key[at : at + _PIECE] for at in range(len(key) - _PIECE + 1)}
    if not any(piece in text for piece in pieces):
        return text
    hidden = {
        place
        for at in range(len(text) - _PIECE + 1)
        if text[at : at + _PIECE] in pieces
        for place in range(at, at + _PIECE)
    }
    shown = (HIDDEN if at in hidden else letter for at, letter in enumerate(text) if {at, at - 1} - hidden)
    return "".join(shown)


def _escapes(letter: str) -> str:
    code = ord(letter)
    return rf"(?:\\?{re.escape(letter)}|(?i:\\u{code:04x}|%{code:02x}|&#x?0*(?:{code}|{code:x});)|&(?:amp|lt|gt|quot);)"
