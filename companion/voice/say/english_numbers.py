"""English words for whole numbers, decimals, ordinals and years."""

from __future__ import annotations

NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?)"
"""A number as written in English: 7, 3.14, 1,234,567.89."""

_LONGEST_CARDINAL = 15
"""Digits beyond which an ungrouped number is an identifier, said digit by digit."""

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS = ["", "", *"twenty thirty forty fifty sixty seventy eighty ninety".split()]
_SCALES = [
    "",
    *(
        "thousand million billion trillion quadrillion quintillion sextillion septillion octillion nonillion decillion"
    ).split(),
]
_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}


def _below_hundred(number: int) -> str:
    if number < 20:
        return _SMALL[number]
    tens, units = divmod(number, 10)
    return f"{_TENS[tens]}-{_SMALL[units]}" if units else _TENS[tens]


def _below_thousand(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    if not hundreds:
        return _below_hundred(rest)
    words = f"{_SMALL[hundreds]} hundred"
    return f"{words} {_below_hundred(rest)}" if rest else words


def cardinal(number: int) -> str:
    """``1234`` as "one thousand two hundred thirty-four"; beyond decillions digit by digit."""
    if number < 0:
        return f"minus {cardinal(-number)}"
    if number < 1000:
        return _below_thousand(number)
    if number >= 1000 ** len(_SCALES):
        return digits(str(number))
    groups: list[str] = []
    for scale in _SCALES:
        number, group = divmod(number, 1000)
        if group:
            groups.append(f"{_below_thousand(group)} {scale}".rstrip())
    return " ".join(reversed(groups))


def digits(written: str) -> str:
    """Digit by digit; anything that is no digit is left out."""
    return " ".join(_SMALL[int(digit)] for digit in written if digit in "0123456789")


def number(written: str) -> str:
    """A number as written (see ``NUMBER``) in words."""
    whole, _, fraction = written.replace(",", "").partition(".")
    if (len(whole) > 1 and whole[0] == "0") or (len(whole) > _LONGEST_CARDINAL and "," not in written):
        words = digits(whole)
    else:
        # int() refuses thousands of digits; what is longer than any name is spelt by cardinal anyway.
        words = cardinal(int(whole)) if len(whole) <= 36 else digits(whole)
    return f"{words} point {digits(fraction)}" if fraction else words


def ordinal(number: int) -> str:
    """``21`` as "twenty-first"."""
    words = cardinal(number)
    cut = max(words.rfind(" "), words.rfind("-")) + 1
    last = words[cut:]
    if last in _ORDINALS:
        return words[:cut] + _ORDINALS[last]
    return words[:-1] + "ieth" if last.endswith("y") else words + "th"


def year(number: int) -> str:
    """``2026`` as "twenty twenty-six", ``1905`` as "nineteen oh five", ``2005`` as "two thousand five"."""
    century, rest = divmod(number, 100)
    if not 11 <= century <= 99 or (century % 10 == 0 and rest < 10):
        return cardinal(number)
    if rest == 0:
        return f"{_below_hundred(century)} hundred"
    return f"{_below_hundred(century)} {'oh ' if rest < 10 else ''}{_below_hundred(rest)}"


def plural(words: str) -> str:
    """Of the last word of a number: "nineties", "halves", "thirds"."""
    if words.endswith("y"):
        return words[:-1] + "ies"
    if words.endswith("half"):
        return words[:-1] + "ves"
    return words + ("es" if words.endswith("x") else "s")
