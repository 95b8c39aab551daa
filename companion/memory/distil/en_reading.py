"""What English rules are given: a clause, and where to note what it tells."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from companion.memory.distil.en_clauses import Clause
from companion.memory.distil.en_words import ADJECTIVE, NOBODY, PET_ROLES, ROLE_RELATIONS, TRADES
from companion.memory.distil.told import ANIMAL, PERSON, Notes
from companion.memory.times.when import When
from companion.memory.times.when_en import when

BE = r"(?:am|is|are|'s|was|were|be|being)"
HAVE = r"(?:have got|has got|'s got|have|has|had|got|'ve got)"
_ADJECTIVES = re.compile(rf"(?:{ADJECTIVE}) ")
_NO_NAME = re.compile(r"\w+(?:ed|ing|ful|ous|ish|able|ible|less|ive|est|ly|ic|al|ent|ant)$|.{0,2}$|\w+ty$")
_NO_NAMES = (
    NOBODY
    | frozenset(
        """
        tall short old young big small thin fat happy sad cross angry mad ill sick well dead alive away out
        home late early
        ready busy free asleep awake cold hot warm hungry thirsty full deaf blind poor rich smart clever funny
        lovely kind
        strict quiet loud shy brave single divorced separated widowed gay straight left right wrong sure afraid scared
        clumsy lazy crazy tidy messy fussy picky allergic vegan vegetarian pregnant retired unemployed
        vegetarian british
        irish english scottish welsh french german spanish polish dutch italian american canadian catholic
        muslim hindu
        jewish buddhist christian atheist left-handed fine okay alone together different special amazing
        awesome perfect
        visiting coming going staying living working upset worried nervous jealous proud famous private local foreign
        nearly almost down up here over off back bad better worse strong weak family first second third last next nice
        seventeen eighteen blonde bald ginger tired bored broke done gone lost stuck welcome serious human sober drunk
        """.split()
    )
    | frozenset(re.sub(r"\\(.)", r"\1", TRADES).split("|"))
)


@dataclass(slots=True)
class Reading:
    """One clause. text: all of the utterance, contractions undone. shown: as it was said, with its capitals."""

    clause: Clause
    notes: Notes
    text: str
    shown: str

    @property
    def subject(self) -> str:
        return self.clause.subject

    @property
    def is_user(self) -> bool:
        return self.clause.subject == self.notes.user

    def when(self, *, past: bool = False) -> When | None:
        return when(self.clause.text, self.notes.at, past=past)


Rule = Callable[[Reading], bool]
"""Notes what a clause tells, and says whether it was for this rule."""


def looks_like_a_name(word: str, shown: str = "") -> bool:
    """A single word that can be a name: one with a capital within the utterance, or none that describes."""
    word = word.casefold()
    if word in _NO_NAMES or not word.isalpha():
        return False
    if shown and re.search(rf"[a-z,'] {re.escape(word.capitalize())}\b", shown):
        return True
    return _NO_NAME.match(word) is None


def plain_role(role: str) -> str:
    """ "my late wife": "wife"."""
    bare = role.removeprefix("my ").removeprefix("our ")
    return bare if bare in ROLE_RELATIONS else _ADJECTIVES.sub("", bare)


def note_kin(notes: Notes, owner: str, role: str, name: str) -> bool:
    """Note that ``name`` is a ``role`` of ``owner``."""
    word = plain_role(role)
    relation, is_left = ROLE_RELATIONS.get(word, ROLE_RELATIONS.get(word.removesuffix("s"), ("", False)))
    if not relation:
        return False
    kind = ANIMAL if word in PET_ROLES else PERSON
    if is_left:
        notes.add(name, relation, owner, kind=kind)
    else:
        notes.add(owner, relation, name, kind=kind)
    notes.person = name
    return True


def as_day(start: datetime, end: datetime) -> str:
    """A stretch as a date: a year, a month or a day."""
    if end - start > timedelta(days=200):
        return f"{start:%Y}"
    return f"{start:%Y-%m}" if end - start > timedelta(days=8) else f"{start:%Y-%m-%d}"
