"""English words without their endings, so that "painted" and "painting" are one.

After M. F. Porter, "An algorithm for suffix stripping", Program 14 (1980). Words of fewer than three letters, and
words with others than the 26, stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

_SECOND = (
    *(("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("abli", "able")),
    *(("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate")),
    *(("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous")),
    *(("aliti", "al"), ("iviti", "ive"), ("biliti", "ble")),
)
_THIRD = (
    *(("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", "")),
)
_FOURTH = (
    "ement ance ence able ible ment ant ent ism ate iti ous ive ize sion tion al er ic ou".split()  # longest first
)
_PLAIN = re.compile(r"[a-z]{3,}")
_MEASURE = re.compile(r"v+c+")


@lru_cache(32_768)
def stem(word: str) -> str:
    """The stem of a word in lower case."""
    if not _PLAIN.fullmatch(word):
        return word
    word = _past(_plural(word))
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _replaced(_replaced(word, _SECOND), _THIRD)
    return _tidied(_without_fourth(word))


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        if word.endswith(ending) and _has_vowel(bare := word[: -len(ending)]):
            return _mended(bare)
    return word


def _mended(bare: str) -> str:
    """What "-ed" and "-ing" have left, as the word is written without them."""
    if bare.endswith(("at", "bl", "iz")):
        return bare + "e"
    if _ends_double(bare) and bare[-1] not in "lsz":
        return bare[:-1]
    return bare + "e" if _measure(bare) == 1 and _ends_short(bare) else bare


def _replaced(word: str, endings: Sequence[tuple[str, str]]) -> str:
    for ending, instead in endings:
        if word.endswith(ending):
            bare = word[: -len(ending)]
            return bare + instead if _measure(bare) > 0 else word
    return word


def _without_fourth(word: str) -> str:
    for ending in _FOURTH:
        if word.endswith(ending):
            # Of "-sion" and "-tion" the first letter is the stem's.
            bare = word[:-3] if ending in ("sion", "tion") else word[: -len(ending)]
            return bare if _measure(bare) > 1 else word
    return word


def _tidied(word: str) -> str:
    if word.endswith("e"):
        bare = word[:-1]
        measure = _measure(bare)
        if measure > 1 or (measure == 1 and not _ends_short(bare)):
            word = bare
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word


def _shape(word: str) -> str:
    """ "v" for each vowel and "c" for each consonant; a "y" behind a consonant is a vowel."""
    shape: list[str] = []
    for letter in word:
        is_vowel = letter in "aeiou" or (letter == "y" and bool(shape) and shape[-1] == "c")
        shape.append("v" if is_vowel else "c")
    return "".join(shape)


def _measure(word: str) -> int:
    """How often consonants follow vowels: the "m" of the paper."""
    return len(_MEASURE.findall(_shape(word)))


def _has_vowel(word: str) -> bool:
    return "v" in _shape(word)


def _ends_double(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _shape(word)[-1] == "c"


def _ends_short(word: str) -> bool:
    """Consonant, vowel, consonant, and the last is none of w, x and y."""
    return _shape(word).endswith("cvc") and word[-1] not in "wxy"
