"""Makes a document's content of events that leave the context."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from companion.memory.context import Event
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
