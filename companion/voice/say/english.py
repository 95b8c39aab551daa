"""Written English as people say it: numbers, dates, times, money, units, signs and abbreviations.

American where the two differ: the voice of the starter set is.
"""

from __future__ import annotations

import re

from companion.voice.say.english_abbreviations import ABBREVIATIONS
from companion.voice.say.english_amounts import AMOUNTS
from companion.voice.say.english_dates import DATES, TIMES, YEARS
from companion.voice.say.english_numbers import NUMBER, cardinal, digits, number, ordinal, plural, year
from companion.voice.say.english_roman import ROMAN
from companion.voice.say.rules import Rule, apply, word

_DIGIT = re.compile(r"\d")
_SIGN = re.compile(r"[&@#+=<>/~^_|\\*×÷≈≠≤≥±√π∞%％‰§°º→←$€£¥￥²³]")
_VULGAR_SIGN = re.compile(r"[½¼¾⅓⅔⅛]")
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
_ABBREVIATION = re.compile(r"[A-Za-z]\.|\bw/")
_ROMAN = re.compile(r"[a-z] [XVI]")


def say(text: str) -> str:
    """``text`` (without markup) in speakable words; no digit is left."""
    if _ABBREVIATION.search(text):
        text = apply(ABBREVIATIONS, text)
    if _ROMAN.search(text):
        text = apply(ROMAN, text)
    if _VULGAR_SIGN.search(text):
        text = apply(_VULGAR, text)
    if _DIGIT.search(text):
        text = apply(_NUMBERS, text)
    if _SIGN.search(text):
        text = apply(_SIGNS, text)
    return text


def _phone(match: re.Match[str]) -> str:
    groups = [digits(group) for group in re.findall(r"\d+", match[0])]
    return ("plus " if match[0].startswith("+") else "") + ", ".join(groups)


def _dotted(match: re.Match[str]) -> str:
    parts = match[2].split(".")
    if len(parts) == 3 and _GROUPED.fullmatch(match[2]):
        return number("".join(parts))
    say_part = digits if len(parts) == 4 and all(len(part) <= 3 for part in parts) else number
    joint = " dot " if say_part is digits else " point "
    return ("version " if match[1] else "") + joint.join(say_part(part) for part in parts)


def _version(match: re.Match[str]) -> str:
    name = "version" if match[1][0] in "vV" and len(match[1]) < 3 else match[1]
    return f"{name} {' point '.join(number(part) for part in match[2].split('.'))}"


def _fraction(match: re.Match[str]) -> str:
    whole, top, bottom = match[1], int(match[2]), int(match[3])
    if (top, bottom) in {(24, 7), (9, 11), (50, 50)} and not whole:
        return f"{cardinal(top)} {cardinal(bottom)}"
    if bottom in (5, 10, 100) and not whole:
        return f"{cardinal(top)} out of {cardinal(bottom)}"
    if not 0 < top < bottom <= 32:
        return f"{f'{number(whole)} ' if whole else ''}{cardinal(top)} over {cardinal(bottom)}"
    part = {2: "half", 4: "quarter"}.get(bottom) or ordinal(bottom)
    words = f"{cardinal(top)} {part if top == 1 else plural(part)}"
    if not whole:
        return words
    return f"{number(whole)} and {'a' + words[3:] if top == 1 else words}"


def _minus_or_to(match: re.Match[str]) -> str:
    first, second = match[1], match[3]
    if re.match(r"0\d", second):  # the number of an invoice, not a range
        return f"{number(first)} dash {number(second)}"
    if first == second and " " not in match[2]:
        return f"{number(first)} {number(second)}"
    rising = float(first.replace(",", "")) < float(second.replace(",", ""))
    is_sum = match[4] or (match[2].startswith(" ") and "–" not in match[2] and not rising)
    return f"{number(first)} {'minus' if is_sum else 'to'} {number(second)}{match[4] or ''}"


def _continental(match: re.Match[str]) -> str:
    return f"{match[1].replace('.', '')}.{match[2]}"


def _power(match: re.Match[str]) -> str:
    named = {"2": "squared", "3": "cubed"}.get(match[2])
    return f"{match[1]} {named or 'to the power of ' + match[2].replace('-', 'minus ')}"


