"""Reads a day of the month said in English: "December 24th", "the twenty fourth of December", "the 5th"."""

from __future__ import annotations

import re

from companion.talents.spoken.calendar import MONTHS
from companion.talents.spoken.numbers import number_of

_NAMED = {name: place for place, name in enumerate((
    *"first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth".split(),
    *"fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(),
), 1)} | {"thirtieth": 30}  # fmt: skip
_MONTH = "|".join(MONTHS).lower()
_ORDINAL = rf"\d{{1,2}}(?:st|nd|rd|th)|(?:(?:twenty|thirty) )?(?:{'|'.join(_NAMED)})"
_SMALL = "one|two|three|four|five|six|seven|eight|nine"
_NUMBER = rf"{_ORDINAL}|\d{{1,2}}(?![\d:.])|(?:twenty|thirty)(?: (?:{_SMALL}))?|{_SMALL}|ten|eleven|twelve|\w+teen"
_DATE = re.compile(
    rf"\b(?:(?P<month>{_MONTH}) (?:the )?(?P<behind>{_NUMBER})|(?:the )?(?P<before>{_NUMBER}) (?:of )?(?P<of>{_MONTH})"
    rf"|the (?P<alone>{_ORDINAL})(?P<next> of next month)?)(?!\S)"
)


def take_date(text: str) -> tuple[str, int | None, int, bool] | None:
    """The text (lower case) without its date, the month where one is said, the day, and whether of next month.

    None where there is no date.
    """
    said = _DATE.search(text)
    day = None if said is None else _day(said["behind"] or said["before"] or said["alone"])
    if said is None or day is None:
        return None
    month = said["month"] or said["of"]
    rest = f"{text[: said.start()]} {text[said.end() :]}"
    return rest, MONTHS.index(month.capitalize()) + 1 if month else None, day, said["next"] is not None


def _day(words: str) -> int | None:
    figures = re.match(r"\d+", words)
    if figures:
        return int(figures[0])
    tens, _, last = words.rpartition(" ")
    if last in _NAMED:
        return _NAMED[last] + {"": 0, "twenty": 20, "thirty": 30}[tens]
    number = number_of(words)
    return None if number is None else int(number)
