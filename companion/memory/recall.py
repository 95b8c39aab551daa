"""What fits a question, out of all layers: facts, turns, documents and the context, within a budget of tokens.

Facts come first, for they are short and hold now; turns and documents take what is left, the best first. Facts also
lead on: whom the facts of a question name is looked for in the texts as well ("my sister" to Emma). Nothing here
counts as access, and nothing is changed.

A text takes a small model a tenth of a second and more to read, and one that only shares a word with the question
leads it astray. So texts go along with a question that looks back ("what did she say?") or is about what facts are
known of, and with any other only where they hold most of what it is about.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Protocol

from companion.errors import MemoryBusy, StorageError
from companion.memory.context import Event
from companion.memory.facts import Fact, Found, Hit
from companion.memory.looking_back import looks_back
from companion.memory.passages import Kind
from companion.memory.recalled import Recalled, within
from companion.memory.text_search import Question, TextHit
from companion.memory.words import asked_words, telling_words, words_of

logger = logging.getLogger(__name__)

USUAL_TOKENS = 400
FACTS_SHARE = 0.5
"""Of the tokens, as long as texts want the rest."""
MOST_FACTS = 12
MOST_TURNS = 10
MOST_DOCUMENTS = 4
MOST_EVENTS = 3
MOST_LEADS = 4
"""Names that facts lead to."""
LEAST_SHARE = 0.3
"""Of what a question's words tell; a text that has less has to do with something else."""
CLEAR_SHARE = 0.6
"""The same, for a question that does not look back."""
LEAST_LIKENESS = 0.1
_SAME = 0.8
"""Share of words from which on two texts are the same."""
_CHARACTERS_A_TOKEN = 3


class Facts(Protocol):
    """Whoever knows facts; ``companion.memory.graph.Graph`` does."""

    async def recall(
        self, keywords: Sequence[str] = (), seeds: Sequence[str] = (), *, depth: int = 2, limit: int = 10
    ) -> Found:
        """What is known about words and names. Raises StorageError."""


class Texts(Protocol):
    """Whoever finds turns and documents; ``companion.memory.text_index.TextIndex`` does."""

    async def search(self, kind: Kind, question: Question, most: int = 20) -> list[TextHit]:
        """The best passages of one kind. Raises StorageError, MemoryBusy."""


class Events(Protocol):
    """Whoever holds the newest events; ``companion.memory.context.Context`` does."""

    def relevant(self, query: str, most: int) -> list[tuple[Event, float]]:
        """The events nearest to a question, with their nearness, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asks, and what the prompt has already."""

    now: datetime
    """With its zone."""
    asker: str = ""
    """Whom "I" means, by the name turns and facts have."""
    shown: Collection[str] = frozenset()
    """The names of turns that stand in the prompt anyway."""
    tokens: int = USUAL_TOKENS


