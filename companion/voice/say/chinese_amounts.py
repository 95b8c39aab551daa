"""Chinese words for money, percentages and units."""

from __future__ import annotations

import re

from companion.voice.say.chinese_numbers import NUMBER, counted, number
from companion.voice.say.rules import Rule, one_of

_CURRENCIES = {
    "¥": "元", "￥": "元", "RMB": "元", "CNY": "元", "$": "美元", "US$": "美元", "USD": "美元", "€": "欧元",
    "EUR": "欧元", "£": "英镑", "GBP": "英镑", "HK$": "港元", "JPY": "日元", "₩": "韩元", "₹": "卢比", "₽": "卢布",
}  # fmt: skip
_UNITS = {
    "km²": "平方公里", "m²": "平方米", "cm²": "平方厘米", "m³": "立方米", "cm³": "立方厘米", "㎡": "平方米",
    "km": "公里", "cm": "厘米", "mm": "毫米", "nm": "纳米", "µm": "微米", "μm": "微米", "m": "米", "mi": "英里",
    "ft": "英尺", "kg": "公斤", "mg": "毫克", "g": "克", "t": "吨", "lb": "磅", "lbs": "磅", "oz": "盎司",
    "ml": "毫升", "mL": "毫升", "L": "升", "l": "升", "kWh": "千瓦时", "Wh": "瓦时", "mAh": "毫安时", "kW": "千瓦",
    "MW": "兆瓦", "W": "瓦", "kV": "千伏", "V": "伏", "mA": "毫安", "GHz": "吉赫兹", "MHz": "兆赫兹",
    "kHz": "千赫兹", "Hz": "赫兹", "dB": "分贝", "KB": "千字节", "kB": "千字节", "MB": "兆字节", "GB": "吉字节",
    "TB": "太字节", "Mbps": "兆比特每秒", "Pa": "帕", "kPa": "千帕", "hPa": "百帕", "kcal": "千卡", "cal": "卡",
    "kJ": "千焦", "min": "分钟", "ms": "毫秒", "s": "秒", "h": "小时", "px": "像素", "°C": "摄氏度", "℃": "摄氏度",
    "° C": "摄氏度", "°F": "华氏度", "℉": "华氏度", "°": "度",
}  # fmt: skip
_SPEEDS = {
    "km/h": ("小时", "公里"), "kph": ("小时", "公里"), "公里/小时": ("小时", "公里"), "公里/时": ("小时", "公里"),
    "mph": ("小时", "英里"), "m/s": ("秒", "米"), "米/秒": ("秒", "米"), "MB/s": ("秒", "兆字节"),
    "GB/s": ("秒", "吉字节"),
}  # fmt: skip
_RANGE = rf"(?P<sign>(?<![\w)])[-−])?(?P<n>{NUMBER})(?:\s?(?:[-–—~～]|至|到)\s?(?P<to>{NUMBER}))?"
_START = r"(?<![A-Za-z\d.,])"


def _amount(match: re.Match[str], *, minus: str = "负") -> str:
    words = (minus if match["sign"] else "") + counted(match["n"])
    return f"{words}到{counted(match['to'])}" if match["to"] else words


def _money(match: re.Match[str]) -> str:
    unit = _CURRENCIES[match["money"]]
    minus = "负" if match["sign"] else ""
    if match["to"] or match["scale"]:
        return f"{_amount(match)}{match['scale'] or ''}{unit}"
    whole, _, fraction = match["n"].replace(",", "").partition(".")
    if len(fraction) > 2 or (fraction.strip("0") and unit != "元"):
        return f"{minus}{number(match['n'])}{unit}"
    return minus + _yuan(whole, fraction.ljust(2, "0"), unit)


def _yuan(whole: str, fraction: str, unit: str) -> str:
    tenth, hundredth = fraction[0], fraction[1]
    words = f"{counted(whole)}{unit}" if whole.strip("0") or fraction == "00" else ""
    if tenth != "0":
        words += f"{number(tenth)}角"
    elif hundredth != "0" and words:
        words += "零"
    return words + (f"{number(hundredth)}分" if hundredth != "0" else "")


def _percent(match: re.Match[str]) -> str:
    minus, of = "负" if match["sign"] else "", "千分之" if match["part"] == "‰" else "百分之"
    words = f"{of}{minus}{number(match['n'])}"
    return f"{words}到{of}{number(match['to'])}" if match["to"] else words


def _measure(match: re.Match[str]) -> str:
    unit = _UNITS[match["unit"]]
    return _amount(match, minus="零下" if unit in ("摄氏度", "华氏度") else "负") + unit


def _speed(match: re.Match[str]) -> str:
    per, unit = _SPEEDS[match["unit"]]
    return f"每{per}{_amount(match)}{unit}"


_SIGN = one_of(_CURRENCIES)

AMOUNTS: tuple[Rule, ...] = (
    (
        re.compile(
            rf"(?P<sign>(?<![\w)])[-−])?(?<![A-Za-z])(?P<money>{_SIGN})\s?(?P<n>{NUMBER})"
            rf"(?:\s?[-–—~～到至]\s?(?:{_SIGN})?(?P<to>{NUMBER}))?\s?(?P<scale>百万|千万|[百千万亿]+)?(?:元)?"
        ),
        _money,
    ),
    (re.compile(rf"{_START}{_RANGE}\s?(?P<scale>[百千万亿]+)?\s?(?P<money>{_SIGN})(?![A-Za-z\d])"), _money),
    (re.compile(rf"{_START}{_RANGE}\s?(?P<part>[%％‰])"), _percent),
    (re.compile(rf"{_START}{_RANGE}\s?(?P<unit>{one_of(_SPEEDS)})(?![A-Za-z\d])"), _speed),
    (re.compile(rf"{_START}{_RANGE}\s?(?P<unit>{one_of(_UNITS)})(?![A-Za-z\d²³/])"), _measure),
)
