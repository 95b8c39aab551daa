"""Where JSON ends in text that comes in pieces: the same place however it is cut, and never too late."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.model.json_scan import JsonScan, Verdict

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
FRAMES = st.lists(VALUES, max_size=3) | st.dictionaries(st.text(max_size=4), VALUES, max_size=3)


def scanned(text: str, *cuts: int) -> tuple[Verdict, int]:
    scan, place = JsonScan(), 0
    for end in (*cuts, len(text)):
        verdict, place = scan.take(text[:end], place)
        if verdict is not Verdict.OPEN:
            return verdict, place
    return Verdict.OPEN, place


@given(FRAMES, st.text(max_size=5), st.sampled_from([None, 1]), st.data())
def test_json_ends_where_it_ends_however_it_is_cut(
    value: object, behind: str, indent: int, data: st.DataObject
) -> None:
    text = json.dumps(value, indent=indent)
    cut = data.draw(st.integers(0, len(text)))

    assert scanned(text + behind, cut) == (Verdict.WHOLE, len(text))
    assert scanned(text[:-1], *range(len(text) - 1)) == (Verdict.OPEN, len(text) - 1)


@given(st.text(alphabet='{}[]",:\\ 1te', max_size=12), st.data())
def test_what_can_still_be_json_is_open_and_what_cannot_is_broken(text: str, data: st.DataObject) -> None:
    whole = scanned(text)

    assert scanned(text, *sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=3)))) == whole
    if whole[0] is Verdict.BROKEN:
        assert not can_be_read(text)


def can_be_read(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list)
    except ValueError:
        return False


@pytest.mark.parametrize(
    "text", ['{"a" 1}', "{1: 2}", '{"a": 1,}', "[1,]", "[1 2]", "[1.]", "[tru]", '{"a": }', "[}", "7"]
)
def test_it_breaks_where_no_json_goes_on(text: str) -> None:
    assert scanned(text + " more")[0] is Verdict.BROKEN


def test_what_is_too_deep_is_broken_at_once() -> None:
    assert scanned("[" * 65) == (Verdict.BROKEN, 64)
