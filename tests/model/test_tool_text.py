"""Calls that come as text: the same calls and the same words at every cut, nothing lost, nothing doubled."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.model.calls import CallDelta
from companion.model.deltas import TextDelta
from companion.model.tool_text import LONGEST_CALL, ToolText

NAMES = ("lamp", "get_time")
Heard = list[str | tuple[str, str]]
LAMP = '{"name": "lamp", "arguments": {"on": true}}'
TIME = '{"name":"get_time","arguments":{}}'


def heard(*pieces: str, is_cut: bool = False, names: tuple[str, ...] = NAMES) -> Heard:
    """Words as text, joined; calls as name and arguments, in the order of their index."""
    reader, indexes = ToolText(names), list[int | None]()
    out: Heard = []
    deltas = [delta for piece in pieces for delta in reader.feed(piece)] + reader.end(is_cut=is_cut)
    for delta in deltas:
        match delta:
            case TextDelta(text) if out and isinstance(out[-1], str):
                out[-1] += text
            case TextDelta(text):
                out.append(text)
            case CallDelta(index, _, name, arguments):
                indexes.append(index)
                out.append((name, arguments))
    assert indexes == list(range(reader.count))
    return out


def at_every_cut(text: str, *, is_cut: bool = False) -> Heard:
    whole = heard(text, is_cut=is_cut)
    assert heard(*text, is_cut=is_cut) == whole
    for place in range(len(text)):
        assert heard(text[:place], text[place:], is_cut=is_cut) == whole
    return whole


ON = ("lamp", '{"on": true}')
NOW = ("get_time", "{}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (LAMP, [ON]),
        (f"Sure.\n{LAMP}\n", ["Sure.\n", ON]),
        (f"```json\n{LAMP}\n```", [ON]),
        (f"At once:\n```\n{LAMP}\n```\nDone.", ["At once:\n", ON, "Done."]),
        (f"<tool_call>\n{LAMP}\n</tool_call>", [ON]),
        (f"<tool_call>{LAMP}</tool_call><tool_call>{TIME}</tool_call>", [ON, NOW]),
        (f"<tool_call>\n{LAMP}\n{TIME}\n</tool_call>\n", [ON, NOW]),
        (f"```json\n<tool_call>{LAMP}</tool_call>\n```", [ON]),
        (f"<tool_call>\n{LAMP}", [ON]),
        (f"{LAMP}</tool_call>", [ON]),
        (f"[{LAMP}, {TIME}]", [ON, NOW]),
        ('{"id": "1", "type": "function", "name": "lamp", "parameters": {"on": true}}', [ON]),
        ('{"arguments": {"on": true}, "name": "lamp"}', [ON]),
        ('{"name": "lamp", "arguments": "{\\"on\\": true}"}', [ON]),
        ('{"name": "lamp", "arguments": {"on":  1.10}}', [("lamp", '{"on":  1.10}')]),
    ],
)
def test_a_call_is_recognised_however_it_is_wrapped(text: str, expected: Heard) -> None:
    assert at_every_cut(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Two < three, and `code` is no fence.",
        '{"name": "oven", "arguments": {}}',
        '```json\n{"name": "oven", "arguments": {}}\n```',
        '<tool_call>\n{"name": "oven", "arguments": {}}\n</tool_call>',
        '{"name": "lamp"}',
        '{"name": "lamp", "arguments": 7}',
        '{"name": "lamp", "arguments": [1]}',
        '{"name": "lamp", "arguments": "on"}',
        '{"name": "lamp", "arguments": {}, "why": "because"}',
        '{"name": "lamp", "arguments": {}, "parameters": {}}',
        '{"name": "lamp", "arguments": }',
        '[{"name": "lamp", "arguments": {}',
        "[a link](https://example.org) and [1, 2]",
        "```python\nprint({'name': 'lamp'})\n```",
        "A tag <tool_call> in a sentence, and its end </tool_call>.",
        "```json\n<tool",
        "``",
    ],
)
def test_what_is_no_call_is_words_to_the_letter(text: str) -> None:
    assert at_every_cut(text, is_cut=True) == ([text] if text else [])


def test_a_call_in_the_midst_of_what_is_none_is_found() -> None:
    assert at_every_cut(f"[{LAMP}, 3]") == ["[", ON, ", 3]"]
    assert at_every_cut(f'{{"name": "oven", "arguments": {LAMP}}}') == ['{"name": "oven", "arguments": ', ON, "}"]


def test_a_broken_call_between_its_tags_is_understood() -> None:
    text = "<tool_call>\n{'name': 'lamp', 'arguments': {'on': True,}}\n</tool_call>!"

    assert at_every_cut(text) == [("lamp", '{"on": true}'), "!"]


def test_brackets_a_model_forgot_are_added_but_not_to_an_answer_that_was_cut() -> None:
    text = '<tool_call>\n{"name": "lamp", "arguments": {"on": true}'

    assert at_every_cut(text) == [ON]
    assert at_every_cut(text, is_cut=True) == [text]


def test_words_come_out_at_once_and_are_held_back_no_longer_than_needed() -> None:
    reader = ToolText(NAMES)

    assert reader.feed("Sure. <") == [TextDelta("Sure. ")]
    assert reader.feed("b>`") == [TextDelta("<b>")]
    assert reader.feed("x` {") == [TextDelta("`x` ")]
    assert reader.feed(' "name": "la') == []
    assert reader.feed('ser"}') == [TextDelta('{ "name": "laser"}')]
    assert reader.feed('{"name": "lamp", "arguments": {}}') == [CallDelta(0, name="lamp", arguments="{}")]
    assert reader.feed("\n") == []
    assert reader.feed("So.") == [TextDelta("So.")]
    assert reader.end() == []


def test_without_tools_everything_is_words() -> None:
    assert heard(LAMP, names=()) == [LAMP]


WORDS = st.text(alphabet="ab .,!\n", min_size=1, max_size=8).filter(lambda words: words == words.strip())
ARGUMENTS = st.dictionaries(
    st.text(alphabet='ab"\\{}é', max_size=4), st.text(max_size=6) | st.integers() | st.booleans(), max_size=3
)


@st.composite
def answers(draw: st.DrawFn) -> tuple[str, Heard]:
    """An answer, and what is to be heard of it."""
    text, expected = "", list[str | tuple[str, str]]()
    for _ in range(draw(st.integers(0, 4))):
        if draw(st.booleans()):
            words = draw(WORDS)
            text += words
            if expected and isinstance(expected[-1], str):
                expected[-1] += words
            else:
                expected.append(words)
            continue
        name, arguments = draw(st.sampled_from(NAMES)), json.dumps(draw(ARGUMENTS), ensure_ascii=draw(st.booleans()))
        wrapping = draw(st.sampled_from(["{}", "```json\n{}\n```", "```{}```", "<tool_call>\n{}\n</tool_call>\n"]))
        text += wrapping.replace("{}", f'{{"name": "{name}", "arguments": {arguments}}}')
        expected.append((name, arguments))
    return text, expected


@given(answers(), st.data())
def test_words_and_calls_come_out_as_they_were_put_in(answer: tuple[str, Heard], data: st.DataObject) -> None:
    text, expected = answer
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pieces = [text[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]

    assert heard(*pieces) == expected
    assert heard(*text) == expected


PARTS = st.sampled_from(
    ["{", "}", "[", "]", '"', "name", "lamp", "arguments", ":", ",", " ", "\n", "```", "`", "json", "<tool_call>", "<",
     "</tool_call>", "\\", "'", "1", LAMP, '{"name": "lamp", "arguments": {', '"name": "lamp"', '"arguments": {}', "x"]
)  # fmt: skip


@given(st.lists(PARTS, max_size=14).map("".join), st.booleans(), st.data())
def test_rubbish_means_the_same_however_it_is_cut(text: str, is_cut: bool, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(text)))
    whole = heard(text, is_cut=is_cut)

    assert heard(text[:cut], text[cut:], is_cut=is_cut) == whole
    assert heard(*text, is_cut=is_cut) == whole
    if not any(isinstance(one, tuple) for one in whole):
        assert "".join(map(str, whole)) == text


def test_a_call_that_is_too_long_is_words() -> None:
    text = f'{{"name": "lamp", "arguments": {{"on": "{"x" * LONGEST_CALL}"}}}}'

    assert heard(text) == [text]
    assert heard(*[text[place : place + 7] for place in range(0, len(text), 7)]) == [text]


@pytest.mark.parametrize("text", ["{", '{"name":"lamp","arguments":', '<tool_call>{"name":"lamp",,', "`", "<tool_cal"])
def test_nothing_written_takes_more_time_than_its_length(text: str) -> None:
    text = text * (20_000 // len(text))
    began = time.process_time()
    heard(*[text[place : place + 5] for place in range(0, len(text), 5)])
    assert time.process_time() - began < 10