def _scientific(match: re.Match[str]) -> str:
    minus = "minus " if match[2] == "-" else ""
    return f"{number(match[1])} times ten to the power of {minus}{number(match[3].lstrip('0') or '0')}"


def _ordinal(match: re.Match[str]) -> str:
    written = match[1].replace(",", "")
    return ordinal(int(written)) if len(written) <= 15 else digits(written)


def _in_a_name(match: re.Match[str]) -> str:
    written = match[0]
    if len(written) == 4 and written[:2] in ("19", "20"):
        return f" {year(int(written))} "
    return f" {number(written) if len(written) <= 3 else digits(written)} "


def _mixed(top: int, bottom: int) -> Rule:
    words = {2: "half", 4: "quarter"}.get(bottom) or ordinal(bottom)
    alone = f"{cardinal(top)} {words if top == 1 else plural(words)}"
    joined = f"a {words}" if top == 1 else alone
    sign = {(1, 2): "½", (1, 4): "¼", (3, 4): "¾", (1, 3): "⅓", (2, 3): "⅔", (1, 8): "⅛"}[top, bottom]
    return (
        re.compile(rf"(\d\s?)?{sign}"),
        lambda match: f"{match[1].strip()} and {joined}" if match[1] else alone,
    )


_VULGAR = tuple(_mixed(top, bottom) for top, bottom in ((1, 2), (1, 4), (3, 4), (1, 3), (2, 3), (1, 8)))
_EMERGENCIES = "000|110|111|112|119|120|311|411|511|911|988|999"
_ALONE = r"(?<![\w.,:/-])"
_PHONE = (
    r"(?<![\w.])\+\d{1,3}(?:[\s.-]?\(?\d{1,5}\)?){2,6}(?!\d)"
    rf"|{_ALONE}(?:1[\s.-])?(?:\(\d{{3}}\)\s?|\d{{3}}[\s.-])\d{{3}}[\s.-]\d{{4}}(?![\w-])"
    rf"|{_ALONE}\d{{3}}-\d{{4}}(?![\w-])|{_ALONE}0\d{{2,4}}[\s-]\d{{3,4}}[\s-]?\d{{3,4}}(?![\w-])"
)

_NUMBERS: tuple[Rule, ...] = (
    *DATES,
    (re.compile(_PHONE), _phone),
    (
        re.compile(
            r"(?i:(?<=\bcall )|(?<=\bdial ))"
            rf"(?:(?:{_EMERGENCIES})(?![\d%]|[.,:/-]\d)|\d{{3,15}}(?![\d%]|[.,:/-]\d)(?!\s[a-z]))"
        ),
        _phone,
    ),
    (re.compile(r"(?<![\w.,-])\d{1,13}(?:-\d{1,13}){2,6}(?![\w-])"), _phone),
    *TIMES,
    (re.compile(r"(?<![\w.,-])([vV])?(\d+(?:\.\d+){2,8})(?!\d)"), _dotted),
    (re.compile(r"\b([Vv]ersion|[vV]\.?|Python|Debian|Ubuntu|Android|iOS|macOS)\s?(\d+(?:\.\d+){0,3})\b"), _version),
    (re.compile(r"(?<=[A-Za-z\d)])()\s?\^\s?\(?(-?\d+)\)?"), _power),
    word(r"(?<=\d) (?=000\b)", ""),
    (re.compile(r"(?<![\w.,])(\d{1,3}(?:\.\d{3})+|\d+),(\d\d)(?=\s?(?:€|EUR\b))"), _continental),
    (re.compile(r"(?<![\w.,])(\d{1,3})\s?h\s?(\d{1,2})\s?m(?:in)?\b"), lambda match: f"{match[1]} h {match[2]} min"),
    word(r"(?<=\d)\s[x×]\s?(?=\d+(?:\.\d+)?\s?[A-Za-z])", " times "),
    word(r"(?<=\d\s[a-z]|\s[a-z][a-z]|[a-z]{3})\s[x×]\s(?=\d)", " by "),
    *AMOUNTS,
    word(r"#\s?(?=\d)", "number "),
    word(r"(?<=\d)\s?:\s?(?=\d)", " to "),
    (re.compile(r"(?<![\w.,])(\d[\d,]*)(?:st|nd|rd|th)\b"), _ordinal),
    *YEARS,
    (re.compile(rf"(?<![\w.])({NUMBER})[eE]([+-]?)(\d{{1,3}})(?!\w)"), _scientific),
    word(r"(?<=\d\d\d)\s?[x×]\s?(?=\d{3,5}\b)", " by "),
    word(r"(?<=\d)\s?[x×*]\s?(?=[-−]?\d)", " times "),
    word(r"(?<=\d)[xX]\b", " times"),
    (re.compile(r"(?<![\w.,/])(?:(\d+)\s)?(\d{1,3})/(\d{1,3})(?![\w/]|[.,]\d)"), _fraction),
    (
        re.compile(rf"(?<![\w.,-])({NUMBER})(\s[-–—−]\s|[-–—−])({NUMBER})(?![\w-])(\s?=)?"),
        _minus_or_to,
    ),
    word(r"(?<![\w)\]])[-−](?=\.?\d)", "minus "),
    word(r"(?<=[\w)])\s?[-−]\s?(?=\d)", " "),
    (re.compile(r"(?<![\w.])\.(\d+)"), lambda match: f"point {digits(match[1])}"),
    (re.compile(rf"(?<![A-Za-z\d]){NUMBER}(?![A-Za-z\d])"), lambda match: number(match[0])),
    (re.compile(r"\d+\.\d+"), lambda match: f" {number(match[0])} "),
    (re.compile(r"\d+"), _in_a_name),
)

