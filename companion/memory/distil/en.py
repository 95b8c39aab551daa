"""English patterns: an utterance in, facts out."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from companion.memory.distil import (
    en_gate,
    en_rules_age,
    en_rules_health,
    en_rules_life,
    en_rules_people,
    en_rules_time,
    en_rules_work,
)
from companion.memory.distil.en_clauses import Clause, parts, read_clause, undone
from companion.memory.distil.en_forget import forgotten
from companion.memory.distil.en_reading import Reading, Rule, looks_like_a_name, note_kin
from companion.memory.distil.en_spoken import plain as in_order
from companion.memory.distil.en_things import thing
from companion.memory.distil.en_turned import turned
from companion.memory.distil.en_whole import whole
from companion.memory.distil.en_words import ROLE_RELATIONS
from companion.memory.distil.plausible import plausible
from companion.memory.distil.told import REPLACED, Distilled, Notes
from companion.memory.facts import Triple
from companion.memory.times.when_en import when

_RULES: tuple[Rule, ...] = (
    *en_rules_health.RULES,
    *en_rules_life.RULES,
    *en_rules_work.EARLY,
    *en_rules_time.RULES,
    *en_rules_age.RULES,
    *en_rules_people.FIRST,
    *en_rules_work.RULES,
    *en_rules_people.RULES,
    *en_rules_life.OWNING,
    *en_rules_people.LAST,
)
_WORTH = re.compile(r"\w+ \w+|^[^\W\d_]+ here")
_TWICE = re.compile(r"\b([a-z][a-z']*) \1\b(?!')")
"""A word that whoever speaks begins anew with."""
_NOT_BUT = re.compile(r",? (?:and )?not (?:in |at |on |the |a |an )*(?P<old>[\w' ]{2,30})$")
_CHANGES = re.compile(
    r"\bnow\b|\binstead\b|\bthese days\b|\bswitched\b|\bchanged\b|\bnew car\b|\bno more\b|\bany ?more\b|\bno longer\b"
)
_GONE = re.compile(
    r"\b(?:instead of|rather than|no more|not to|(?:will|does|do) not (?:touch|eat|take)) (?:the |an? |any )?"
    r"(?P<old>[\w' ]+?)(?=,|$| any ?more\b| now\b| these days\b)"
)
_FILLER_END = re.compile(
    r",?\s*(?:by the way|you know|please|ok|okay|mate|though|i think|i guess|"
    r"right|yeah|at the moment|remember that|actually|then|you see|i mean|so there|fyi|btw|tbh|ngl|lol)\s*$"
)


def read(text: str, user: str, at: datetime) -> Distilled:
    """What ``text`` tells. user: the subject that stands for whoever speaks."""
    shown = " ".join(text.replace("’", "'").split())
    lower = _TWICE.sub(r"\1", shown.lower().strip(" .!"))
    plain = en_gate.by_doctor(en_gate.bare(lower))
    if forget := forgotten(plain, user):
        return Distilled(forget=forget)
    straight = in_order(undone(_FILLER_END.sub("", plain)))
    told = turned(straight)
    if not _WORTH.search(plain) or en_gate.holds_nothing(lower, plain if told == straight else told):
        return Distilled()
    notes = Notes(user, at)
    if not en_gate.is_supposed(told):
        whole(told, notes, shown)
    for part in parts(told):
        _read_part(part, notes, told, shown)
    found = _changed(lower, notes)
    return Distilled(tuple(_as_said(one, shown) for one in plausible(found, user)))


def _changed(lower: str, notes: Notes) -> tuple[Triple, ...]:
    """What takes another's place, and what is named as gone."""
    if not _CHANGES.search(lower):
        return tuple(notes.triples)
    stated = [one for one in notes.triples if one.relation in REPLACED and not one.ends]
    if len(stated) == 1 and (gone := _GONE.search(undone(lower))) and (old := thing(gone["old"])):
        notes.end(stated[0].subject, stated[0].relation, old)
    return notes.replaced()


def _as_said(triple: Triple, shown: str) -> Triple:
    """With the capitals the object was said with."""
    place = shown.lower().find(triple.object.lower())
    is_there = place >= 0 and len(shown.lower()) == len(shown) and triple.object.islower()
    return replace(triple, object=shown[place : place + len(triple.object)]) if is_there else triple


def _read_part(part: str, notes: Notes, text: str, shown: str) -> None:
    # Turned round, a clause may be two.
    for one in turned(undone(en_gate.bare(part))).split(". "):
        _read_clause(one, notes, text, shown)


