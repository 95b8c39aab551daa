"""Finding the entities a question is about, by bounded look-ups: never all that hold a common word.

A name or an alias said as a whole counts most, then the words of a name by how rare they are. A word that very many
names have says nothing alone; with others it tells between them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

import apsw

from companion.memory.graph.names import WORD, bigrams, find, has_chinese, key_of, pieces, words_of

MOST_KEYWORDS = 24
_COMMON = 200
"""Names. A word that more have says nothing alone."""
_LONGEST_PHRASE = 4
"""Words of a name that is looked up as a whole."""
_OWNING = re.compile(r"['’]s?$")
"""What is asked of "Emma's job" is asked of Emma."""
_LONGEST_RUN = 6
"""Characters of a Chinese name within a sentence."""
_FEW_CHARACTERS = 2
_WHOLE = 4.0
"""What a whole name counts beside its words."""
_SEED = 3.0
"""Less than a name that was said: who speaks is always meant a little."""


def keywords_in(given: Iterable[str]) -> list[str]:
    """The single words of keywords, in order, each once; no more than may be looked up."""
    words = (word for keyword in given for word in words_of(key_of(keyword)))
    return list(dict.fromkeys(words))[:MOST_KEYWORDS]


def entities_for(
    connection: apsw.Connection, keywords: Sequence[str], seeds: Sequence[str], most: int
) -> dict[int, float]:
    """The best ``most`` entities and how well they fit; seeds are names, keywords words of a question."""
    scores: dict[int, float] = {}
    for seed in seeds[:MOST_KEYWORDS]:
        if (number := find(connection, seed)) is not None:
            scores[number] = max(scores.get(number, 0.0), _SEED)
    for number, score in _by_phrase(connection, keywords).items():
        scores[number] = max(scores.get(number, 0.0), score)
    for number, score in _by_word(connection, keywords_in(keywords)).items():
        scores[number] = scores.get(number, 0.0) + score
    best = sorted(scores, key=lambda number: (-scores[number], number))
    return {number: scores[number] for number in best[:most]}


def _by_phrase(connection: apsw.Connection, keywords: Sequence[str]) -> dict[int, float]:
    found: dict[int, float] = {}
    said = [key_of(keyword) for keyword in keywords[:MOST_KEYWORDS]]
    words = [word for keyword in said for word in keyword.split()][:MOST_KEYWORDS]
    phrases = dict.fromkeys(said)
    for length in range(1, _LONGEST_PHRASE + 1):
        phrases |= dict.fromkeys(" ".join(words[at : at + length]) for at in range(len(words) - length + 1))
    phrases |= dict.fromkeys(_OWNING.sub("", phrase) for phrase in phrases if _OWNING.search(phrase))
    for run in filter(has_chinese, words):
        # There are no spaces between words, so that a name may begin anywhere.
        phrases |= dict.fromkeys(sorted(piece for piece in pieces(run, _LONGEST_RUN) if len(piece) > 1))
    for phrase in phrases:
        if phrase and (number := find(connection, phrase)) is not None:
            found[number] = max(found.get(number, 0.0), _WHOLE + len(phrase.split()))
    return found


def _by_word(connection: apsw.Connection, words: Sequence[str]) -> dict[int, float]:
    holders = {word: _holders(connection, word) for word in words}
    rare = {word: found for word, found in holders.items() if 0 < len(found) <= _COMMON}
    common = [word for word, found in holders.items() if len(found) > _COMMON]
    scores: dict[int, float] = {}
    for found in rare.values():
        for number in found:
            scores[number] = scores.get(number, 0.0) + 1 / (1 + math.log(len(found)))
    if not rare and len(common) > 1:
        scores = dict.fromkeys(holders[common[0]][:_COMMON], 0.0)
    for number in scores:
        scores[number] += sum(0.1 for word in common if _has_part(connection, WORD + word, number))
    return {number: score for number, score in scores.items() if score > 0}


def _holders(connection: apsw.Connection, word: str) -> list[int]:
    """Entities with that word in a name; no more than one beyond the bound."""
    if found := _with_part(connection, WORD + word, _COMMON + 1):
        return found
    if has_chinese(word):
        return _with_pieces(connection, word)
    return _beginning(connection, WORD + word) if len(word) > _FEW_CHARACTERS else []


def _with_part(connection: apsw.Connection, part: str, most: int) -> list[int]:
    rows = connection.execute("SELECT entity_id FROM name_parts WHERE part = ? LIMIT ?", (part, most))
    return [int(number) for (number,) in rows]


def _beginning(connection: apsw.Connection, part: str) -> list[int]:
    sql = "SELECT DISTINCT entity_id FROM name_parts WHERE part >= ? AND part < ? LIMIT ?"
    rows = connection.execute(sql, (part, f"{part}\U0010ffff", _COMMON + 1))
    return [int(number) for (number,) in rows]


def _with_pieces(connection: apsw.Connection, word: str) -> list[int]:
    """Entities whose name has some of the pairs of characters of a Chinese sentence; those with most of them first."""
    if len(word) < _FEW_CHARACTERS:
        return _beginning(connection, WORD + word)
    counts: dict[int, int] = {}
    for pair in sorted(bigrams(word)):
        found = _with_part(connection, pair, _COMMON + 1)
        for number in found if len(found) <= _COMMON else ():
            counts[number] = counts.get(number, 0) + 1
    return sorted(counts, key=lambda number: (-counts[number], number))[: _COMMON // 4]


def _has_part(connection: apsw.Connection, part: str, number: int) -> bool:
    sql = "SELECT 1 FROM name_parts WHERE part = ? AND entity_id = ?"
    return connection.execute(sql, (part, number)).fetchone() is not None
