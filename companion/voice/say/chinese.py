"""Written Chinese (simplified) as people say it; words in Latin letters stay for the voice."""

from __future__ import annotations

import re

from companion.voice.say.chinese_amounts import AMOUNTS
from companion.voice.say.chinese_dates import DATES, TIMES
from companion.voice.say.chinese_numbers import NUMBER, cardinal, counted, digits, number
from companion.voice.say.rules import Rule, apply, word

_DIGIT = re.compile(r"\d")
_SIGN = re.compile(r"[&@#+=<>/~～^_|\\*×÷≈≠≤≥±√π∞%％‰°º→←$€£¥￥²³½¼¾⅓⅔]")
_ADDRESS = re.compile(r"[A-Za-z\d._+-]{1,64}@[A-Za-z\d-]{1,64}(?:\.[A-Za-z\d-]{1,64})+")
_DOMAIN = re.compile(
    r"(?<![A-Za-z\d.@/])(?:[A-Za-z][A-Za-z\d-]{0,62}\.)+(?:com|org|net|io|dev|edu|gov|cn|info)(?![A-Za-z\d])"
)
_COUNTED = (
    "个|位|只|条|张|本|件|块|次|天|年|周|小时|钟头|分钟|秒|点|杯|瓶|碗|盒|包|双|对|把|辆|台|部|家|间|座|种|样|句|段|首|篇|页|人|名|口|"
    "米|公里|千米|厘米|里|斤|公斤|千克|克|吨|升|毫升|度|元|块钱|美元|欧元|岁|倍|层|步|遍|场|趟|下|颗|棵|朵|匹|头|群|半|百万|千|万|亿|刻"
)


def say(text: str) -> str:
    """``text`` (without markup) in speakable words; no digit is left."""
    if "." in text:
        text = apply(_NAMES, text)
    if _DIGIT.search(text):
        text = apply(_NUMBERS, text)
    if _SIGN.search(text):
        text = apply(_SIGNS, text)
    return text


def _phone(match: re.Match[str]) -> str:
    return ("加" if match[0].startswith("+") else "") + "，".join(
        digits(group, one="幺") for group in re.findall(r"\d+", match[0])
    )


def _called(match: re.Match[str]) -> str:
    return match[1] + digits(match[2], one="幺")


def _spelt(match: re.Match[str]) -> str:
    spoken = match[0].replace("@", " at ").replace(".", "点").replace("_", "下划线").replace("-", "杠")
    return re.sub(r"\d+", lambda found: digits(found[0], one="幺"), spoken)


def _read_out(match: re.Match[str]) -> str:
    return match[1] + digits(match[2], one="幺")


def _dotted(match: re.Match[str]) -> str:
    parts = match[1].split(".")
    is_address = len(parts) == 4 and all(len(part) <= 3 for part in parts)
    return "点".join(digits(part) if is_address else number(part) for part in parts)


def _fraction(match: re.Match[str]) -> str:
    words = f"{cardinal(int(match[3]))}分之{cardinal(int(match[2]))}"
    return f"{number(match[1])}又{words}" if match[1] else words


def _minus_or_to(match: re.Match[str]) -> str:
    first, second = match[1], match[3]
    rising = float(first.replace(",", "")) < float(second.replace(",", ""))
    is_sum = match[4] or (match[2].startswith(" ") and not rising)
    return f"{number(first)}{'减' if is_sum else '到'}{number(second)}{match[4] or ''}"


def _range(match: re.Match[str]) -> str:
    return f"{counted(match[1])}到{counted(match[2])}{match[3]}"


def _power(match: re.Match[str]) -> str:
    named = {"2": "平方", "3": "立方"}.get(match[2])
    return f"{match[1]}的{named or match[2].replace('-', '负') + '次方'}"


def _vulgar(sign: str, words: str) -> Rule:
    return (re.compile(rf"(\d)?{sign}"), lambda match: f"{match[1]}又{words}" if match[1] else words)


_ALONE = r"(?<![\w.,:/-])"
_EDGE = r"(?<![A-Za-z\d.,:/-])"

_NAMES: tuple[Rule, ...] = ((_ADDRESS, _spelt), (_DOMAIN, _spelt))

