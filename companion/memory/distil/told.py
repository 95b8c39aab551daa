"""What was found in one utterance: facts, and what to forget."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime

from companion.memory.facts import CONCEPT, Triple
from companion.memory.secrecy import why_secret

PERSON, PLACE, THING, ANIMAL = "Person", "Place", "Thing", "Animal"
REPLACED = frozenset({"takes_medicine", "eats", "plans", "owns", "studies", "is_called"})
"""Relations of many things, of which one takes another's place where it is said so."""
MOST_TOLD = 16
"""Triples of one utterance. More is a list that was read out, not a conversation."""


@dataclass(frozen=True, slots=True)
class Forget:
    """What the user wants forgotten; nothing given is what was said last."""

    subject: str = ""
    """A person or thing, or whoever speaks."""
    relation: str = ""
    object: str = ""

    @property
    def is_last(self) -> bool:
        return not (self.subject or self.relation or self.object)


@dataclass(frozen=True, slots=True)
class Distilled:
    """What an utterance tells. Nothing of it is stored yet."""

    triples: tuple[Triple, ...] = ()
    forget: tuple[Forget, ...] = ()


@dataclass(slots=True)
class Notes:
    """Facts while an utterance is read from its beginning to its end.

    user: the subject that stands for whoever speaks. at: when it was said.
    """

    user: str
    at: datetime
    triples: list[Triple] = field(default_factory=list)
    person: str = ""
    """Whom "he" and "she" mean."""
    topic: str = ""
    """Who was named first, whom a clause without a subject means."""
    about: tuple[str, str] = ("", "")
    """Subject and relation that "it" means."""

    def add(
        self,
        subject: str,
        relation: str,
        thing: str,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        sure: float = 1.0,
        kind: str = CONCEPT,
    ) -> bool:
        """Note a fact, and say whether it is one. What ends before it begins is taken as not dated."""
        if since and until and until < since:
            since = until = None
        return self._take(Triple(subject, relation, thing, self._kind_of(subject), kind, sure, since, until))

    def end(self, subject: str, relation: str, thing: str, *, at: datetime | None = None) -> bool:
        """Note that a fact holds no more."""
        return self._take(Triple(subject, relation, thing, self._kind_of(subject), valid_until=at, ends=True))

    def _take(self, triple: Triple) -> bool:
        is_whole = triple.subject and triple.object and triple.subject.casefold() != triple.object.casefold()
        if not is_whole or why_secret(triple.subject, triple.relation, triple.object):
            return False
        self.about = (triple.subject, triple.relation)
        known = {(one.subject.casefold(), one.relation, one.object.casefold(), one.ends) for one in self.triples}
        key = (triple.subject.casefold(), triple.relation, triple.object.casefold(), triple.ends)
        if key not in known and len(self.triples) < MOST_TOLD:
            self.triples.append(triple)
        return True

    def replaced(self) -> tuple[Triple, ...]:
        """The facts of an utterance that says that something has changed."""
        counted = Counter((one.subject, one.relation) for one in self.triples if not one.ends)
        return tuple(
            replace(one, replaces=True)
            if one.relation in REPLACED and not one.ends and counted[one.subject, one.relation] == 1
            else one
            for one in self.triples
        )

    def _kind_of(self, subject: str) -> str:
        return PERSON if subject == self.user else CONCEPT
