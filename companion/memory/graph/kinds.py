"""What somebody or something is for the eye: a person, a place, a date or a thing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

from companion.memory.facts import USER


class Kind(StrEnum):
    """How it is drawn."""

    PERSON = "person"
    PLACE = "place"
    DATE = "date"
    THING = "thing"


_BY_TYPE = {
    "person": Kind.PERSON,
    "animal": Kind.PERSON,
    "place": Kind.PLACE,
    "city": Kind.PLACE,
    "country": Kind.PLACE,
    "location": Kind.PLACE,
    "date": Kind.DATE,
    "time": Kind.DATE,
    "event": Kind.DATE,
}
_PERSON = re.compile(r"is_(?:parent|sibling|partner|grandparent|relative|friend|neighbour|colleague)_of|lives_with")
_BY_RELATION = {
    "lives_in": Kind.PLACE,
    "comes_from": Kind.PLACE,
    "works_at": Kind.PLACE,
    "studies_at": Kind.PLACE,
    "is_kept_in": Kind.PLACE,
    "visited": Kind.PLACE,
    "address": Kind.PLACE,
    "is_at": Kind.PLACE,
    "born_on": Kind.DATE,
    "married_on": Kind.DATE,
    "died_on": Kind.DATE,
    "has_appointment": Kind.DATE,
    "wakes_at": Kind.DATE,
    "sleeps_at": Kind.DATE,
    "is_called": Kind.PERSON,
    "has_pet": Kind.PERSON,
}
_OF_PERSONS = frozenset(
    "is_called lives_in comes_from works_at works_as studies studies_at is_aged born_on married_on likes dislikes "
    "is_allergic_to speaks plays takes_medicine has_appointment".split()
)


def kind_of(entity_type: str, relations_to: Iterable[str], relations_of: Iterable[str] = (), *, name: str = "") -> Kind:
    """By its type, else by what is said; relations_to, relations_of: those it is the object and the subject of."""
    known = _BY_TYPE.get(entity_type.casefold())
    if known is not None:
        return known
    if name == USER:
        return Kind.PERSON
    for relation in sorted(relations_to):
        if _PERSON.fullmatch(relation):
            return Kind.PERSON
        if relation in _BY_RELATION:
            return _BY_RELATION[relation]
    if any(relation in _OF_PERSONS or _PERSON.fullmatch(relation) for relation in relations_of):
        return Kind.PERSON
    return Kind.THING
