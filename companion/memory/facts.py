"""Facts as they are written down and as they are kept: who is what to whom, who said so, and from when until when.

A fact comes from somebody's words and carries where it is from. A newer one supersedes, it does not erase.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from companion.memory.predicates import Predicate, predicate, relation_name

__all__ = [
    "CONCEPT",
    "LONGEST_NAME",
    "MOST_AT_ONCE",
    "USER",
    "Committed",
    "Criteria",
    "Entity",
    "Fact",
    "Found",
    "Hit",
    "Merged",
    "Overview",
    "Predicate",
    "Provenance",
    "Purged",
    "Refusal",
    "Status",
    "Triple",
    "predicate",
    "relation_name",
]

USER = "user"
"""Who says what is true of the user; nobody else's words end what the user has said."""
LONGEST_NAME = 200
"""Characters of a subject or an object."""
MOST_AT_ONCE = 64
"""Triples in one commit."""
CONCEPT = "Concept"
"""The type of an entity that has no better one."""


@dataclass(frozen=True, slots=True)
class Triple:
    """What a distiller writes: subject, relation, object. Empty parts make it nothing, and it is passed over."""

    subject: str
    relation: str
    object: str
    subject_type: str = CONCEPT
    object_type: str = CONCEPT
    confidence: float = 1.0
    """0 to 1; zero is nobody's doubt and counts as one."""
    valid_from: datetime | None = None
    """With its zone. None: from when it was said."""
    valid_until: datetime | None = None
    """With its zone. None: until something newer is said."""
    ends: bool = False
    """That this no longer holds: ends the fact instead of stating it."""
    replaces: bool = False
    """That it was said to take the place of what held before, in a relation that holds many things."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where facts are from."""

    said_by: str
    at: datetime
    """When it was said, with its zone."""
    session: str = ""
    turn: str = ""
    """Within the session. The same turn adds nothing a second time."""


class Status(StrEnum):
    """Whether a fact counts."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class Entity:
    """Somebody or something facts are about."""

    id: int
    name: str
    type: str = CONCEPT
    mentions: int = 1
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact as it is kept."""

    id: int
    subject: str
    relation: str
    object: str
    said_by: str
    at: datetime
    """When it was said; in UTC, like every time here."""
    session: str = ""
    turn: str = ""
    confidence: float = 1.0
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    status: Status = Status.ACTIVE
    pinned: bool = False

    def holds_at(self, moment: datetime) -> bool:
        """Whether it counts, and counts at ``moment``."""
        return (
            self.status is not Status.DELETED
            and (self.valid_from is None or self.valid_from <= moment)
            and (self.valid_until is None or moment < self.valid_until)
        )

    def is_to_come(self, moment: datetime) -> bool:
        """Whether it says how things will be from later on, and something else is so at ``moment``."""
        return self.valid_from is not None and self.valid_from > moment and predicate(self.relation).is_single


@dataclass(frozen=True, slots=True)
class Refusal:
    """A triple that was not stored, and why. The reason repeats nothing of it."""

    place: int
    """Which one of those given, from zero."""
    reason: str


@dataclass(frozen=True, slots=True)
class Committed:
    """What a commit has done."""

    entities: int = 0
    """Entities made or mentioned again."""
    relations: int = 0
    """Facts that were added."""
    superseded: tuple[Fact, ...] = ()
    """Facts that were ended, as they were before."""
    refused: tuple[Refusal, ...] = ()
    facts: tuple[int, ...] = ()
    """The ids of the added ones."""


@dataclass(frozen=True, slots=True)
class Criteria:
    """Which facts; all that is given must fit. Nothing given is an error, not everything."""

    entity: str = ""
    """At either end; an alias will do."""
    naming: str = ""
    """At either end, alone or within a longer name: notes and appointments that name somebody too."""
    subject: str = ""
    relation: str = ""
    object: str = ""
    session: str = ""
    turn: str = ""
    said_by: str = ""
    since: datetime | None = None
    """Said at or after."""
    before: datetime | None = None
    """Said before."""
    ids: tuple[int, ...] = ()
    spare_pinned: bool = False
    everything: bool = False
    """Every fact there is; must be said."""


@dataclass(frozen=True, slots=True)
class Purged:
    """What a purge has done."""

    facts: int = 0
    entities: int = 0
    """Entities nothing is known of any more; only a hard purge removes them."""


@dataclass(frozen=True, slots=True)
class Merged:
    """What a merge has done."""

    id: int
    """For ``undo``."""
    source: str
    target: str
    redirected: int
    """Facts that named the source and now name the target."""
    collapsed: int
    """Facts that were there twice then."""
    loops: int
    """Facts that only tied the two together, and went."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A fact that was recalled."""

    fact: Fact
    score: float
    """Higher is better; comparable within one recall."""
    reason: str
    """Why it was chosen, for a person: "about Emma", "asked for where Emma lives"."""
    distance: int = 0
    """Facts in between it and what was asked about."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a recall has found."""

    entities: tuple[Entity, ...] = ()
    """Whom or what it was about, best first."""
    facts: tuple[Hit, ...] = ()
    """Best first."""


@dataclass(frozen=True, slots=True)
class Overview:
    """The graph in numbers."""

    entities: int
    facts: int
    """That count."""
    superseded: int
    deleted: int
    most_mentioned: tuple[Entity, ...]
    newest: tuple[Fact, ...]
    waiting: int = 0
    """Commits that could not be stored yet."""
    problems: tuple[str, ...] = ()
