"""Facts as lines of text, for models and for the command line, and the words of a question worth looking up."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Protocol

from companion.talents.memory_phrases import Known

_WORD = re.compile(r"[\u3400-\u9fff]+|[^\W_]+(?:['’][^\W\d_]+)?")
_EVERYWHERE = frozenset(
    "a an the is are was were am be do does did have has had of to in on at for with and or what who where when how "
    "why which my your me you i we our it this that these those tell know say said told remember please can could "
    "would about anything something everything there".split()
)


class Dated(Known, Protocol):
    """A fact with the time it holds for."""

    @property
    def valid_from(self) -> datetime | None: ...

    @property
    def valid_until(self) -> datetime | None: ...


def words_of(question: str) -> list[str]:
    """The words that are not in every sentence, each once; "sister's" is "sister"."""
    words = (re.sub(r"['’]s$", "", word) for word in _WORD.findall(question))
    return list(dict.fromkeys(word for word in words if word.lower() not in _EVERYWHERE))


def line_of(fact: Dated) -> str:
    """ "Emma lives in Lyon (said on 2026-03-02)"."""
    until = f", until {fact.valid_until:%Y-%m-%d}" if fact.valid_until else ""
    is_told = fact.valid_from is not None and fact.valid_from > fact.at
    until = f", from {fact.valid_from:%Y-%m-%d}{until}" if is_told else until
    return f"{fact.subject} {fact.relation.replace('_', ' ')} {fact.object} (said on {fact.at:%Y-%m-%d}{until})"
