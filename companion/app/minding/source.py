"""Words with whose they are and from when, and what is made of them: facts, passages, and an event of the context."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

from companion.agent.remembering import Kept
from companion.talents.memory_phrases import NOTE, USER

if TYPE_CHECKING:
    from companion.memory.context import Event
    from companion.memory.distil import Distilled
    from companion.memory.distil.by_model import Told as Utterance
    from companion.memory.facts import Triple
    from companion.memory.passages import Passage

COMPANION = "companion"
ANSWER = "-answer"
"""Ends the name of a turn, for what was answered in it."""


@dataclass(frozen=True, slots=True)
class Source:
    """Whose words they are, and from when."""

    text: str
    at: datetime
    language: str
    turn: str = ""
    said_by: str = USER

    @property
    def turn_name(self) -> str:
        """What the memory calls the turn they were said in."""
        return self.turn or self.at.isoformat()


def read_out(source: Source) -> Distilled:
    """What the words tell, and what they want forgotten, by patterns."""
    from companion.memory.distil import read

    return read(source.text, source.said_by, source.at, source.language)


def utterance_of(source: Source, session: str) -> Utterance:
    """As a model reads it later."""
    from companion.memory.distil.by_model import Told as Utterance

    return Utterance(source.text, source.at, source.language, source.said_by, session, source.turn_name)


def note_of(text: str) -> Triple:
    """Words that are kept as they are."""
    from companion.memory.facts import LONGEST_NAME, Triple

    return Triple(USER, NOTE, text[:LONGEST_NAME])


def event_of(kept: Kept, session: str) -> Event:
    """A turn as the context holds it."""
    from companion.memory.context import Event

    used, results = tuple(use.name for use in kept.tools), tuple(use.result for use in kept.tools)
    origin, turn = kept.about.origin.value, kept.at.isoformat()
    return Event(_by_offset(kept.at), origin, kept.said, kept.heard, used, results, session, turn)


def passages_of(event: Event) -> list[Passage]:
    """Both sides of a turn, as the text memory holds them."""
    from companion.memory.passages import Passage

    said = Passage(event.input, event.at, USER, event.turn)
    if not event.response:
        return [said]
    return [said, Passage(event.response, event.at, COMPANION, name_of_answer(event.turn))]


def name_of_answer(turn: str) -> str:
    """What the text memory calls the answer of a turn."""
    return f"{turn}{ANSWER}"


def _by_offset(moment: datetime) -> datetime:
    """The moment with its offset alone: a zone that was read from a file cannot be copied."""
    return moment.astimezone(timezone(moment.utcoffset() or timedelta()))
