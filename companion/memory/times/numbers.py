"""Numbers as they are spoken: "thirty four", "the twenty first", "nineteen seventy four", 三十三, 八九年."""

from __future__ import annotations

import re

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = {
    name: 10 * place for place, name in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
_UNITS = {name: number for number, name in enumerate(_SMALL)}
_NTH = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "eleventh": 11,
    "twelfth": 12,
    "twentieth": 20,
    "thirtieth": 30,
    "fortieth": 40,
    "fiftieth": 50,
    "sixtieth": 60,
    "seventieth": 70,
    "eightieth": 80,
    "ninetieth": 90,
} | {f"{name}th": number for name, number in _UNITS.items() if number >= 13}
_ONE_TO_NINE = "one|two|three|four|five|six|seven|eight|nine"
_NTH_TO_NINTH = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth"

CARDINAL = rf"(?:\d{{1,3}}|(?:{'|'.join(_TENS)})(?:[ -](?:{_ONE_TO_NINE}))?|{'|'.join(reversed(_SMALL))})"
"""1 to 99 in words, or up to three digits."""
_ANY_NTH = "|".join(sorted(_NTH, key=len, reverse=True))
ORDINAL = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)|(?:twenty|thirty)[ -](?:{_NTH_TO_NINTH})|{_ANY_NTH}"
    r")"
)
YEAR = (
    rf"(?:(?:19|20)\d\d|two thousand(?: and)? (?:{CARDINAL})|two thousand|"
    rf"(?:nineteen|twenty)[ -](?:oh[ -](?:{_ONE_TO_NINE})|(?:{'|'.join(_TENS)})(?:[ -](?:{_ONE_TO_NINE}))?|"
    rf"ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen))"
)
SHORT_YEAR = rf"(?:(?:forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:{_ONE_TO_NINE}))?|'?[4-9]\d)"
"""A year of the last century without its beginning."""

DIGITS = "零一二三四五六七八九"
CHINESE = "[零〇一二两兩三四五六七八九十百\\d]+"
_CHINESE_DIGITS = {char: number for number, char in enumerate(DIGITS)} | {"〇": 0, "两": 2, "兩": 2}


def english(words: str) -> int | None:
    """ "thirty four", "34"; None for anything else."""
    words = words.strip().replace("-", " ")
    if words.isdigit():
        return int(words)
    total = 0
    for word in words.split():
        number = _UNITS.get(word, _TENS.get(word))
        if number is None:
            return None
        total += number
    return total if words else None


def nth(words: str) -> int | None:
    """ "twenty first", "21st"; None for anything else."""
    words = words.strip().replace("-", " ")
    if found := re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)", words):
        return int(found[1])
    *tens, last = words.split() or [""]
    number = _NTH.get(last)
    return None if number is None else number + sum(_TENS.get(word, 0) for word in tens)


def year(words: str) -> int | None:
    """ "nineteen seventy four", "two thousand and five", "ninety nine", "1974"; None for anything else."""
    words = words.strip().replace("-", " ").lstrip("'")
    if words.isdigit():
        return int(words) if len(words) == 4 else 1900 + int(words)
    if words.startswith("two thousand"):
        rest = words.removeprefix("two thousand").removeprefix(" and").strip()
        return 2000 + (english(rest) or 0)
    first, _, rest = words.partition(" ")
    if first in ("nineteen", "twenty") and rest and not (first == "twenty" and _UNITS.get(rest, 10) < 10):
        return _UNITS.get(first, 20) * 100 + (english(rest.removeprefix("oh ")) or 0)
    number = english(words)
    return None if number is None else 1900 + number


def chinese(text: str) -> int | None:
    """三十三, 两, 33, 八百; digits one after the other (一九七八) as such. None for anything else."""
    if text.isdigit() and text.isascii():
        return int(text)
    if not text:
        return None
    if not set(text) & {"十", "百"}:
        digits = [_CHINESE_DIGITS.get(char) for char in text]
        known = [digit for digit in digits if digit is not None]
        return int("".join(map(str, known))) if len(known) == len(digits) else None
    return _with_tens(text)


def _with_tens(text: str) -> int | None:
    total, digit = 0, None
    for char in text:
        if char in "十百":
            total += (1 if digit is None else digit) * (10 if char == "十" else 100)
            digit = None
        elif char in _CHINESE_DIGITS:
            digit = _CHINESE_DIGITS[char]
        else:
            return None
    return total + (digit or 0)


def chinese_year(text: str) -> int | None:
    """七八, 一九七八, 89, 1989; of two digits, one of the last century or of this."""
    number = chinese(text)
    if number is None or "十" in text:
        return None
    if len(text) == 4:
        return number
    return None if len(text) != 2 else number + (1900 if number > 30 else 2000)
