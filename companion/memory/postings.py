"""Where the words of a question stand: for each word the passages that have it, never more than a bounded number.

A rare word gives all its passages. Of a common one come the newest, and those that have it together with another
word of the question; how common it is, is reckoned from how far back its newest ones reach. So a question
costs the same with ten thousand passages and with a million.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import apsw

from companion.memory.passages import PLACE_BITS, Kind, quoted

MOST_ROWS = 2_000
"""Passages of one word."""
MOST_WORDS = 24
"""Words of a question that are looked up."""
_MOST_TOGETHER = 500
"""Passages of two common words together."""
_PAIRS = 6
_TOO_COMMON = 0.05
"""Of all passages. A word that more have is not looked for together with others."""
_MATCH = "SELECT rowid FROM text_words WHERE text_words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?"


class Posting(NamedTuple):
    """One word of a question."""

    word: str
    rows: Any
    """Numbers of passages that have it, as an array of 64-bit integers, rising."""
    idf: float
    """How much it tells: 1 for a word that one passage has, near 0 for one that all have."""


class _Found(NamedTuple):
    word: str
    rows: list[int]
    holders: float
    """Passages that have it, as far as can be told."""
    is_whole: bool


def postings(connection: apsw.Connection, kind: Kind, words: Sequence[str]) -> list[Posting]:
    """Where ``words`` stand, for those that stand anywhere."""
    import numpy as np

    total, groups = _size(connection, kind)
    if not total:
        return []
    found = [_newest(connection, kind, word, total, groups) for word in words[:MOST_WORDS]]
    more = _together(connection, kind, found, total)
    scale = math.log(1 + total)
    answer: list[Posting] = []
    for word, rows, holders, _ in found:
        if rows:
            places = np.unique(np.asarray(rows + more.get(word, []), dtype=np.int64))
            answer.append(Posting(word, places, math.log(1 + (total - holders + 0.5) / (holders + 0.5)) / scale))
    return answer


def _size(connection: apsw.Connection, kind: Kind) -> tuple[int, int]:
    """How many passages there are, and the number of the newest group within its kind."""
    first, last = (row >> PLACE_BITS for row in kind.rows)
    sql = "SELECT max(id) FROM text_groups WHERE id BETWEEN ? AND ?"
    newest = connection.execute(sql, (first, last)).get
    sized = connection.execute("SELECT passages FROM text_sizes WHERE kind = ?", (int(kind),)).get
    return int(sized or 0), int(newest) - first if newest else 0


def _newest(connection: apsw.Connection, kind: Kind, word: str, total: int, groups: int) -> _Found:
    first, last = kind.rows
    rows = _rows(connection, quoted(word), first, last, MOST_ROWS)
    if len(rows) < MOST_ROWS:
        return _Found(word, rows, len(rows), is_whole=True)
    reach = groups - (rows[-1] - first >> PLACE_BITS) + 1
    return _Found(word, rows, min(total, MOST_ROWS * max(1.0, groups / reach)), is_whole=False)


def _together(connection: apsw.Connection, kind: Kind, found: list[_Found], total: int) -> dict[str, list[int]]:
    """Further passages of common words: those that have a rare word of the question too, or another common one."""
    rare = [quoted(word.word) for word in found if word.is_whole and word.rows]
    common = sorted((word for word in found if not word.is_whole), key=lambda word: word.holders)
    telling = [word for word in common if word.holders <= total * _TOO_COMMON]
    more: dict[str, list[int]] = {word.word: [] for word in common}
    first, last = kind.rows
    for word in common if rare else ():
        with_rare = f"({' OR '.join(rare)}) AND {quoted(word.word)}"
        more[word.word] += _rows(connection, with_rare, first, last, MOST_ROWS)
    for one, other in list(combinations(telling, 2))[:_PAIRS]:
        both = _rows(connection, f"{quoted(one.word)} AND {quoted(other.word)}", first, last, _MOST_TOGETHER)
        more[one.word] += both
        more[other.word] += both
    return more


def _rows(connection: apsw.Connection, match: str, first: int, last: int, most: int) -> list[int]:
    return [row for (row,) in connection.execute(_MATCH, (match, first, last, most))]
