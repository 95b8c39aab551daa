"""How near passages are to a question in meaning, by the vectors of a model handed in; words choose first.

Vectors alone find less here than words do, and a plain fusion of both hurts. As further features of the best passages
they help (docs/decisions/0024-recall.md), so only those are embedded: what that costs does not grow with the memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import apsw

from companion.memory.ranking import REACH, scored
from companion.memory.text_search import Asked, Looked

CLOSE = 40
"""Passages that are embedded, their neighbours with them."""
_LONGEST = 400
"""Characters of a passage."""

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "window": 0.15,
        "nearest": 2.0,
        "answers": 0.93,
        "replies": 0.33,
        "group": 0.84,
        "speaker": 1.15,
        "date": 4.26,
        "time": 2.47,
        "asks": -0.45,
        "first": 0.23,
        "second": -0.15,
        "names": 0.21,
        "meaning": 0.37,
        "meaning near": 3.9,
        "meaning whole": 1.7,
    }
)


class Embeds(Protocol):
    """Makes vectors; ``companion.model.embed.Embedder`` does."""

    async def embed_texts(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """The vectors of ``texts``, in their order.

        Raises:
            ModelError: it cannot.
            TimeoutError: it did not answer in time.
        """


class Draft(NamedTuple):
    """What words have found, with what is to be embedded."""

    asked: Asked
    looked: Looked
    """The best only."""
    texts: Mapping[int, str]
    """Of those passages and their neighbours."""


def draft(connection: apsw.Connection, asked: Asked, looked: Looked) -> Draft:
    """The best passages by their words, with their texts."""
    import numpy as np

    best = np.sort(np.argsort(-scored(looked.features), kind="stable")[:CLOSE])
    features = {name: column[best] for name, column in looked.features.items()}
    rows = sorted({int(row) + shift for row in looked.rows[best] for shift in range(-REACH, REACH + 1)})
    sql = "SELECT id, substr(text, 1, ?2) FROM text_passages WHERE id = ?1"
    texts = dict(connection.executemany(sql, [(row, _LONGEST) for row in rows]))
    return Draft(asked, looked._replace(rows=looked.rows[best], features=features), texts)


async def features(drafted: Draft, embeds: Embeds) -> dict[str, Any]:
    """The features of a draft, those of meaning among them. Raises as ``embeds`` does."""
    import numpy as np

    rows = list(drafted.texts)
    whole, bare = drafted.asked.text, " ".join(drafted.asked.said) or drafted.asked.text
    vectors = np.asarray(await embeds.embed_texts([whole, bare, *drafted.texts.values()]), dtype=np.float32)
    table = vectors[2:]
    own = np.searchsorted(rows, drafted.looked.rows)
    near = np.zeros((len(own), table.shape[1]), dtype=np.float32)
    for shift in range(-REACH, REACH + 1):
        at = np.minimum(np.searchsorted(rows, drafted.looked.rows + shift), len(rows) - 1)
        near += table[at] * (np.asarray(rows)[at] == drafted.looked.rows + shift)[:, None]
    near /= np.maximum(np.linalg.norm(near, axis=1, keepdims=True), 1e-6)
    return {
        **drafted.looked.features,
        "meaning": table[own] @ vectors[1],
        "meaning near": near @ vectors[1],
        "meaning whole": table[own] @ vectors[0],
    }
