"""Whether two names may mean the same, and why one thinks so.

Nearness is that of Jaccard over the sets of pairs of characters, as the source document has it: strictly more than a
half makes two names worth asking about. Beside it: one name within the other, by whole words ("Anna", "Anna Meier");
and names that are alike once a title is off ("Mr Smith", "John Smith"; 张先生, 张三). A Chinese name that another only
goes on (张三, 张三四) is somebody else's.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from companion.memory.graph.names import bigrams, has_chinese, words_of

THRESHOLD = 0.5
"""Strictly above it two names are worth asking about."""
_TITLES = frozenset(
    "mr mrs ms miss mister madam sir dr doctor prof professor uncle aunt auntie grandma grandpa herr frau "
    "the a an my".split()
)
_TITLES_BEHIND = re.compile(r"(?:先生|女士|太太|小姐|老师|医生|大夫|教授|经理|师傅|阿姨|叔叔|爷爷|奶奶|同学|总)$")
_TITLES_BEFORE = re.compile(r"^(?:老|小|阿)(?=.$)")
_PLACES_BEHIND = re.compile(r"(?<=..)(?:市|省|县|区|公司)$")


class Alike(StrEnum):
    """Why two names are worth asking about."""

    LETTERS = "letters"
    CONTAINED = "contained"
    TITLE = "title"
    ALIAS = "alias"
    MEANING = "meaning"


def jaccard(one: str, other: str) -> float:
    """The shared part of all their pairs of characters, 0 to 1. Under two characters nothing is like anything else."""
    if one == other:
        return 1.0
    if min(len(one), len(other)) < 2:
        return 0.0
    first, second = bigrams(one), bigrams(other)
    return len(first & second) / len(first | second)


def why_alike(one: str, other: str) -> Alike | None:
    """Why two keys may name the same; None where they do not seem to."""
    if jaccard(one, other) > THRESHOLD:
        return Alike.LETTERS
    if _is_within(one, other) or _is_within(other, one):
        return Alike.CONTAINED
    if _fits_untitled(one, other) or _fits_untitled(other, one):
        return Alike.TITLE
    return None


@lru_cache(8192)
def untitled(key: str) -> str:
    """A key without titles; the key itself where nothing would be left."""
    if has_chinese(key):
        bare = _TITLES_BEFORE.sub("", _PLACES_BEHIND.sub("", _TITLES_BEHIND.sub("", key)))
    else:
        bare = " ".join(word for word in words_of(key) if word not in _TITLES)
    return bare or key


def _is_within(short: str, long: str) -> bool:
    if has_chinese(short) or has_chinese(long):
        # A given name without its family name; not a longer name that begins alike.
        return 2 <= len(short) < len(long) and len(long) - len(short) <= 2 and long.endswith(short)
    inner, outer = words_of(untitled(short)), words_of(untitled(long))
    return 0 < len(inner) < len(outer) and all(len(word) > 2 for word in inner) and set(inner) <= set(outer)


def _fits_untitled(titled: str, other: str) -> bool:
    bare, rest = untitled(titled), untitled(other)
    if bare == titled:
        return False
    if has_chinese(titled):
        # With a family name alone, anybody of that family may be meant.
        return bare == rest or (len(bare) <= 2 and has_chinese(rest) and rest.startswith(bare) and len(rest) <= 4)
    return bare == rest
