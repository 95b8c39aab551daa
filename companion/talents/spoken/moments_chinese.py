"""Reads a moment said in Chinese."""

from __future__ import annotations

import re

from companion.talents.spoken.calendar import HAN_WEEKDAYS, Spoken
from companion.talents.spoken.durations import duration_of
from companion.talents.spoken.numbers import number_of

_DAYS = {"今天": 0, "今早": 0, "今晚": 0, "明天": 1, "明早": 1, "明晚": 1, "后天": 2, "大后天": 3}
_PARTS = {
    "凌晨": "morning",
    "清早": "morning",
    "清晨": "morning",
    "早上": "morning",
    "早晨": "morning",
    "上午": "morning",
    "早": "morning",
    "中午": "noon",
    "下午": "afternoon",
    "傍晚": "evening",
    "晚上": "night",
    "夜里": "night",
    "半夜": "night",
    "晚": "night",
}
_NUMBER = r"[\d零〇一二两三四五六七八九十]+"
_AFTER = re.compile(r"(?P<length>.+?)[之以过]?后")
_MOMENT = re.compile(
    r"(?P<day>大后天|后天|[今明][天早晚]|(?P<next>下)?这?个?(?:星期|周|礼拜)(?P<weekday>[一二三四五六日天])"
    rf"|(?:(?P<month>{_NUMBER})月|(?P<next_month>下个?月)|这个月)?(?P<date>{_NUMBER})[号日])?的?"
    r"(?P<part>凌晨|清早|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜)?"
    rf"(?P<clock>(?P<hour>{_NUMBER})[点时]钟?(?P<minute>整|半|一刻|三刻|{_NUMBER}分?)?"
    r"|(?P<figures>\d{1,2}[:.]\d{2})|正午|午夜)?"
)
_MINUTES = {"整": 0, "半": 30, "一刻": 15, "三刻": 45}


def read(text: str) -> Spoken | None:
    """What ``text`` says about a moment; None where not all of it is about one."""
    plain = text.replace(" ", "").removeprefix("在")
    if (after := _AFTER.fullmatch(plain)) and (length := duration_of(after["length"])) is not None:
        return Spoken(after=length)
    said = _MOMENT.fullmatch(plain)
    if said is None or not said[0]:
        return None
    clock = _clock(said)
    if said["clock"] and clock is None:
        return None
    hour, minute, is_open = clock or (None, 0, False)
    month, date = (None if said[name] is None else number_of(said[name]) for name in ("month", "date"))
    return Spoken(
        month=None if month is None else int(month),
        day=None if date is None else int(date),
        next_month=said["next_month"] is not None,
        hour=hour,
        minute=minute,
        is_open=is_open,
        days=_DAYS.get(said["day"] or ""),
        weekday=None if said["weekday"] is None else HAN_WEEKDAYS.index(said["weekday"].replace("天", "日")),
        weeks=1 if said["next"] else 0,
        part=_PARTS.get(said["part"] or (said["day"] or "")[1:], ""),
    )


def _clock(said: re.Match[str]) -> tuple[int, int, bool] | None:
    if said["clock"] in {"正午", "午夜"}:
        return (12 if said["clock"] == "正午" else 24), 0, False
    if said["figures"]:
        hour, minute = map(int, re.split("[:.]", said["figures"]))
    elif said["hour"]:
        number, spoken_minute = number_of(said["hour"]), said["minute"] or "整"
        rest = number_of(spoken_minute.removesuffix("分")) if spoken_minute not in _MINUTES else _MINUTES[spoken_minute]
        if number is None or rest is None:
            return None
        hour, minute = int(number), int(rest)
    else:
        return None
    if hour > 24 or minute > 59 or (hour == 24 and minute):
        return None
    return hour, minute, 1 <= hour <= 12
