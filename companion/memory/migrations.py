"""The steps by which ``memory.db`` came to its present form, oldest first.

A step that users have run is never changed: what must change comes in a new one. Each runs once, in its own
transaction, and its number is written down with it. Numbers 1 to 9 are the graph's, 10 to 19 the documents' and their
text index, 20 to 29 the consolidation's.
"""

from __future__ import annotations

from typing import NamedTuple

OURS = 0x434D454D
"""The application id in the file's header: "CMEM"."""


class Migration(NamedTuple):
    """One step."""

    number: int
    title: str
    sql: str
    """Statements; no transaction of their own."""


_GRAPH_TABLES = """
CREATE TABLE entities(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    key TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL DEFAULT 'Concept',
    mention_count INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
);
CREATE INDEX entities_mentioned ON entities(mention_count);
CREATE INDEX entities_updated ON entities(updated_at);

CREATE TABLE aliases(
    key TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    entity_id INTEGER NOT NULL REFERENCES entities(id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX aliases_of ON aliases(entity_id);

CREATE TABLE name_parts(
    part TEXT NOT NULL,
    entity_id INTEGER NOT NULL,
    PRIMARY KEY(part, entity_id)
) WITHOUT ROWID;

CREATE TABLE relations(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source_id INTEGER NOT NULL REFERENCES entities(id),
    target_id INTEGER NOT NULL REFERENCES entities(id),
    relation_type TEXT NOT NULL,
    confidence REAL NOT NULL DEFAULT 1.0,
    status TEXT NOT NULL DEFAULT 'active',
    said_by TEXT NOT NULL,
    session_id TEXT NOT NULL,
    turn_id TEXT NOT NULL,
    said_at INTEGER NOT NULL,
    date_bucket TEXT NOT NULL,
    valid_from INTEGER,
    valid_until INTEGER,
    pinned INTEGER NOT NULL DEFAULT 0,
    superseded_by INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
);
CREATE INDEX relations_of ON relations(source_id, relation_type, target_id);
CREATE INDEX relations_to ON relations(target_id, said_at);
CREATE INDEX relations_asked ON relations(source_id, relation_type, said_at) WHERE status = 'active';
CREATE INDEX relations_by ON relations(source_id, said_at) WHERE status = 'active';

CREATE TABLE merges(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    source TEXT NOT NULL,
    target_id INTEGER NOT NULL,
    undoing TEXT NOT NULL
);

CREATE TABLE verdicts(
    low INTEGER NOT NULL,
    high INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    evidence INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY(low, high)
) WITHOUT ROWID;
"""
"""Times are milliseconds since 1970, in UTC; ``date_bucket`` is the local day."""

_TEXT_TABLES = """
CREATE TABLE documents(
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL,
    source TEXT NOT NULL,
    summary TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    access_count INTEGER NOT NULL,
    last_access INTEGER NOT NULL,
    file_stamp TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX documents_by_hash ON documents(hash);
CREATE INDEX documents_by_age ON documents(created_at);
CREATE INDEX documents_by_access ON documents(last_access);

CREATE TABLE text_groups(
    id INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    source TEXT NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    words INTEGER NOT NULL,
    passages INTEGER NOT NULL,
    next_place INTEGER NOT NULL
);
CREATE INDEX text_groups_of ON text_groups(kind, source);
CREATE INDEX text_groups_at ON text_groups(kind, last_at);

CREATE TABLE text_passages(
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    speaker TEXT NOT NULL,
    turn TEXT NOT NULL,
    words INTEGER NOT NULL,
    shape INTEGER NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX text_passages_turn ON text_passages(turn) WHERE turn <> '';

CREATE TABLE text_sizes(kind INTEGER PRIMARY KEY, passages INTEGER NOT NULL, words INTEGER NOT NULL);
INSERT INTO text_sizes VALUES(0, 0, 0), (1, 0, 0);

CREATE TRIGGER text_passage_added AFTER INSERT ON text_passages BEGIN
    UPDATE text_sizes SET passages = passages + 1, words = words + new.words WHERE kind = new.id >> 60;
END;
CREATE TRIGGER text_passage_gone AFTER DELETE ON text_passages BEGIN
    UPDATE text_sizes SET passages = passages - 1, words = words - old.words WHERE kind = old.id >> 60;
END;

CREATE TABLE text_speakers(name TEXT PRIMARY KEY, turns INTEGER NOT NULL) WITHOUT ROWID;

CREATE VIRTUAL TABLE text_words USING fts5(
    words, content = '', contentless_delete = 1, detail = none, tokenize = "unicode61 remove_diacritics 0"
);
"""
"""The number of a passage is kind << 60 | group << 20 | place; a group's number is that without its place."""

_FAREWELLS = """
CREATE TABLE farewells(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    name TEXT NOT NULL,
    facts TEXT NOT NULL
);
"""
"""``facts`` is JSON: of each its id and the status it had."""

GRAPH: tuple[Migration, ...] = (
    Migration(1, "Entities, relations, aliases, merges and verdicts", _GRAPH_TABLES),
    Migration(2, "What was set aside to be forgotten", _FAREWELLS),
)
DOCUMENTS: tuple[Migration, ...] = (Migration(10, "Documents, and the words of turns and documents", _TEXT_TABLES),)
CONSOLIDATION: tuple[Migration, ...] = (
    Migration(
        20,
        "Contradictions that were told",
        "CREATE TABLE told_contradictions(key TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;",
    ),
)

MIGRATIONS = (*GRAPH, *DOCUMENTS, *CONSOLIDATION)