class Recall:
    """count: tokens of a text; without it a token is taken for three characters."""

    def __init__(
        self, graph: Facts, texts: Texts, context: Events | None = None, *, count: Callable[[str], int] | None = None
    ) -> None:
        self._graph = graph
        self._texts = texts
        self._context = context
        self._count = count or (lambda text: len(text) // _CHARACTERS_A_TOKEN + 1)

    async def recall(self, query: str, asking: Asking) -> list[Recalled]:
        """What fits ``query``, facts first. A layer that cannot be read is left out."""
        if not query.strip() or asking.tokens <= 0:
            return []
        facts = fitting(await self._facts(query, asking), query, asking.asker)
        question = Question(query, asking.now, asking.asker, leads_of(facts, query, asking.asker))
        is_of_memory = bool(facts) or looks_back(query)
        async with asyncio.TaskGroup() as tasks:
            turns = tasks.create_task(self._passages(Kind.TURN, question, MOST_TURNS, is_of_memory))
            documents = tasks.create_task(self._passages(Kind.DOCUMENT, question, MOST_DOCUMENTS, is_of_memory))
        found = sorted([*turns.result(), *_one_of_each(documents.result())], key=lambda hit: -hit.score)
        texts = [*self._of_context(query, asking, is_of_memory), *_as_recalled(found, asking)]
        return self._budgeted([_of_fact(hit) for hit in facts], _each_once(texts), asking)

    def _budgeted(self, facts: Sequence[Recalled], texts: Sequence[Recalled], asking: Asking) -> list[Recalled]:
        zone: tzinfo | None = asking.now.tzinfo
        share = round(asking.tokens * FACTS_SHARE)
        first, left = within(facts, share, self._count, zone)
        said, left = within(texts, asking.tokens - share + left, self._count, zone)
        more, _ = within([fact for fact in facts if fact not in first], left, self._count, zone)
        return [*first, *more, *said]

    async def _facts(self, query: str, asking: Asking) -> Sequence[Hit]:
        seeds = (asking.asker,) if asking.asker else ()
        try:
            return (await self._graph.recall(telling_words(query), seeds, limit=MOST_FACTS)).facts
        except (StorageError, MemoryBusy) as error:
            logger.warning("facts could not be recalled: %s", type(error).__name__)
            return ()

    async def _passages(self, kind: Kind, question: Question, most: int, is_of_memory: bool) -> list[TextHit]:
        try:
            found = await self._texts.search(kind, question, most * 2)
        except (StorageError, MemoryBusy) as error:
            logger.warning("texts could not be recalled: %s", type(error).__name__)
            return []
        least = LEAST_SHARE if is_of_memory else CLEAR_SHARE
        return [hit for hit in found if hit.share >= least or (hit.by_date and is_of_memory)][:most]

    def _of_context(self, query: str, asking: Asking, is_of_memory: bool) -> list[Recalled]:
        """What the context holds and the prompt does not show."""
        asked = set(asked_words(query))
        if self._context is None or not asked:
            return []
        near = self._context.relevant(query, MOST_EVENTS + len(asking.shown))
        hidden = [(event, score) for event, score in near if event.turn not in asking.shown and score > LEAST_LIKENESS]
        if not is_of_memory:
            hidden = [one for one in hidden if _share(asked, one[0]) >= CLEAR_SHARE]
        return [
            Recalled(event.line(), "context", score, "said a short while ago", event.at)
            for event, score in hidden[:MOST_EVENTS]
        ]


def fitting(hits: Iterable[Hit], query: str, asker: str = "") -> list[Hit]:
    """The facts that have to do with a question: asked for by their relation, or naming what it names."""
    asked = set(asked_words(query)) - set(asked_words(asker))
    return [hit for hit in hits if hit.reason.startswith("asked") or asked & _ends(hit.fact)]


def leads_of(hits: Sequence[Hit], query: str, asker: str = "") -> tuple[str, ...]:
    """The names that facts add to a question: who "my sister" is."""
    said = {*asked_words(query), *asked_words(asker)}
    names = (name for hit in hits for name in (hit.fact.subject, hit.fact.object))
    fresh = dict.fromkeys(name for name in names if (words := set(asked_words(name))) and not words & said)
    return tuple(fresh)[:MOST_LEADS]


def _share(asked: set[str], event: Event) -> float:
    """The part of the words of a question that an event holds."""
    return len(asked & set(words_of(f"{event.input} {event.response}"))) / len(asked)


def _ends(fact: Fact) -> set[str]:
    return {*asked_words(fact.subject), *asked_words(fact.object)}


def _of_fact(hit: Hit) -> Recalled:
    fact = hit.fact
    until = f", until {fact.valid_until:%Y-%m-%d}" if fact.valid_until else ""
    is_told = fact.valid_from is not None and fact.valid_from > fact.at
    until = f", from {fact.valid_from:%Y-%m-%d}{until}" if is_told else until
    text = f"{fact.subject} {fact.relation.replace('_', ' ')} {fact.object}{until}"
    return Recalled(text, f"fact, said by {fact.said_by}", hit.score, hit.reason, fact.at)


def _as_recalled(hits: Iterable[TextHit], asking: Asking) -> list[Recalled]:
    return [_of_text(hit) for hit in hits if hit.passage.turn == "" or hit.passage.turn not in asking.shown]


def _one_of_each(hits: Iterable[TextHit]) -> list[TextHit]:
    """The best passage of each document."""
    best: dict[str, TextHit] = {}
    for hit in hits:
        best.setdefault(hit.passage.source, hit)
    return list(best.values())


def _of_text(hit: TextHit) -> Recalled:
    kind = "turn" if hit.kind is Kind.TURN else "document"
    source = f"{kind}, said by {hit.passage.speaker}" if hit.passage.speaker else kind
    return Recalled(hit.passage.text, source, hit.score, _why(hit), hit.passage.at)


def _why(hit: TextHit) -> str:
    reasons = [f"near the words {', '.join(hit.words)}"] if hit.words else []
    reasons += ["from the days asked about"] if hit.by_date else []
    reasons += [f"said by {hit.passage.speaker}"] if hit.by_speaker else []
    return "; ".join(reasons) or "near what was asked"


def _each_once(items: Iterable[Recalled]) -> list[Recalled]:
    """Without texts that say again what one before them says: an archive holds turns that stand alone as well."""
    taken: list[tuple[Recalled, set[str]]] = []
    for item in items:
        words = set(words_of(item.text))
        if not any(_is_same(words, others) for _, others in taken):
            taken.append((item, words))
    return [item for item, _ in taken]


def _is_same(words: set[str], others: set[str]) -> bool:
    shorter = min(len(words), len(others))
    return shorter > 0 and len(words & others) >= _SAME * max(shorter, 2)
