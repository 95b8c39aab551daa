"""Names of entities: how they are compared, and the index by which they are found.

The index has a line for each word of a name (``=anna``) and for each two characters that follow each other (``an``):
by words an entity is found while someone waits, by pairs of characters names are found that are nearly alike.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

import apsw

from companion.errors import UnknownEntity
from companion.memory.naming import naming
from companion.memory.storable import storable

WORD = "="
"""Begins the line of a word."""
_CHINESE = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_WORDS = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+|[^\W_\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_LONGEST_WORD = 40
_LONGEST_RUN = 24


def clean(name: str) -> str:
    """A name as it is shown: one line, without control characters."""
    whole = unicodedata.normalize("NFC", _whole(name))
    shown = "".join(char for char in whole if char.isprintable() or char.isspace())
    return " ".join(shown.split())


@lru_cache(8192)
def key_of(name: str) -> str:
    """A name as it is compared: without case and width."""
    return " ".join(unicodedata.normalize("NFKC", _whole(name)).casefold().split())


def _whole(name: str) -> str:
    return storable(name).replace("\ufffd", "")


@lru_cache(8192)
def words_of(key: str) -> tuple[str, ...]:
    """The words of a key, each once; a run of Chinese characters is one."""
    return tuple(dict.fromkeys(word[:_LONGEST_WORD] for word in _WORDS.findall(key)))


def has_chinese(text: str) -> bool:
    return _CHINESE.search(text) is not None


@lru_cache(8192)
def bigrams(text: str) -> frozenset[str]:
    """Every two characters that follow each other."""
    return frozenset(text[place : place + 2] for place in range(len(text) - 1))


def pieces(text: str, longest: int) -> frozenset[str]:
    """Every run of up to ``longest`` characters in a text, of which the first few are looked at."""
    text = text[:_LONGEST_RUN]
    return frozenset(text[at : at + length] for length in range(1, longest + 1) for at in range(len(text) - length + 1))


def parts_of(key: str) -> frozenset[str]:
    """The lines of a name in the index."""
    return frozenset(WORD + word for word in words_of(key)) | bigrams(key)


def index_name(connection: apsw.Connection, key: str, entity: int) -> None:
    rows = [(part, entity) for part in parts_of(key)]
    connection.executemany("INSERT OR IGNORE INTO name_parts VALUES(?, ?)", rows)


def unindex(connection: apsw.Connection, keys: Iterable[str], entity: int, *, kept: Iterable[str] = ()) -> None:
    """Take the lines of ``keys`` away from an entity, but for those it has by other names, ``kept``."""
    staying = frozenset[str]().union(*map(parts_of, kept))
    going = frozenset[str]().union(*map(parts_of, keys)) - staying
    rows = [(part, entity) for part in going]
    connection.executemany("DELETE FROM name_parts WHERE part = ? AND entity_id = ?", rows)


def keys_of(connection: apsw.Connection, entity: int) -> list[str]:
    """Every key an entity is known by, its own first."""
    sql = "SELECT key FROM entities WHERE id = ?1 UNION ALL SELECT key FROM aliases WHERE entity_id = ?1"
    return [str(key) for (key,) in connection.execute(sql, (entity,))]


def naming_entities(connection: apsw.Connection, name: str) -> list[int]:
    """The entities that are called ``name``, and those whose name holds it: notes, appointments, what is somebody's."""
    key = key_of(name)
    named = find(connection, name)
    found = {} if named is None else {named: None}
    parts = [WORD + word for word in words_of(key)]
    if has_chinese(key):
        parts = sorted(bigrams(key))
    if parts and len(key) > 1:
        marks = ",".join("?" * len(parts))
        sql = f"""
            SELECT entity_id FROM name_parts WHERE part IN ({marks}) GROUP BY entity_id HAVING count(*) = ?
        """  # noqa: S608 - marks only
        held = naming(key)
        for (number,) in connection.execute(sql, (*parts, len(parts))).fetchall():
            if any(held(one) for one in keys_of(connection, int(str(number)))):
                found[int(str(number))] = None
    return list(found)


def find(connection: apsw.Connection, name: str) -> int | None:
    """The entity of a name or an alias."""
    key = key_of(name)
    for sql in ("SELECT id FROM entities WHERE key = ?", "SELECT entity_id FROM aliases WHERE key = ?"):
        for (entity,) in connection.execute(sql, (key,)):
            return int(entity)
    return None


def number_of(connection: apsw.Connection, name: str) -> int:
    """The entity of a name or an alias.

    Raises:
        UnknownEntity: nothing is known under that name.
    """
    number = find(connection, name)
    if number is None:
        raise UnknownEntity("nothing is known under that name", name=name, mend="Look at what is known first.")
    return number
