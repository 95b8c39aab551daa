"""JSON is written in one way wherever it goes: always in UTF-8, and never with what JSON has not."""

from __future__ import annotations

import json

import pytest

from companion.model.plain import json_bytes, json_text, to_json, whole_letters

STRANGE = {"half": "a\ud83d", "pair": "\ud83d\ude00", "other": "\ude00\ud83d", "plain": "é 你"}
WHOLE = {"half": "a\ufffd", "pair": "😀", "other": "\ufffd\ufffd", "plain": "é 你"}


def test_half_letters_are_replaced_and_halves_that_belong_together_are_one() -> None:
    assert json.loads(json_bytes(STRANGE)) == json.loads(json_text(STRANGE)) == json.loads(to_json(STRANGE)) == WHOLE
    assert whole_letters("\ud83d\ude00\udc00") == "😀\ufffd"


def test_it_is_one_line_with_blanks_or_without() -> None:
    assert json_text({"a": [1, 2]}) == '{"a": [1, 2]}'
    assert json_text({"a": [1, 2]}, is_compact=True) == '{"a":[1,2]}'
    assert json_bytes({"a": "é"}) == '{"a":"é"}'.encode()


@pytest.mark.parametrize("write", [json_text, json_bytes, to_json])
def test_what_json_has_not_is_an_error(write) -> None:
    deep: list[object] = []
    deep.append(deep)
    for value in (float("nan"), [float("inf")], {"a": -float("inf")}, deep):
        with pytest.raises(ValueError, match=r"JSON compliant|contains itself|Circular"):
            write(value)
    with pytest.raises(TypeError):
        write(object())
