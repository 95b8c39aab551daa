"""A picture of the graph as SVG: who is tied to what, readable, and the same every time.

The places come from Fruchterman and Reingold, "Graph drawing by force-directed placement" (1991): every two nodes
push each other away, every edge pulls its ends together, and each round moves less than the one before.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

MOST_NODES = 150
MOST_EDGES = 400
WIDTH, HEIGHT = 1200.0, 900.0
"""Of a picture of few nodes; one of many is larger, so that names stay apart."""
_FEW = 30
_MARGIN = 90.0
_APART = np.array([130.0, 60.0])
"""Pixels between two nodes with their names."""
_TIDYING = 120
_LETTER = 6.0
"""Pixels of a letter of what an edge says."""
_ROUNDS = 300
_LONGEST_LABEL = 28
_SMALL, _LARGE = 6.0, 22.0
"""Pixels of a node's radius."""

Places = NDArray[np.float64]

_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1c2733;paint-order:stroke;stroke:#fff;stroke-width:3px;"
    "stroke-linejoin:round}.said{font-size:11px;fill:#566475}line{stroke:#a8b4c0;stroke-width:1.3}"
    "circle{fill:#4d7ea8;stroke:#fff;stroke-width:2}"
)


@dataclass(frozen=True, slots=True)
class Node:
    """Somebody or something."""

    name: str
    weight: float = 1.0
    """How large it is drawn: mentions."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A fact."""

    source: str
    target: str
    label: str = ""


def draw(nodes: Sequence[Node], edges: Iterable[Edge], *, title: str = "", seed: int = 0) -> str:
    """An SVG of at most ``MOST_NODES`` nodes, the weightiest, and the edges between them."""
    shown = sorted({node.name: node for node in nodes}.values(), key=lambda node: (-node.weight, node.name))[
        :MOST_NODES
    ]
    number = {node.name: place for place, node in enumerate(shown)}
    lines = _merged(edge for edge in edges if edge.source in number and edge.target in number)[:MOST_EDGES]
    ends = np.array([(number[edge.source], number[edge.target]) for edge in lines], dtype=np.intp).reshape(-1, 2)
    places = lay_out(len(shown), ends, seed=seed)
    width, height = size_for(len(shown))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        f'aria-label="{escape(title or "What is known")}">'
    )
    parts = [head, f"<title>{escape(title or 'What is known')}</title>", f"<style>{_STYLE}</style>"]
    parts += [f'<defs>{_ARROW}</defs><rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>']
    radii = _radii(shown)
    parts += [_line(places[one], places[other], radii[other]) for one, other in ends]
    parts += [_circle(node, place, radius) for node, place, radius in zip(shown, places, radii, strict=True)]
    said = [_said(edge, places[one], places[other]) for edge, (one, other) in zip(lines, ends, strict=True)]
    parts += filter(None, said)
    parts += [_name(node, place, radius) for node, place, radius in zip(shown, places, radii, strict=True)]
    return "\n".join([*parts, "</svg>\n"])


def size_for(count: int) -> tuple[float, float]:
    """Width and height of a picture of that many nodes, in pixels."""
    scale = max(1.0, math.sqrt(count / _FEW))
    return WIDTH * scale, HEIGHT * scale


def lay_out(count: int, ends: NDArray[np.intp], *, seed: int = 0) -> Places:
    """Where ``count`` nodes stand, (count, 2) in pixels; ends: (edges, 2), the numbers of their nodes."""
    if count == 0:
        return np.zeros((0, 2))
    # A sunflower spiral is spread evenly; the seed turns and shakes it a little, so that nothing stands on a line.
    shake = np.random.default_rng(seed)
    turns = np.arange(count) * 2.399963 + shake.uniform(0, 2 * math.pi)
    places = np.sqrt((np.arange(count) + 0.5) / count)[:, None] * np.column_stack([np.cos(turns), np.sin(turns)])
    places += shake.normal(scale=0.01, size=places.shape)
    spring = 1.6 / math.sqrt(count)
    for turn in range(_ROUNDS):
        force = _push(places, spring) + _pull(places, ends, spring) - places * 0.15
        length = np.maximum(np.linalg.norm(force, axis=1, keepdims=True), 1e-9)
        places = places + force / length * np.minimum(length, 0.15 * (1 - turn / _ROUNDS))
    return _fitted(places)