_NUMBERS: tuple[Rule, ...] = (
    *DATES,
    (
        re.compile(r"((?<=[A-Za-z])-?|(?:房间|教室|房号|病房|车次|单号)(?:号|是|：)?\s?)(\d{3,})(?![\d.,:]|[A-Za-z])"),
        _read_out,
    ),
    (re.compile(r"(?<![\w.,:/-])()(\d{3,4})(?=号?(?:室|房))"), _read_out),
    (
        re.compile(
            rf"(?<![\w.])\+\d{{1,3}}(?:[\s-]?\d{{2,5}}){{2,5}}(?!\d)|{_EDGE}1[3-9]\d(?:[\s-]?\d{{4}}){{2}}(?!\d)"
        ),
        _phone,
    ),
    (re.compile(rf"{_EDGE}0\d{{2,3}}[\s-]\d{{7,8}}(?!\d)|{_EDGE}[48]00[\s-]\d{{3,4}}[\s-]\d{{3,4}}(?!\d)"), _phone),
    (
        re.compile(
            rf"(?<=打|拨|线|话|电|叫)(\s?(?:是|：)?\s?)(\d{{3,8}})(?!\d|[.,:]\d|\s?(?:{_COUNTED}|[%％A-Za-z°℃]))"
        ),
        _called,
    ),
    *TIMES,
    (re.compile(r"(?<![\w.,])[vV]?(\d+(?:\.\d+){2,8})(?!\d)"), _dotted),
    *AMOUNTS,
    (re.compile(rf"第\s?({NUMBER})"), lambda match: f"第{number(match[1])}"),
    (re.compile(rf"(?<![A-Za-z\d])(\d+|{NUMBER})\s?\^\s?\(?(-?\d+)\)?"), _power),
    (re.compile(r"(?<![\w.,/])(?:(\d+)\s)?(\d{1,4})/(\d{1,4})(?![\w/]|[.,]\d)"), _fraction),
    (re.compile(rf"{_EDGE}({NUMBER})\s?[-–—~～]\s?({NUMBER})\s?({_COUNTED})"), _range),
    (re.compile(rf"{_EDGE}({NUMBER})(\s[-–—−]\s|[-–—−~～])({NUMBER})(?![A-Za-z\d-])(\s?=)?"), _minus_or_to),
    word(r"(?<=\d)\s?[x×*]\s?(?=[-−]?\d)", "乘"),
    word(r"(?<=\d)\s?[:：]\s?(?=\d)", "比"),
    word(r"#\s?(?=\d)", "第"),
    word(r"(?<![\w)\]])[-−](?=\.?\d)|(?<=[\u4e00-\u9fff])-(?=\d)", "负"),
    (re.compile(rf"(?<![A-Za-z\d.]){NUMBER}(?=\s?(?:{_COUNTED}))"), lambda match: counted(match[0])),
    (re.compile(NUMBER), lambda match: number(match[0])),
)

_SIGNS: tuple[Rule, ...] = (
    _vulgar("½", "二分之一"),
    _vulgar("¼", "四分之一"),
    _vulgar("¾", "四分之三"),
    _vulgar("⅓", "三分之一"),
    _vulgar("⅔", "三分之二"),
    word(r"(?<=\w)²", "平方"),
    word(r"(?<=\w)³", "立方"),
    word(r"\s?(?:<=|≤)\s?", "小于等于"),
    word(r"\s?(?:>=|≥)\s?", "大于等于"),
    word(r"\s?(?:≠|!=)\s?", "不等于"),
    word(r"\s?[-=]+>\s?|\s?[→←]\s?|\s?<[-=]+\s?", "，"),
    word(r"\s?<\s?(?=\w)", "小于"),
    word(r"\s?>\s?(?=\w)", "大于"),
    word(r"\s?≈\s?", "约等于"),
    word(r"(?<![\w])[~～]\s?(?=\w)", "大约"),
    word(r"\s?±\s?", "正负"),
    word(r"\s?×\s?", "乘"),
    word(r"\s?÷\s?", "除以"),
    word(r"√\s?", "根号"),
    word(r"π", "派"),
    word(r"∞", "无穷大"),
    word(r"\s?=+\s?", "等于"),
    word(r"(?<=[\w)])\s?\+\s?(?=[\w(])", "加"),
    word(r"\+", "加"),
    word(r"(?<=[A-Za-z])&(?=[A-Za-z])", " and "),
    word(r"\s?&\s?", "和"),
    word(r"(?<=[A-Za-z])@(?=[A-Za-z])", " at "),
    word(r"\s?[%％]", "百分比"),
    word(
        r"(?<=[\u4e00-\u9fff])/(?=(?:公斤|千克|斤|克|吨|升|个|人|天|日|周|月|年|次|小时|分钟|秒|平方米|米|张|件|本|瓶|杯|晚))",
        "每",
    ),
    word(r"[°º]\s?C\b", "摄氏度"),
    word(r"[°º]", "度"),
    word(r"[¥￥]", "元"),
    word(r"\$", "美元"),
    word(r"€", "欧元"),
    word(r"£", "英镑"),
    word(r"[#<>/~^_|\\*²³@]+", " "),
)
