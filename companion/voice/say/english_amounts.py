"""English words for money, percentages and units."""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion.voice.say.english_numbers import NUMBER, cardinal, number
from companion.voice.say.rules import Rule, one_of


@dataclass(frozen=True, slots=True)
class _Currency:
    one: str
    many: str
    cent: str = ""
    cents: str = ""


_DOLLAR = _Currency("dollar", "dollars", "cent", "cents")
_EURO = _Currency("euro", "euros", "cent", "cents")
_POUND = _Currency("pound", "pounds", "penny", "pence")
_YEN = _Currency("yen", "yen")


def _dollar(of: str) -> _Currency:
    return _Currency(f"{of} dollar", f"{of} dollars", "cent", "cents")


_CURRENCIES = {
    "$": _DOLLAR,
    "US$": _dollar("US"),
    "C$": _dollar("Canadian"),
    "CA$": _dollar("Canadian"),
    "A$": _dollar("Australian"),
    "AU$": _dollar("Australian"),
    "NZ$": _dollar("New Zealand"),
    "HK$": _dollar("Hong Kong"),
    "€": _EURO,
    "£": _POUND,
    "¥": _YEN,
    "￥": _YEN,
    "Rs.": _Currency("rupee", "rupees", "paisa", "paise"),
    "INR": _Currency("rupee", "rupees", "paisa", "paise"),
    "₹": _Currency("rupee", "rupees", "paisa", "paise"),
    "₩": _Currency("won", "won"),
    "₽": _Currency("ruble", "rubles"),
    "₺": _Currency("lira", "lira"),
    "₿": _Currency("bitcoin", "bitcoins"),
    "USD": _dollar("US"),
    "CAD": _dollar("Canadian"),
    "AUD": _dollar("Australian"),
    "EUR": _EURO,
    "GBP": _POUND,
    "JPY": _YEN,
    "CNY": _Currency("yuan", "yuan"),
    "RMB": _Currency("yuan", "yuan"),
    "CHF": _Currency("Swiss franc", "Swiss francs"),
}
_SCALES = {"k": "thousand", "K": "thousand", "m": "million", "M": "million", "mn": "million"} | {
    "b": "billion", "B": "billion", "bn": "billion", "tn": "trillion",
    **{word: word for word in ("hundred", "thousand", "million", "billion", "trillion")},
}  # fmt: skip
_THINGS = (
    "bill note coin gift fee tip discount voucher ticket prize deal budget fine coupon deposit investment "
    "refund reward check"
).split()

_UNITS = {
    "km/h": "kilometer per hour", "kph": "kilometer per hour", "mph": "mile per hour", "m/s": "meter per second",
    "MB/s": "megabyte per second", "GB/s": "gigabyte per second", "KB/s": "kilobyte per second",
    "Mbps": "megabit per second", "Mbit/s": "megabit per second", "Gbps": "gigabit per second",
    "kbps": "kilobit per second", "km²": "square kilometer", "m²": "square meter", "cm²": "square centimeter",
    "mm²": "square millimeter", "km2": "square kilometer", "m2": "square meter", "cm2": "square centimeter",
    "m3": "cubic meter", "cm3": "cubic centimeter", "ft²": "square foot", "m³": "cubic meter",
    "cm³": "cubic centimeter",
    "sq ft": "square foot", "km": "kilometer", "cm": "centimeter", "mm": "millimeter", "µm": "micrometer",
    "μm": "micrometer", "nm": "nanometer", "m": "meter", "mi": "mile", "ft": "foot", "yd": "yard", "kg": "kilogram",
    "mg": "milligram", "µg": "microgram", "g": "gram", "lb": "pound", "lbs": "pound", "oz": "ounce",
    "tbsp": "tablespoon", "tsp": "teaspoon", "ml": "milliliter", "mL": "milliliter", "cl": "centiliter",
    "dl": "deciliter", "l": "liter", "L": "liter", "kWh": "kilowatt hour", "Wh": "watt hour", "mAh": "milliamp hour",
    "kW": "kilowatt", "MW": "megawatt", "GW": "gigawatt", "W": "watt", "kV": "kilovolt", "V": "volt",
    "mA": "milliamp", "GHz": "gigahertz", "MHz": "megahertz", "kHz": "kilohertz", "Hz": "hertz", "dB": "decibel",
    "KB": "kilobyte", "kB": "kilobyte", "MB": "megabyte", "GB": "gigabyte", "TB": "terabyte", "GiB": "gibibyte",
    "MiB": "mebibyte", "kPa": "kilopascal", "hPa": "hectopascal", "Pa": "pascal", "psi": "P S I",
    "kcal": "kilocalorie", "cal": "calorie", "kJ": "kilojoule", "J": "joule", "min": "minute", "mins": "minute",
    "sec": "second", "secs": "second", "s": "second", "ms": "millisecond", "h": "hour", "hr": "hour", "hrs": "hour",
    "yr": "year", "yrs": "year", "wk": "week", "wks": "week", "rpm": "R P M", "fps": "frame per second",
    "px": "pixel", "°C": "degree Celsius", "℃": "degree Celsius", "°F": "degree Fahrenheit", "℉": "degree Fahrenheit",
    "º C": "degree Celsius", "° C": "degree Celsius", "° F": "degree Fahrenheit", "°": "degree",
}  # fmt: skip
_NO_PLURAL = {"hertz", "gigahertz", "megahertz", "kilohertz", "R P M", "P S I"}
_RANGE = rf"(?P<sign>[-−])?(?P<n>{NUMBER})(?:\s?(?:[-–—]|to)\s?(?P<to>{NUMBER}))?"
_START = r"(?<![\w.,^])"


