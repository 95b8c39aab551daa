from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from num2words import num2words

from companion.talents.spoken.numbers import number_of

SPOKEN = [
    ("ten", 10), ("twenty five", 25), ("twenty-five", 25), ("a hundred", 100), ("one hundred and five", 105),
    ("a thousand and one", 1001), ("two thousand twenty six", 2026), ("12 hundred", 1200),
    ("2 million", 2_000_000), ("three point five", Fraction(7, 2)), ("point five", Fraction(1, 2)),
    ("minus five", -5), ("0", 0), ("3.25", Fraction(13, 4)), ("十", 10), ("二十五", 25), ("一百零五", 105),
    ("两千", 2000), ("一百五", 150), ("一万两千三百", 12300), ("三点五", Fraction(7, 2)), ("负三", -3),
    ("3万", 30000), ("二零二六", 2026), ("两万三", 23000), ("一亿", 100_000_000),
]  # fmt: skip


@pytest.mark.parametrize(("said", "number"), SPOKEN)
def test_a_spoken_number_is_understood(said: str, number: Fraction) -> None:
    assert number_of(said) == number


@pytest.mark.parametrize(
    "said", ["", "and", "hundred", "five twenty", "ten and", "twenty zero", "point", "apple", "百", "点", "十十"]
)
def test_what_is_no_number_is_none(said: str) -> None:
    assert number_of(said) is None


@given(st.integers(0, 999_999_999))
def test_every_whole_number_survives_being_said_in_english(number: int) -> None:
    assert number_of(num2words(number).replace(",", "")) == number


@given(st.text(alphabet="0123456789.零一二两三十百千万亿点负 andpoitwehurfv", max_size=40))
def test_no_text_breaks_it(text: str) -> None:
    number_of(text)


def han(number: int) -> str:
    """A number below ten thousand in Chinese characters, as schools teach it."""
    digits, units = "零一二三四五六七八九", ["", "十", "百", "千"]
    figures = [int(figure) for figure in str(number)]
    said = ""
    for place, figure in zip(range(len(figures) - 1, -1, -1), figures, strict=True):
        said += digits[figure] + units[place] if figure else "零" if said and not said.endswith("零") else ""
    return said.rstrip("零") or "零"


@given(st.integers(0, 9999))
def test_every_whole_number_survives_being_said_in_chinese(number: int) -> None:
    assert number_of(han(number)) == number
