"""How well the words of a question are found in documents: BM25.

Source: S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with k1 = 1.2 and
b = 0.75; how rare a word is comes of the documents at hand. Words lose a plain English ending; Chinese, Japanese and
Korean, which set no spaces, count by pairs of characters.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

_K1, _B = 1.2, 0.75
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|[^\W_]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_COMMON = frozenset(
    "a an and are as at be by can could did do does for from had has have he her his how i in is it its me my of on "
    "or our she so that the their them they this to was we were what when where which who why will with would you "
    "your".split()
)
"""Words that hardly tell one document from another."""
_SHORTEST_STEM = 3


def words_of(text: str) -> list[str]:
    """What of ``text`` can be looked for."""
    found: list[str] = []
    for word in _WORD.findall(text.lower()):
        if _UNSPACED.match(word):
            found += [word[at : at + 2] for at in range(max(len(word) - 1, 1))]
        elif word not in _COMMON:
            found.append(_stem(word))
    return found


def _stem(word: str) -> str:
    """The word without the ending of a plural or a verb, as far as that is told by letters alone."""
    for ending, rest in (("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM and not word.endswith("ss"):
            return word.removesuffix(ending) + rest
    return word.removesuffix("e") if len(word) > _SHORTEST_STEM else word


def lexical_scores(query: str, documents: Sequence[str]) -> tuple[float, ...]:
    """The score of each document, 0 where none of the words is in it."""
    counts = [Counter(words_of(document)) for document in documents]
    lengths = [max(count.total(), 1) for count in counts]
    mean = sum(lengths) / max(len(lengths), 1)
    rarity = {word: _rarity(word, counts) for word in set(words_of(query))}
    return tuple(
        sum(rare * _weight(count[word], length / mean) for word, rare in rarity.items())
        for count, length in zip(counts, lengths, strict=True)
    )


def _rarity(word: str, counts: Sequence[Counter[str]]) -> float:
    having = sum(word in count for count in counts)
    return math.log(1 + (len(counts) - having + 0.5) / (having + 0.5))


def _weight(times: int, length: float) -> float:
    """How much a word that comes ``times`` times counts in a document ``length`` times as long as the mean."""
    return times * (_K1 + 1) / (times + _K1 * (1 - _B + _B * length))
