"""Chinese times: 这周五上午九点, 后天, 下礼拜二, 二十六号, 六月十四号, 上个月, 前年, 七八年."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from re import Match

from companion.memory.times import numbers
from companion.memory.times.numbers import CHINESE
from companion.memory.times.when import (
    Rule,
    When,
    a_day,
    a_month,
    a_weekday_of,
    found,
    in_days,
    midnight,
    months,
    whole_year,
)

_NEAR = {
    "今天": 0,
    "今晚": 0,
    "今早": 0,
    "今儿": 0,
    "明天": 1,
    "明早": 1,
    "明晚": 1,
    "明儿": 1,
    "后天": 2,
    "後天": 2,
    "大后天": 3,
    "大後天": 3,
    "昨天": -1,
    "昨晚": -1,
    "昨儿": -1,
    "前天": -2,
    "大前天": -3,
}
_DAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6, "末": 5}
_YEARS = {"今年": 0, "明年": 1, "后年": 2, "後年": 2, "去年": -1, "前年": -2, "大前年": -3}
_WEEK = "(?:个|個)?(?:周|週|星期|礼拜|禮拜)"
_OF_DAY = "(?:早上|上午|中午|下午|傍晚|晚上|凌晨|早晨)?"
_PER = {"天": 1, "周": 7, "週": 7, "星期": 7, "礼拜": 7, "禮拜": 7}
_FEASTS = {
    "五一": (5, 1),
    "十一": (10, 1),
    "国庆": (10, 1),
    "國慶": (10, 1),
    "元旦": (1, 1),
    "圣诞": (12, 25),
    "聖誕": (12, 25),
    "双十节": (10, 10),
    "雙十節": (10, 10),
    "六一": (6, 1),
    "情人节": (2, 14),
    "情人節": (2, 14),
    "教师节": (9, 10),
    "平安夜": (12, 24),
    "劳动节": (5, 1),
    "儿童节": (6, 1),
    "愚人节": (4, 1),
}

Span = tuple[datetime, datetime]


def _near(match: Match[str], at: datetime, past: bool) -> Span:
    return in_days(at, _NEAR[match[1]])


def _weekday(match: Match[str], at: datetime, past: bool) -> Span:
    lead = match["lead"] or ""
    day = _DAYS[match["day"]]
    weeks = lead.count("下") - lead.count("上")
    if not lead and ((day < at.weekday() and not past) or (day == at.weekday() and not past)):
        weeks = 1
    if not lead and past and day > at.weekday():
        weeks = -1
    return a_weekday_of(at, day, weeks)


def _dated(match: Match[str], at: datetime, past: bool) -> Span | None:
    month, day = numbers.chinese(match["month"]), numbers.chinese(match["nth"])
    told = match["year"]
    year = None
    if told:
        year = at.year + _YEARS[told] if told in _YEARS else numbers.chinese_year(told.removesuffix("年"))
    if not month or not day or month > 12 or day > 31:
        return None
    return a_day(at, year=year, month=month, day=day, past=past)


def _day_of_month(match: Match[str], at: datetime, past: bool) -> Span | None:
    day = numbers.chinese(match["nth"])
    if not day or day > 31:
        return None
    if match["lead"]:
        first = months(at, match["lead"].count("下") - match["lead"].count("上"))[0]
        return a_day(first, year=first.year, month=first.month, day=day, past=False)
    return a_day(at, year=None, month=None, day=day, past=past)


def _whole_month(match: Match[str], at: datetime, past: bool) -> Span | None:
    month = numbers.chinese(match["month"])
    told = match["year"]
    year = at.year + _YEARS[told] if told in _YEARS else None
    return a_month(at, month, past=past, year=year) if month and month <= 12 else None


def _month_away(match: Match[str], at: datetime, past: bool) -> Span:
    lead = match["lead"]
    return months(at, lead.count("下") - lead.count("上"))


def _week_away(match: Match[str], at: datetime, past: bool) -> Span:
    lead = match["lead"]
    start = midnight(at) - timedelta(days=at.weekday()) + timedelta(weeks=lead.count("下") - lead.count("上"))
    return start, start + timedelta(days=7)


def _year_away(match: Match[str], at: datetime, past: bool) -> Span | None:
    return whole_year(at, at.year + _YEARS[match[1]])


def _away(match: Match[str], at: datetime, past: bool) -> Span | None:
    count = numbers.chinese(match["count"])
    if count is None:
        return None
    unit = match["unit"]
    count = -count if match["side"] in ("前", "以前", "之前") else count
    if unit == "年":
        return whole_year(at, at.year + count)
    if unit in ("月", "个月", "個月"):
        return months(at, count)
    return in_days(at, count * _PER[unit.lstrip("个個")])


def _year(match: Match[str], at: datetime, past: bool) -> Span | None:
    number = numbers.chinese_year(match["year"])
    return None if number is None else whole_year(at, number)


def _feast(match: Match[str], at: datetime, past: bool) -> Span | None:
    month, day = _FEASTS[match[1]]
    return a_day(at, year=None, month=month, day=day, past=past)


RULES: tuple[Rule, ...] = (
    (
        re.compile(
            rf"(?:(?P<year>今年|明年|后年|去年|前年|{CHINESE}年))?(?P<month>{CHINESE})月(?P<nth>{CHINESE})[号號"
            rf"日]?{_OF_DAY}"
        ),
        _dated,
    ),
    (re.compile(rf"(?P<lead>这|這|本|下下|下|上上|上)?{_WEEK}(?P<day>[一二三四五六日天末]){_OF_DAY}"), _weekday),
    (re.compile(rf"({'|'.join(sorted(_NEAR, key=len, reverse=True))}){_OF_DAY}"), _near),
    (re.compile(rf"(?P<lead>(?:下|上)个月|这个月|本月)?(?P<nth>{CHINESE})[号號]{_OF_DAY}"), _day_of_month),
    (re.compile(rf"(?P<year>今年|明年|后年|去年|前年)?(?P<month>{CHINESE})月(?:份|底|初)?"), _whole_month),
    (re.compile(rf"(?P<lead>这|這|下下|下|上上|上){_WEEK}"), _week_away),
    (re.compile(r"(?P<lead>这|這|本|下下|下|上上|上)[个個]?月(?:底|初)?"), _month_away),
    (
        re.compile(
            rf"(?P<count>{CHINESE})(?P<unit>天|[个個]?(?:星期|礼拜|禮拜)|周|週|[个個]月|"
            r"年)(?P<side>以前|之前|前|后|後|以后|之后)"
        ),
        _away,
    ),
    (re.compile(rf"({'|'.join(sorted(_YEARS, key=len, reverse=True))})(?:年底|年初)?"), _year_away),
    (re.compile(rf"({'|'.join(_FEASTS)})(?:节|節)?"), _feast),
    (
        re.compile(
            r"(?<![\d零一二三四五六七八九十])(?P<year>(?:19|20)\d\d|[一二][九零〇][零〇一二三四五六七八九]{2}|"
            r"[零〇一二三四五六七八九]{2}|\d\d)年"
        ),
        _year,
    ),
)
_CUE = re.compile(r"[天晚早儿号號日月周週年前节節诞誕庆慶夜]|星期|[礼禮]拜|五一|十一|六一|元旦")
_HOUR = re.compile(
    rf"(?P<part>早上|上午|中午|下午|傍晚|晚上|凌晨|早晨|今晚|明晚)?(?P<hour>{CHINESE})[点點](?P<rest>半"
    rf"|一刻|三刻|{CHINESE}分?|钟|鐘|整)?"
)


def hour(text: str) -> tuple[int, int, int, int] | None:
    """The hour and minute that are told, and where."""
    match = _HOUR.search(text)
    number = numbers.chinese(match["hour"]) if match else None
    if match is None or number is None or number > 24:
        return None
    rest = match["rest"] or ""
    minutes = {"半": 30, "一刻": 15, "三刻": 45}.get(rest) or numbers.chinese(rest.rstrip("分")) or 0
    part = match["part"] or next((word for word in ("下午", "晚上", "傍晚", "上午", "早上") if word in text), "")
    is_late = part in ("下午", "晚上", "傍晚", "今晚", "明晚") or (part == "中午" and number < 3)
    number += 12 if number < 12 and (is_late or (not part and number < 7)) else 0
    return number % 24, min(minutes, 59), match.start(), match.end()


def when(text: str, at: datetime, *, past: bool = False) -> When | None:
    """The time that ``text`` tells, seen from ``at``; None where it tells none."""
    return found(text, at, RULES, hour, past=past) if _CUE.search(text) else None
