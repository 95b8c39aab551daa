"""When things are told, changed, forgotten and asked in the month: the threads of a phrase book laid on its turns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from memory.household.saying import Dice

LATE = 1500
"""Turns after which a fact is hardly asked about for the first time."""
QUIET = (40, 75)
LAST = 12
"""Turns left free at the end of the month."""


@dataclass(frozen=True, slots=True)
class Event:
    """One turn that matters."""

    slot: float
    person: str
    kind: str
    thing: str
    act: str
    """give, again, change, correct, drop, forget, forget_that, forget_all, ask or about."""
    way: str = "now"
    """How an ``ask`` asks: now, before, then, when."""


def schedule(book: dict[str, Any], dice: Dice) -> dict[int, Event]:
    """Turn number -> what happens in it."""
    script, a_day = book["script"], book["turns_a_day"]
    last = book["days"] * a_day - LAST
    found = [event for line in script["threads"] for event in _thread(line, book, last, dice)]
    for act, lines in (("about", script["about"]), ("forget_all", script["forget_all"])):
        for line in lines:
            person, days = line.split(": ")
            found += [Event(_in_day(int(day), a_day, dice), person, "", "", act) for day in days.split(", ")]
    placed: dict[int, Event] = {}
    at = 0
    for event in sorted(found, key=lambda one: one.slot):
        at = max(at + 1, _after_quiet(int(event.slot), a_day))
        placed[at] = event
    return placed


def _after_quiet(slot: int, a_day: int) -> int:
    """Every second day has a long stretch of nothing but small talk."""
    day, place = divmod(slot, a_day)
    return day * a_day + QUIET[1] if day % 2 and QUIET[0] <= place < QUIET[1] else slot


def _in_day(day: int, a_day: int, dice: Dice) -> float:
    return (day - 1) * a_day + 8 + dice.below(a_day - 16) + 0.5


def _thread(line: str, book: dict[str, Any], last: int, dice: Dice) -> list[Event]:
    """``person kind[/thing]: day act, day act`` with the questions that follow each."""
    who, acts = line.split(": ")
    person, kind = who.split(" ", 1)
    kind, _, thing = kind.partition("/")
    told: list[Event] = []
    for day, act in (one.split(" ") for one in acts.split(", ")):
        slot = _in_day(int(day), book["turns_a_day"], dice)
        slot = max(slot, told[-1].slot + 2) if told else slot
        told.append(Event(slot, person, kind, thing, act))
    found: list[Event] = []
    for number, event in enumerate(told):
        end = told[number + 1].slot - 1 if number + 1 < len(told) else last
        found += _with_questions(event, min(end, event.slot + LATE), book["kind"][kind], dice)
    return found


def _with_questions(event: Event, end: float, kind: dict[str, Any], dice: Dice) -> list[Event]:
    def later(share: float, act: str = "ask", way: str = "now") -> list[Event]:
        if end - event.slot < 12 or not dice.chance(share):
            return []
        return [replace(event, slot=event.slot + 5 + dice.below(int(end - event.slot) - 8), act=act, way=way)]

    def soon() -> list[Event]:
        slot = event.slot + 3 + dice.below(60)
        return [replace(event, slot=slot, act="ask")] if slot < end else []

    match event.act:
        case "ask":
            return [event]
        case "forget":
            return [event, *later(1), *later(0.5)]
        case "forget_that":
            given = replace(event, act="give", slot=event.slot + 0.3)
            return [given, replace(event, slot=event.slot + 0.31), *later(1)]
        case "drop":
            return [event, *later(1), *later(0.3)]
    many = kind.get("many", False)
    again = 0 if kind["values"] == "date" else 0.3
    found = [event, *later(1), *later(again, act="again"), *(later(0.4) if many else soon())]
    if event.act == "change" and "before" in kind:
        found += later(1, way="before")
    if event.act == "change" and "then" in kind:
        found += [*later(1, way="then"), *later(1, way="when"), *later(0.5, way="before")]
    return found
