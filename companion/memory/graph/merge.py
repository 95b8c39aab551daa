"""Two entities become one, and can be parted again exactly.

A merge is planned first: every row it touches, as it was and as it shall be. That plan is applied and kept. Undoing
puts back each column that is still as the merge left it; what was said or forgotten since stays so.
"""

from __future__ import annotations

import json
from typing import Any

import apsw

from companion.errors import MergeRefused
from companion.memory.facts import CONCEPT, Merged
from companion.memory.graph.names import find, index_name, keys_of, number_of, unindex
from companion.memory.predicates import predicate

MOST_ALIASES = 64
"""Of one entity."""
MOST_MOVED = 20_000
"""Facts that one merge redirects."""
Row = dict[str, Any]
"""A row by its columns, as JSON has it."""


def merge(connection: apsw.Connection, source: str, target: str, now: int) -> Merged:
    """Let ``source`` go up in ``target``: its facts, mentions and names are the target's from then on.

    Raises:
        UnknownEntity: one of them is not known.
        MergeRefused: they are the same, or it would be more than can be undone.
    """
    going, staying = number_of(connection, source), number_of(connection, target)
    if going == staying:
        raise MergeRefused("these two are the same already", mend="Name two different ones.")
    plan = _Plan(connection, going, staying, now)
    undoing = plan.apply()
    was = undoing["source"]["name"]
    sql = "INSERT INTO merges(at, source, target_id, undoing) VALUES(?, ?, ?, ?)"
    connection.execute(sql, (now, was, staying, json.dumps(undoing, ensure_ascii=False)))
    kept = _entity(connection, staying)["name"]
    return Merged(connection.last_insert_rowid(), was, kept, plan.redirected, plan.collapsed, plan.loops)


