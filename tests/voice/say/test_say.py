"""Laws of speakable: any text in, words out, in bounded time."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.voice.say import guess, is_readable, speakable

_NASTY = st.text(alphabet="0123456789.,:-/%$€¥°+=*x^~#@&_|<>[]()`'\"! \nabTZ年月日个点元", max_size=60)
_LANGUAGES = st.sampled_from(["en", "en-GB", "zh", "zh-CN", "de", "fr", "ja", "ru", "xx", "", "auto"])


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.text(max_size=80), _NASTY), _LANGUAGES)
def test_any_text_can_be_said(text: str, language: str) -> None:
    said = speakable(text, language)
    assert "\n" not in said
    assert said == said.strip()


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.text(max_size=80), _NASTY), st.sampled_from(["en", "zh"]))
def test_no_digit_is_left(text: str, language: str) -> None:
    assert not any(sign.isdigit() for sign in speakable(text, language))


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from("the quick brown fox jumps over twenty-three lazy dogs".split()), min_size=1), _LANGUAGES
)
def test_plain_words_stay_as_they_are(words: list[str], language: str) -> None:
    text = " ".join(words)
    assert speakable(text, language) == text


_FLOODS = [
    "1", "1,", "1-", "1.", "1:", "1/", "1 ", "$", "$1", "-", "*", "* ", "_", "a_", "[", "[a](", "](", "(", "<", "<a ",
    "<a b=", "</", "<!", "`", "``` ", "#", "|", "|-", "a.", "A. ", "a@", "a@b.", "http://", "www.a", "1e", "1^", "+1",
    "+1 ", "é", "😀", "\n", "\n- ", "\n1. ", " ", "\t", "...", "!?", "年", "1年", "第1", "一1", "@", "&amp;", "\\",
    "<think>", "x1", "1x", "Nov 1 ",
]  # fmt: skip


@pytest.mark.parametrize("language", ["en", "zh", "de"])
@pytest.mark.parametrize("flood", _FLOODS)
def test_ten_thousand_characters_take_well_under_a_second(flood: str, language: str) -> None:
    text = (flood * 10_000)[:10_000]
    speakable("1", language)
    # The best of three: a garbage collection of the whole run may fall into one.
    assert min(_seconds(text, language) for _ in range(3)) < 0.5


def _seconds(text: str, language: str) -> float:
    start = time.process_time()
    speakable(text, language)
    return time.process_time() - start


def test_a_sentence_costs_less_than_a_millisecond_or_so() -> None:
    sentence = "On November 30, 2026 at 14:30 the price was $5.00, about 20% more than in 1999."
    speakable(sentence, "en")
    start = time.process_time()
    for _ in range(50):
        speakable(sentence, "en")
    assert (time.process_time() - start) / 50 < 0.003


@pytest.mark.parametrize(
    ("written", "language", "said"),
    [
        ("Es sind 21 Grad.", "de", "Es sind einundzwanzig Grad."),
        ("Um 15:30 Uhr am 24.12.2026.", "de", "Um 15:30 Uhr am 24.12.2026."),
        ("à 15h30", "fr", "à 15h30"),
        ("500円", "ja", "五百円"),
        ("3,5 %", "de", "drei Komma fünf Prozent"),
        ("1.234 Leute", "de-AT", "eintausendzweihundertvierunddreißig Leute"),
        ("J'ai 80 ans", "fr", "J'ai quatre-vingts ans"),
        ("Tengo 2 gatos", "es", "Tengo dos gatos"),
        ("**21** koala", "xx", "21 koala"),
        ("12345678901234567890", "de", "12345678901234567890"),
    ],
)
def test_other_languages_say_numbers_where_they_can(written: str, language: str, said: str) -> None:
    assert speakable(written, language) == said


@pytest.mark.parametrize(
    ("text", "language"),
    [("hello", "en"), ("你好", "zh"), ("こんにちは", "ja"), ("안녕", "ko"), ("", "en"), ("café", "en")],
)
def test_an_unlabelled_text_is_known_by_its_script(text: str, language: str) -> None:
    assert guess(text) == language


def test_marks_alone_are_not_readable() -> None:
    assert all(map(is_readable, ["a", "好", "5"]))
    assert not any(map(is_readable, ["", " ", "!?…", "😀", "***", "_"]))


def test_our_own_languages_do_without_num2words() -> None:
    program = (
        "import sys; from companion.voice.speech import SpeechCutter; from companion.voice.say import speakable;"
        "SpeechCutter('en'); speakable('5', 'zh'); bad = {'num2words', 'markdown_it', 'numpy'} & set(sys.modules);"
        "sys.exit(1 if bad else 0)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
