"""JSON as models write it: valid JSON is left alone, broken JSON is understood, nonsense is refused in time."""

from __future__ import annotations

import contextlib
import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import InvalidAnswer
from companion.model.json_repair import DEEPEST, LONGEST, is_json, read_json

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=24)
PLAIN_TEXT = st.text(st.characters(categories=("L", "Nd"), include_characters=" '.!?-"), max_size=12)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | PLAIN_TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.from_regex("[a-z_]{1,8}", fullmatch=True), inner),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.from_regex("[a-z_]{1,8}", fullmatch=True), PLAIN, min_size=1, max_size=4)
SPACES = st.sampled_from([None, 0, 2])


@given(VALUES, SPACES, st.booleans())
def test_every_valid_json_keeps_its_value(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)

    assert read_json(text) == value
    assert is_json(text)


@given(OBJECTS, SPACES)
def test_words_and_fences_around_it_are_passed_over(value: Any, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)

    assert read_json(f"Sure! Here is [1] what {{you}} wanted:\n```json\n{text}\n```\nAnything else?") == value
    assert read_json(f"<think>Perhaps {{'a': 1, 'b': [2, 3, 4]}}?</think>\n{text}") == value


@given(OBJECTS)
def test_what_python_prints_is_understood(value: Any) -> None:
    assert read_json(repr(value)) == value


@given(OBJECTS)
def test_commas_before_a_closing_mark_do_no_harm(value: Any) -> None:
    text = json.dumps(value, indent=1)
    with_commas = text.replace("\n}", ",\n}").replace("\n]", ",\n]")

    assert read_json(with_commas) == value


@given(OBJECTS)
def test_an_end_that_is_missing_is_put_there(value: Any) -> None:
    whole = json.dumps(value)
    marks = len(whole) - len(whole.rstrip("}]"))

    assert read_json(whole[: len(whole) - marks]) == value


@given(OBJECTS, st.data())
def test_what_was_whole_before_a_cut_is_kept(value: dict[str, Any], data: st.DataObject) -> None:
    whole = json.dumps(value)
    read = read_json(whole[: data.draw(st.integers(1, len(whole)))])

    assert isinstance(read, dict)
    keys = list(read)
    assert keys == list(value)[: len(keys)]
    assert {key: read[key] for key in keys[:-1]} == {key: value[key] for key in keys[:-1]}


NOISE = st.text(st.sampled_from("{}[]()\"'“”:,\\/*#-+.eE0123456789 \n\tabctruefalsnu_…`<>"), max_size=400) | st.text()


@given(NOISE)
def test_anything_at_all_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(InvalidAnswer):
        json.dumps(read_json(text), allow_nan=False)


