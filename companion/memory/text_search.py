"""Searching turns and documents: words first, then what the best passages are like, who spoke and when."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any, NamedTuple

import apsw

from companion.memory.dates import Span, spans_in
from companion.memory.passages import PLACE_BITS, Kind, Stored, moment, speakers, stamp, stored
from companion.memory.postings import Posting, postings
from companion.memory.ranking import APART, REACH, WEIGHTS, Candidates, candidates, chosen, scored
from companion.memory.shape import Shape
from companion.memory.words import asked_words, plain, telling_words

FINE = 300
"""Passages whose form, speaker and time are looked at."""
MOST_SPEAKERS = 64
_LONGEST_QUESTION = 2_000
_DAY_MS = 86_400_000
_GROUPS_OF_DATE = 40
_MOST_OF_DATE = 200
"""Passages that come because of their date alone."""
_LATE_DAYS = 10
"""Days after which nobody tells of a day any more, as a rule."""
_TOLD_LATER = 0.45
"""What a passage counts that was said so soon after a day, beside one that was said on it."""
_WHEN = re.compile(r"^(?:when|how long)\b|\b(?:what|which) (?:date|day|month|year)\b|什么时候|哪天|几号|多久|哪一?年")
_SEVERAL = re.compile(
    r"\b(?:what|which)(?: \w+)? (?:are|were|have|do)\b|^(?:what|which) (?!is\b|was\b|does\b|has\b)\w*(?<!s)s\b|"
    r"\bhow (?:many|often)\b|\b(?:both|share|common|all|kinds?|types?|each|various|different)\b|哪些|几|多少|都|各"
)
_FIRST_PERSON = re.compile(r"\b(?:i|my|me|mine)\b|我")
_FAINT = 0.4
"""What a word counts that was not said."""
_COARSE = ("window", "nearest", "group")


@dataclass(frozen=True, slots=True)
class Question:
    """What is looked for."""

    text: str
    now: datetime
    """With its zone."""
    asker: str = ""
    """Whom "I" means, by the name turns have; empty where nobody knows."""
    more: tuple[str, ...] = ()
    """What else to look for, though it was not said: names that facts lead to."""


@dataclass(frozen=True, slots=True)
class TextHit:
    """A passage that was found."""

    passage: Stored
    score: float
    """Higher is better; comparable within one search."""
    kind: Kind
    words: tuple[str, ...] = ()
    """The words of the question that it has, or a neighbour."""
    share: float = 0.0
    """How much of what the question's words tell these are: 0 to 1."""
    by_date: bool = False
    by_speaker: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, read."""

    words: Sequence[str]
    faint: frozenset[str]
    """Those of them that count less, for they were not said."""
    speakers: frozenset[str]
    """Whose passages count more."""
    spans: tuple[Span, ...]
    wants_time: bool
    wants_several: bool
    """Whether the answer may stand in several places."""
    offset: timedelta
    """Of the asker's zone."""
    text: str = ""
    """The question as it was asked."""
    said: Sequence[str] = ()
    """Its telling words as they were said."""

    def stamps(self, span: Span) -> tuple[int, int]:
        """The first and the last millisecond of a span since 1970."""
        first = datetime.combine(span.first, time(), UTC) - self.offset
        return stamp(first), stamp(first) + ((span.last - span.first).days + 1) * _DAY_MS - 1

    def nearness(self, at: int) -> float:
        """How well something said ``at`` then fits the days the question is about: 1 within, 0 far off."""
        day = (moment(at) + self.offset).date()
        late = [span.days_after(day) for span in self.spans]
        if 0 in late:
            return 1.0
        return _TOLD_LATER if any(0 < days <= _LATE_DAYS for days in late) else 0.0


class Looked(NamedTuple):
    """The best passages with everything that was found out about them."""

    rows: Any
    features: Mapping[str, Any]
    found: tuple[Posting, ...]
    asked: Asked
    missing: int = 0
    """Words of the question that nothing has."""


def search(connection: apsw.Connection, kind: Kind, question: Question, most: int) -> list[TextHit]:
    """The best ``most`` passages of one kind, best first."""
    looked = look(connection, kind, read(connection, question))
    return [] if looked is None else hits_of(connection, looked, scored(looked.features), kind, most)


def hits_of(connection: apsw.Connection, looked: Looked, scores: Any, kind: Kind, most: int) -> list[TextHit]:
    """The best ``most`` passages by their scores, best first."""
    import numpy as np

    spread = APART if looked.asked.wants_several else 0.0
    best = np.asarray(chosen(scores, looked.rows >> PLACE_BITS, most, spread), dtype=np.int64)
    passages = {passage.row: passage for passage in stored(connection, looked.rows[best])}
    places = ((int(place), passages.get(int(looked.rows[place]))) for place in best)
    return [_hit(looked, place, passage, float(scores[place]), kind) for place, passage in places if passage]


