"""TF-IDF over pairs of characters: the documented index, for every language alike.

A text's features are its characters and its pairs of characters (n-grams up to 2), or its words. A feature weighs
tf / max tf * ln((N + 1) / (df + 1)), and one whose second factor is below 0.1 is left out, for it is in nearly every
text; with fewer than three texts the first factor alone counts. Texts are compared by the cosine.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

Features = Callable[[str], Iterable[str]]
Weights = dict[str, float]

LEAST_IDF = 0.1
FEW_TEXTS = 3
FEW_FEATURES = 5
"""Fewer are shared by chance: a short word has most of its pairs in any long text."""
LONGEST = 20_000
"""Characters of a text that are looked at."""


def character_pairs(text: str) -> Iterator[str]:
    """The characters of ``text`` and the pairs of those that follow each other, without spaces at their edges."""
    plain = " ".join(unicodedata.normalize("NFKC", text[:LONGEST]).casefold().split())
    for place, char in enumerate(plain):
        if char != " ":
            yield char
            if place + 1 < len(plain) and plain[place + 1] != " ":
                yield plain[place : place + 2]


def telling_pairs(text: str) -> Iterator[str]:
    """As ``character_pairs``, without single letters of an alphabet, which every text has."""
    return (feature for feature in character_pairs(text) if len(feature) > 1 or not feature.isascii())


class TfIdf:
    """Texts by their keys. Not shared between threads."""

    def __init__(self, features: Features = character_pairs) -> None:
        self._features = features
        self._counts: dict[str, Counter[str]] = {}
        self._holders: dict[str, set[str]] = {}

    def __len__(self) -> int:
        return len(self._counts)

    def __contains__(self, key: str) -> bool:
        return key in self._counts

    def add(self, key: str, text: str) -> None:
        """Take in a text; one under the same key gives way."""
        self.remove(key)
        counts = Counter(self._features(text))
        self._counts[key] = counts
        for feature in counts:
            self._holders.setdefault(feature, set()).add(key)

    def remove(self, key: str) -> None:
        """Let a text go; an unknown one is none."""
        for feature in self._counts.pop(key, ()):
            holders = self._holders[feature]
            holders.discard(key)
            if not holders:
                del self._holders[feature]

    def search(self, query: str, most: int, *, above: float = 0.0) -> list[tuple[str, float]]:
        """The keys of the texts nearest to ``query``, best first, with their cosines; only those over ``above``."""
        asked = self.weights(Counter(self._features(query)))
        near = {key for feature in asked for key in self._holders[feature]}
        scores = {key: cosine(asked, self.weights(self._counts[key])) for key in near}
        best = sorted((key for key in scores if scores[key] > above), key=lambda key: (-scores[key], key))
        return [(key, scores[key]) for key in best[:most]]

    def shared(self, query: str, key: str) -> float:
        """Which share of the features of ``query`` the text under ``key`` has; 0 for a query of too few to tell."""
        asked, held = set(self._features(query)), self._counts.get(key, Counter())
        return sum(feature in held for feature in asked) / len(asked) if len(asked) >= FEW_FEATURES else 0.0

    def weights(self, counts: Mapping[str, int]) -> Weights:
        """The vector of a text; features that no text has are left out."""
        most = max(counts.values(), default=1)
        known = ((feature, count) for feature, count in counts.items() if feature in self._holders)
        weighed = ((feature, count / most * self._idf(feature)) for feature, count in known)
        return {feature: weight for feature, weight in weighed if weight > 0}

    def _idf(self, feature: str) -> float:
        if len(self._counts) < FEW_TEXTS:
            return 1.0
        idf = math.log((len(self._counts) + 1) / (len(self._holders[feature]) + 1))
        return idf if idf >= LEAST_IDF else 0.0


def cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """How alike two vectors are: 0 to 1, 0 where one is empty."""
    few, many = sorted((one, other), key=len)
    dot = sum(weight * many[feature] for feature, weight in few.items() if feature in many)
    if not dot:
        return 0.0
    return dot / math.sqrt(sum(weight**2 for weight in one.values()) * sum(weight**2 for weight in other.values()))
