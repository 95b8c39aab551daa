"""Changes by the user's own hand: pinning and correcting facts, renaming entities, giving them other names."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

import apsw

from companion.errors import FactRefused, MergeRefused, UnknownEntity
from companion.memory.facts import LONGEST_NAME, Criteria, Fact, Provenance, Status, Triple
from companion.memory.graph.commit import cleaned, commit, why_refused
from companion.memory.graph.merge import MOST_ALIASES
from companion.memory.graph.names import clean, find, index_name, key_of, keys_of, number_of, unindex
from companion.memory.graph.purge import remove
from companion.memory.graph.rows import facts_by_id, maybe_stamp, stamp
from companion.memory.secrecy import why_secret_text


def pin(connection: apsw.Connection, number: int, *, pinned: bool, now: datetime) -> Fact:
    """Have a fact stay within reach, or no more.

    Raises:
        FactRefused: there is no such fact.
    """
    _fact(connection, number)
    sql = "UPDATE relations SET pinned = ?, updated_at = ? WHERE id = ?"
    connection.execute(sql, (int(pinned), stamp(now), number))
    return _fact(connection, number)


class Correction(NamedTuple):
    """A fact that was corrected by hand, with what is needed to take that back."""

    fact: Fact
    """What counts now."""
    was: Fact
    ended: tuple[Fact, ...]
    """What it ended besides, as that was."""
    added: bool
    """Whether it was not known before."""


def correct(connection: apsw.Connection, number: int, shall: Triple, source: Provenance) -> Correction:
    """Put another fact in the place of one that was wrong; that one counts no more.

    Raises:
        FactRefused: there is no such fact, or the other may not be stored.
    """
    wrong = _fact(connection, number)
    fresh = cleaned(shall)
    if why := "a part of it is empty" if fresh is None else why_refused(fresh):
        raise FactRefused(f"this is not stored: {why}", mend="Say it in other words.")
    at = stamp(source.at)
    connection.execute("UPDATE relations SET status = 'deleted', updated_at = ? WHERE id = ?", (at, number))
    done = commit(connection, [_of_its_time(shall, wrong, source.at)], source, source.at)
    right = done.facts[0] if done.facts else _same(connection, shall)
    if wrong.pinned:
        pin(connection, right, pinned=True, now=source.at)
    return Correction(_fact(connection, right), wrong, done.superseded, bool(done.facts))


def take_back(connection: apsw.Connection, correction: Correction, now: datetime) -> Fact:
    """Have what was corrected count as it did before.

    Raises:
        FactRefused: it was forgotten or changed since, and stays so.
    """
    if _fact(connection, correction.fact.id).status is not correction.fact.status:
        raise FactRefused("it was changed meanwhile, so it stays as it is", mend="Correct it by hand.")
    if correction.added:
        remove(connection, Criteria(ids=(correction.fact.id,)))
    sql = "UPDATE relations SET status = ?, valid_until = ?, superseded_by = NULL, updated_at = ? WHERE id = ?"
    for one in (correction.was, *correction.ended):
        given = (one.status.value, maybe_stamp(one.valid_until), stamp(now), one.id)
        connection.execute(sql, given)
    return _fact(connection, correction.was.id)


def rename(connection: apsw.Connection, name: str, fresh: str, now: datetime) -> int:
    """Give an entity another name; the old one stays as an alias.

    Raises:
        UnknownEntity: it is not known.
        MergeRefused: the other name is somebody else's.
        FactRefused: the other name cannot be stored.
    """
    number = number_of(connection, name)
    shown, key = _checked(connection, fresh, number)
    old = connection.execute("SELECT name, key FROM entities WHERE id = ?", (number,)).get
    if old[1] != key:
        connection.execute("DELETE FROM aliases WHERE key = ?", (key,))
    sql = "UPDATE entities SET name = ?, key = ?, updated_at = ? WHERE id = ?"
    connection.execute(sql, (shown, key, stamp(now), number))
    if old[1] != key:
        connection.execute("INSERT INTO aliases VALUES(?, ?, ?)", (old[1], old[0], number))
        index_name(connection, key, number)
    return number


def add_alias(connection: apsw.Connection, name: str, alias: str) -> int:
    """Know an entity by one name more.

    Raises:
        UnknownEntity: it is not known.
        MergeRefused: that name is somebody else's, or it has too many.
        FactRefused: the name cannot be stored.
    """
    number = number_of(connection, name)
    shown, key = _checked(connection, alias, number)
    if key not in keys_of(connection, number):
        connection.execute("INSERT INTO aliases VALUES(?, ?, ?)", (key, shown, number))
        index_name(connection, key, number)
    return number


def drop_alias(connection: apsw.Connection, alias: str) -> int:
    """Know an entity by one name less; its own name stays.

    Raises:
        UnknownEntity: nobody has that alias.
    """
    key = key_of(alias)
    number = connection.execute("SELECT entity_id FROM aliases WHERE key = ?", (key,)).get
    if number is None:
        raise UnknownEntity("nobody has that alias", name=alias)
    connection.execute("DELETE FROM aliases WHERE key = ?", (key,))
    unindex(connection, [key], int(number), kept=keys_of(connection, int(number)))
    return int(number)


def _of_its_time(shall: Triple, wrong: Fact, now: datetime) -> Triple:
    """What stands in the place of something that holds no more holds no more either, where nothing else is told."""
    if wrong.status is not Status.SUPERSEDED or shall.valid_from or shall.valid_until:
        return replace(shall, ends=False)
    start = wrong.valid_from or wrong.at
    return replace(shall, ends=False, valid_from=start, valid_until=max(start, wrong.valid_until or now))


def _fact(connection: apsw.Connection, number: int) -> Fact:
    for found in facts_by_id(connection, [number]):
        return found
    raise FactRefused("there is no such fact", mend="Look at what is known first.")


def _same(connection: apsw.Connection, shall: Triple) -> int:
    """The fact that says the same already."""
    fresh = cleaned(shall)
    assert fresh is not None
    sql = """
        SELECT id FROM relations WHERE source_id = ? AND relation_type = ? AND target_id = ?
        ORDER BY status = 'active' DESC, id DESC LIMIT 1
    """
    given = (find(connection, fresh.subject), fresh.relation, find(connection, fresh.object))
    number = connection.execute(sql, given).get
    if number is None:
        raise FactRefused("this is not stored: it ties something to itself", mend="Say it in other words.")
    return int(number)


def _checked(connection: apsw.Connection, name: str, number: int) -> tuple[str, str]:
    """A name that an entity may have, as it is shown and compared."""
    shown, key = clean(name), key_of(clean(name))
    if not key or len(shown) > LONGEST_NAME:
        raise FactRefused(f"a name has 1 to {LONGEST_NAME} characters", mend="Take another name.")
    if why := why_secret_text(shown):
        raise FactRefused(f"this name is not stored: {why}", mend="Take another name.")
    if find(connection, key) not in (None, number):
        raise MergeRefused("that name is somebody else's", mend="Merge the two, or take another name.")
    if len(keys_of(connection, number)) > MOST_ALIASES:
        raise MergeRefused(f"it has {MOST_ALIASES} names already", mend="Take an alias away first.")
    return shown, key
