"""Splitting: every character in exactly one passage, every passage in its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.knowledge.limits import USUAL
from companion.knowledge.readers import read
from companion.knowledge.split import HAN_WEIGHT, MOST, TARGET, split, weight
from companion.knowledge.text import Extract, Heading

WORDS = st.sampled_from(
    ["boiler", "the", "锅炉", "压力每年检查", " ", "  ", "\n", "\n\n", "\n \n", ". ", "。", "！", "# One\n", "## Two\n",
     "### Three\n", "```\n", "x" * 50, "Über", "😀", "- item\n", "a. b? c! "]
)  # fmt: skip
TEXTS = st.lists(WORDS, max_size=120).map("".join)


def markdown(text: str) -> Extract:
    return read("markdown", text.encode(), USUAL)


def path_at(headings: tuple[Heading, ...], at: int) -> tuple[str, ...]:
    """The path of headings in force at an offset, worked out the slow way."""
    path: list[Heading] = []
    for heading in headings:
        if heading.at <= at:
            path = [each for each in path if each.level < heading.level] + [heading]
    return tuple(heading.title for heading in path)


@given(TEXTS, st.integers(HAN_WEIGHT, 200), st.integers(0, 200))
def test_every_character_is_in_exactly_one_passage(text: str, most: int, target: int) -> None:
    extract = markdown(text)
    passages = split(extract, target=target, most=most)

    assert "".join(passage.text for passage in passages) == extract.text
    assert [passage.end for passage in passages[:-1]] == [passage.start for passage in passages[1:]]
    assert all(extract.text[passage.start : passage.end] == passage.text for passage in passages)
    assert all(passage.text for passage in passages)


@given(TEXTS, st.integers(HAN_WEIGHT, 200))
def test_no_passage_is_heavier_than_it_may_be(text: str, most: int) -> None:
    assert all(weight(passage.text) <= most for passage in split(markdown(text), target=most // 2, most=most))


@given(TEXTS, st.integers(HAN_WEIGHT, 200))
def test_a_passage_stands_under_the_headings_in_force_at_its_end(text: str, most: int) -> None:
    extract = markdown(text)

    for passage in split(extract, target=most // 2, most=most):
        assert passage.headings == path_at(extract.headings, passage.end - 1)


@given(TEXTS, st.integers(HAN_WEIGHT, 200))
def test_no_heading_follows_the_text_of_another_section(text: str, most: int) -> None:
    extract = markdown(text)

    for passage in split(extract, target=most // 2, most=most):
        within = [heading for heading in extract.headings if passage.start < heading.at < passage.end]
        for heading in within:
            before = [each for each in extract.headings if each.at < heading.at]
            begins = before[-1].end if before else 0
            assert not extract.text[max(begins, passage.start) : heading.at].strip()


@given(TEXTS, st.integers(HAN_WEIGHT, 200))
def test_a_passage_begins_in_its_line(text: str, most: int) -> None:
    extract = markdown(text)

    for passage in split(extract, target=most // 2, most=most):
        blank = len(passage.text) - len(passage.text.lstrip()) if passage.text.strip() else 0
        assert passage.line == 1 + extract.text.count("\n", 0, passage.start + blank)


@given(TEXTS, st.lists(st.integers(1, 400), max_size=8))
def test_a_passage_begins_on_its_page(text: str, breaks: list[int]) -> None:
    pages = (0, *sorted(at for at in breaks if at <= len(text)))

    for passage in split(Extract(text, pages=pages), target=40, most=80):
        blank = len(passage.text) - len(passage.text.lstrip()) if passage.text.strip() else 0
        assert passage.page == sum(at <= passage.start + blank for at in pages)


def test_there_is_no_passage_in_nothing() -> None:
    assert split(Extract("")) == []


def test_paragraphs_are_kept_whole_where_they_fit() -> None:
    paragraphs = [f"Paragraph {number}. " + "It says little. " * 20 + "\n\n" for number in range(20)]

    passages = split(Extract("".join(paragraphs)))

    assert all(passage.text.startswith("Paragraph") for passage in passages)
    assert all(TARGET / 2 < len(passage.text) <= MOST for passage in passages)


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    passages = split(Extract("The boiler keeps sixty degrees all winter. " * 200))

    assert len(passages) > 3
    assert all(passage.text.rstrip().endswith(".") for passage in passages)


def test_chinese_without_any_space_is_cut_between_sentences() -> None:
    passages = split(Extract("锅炉在地下室，压力每年五月检查。" * 200))

    assert len(passages) > 3
    assert all(passage.text.endswith("。") for passage in passages)


@pytest.mark.parametrize("text", ["x" * 20_000, "锅" * 20_000, " " * 20_000, "\n" * 20_000])
def test_what_has_no_place_to_cut_is_cut_all_the_same(text: str) -> None:
    passages = split(Extract(text))

    assert "".join(passage.text for passage in passages) == text
    assert all(weight(passage.text) <= MOST for passage in passages)


def test_a_title_stays_with_the_section_that_follows() -> None:
    passages = split(markdown("# Haus\n\n## Boiler\n\nSixty degrees.\n\n## Garden\n\nRoses.\n"))

    assert [passage.headings for passage in passages] == [("Haus", "Boiler"), ("Haus", "Garden")]
    assert [passage.line for passage in passages] == [1, 7]


def test_a_section_without_text_is_no_part_of_the_next_beside_it() -> None:
    passages = split(markdown("# Haus\n\n## Empty\n\n## Garden\n\nRoses.\n"))

    assert [passage.headings for passage in passages] == [("Haus", "Empty"), ("Haus", "Garden")]
