"""What is never spoken, in whole texts and across the cuts of a stream."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.voice.say import speakable
from companion.voice.say.markup import Markup


def _runs(pieces: list[str]) -> tuple[str, str]:
    markup = Markup()
    runs = [run for piece in pieces for run in markup.feed(piece)] + markup.finish()
    return "".join(run.written for run in runs), "".join(run.said for run in runs)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("**Bold** and *soft* and __both__ and _one_.", "Bold and soft and both and one."),
        ("***All*** ~~gone~~", "All gone"),
        ("# Title\nText", "Title. Text"),
        ("### Title\n\nText", "Title. Text"),
        ("- milk\n- bread\n* eggs\n+ tea\n• jam", "milk. bread. eggs. tea. jam"),
        ("1. Wash\n2) Dry", "one, Wash. two, Dry"),
        ("- [ ] open\n- [x] done", "open. done"),
        ("> quoted", "quoted"),
        ("a\n\n---\n\nb", "a. b"),
        ("Use `ls` now", "Use ls now"),
        ("Run:\n```python\nprint(1)\n```\nDone.", "Run: Done."),
        ("Run:\n~~~\nx = 1\n", "Run:"),
        ("```markdown\n**Hi**\n```", "Hi."),
        ("| Day | Rain |\n|:----|-----:|\n| Mon | 5% |\n", "Day, Rain. Monday, five percent."),
        ("See [the docs](https://a.b/c_(d)?e=f).", "See the docs."),
        ("See [https://a.b](https://a.b) now", "See now"),
        ("![a cat](cat.png)", "!a cat"),
        ("Paris[1] and Rome[^2] and [3, 4].", "Paris and Rome and."),
        ("Look at https://example.com/a?b=c, please.", "Look at, please."),
        ("Look (https://example.com) here", "Look here"),
        ("好（参考 https://example.com）。", "好。"),
        ("www.example.com is up", "is up"),
        ("<https://example.com> is up", "is up"),
        ("Hi 😀👍🏽 there 🇩🇪!", "Hi there!"),
        ("Hi :) there ;-)", "Hi there"),
        ("I <3 you", "I you"),
        ("<b>Hi</b> <i class='x'>you</i><br/>there", "Hi you. there"),
        ("<emotion>happy</emotion>Hello", "Hello"),
        ("<state>\nhappy\nand calm\n</state>\nHello", "Hello"),
        ("<laugh/>Hello", "Hello"),
        ("<!-- a -->Hello<|im_end|>", "Hello"),
        ("Put <name> there", "Put there"),
        ("<tool_call>{'a': 1}</tool_call>Hello", "Hello"),
        ("3 < 5", "three is less than five"),
        ("if x <y then z> 3", "if x is less than y then z is greater than three"),
        ("3 &lt; 5 at AT&amp;T", "three is less than five at AT and T"),
        ("2 * 3 and a*b", "two times three and ab"),
        ("snake_case_name", "snake case name"),
        ("costs \\$5 \\*now\\*", "costs five dollars now"),
        ("", ""),
        ("😀", ""),
        ("***", ""),
        ("https://example.com", ""),
    ],
)
def test_marks_are_not_spoken(written: str, said: str) -> None:
    assert speakable(written, "en") == said


@pytest.mark.parametrize(
    "text",
    [
        "<think>Let me see.\n</think>Hello",
        "<THINK >no</THINK>Hello",
        "<thinking>a < b </ b</thinking>Hello",
        "<think></think>Hello",
        "<think><think>no</think>Hello",
        "Hello<think>and never an end",
    ],
)
def test_thinking_is_dropped_wherever_a_stream_is_cut(text: str) -> None:
    assert _runs([text]) == ("Hello", "Hello")
    assert _runs(list(text)) == ("Hello", "Hello")


_SNIPPETS = st.sampled_from(
    [
        "<", ">", "<b>", "</b>", "<think>", "</think>", "<x y='1'>", "</x>", "<a href=\"q", "[", "]", "(", ")",
        "[a](b)", "![", "[1]", "https://", "http", "www.", "```", "```py", "~~~", "`", "\n", " ", "\n\n", "word",
        "a.b/c", "Ok. ", "!", "<!--", "-->", "<|", "|>", "好。", "*", "h", "w", "f", "/", "<i", "=", "'", '"', "\r\n",
    ]
)  # fmt: skip


@settings(max_examples=500, deadline=None)
@given(st.lists(_SNIPPETS, max_size=14))
def test_where_a_stream_is_cut_changes_nothing(snippets: list[str]) -> None:
    text = "".join(snippets)
    assert _runs(snippets) == _runs([text]) == _runs(list(text))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(_SNIPPETS.filter(lambda snippet: "think" not in snippet), st.text(max_size=8)), max_size=14))
def test_all_that_is_written_comes_out_again(snippets: list[str]) -> None:
    assert _runs(snippets)[0] == "".join(snippets)


def test_what_is_held_back_is_bounded() -> None:
    for opening in ("<a ", "<a href='", "[", "[a](", "```", "https://", "<x>", "<think>", "<!--", "```py\n"):
        markup = Markup()
        markup.feed(opening)
        for _ in range(500):
            markup.feed("abcdefghij")
        assert len(markup._held) < 1700, opening


def test_a_long_address_is_not_read_aloud() -> None:
    address = "https://example.com/" + "a1b2/" * 2000
    written, said = _runs([f"Look: {address} there"])
    assert written == f"Look: {address} there"
    assert "a1b2" not in said
    assert said.startswith("Look: ")
    assert said.endswith(" there")
