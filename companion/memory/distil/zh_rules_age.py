"""Chinese clauses about age, birthdays and animals."""

from __future__ import annotations

import re
from re import Match

from companion.memory.distil.told import ANIMAL, PLACE
from companion.memory.distil.zh_reading import (
    NAME,
    OTHER,
    Reading,
    Rule,
    as_day,
    plainly,
    rule,
    since,
    told_name,
)
from companion.memory.distil.zh_words import ANIMALS, MEASURE
from companion.memory.times import numbers
from companion.memory.times.numbers import CHINESE
from companion.memory.times.when_zh import when


def aged(reading: Reading, match: Match[str], subject: str) -> bool:
    number = numbers.chinese(match["x"])
    if number is None or not 0 < number < 120 or re.search(r"[点號号月日年分元块斤米码度]", match["x"]):
        return False
    reading.notes.add(subject, "is_aged", str(number))
    old = match.groupdict().get("old")
    if old and (before := numbers.chinese(old)) is not None:
        reading.notes.end(subject, "is_aged", str(before))
    return True


def _born_in(reading: Reading, match: Match[str], subject: str) -> bool:
    number = numbers.chinese_year(match["x"])
    if number is None:
        return False
    reading.notes.add(subject, "born_on", str(number))
    return True


def _birthday(reading: Reading, match: Match[str], subject: str) -> bool:
    told = reading.when()
    if told is None:
        return False
    years = re.search(rf"({CHINESE})(?:岁|大寿)", reading.plain)
    number = numbers.chinese(years[1]) if years else None
    day = as_day(told)
    reading.notes.add(subject, "born_on", f"{told.start.year - number}{day[4:]}" if number else f"-{day[4:]}")
    return True


def _pet(reading: Reading, match: Match[str], subject: str) -> bool:
    notes = reading.notes
    kind = reading.part.said(match, "kind")
    told = told_name(reading.part.said(match, "x")) if match["x"] else ""
    many = reading.part.said(match, "many")
    if told:
        notes.add(subject, "has_pet", told, kind=ANIMAL)
        notes.add(told, "is_a", kind)
        notes.person = told
    else:
        notes.add(
            subject,
            "has_pet",
            f"{many}{kind}" if many and not many.startswith(("一", "只", "条", "个")) else kind,
            kind=ANIMAL,
        )
    return True


def _named_pet(reading: Reading, match: Match[str], subject: str) -> bool:
    told = told_name(reading.part.said(match, "x"))
    if not told:
        return False
    who = re.sub(r"(?:的名字|名字)$", "", reading.part.said(match, "who"))
    reading.notes.add(who, "is_called", told)
    if match["kind2"]:
        reading.notes.add(told, "is_a", reading.part.said(match, "kind2"))
    return True


def _is_animal(reading: Reading, match: Match[str], subject: str) -> bool:
    if subject == reading.notes.user:
        return False
    reading.notes.add(subject, "is_a", reading.part.said(match, "kind"))
    return True


def came_in(reading: Reading, match: Match[str], subject: str) -> bool:
    past = when(reading.plain, reading.notes.at, past=True)
    reading.notes.add(
        subject, "lives_in", reading.part.said(match, "x"), since=since(past, reading.notes.at), kind=PLACE
    )
    return True


_DATE = (
    rf"(?:[^，,]{{0,12}}?(?:月{CHINESE}[号日]?|{CHINESE}号)|[^，,]{{0,6}}节|[^，,]*?(?:元旦|"
    r"国庆|五一|明天|后天|下周.|下个?月))"
)


PETS: tuple[Rule, ...] = (
    rule(
        rf"(?:家)?(?:里)?(?:又)?(?:养|有|领养|收养|买|捡)(?:了|着|过)?(?P<many>(?:{CHINESE})?{MEASURE}(?:小"
        rf"|大|老)?)?(?P<kind>{ANIMALS})(?:[，, ]?(?:它|他|她)?(?:名字)?(?:叫|是)(?P<x>{OTHER}))?$",
        _pet,
    ),
    plainly(
        rf"(?P<who>(?:{NAME}家的|我们?家的?|我的?|那只?|那条|这只|)(?:{ANIMALS})(?:的名字)?)(?:就)?(?:叫|"
        rf"是|名字(?:叫|是))(?!一?只|什么)(?P<x>{NAME})(?:是(?:一)?[只条](?P<kind2>{ANIMALS}))?(?:$|"
        r"[，,了啦])",
        _named_pet,
    ),
    rule(rf"是(?:一)?[只条头匹](?P<kind>{ANIMALS})$", _is_animal),
)


def _by_the_moon(reading: Reading, match: Match[str], subject: str) -> bool:
    return reading.notes.add(subject, "born_on", reading.part.said(match, "x"))


_LUNAR = r"(?:[正冬腊]月|[一二三四五六七八九十]+月(?=初|廿))(?:初?[一二三四五六七八九十]+|廿[一二三四五六七八九])"
DATED: tuple[Rule, ...] = (
    rule(rf"(?:的)?生日(?:是|在)?(?:农历|阴历|旧历)?的?(?P<x>{_LUNAR})$", _by_the_moon),
    rule(rf"是?(?P<x>{CHINESE})年(?:的|生的?|出生的?|[^，,]{{0,4}}生的?)(?:$|[，,])", _born_in),
    rule(rf"(?:的)?生日(?:是|在)?(?P<x>{_DATE})", _birthday),
    rule(rf"(?P<x>{_DATE})(?:过?生日|出生|生的|满{CHINESE}岁|{CHINESE}岁生日|{CHINESE}大寿)", _birthday),
    plainly(rf"{CHINESE}年来的?(?P<x>[^，,了]{{2,6}})$", came_in),
)
