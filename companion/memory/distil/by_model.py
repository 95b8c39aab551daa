"""What the user's own words tell, as a model reads them: slowly, off the hot path, into the same triples.

Nothing that a model writes is taken on trust:

1. It is given the user's words alone, and of these none that hold a secret or nothing worth keeping.
2. A relation has to be one of the table; names and values have to stand in one and the same utterance.
3. What it found there is less sure than what a pattern found, and ends no surer fact by itself.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from companion.insight.entity import Attribute, EntityType, Relation, Schema
from companion.insight.profiler import ProfileInput, ProfileResult
from companion.insight.segmentor import SegmentInput, SegmentResult
from companion.memory.distil.distil import is_telling
from companion.memory.facts import LONGEST_NAME, Triple, relation_name
from companion.memory.naming import naming
from companion.memory.predicates import PREDICATES
from companion.memory.secrecy import why_secret

SURE = 0.6
MOST_AT_ONCE = 8
"""Utterances a model reads together."""
MOST_WAITING = 200
"""Utterances that wait to be read; the oldest are given up, for they stand in the turns on disk anyway."""
_SELF = frozenset("i me user speaker myself we us my the_user 我 我们 用户 说话人 自己".split())
_WORDS = re.compile(r"[^\W_\u4e00-\u9fff]+|[\u4e00-\u9fff]")
_SMALL = frozenset("a an the my our his her their of in at on to and s".split())


@dataclass(frozen=True, slots=True)
class Told:
    """Something the user said, and where."""

    text: str
    at: datetime
    language: str
    said_by: str
    """The subject that stands for whoever speaks."""
    session: str = ""
    turn: str = ""


class Segments(Protocol):
    """Whoever finds people and things; ``companion.insight.segmentor.Segmentor`` does."""

    async def process(self, given: SegmentInput) -> SegmentResult:
        """Raises ModelError, StreamError, TimeoutError."""


class Profiles(Protocol):
    """Whoever finds what is said of them; ``companion.insight.profiler.Profiler`` does."""

    async def process(self, given: ProfileInput) -> ProfileResult:
        """Raises ModelError, StreamError, TimeoutError."""


class ModelDistiller:
    """Reads by a segmentor and a profiler. Serves concurrent calls."""

    def __init__(self, segmentor: Segments, profiler: Profiles) -> None:
        self._segmentor = segmentor
        self._profiler = profiler

    async def distil(self, told: Sequence[Told]) -> list[tuple[Told, Triple]]:
        """The facts in what was told, each with the utterance it stands in.

        Raises:
            ModelError, StreamError, TimeoutError: no model has answered; nothing is lost, ask again.
        """
        worth = [one for one in told if is_telling(one.text, one.language)][:MOST_AT_ONCE]
        if not worth:
            return []
        messages = tuple(one.text for one in worth)
        found = await self._segmentor.process(SegmentInput(messages, SCHEMA))
        known = await self._profiler.process(ProfileInput(messages, found, SCHEMA))
        written = [*_of_relations([*found.relations, *known.relations]), *_of_profiles(found, known)]
        checked = (_checked(*one, worth) for one in dict.fromkeys(written))
        return [one for one in checked if one is not None]


class Backlog:
    """What was said and has not been read by a model yet."""

    def __init__(self, distiller: ModelDistiller) -> None:
        self._distiller = distiller
        self._waiting: deque[Told] = deque(maxlen=MOST_WAITING)

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, told: Told) -> None:
        """Have something read when there is time. What is not worth it is not kept."""
        if is_telling(told.text, told.language):
            self._waiting.append(told)

    async def read_some(self) -> list[tuple[Told, Triple]]:
        """Have the oldest ones read; where no model answers, or the reading is cut short, they wait on.

        Raises:
            ModelError, StreamError, TimeoutError: no model has answered.
        """
        batch = [self._waiting[place] for place in range(min(MOST_AT_ONCE, len(self._waiting)))]
        found = await self._distiller.distil(batch)
        # What was forgotten while it was read is not told.
        still = {id(one) for one in self._waiting}
        for one in batch:
            if self._waiting and self._waiting[0] is one:
                self._waiting.popleft()
        return [(told, triple) for told, triple in found if id(told) in still]

    def forget(self, name: str) -> int:
        """Give up whatever names somebody, all there is for an empty name; how many it were."""
        names = naming(name)
        return self._give_up(lambda one: names(one.text))

    def forget_turns(self, turns: Collection[tuple[str, str]]) -> int:
        """Give up what was said in these turns, each a session and a name; how many it were."""
        return self._give_up(lambda one: (one.session, one.turn) in turns)

    def _give_up(self, is_meant: Callable[[Told], bool]) -> int:
        kept = [one for one in self._waiting if not is_meant(one)]
        gone = len(self._waiting) - len(kept)
        self._waiting = deque(kept, maxlen=MOST_WAITING)
        return gone


def _field(meaning: str) -> Attribute:
    return Attribute("string", meaning)


SCHEMA = Schema(
    {
        "person": EntityType(
            "somebody; the speaker is person:user",
            {
                "lives_in": _field("where the home is"),
                "comes_from": _field("where somebody grew up"),
                "works_at": _field("employer"),
                "works_as": _field("trade"),
                "studies": _field("subject"),
                "likes": _field("lasting liking"),
                "dislikes": _field("lasting dislike"),
                "is_allergic_to": _field("allergy"),
                "has_condition": _field("illness"),
                "takes_medicine": _field("medicine that is taken regularly"),
                "does_regularly": _field("habit, with its day or hour"),
            },
        ),
        "animal": EntityType("an animal at home", {"is_a": _field("its kind"), "eats": _field("what it is fed")}),
        "place": EntityType("a town, a house, an employer, a school"),
        "thing": EntityType("something owned or kept", {"is_kept_in": _field("where it is kept")}),
    }
)
"""What is looked for; the fields are relations of the table."""

_Written = tuple[str, str, str, str, str]
"""Subject, its type, relation, object, its type."""


def _of_relations(relations: Sequence[Relation]) -> Iterator[_Written]:
    for relation in relations:
        kind, _, source = relation.source.partition(":")
        other, _, target = relation.target.partition(":")
        yield source.strip(), kind.capitalize(), relation.rel_type, target.strip(), other.capitalize()


def _of_profiles(found: SegmentResult, known: ProfileResult) -> Iterator[_Written]:
    told = {entity.label: dict(entity.attrs) for entity in found.entities}
    for label, fields in known.profile_updates.items():
        told.setdefault(label, {}).update(fields)
    for label, values in told.items():
        kind, _, source = label.partition(":")
        for name, value in values.items():
            yield source.strip(), kind.capitalize(), name, value.strip(), "Concept"


def _checked(
    subject: str, kind: str, said: str, value: str, other: str, told: Sequence[Told]
) -> tuple[Told, Triple] | None:
    relation = relation_name(said)
    if relation not in PREDICATES and not relation.startswith("favourite_"):
        return None
    for one in told:
        source, target = _named(subject, one), _named(value, one)
        if source and target and source != target and not why_secret(source, relation, target):
            return one, Triple(source, relation, target, kind or "Concept", other or "Concept", SURE)
    return None


def _named(name: str, told: Told) -> str:
    """The name as it is stored; empty where it does not stand in what was said."""
    if name.casefold().replace(" ", "_") in _SELF:
        return told.said_by
    words = [word for word in _WORDS.findall(name.casefold()) if word not in _SMALL]
    heard = set(_WORDS.findall(told.text.casefold()))
    is_there = bool(words) and len(name) <= LONGEST_NAME and all(word in heard for word in words)
    return name if is_there else ""
