"""Keeps profiles up to date: what a conversation adds to what is known of people and things."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, TypedDict

from companion.insight.entity import Attribute, LabelReader, Relation, Schema, WrittenRelation, plain_label
from companion.insight.form import Form, Pair, folded
from companion.insight.segmentor import SegmentResult
from companion.model import Generator


class Action(StrEnum):
    """What is to be done to a field of the schema."""

    ADD = "add"
    MODIFY = "modify"


@dataclass(frozen=True, slots=True)
class ProfileInput:
    """messages: what was said, oldest first. extracted: what a segmentor found in it.

    profiles: what is known already, by label.
    """

    messages: tuple[str, ...]
    extracted: SegmentResult
    schema: Schema | None = None
    profiles: Mapping[str, Mapping[str, object]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """A field that the entities of a type shall have, or have otherwise."""

    entity_type: str
    field: str
    definition: Attribute
    action: Action


@dataclass(frozen=True, slots=True)
class ProfileResult:
    """profile_updates: new values, by label and field.

    left_out: what the model wrote that cannot be used, and why; what else it wrote stands.
    """

    schema_changes: tuple[SchemaChange, ...] = ()
    profile_updates: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    relations: tuple[Relation, ...] = ()
    left_out: tuple[str, ...] = ()


class _WrittenDefinition(TypedDict):
    type: Annotated[str, "string, int, float, bool, date or list"]
    desc: Annotated[str, "what it means"]


_WrittenChange = TypedDict(
    "_WrittenChange",
    {
        "entity_type": Annotated[str, "the type that begins the labels"],
        "field": str,
        "def": _WrittenDefinition,
        "action": Annotated[str, "add or modify"],
    },
)


class _WrittenUpdate(TypedDict):
    label: Annotated[str, "of a known entity"]
    attrs: list[Pair]


@dataclass(frozen=True, slots=True)
class _Update:
    schema_changes: list[_WrittenChange]
    profile_updates: list[_WrittenUpdate]
    relations: list[WrittenRelation]


_FORM = Form("update_profiles", "Note what a conversation adds to what is known.", _Update)

_INSTRUCTION = """\
You keep profiles of people and things. You get a conversation, the entities found in it, and what is known already.
Say which fields of which profiles are new or have changed, and how the entities are related.
Name entities by the labels you are given, and no others. Where something worth keeping fits no field of a type, add a \
field; where a field's meaning has to change, modify it.
Note only what was said. Leave a list empty where there is nothing to put in it."""


class Profiler:
    """Asks ``generator``; serves concurrent calls. ``model``: see ``Generator.invoke``."""

    def __init__(self, generator: Generator, *, model: str = "") -> None:
        self._generator = generator
        self._model = model

    async def process(self, given: ProfileInput) -> ProfileResult:
        """Find what is new. Where nothing was said, the result is empty and no model is asked.

        Raises:
            InvalidAnswer: the model's answer does not fit.
            ModelError, StreamError, TimeoutError: see ``Generator.invoke``.
        """
        text = "\n".join(message for message in given.messages if message.strip())
        if not text:
            return ProfileResult()
        written = await _FORM.filled(self._generator, _instruction(given), text, model=self._model)
        known = [*(entity.label for entity in given.extracted.entities), *given.profiles]
        return _result(written, known, LabelReader(given.schema))


def _instruction(given: ProfileInput) -> str:
    sections = {
        "The types there are, and their fields": given.schema.described() if given.schema else "",
        "Entities found": _listed({entity.label: entity.attrs for entity in given.extracted.entities}),
        "Relations found": "\n".join(
            f"- {relation.source} {relation.rel_type} {relation.target}" for relation in given.extracted.relations
        ),
        "Known already": _listed(given.profiles),
    }
    told = (f"{title}:\n{text}" for title, text in sections.items() if text)
    return "\n\n".join((_INSTRUCTION, *told))


def _listed(profiles: Mapping[str, Mapping[str, object]]) -> str:
    """Profiles, always in the same order."""
    return "\n".join(
        f"- {label} {json.dumps(dict(known), ensure_ascii=False, sort_keys=True, default=str)}"
        for label, known in sorted(profiles.items())
    )


def _result(written: _Update, known: Collection[str], reader: LabelReader) -> ProfileResult:
    changes = tuple(dict.fromkeys(_changes(written.schema_changes, reader)))
    updates = _updates(written.profile_updates, known, reader)
    return ProfileResult(changes, updates, reader.relations(written.relations, known), reader.left_out)


def _changes(written: Iterable[_WrittenChange], reader: LabelReader) -> Iterator[SchemaChange]:
    for number, change in enumerate(written, start=1):
        what = f"schema change {number}"
        kind, name, action = (change[key].strip() for key in ("entity_type", "field", "action"))
        if action.lower() not in set(Action):
            reader.leave_out(what, f"there is no action {action!r}")
        elif not kind or not name:
            reader.leave_out(what, "it names no type or no field")
        else:
            definition = Attribute(change["def"]["type"].strip(), change["def"]["desc"].strip())
            yield SchemaChange(kind.lower(), name, definition, Action(action.lower()))


def _updates(
    written: Iterable[_WrittenUpdate], known: Collection[str], reader: LabelReader
) -> Mapping[str, Mapping[str, str]]:
    """New values for known labels; what is said of one in several places is put together."""
    by_plain = {plain_label(label): label for label in known}
    updates: dict[str, dict[str, str]] = {}
    for number, update in enumerate(written, start=1):
        label = by_plain.get(plain_label(update["label"]))
        if label is None:
            reader.leave_out(f"profile update {number}", f"nothing is known of {update['label']!r}")
        elif values := folded(update["attrs"]):
            updates.setdefault(label, {}).update(values)
    return updates