class _Plan:
    """Every row of ``relations`` that a merge touches: as it was, and as it shall be or None where it goes."""

    def __init__(self, connection: apsw.Connection, going: int, staying: int, now: int) -> None:
        self._connection = connection
        self._going = going
        self._staying = staying
        self._now = now
        self.before: dict[int, Row] = {}
        self.after: dict[int, Row | None] = {}
        self.twins: dict[int, int] = {}
        """What stays of a fact that was there twice, by the id of the one that goes."""
        self.redirected = self.collapsed = self.loops = 0
        self._redirect()
        self._collapse()
        self._settle()

    def apply(self) -> dict[str, Any]:
        """Write it; what is needed to undo it."""
        connection, going, staying = self._connection, self._going, self._staying
        source, target = _entity(connection, going), _entity(connection, staying)
        for number, row in self.after.items():
            if row is None:
                connection.execute("DELETE FROM relations WHERE id = ?", (number,))
            else:
                _update(connection, "relations", row)
        aliases = self._move_names(source)
        merged = target | {
            "mention_count": target["mention_count"] + source["mention_count"],
            "type": source["type"] if target["type"] == CONCEPT else target["type"],
            "updated_at": self._now,
        }
        _update(connection, "entities", merged)
        verdicts = _rows(connection, "SELECT * FROM verdicts WHERE ?1 IN (low, high)", going)
        connection.execute("DELETE FROM verdicts WHERE ?1 IN (low, high)", (going,))
        return {
            "source": source,
            "target": target,
            "merged": merged,
            "aliases": aliases,
            "verdicts": verdicts,
            "facts": [[self.before[number], row, self.twins.get(number)] for number, row in self.after.items()],
        }

    def _move_names(self, source: Row) -> list[str]:
        """Give the target every name of the source; the keys of its aliases."""
        connection, going, staying = self._connection, self._going, self._staying
        keys = keys_of(connection, going)
        if len(keys) + len(keys_of(connection, staying)) - 1 > MOST_ALIASES:
            raise MergeRefused(f"it would have more than {MOST_ALIASES} names", mend="Take some aliases away first.")
        connection.execute("UPDATE aliases SET entity_id = ? WHERE entity_id = ?", (staying, going))
        unindex(connection, keys, going)
        connection.execute("DELETE FROM entities WHERE id = ?", (going,))
        connection.execute("INSERT INTO aliases VALUES(?, ?, ?)", (source["key"], source["name"], staying))
        for key in keys:
            index_name(connection, key, staying)
        return keys[1:]

    def _redirect(self) -> None:
        sql = "SELECT * FROM relations WHERE source_id = ?1 OR target_id = ?1 ORDER BY id LIMIT ?2"
        rows = _rows(self._connection, sql, self._going, MOST_MOVED + 1)
        if len(rows) > MOST_MOVED:
            raise MergeRefused("too much is known of it to be moved", mend="Merge them the other way round.")
        for row in rows:
            moved = row | {end: self._staying for end in ("source_id", "target_id") if row[end] == self._going}
            is_loop = moved["source_id"] == moved["target_id"]
            self._change(row, None if is_loop else moved)
            self.loops += is_loop
            self.redirected += not is_loop

    def _collapse(self) -> None:
        """Of two facts that one session said, and that are the same now, let one stay."""
        sql = """
            SELECT * FROM relations WHERE source_id = ? AND relation_type = ? AND target_id = ? AND session_id = ?
                AND status = 'active' ORDER BY id LIMIT 1
        """
        for number, row in list(self.after.items()):
            if row is None or row["status"] != "active":
                continue
            same = (row["source_id"], row["relation_type"], row["target_id"], row["session_id"])
            twin = self._planned_twin(number, same) or next(iter(_rows(self._connection, sql, *same)), None)
            if twin is not None:
                sure = {side: max(twin[side], row[side]) for side in ("pinned", "confidence")}
                self._change(twin, twin | sure)
                self._change(row, None)
                self.twins[number] = twin["id"]
                self.collapsed += 1

    def _planned_twin(self, number: int, same: tuple[Any, ...]) -> Row | None:
        ends = ("source_id", "relation_type", "target_id", "session_id")
        for other, row in self.after.items():
            if other >= number:
                return None
            if row is not None and row["status"] == "active" and tuple(row[end] for end in ends) == same:
                return row
        return None

    def _settle(self) -> None:
        """Have one thing hold at a time, by when each began, as if one had been told of both."""
        planned = [row for row in self.after.values() if row is not None and row["source_id"] == self._staying]
        relations = {row["relation_type"] for row in planned if row["status"] == "active"}
        for relation in sorted(relations):
            if predicate(relation).is_single:
                self._settle_one(relation)

    def _settle_one(self, relation: str) -> None:
        sql = "SELECT * FROM relations WHERE source_id = ? AND relation_type = ? AND status = 'active'"
        rows = {row["id"]: row for row in _rows(self._connection, sql, self._staying, relation)}
        rows |= {
            number: row
            for number, row in self.after.items()
            if row is not None and (row["source_id"], row["relation_type"]) == (self._staying, relation)
        }
        counting = [row for row in rows.values() if row["status"] == "active" and self.after.get(row["id"], row)]
        counting.sort(key=lambda row: (_start(row), row["id"]))
        for place, row in enumerate(counting):
            later = (other for other in counting[place + 1 :] if other["target_id"] != row["target_id"])
            newer = next(later, None)
            if newer is not None and (row["valid_until"] is None or _start(newer) < row["valid_until"]):
                self._end(row, newer)

    def _end(self, row: Row, newer: Row) -> None:
        until = _start(newer)
        status = "superseded" if until <= self._now else "active"
        self._change(row, row | {"valid_until": until, "status": status, "superseded_by": newer["id"]})

    def _change(self, row: Row, shall: Row | None) -> None:
        self.before.setdefault(row["id"], row)
        self.after[row["id"]] = None if shall is None else shall | {"updated_at": self._now}


def undo(connection: apsw.Connection, number: int) -> Merged:
    """Part two entities again.

    Raises:
        MergeRefused: there is no such merge, one that came later has to be undone first, or the name is needed.
    """
    kept = connection.execute("SELECT target_id, undoing FROM merges WHERE id = ?", (number,)).fetchone()
    if kept is None:
        raise MergeRefused("there is no such merge to undo", mend="It may have been undone, or forgotten for good.")
    plan = json.loads(str(kept[1]))
    source, going, staying = plan["source"], int(plan["source"]["id"]), int(str(kept[0]))
    holder = find(connection, source["key"])
    if holder != staying:
        raise MergeRefused("another merge came later", mend="Undo that one first.")
    if _entity(connection, staying)["key"] == source["key"]:
        raise MergeRefused("whoever it went up in has its name now", mend="Give them another name first.")
    _part_names(connection, plan, going, staying)
    now = _entity(connection, staying)
    mentions = max(1, now["mention_count"] - source["mention_count"])
    restored = _restored(plan["target"], plan["merged"], now) | {"mention_count": mentions}
    _update(connection, "entities", restored)
    for before, after, twin in plan["facts"]:
        _put_back(connection, before, after, twin)
    for row in plan["verdicts"]:
        connection.execute("INSERT OR IGNORE INTO verdicts VALUES(?, ?, ?, ?, ?)", tuple(row.values()))
    connection.execute("DELETE FROM merges WHERE id = ?", (number,))
    return Merged(number, source["name"], now["name"], len(plan["facts"]), len(_twins(plan)), 0)


