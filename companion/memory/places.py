"""Where the nodes of a graph stand, for up to some thousands of them: computed once, the same every time, then at rest.

Who belongs to whom starts close together: each node in the wedge of the one it hangs on (a radial tree). Then nodes
push each other away and edges pull, after Fruchterman and Reingold, "Graph drawing by force-directed placement" (1991).
The push is computed on a grid, as particle-mesh methods do (Hockney and Eastwood, "Computer simulation using
particles", 1981), so that a round costs as much as there are nodes, not as there are pairs. The number of rounds is
fixed.
"""

from __future__ import annotations

import functools
import math
from collections import deque
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.float64]
Ends = NDArray[np.intp]
"""(edges, 2): the numbers of the nodes an edge ties."""

SPACING = 80.0
"""Units between two nodes that are tied; a unit is a pixel at 100 %."""
ROUNDS = 160
_FEW_ROUNDS = 60
"""Where most nodes stay where they were."""
_EXACT = 120
"""Up to so many nodes every pair is looked at."""
_MANY = 2_000
_GRIDS = (64, 128)
"""Cells along a side of the grid: for some, and for many nodes."""
_TIDYING = 40
_APART = 0.55
"""How far two nodes must be from each other, in spacings."""
_GRAVITY = np.array([0.6, 0.9])
"""What draws all to the middle; a view is wider than high."""
_GOLDEN = 2.399963


def lay_out(count: int, ends: Ends, *, known: Places | None = None, seed: int = 0) -> Places:
    """Where ``count`` nodes stand, (count, 2), around zero.

    known: (count, 2); where nodes stood before, which stay there, and NaN for those that are new.
    """
    if count == 0:
        return np.zeros((0, 2))
    ends = ends.reshape(-1, 2)
    shake = np.random.default_rng(seed)
    if known is not None and not np.isnan(known).all():
        return _settle_new(known / SPACING, ends, shake) * SPACING
    places = _tree(count, ends) + shake.normal(scale=0.05, size=(count, 2))
    moving = np.ones(count, dtype=bool)
    places = _rounds(places, ends, moving, ROUNDS, 0.15 * math.sqrt(count))
    places = _tidied(places, moving)
    centred: Places = (places - places.mean(axis=0)) * SPACING
    return centred


def _settle_new(known: Places, ends: Ends, shake: np.random.Generator) -> Places:
    """Those that are new find their place among those that stay."""
    moving: NDArray[np.bool_] = np.asarray(np.isnan(known).any(axis=1))
    if not moving.any():
        return known
    places = known.copy()
    places[moving] = 0.0
    sums, counts = np.zeros_like(places), np.zeros(len(places))
    for one, other in (ends.T, ends.T[::-1]):
        tied = moving[one] & ~moving[other]
        np.add.at(sums, one[tied], known[other[tied]])
        np.add.at(counts, one[tied], 1)
    near = moving & (counts > 0)
    places[near] = sums[near] / counts[near, None]
    places[moving] += shake.normal(scale=0.5, size=(int(moving.sum()), 2))
    return _tidied(_rounds(places, ends, moving, _FEW_ROUNDS, 1.0), moving)


def _rounds(places: Places, ends: Ends, moving: NDArray[np.bool_], rounds: int, reach: float) -> Places:
    """Let forces work; no step is longer than ``reach``, which shrinks to nothing."""
    push = _push_exactly if len(places) <= _EXACT else _push_by_grid
    for turn in range(rounds):
        force = push(places) + _pull(places, ends) - places * _GRAVITY
        length = np.maximum(np.linalg.norm(force, axis=1, keepdims=True), 1e-9)
        left = 1 - turn / rounds
        step = force / length * np.minimum(length * 0.3, reach * left * left)
        places = places + step * moving[:, None]
    return places


def _push_exactly(places: Places) -> Places:
    away = places[:, None, :] - places[None, :, :]
    distance = np.maximum((away**2).sum(axis=2), 1e-2)
    pushed: Places = (away / distance[:, :, None]).sum(axis=1)
    return pushed


def _push_by_grid(places: Places) -> Places:
    """The same by a field on a grid: each node is spread over four cells, and the field is read there again."""
    grid = _GRIDS[len(places) > _MANY]
    low, high = places.min(axis=0), places.max(axis=0)
    cell = max(float((high - low).max()) / (grid - 2), 1e-6)
    at = (places - low) / cell + 0.5
    corner = np.floor(at).astype(np.intp)
    part = at - corner
    shares = [
        (corner[:, 0] + x, corner[:, 1] + y, np.abs(1 - x - part[:, 0]) * np.abs(1 - y - part[:, 1]))
        for x in (0, 1)
        for y in (0, 1)
    ]
    flat = np.concatenate([x * grid + y for x, y, _ in shares])
    weight = np.bincount(flat, np.concatenate([share for *_, share in shares]), grid * grid).reshape(grid, grid)
    spread = np.fft.rfft2(weight, (2 * grid, 2 * grid))
    fields = [np.fft.irfft2(spread * kernel)[:grid, :grid] / cell for kernel in _kernels(grid)]
    return np.column_stack([sum(field[x, y] * share for x, y, share in shares) for field in fields])


