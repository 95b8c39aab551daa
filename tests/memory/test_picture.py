"""The picture of the graph: whole XML, nothing on top of another, the same every time."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.memory.picture import MOST_NODES, Edge, Node, draw, lay_out, size_for

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_everybody_is_named_and_every_fact_is_a_line() -> None:
    nodes = [Node("user", 5), Node("Emma", 2), Node("茶"), Node("O'Hara & <sons>")]
    edges = [Edge("user", "Emma", "is_parent_of"), Edge("Emma", "茶", "likes"), Edge("user", "nobody", "knows")]
    svg = draw(nodes, edges, title="What is known of <user>")

    assert set(texts(svg)) >= {"user", "Emma", "茶", "O'Hara & <sons>", "is parent of", "likes"}
    assert len(list(ElementTree.fromstring(svg).iter(f"{SVG}line"))) == 2


def test_the_same_graph_is_drawn_the_same_and_another_seed_otherwise() -> None:
    nodes, edges = [Node(f"n{number}") for number in range(12)], [Edge("n0", f"n{number}") for number in range(1, 12)]

    assert draw(nodes, edges) == draw(nodes, edges)
    assert draw(nodes, edges) != draw(nodes, edges, seed=7)


def test_of_too_many_the_weightiest_are_drawn() -> None:
    names = texts(draw([Node(f"n{number}", number) for number in range(MOST_NODES + 50)], []))

    assert len(names) == MOST_NODES
    assert "n49" not in names


def test_all_that_two_have_between_them_is_one_line() -> None:
    svg = draw([Node("a"), Node("b")], [Edge("a", "b", "likes"), Edge("a", "b", "knows"), Edge("a", "b", "likes")])

    assert "likes, knows" in texts(svg)


@pytest.mark.parametrize("count", [2, 20, 60, 150])
def test_names_stand_apart_and_within_the_picture(count: int) -> None:
    ends = np.array([(number, number * 7 % max(count // 5, 1)) for number in range(count)], dtype=np.intp)
    places = lay_out(count, ends)
    apart = np.abs(places[:, None, :] - places[None, :, :])
    near = (apart[:, :, 0] < 60) & (apart[:, :, 1] < 24) & ~np.eye(count, dtype=bool)

    assert near.sum() / 2 <= count * 0.03
    assert (places >= 0).all()
    assert (places <= size_for(count)).all()


@settings(max_examples=30)
@given(
    st.lists(st.tuples(st.text(max_size=40), st.floats(-5, 1e9)), max_size=8),
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7), st.text(max_size=40)), max_size=8),
)
def test_any_words_make_whole_xml(nodes: list[tuple[str, float]], edges: list[tuple[int, int, str]]) -> None:
    names = [name for name, _ in nodes]
    shown = [Edge(names[one], names[other], label) for one, other, label in edges if max(one, other) < len(names)]
    svg = draw([Node(name, weight) for name, weight in nodes], shown)

    assert ElementTree.fromstring(svg).tag == f"{SVG}svg"
