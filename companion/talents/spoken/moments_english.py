"""Reads a moment said in English."""

from __future__ import annotations

import re
from dataclasses import replace

from companion.talents.spoken.calendar import WEEKDAYS, Spoken
from companion.talents.spoken.dates_english import take_date
from companion.talents.spoken.durations import duration_of
from companion.talents.spoken.numbers import number_of

_FILLERS = {"at", "on", "by", "around", "about", "for", "the", "this", "in", "sharp"}
_CLOCK = re.compile(r"(\d{1,2})[:.](\d{2})")
_RUN_TOGETHER = re.compile(r"(\d{1,2})(\d{2})")
_PARTS = ("morning", "afternoon", "evening", "night")
_OPEN_HOURS = range(1, 13)
_AFTER, _BEFORE = 1, -1
# "Pass" and "two" are how recognisers write what was said.
_BESIDE = {
    "past": _AFTER, "passed": _AFTER, "pass": _AFTER, "after": _AFTER,
    "to": _BEFORE, "two": _BEFORE, "too": _BEFORE, "before": _BEFORE, "till": _BEFORE,
}  # fmt: skip


def read(text: str) -> Spoken | None:
    """What ``text`` says about a moment; None where not all of it is about one."""
    plain = text.lower().replace("o'clock", "oclock").replace("the day after tomorrow", "overmorrow")
    plain = plain.replace("o clock", "oclock").replace("a m", "am").replace("p m", "pm")
    length = _length(plain.split())
    if length and (after := duration_of(" ".join(length))) is not None:
        return Spoken(after=after)
    spoken, half, rest = Spoken(), "", list[str]()
    if dated := take_date(plain):
        plain, month, day, next_month = dated
        spoken = Spoken(month=month, day=day, next_month=next_month)
    for word in plain.split():
        if word in {"am", "pm"}:
            half = word
        elif (said := _day_or_part(spoken, word)) is not None:
            spoken = said
        elif word not in _FILLERS:
            rest.append(word)
    if rest and (clock := _clock(rest)) is not None:
        spoken = replace(spoken, hour=clock[0], minute=clock[1], is_open=clock[2])
    elif rest or spoken == Spoken():
        return None
    return _with_half(spoken, half)


def _length(tokens: list[str]) -> list[str]:
    if tokens[:1] == ["in"]:
        return tokens[1:]
    return tokens[:-2] if tokens[-2:] == ["from", "now"] else []


def _day_or_part(spoken: Spoken, word: str) -> Spoken | None:
    match word:
        case "today":
            return replace(spoken, days=0)
        case "tonight":
            return replace(spoken, days=0, part="night")
        case "tomorrow":
            return replace(spoken, days=1)
        case "overmorrow":
            return replace(spoken, days=2)
        case "next":
            return replace(spoken, not_today=True)
        case _ if word in WEEKDAYS:
            return replace(spoken, weekday=WEEKDAYS.index(word))
        case _ if word in _PARTS:
            return replace(spoken, part=word)
        case _:
            return None


def _with_half(spoken: Spoken, half: str) -> Spoken | None:
    if not half:
        return spoken
    if spoken.hour is None:
        return None
    # "14:30 pm" is said, too; the hour is plain then.
    hour = spoken.hour % 12 + (12 if half == "pm" else 0) if spoken.hour <= 12 else spoken.hour
    return replace(spoken, hour=hour, is_open=False)


def _clock(tokens: list[str]) -> tuple[int, int, bool] | None:
    """Hour, minute, and whether the hour may be in the morning or in the afternoon."""
    tokens = [word for word in tokens if word != "oclock"]
    if plain := _plain_clock(tokens):
        return plain
    for place, word in enumerate(tokens):
        if word in _BESIDE and 0 < place < len(tokens) - 1:
            return _beside(tokens[:place], _BESIDE[word], tokens[place + 1 :])
    return None


def _beside(minutes: list[str], sign: int, hour: list[str]) -> tuple[int, int, bool] | None:
    clock = _plain_clock(hour)
    count = _minutes(" ".join(minutes).removesuffix(" minutes").removesuffix(" minute"))
    if clock is None or clock[1] or count is None or not 0 < count < 60:
        return None
    if sign > 0:
        return clock[0], count, clock[2]
    before = (clock[0] - 1) % 24
    return before or (12 if clock[2] else 0), 60 - count, clock[2]


def _minutes(words: str) -> int | None:
    if words in {"half", "quarter", "a quarter"}:
        return 30 if words == "half" else 15
    number = number_of(words)
    return int(number) if number is not None and number.denominator == 1 else None


def _plain_clock(tokens: list[str]) -> tuple[int, int, bool] | None:
    words = " ".join(tokens)
    if words in {"noon", "midnight"}:
        return (12 if words == "noon" else 24), 0, False
    if figures := _CLOCK.fullmatch(words):
        return _checked(int(figures[1]), int(figures[2]), plain=figures[1].startswith("0"))
    hour = number_of(words)
    if hour is not None and hour.denominator == 1 and hour <= 24:
        return _checked(int(hour), 0)
    if figures := _RUN_TOGETHER.fullmatch(words):
        return _checked(int(figures[1]), int(figures[2]), plain=figures[1].startswith("0"))
    for split in range(1, len(tokens)):
        hour, minute = number_of(" ".join(tokens[:split])), _spoken_minute(tokens[split:])
        if hour is not None and minute is not None:
            return _checked(int(hour), minute)
    return None


def _spoken_minute(tokens: list[str]) -> int | None:
    if tokens[0] in {"oh", "zero"} and len(tokens) == 2:
        minute = number_of(tokens[1])
        return int(minute) if minute is not None and minute < 10 else None
    minute = number_of(" ".join(tokens))
    two_figures = minute is not None and (minute >= 10 or (len(tokens[0]) == 2 and tokens[0].isdigit()))
    return int(minute) if minute is not None and two_figures else None


def _checked(hour: int, minute: int, *, plain: bool = False) -> tuple[int, int, bool] | None:
    if not 0 <= hour <= 24 or not 0 <= minute < 60 or (hour == 24 and minute):
        return None
    return hour, minute, hour in _OPEN_HOURS and not plain