def _push(places: Places, spring: float) -> Places:
    away = places[:, None, :] - places[None, :, :]
    distance = np.maximum((away**2).sum(axis=2), 1e-4)
    pushed: Places = (away / distance[:, :, None]).sum(axis=1) * spring**2
    return pushed


def _pull(places: Places, ends: NDArray[np.intp], spring: float) -> Places:
    pulled = np.zeros_like(places)
    if len(ends):
        apart = places[ends[:, 1]] - places[ends[:, 0]]
        force = apart * np.linalg.norm(apart, axis=1, keepdims=True) / spring
        np.add.at(pulled, ends[:, 0], force)
        np.add.at(pulled, ends[:, 1], -force)
    return pulled


def _fitted(places: Places) -> Places:
    room = np.array(size_for(len(places))) - 2 * _MARGIN
    if len(places) == 1:
        return _MARGIN + room[None, :] / 2
    low, high = places.min(axis=0), places.max(axis=0)
    fitted: Places = _MARGIN + (places - low) / np.maximum(high - low, 1e-9) * room
    for _ in range(_TIDYING):
        fitted = np.clip(_set_apart(fitted), _MARGIN, _MARGIN + room)
    return fitted


def _set_apart(places: Places) -> Places:
    """Move nodes whose names lie on each other apart, the shorter way."""
    away = places[:, None, :] - places[None, :, :]
    over = np.maximum(_APART - np.abs(away), 0)
    over[(over <= 0).any(axis=2)] = 0
    is_wide = over[:, :, 0] > over[:, :, 1]
    over[:, :, 0][is_wide] = 0
    over[:, :, 1][~is_wide] = 0
    # Two on one place part by their order.
    order = np.arange(len(places))
    side = np.where(away == 0, np.sign(order[:, None, None] - order[None, :, None]), np.sign(away))
    moved: Places = places + (over * side).sum(axis=1) * 0.3
    return moved


def _merged(edges: Iterable[Edge]) -> list[Edge]:
    """One line for all that two have between them in one direction."""
    labels: dict[tuple[str, str], list[str]] = {}
    for edge in edges:
        said = labels.setdefault((edge.source, edge.target), [])
        if edge.label and edge.label not in said:
            said.append(edge.label)
    return [Edge(source, target, ", ".join(said)) for (source, target), said in labels.items()]


def _radii(nodes: Sequence[Node]) -> list[float]:
    most = max((node.weight for node in nodes), default=1.0)
    return [_SMALL + (_LARGE - _SMALL) * math.sqrt(max(node.weight, 0.0) / max(most, 1.0)) for node in nodes]


_ARROW = (
    '<marker id="to" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path d="M0 0 8 4 0 8z" fill="#a8b4c0"/></marker>'
)


def _line(source: Places, target: Places, radius: float) -> str:
    apart = target - source
    length = max(float(np.hypot(*apart)), 1e-9)
    end = target - apart / length * min(radius + 3, length / 2)
    return (
        f'<line x1="{source[0]:.1f}" y1="{source[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" marker-end="url(#to)"/>'
    )


def _said(edge: Edge, source: Places, target: Places) -> str:
    words = edge.label.replace("_", " ")
    if not words or np.hypot(*(target - source)) < 2 * _LARGE + _LETTER * min(len(words), _LONGEST_LABEL):
        return ""  # it would lie on the names
    middle = source * 0.45 + target * 0.55
    return _text("said", middle[0], middle[1] - 3, words)


def _circle(node: Node, place: Places, radius: float) -> str:
    return (
        f'<circle cx="{place[0]:.1f}" cy="{place[1]:.1f}" r="{radius:.1f}"><title>{_shown(node.name)}</title></circle>'
    )


def _name(node: Node, place: Places, radius: float) -> str:
    return _text("", place[0], place[1] + radius + 14, node.name)


def _text(kind: str, x: float, y: float, words: str) -> str:
    told = words if len(words) <= _LONGEST_LABEL else words[: _LONGEST_LABEL - 1] + "…"
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{_shown(told)}</text>'


def _shown(words: str) -> str:
    return escape("".join(char if char.isprintable() else " " for char in words))
