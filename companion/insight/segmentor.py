"""Sums up a stretch of conversation: what it was about, whom and what it named, and how they are related."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, TypedDict

from companion.insight.entity import Entity, LabelReader, Relation, Schema, WrittenRelation
from companion.insight.form import Form, Pair, folded
from companion.model import Generator


@dataclass(frozen=True, slots=True)
class SegmentInput:
    """messages: what was said, oldest first. schema: the kinds of entities to look for; None: any."""

    messages: tuple[str, ...]
    schema: Schema | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """labels: the entities it is about."""

    summary: str = ""
    keywords: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SegmentResult:
    """left_out: what the model wrote that cannot be used, and why; what else it wrote stands."""

    segment: Segment = field(default_factory=Segment)
    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()
    left_out: tuple[str, ...] = ()


class _WrittenSegment(TypedDict):
    summary: Annotated[str, "one or two sentences, in the language of the conversation"]
    keywords: Annotated[list[str], "3 to 8 words that somebody would search for"]
    labels: Annotated[list[str], "labels of the entities it is about"]


class _WrittenEntity(TypedDict):
    label: Annotated[str, "type:name, the type in lower case"]
    attrs: Annotated[list[Pair], "what is said of it"]


@dataclass(frozen=True, slots=True)
class _Extraction:
    segment: _WrittenSegment
    entities: list[_WrittenEntity]
    relations: list[WrittenRelation]


_FORM = Form("extract", "Note what a conversation was about.", _Extraction)

_INSTRUCTION = """\
You note what a conversation was about, for a memory that is searched later.
Sum it up, name keywords, name each person, place and thing that matters as an entity, and say how they are related.
An entity has a label: its type in lower case, a colon, and its name as it was said, for example person:Emma.
A relation goes from one entity's label to another's, and its type is a verb in lower case, for example works_at.
Note only what was said. Leave a list empty where there is nothing to put in it."""


class Segmentor:
    """Asks ``generator``; serves concurrent calls. ``model``: see ``Generator.invoke``."""

    def __init__(self, generator: Generator, *, model: str = "") -> None:
        self._generator = generator
        self._model = model

    async def process(self, given: SegmentInput) -> SegmentResult:
        """Sum up. Where nothing was said, the result is empty and no model is asked.

        Raises:
            InvalidAnswer: the model's answer does not fit.
            ModelError, StreamError, TimeoutError: see ``Generator.invoke``.
        """
        text = "\n".join(message for message in given.messages if message.strip())
        if not text:
            return SegmentResult()
        types = given.schema.described() if given.schema else ""
        instruction = (
            f"{_INSTRUCTION}\n\nThe types there are, and what to note of each:\n{types}" if types else _INSTRUCTION
        )
        written = await _FORM.filled(self._generator, instruction, text, model=self._model)
        return _result(written, LabelReader(given.schema))


def _result(written: _Extraction, reader: LabelReader) -> SegmentResult:
    said = written.segment
    entities = _entities(written.entities, reader)
    segment = Segment(
        said["summary"].strip(),
        tuple(dict.fromkeys(word.strip() for word in said["keywords"] if word.strip())),
        reader.labels(said["labels"], "label"),
    )
    relations = reader.relations(written.relations, [entity.label for entity in entities])
    return SegmentResult(segment, entities, relations, reader.left_out)


def _entities(written: Iterable[_WrittenEntity], reader: LabelReader) -> tuple[Entity, ...]:
    """The entities, each once; what is said of one in several places is put together."""
    found: dict[str, dict[str, str]] = {}
    for number, entity in enumerate(written, start=1):
        label = reader.label(entity["label"], f"entity {number}")
        if label is not None:
            found.setdefault(label, {}).update(folded(entity["attrs"]))
    return tuple(Entity(label, attrs) for label, attrs in found.items())
