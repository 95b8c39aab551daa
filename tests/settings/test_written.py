"""Data that a person wrote: what is read, and what is refused in words that quote no value."""

from __future__ import annotations

import pytest

from companion.settings.written import Unreadable, read_written

WRITTEN = "on: no\nat: 12:30\nmany: [1, true, ~]\n"


def test_plain_values_are_what_they_stand_for() -> None:
    assert read_written(WRITTEN, file="a.yaml") == {True: False, "at": 750, "many": [1, True, None]}


def test_plain_values_are_texts_where_that_is_asked_for() -> None:
    many = ["1", "true", "~"]
    assert read_written(WRITTEN, file="a.yaml", plain_as_text=True) == {"on": "no", "at": "12:30", "many": many}


@pytest.mark.parametrize(
    ("text", "file", "value"),
    [
        ('{"a": [1, 0.5, null]}', "a.JSON", {"a": [1, 0.5, None]}),
        ("a = [1, 0.5]", "a.toml", {"a": [1, 0.5]}),
        ("a: &one [1]\nb: *one\n", "a", {"a": [1], "b": [1]}),
        ("", "a.yaml", None),
    ],
)
def test_the_ending_of_the_name_says_how_it_is_written(text: str, file: str, value: object) -> None:
    assert read_written(text, file=file) == value


@pytest.mark.parametrize("plain_as_text", [True, False])
@pytest.mark.parametrize(
    ("text", "file", "why"),
    [
        ("a: 1\na: 2\n", "a.yaml", "line 2: 'a' is given twice"),
        ("- {b: {a: 1,\n a: 2}}\n", "a.yaml", "line 2: 'a' is given twice"),
        ("? [a]\n: 1\n", "a.yaml", "line 1: a name must be a text"),
        ("a: &one [*one]\n", "a.yaml", "line 1: nested more than 20 levels deep"),
        ("a: *secret\n", "a.yaml", "line 1: this is no YAML: found undefined alias"),
        ("a: 'secret\n", "a.yaml", "line 2: this is no YAML: found unexpected end of stream"),
        ("a: 1\n---\nb: 2\n", "a.yaml", "line 2: this is no YAML: but found another document"),
        ("a: \x07\n", "a.yaml", "this is no YAML"),
        ('{"a": 1, "a": 2}', "a.json", "'a' is given twice"),
        ('{"a": NaN}', "a.json", "NaN is no number of JSON"),
        ('{"a":\nsecret}', "a.json", "line 2: this is no JSON: Expecting value"),
        ("a = 1\na = 2", "a.toml", "this is no TOML: Cannot overwrite a value (at end of document)"),
        ("[" * 200_000, "a.json", "is nested too deeply"),
        ("[" * 500 + "]" * 500, "a.yaml", "line 1: nested more than 20 levels deep"),
    ],
)
def test_what_is_none_is_refused_without_quoting_a_value(text: str, file: str, why: str, plain_as_text: bool) -> None:
    with pytest.raises(Unreadable) as refused:
        read_written(text, file=file, plain_as_text=plain_as_text)

    assert str(refused.value) == why
    assert "secret" not in f"{refused.value.__cause__}"
    assert refused.value.__suppress_context__ or refused.value.__context__ is None


def test_aliases_of_aliases_take_no_time() -> None:
    text = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 15))

    assert read_written(text, file="a.yaml")