def _read_clause(part: str, notes: Notes, text: str, shown: str) -> None:
    if en_gate.is_supposed(part) and not re.match(r"\w+ is mad about", part):
        return
    lead = en_rules_time.routine_first(part)
    if lead is not None:
        part = (
            f"{lead[1]} on {lead[0]}"
            if lead[0].startswith(("week", "mon", "tue", "wed", "thu", "fri", "sat", "sun"))
            else f"{lead[1]} {lead[0]}"
        )
    clause = read_clause(part, notes.user, notes.person)
    if clause is None:
        _no_subject(part, notes, text, shown)
        return
    reading = Reading(clause, notes, text, shown)
    if clause.role:
        _named_role(clause, notes)
    if clause.subject == "it" and _it(clause, notes):
        return
    before = len(notes.triples)
    for rule in _RULES:
        if rule(reading):
            break
    if clause.subject not in ("it", notes.user) and _is_somebody(clause.subject):
        notes.person = clause.subject
    if len(notes.triples) > before:
        _not_but(clause, notes)


def _is_somebody(subject: str) -> bool:
    words = subject.split()
    return len(words) == 1 or words[-1] in ROLE_RELATIONS


def _named_role(clause: Clause, notes: Notes) -> None:
    """ "my son leo", "karl's daughter lena"."""
    if not looks_like_a_name(clause.subject):
        return
    owner, owned, role = clause.role.partition(" 's ")
    if owned:
        note_kin(notes, owner if owner.startswith("my ") else owner.capitalize(), role, clause.subject)
        return
    role = clause.role if "little one" in clause.role else clause.role.replace("our ", "my ", 1)
    notes.add(role, "is_called", clause.subject)
    note_kin(notes, notes.user, role, clause.subject)


def _it(clause: Clause, notes: Notes) -> bool:
    """ "not minecraft any more, it's terraria": what was spoken of is something else now."""
    subject, relation = notes.about
    match = re.match(r"(?:is|'s|are) (?:now |called |on |in )?(?P<x>.+)", clause.verbs)
    if match is None or not relation or clause.denies or relation == "has_appointment":
        return False
    ended = any(one.ends and one.subject == subject and one.relation == relation for one in notes.triples)
    told = thing(re.sub(r"\b(?:now|instead|these days)\b.*", "", match["x"]))
    if ended and told:
        notes.add(subject, relation, told)
    return ended


def _no_subject(part: str, notes: Notes, text: str, shown: str) -> None:
    """Parts that leave "I" out ("can't be doing with garlic", "had a new hip in november"), or are no clause."""
    if re.match(
        (
            r"(?:cannot|can|do not|does not|had|have|broke|got|seeing|never|hate|hates|"
            r"love|live|lives|work|going|moved|born|not|used to|started|studying|planning|"
            r"thinking|saving|allergic|gave up|quit|like|speak)\b"
        ),
        part,
    ):
        subject = "i"
        if part.startswith("allergic"):
            part = f"am {part}"
        if part.startswith(("seeing", "going", "planning", "thinking", "saving", "studying")):
            part = f"am {part}"
        clause = read_clause(f"{subject} {part}", notes.user, notes.person)
        if clause is not None:
            reading = Reading(clause, notes, text, shown)
            next((True for rule in _RULES if rule(reading)), False)
        return
    told = when(part, notes.at)
    clause = Clause(part, "it", part)
    reading = Reading(clause, notes, text, shown)
    rules: tuple[Rule, ...] = (
        en_rules_time.days_are,
        en_rules_life.kept,
        en_rules_health.health,
        en_rules_health.medicine,
        en_rules_age.age,
        en_rules_life.possessions,
        en_rules_life.small_things,
    )
    if told is not None:
        rules = (en_rules_time.appointments, *rules)
    next((True for rule in rules if rule(reading)), False)


def _not_but(clause: Clause, notes: Notes) -> None:
    """ "lives in harrogate, not swansea": what follows "not" ends."""
    last = notes.triples[-1]
    match = _NOT_BUT.search(clause.text)
    if match is None or last.ends or not 0 <= clause.text.find(last.object.casefold()) < match.start():
        return
    old = thing(re.sub(r" (?:any ?more|now)$", "", match["old"]))
    if old and old.casefold() not in last.object.casefold():
        notes.end(last.subject, last.relation, old)