@functools.cache
def _kernels(grid: int) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
    """The push of one node on each cell around it, along x and along y, ready to be folded."""
    steps = np.fft.fftfreq(2 * grid, 1 / (2 * grid))
    x, y = steps[:, None], steps[None, :]
    distance = x**2 + y**2 + 0.25
    return np.fft.rfft2(x / distance), np.fft.rfft2(y / distance)


def _pull(places: Places, ends: Ends) -> Places:
    apart = places[ends[:, 1]] - places[ends[:, 0]]
    force = apart * np.linalg.norm(apart, axis=1, keepdims=True)
    return _summed(ends[:, 0], force, len(places)) - _summed(ends[:, 1], force, len(places))


def _summed(nodes: NDArray[np.intp], moves: Places, count: int) -> Places:
    """All that moves each node, together."""
    return np.column_stack([np.bincount(nodes, moves[:, axis], count) for axis in (0, 1)])


def _tidied(places: Places, moving: NDArray[np.bool_]) -> Places:
    """Nodes that lie on each other, moved apart."""
    for turn in range(_TIDYING):
        one, other = near_pairs(places, _APART)
        if not len(one):
            break
        away = places[one] - places[other]
        length = np.linalg.norm(away, axis=1)
        # Two on one place part in a direction of their own.
        angle = (one + turn) * _GOLDEN
        lost = length < 1e-6
        away[lost] = np.column_stack([np.cos(angle[lost]), np.sin(angle[lost])])
        length = np.where(lost, 1.0, length)
        move = away / length[:, None] * (_APART - np.where(lost, 0.0, length))[:, None] * 0.5
        shift = _summed(one, move, len(places)) - _summed(other, move, len(places))
        places = places + shift * moving[:, None]
    return places


def near_pairs(places: Places, within: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Every pair of nodes that are nearer to each other than ``within``, by looking at neighbouring cells only."""
    cells = np.floor((places - places.min(axis=0)) / within).astype(np.int64) + 1
    wide = int(cells[:, 1].max()) + 3
    keys = cells[:, 0] * wide + cells[:, 1]
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    firsts, seconds = [], []
    for step in (0, 1, wide - 1, wide, wide + 1):
        begin = np.searchsorted(ordered, ordered + step, "left")
        end = np.searchsorted(ordered, ordered + step, "right")
        if step == 0:
            begin = np.arange(len(ordered)) + 1
        many = np.maximum(end - begin, 0)
        first = np.repeat(np.arange(len(ordered)), many)
        within_run = np.arange(len(first)) - np.repeat(np.cumsum(many) - many, many)
        firsts.append(first)
        seconds.append(np.repeat(begin, many) + within_run)
    one, other = order[np.concatenate(firsts)], order[np.concatenate(seconds)]
    close = np.linalg.norm(places[one] - places[other], axis=1) < within
    return one[close], other[close]


def _tree(count: int, ends: Ends) -> Places:
    """Each node in the wedge of its parent, a ring further out; trees that hang on nothing share the middle."""
    ties = _neighbours(count, ends)
    parents, order, depths = _grown(ties)
    leaves = [0] * (count + 1)
    for node in reversed(order):
        leaves[node] = max(leaves[node], 1)
        leaves[parents[node]] += leaves[node]
    root = count
    begins = [0.0] * (count + 1)
    places = np.zeros((count, 2))
    ring = max(1.0, math.sqrt(count) / (2 * max(depths, default=1) + 1))
    for node in order:
        parent = parents[node]
        share = leaves[node] / leaves[root]
        begin, begins[parent] = begins[parent], begins[parent] + share
        begins[node] = begin
        angle = 2 * math.pi * (begin + share / 2)
        places[node] = depths[node] * ring * np.array([math.cos(angle), math.sin(angle)])
    return places


def _neighbours(count: int, ends: Ends) -> list[list[int]]:
    ties: list[list[int]] = [[] for _ in range(count)]
    for one, other in ends.tolist():
        ties[one].append(other)
        ties[other].append(one)
    return ties


def _grown(ties: Sequence[Sequence[int]]) -> tuple[list[int], list[int], list[int]]:
    """Parents, the order they were found in, and depths, of trees that begin at the nodes with the most ties.

    ``len(ties)`` is the parent of every root.
    """
    count = len(ties)
    parents, depths, order = [-1] * count, [0] * count, []
    roots = sorted(range(count), key=lambda node: (-len(ties[node]), node))
    for first, root in enumerate(roots):
        if parents[root] >= 0:
            continue
        # Only the first stands in the middle.
        parents[root], depths[root] = count, int(first > 0)
        waiting = deque([root])
        while waiting:
            node = waiting.popleft()
            order.append(node)
            for other in ties[node]:
                if parents[other] < 0:
                    parents[other], depths[other] = node, depths[node] + 1
                    waiting.append(other)
    return parents, order, depths
