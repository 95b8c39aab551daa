"""Numbers in languages we have no rules of our own for, by num2words where it knows them."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from num2words import CONVERTER_CLASSES, num2words

_NUMBER = re.compile(r"(?<![A-Za-z\d:/.,])\d+(?:[.,]\d+)?(?:[.,]\d{3})*(?![A-Za-z\d:/]|[.,]\d)")
"""Times and dates stay: each language has a way of its own, which its synthesiser knows better."""
_GROUPED = re.compile(r"\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*(?!\d)")
_LONGEST = 15
_PERCENT = {
    "cs": "procent", "da": "procent", "de": "Prozent", "es": "por ciento", "fr": "pour cent", "it": "per cento",
    "nl": "procent", "no": "prosent", "pl": "procent", "pt": "por cento", "ru": "процентов", "sv": "procent",
    "uk": "відсотків",
}  # fmt: skip


def say(text: str, language: str) -> str:
    """``text`` with its numbers in words; digits stay where num2words cannot say them."""
    if language not in CONVERTER_CLASSES:
        return text
    if language in _PERCENT:
        text = re.sub(r"(?<=\d)\s?%", f" {_PERCENT[language]}", text)
    return _NUMBER.sub(lambda match: _words(match[0], language), text)


@lru_cache(maxsize=512)
def _words(written: str, language: str) -> str:
    grouped = _GROUPED.match(written)
    plain = written.replace(grouped[1], "") if grouped and grouped.end() == len(written) else written
    parts = re.split(r"[.,:]", plain)
    if len(parts) > 2 or any(len(part) > _LONGEST for part in parts):
        return written
    try:
        return str(num2words(Decimal(".".join(parts)), lang=language))
    except (ArithmeticError, IndexError, InvalidOperation, KeyError, NotImplementedError, TypeError, ValueError):
        # Each of its languages gives up in its own way; the synthesiser then says the digits as it can.
        return written
