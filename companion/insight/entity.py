"""People and things and how they are related, as a model finds them in a conversation.

A label names one: ``person:Emma``, the type in lower case, a colon, the name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypedDict


@dataclass(frozen=True, slots=True)
class Attribute:
    """What is noted of an entity: the type of the value ("string", "int", "date"), and what it means."""

    type: str = "string"
    desc: str = ""


@dataclass(frozen=True, slots=True)
class EntityType:
    """A kind of entity and what may be noted of one."""

    desc: str = ""
    attrs: Mapping[str, Attribute] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Schema:
    """The kinds of entities there are, by the type that begins their labels."""

    entity_types: Mapping[str, EntityType] = field(default_factory=dict)

    def described(self) -> str:
        """The schema for a model to read, always in the same order."""
        return "\n".join(line for name, kind in sorted(self.entity_types.items()) for line in _described(name, kind))


@dataclass(frozen=True, slots=True)
class Entity:
    label: str
    attrs: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Relation:
    """``source`` is to ``target`` what ``rel_type`` says; both are labels."""

    source: str
    target: str
    rel_type: str


WrittenRelation = TypedDict("WrittenRelation", {"from": str, "to": str, "rel_type": str})
"""A relation as a model writes it."""


class LabelReader:
    """Reads what a model wrote about entities. What is foreign is left out, and ``left_out`` says why.

    schema: the types there are; with none, any will do.
    """

    def __init__(self, schema: Schema | None) -> None:
        self._types = _plain(schema.entity_types) if schema and schema.entity_types else None
        self._left_out: list[str] = []

    @property
    def left_out(self) -> tuple[str, ...]:
        return tuple(self._left_out)

    def leave_out(self, what: str, why: str) -> None:
        """Note what is not part of the result."""
        self._left_out.append(f"{what}: {why}")

    def label(self, written: str, what: str) -> str | None:
        """A label with its type in lower case; None where it is none, or of a type that there is not."""
        kind, colon, name = (part.strip() for part in written.partition(":"))
        if not (kind and colon and name):
            self.leave_out(what, f"{written!r} is not of the form type:name")
        elif self._types is not None and kind.lower() not in self._types:
            self.leave_out(what, f"there is no type {kind.lower()!r}")
        else:
            return f"{kind.lower()}:{name}"
        return None

    def labels(self, written: Iterable[str], what: str) -> tuple[str, ...]:
        """Labels, each once."""
        labels = (self.label(label, f"{what} {number}") for number, label in enumerate(written, start=1))
        return tuple(dict.fromkeys(label for label in labels if label is not None))

    def relations(self, written: Iterable[WrittenRelation], known: Collection[str]) -> tuple[Relation, ...]:
        """Relations between ``known`` labels, each once."""
        by_plain = {plain_label(label): label for label in known}
        return tuple(dict.fromkeys(self._relations(written, by_plain)))

    def _relations(self, written: Iterable[WrittenRelation], by_plain: Mapping[str, str]) -> Iterator[Relation]:
        for number, relation in enumerate(written, start=1):
            what = f"relation {number}"
            source, target = (by_plain.get(plain_label(relation[end])) for end in ("from", "to"))
            if source is None or target is None:
                self.leave_out(what, f"nothing is known of {relation['from' if source is None else 'to']!r}")
            elif not relation["rel_type"].strip():
                self.leave_out(what, "it has no type")
            else:
                yield Relation(source, target, relation["rel_type"].strip())


def plain_label(label: str) -> str:
    """A label without what models change in one: spaces around its parts, and capitals."""
    kind, colon, name = (part.strip() for part in label.partition(":"))
    return f"{kind}{colon}{name}".casefold()


def _plain(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.strip().lower() for name in names)


def _described(name: str, kind: EntityType) -> Iterator[str]:
    yield f"- {name}: {kind.desc}" if kind.desc else f"- {name}"
    for attribute, about in sorted(kind.attrs.items()):
        yield f"  - {attribute} ({about.type}): {about.desc}" if about.desc else f"  - {attribute} ({about.type})"