_SIGNS: tuple[Rule, ...] = (
    word(r"(?<=[A-Za-z\d)])\s?\^\s?(?=[A-Za-z(])", " to the power of "),
    word(r"(?<=\w)²", " squared"),
    word(r"(?<=\w)³", " cubed"),
    word(r"(?<=\w)\s?<=\s?(?=\w)|\s?≤\s?", " is at most "),
    word(r"(?<=\w)\s?>=\s?(?=\w)|\s?≥\s?", " is at least "),
    word(r"\s?(?:≠|!=)\s?", " is not equal to "),
    word(r"\s?[-=]+>\s?|\s?→\s?", ", "),
    word(r"\s?<[-=]+\s?|\s?←\s?", ", "),
    word(r"(?<=\w)\s?<\s?(?=\w)", " is less than "),
    word(r"(?<=\w)\s?>\s?(?=\w)", " is greater than "),
    word(r"\s?≈\s?", " is about "),
    word(r"(?<!\S)~\s?(?=\w)", "about "),
    word(r"\s?±\s?", " plus or minus "),
    word(r"\s?×\s?", " times "),
    word(r"\s?÷\s?", " divided by "),
    word(r"√\s?", "square root of "),
    word(r"π", " pi "),
    word(r"∞", " infinity "),
    word(r"\s?=+\s?", " equals "),
    word(r"(?<=\w)\s?\+\s?\+", " plus plus"),
    word(r"\s?\+\s?", " plus "),
    word(r"\s?&\s?", " and "),
    word(r"\s?@\s?", " at "),
    word(r"(?<=\b[CF])#(?!\w)", " sharp"),
    word(r"#(?=\w)", "hashtag "),
    word(r"\s?[%％]", " percent"),
    word(r"\s?‰", " per mille"),
    word(r"§§?\s?", "section "),
    word(r"\s?[°º]\s?C\b", " degrees Celsius"),
    word(r"\s?[°º]\s?F\b", " degrees Fahrenheit"),
    word(r"°", " degrees "),
    word(r"\bkm/h\b", "kilometers per hour"),
    word(r"\$", " dollars "),
    word(r"€", " euros "),
    word(r"£", " pounds "),
    word(r"[¥￥]", " yen "),
    word(r"(?<=\w)\s?/\s?(?=(?:second|minute|hour|day|night|week|month|year|person|mile|gallon|unit)s?\b)", " per "),
    word(r"\s/\s", ", "),
    word(r"[#<>/~^_|\\*²³º]+", " "),
)
