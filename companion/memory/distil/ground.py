"""Facts on their way into the graph: "my sister" and Emma are one person there, whichever name was said.

A role that has a name by now gives way to the name. When a role gets its name, what was known under the role is known
under the name from then on. Who is called otherwise is the same person under another name; but a boss or a
neighbour of whom it is said that there is a new one is somebody else.

An appointment that is told again for another day was moved. What is said to take the place of something else ends it,
where there is but one thing it can have taken the place of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from companion.errors import MemoryFault, StorageError
from companion.memory.distil import en_words, zh_words
from companion.memory.facts import Committed, Criteria, Fact, Provenance, Status, Triple
from companion.memory.graph import Graph

NAMED = "is_called"
ALSO = "also_called"
APPOINTMENT = "has_appointment"
_ROLE = re.compile(r"^(?:my |our |我)(?P<rest>.+)$")
_STAYS = frozenset({"is_parent_of", "is_sibling_of", "is_grandparent_of", "is_relative_of", "has_pet"})
"""Relations to somebody who stays the same, whatever the name."""


async def commit(graph: Graph, triples: Sequence[Triple], source: Provenance) -> Committed:
    """Store facts as ``Graph.commit`` does, under the names their subjects have by now.

    What whoever speaks wants to be called is their name, as long as no other is known.

    Raises:
        FactRefused, KeptForLater, StorageError, MemoryBusy: see ``Graph.commit``.
    """
    triples = [await _as_name(graph, one, triples, source) for one in triples]
    told = {
        one.subject: one.object
        for one in triples
        if one.relation == NAMED and not one.ends and _ROLE.match(one.subject) is not None
    }
    others = {one.subject for one in triples if one.relation == NAMED and one.replaces}
    same = {role: name for role, name in told.items() if role not in others or _stays(role)}
    renamed = {role for role, name in same.items() if await _renamed(graph, role, name)}
    roles = {one.subject for one in triples if _ROLE.match(one.subject)}
    names = {role: told.get(role) or await _name_of(graph, role) for role in roles}
    # The old name of somebody who was renamed is the new one's alias by now: ending it would end the new one.
    kept = [one for one in triples if not (one.ends and one.relation == NAMED and one.subject in renamed)]
    written = [_under_its_name(one, names) for one in kept]
    done = await graph.commit([*await _gone(graph, written), *written], source)
    for role, name in names.items():
        # Also what a full disk kept from being moved before.
        if name:
            await _moved(graph, role, name)
    return done


async def _as_name(graph: Graph, triple: Triple, triples: Sequence[Triple], source: Provenance) -> Triple:
    is_short = triple.relation == ALSO and triple.subject == source.said_by and not triple.ends
    if not is_short or any(one.relation == NAMED and one.subject == triple.subject for one in triples):
        return triple
    return triple if await _name_of(graph, triple.subject) else replace(triple, relation=NAMED)


def _under_its_name(triple: Triple, names: dict[str, str]) -> Triple:
    name = names.get(triple.subject, "")
    return replace(triple, subject=name) if name and triple.relation != NAMED else triple


async def _gone(graph: Graph, triples: Iterable[Triple]) -> list[Triple]:
    """What ends by what is told."""
    found = []
    for one in triples:
        if (
            one.ends
            or one.relation == NAMED
            or not (one.replaces or (one.relation == APPOINTMENT and one.valid_from is not None))
        ):
            continue
        held = [fact for fact in await graph.about(one.subject, limit=500) if _is_of(fact, one)]
        if one.relation == APPOINTMENT:
            held = [fact for fact in held if fact.object.casefold() == one.object.casefold()]
            held = [fact for fact in held if fact.valid_from != one.valid_from]
        else:
            others = {fact.object.casefold() for fact in held} - {one.object.casefold()}
            held = [fact for fact in held if others == {fact.object.casefold()}]
        found += [Triple(fact.subject, fact.relation, fact.object, ends=True) for fact in held]
    return list(dict.fromkeys(found))


def _is_of(fact: Fact, triple: Triple) -> bool:
    is_same = fact.subject.casefold() == triple.subject.casefold() and fact.relation == triple.relation
    return is_same and fact.status is Status.ACTIVE


async def _name_of(graph: Graph, role: str) -> str:
    for fact in await graph.about(role):
        if fact.relation == NAMED and fact.subject.casefold() == role.casefold():
            return fact.object
    return ""


async def _renamed(graph: Graph, role: str, name: str) -> bool:
    """Whether somebody was given another name, and is known by it now."""
    before = await _name_of(graph, role)
    if not before or before.casefold() == name.casefold():
        return False
    if await graph.entity(before) is None or await graph.entity(name) is not None:
        return False
    try:
        await graph.rename(before, name)
    except (MemoryFault, StorageError):
        return False  # Somebody else has that name, or the disk is full: then they stay two.
    return True


def _stays(role: str) -> bool:
    rest = role.removeprefix("my ").removeprefix("our ").removeprefix("我")
    last = rest.split()[-1]
    relation, _ = en_words.ROLE_RELATIONS.get(rest, en_words.ROLE_RELATIONS.get(last, ("", False)))
    chinese, _ = zh_words.ROLE_RELATIONS.get(zh_words.simple(rest), ("", False))
    return (relation or chinese) in _STAYS


async def _moved(graph: Graph, role: str, name: str) -> None:
    """What was known of a role before it had a name is known of the name."""
    facts = [fact for fact in await graph.about(role, limit=500) if fact.subject.casefold() == role.casefold()]
    facts = [fact for fact in facts if fact.relation != NAMED]
    for fact in facts:
        source = Provenance(fact.said_by, fact.at, fact.session, fact.turn)
        copy = Triple(
            name,
            fact.relation,
            fact.object,
            confidence=fact.confidence,
            valid_from=fact.valid_from,
            valid_until=fact.valid_until,
        )
        await graph.commit([copy], source)
    if facts:
        await graph.purge(Criteria(ids=tuple(fact.id for fact in facts)))