def merges(connection: apsw.Connection, limit: int) -> list[tuple[int, str, str]]:
    """The newest merges that can be undone: id, what went up, in what."""
    sql = "SELECT m.id, m.source, e.name FROM merges m JOIN entities e ON e.id = m.target_id ORDER BY m.id DESC LIMIT ?"
    return [(int(number), str(source), str(target)) for number, source, target in connection.execute(sql, (limit,))]


def _twins(plan: dict[str, Any]) -> list[int]:
    return [twin for _, _, twin in plan["facts"] if twin is not None]


def _part_names(connection: apsw.Connection, plan: dict[str, Any], going: int, staying: int) -> None:
    source = plan["source"]
    connection.execute("DELETE FROM aliases WHERE key = ?", (source["key"],))
    _insert(connection, "entities", source)
    sql = "UPDATE aliases SET entity_id = ? WHERE key = ? AND entity_id = ?"
    connection.executemany(sql, [(going, key, staying) for key in plan["aliases"]])
    keys = keys_of(connection, going)
    unindex(connection, [source["key"], *plan["aliases"]], staying, kept=keys_of(connection, staying))
    for key in keys:
        index_name(connection, key, going)


def _put_back(connection: apsw.Connection, before: Row, after: Row | None, twin: int | None) -> None:
    current = next(iter(_rows(connection, "SELECT * FROM relations WHERE id = ?", before["id"])), None)
    if after is not None:
        if current is not None:
            _update(connection, "relations", _restored(before, after, current))
        return
    if current is None:
        ends = {end: _alive(connection, before[end]) for end in ("source_id", "target_id")}
        if None not in ends.values() and ends["source_id"] != ends["target_id"]:
            _insert(connection, "relations", before | ends | _forgotten_since(connection, twin))


def _forgotten_since(connection: apsw.Connection, twin: int | None) -> Row:
    """Whoever had the one of two forgotten meant both."""
    sql = "SELECT status, updated_at FROM relations WHERE id = ? AND status = 'deleted'"
    return next(iter(_rows(connection, sql, twin)), {})


def _restored(before: Row, after: Row, current: Row) -> Row:
    return {name: before[name] if current[name] == after[name] else current[name] for name in current}


def _alive(connection: apsw.Connection, number: int) -> int | None:
    """The entity, or the one it went up in since; None where it was forgotten."""
    while not _rows(connection, "SELECT id FROM entities WHERE id = ?", number):
        sql = "SELECT target_id FROM merges WHERE undoing ->> '$.source.id' = ?"
        found = connection.execute(sql, (number,)).fetchone()
        if found is None:
            return None
        number = int(str(found[0]))
    return number


def _start(row: Row) -> int:
    began = row["said_at"] if row["valid_from"] is None else row["valid_from"]
    assert isinstance(began, int)
    return began


def _entity(connection: apsw.Connection, number: int) -> Row:
    return _rows(connection, "SELECT * FROM entities WHERE id = ?", number)[0]


def _rows(connection: apsw.Connection, sql: str, *given: object) -> list[Row]:
    cursor = connection.execute(sql, given)
    # Only there while there are rows; SQLite names no columns of none.
    return [dict(zip((column[0] for column in cursor.description), row, strict=True)) for row in cursor]


def _update(connection: apsw.Connection, table: str, row: Row) -> None:
    columns = ", ".join(f"{name} = :{name}" for name in row if name != "id")
    connection.execute(f"UPDATE {table} SET {columns} WHERE id = :id", row)  # noqa: S608 - our own names


def _insert(connection: apsw.Connection, table: str, row: Row) -> None:
    connection.execute(f"INSERT INTO {table}({', '.join(row)}) VALUES({', '.join(f':{name}' for name in row)})", row)
