"""Numbers as people say them: "twenty five", "2.5", "minus a hundred and three", "一百零五", "三点五"."""

from __future__ import annotations

import re
from fractions import Fraction

from companion.talents.spoken.language import looks_chinese

_SMALL = {
    "zero": 0,
    "oh": 0,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "thirteen": 13,
    "fourteen": 14,
    "fifteen": 15,
    "sixteen": 16,
    "seventeen": 17,
    "eighteen": 18,
    "nineteen": 19,
}
_TENS = {
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fourty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}

_HAN_DIGITS = {
    "零": 0,
    "〇": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
_HAN_TENS = {"十": 10, "百": 100, "千": 1000}
_HAN_SCALES = {"万": 10**4, "亿": 10**8}

_FIGURES = re.compile(r"\d+(?:\.\d+)?")
_HAN_TOKEN = re.compile(r"\d+(?:\.\d+)?|.")


def number_of(text: str) -> Fraction | None:
    """The number that all of ``text`` names, or None."""
    if looks_chinese(text):
        return _chinese(text.replace(" ", ""))
    return _english(text.lower().replace("-", " ").split())


def _english(tokens: list[str]) -> Fraction | None:
    if tokens[:1] in (["minus"], ["negative"]):
        number = _english(tokens[1:])
        return None if number is None else -number
    if "point" not in tokens:
        return _english_whole(tokens)
    point = tokens.index("point")
    whole = _english_whole(tokens[:point]) if point else Fraction(0)
    decimals = _decimals([str(_SMALL.get(word, word)) for word in tokens[point + 1 :]])
    return None if whole is None or decimals is None else whole + decimals


def _decimals(digits: list[str]) -> Fraction | None:
    written = "".join(digits)
    if not written.isascii() or not written.isdecimal():
        return None
    return Fraction(int(written), 10 ** len(written))


def _english_whole(tokens: list[str]) -> Fraction | None:
    total, group, largest = Fraction(0), None, 10**12
    for position, word in enumerate(tokens):
        if word == "and" and 0 < position < len(tokens) - 1:
            continue
        if word == "a" and position == 0 and tokens[1:2] and tokens[1] in {"hundred", *_SCALES}:
            group = Fraction(1)
        elif word == "hundred":
            if group is None or not 0 < group < 100:
                return None
            group *= 100
        elif word in _SCALES:
            if group is None or _SCALES[word] >= largest:
                return None
            largest = _SCALES[word]
            total, group = total + group * largest, None
        else:
            group = _put_behind(group, word)
            if group is None:
                return None
    return total + group if group is not None else total if largest < 10**12 else None


def _put_behind(group: Fraction | None, word: str) -> Fraction | None:
    """``group`` ("a hundred", "twenty") with a small number behind it, where people may say that."""
    if _FIGURES.fullmatch(word):
        value, room = Fraction(word), 10 ** len(word.split(".")[0])
    elif word in _SMALL:
        value, room = Fraction(_SMALL[word]), 10 if _SMALL[word] < 10 else 100
    elif word in _TENS:
        value, room = Fraction(_TENS[word]), 100
    else:
        return None
    if group is None:
        return value
    after_tens = room == 10 and group % 100 >= 20
    after_hundreds = group >= 100 and group % 100 == 0 and room <= 100
    return group + value if value and group % 10 == 0 and (after_tens or after_hundreds) else None


def _chinese(text: str) -> Fraction | None:
    if text.startswith("负"):
        number = _chinese(text[1:])
        return None if number is None else -number
    whole, point, decimals = text.partition("点")
    number = _chinese_whole(whole)
    if number is None or not point:
        return number
    behind = _decimals([str(_HAN_DIGITS.get(digit, digit)) for digit in decimals])
    return None if behind is None else number + behind


def _chinese_whole(text: str) -> Fraction | None:
    if len(text) > 1 and all(digit in _HAN_DIGITS for digit in text):
        return Fraction("".join(str(_HAN_DIGITS[digit]) for digit in text))
    total, group, digit, last = Fraction(0), Fraction(0), None, 1
    for word in _HAN_TOKEN.findall(text):
        if word in _HAN_SCALES:
            group += digit or 0
            total, group, digit, last = (total + group) * _HAN_SCALES[word], Fraction(0), None, _HAN_SCALES[word]
        elif word in _HAN_TENS:
            if (digit is None and word != "十") or group % (10 * _HAN_TENS[word]):
                return None
            group, digit, last = group + (1 if digit is None else digit) * _HAN_TENS[word], None, _HAN_TENS[word]
        elif word in {"零", "〇"}:
            digit, last = digit or (None if total or group else Fraction(0)), 10
        elif digit is None and (value := _chinese_digit(word)) is not None:
            digit = value
        else:
            return None
    if digit is not None and last > 10 and digit < 10 and (group or total):
        digit *= last // 10  # 一百五 is 150, 两万三 is 23,000
    return total + group + (digit or 0) if text else None


def _chinese_digit(word: str) -> Fraction | None:
    if word in _HAN_DIGITS:
        return Fraction(_HAN_DIGITS[word])
    return Fraction(word) if _FIGURES.fullmatch(word) else None