@given(VALUES, st.data())
def test_any_damage_is_read_or_refused(value: Any, data: st.DataObject) -> None:
    text = json.dumps(value)
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(text)))
        text = (
            text[:at] + data.draw(st.sampled_from(["", '"', "'", "{", "}", "]", ",", ":", "\\", "x"])) + text[at + 1 :]
        )
    test_anything_at_all_is_read_or_refused.hypothesis.inner_test(text)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'name': 'Ada'}", {"name": "Ada"}),
        ("{name: Ada Lovelace, age: 36}", {"name": "Ada Lovelace", "age": 36}),
        ("{“name”: “Ada”}", {"name": "Ada"}),
        ('{"a": True, "b": None, "c": (1, 2)}', {"a": True, "b": None, "c": [1, 2]}),
        ('{"a": NaN, "b": undefined, "c": -Infinity}', {"a": None, "b": None, "c": None}),
        ('{"a": 1 "b": 2}', {"a": 1, "b": 2}),
        ('{"a": "x" "b": "y"}', {"a": "x", "b": "y"}),
        ('{"a": "x"\n "b": "y"}', {"a": "x", "b": "y"}),
        ('{"a": "he said "no", then left", "b": 1}', {"a": 'he said "no", then left', "b": 1}),
        ("{'a': 'it's late'}", {"a": "it's late"}),
        ('{"a": 1,, "b": [,2,,3,]}', {"a": 1, "b": [2, 3]}),
        ('{"a": , "b": 2}', {"b": 2}),
        ('{"a": [1, 2}', {"a": [1, 2]}),
        ('{"a": {"b": 1}', {"a": {"b": 1}}),
        ('{"a": 1}}', {"a": 1}),
        ('{"a": +1, "b": .5, "c": 2., "d": 007, "e": 1_000}', {"a": 1, "b": 0.5, "c": 2.0, "d": 7, "e": 1000}),
        ('{"a": 1, // one\n "b": 2 /* two */,\n # three\n}', {"a": 1, "b": 2}),
        ("{colour: #ff8800, 'rooms': [#general, no #5]}", {"colour": "#ff8800", "rooms": ["#general", "no #5"]}),
        ('{"when": 14:30, "link": https://example.org/a}', {"when": "14:30", "link": "https://example.org/a"}),
        ('{"lines": "one\ntwo"}', {"lines": "one\ntwo"}),
        (r'{"path": "C:\dev", "tab": "\t", "e": "\x41"}', {"path": r"C:\dev", "tab": "\t", "e": "A"}),
        (r"{'smile': '\ud83d\ude00'}", {"smile": "😀"}),
        ("[1, 2, ...]", [1, 2]),
        ('{"a": "b', {"a": "b"}),
        ('{"a": "b\\', {"a": "b"}),
        ('{"a": "b\\u00', {"a": "b"}),
        ('{"a": 1, "b', {"a": 1}),
        ('{"a": 1, "b":', {"a": 1}),
        ('{"a": tr', {"a": True}),
        ('{"a": 12.', {"a": 12.0}),
        ('{"a": 12e', {"a": 12}),
        ('{"a": -', {}),
        ('```json\n{"a": [1, 2\n```', {"a": [1, 2]}),
        ('see [1] and {"a": 2}', {"a": 2}),
        ("姓名：{“姓名”: “张三”, 年龄: 3}", {"姓名": "张三", "年龄": 3}),
    ],
)
def test_what_is_meant_is_read(text: str, value: Any) -> None:
    assert read_json(text) == value


@pytest.mark.parametrize("text", ["", "no", "Sorry, I cannot.", "{you}", "{: 1}", "1" * 5000, "[1e999", "``````"])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(InvalidAnswer):
        read_json(text)


@pytest.mark.parametrize("broken", ["", "x"])
def test_depth_has_a_bound(broken: str) -> None:
    assert read_json("[" * DEEPEST + "]" * DEEPEST) is not None
    for deep in (DEEPEST + 1, 5_000, LONGEST // 2 - 1):
        with pytest.raises(InvalidAnswer):
            read_json("[" * deep + "]" * deep + broken)


@pytest.mark.parametrize("text", ['{"x": "a",} {"x": "bbbb"}', "[1] {'x': 1}", '{"x": 1} {', "{x: 1}\n[]"])
def test_several_values_are_refused_where_only_one_will_do(text: str) -> None:
    with pytest.raises(InvalidAnswer, match="several"):
        read_json(text, only_one=True)


@pytest.mark.parametrize("text", ["{x: 1}", "Gladly: {'x': 1}", "```json\n{'x': 1}\n```", '{"x": 1'])
def test_one_broken_value_will_do(text: str) -> None:
    assert read_json(text, only_one=True) == {"x": 1}


def test_length_has_a_bound() -> None:
    with pytest.raises(InvalidAnswer, match="longer"):
        read_json(" " * (LONGEST + 1))


@pytest.mark.parametrize(
    "piece",
    [
        '{"a',
        '{"a" ',
        '"a"x ',
        "[1,",
        '{"a":[',
        "{a:",
        '"',
        "'a' 'b' ",
        "[[[[{",
        "/*",
        "{/*",
        "\\",
        '{"a":"\\',
        '[" ,',
        "# ",
        "{a ",
    ],
)
def test_time_is_in_proportion_to_length(piece: str) -> None:
    """The longest answer takes no more than what eight answers of an eighth of it take, with room for noise."""

    def seconds(length: int) -> float:
        text = "[" + (piece * (length // len(piece)))[: length - 1]
        began = time.perf_counter()
        with contextlib.suppress(InvalidAnswer):
            read_json(text)
        return time.perf_counter() - began

    assert seconds(LONGEST) < 24 * max(seconds(LONGEST // 8), 0.02)
