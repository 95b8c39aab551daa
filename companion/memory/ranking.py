"""Which passages answer a question, by features of their words, their neighbours, their group, who spoke and when.

Words count by how rare they are, and a word counts for a passage also where it stands near: an answer rarely repeats
the words of what it answers. The features are summed with weights that were fitted on conversations
(``tests/bench/recall_fit.py``; docs/decisions/0024-recall.md tells what was tried); the weights are plain numbers and
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
APART = 0.2
"""What a passage of a group takes from its others where several answers are wanted."""
_DECAY: Mapping[int, float] = MappingProxyType({-2: 0.3, -1: 0.5, 0: 1.0, 1: 0.7, 2: 0.4})
"""What a word counts for the passage that stands so many places behind it."""
_SATURATION = 1.2
ROOM = 4_000
"""Places of words that are all looked at."""
_STRETCH = 2
"""Bits: four passages that follow each other."""
_STRETCHES = 1_000

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

    found = [posting for posting in found if len(posting.rows)]
    near = _promising(found)
    rows = np.unique(np.concatenate([*(held + shift for held in near for shift in _DECAY), _array(others)]))
    if not len(rows):
        return None
    window, nearest, own = (np.zeros(len(rows)) for _ in range(3))
    groups, group_at = np.unique(rows >> group_bits, return_inverse=True)
    group = np.zeros(len(groups))
    for posting, held in zip(found, near, strict=True):
        count, close = np.zeros(len(rows)), np.zeros(len(rows))
        for shift, decay in _DECAY.items():
            at = np.searchsorted(rows, held + shift)
            count[at] += 1
            close[at] = np.maximum(close[at], decay)
        own += posting.idf * (close == 1.0)
        window += posting.idf * saturated(count)
        nearest += posting.idf * close
        group += posting.idf * saturated(_counted(posting.rows >> group_bits, groups))
    before = _of_row_before(rows, own)
    return Candidates(rows, window, nearest, before, group[group_at])


def _promising(found: Sequence[Posting]) -> list[Any]:
    """The rows of each word, but where they are very many only those in stretches that hold most of the words."""
    import numpy as np

    held = [posting.rows for posting in found]
    if sum(map(len, held)) <= ROOM:
        return held
    stretches = np.concatenate(held) >> _STRETCH
    worth = np.repeat([posting.idf for posting in found], [len(rows) for rows in held])
    each, at = np.unique(stretches, return_inverse=True)
    total = np.bincount(at, weights=worth)
    if len(each) <= _STRETCHES:
        return held
    best = np.sort(each[np.argpartition(-total, _STRETCHES)[:_STRETCHES]])
    return [rows[_is_in(rows >> _STRETCH, best)] for rows in held]


def _is_in(values: Any, among: Any) -> Any:
    """Whether each of ``values`` is in ``among``, which rises."""
    import numpy as np

    at = np.minimum(np.searchsorted(among, values), len(among) - 1)
    return among[at] == values


def _counted(values: Any, among: Any) -> Any:
    """How often each of ``among``, which rises, is in ``values``."""
    import numpy as np

    return np.bincount(np.searchsorted(among, values[_is_in(values, among)]), minlength=len(among))


def _array(rows: Sequence[int]) -> Any:
    import numpy as np

    return np.asarray(rows, dtype=np.int64)


def saturated(count: Any) -> Any:
    """How much a word tells that comes ``count`` times."""
    return count * (_SATURATION + 1) / (count + _SATURATION)


def scored(features: Mapping[str, Any], weights: Mapping[str, float] = WEIGHTS) -> Any:
    """The weighted sum."""
    return sum(weights[name] * features[name] for name in weights)


def chosen(scores: Any, groups: Any, most: int, spread: float) -> list[int]:
    """The places of the best ``most``, best first.

    spread: what each one that is chosen takes from the others of its group, so that several groups come to word.
    """
    import numpy as np

    if not spread:
        return [int(place) for place in np.argsort(-scores, kind="stable")[:most]]
    left, places = np.array(scores, dtype=float), []
    for _ in range(min(most, len(left))):
        place = int(np.argmax(left))
        places.append(place)
        left[groups == groups[place]] -= spread
        left[place] = -np.inf
    return places


def _of_row_before(rows: Any, values: Any) -> Any:
    """``values`` of the row with the number one lower, 0 where that is none of these."""
    import numpy as np

    before = np.zeros(len(rows))
    follows = rows[1:] == rows[:-1] + 1
    before[1:][follows] = values[:-1][follows]
    return before
