"""Brings what a recogniser wrote into the one plain form that rules are matched against.

Lower case, no punctuation, "a.m." as "am", "1,000" as "1000", "10-minute" as two tokens, signs of
arithmetic as tokens of their own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

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
