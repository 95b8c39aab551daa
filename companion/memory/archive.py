"""Makes a document's content of events that leave the context."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple

from companion.memory.context import Event, event_of
from companion.memory.document import Document, hash_of
from companion.memory.words import LONGEST_WORD, telling_words, words_of

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
    """An archive without the events that name somebody; None where nothing is left of it, or it is no archive."""
    doomed = set(words_of(name))
    try:
        held = [event_of(row) for row in document.meta.get(EVENTS, ())]
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    made = archived([event for event in held if not doomed <= set(words_of(_all_of(event)))])
    if made is None:
        return None
    meta = {**document.meta, **made.meta, "content_hash": hash_of(made.content)}
    return replace(
        document, summary=made.summary, content=made.content, tags=made.tags, entities=made.entities, meta=meta
    )


def _all_of(event: Event) -> str:
    return "\n".join((event.source, event.input, event.response, *event.tool_results))
