"""Finds the passages that answer a question, by their words.

BM25 of SQLite's FTS5 over the words of a passage, its headings, and the title and name of its file. A passage beside
one that was found too gains by it (``NEIGHBOUR``). The set of candidates is bounded: words that stand in thousands of
passages choose none where rarer ones can. Where pairs of characters find too little, single ones fill up the
end. A passage that stands in several files word for word comes once.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion.knowledge.terms import Asked, asked_for, match_any, match_beginnings, plain

if TYPE_CHECKING:
    import apsw

DEFAULT_HITS = 5
MOST_HITS = 50
NEIGHBOUR = 0.25
"""The share of its better neighbour's score that a passage gains."""
_LEAST_WORTH = 0.25
_CHOICE = 120
"""Candidates that common words choose among."""
_COMMON_FROM = (3_000, 30_000)
"""Passages in which a word stands to be common; the second, if all words of the question are by the first."""
_WIDER = 4
"""Candidates for each hit that is wanted."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that answers, and where it stands.

    name: the file below the folder it was found in. title: what the file calls itself.
    headings: the path of headings the passage stands under, the outermost first.
    page, line: where it begins, from 1; 0 where the file has none.
    score: the higher the better; compare within one answer.
    before, after: the passages beside it in the file; empty where there are none.
    """

    text: str
    file: Path
    name: str
    title: str
    headings: tuple[str, ...]
    page: int
    line: int
    score: float
    before: str = ""
    after: str = ""


class _Found(NamedTuple):
    id: int
    file: int
    number: int
    score: float


def find(connection: apsw.Connection, question: str, k: int) -> tuple[Hit, ...]:
    """The ``k`` best passages, the best first; ``DEFAULT_HITS`` for zero or less. Blocks."""
    want = min(k, MOST_HITS) if k > 0 else DEFAULT_HITS
    candidates = _candidates(connection, asked_for(question), want)
    hits: list[Hit] = []
    texts: set[str] = set()
    for found in candidates:
        if len(hits) == want:
            break
        hit = _hit(connection, found)
        if hit is not None and hit.text not in texts:
            texts.add(hit.text)
            hits.append(hit)
    return tuple(hits)


def _candidates(connection: apsw.Connection, asked: Asked, want: int) -> list[_Found]:
    most = (want + 1) * _WIDER
    found = _by_words(connection, asked.words, most)
    if len(found) >= want or not asked.single:
        return found
    have = {each.id for each in found}
    others = _matches(connection, match_beginnings(asked.single), most)
    floor = min((each.score for each in found), default=0.0)
    # Behind all that was found by more than a character.
    return found + [each._replace(score=min(each.score, floor)) for each in others if each.id not in have]


def _by_words(connection: apsw.Connection, words: tuple[str, ...], most: int) -> list[_Found]:
    """The best by their rarer words; common ones, which would cost a walk through half the index, only add to that."""
    rare, bound = _rarer(connection, words)
    if not rare:
        return []
    common = set(words).difference(rare)
    if not common:
        return _with_neighbours(_matches(connection, match_any(rare), most))
    found = _matches(connection, match_any(rare), max(most, _CHOICE))
    return _with_common(connection, _with_neighbours(found), common, bound)


def _rarer(connection: apsw.Connection, words: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
    """The words that stand in fewer passages than a bound, and that; all of them where each stands in more."""
    for bound in _COMMON_FROM:
        counts = {word: _count(connection, word, bound) for word in words}
        rare = tuple(word for word in words if 0 < counts[word] < bound)
        if rare or not any(counts.values()):
            return rare, bound
    return words, 0


def _count(connection: apsw.Connection, word: str, bound: int) -> int:
    found = connection.execute(
        "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)", (match_any((word,)), bound)
    ).get
    return int(str(found))


def _with_common(connection: apsw.Connection, found: list[_Found], common: set[str], bound: int) -> list[_Found]:
    """What a common word says by BM25's weight for one that stands in twice as many passages as the bound."""
    passages = int(str(connection.execute("SELECT max(id) FROM passages").get))
    worth = max(math.log(passages / (2 * bound)), _LEAST_WORTH)

    def gain(each: _Found) -> float:
        text = connection.execute("SELECT text FROM passages WHERE id = ?", (each.id,)).get
        terms = plain(str(text)).casefold()
        return worth * sum(word in terms for word in common)

    return _best_first(each._replace(score=each.score + gain(each)) for each in found)


def _matches(connection: apsw.Connection, match: str, most: int) -> list[_Found]:
    rows = connection.execute(
        "SELECT p.id, p.file, p.number, -found.rank FROM"
        " (SELECT rowid, rank FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?) AS found"
        " JOIN passages AS p ON p.id = found.rowid ORDER BY found.rank, p.id",
        (match, most),
    )
    return [_Found(*row) for row in rows]


def _with_neighbours(found: list[_Found]) -> list[_Found]:
    scores = {(each.file, each.number): each.score for each in found}

    def beside(each: _Found) -> float:
        return max(scores.get((each.file, each.number + step), 0.0) for step in (-1, 1))

    return _best_first(each._replace(score=each.score + NEIGHBOUR * beside(each)) for each in found)


def _best_first(found: Iterable[_Found]) -> list[_Found]:
    return sorted(found, key=lambda each: (-each.score, each.id))


def _hit(connection: apsw.Connection, found: _Found) -> Hit | None:
    row = connection.execute(
        "SELECT f.root, f.path, f.title, p.headings, p.page, p.line, p.text FROM passages AS p"
        " JOIN files AS f ON f.id = p.file WHERE p.id = ?",
        (found.id,),
    ).fetchone()
    if row is None:  # it went between the two questions
        return None
    root, path, title, headings, page, line, text = row
    beside = dict(
        connection.execute(
            "SELECT number, text FROM passages WHERE file = ? AND number IN (?, ?)",
            (found.file, found.number - 1, found.number + 1),
        )
    )
    return Hit(
        text=text,
        file=Path(os.fsdecode(root)) / os.fsdecode(path),
        name=os.fsdecode(path),
        title=title,
        headings=tuple(json.loads(headings)),
        page=page,
        line=line,
        score=found.score,
        before=beside.get(found.number - 1, ""),
        after=beside.get(found.number + 1, ""),
    )
