"""Chinese patterns: an utterance in, facts out; also one with foreign words in between."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from companion.memory.distil import zh_gate, zh_rules_age, zh_rules_life, zh_rules_people, zh_rules_time
from companion.memory.distil.cued import Cued
from companion.memory.distil.plausible import plausible
from companion.memory.distil.told import Distilled, Notes
from companion.memory.distil.zh_forget import forgotten
from companion.memory.distil.zh_frames import framed
from companion.memory.distil.zh_reading import Part, Reading, Rule
from companion.memory.distil.zh_spoken import KIN
from companion.memory.distil.zh_spoken import plain as in_order
from companion.memory.distil.zh_turned import turned
from companion.memory.distil.zh_words import ROLE, simple
from companion.memory.facts import Triple
from companion.memory.times.when_zh import when

_EARLY: tuple[Rule, ...] = (
    *zh_rules_age.PETS,
    *zh_rules_life.MEDICINE,
    *zh_rules_age.DATED,
    *zh_rules_time.TIMED,
)
_RULES: tuple[Rule, ...] = (*zh_rules_life.RULES, *zh_rules_people.RULES)
_CUT = re.compile(r"[，,。！!；;]+|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])")
_COMMA = re.compile("，")
_CHANGES = re.compile(r"换|改|新车|现在|如今|停了|不吃.*了|不开.*了|不是.*了")
_FILLERS_END = re.compile(r"(?:呢|哦|喔|啊|呀|啦|哈|噢|嘛|咯|嗯|好吗)+$")
_HELD = re.compile(r"^(?:名字)?叫|^不(?:是|叫|在)|^(?:不吃了)?改吃|^嫁给")
"""What only goes on with the part before it."""
_TWO = re.compile(
    rf"(?<=叫[\u4e00-\u9fff]{{2}})(?=(?:小名|大名|英文名)叫|还?在)|(?<=\s)(?=老家)|"
    rf"(?<=[^\s，,])(?=(?<=[十一二三四五六七八九岁])[\u4e00-\u9fff]{{2}}(?:[一二三四五六七八九十]+)岁?$"
    rf")|(?<=了)(?=(?:现在|新室友|改|快))|(?<=的)(?=在)|(?=我的?(?:{ROLE})叫)(?<=.)"
)


def read(text: str, user: str, at: datetime) -> Distilled:
    """What ``text`` tells. user: the subject that stands for whoever speaks."""
    shown = " ".join(text.split())
    plain = simple(shown)
    said = plain
    lead = zh_gate.FILLER.match(plain)
    start = lead.end() if lead else 0
    if forget := forgotten(plain[start:].rstrip("。.！! "), user, shown[start:].rstrip("。.！! ")):
        return Distilled(forget=forget)
    told = turned(in_order(shown[start:]))
    if told != shown[start:]:
        shown, plain, start = told, simple(told), 0
    if len(plain) - start < 2 or zh_gate.holds_nothing(plain, plain[start:]):
        return Distilled()
    notes = Notes(user, at)
    depends = False
    for part in _parts(plain[start:], shown[start:]):
        # What would follow of what is not so, is not so either.
        depends = depends or zh_gate.is_condition(part.plain)
        if not depends and not zh_gate.is_supposed(part.plain):
            known = len(notes.triples)
            _read_part(part, notes, plain)
            if topic := _TOPIC.match(part.plain):
                notes.topic = part.shown[: topic.end()]
            if _ONCE.search(part.plain):
                notes.triples[known:] = [_over(one) for one in notes.triples[known:]]
    found = notes.replaced() if _CHANGES.search(said) else tuple(notes.triples)
    # Who does not want to is in no mood today; who does not want to any more has changed their plans.
    found = tuple(one for one in found if not (one.ends and one.relation == "plans" and "了" not in said))
    return Distilled(plausible((_whose(one, said, user) for one in found), user))


_TOPIC = re.compile(rf"^我(?>{KIN})(?!的)")
_ONCE = re.compile(r"以前|曾经|年轻时|当年")
_STATES = frozenset({"lives_in", "works_at", "works_as", "studies_at", "studies", "has_pet", "owns", "plays"})


_MINE = re.compile(rf"我(?:家|们家)?的?(?>{KIN})")


def _whose(triple: Triple, said: str, user: str) -> Triple:
    """An appointment is that of whoever is named beside it; an illness of which it is said that it is over, is."""
    if triple.relation == "has_appointment" and triple.subject == user:
        named = {match[0] for match in _MINE.finditer(said)}
        return replace(triple, subject=named.pop()) if len(named) == 1 else triple
    if triple.relation == "has_condition" and re.search(
        rf"{re.escape(simple(triple.object))}(?:已经|都)?(?:治)?好了", said
    ):
        return replace(triple, ends=True)
    return triple


def _over(triple: Triple) -> Triple:
    """What was so once holds no more."""
    return replace(triple, ends=True) if triple.relation in _STATES and not triple.ends else triple


def _parts(plain: str, shown: str) -> Iterator[Part]:
    """The clauses of an utterance."""
    places = [0]
    cuts = list(_CUT.finditer(plain))
    for cut in cuts:
        if not _HELD.match(plain[cut.end() :]):
            places += [cut.start(), cut.end()]
    places.append(len(plain))
    for start, end in zip(places[::2], places[1::2], strict=True):
        for part in _reframed(_bare(Part(plain[start:end], shown[start:end]))):
            yield from _halves(part)


def _reframed(part: Part) -> Iterator[Part]:
    """A clause in the usual order, which may take several."""
    told = framed(part.shown) or part.shown
    yield from (Part(simple(one), one) for one in (_COMMA.split(told) if told != part.shown else [told]))


def _halves(part: Part) -> Iterator[Part]:
    cut = _TWO.search(part.plain)
    if cut is None or cut.start() == 0:
        yield part
        return
    yield Part(part.plain[: cut.start()].rstrip(), part.shown[: cut.start()].rstrip())
    yield Part(part.plain[cut.start() :], part.shown[cut.start() :])


def _bare(part: Part) -> Part:
    lead = zh_gate.FILLER.match(part.plain)
    start = lead.end() if lead and lead.end() < len(part.plain) else 0
    start += len(part.plain[start:]) - len(part.plain[start:].lstrip())
    tail = _FILLERS_END.search(part.plain)
    end = tail.start() if tail else len(part.plain.rstrip())
    return Part(part.plain[start:end], part.shown[start:end])


_TIME_FIRST = re.compile(
    r"^(?:(?:现在|最近|周末|平时|如今|目前|毕业(?:以后|之后|后)|早晚|过了年|"
    r"暑假|寒假|年底|以后|今年|当年|小时候)[，, ]?)+"
)


def _read_part(part: Part, notes: Notes, text: str) -> None:
    if len(part.plain) < 2:
        return
    if _try(_EARLY, Reading(part, notes, text)):
        return
    bare = _timeless(part, notes.at)
    _try(_RULES, Reading(bare, notes, text, part.plain))


def _timeless(part: Part, at: datetime) -> Part:
    """A clause without its words for when, which may stand between anything."""
    found = when(part.plain, at)
    if found is not None and found.at[1] - found.at[0] < len(part.plain) - 1:
        start, end = found.at
        part = Part(part.plain[:start] + part.plain[end:], part.shown[:start] + part.shown[end:])
    lead = _TIME_FIRST.match(part.plain)
    return Part(part.plain[lead.end() :], part.shown[lead.end() :]) if lead else part


def _try(rules: tuple[Rule, ...], reading: Reading) -> bool:
    notes = reading.notes
    for patterns, make in rules:
        match, subject = _fit(patterns, reading)
        if match is None or subject is None:
            continue
        if _goes_on(match) and subject == notes.user:
            subject = _last_subject(notes) if notes.triples else notes.topic or subject
        person = notes.person
        if make(reading, match, subject):
            if subject != notes.user and notes.person == person:
                notes.person = subject
            return True
    return False


def _fit(patterns: tuple[Cued, ...], reading: Reading) -> tuple[re.Match[str] | None, str | None]:
    for pattern in patterns:
        match = pattern.match(reading.plain)
        if match is None:
            return None, None
        subject = reading.subject(match)
        if subject is not None:
            return match, subject
    return None, None


def _goes_on(match: re.Match[str]) -> bool:
    return not any(match[group] for group in ("kin", "us", "he", "of", "bare", "name"))


def _last_subject(notes: Notes) -> str:
    """Who a clause that names nobody is about: whoever the one before was about."""
    last = notes.triples[-1]
    if notes.person and notes.person in (last.object, last.subject):
        return notes.person
    return last.object if last.relation == "is_called" and last.subject != notes.user else last.subject
