"""Brings what a recogniser wrote into the one plain form that rules are matched against.

Lower case, no punctuation, "a.m." as "am", "1,000" as "1000", "10-minute" as two tokens, signs of
arithmetic as tokens of their own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field

_DOTTED_LETTERS = re.compile(r"\b([^\W\d_])\.\s?([^\W\d_])\b\.?")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_HYPHEN = re.compile(r"(?<=[^\W_])-(?=[^\W\d_])|(?<=[^\W\d_])-(?=\d)")
_TOKEN = re.compile(
    r"\d+(?:st|nd|rd|th)\b"
    r"|\d+(?:[.:]\d+)*"
    r"|[^\W\d_]+(?:'[^\W\d_]+)*"
    r"|[%+*/^×÷√]|-(?=\s*\d)"
)


def plain_tokens(text: str) -> list[str]:
    """The tokens of ``text``, in plain form."""
    plain = unicodedata.normalize("NFKC", text).lower().replace("’", "'").replace("−", "-")
    plain = _DOTTED_LETTERS.sub(r"\1\2", plain)
    plain = _THOUSANDS.sub("", plain)
    return _TOKEN.findall(_HYPHEN.sub(" ", plain))


def plain_sentence(text: str, *, separator: str, replace: Mapping[str, str]) -> str:
    """``text`` in plain form, ``separator`` behind each token.

    replace: tokens (single characters where nothing separates words) to write otherwise; empty drops one.
    """
    tokens = plain_tokens(text)
    if not separator:
        tokens = list("".join(tokens))
    replaced = (replace.get(token, token) for token in tokens)
    return "".join(token + separator for token in replaced if token)


@dataclass(frozen=True, slots=True)
class Hearing:
    """How the sentences of one language are written before they are matched.

    spaces: whether they stand between words.
    replace: tokens to write otherwise (see ``plain_sentence``).
    heard_as: what a recogniser writes in place of a word.
    """

    spaces: bool = True
    replace: Mapping[str, str] = field(default_factory=dict)
    heard_as: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def separator(self) -> str:
        """What stands behind each token."""
        return " " if self.spaces else ""

    def plain(self, text: str) -> str:
        """``text`` in plain form."""
        return plain_sentence(text, separator=self.separator, replace=self.replace)

    def tokens(self, sentence: str) -> list[str]:
        """The tokens of a sentence in plain form."""
        return sentence.split() if self.spaces else list(sentence)

    def spellings(self, word: str) -> tuple[str, ...]:
        """What may be written for ``word``, in plain form."""
        plain = (self.plain(spelling) for spelling in (word, *self.heard_as.get(word, ())))
        return tuple(dict.fromkeys(plain))