def read(connection: apsw.Connection, question: Question) -> Asked:
    """What a question asks for: words, whose, of when."""
    text = question.text[:_LONGEST_QUESTION]
    known = {name: set(plain(name).split()) for name in speakers(connection, MOST_SPEAKERS)}
    said = plain(text)
    spoken = set(re.findall(r"\w+", re.sub(r"['’]s\b", "", said)))
    named = {name for name, parts in known.items() if parts & spoken or (name and plain(name) in said)}
    words = asked_words(text)
    of_names = {word for name in named for word in asked_words(name)}
    bare = [word for word in words if word not in of_names] or words
    faint = dict.fromkeys(word for name in question.more for word in asked_words(name) if word not in bare)
    if not named and question.asker in known and _FIRST_PERSON.search(said):
        named = {question.asker}
    return Asked(
        words=[*bare, *faint],
        faint=frozenset(faint),
        speakers=frozenset(named) if len(named) == 1 else frozenset(),
        spans=spans_in(text, question.now.date()),
        wants_time=_WHEN.search(said) is not None,
        wants_several=_SEVERAL.search(said) is not None,
        offset=question.now.utcoffset() or timedelta(),
        text=text,
        said=telling_words(text, of_names),
    )


def look(connection: apsw.Connection, kind: Kind, asked: Asked) -> Looked | None:
    """The features of the best passages by their words and dates; None where there are none."""
    import numpy as np

    found = [_weighed(word, asked) for word in postings(connection, kind, asked.words)]
    dated = _of_dates(connection, kind, asked)
    passages = candidates(found, dated, PLACE_BITS)
    if passages is None:
        return None
    if len(passages) > FINE:
        coarse = scored({name: getattr(passages, name) for name in _COARSE}, {name: WEIGHTS[name] for name in _COARSE})
        coarse = coarse + WEIGHTS["date"] * np.isin(passages.rows, dated)
        passages = passages.taken(np.sort(np.argpartition(-coarse, FINE)[:FINE]))
    return _looked(connection, passages, asked, found)


def _weighed(word: Posting, asked: Asked) -> Posting:
    return word._replace(idf=_FAINT * word.idf) if word.word in asked.faint else word


def _of_dates(connection: apsw.Connection, kind: Kind, asked: Asked) -> list[int]:
    """The newest passages of the days the question is about."""
    rows: list[int] = []
    groups = "SELECT id FROM text_groups WHERE kind = ? AND last_at >= ? AND first_at < ? ORDER BY last_at LIMIT ?"
    passages = "SELECT id FROM text_passages WHERE id BETWEEN ? AND ? AND at BETWEEN ? AND ? ORDER BY id DESC LIMIT ?"
    for span in asked.spans:
        first, last = asked.stamps(span)
        held = [int(group) for (group,) in connection.execute(groups, (int(kind), first, last, _GROUPS_OF_DATE))]
        for group in held:
            within = (group << PLACE_BITS, (group + 1 << PLACE_BITS) - 1, first, last, _MOST_OF_DATE)
            rows += [int(row) for (row,) in connection.execute(passages, within)]
    return rows[-_MOST_OF_DATE:]


class _Known(NamedTuple):
    """What is stored beside a text."""

    at: int
    speaker: str
    words: int
    shape: Shape


def _looked(connection: apsw.Connection, passages: Candidates, asked: Asked, found: Sequence[Posting]) -> Looked | None:
    import numpy as np

    known = _known(connection, {int(row) - back for row in passages.rows for back in (0, 1)})
    there = np.asarray([int(row) in known for row in passages.rows], dtype=bool)
    passages = passages.taken(there)
    if not len(passages):
        return None
    rows = [int(row) for row in passages.rows]
    each = [known[row] for row in rows]
    follows = _column(known[row - 1].shape.asks if row - 1 in known else 0 for row in rows)
    is_theirs = _column(one.speaker in asked.speakers for one in each)
    features = {
        **{name: getattr(passages, name) for name in _COARSE},
        "answers": passages.before * follows,
        "replies": follows,
        "their reply": follows * is_theirs,
        "speaker": is_theirs,
        "date": _column(asked.nearness(one.at) if asked.spans else 0.0 for one in each),
        "time": _column(one.shape.times for one in each) * asked.wants_time,
        "asks": _column(one.shape.asks for one in each),
        "first": _column(one.shape.first for one in each),
        "second": _column(one.shape.second for one in each),
        "names": _column(one.shape.names for one in each),
    }
    missing = len(asked.words) - len(asked.faint) - sum(word.word not in asked.faint for word in found)
    return Looked(passages.rows, features, tuple(found), asked, missing)


def _column(values: Iterable[float]) -> Any:
    import numpy as np

    return np.fromiter(values, dtype=float)


def _known(connection: apsw.Connection, rows: Iterable[int]) -> dict[int, _Known]:
    sql = "SELECT id, at, speaker, words, shape FROM text_passages WHERE id = ?"
    found = connection.executemany(sql, [(row,) for row in sorted(rows)])
    return {row: _Known(at, speaker, words, Shape.unpacked(shape)) for row, at, speaker, words, shape in found}


def _tells(word: Posting) -> float:
    """What a word tells of what a text has to do with a question: in a small memory a common word tells that too."""
    return (1 + word.idf) / 2


def _hit(looked: Looked, place: int, passage: Stored, score: float, kind: Kind) -> TextHit:
    """A hit with what spoke for it."""
    import numpy as np

    near = np.arange(passage.row - REACH, passage.row + REACH + 1)
    has = [word for word in looked.found if np.isin(near, word.rows, assume_unique=True).any()]
    total = sum(map(_tells, looked.found)) + looked.missing
    return TextHit(
        passage=passage,
        score=score,
        kind=kind,
        words=tuple(word.word for word in has),
        share=sum(map(_tells, has)) / total if total else 0.0,
        by_date=bool(looked.features["date"][place] > 0),
        by_speaker=bool(looked.features["speaker"][place] > 0),
    )
