"""Whether a text names somebody or something: the whole name, as words of its own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from companion.memory.words import words_of

_LATIN = r"a-z0-9\u00c0-\u024f"


@lru_cache(256)
def naming(name: str) -> Callable[[str], bool]:
    """Tells of a text whether it holds ``name``, whatever its case and width; of an empty name, that every text does.

    "Ann" is in "Ann's" and in "to Ann.", not in "Anna". Where words are written without spaces, any place will do.
    A name that is a word of every sentence too, as "Will", is one only with a capital within a sentence.
    """
    plain = _plain(name)
    if not plain:
        return lambda text: True
    if not words_of(name):
        within = re.compile(rf"(?<=[^\s.!?] ){re.escape(name.strip().title())}(?![a-zA-Z])")
        return lambda text: within.search(text) is not None
    words = r"\s+".join(map(re.escape, plain.split()))
    pattern = re.compile(rf"(?<![{_LATIN}]){words}(?![{_LATIN}])" if _is_latin(plain) else words)
    return lambda text: pattern.search(_plain(text)) is not None


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()


def _is_latin(plain: str) -> bool:
    return re.match(rf"[{_LATIN}]", plain) is not None
