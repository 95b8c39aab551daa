"""Lengths of time as people say them: "an hour and a half", "90 seconds", "一个半小时"."""

from __future__ import annotations

import re
from datetime import timedelta
from fractions import Fraction

from companion.talents.spoken.language import is_chinese, looks_chinese
from companion.talents.spoken.numbers import number_of

_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}
_UNITS = {unit + plural: seconds for unit, seconds in _SECONDS.items() for plural in ("", "s")}

_AMOUNTS: dict[tuple[str, ...], Fraction] = {
    ("a",): Fraction(1),
    ("an",): Fraction(1),
    ("half", "a"): Fraction(1, 2),
    ("half", "an"): Fraction(1, 2),
    ("quarter", "of", "an"): Fraction(1, 4),
    ("a", "quarter", "of", "an"): Fraction(1, 4),
    ("three", "quarters", "of", "an"): Fraction(3, 4),
    ("couple",): Fraction(2),
    ("couple", "of"): Fraction(2),
    ("a", "couple"): Fraction(2),
    ("a", "couple", "of"): Fraction(2),
}
_PARTS: dict[tuple[str, ...], Fraction] = {
    ("and", "a", "half"): Fraction(1, 2),
    ("and", "a", "quarter"): Fraction(1, 4),
}

_HAN_UNITS = {"秒": 1, "分": 60, "刻": 900, "小时": 3600, "钟头": 3600, "天": 86_400}
_HAN_SPAN = re.compile(
    r"零?(?P<amount>半|[\d.零〇一二两三四五六七八九十百千万点]+)个?(?P<half>半)?"
    r"(?P<unit>秒|分|刻|小时|钟头|天)(?P<half_behind>半)?钟?"
)
LONGEST = timedelta(days=366)


def duration_of(text: str) -> timedelta | None:
    """The length of time that all of ``text`` names; None where it names none, or more than ``LONGEST``."""
    seconds = _chinese(text.replace(" ", "")) if looks_chinese(text) else _english(text.lower().split())
    if seconds is None or not 0 <= seconds <= LONGEST.total_seconds():
        return None
    return timedelta(microseconds=round(seconds * 1_000_000))


def _english(tokens: list[str]) -> Fraction | None:
    total, unit = Fraction(0), 0
    while tokens:
        if unit and tuple(tokens[:3]) in _PARTS:
            total += unit * _PARTS[tuple(tokens[:3])]
            tokens = tokens[3:]
            continue
        if unit and tokens[0] == "and":
            tokens = tokens[1:]
        end = next((index for index, token in enumerate(tokens) if token in _UNITS), None)
        amount = None if end is None else _amount(tuple(tokens[:end]))
        if end is None or amount is None:
            return None
        unit = _UNITS[tokens[end]]
        total += amount * unit
        tokens = tokens[end + 1 :]
    return total if unit else None


def _amount(tokens: tuple[str, ...]) -> Fraction | None:
    if tokens in _AMOUNTS:
        return _AMOUNTS[tokens]
    part = _PARTS.get(tokens[-3:], Fraction(0))
    number = number_of(" ".join(tokens[:-3] if part else tokens))
    return None if number is None or number < 0 else number + part


def _chinese(text: str) -> Fraction | None:
    text = text.replace("个钟头", "小时").replace("个钟", "小时").replace("小时钟", "小时")
    total, position = Fraction(0), 0
    while position < len(text):
        span = _HAN_SPAN.match(text, position)
        amount = None if span is None else Fraction(1, 2) if span["amount"] == "半" else number_of(span["amount"])
        if span is None or amount is None:
            return None
        halves = Fraction(sum(span[name] is not None for name in ("half", "half_behind")), 2)
        total += (amount + halves) * _HAN_UNITS[span["unit"]]
        position = span.end()
    return total if text else None


def say_duration(length: timedelta, language: str) -> str:
    """``length`` to the second, as people say it: "1 hour and 30 minutes", "1小时30分钟"."""
    seconds = round(length.total_seconds())
    days, seconds = divmod(seconds, 86_400)
    hours, seconds = divmod(seconds, 3600)
    minutes, seconds = divmod(seconds, 60)
    counts = [(days, "day", "天"), (hours, "hour", "小时"), (minutes, "minute", "分钟"), (seconds, "second", "秒")]
    said = [(count, unit, han) for count, unit, han in counts if count] or [(0, "second", "秒")]
    if is_chinese(language):
        return "".join(f"{count}{han}" for count, _, han in said)
    parts = [f"{count} {unit}{'' if count == 1 else 's'}" for count, unit, _ in said]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def say_roughly(length: timedelta, language: str) -> str:
    """``length`` without what nobody needs to know: seconds above ten minutes, minutes above a day."""
    seconds = length.total_seconds()
    step = 1 if seconds < 600 else 60 if seconds < 86_400 else 3600
    return say_duration(timedelta(seconds=step * round(seconds / step)), language)
