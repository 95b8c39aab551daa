"""Does sums: "12 times 7", "20 percent of 80", "the square root of 144", "一百除以四"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Annotated

from companion.agent.plugin import Prompt, Reply, Request, Teaching
from companion.talents.phrases import Phrases
from companion.talents.spoken.language import is_chinese
from companion.talents.spoken.numbers import number_of

_SAY = Phrases(
    {
        "exact": ("That's {result}.", "等于{result}。"),
        "rounded": ("That's about {result}.", "约等于{result}。"),
        "zero": ("I can't divide by zero.", "不能除以零。"),
        "root": ("A negative number has no real square root.", "负数没有实数平方根。"),
        "large": ("That number is too large for me.", "这个数太大了。"),
        "unclear": ("Sorry, I did not catch the numbers.", "抱歉，我没听清数字。"),
    }
)

LONGEST_SUM = 500
"""Characters."""
LONGEST_LOOK = 4_000
"""Characters of a prompt, from its end, that are looked at."""
_NAMED = {"*": "times", "×": "times", "/": "divided by", "÷": "divided by", "+": "plus", "^": "to the power of"} | {
    "%": "percent", " - ": "minus", "−": "minus",
}  # fmt: skip
_SIGN = re.compile("|".join(map(re.escape, _NAMED)))
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_SUM = re.compile(
    r"\d *(?:[*×/÷+^%−]|- |plus\b|minus\b|times\b|x \d|divided by|percent|per cent|squared|cubed|to the power)"
    r"|square root of|\d *(?:加|减|乘|除|的平方|的立方|的一半|的两倍|的百分)|根号 *\d",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"[-+*/×÷^%−\d\s.,()]*\([-+*/×÷^%−\d\s.,()]*")
LARGEST = 10**15
"""Beyond this nobody follows a number by ear."""
MOST_BITS = 100_000
"""Of a power: those of small fractions stay small, but take ever longer."""

_OPERATORS = re.compile(
    r"\b(?:plus|minus|times|x|multiplied by|divided by|over|to the power of|to the power)\b"
    r"|加上?|减去?|乘以?|除以?"
)
_SIGNS = {"plus": "+", "minus": "-", "times": "*", "x": "*", "multiplied by": "*"} | {
    "divided by": "/", "over": "/", "to the power of": "^", "to the power": "^",
    "加": "+", "加上": "+", "减": "-", "减去": "-", "乘": "*", "乘以": "*", "除": "/", "除以": "/",
}  # fmt: skip


class TooLargeError(ArithmeticError):
    """The result has more digits than can be said."""


class NoRealRootError(ArithmeticError):
    """The square root of a negative number was asked for."""


async def calculate(sum: Annotated[str, "in words or signs, as 12 * 7 or 20 percent of 80"]) -> str:  # noqa: A002
    """Work out a sum."""
    try:
        result = value_of(_in_words(sum)[:LONGEST_SUM])
    except (ZeroDivisionError, NoRealRootError, TooLargeError) as error:
        return f"there is no result: {type(error).__name__}"
    return "this is no sum" if result is None else say_number(result)[0]


def _in_words(written: str) -> str:
    """A sum with its signs in words."""
    plain = _THOUSANDS.sub("", written.lower().strip(" =?.,"))
    return " ".join(_SIGN.sub(lambda sign: f" {_NAMED[sign[0]]} ", plain).split())


def _has_sum(asked: Prompt) -> bool:
    """Whether there seems to be a sum in it: what the prompt begins with changes by that, and is read anew."""
    return bool(asked.messages) and _SUM.search(asked.messages[-1].text[-LONGEST_LOOK:]) is not None


class Maths:
    """Answers sums with exact numbers, rounded only to be said."""

    name = "maths"
    intents = frozenset({"maths"})
    teaching = Teaching(
        "maths",
        "Work out every sum by calling calculate, also within a longer question. Say its result as it is.",
        (calculate,),
        _has_sum,
    )

    async def answer(self, request: Request) -> Reply:
        language = request.language
        # Rules hear no brackets; who types some means them.
        bracketed = _BRACKETED.search(unicodedata.normalize("NFKC", request.text))
        try:
            result = value_of(_in_words(bracketed[0])[:LONGEST_SUM] if bracketed else request.slots["sum"])
        except ZeroDivisionError:
            return Reply(_SAY.say("zero", language))
        except NoRealRootError:
            return Reply(_SAY.say("root", language))
        except TooLargeError:
            return Reply(_SAY.say("large", language))
        if result is None:
            return Reply(_SAY.say("unclear", language))
        said, exact = say_number(result)
        return Reply(_SAY.say("exact" if exact else "rounded", language, result=_signed(said, language)))

    def frequent_replies(self, language: str) -> tuple[str, ...]:
        return _SAY.frequent(language)


def value_of(words: str) -> Fraction | None:
    """The value of a sum in words; None where it is none.

    Raises:
        ZeroDivisionError, NoRealRootError, TooLargeError.
    """
    operators = _operators(words)
    if not operators:
        return _value_of_term(words)
    # The weakest sign is worked out last; of equals the last one, for they go from left to right.
    weakest = min(operators, key=lambda sign: (sign.strength, -sign.start))
    left, right = value_of(words[: weakest.start].strip()), value_of(words[weakest.end :].strip())
    return None if left is None or right is None else _bounded(_work(weakest.sign, left, right))


def _value_of_term(words: str) -> Fraction | None:
    if words.startswith("(") and words.endswith(")"):
        return value_of(words[1:-1].strip())
    for pattern, work in _FORMS:
        if form := pattern.fullmatch(words):
            numbers = [value_of(group) for group in form.groups()]
            known = [number for number in numbers if number is not None]
            return _bounded(work(*known)) if len(known) == len(numbers) else None
    return number_of(words)


@dataclass(frozen=True, slots=True)
class _Operator:
    sign: str
    start: int
    end: int

    @property
    def strength(self) -> int:
        return {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}[self.sign]


def _operators(words: str) -> list[_Operator]:
    """The signs between numbers and brackets; the "minus" of "minus five" is none."""
    found: list[_Operator] = []
    for word in _OPERATORS.finditer(words):
        before = words[found[-1].end if found else 0 : word.start()].strip()
        is_inside = words.count("(", 0, word.start()) > words.count(")", 0, word.start())
        if before and not before.endswith(" of") and not is_inside:
            found.append(_Operator(_SIGNS[word[0]], word.start(), word.end()))
    return found


def _work(sign: str, left: Fraction, right: Fraction) -> Fraction:
    match sign:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left / right
        case _:
            return _power(left, right)


def _power(number: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1:
        return _root(_power(number, exponent * 2)) if exponent.denominator == 2 else _unsayable()
    if abs(exponent) > 1000:
        # One and nothing stay small however often they are multiplied.
        return number ** int(exponent) if abs(number) in (0, 1) else _unsayable()
    bits = max(number.numerator.bit_length(), number.denominator.bit_length())
    return number ** int(exponent) if bits * abs(exponent) <= MOST_BITS else _unsayable()


def _unsayable() -> Fraction:
    raise TooLargeError


def _root(number: Fraction) -> Fraction:
    if number < 0:
        raise NoRealRootError
    with localcontext() as context:
        context.prec = 40
        return Fraction((Decimal(number.numerator) / Decimal(number.denominator)).sqrt())


def _bounded(result: Fraction) -> Fraction:
    return _unsayable() if abs(result) >= LARGEST else result


_FORMS: list[tuple[re.Pattern[str], Callable[..., Fraction]]] = [
    (re.compile(r"(.+) percent of (.+)"), lambda part, whole: part * whole / 100),
    (re.compile(r"(.+) percent off (.+)"), lambda part, whole: whole - part * whole / 100),
    (re.compile(r"(?:the )?square root of ([^+]+)"), _root),
    (re.compile(r"(.+) squared"), lambda number: number**2),
    (re.compile(r"(.+) cubed"), lambda number: number**3),
    (re.compile(r"half (?:of )?(.+)"), lambda number: number / 2),
    (re.compile(r"a third (?:of )?(.+)"), lambda number: number / 3),
    (re.compile(r"a quarter (?:of )?(.+)"), lambda number: number / 4),
    (re.compile(r"(?:twice|double) (?:of )?(.+)"), lambda number: number * 2),
    (re.compile(r"(.+) percent"), lambda number: number / 100),
    (re.compile(r"(.+)的百分之(.+)"), lambda whole, part: whole * part / 100),
    (re.compile(r"(.+)的([\d.]+)%"), lambda whole, part: whole * part / 100),
    (re.compile(r"(?:(.+)的平方根)"), _root),
    (re.compile(r"根号(.+)"), _root),
    (re.compile(r"(.+)的平方"), lambda number: number**2),
    (re.compile(r"(.+)的立方"), lambda number: number**3),
    (re.compile(r"(.+)的一半"), lambda number: number / 2),
    (re.compile(r"(.+)的两倍"), lambda number: number * 2),
    (re.compile(r"(.+)的(.+)次方"), _power),
]


def say_number(number: Fraction) -> tuple[str, bool]:
    """``number`` in figures, and whether that is exact: up to four decimals, or rounded to what an ear can hold."""
    is_exact = (number * 10**4).denominator == 1
    places = 4 if is_exact or abs(number) < 1 else 2
    if not is_exact and abs(number) < Fraction(1, 100):
        places = 8
    rounded = Fraction(round(number * 10**places), 10**places)
    whole, decimals = divmod(abs(rounded) * 10**places, 10**places)
    figures = f"{int(whole)}.{int(decimals):0{places}}".rstrip("0").rstrip(".")
    return ("-" if rounded < 0 else "") + figures, rounded == number


def _signed(figures: str, language: str) -> str:
    minus = "负" if is_chinese(language) else "minus "
    return figures.replace("-", minus)