def plural_unit(unit: str) -> str:
    """ "kilometer per hour" as "kilometers per hour"."""
    if unit in _NO_PLURAL:
        return unit
    head, space, tail = unit.partition(" per ")
    first, gap, rest = head.partition(" Celsius" if "Celsius" in head else " Fahrenheit")
    many = first[:-4] + "feet" if first.endswith("foot") else f"{first}s"
    return f"{many}{gap}{rest}{space}{tail}"


def _money(match: re.Match[str]) -> str:
    currency = _CURRENCIES[match["money"]]
    minus = "minus " if match["sign"] else ""
    if match["to"]:
        return f"{minus}{_scaled(match['n'], '')} to {_scaled(match['to'], match['scale'])} {currency.many}"
    if match["scale"]:
        return f"{minus}{_scaled(match['n'], match['scale'])} {currency.many}"
    return minus + _exact(match["n"], currency, before_thing=match["thing"] is not None)


def _scaled(written: str, scale: str | None) -> str:
    return f"{number(written)} {_SCALES[scale]}" if scale else number(written)


def _exact(written: str, currency: _Currency, *, before_thing: bool) -> str:
    whole, _, fraction = written.replace(",", "").partition(".")
    if len(fraction) > 2 or (fraction and not currency.cent):
        return f"{number(written)} {currency.many}"
    units = currency.one if before_thing or whole == "1" else currency.many
    cents = int(fraction.ljust(2, "0") or 0)
    words = f"{number(whole)} {units}"
    if not cents:
        return words
    small = f"{cardinal(cents)} {currency.cent if cents == 1 else currency.cents}"
    return small if not whole.strip("0") else f"{words} and {small}"


def _cents(match: re.Match[str]) -> str:
    return f"{number(match[1])} {'cent' if match[1] == '1' else 'cents'}"


def _measure(match: re.Match[str]) -> str:
    unit = _UNITS[match["unit"]]
    is_one = match["n"] == "1" and not match["to"]
    return f"{_amount(match)} {unit if is_one or match['joint'] == '-' else plural_unit(unit)}"


def _part(match: re.Match[str]) -> str:
    """A fraction, which is said later, of a unit."""
    unit = _UNITS[match["unit"]]
    return f"{match[1]} {plural_unit(unit) if match[2] else unit}"


def _amount(match: re.Match[str]) -> str:
    words = ("minus " if match["sign"] else "") + number(match["n"])
    return f"{words} to {number(match['to'])}" if match["to"] else words


def _feet_and_inches(match: re.Match[str]) -> str:
    return f"{number(match[1])} {'foot' if match[1] == '1' else 'feet'} {number(match[2])}"


def _big(match: re.Match[str]) -> str:
    return f"{number(match[1])} {_SCALES[match[2]]}"


_SYMBOL = one_of(sign for sign in _CURRENCIES if not sign.isalpha())
_CODE = one_of(code for code in _CURRENCIES if code.isalpha())
_SCALE = rf"(?:\s?(?P<scale>(?:{one_of(_SCALES)})\b))?"
_THING = rf"(?P<thing>(?=[\s-](?:{'|'.join(_THINGS)})\b))?"

_UNIT = one_of(_UNITS)

AMOUNTS: tuple[Rule, ...] = (
    (
        re.compile(rf"{_START}({NUMBER})\s?({_UNIT}|[%％])\s?[-–—]\s?(?={NUMBER}\s?\2(?![A-Za-z]))"),
        lambda match: f"{match[1]}-",
    ),
    (re.compile(rf"(?<![\w.,/])((\d+\s)?\d{{1,2}}/\d{{1,2}})(?:\s|-)?(?P<unit>{_UNIT})(?![A-Za-z\d²³/])\.?"), _part),
    (
        re.compile(
            rf"(?<![A-Za-z])(?P<sign>(?<!\w)[-−])?(?P<money>{_SYMBOL})\s?(?P<n>{NUMBER})"
            rf"(?:\s?[-–—]\s?(?:{_SYMBOL})?(?P<to>{NUMBER}))?{_SCALE}{_THING}"
        ),
        _money,
    ),
    (re.compile(rf"\b(?P<money>{_CODE})\s(?P<sign>-)?(?P<n>{NUMBER})(?P<to>(?!))?{_SCALE}{_THING}"), _money),
    (re.compile(rf"{_START}{_RANGE}{_SCALE}\s?(?P<money>[€£¥₹₩₽]|(?:{_CODE})\b){_THING}"), _money),
    (re.compile(rf"{_START}({NUMBER})\s?¢"), _cents),
    (re.compile(rf"{_START}{_RANGE}\s?[%％]"), lambda match: f"{_amount(match)} percent"),
    (re.compile(rf"{_START}(\d+)\s?(?:ft\.?|['′’])\s?(\d{{1,2}})\s?(?:in\b\.?|[\"″”])"), _feet_and_inches),
    (
        re.compile(rf"{_START}{_RANGE}(?P<joint>\s?|-)(?P<unit>{_UNIT})(?![A-Za-z\d²³/])(?:\.(?=\s[a-z]))?"),
        _measure,
    ),
    (re.compile(rf"{_START}({NUMBER})\s?(k|mn|M(?=\s[a-z])|bn|tn|(?:(?<=\.\d)|(?<=\.\d\d))B)\b"), _big),
)
