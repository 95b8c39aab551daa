"""Memory on its way in: a JSON export, every field of it checked before anything is added."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw

from companion.errors import BadInput, FactRefused, MergeRefused, reason_of
from companion.memory.facts import CONCEPT, Entity, Fact, Provenance, Status, Triple
from companion.memory.graph.commit import MOST_FACTS, check, commit
from companion.memory.graph.edit import add_alias, pin
from companion.memory.graph.export import FORMAT, VERSION
from companion.memory.graph.names import find
from companion.memory.graph.rows import stamp
from companion.memory.predicates import LONGEST_RELATION, relation_name
from companion.settings.given_file import read_given

MOST_BYTES = 2 << 30
"""Of a file that is brought in."""


@dataclass(frozen=True, slots=True)
class Brought:
    """What an export holds."""

    entities: tuple[Entity, ...]
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Imported:
    """What was added of an export."""

    facts: int
    known: int
    """That were there already."""
    refused: int
    """That may not be stored: secrets, names that are too long."""


def read_export(file: Path) -> Brought:
    """What a JSON export holds.

    Raises:
        BadInput: it cannot be read, or is none; the message names the field.
    """
    try:
        text = read_given(file, MOST_BYTES).decode("utf-8")
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {reason_of(error)}", mend="Name a file that can be read.") from error
    except UnicodeDecodeError as error:
        raise _none(file, "it is no text") from error
    return parse_export(text, file=file)


def parse_export(text: str, *, file: Path) -> Brought:
    """What the text of an export holds. file: its name, for what is told.

    Raises:
        BadInput: it is none; the message names the field.
    """
    try:
        held = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _none(file, "it is no JSON") from error
    return _Reading(file).read(held)


def bring_in(connection: apsw.Connection, brought: Brought, now: datetime) -> Imported:
    """Add what is not known yet, oldest first, so that the newest holds."""
    added = refused = 0
    for one in sorted(brought.facts, key=lambda one: one.at):
        if _is_known(connection, one):
            continue
        done = commit(connection, [_triple(one)], Provenance(one.said_by, one.at, one.session, one.turn), now)
        refused += len(done.refused)
        added += len(done.facts)
        if one.pinned and done.facts:
            pin(connection, done.facts[0], pinned=True, now=now)
    for entity in brought.entities:
        _complete(connection, entity)
    return Imported(added, len(brought.facts) - added - refused, refused)


def _complete(connection: apsw.Connection, brought: Entity) -> None:
    number = find(connection, brought.name)
    if number is None:
        return
    sql = """
        UPDATE entities SET mention_count = max(mention_count, ?),
            type = CASE WHEN type = 'Concept' THEN ? ELSE type END
        WHERE id = ?
    """
    connection.execute(sql, (brought.mentions, brought.type, number))
    for alias in brought.aliases:
        # A name that is somebody else's here stays theirs.
        with suppress(MergeRefused, FactRefused):
            add_alias(connection, brought.name, alias)


def _is_known(connection: apsw.Connection, one: Fact) -> bool:
    sql = """
        SELECT 1 FROM relations WHERE source_id = ? AND relation_type = ? AND target_id = ? AND session_id = ?
            AND turn_id = ? AND said_at = ? LIMIT 1
    """
    ends = find(connection, one.subject), find(connection, one.object)
    given = (ends[0], one.relation, ends[1], one.session, one.turn, stamp(one.at))
    return None not in ends and connection.execute(sql, given).fetchone() is not None


def _triple(one: Fact) -> Triple:
    until = one.valid_until
    if one.status is Status.SUPERSEDED and until is None:
        until = max(one.at, one.valid_from or one.at)
    return Triple(
        one.subject,
        one.relation,
        one.object,
        confidence=one.confidence,
        valid_from=one.valid_from,
        valid_until=until,
    )


class _Reading:
    """Checks what a file says, field by field."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def read(self, held: object) -> Brought:
        if not isinstance(held, dict) or held.get("format") != FORMAT:
            raise _none(self._file, f'"format" is not "{FORMAT}"')
        if held.get("version") != VERSION:
            raise _none(self._file, f'"version" is not {VERSION}')
        entities = tuple(self._entity(place, one) for place, one in self._list(held, "entities"))
        return Brought(entities, tuple(self._fact(place, one) for place, one in self._list(held, "facts")))

    def _list(self, held: Mapping[str, Any], name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        entries = held.get(name)
        if not isinstance(entries, list) or len(entries) > MOST_FACTS:
            raise _none(self._file, f'"{name}" is no list of at most {MOST_FACTS}')
        for number, entry in enumerate(entries):
            if not isinstance(entry, dict):
                raise _none(self._file, f"{name}[{number}] is no object")
            yield f"{name}[{number}]", entry

    def _entity(self, place: str, entry: Mapping[str, Any]) -> Entity:
        mentions, aliases = entry.get("mentions", 1), entry.get("aliases", [])
        if not isinstance(mentions, int) or not 0 < mentions < 1 << 40:
            raise _none(self._file, f"{place}.mentions is no count")
        if not isinstance(aliases, list) or not all(isinstance(alias, str) for alias in aliases):
            raise _none(self._file, f"{place}.aliases is no list of names")
        name, kind = self._text(place, entry, "name"), self._text(place, entry, "type", CONCEPT)
        return Entity(0, name, kind[:LONGEST_RELATION] or CONCEPT, mentions, tuple(aliases))

    def _fact(self, place: str, entry: Mapping[str, Any]) -> Fact:
        sure, at = entry.get("confidence", 1.0), self._time(place, entry, "at")
        if at is None:
            raise _none(self._file, f"{place}.at is missing")
        if isinstance(sure, bool) or not isinstance(sure, int | float):
            raise _none(self._file, f"{place}.confidence is no number")
        status = entry.get("status", Status.ACTIVE.value)
        if status not in (Status.ACTIVE.value, Status.SUPERSEDED.value):
            raise _none(self._file, f"{place}.status is neither active nor superseded")
        parts = {name: self._text(place, entry, name) for name in ("subject", "relation", "object", "said_by")}
        read = Fact(
            id=0,
            **parts,
            at=at,
            session=self._text(place, entry, "session", ""),
            turn=self._text(place, entry, "turn", ""),
            confidence=float(sure),
            valid_from=self._time(place, entry, "valid_from"),
            valid_until=self._time(place, entry, "valid_until"),
            status=Status(status),
            pinned=entry.get("pinned") is True,
        )
        try:
            check([_triple(read)], Provenance(read.said_by, read.at, read.session, read.turn))
        except FactRefused as error:
            raise _none(self._file, f"{place}: {error}") from error
        return replace(read, relation=relation_name(read.relation))

    def _text(self, place: str, entry: Mapping[str, Any], name: str, default: str | None = None) -> str:
        given = entry.get(name, default)
        if not isinstance(given, str):
            raise _none(self._file, f"{place}.{name} is no text")
        return given

    def _time(self, place: str, entry: Mapping[str, Any], name: str) -> datetime | None:
        given = entry.get(name)
        if given is None:
            return None
        try:
            read = datetime.fromisoformat(given)
            # Every zone must be able to tell it.
            return read.astimezone(UTC) if read.tzinfo and 1 < read.year < 9999 else self._no_time(place, name)
        except (TypeError, ValueError, OverflowError) as error:
            raise _none(self._file, f"{place}.{name} is no time with a zone") from error

    def _no_time(self, place: str, name: str) -> datetime:
        raise _none(self._file, f"{place}.{name} is no time with a zone")


def _none(file: Path, why: str) -> BadInput:
    return BadInput(f"{file} is no export of memory: {why}", mend="Name a file that `companion memory export` wrote.")
