"""Chinese words for dates and times of day."""

from __future__ import annotations

import re

from companion.voice.say.chinese_numbers import cardinal, counted, digits
from companion.voice.say.rules import Rule

_PARTS = "凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜|今晚|明早|今早|明晚"
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def _date(match: re.Match[str], year: str, month: str, day: str) -> str:
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        return match[0]
    return f"{digits(year)}年{cardinal(int(month))}月{cardinal(int(day))}日"


def _year_first(match: re.Match[str]) -> str:
    return _date(match, match[1], match[3], match[4])


def _year_last(match: re.Match[str]) -> str:
    month, day = (match[3], match[1]) if match[2] == "." or int(match[1]) > 12 else (match[1], match[3])
    return _date(match, match[4], month, day)


def _years(match: re.Match[str]) -> str:
    return f"{digits(match[1])}年到{digits(match[2])}年"


def _month_and_day(match: re.Match[str]) -> str:
    return f"{cardinal(int(match[1]))}月{cardinal(int(match[2]))}{match[3]}"


def _time(match: re.Match[str]) -> str:
    hour, minute, second = int(match[2]), int(match[3]), int(match[4] or 0)
    if hour > 24 or minute > 59 or second > 59:
        return match[0]
    part = match[1] or _part_of_day(hour, (match[5] or "").lower())
    if part and (hour > 12 or (hour == 12 and part == "零点")):
        hour %= 12
    return part + _clock(hour, minute, second)


def _part_of_day(hour: int, half: str) -> str:
    if half:
        hour = hour % 12 + (12 if half[0] == "p" else 0)
        return "上午" if hour < 12 else _after_noon(hour)
    return _after_noon(hour) if 12 < hour < 24 else ""


def _after_noon(hour: int) -> str:
    return "中午" if hour == 12 else "下午" if hour < 18 else "晚上"


def _clock(hour: int, minute: int, second: int) -> str:
    words = ("两" if hour == 2 else cardinal(hour % 24)) + "点"
    if minute == 30 and not second:
        return words + "半"
    if minute or second:
        words += ("零" if minute < 10 else "") + (cardinal(minute) if minute else "") + "分"
    return words + (f"{'零' if second < 10 else ''}{cardinal(second)}秒" if second else "")


def _hour(match: re.Match[str]) -> str:
    part = _part_of_day(int(match[1]), match[2].lower())
    return f"{part}{counted(str(int(match[1])))}点"


DATES: tuple[Rule, ...] = (
    (re.compile(r"(?<![\d.,/-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d/-]|\.\d)T?"), _year_first),
    (re.compile(r"(?<![\d.,/-])(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?![\d/-]|\.\d)"), _year_last),
    (re.compile(r"(?<!\d)(\d{4})年?\s?[-–—~～至到]\s?(\d{4})\s?年"), _years),
    (re.compile(r"(?<!\d)(\d{2}|\d{4})\s?年(?!前|后|内|间|来|以|之|多|级)"), lambda match: f"{digits(match[1])}年"),
    (re.compile(r"(?<!\d)(\d{1,2})\s?月\s?(\d{1,2})\s?(日|号)"), _month_and_day),
    (re.compile(r"(?<!\d)(\d{1,2})\s?(月|日|号)(?!楼|线|门)"), lambda match: f"{cardinal(int(match[1]))}{match[2]}"),
)

TIMES: tuple[Rule, ...] = (
    (re.compile(r"([:：]\d\d)\s?[-–—~～]\s?(?=\d{1,2}[:：]\d\d)"), lambda match: f"{match[1]}到"),
    (
        re.compile(
            rf"({_PARTS})?\s?(?<![\d:.,])(\d{{1,2}})[:：](\d\d)(?:[:：](\d\d))?(?![\d:])(?:\s?([AaPp]\.?[Mm]\b\.?))?Z?"
        ),
        _time,
    ),
    (re.compile(r"(?<![\d:.,])(1[0-2]|0?[1-9])\s?([AaPp]\.?[Mm]\b\.?)"), _hour),
)
