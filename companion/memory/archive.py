"""Makes a document's content of events that leave the context."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple

from companion.memory.context import Event, event_of
from companion.memory.document import Document, hash_of
from companion.memory.naming import naming
from companion.memory.words import LONGEST_WORD, telling_words

EVENTS = "events"
"""Where a document's ``meta`` has them, each as it was and whole, so that nothing is lost."""
_SUMMARY = 200
"""Characters."""
_TAGS = 6
_ENTITIES = 12
_NAMES = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][\w'-]+")


class Archived(NamedTuple):
    """What a document is made of."""

    summary: str
    content: str
    tags: tuple[str, ...]
    entities: tuple[str, ...]
    meta: dict[str, Any]


def archived(events: Sequence[Event]) -> Archived | None:
    """The document of ``events``; None where there is nothing in them.

    The lines of its content are short, with what tools returned. Summary and tags come from what was said.
    """
    told = [event for event in events if event.input or event.response or event.tool_results]
    if not told:
        return None
    said = [event.input for event in told if event.input] or [event.response for event in told]
    return Archived(
        summary=f"{told[0].at:%Y-%m-%d}: {_shortened('; '.join(' '.join(text.split()) for text in said))}",
        content="\n".join(line for event in told for line in _lines(event)),
        tags=_tags(said),
        entities=_entities(said),
        meta={EVENTS: [{**asdict(event), "at": event.at.isoformat()} for event in told]},
    )


def _lines(event: Event) -> list[str]:
    return [event.line(), *(f"  {result}" for result in event.tool_results)]


def _shortened(text: str) -> str:
    return text if len(text) <= _SUMMARY else f"{text[: _SUMMARY - 1]}…"


def _tags(said: Iterable[str]) -> tuple[str, ...]:
    counts = Counter(word for text in said for word in telling_words(text) if 1 < len(word) <= LONGEST_WORD)
    return tuple(word for word, _ in counts.most_common(_TAGS))


def _entities(said: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for text in said for name in _NAMES.findall(text)))[:_ENTITIES]


def without(document: Document, name: str) -> Document | None:
    """A document without what names somebody: events of an archive, lines of others; None where nothing is left."""
    names = naming(name)
    return without_said(document, lambda event: any(map(names, event.texts)), names)


def without_said(document: Document, event: Callable[[Event], bool], line: Callable[[str], bool]) -> Document | None:
    """A document without these events, if it is an archive, or without these lines; None where nothing is left."""
    made = _events_without(document, event) if document.meta.get(EVENTS) else _lines_without(document, line)
    if made is None:
        return None
    meta = {**document.meta, **made.meta, "content_hash": hash_of(made.content)}
    return replace(
        document, summary=made.summary, content=made.content, tags=made.tags, entities=made.entities, meta=meta
    )


def holds_said(document: Document, event: Callable[[Event], bool], line: Callable[[str], bool]) -> bool:
    """Whether there is anything of it in a document."""
    rows = document.meta.get(EVENTS)
    if not rows:
        return any(map(line, document.content.splitlines()))
    try:
        return any(event(event_of(row)) for row in rows)
    except (ValueError, KeyError, TypeError, AttributeError):
        return False


def _events_without(document: Document, doomed: Callable[[Event], bool]) -> Archived | None:
    try:
        held = [event_of(row) for row in document.meta[EVENTS]]
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return archived([event for event in held if not doomed(event)])


def _lines_without(document: Document, names: Callable[[str], bool]) -> Archived | None:
    content = "\n".join(line for line in document.content.splitlines() if not names(line)).strip()
    # What is noted beside it names nobody, or goes as a whole.
    if not content or any(map(names, _texts(document.meta))):
        return None
    summary = content.partition("\n")[0][:_SUMMARY] if names(document.summary) else document.summary
    tags, entities = (tuple(one for one in told if not names(one)) for told in (document.tags, document.entities))
    return Archived(summary, content, tags, entities, {})


def all_of(document: Document) -> str:
    """Everything a document says, its tags and what is noted beside it among it."""
    told = (document.summary, document.content, *document.tags, *document.entities, *_texts(document.meta))
    return "\n".join(told)


def _texts(noted: object) -> Iterator[str]:
    if isinstance(noted, str):
        yield noted
    elif isinstance(noted, Mapping):
        for key, value in noted.items():
            yield from (str(key), *_texts(value))
    elif isinstance(noted, list | tuple):
        for value in noted:
            yield from _texts(value)
