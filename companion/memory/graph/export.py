"""Memory on its way out: JSON, which can be brought in again, and GraphML for programs that draw graphs.

Written is what is known and what was: facts that were ended come with their dates. What was forgotten does not.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from enum import StrEnum
from html import escape
from pathlib import Path
from typing import Any, TextIO

import apsw

from companion.errors import StorageError, reason_of
from companion.memory.facts import Entity, Fact
from companion.memory.graph.rows import FACT, fact
from companion.settings.atomic import LEFT_OVER, put_in_place, sync_folder

FORMAT = "companion-memory"
VERSION = 1


class Form(StrEnum):
    """How an export is written."""

    JSON = "json"
    GRAPHML = "graphml"


def export(connection: apsw.Connection, file: Path, form: Form) -> int:
    """Write everything to ``file``, whole or not at all, for its owner alone; how many facts.

    Raises:
        StorageError: it could not be written.
    """
    write = {Form.JSON: write_json, Form.GRAPHML: write_graphml}[form]
    fresh: Path | None = None
    try:
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=".export-", suffix=LEFT_OVER)
        fresh = Path(name)
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            count = write(connection, out)
            out.flush()
            os.fsync(out.fileno())
        put_in_place(fresh, file)
        sync_folder(file.parent)
    except OSError as error:
        if fresh is not None:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
        raise StorageError(
            f"{file} could not be written: {reason_of(error)}",
            file=str(file),
            mend="Free some space or name another place.",
        ) from error
    return count


def write_json(connection: apsw.Connection, out: TextIO) -> int:
    """An object with ``entities`` and ``facts``, one a line; how many facts."""
    out.write(f'{{"format": "{FORMAT}", "version": {VERSION},\n"entities": [')
    _write_lines(out, (_entity_entry(one) for one in _entities(connection)))
    out.write('],\n"facts": [')
    count = _write_lines(out, (_fact_entry(one) for one in _facts(connection)))
    out.write("]}\n")
    return count


def write_graphml(connection: apsw.Connection, out: TextIO) -> int:
    """GraphML 1.0 with nodes for entities and directed edges for facts; how many facts."""
    out.write('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
    out.writelines(
        f'<key id="{name}" for="{end}" attr.name="{name}" attr.type="{kind}"/>\n' for name, end, kind in _GRAPHML_KEYS
    )
    out.write('<graph id="memory" edgedefault="directed">\n')
    places: dict[str, int] = {}
    for one in _entities(connection):
        places[one.name] = one.id
        told = {"name": one.name, "type": one.type, "mentions": one.mentions, "aliases": ", ".join(one.aliases)}
        out.write(f'<node id="n{one.id}">{_data(told)}</node>\n')
    count = 0
    for known in _facts(connection):
        ends = f'source="n{places[known.subject]}" target="n{places[known.object]}"'
        told = {key: value for key, value in _fact_entry(known).items() if key in _EDGE_KEYS and value is not None}
        out.write(f'<edge id="f{known.id}" {ends}>{_data(told)}</edge>\n')
        count += 1
    out.write("</graph>\n</graphml>\n")
    return count


def _entities(connection: apsw.Connection) -> Iterator[Entity]:
    # Entities that nothing counting ties to anything were forgotten.
    sql = """
        SELECT id, name, type, mention_count FROM entities e
        WHERE EXISTS(SELECT 1 FROM relations WHERE source_id = e.id AND status <> 'deleted')
            OR EXISTS(SELECT 1 FROM relations WHERE target_id = e.id AND status <> 'deleted')
        ORDER BY id
    """
    for number, name, kind, mentions in connection.execute(sql):
        aliases = connection.execute("SELECT name FROM aliases WHERE entity_id = ? ORDER BY key", (number,))
        yield Entity(number, name, kind, mentions, tuple(str(alias) for (alias,) in aliases))


def _facts(connection: apsw.Connection) -> Iterator[Fact]:
    for row in connection.execute(f"{FACT} WHERE r.status <> 'deleted' ORDER BY r.id"):
        yield fact(row)


def _entity_entry(one: Entity) -> dict[str, Any]:
    return {"name": one.name, "type": one.type, "mentions": one.mentions, "aliases": list(one.aliases)}


def _fact_entry(one: Fact) -> dict[str, Any]:
    return {
        "subject": one.subject,
        "relation": one.relation,
        "object": one.object,
        "said_by": one.said_by,
        "at": one.at.isoformat(),
        "session": one.session,
        "turn": one.turn,
        "confidence": one.confidence,
        "valid_from": None if one.valid_from is None else one.valid_from.isoformat(),
        "valid_until": None if one.valid_until is None else one.valid_until.isoformat(),
        "status": one.status.value,
        "pinned": one.pinned,
    }


_GRAPHML_KEYS = (
    *(("name", "node", "string"), ("type", "node", "string"), ("mentions", "node", "int")),
    *(("aliases", "node", "string"), ("relation", "edge", "string"), ("said_by", "edge", "string")),
    *(("at", "edge", "string"), ("session", "edge", "string"), ("turn", "edge", "string")),
    *(("confidence", "edge", "double"), ("valid_from", "edge", "string"), ("valid_until", "edge", "string")),
    *(("status", "edge", "string"), ("pinned", "edge", "boolean")),
)
_EDGE_KEYS = frozenset(name for name, end, _ in _GRAPHML_KEYS if end == "edge")
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _data(told: Mapping[str, Any]) -> str:
    shown = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in told.items()}
    return "".join(f'<data key="{key}">{escape(_NOT_IN_XML.sub("", value))}</data>' for key, value in shown.items())


def _write_lines(out: TextIO, entries: Iterator[dict[str, Any]]) -> int:
    count = 0
    for entry in entries:
        out.write(",\n" if count else "\n")
        out.write(json.dumps(entry, ensure_ascii=False))
        count += 1
    return count
