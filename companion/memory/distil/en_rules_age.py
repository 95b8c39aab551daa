"""English clauses about age and birthdays."""

from __future__ import annotations

import re

from companion.memory.distil.en_reading import BE, Reading, Rule, as_day
from companion.memory.distil.en_words import NOBODY, ROLE
from companion.memory.times import numbers
from companion.memory.times.numbers import CARDINAL, ORDINAL
from companion.memory.times.when_en import when

_N = r"[^\W\d_][\w\-]*"
_AGED = re.compile(
    rf"(?:(?:{BE}|has|have|just|turned|just turned|hits?|reached|all of|clocked|turns|only|still|got "
    rf"to be) )+(?:about |only |just |nearly |now )*(?P<x>{CARDINAL})(?P<rest> "
    r"years? (?:old|young|of age)\b| now\b| last \w+| yesterday| \w+ (?:days|weeks|months) ago| in \w+| on "
    r".*| this \w+|,.*| today)?(?P<end>.*)$"
)
_WILL_BE = re.compile(rf"(?:will|shall|'ll|{BE} going to)(?: be|turn) (?P<x>{CARDINAL})\b(?P<rest>.*)")
_ON_AGE = re.compile(rf"(?:{BE}|turns?) (?P<x>{CARDINAL}) (?P<rest>on .+)")
_BIRTHDAY = re.compile(
    rf"^(?:(?P<who>(?:my|our)(?: (?:{ROLE}) 's)?|{_N} 's) )?birthday(?: is| 's| falls)? (?:on )?(?P<x>.+)$"
)
_ANNIVERSARY = re.compile(r"^(?:my|our) (?:wedding )?anniversary(?: is| 's| falls)? (?:on )?(?P<x>.+)$")
_BORN = re.compile(rf"(?:{BE} )?born (?:on |in |the year of [\w ]+, )?(?P<x>.+)")
_BIG = re.compile(
    rf"(?:hits?|{BE}|turns?|reach\w*) the big (?P<x>four|five|six|three|seven) "
    r"(?:oh|o|zero)(?P<rest>.*)"
)
_MY_NTH = re.compile(rf"(?:was|is|'s) my (?P<x>{ORDINAL})(?: birthday)? (?P<rest>.+)")


def age(reading: Reading) -> bool:
    clause, notes = reading.clause, reading.notes
    if match := _BIRTHDAY.match(clause.text):
        return _birthday(reading, match)
    if match := _ANNIVERSARY.match(clause.text):
        told = when(match["x"], notes.at)
        return told is not None and notes.add(notes.user, "married_on", f"-{as_day(told.start, told.end)[4:]}")
    if clause.subject == "it":
        return _my_birthday(reading)
    if match := _BORN.match(clause.verbs):
        told = when(match["x"], notes.at, past=True) or when(f"in {match['x']}", notes.at, past=True)
        if told is not None and not re.match(r"[a-z]+ (?:but|and)", match["x"]):
            notes.add(clause.subject, "born_on", as_day(told.start, told.end))
            return True
        return False
    if match := _BIG.match(clause.verbs):
        tens = {"three": 30, "four": 40, "five": 50, "six": 60, "seven": 70}
        return _born_from_age(reading, tens[match["x"]], match["rest"])
    if (match := _WILL_BE.match(clause.verbs)) or (match := _ON_AGE.match(clause.verbs)):
        return _born_from_age(reading, numbers.english(match["x"]) or 0, match["rest"])
    match = _AGED.match(clause.verbs)
    if match is None or (
        match["end"].strip(" ,.") and not re.match(r"\s*(?:and|i am|years young|getting|,|now)", match["end"])
    ):
        return False
    return _aged(reading, match["x"])


def _aged(reading: Reading, words: str) -> bool:
    number = numbers.english(words)
    if number is None or number > 120 or _is_an_hour(reading, number):
        return False
    if reading.clause.ended or reading.clause.denies:
        reading.notes.end(reading.subject, "is_aged", str(number))
    else:
        past = reading.when(past=True) if "turned" in reading.clause.verbs else None
        reading.notes.add(reading.subject, "is_aged", str(number), since=past.start if past else None)
    return True


def _is_an_hour(reading: Reading, number: int) -> bool:
    return number <= 12 and re.search(r"o'clock|\b(?:am|pm)\b(?! \w)", reading.clause.verbs[3:]) is not None


def _my_birthday(reading: Reading) -> bool:
    match = _MY_NTH.match(reading.clause.verbs)
    told = when(match["rest"], reading.notes.at, past=True) if match else None
    number = numbers.nth(match["x"]) if match else None
    if told is None or number is None:
        return False
    reading.notes.add(reading.notes.user, "born_on", f"{told.start.year - number}-{told.start:%m-%d}")
    reading.notes.add(reading.notes.user, "is_aged", str(number))
    return True


def _born_from_age(reading: Reading, number: int, rest: str) -> bool:
    told = when(rest, reading.notes.at)
    if not number or told is None:
        return False
    year = told.start.year - number
    day = as_day(told.start, told.end)
    reading.notes.add(reading.subject, "born_on", f"{year}{day[4:]}")
    return True


def _birthday(reading: Reading, match: re.Match[str]) -> bool:
    notes = reading.notes
    who = (match["who"] or "my").removesuffix(" 's").strip()
    subject = notes.user if who in ("my", "our") else who if who.startswith("my ") else who.capitalize()
    if who in NOBODY and who not in ("my", "our"):
        return False
    told = when(match["x"], notes.at)
    if told is None:
        told = when(f"the {match['x']}" if not match["x"].startswith("the ") else match["x"], notes.at)
    if told is None:
        return False
    age_then = re.search(rf"(?:will be|turns?|turning|be) ({CARDINAL})\b", reading.text)
    day = as_day(told.start, told.end)
    number = numbers.english(age_then[1]) if age_then else None
    notes.add(subject, "born_on", f"{told.start.year - number}{day[4:]}" if number else f"-{day[4:]}")
    return True


RULES: tuple[Rule, ...] = (age,)
