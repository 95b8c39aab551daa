"""Which passages answer a question, by features of their words, their neighbours, their group, who spoke and when.

Words count by how rare they are, and a word counts for a passage also where it stands near: an answer rarely repeats
the words of what it answers. The features are summed with weights that were fitted on conversations
(``tests/bench/recall_fit.py``; docs/decisions/0021-recall.md tells what was tried); the weights are plain numbers and
the order they make is the only thing that is used of them. No model runs here.

BM25's saturation is that of S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework" (2009).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from companion.memory.postings import Posting

REACH = 2
"""Neighbours on each side whose words count for a passage."""
_DECAY: Mapping[int, float] = MappingProxyType({-2: 0.3, -1: 0.5, 0: 1.0, 1: 0.7, 2: 0.4})
"""What a word counts for the passage that stands so many places behind it."""
_SATURATION = 1.2
_LENGTH = 0.75
"""How far the length of a group tells against it."""

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "window": 0.5,
        "nearest": 2.5,
        "answers": 0.9,
        "replies": 0.25,
        "their reply": 0.15,
        "group": 1.0,
        "speaker": 1.0,
        "date": 4.8,
        "time": 2.6,
        "asks": -0.45,
        "first": 0.22,
        "second": -0.2,
        "names": 0.23,
    }
)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Passages that have a word of a question, or stand near one that does. All arrays run alike."""

    rows: Any
    """Their numbers, rising."""
    window: Any
    """Sum of the idf of the words they and their neighbours have, saturated by how many have the word."""
    nearest: Any
    """The same, each word by the nearest that has it."""
    before: Any
    """Sum of the idf of the words that the passage before has."""
    group: Any
    """How well the whole group fits."""

    def __len__(self) -> int:
        return len(self.rows)

    def taken(self, places: Any) -> Candidates:
        """Those at ``places`` only."""
        fields = (self.rows, self.window, self.nearest, self.before, self.group)
        return Candidates(*(field[places] for field in fields))


def candidates(found: Sequence[Posting], others: Sequence[int], group_bits: int) -> Candidates | None:
    """Every passage that ``found`` speaks for, and ``others``; None where there is none."""
    import numpy as np

    held = [posting.rows + shift for posting in found for shift in _DECAY]
    rows = np.unique(np.concatenate([*held, np.asarray(others, dtype=np.int64)]))
    if not len(rows):
        return None
    own, window, nearest = (np.zeros(len(rows)) for _ in range(3))
    groups, group_at = np.unique(rows >> group_bits, return_inverse=True)
    group = np.zeros(len(groups))
    for posting in found:
        count, near = np.zeros(len(rows)), np.zeros(len(rows))
        for shift, decay in _DECAY.items():
            at = np.searchsorted(rows, posting.rows + shift)
            count[at] += 1
            near[at] = np.maximum(near[at], decay)
        own += posting.idf * (near == 1.0)
        window += posting.idf * saturated(count)
        nearest += posting.idf * near
        held_in = np.bincount(np.searchsorted(groups, posting.rows >> group_bits), minlength=len(groups))
        group += posting.idf * saturated(held_in)
    before = _of_row_before(rows, own)
    return Candidates(rows, window, nearest, before, group[group_at])


def saturated(count: Any) -> Any:
    """How much a word tells that comes ``count`` times."""
    return count * (_SATURATION + 1) / (count + _SATURATION)


def scored(features: Mapping[str, Any], weights: Mapping[str, float] = WEIGHTS) -> Any:
    """The weighted sum."""
    return sum(weights[name] * features[name] for name in weights)


def _of_row_before(rows: Any, values: Any) -> Any:
    """``values`` of the row with the number one lower, 0 where that is none of these."""
    import numpy as np

    before = np.zeros(len(rows))
    follows = rows[1:] == rows[:-1] + 1
    before[1:][follows] = values[:-1][follows]
    return before
