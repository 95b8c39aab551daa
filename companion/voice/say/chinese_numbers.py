"""Chinese words for whole numbers, decimals, years and numbers read digit by digit."""

from __future__ import annotations

NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?)"
"""A number as written in Chinese text: 7, 3.14, 1,234,567.89."""

_DIGITS = "零一二三四五六七八九"
_PLACES = ("", "十", "百", "千")
_SCALES = ("", "万", "亿", "万亿")
_LONGEST_CARDINAL = 15
"""Digits beyond which a number is an identifier, read digit by digit."""


def digits(written: str, *, one: str = "一") -> str:
    """Digit by digit, as years and identifiers are read. one: "幺" in telephone numbers."""
    return "".join(one if digit == "1" else _DIGITS[int(digit)] for digit in written if digit in "0123456789")


def cardinal(number: int) -> str:
    """``1005`` as "一千零五", ``20000`` as "两万"."""
    if number == 0:
        return "零"
    if number < 0:
        return f"负{cardinal(-number)}"
    if number >= 10_000 ** len(_SCALES):
        return digits(str(number))
    words = _grouped(number)
    return words[1:] if words.startswith("一十") else words


def _grouped(number: int) -> str:
    words, scale, gap = "", 0, False
    while number:
        number, group = divmod(number, 10_000)
        if group:
            joint = "零" if words and gap else ""
            words = _group(group, is_scaled=scale > 0) + _SCALES[scale] + joint + words
        gap = 0 < group < 1000 or (group == 0 and bool(words))
        scale += 1
    return words


def _group(number: int, *, is_scaled: bool) -> str:
    if number == 2 and is_scaled:
        return "两"
    words, gap = "", False
    for place in (3, 2, 1, 0):
        digit = number // 10**place % 10
        if not digit:
            gap = bool(words)
            continue
        name = "两" if digit == 2 and place == 3 else _DIGITS[digit]
        words += ("零" if gap else "") + name + _PLACES[place]
        gap = False
    return words


def number(written: str) -> str:
    """A number as written (see ``NUMBER``) in words."""
    whole, _, fraction = written.replace(",", "").partition(".")
    is_name = (len(whole) > 1 and whole[0] == "0") or (len(whole) > _LONGEST_CARDINAL)
    words = digits(whole) if is_name else cardinal(int(whole))
    return f"{words}点{digits(fraction)}" if fraction else words


def counted(written: str) -> str:
    """A number before a measure word: ``2`` is "两" there."""
    return "两" if written == "2" else number(written)
