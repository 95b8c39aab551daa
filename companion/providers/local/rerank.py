"""A reranker of this machine: what a text means, blended with the words it has in common with the question."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import mul

from companion.errors import Unsupported
from companion.model.embed import EmbedBackend, Embedder, Vector
from companion.model.rerank import Ranked, Reranked, RerankRequest
from companion.providers.local.lexical import lexical_scores
from companion.stream.threads import finish_in_thread

MEANING = 0.75
"""How much meaning counts beside words. From 0.7 to 0.9 the measured quality is the same (docs/decisions/0019)."""
_HALF = 3.0
"""The lexical score that counts half: about one rare word that is found."""


class BlendedReranking:
    """A RerankBackend over vectors.

    The nearness of the vectors is spread from 0 for the farthest document to 1 for the nearest; the lexical score comes
    as ``s / (s + 3)``, so that a single common word moves little and a name much. Scores compare within one answer.

    embedding: makes the vectors. meaning: from 0, where only words count, to 1, where only vectors do.
    """

    def __init__(self, embedding: EmbedBackend, *, meaning: float = MEANING) -> None:
        if not 0 <= meaning <= 1:
            raise ValueError("meaning counts from 0 to 1")
        self._embedder = Embedder(embedding)
        self._meaning = meaning

    @property
    def name(self) -> str:
        return f"{self._embedder.name} and words"

    async def rerank(self, request: RerankRequest) -> Reranked:
        """The score of every document, by its meaning and its words.

        Raises:
            Unsupported: another model is asked for, or fields that no model of this machine knows.
            ModelError: as the embedding does.
        """
        if request.params.extra_fields or request.params.model not in ("", self.name):
            raise Unsupported(f"{self.name} ranks in one way only", mend="leave model and extra fields open")
        texts = (request.query, *request.documents) if self._meaning else ()
        answer = await self._embedder.ask(texts)
        scores = await finish_in_thread(lambda: self._scores(request, answer.vectors))
        return Reranked(tuple(Ranked(place, score) for place, score in enumerate(scores)), answer.usage)

    def _scores(self, request: RerankRequest, vectors: Sequence[Vector]) -> list[float]:
        words = lexical_scores(request.query, request.documents)
        near = _spread([_cosine(vectors[0], vector) for vector in vectors[1:]]) if vectors else [0.0] * len(words)
        return [
            self._meaning * meant + (1 - self._meaning) * found / (found + _HALF)
            for meant, found in zip(near, words, strict=True)
        ]


def _cosine(first: Vector, second: Vector) -> float:
    lengths = math.hypot(*first) * math.hypot(*second)
    return sum(map(mul, first, second)) / lengths if lengths else 0.0


def _spread(values: list[float]) -> list[float]:
    """From 0 for the least to 1 for the most; as they are where they do not differ."""
    least, most = min(values), max(values)
    return [(value - least) / (most - least) for value in values] if most > least else values
