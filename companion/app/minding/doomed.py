"""What of all that was said is to be forgotten: the turns that facts are from, whatever names somebody, and answers
that have repeated either.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from companion.app.minding.source import Source, read_out
from companion.compose.entry import Entry, to_line
from companion.talents.memory import QUOTES
from companion.talents.memory_phrases import USER

if TYPE_CHECKING:
    from companion.memory.context import Event
    from companion.memory.facts import Fact, Triple

MOST_TOLD = 200
"""Values that answers are looked through for."""

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
"""When something was said, where it does not matter."""
_CHINESE = re.compile(r"[\u3400-\u9fff]")

Names = Callable[[str], bool]
"""Tells of a text whether it names somebody or something."""


@dataclass(frozen=True, slots=True)
class SaidTurn:
    """A turn as some part of the house has it. name: what the memory calls it; empty where that part does not know."""

    session: str
    name: str
    asked: tuple[str, ...]
    answered: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()
    """Of the answers those that may repeat what is remembered."""


@dataclass(frozen=True, slots=True)
class Doomed:
    """names: whatever names somebody. turns: session and name of each. told: what was told of, where an answer repeats
    it. facts: what was told, by subject, relation and object, where the user tells it once more. words: questions, for
    whoever knows no names of turns."""

    names: tuple[Names, ...] = ()
    turns: frozenset[tuple[str, str]] = frozenset()
    told: tuple[Names, ...] = ()
    facts: frozenset[tuple[str, str, str]] = frozenset()
    words: frozenset[str] = frozenset()

    def has(self, turn: SaidTurn) -> bool:
        """Whether it is to be forgotten."""
        if turn.name and (turn.session, turn.name) in self.turns:
            return True
        if not turn.name and not self.words.isdisjoint(turn.asked):
            return True
        texts = (*turn.asked, *turn.answered)
        return _any_in(self.names, texts) or _any_in(self.told, turn.repeated) or any(map(self._tells, turn.asked))

    def with_turns(self, turns: Iterable[SaidTurn]) -> Doomed:
        """The same, and these as well."""
        found = tuple(turns)
        named = frozenset((one.session, one.name) for one in found if one.name)
        words = frozenset(text for one in found for text in one.asked if text)
        return replace(self, turns=self.turns | named, words=self.words | words)

    def _tells(self, text: str) -> bool:
        """Whether the user tells one of the facts in these words."""
        if not _any_in(self.told, (text,)):
            return False
        source = Source(text, LONG_AGO, "zh" if _CHINESE.search(text) else "en")
        return not self.facts.isdisjoint(map(_key, read_out(source).triples))


Elsewhere = Callable[[Doomed], Awaitable[Sequence[SaidTurn]]]
"""Whoever knows of turns besides the memory: forgets those that are doomed, and says which they were."""


def doomed_by(facts: Iterable[Fact], name: str | None = None) -> Doomed:
    """What goes with these facts, and with all that names somebody; everything for an empty name."""
    from companion.memory.naming import naming

    known = tuple(facts)
    names = () if name is None else (naming(name),)
    turns = frozenset((fact.session, fact.turn) for fact in known if fact.turn)
    values = dict.fromkeys(fact.subject if fact.object == USER else fact.object for fact in known)
    # Of very much, whatever may repeat anything.
    told = [""] if len(values) > MOST_TOLD else [value for value in values if value and value != USER]
    return Doomed(names, turns, tuple(map(naming, told)), frozenset(map(_key, known)))


def turn_of_event(event: Event) -> SaidTurn:
    """A turn of the context."""
    return SaidTurn(event.session, event.turn, (event.input,), (event.source, event.response, *event.tool_results))


def turn_of_entries(session: str, entries: Iterable[Entry]) -> SaidTurn:
    """A turn of a conversation."""
    return turn_of_lines(session, [to_line(entry).rstrip("\n").encode("utf-8", "replace") for entry in entries])


def turn_of_lines(session: str, lines: Iterable[bytes]) -> SaidTurn:
    """A turn of a conversation's file."""
    name, asked, answered, repeated = "", list[str](), list[str](), list[str]()
    for line in lines:
        fields = fields_of(line)
        texts = list(texts_in(fields, line))
        if fields is not None and fields.get("role") == "user":
            name = name or str(fields.get("turn", ""))
            asked += _asked_in(fields)
        else:
            answered += texts
            repeated += texts if fields is not None and QUOTES in fields.get("quotes", ()) else ()
    return SaidTurn(session, name, tuple(asked), tuple(answered), tuple(repeated))


def _asked_in(fields: dict[str, Any]) -> Iterator[str]:
    if isinstance(fields.get("text"), str):
        yield fields["text"]
    for part in fields.get("parts", ()):
        yield from (value for key, value in part.items() if key != "type" and isinstance(value, str))


def fields_of(line: bytes) -> dict[str, Any] | None:
    """The fields of a line; None where it holds none."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None


def texts_in(value: object, line: bytes = b"") -> Iterator[str]:
    """Every text within; of a line that is none of ours, the line."""
    if value is None:
        yield line.decode("utf-8", "replace")
    elif isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from texts_in(one if one is not None else "")
    elif isinstance(value, list):
        for one in value:
            yield from texts_in(one if one is not None else "")


def _key(fact: Fact | Triple) -> tuple[str, str, str]:
    return (fact.subject.casefold(), fact.relation, fact.object.casefold())


def _any_in(names: Iterable[Names], texts: Sequence[str]) -> bool:
    return any(one(text) for one in names for text in texts)
