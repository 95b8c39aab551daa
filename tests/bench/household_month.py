"""A month in one home: how many questions memory answers with the right and current value, and how much of it is junk.

``python tests/bench/household_month.py`` plays the 3,000 turns of each language in stepped time: what the user says is
read by the patterns, stored in the graph, changed and forgotten; no model takes part. ``--json`` prints the same for a
script, ``--quick`` plays the first 600 turns, ``--seed N`` another home with the same story, ``--missed`` shows what
was not answered.

Two shares are told for the questions. "known": the facts of whom the question is about hold the right value and no
stale one. "recalled": the right value is among the twelve facts that recall finds for the words of the question, and no
fact that holds says a stale one of the same. A question about the past is answered from what held then.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from memory.household.compare import fits, holds
from memory.household.month import Month, Question, Turn, month
from memory.household.read import LANGUAGES, USER

from companion.memory.distil import Forget, read
from companion.memory.distil.ground import commit
from companion.memory.facts import Criteria, Fact, Provenance, Status, Triple
from companion.memory.graph import Graph
from companion.memory.store import Store

MOST_RECALLED = 12
QUICK = 600
TWO_WEEKS = re.compile(r"two weeks|fortnight|两个?(?:星期|礼拜|周)|两周|半个月|14")


@dataclass(slots=True)
class Played:
    """What came of a month."""

    language: str
    turns: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    known: Counter[str] = field(default_factory=Counter)
    recalled: Counter[str] = field(default_factory=Counter)
    stored: int = 0
    junk: int = 0
    told: int = 0
    found: int = 0
    read_ms: list[float] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    def row(self) -> dict[str, object]:
        ways = sorted(self.asked)
        return {
            "language": self.language,
            "turns": self.turns,
            "questions": self.asked.total(),
            "known": round(self.known.total() / max(self.asked.total(), 1), 3),
            "recalled": round(self.recalled.total() / max(self.asked.total(), 1), 3),
            "by_way": {way: f"{self.known[way]}/{self.asked[way]}" for way in ways},
            "facts_found": round(self.found / max(self.told, 1), 3),
            "stored": self.stored,
            "junk": round(self.junk / max(self.stored, 1), 3),
            "read_ms_median": round(median(self.read_ms), 3),
        }


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2025, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


class Player:
    """Plays one month into one graph."""

    def __init__(self, graph: Graph, clock: Clock, story: Month) -> None:
        self._graph = graph
        self._clock = clock
        self._story = story
        self._newest: tuple[int, ...] = ()
        self.played = Played(story.language)

    async def play(self, turns: int) -> Played:
        for turn in self._story.turns[:turns]:
            self._clock.now = turn.at.replace(tzinfo=UTC)
            self.played.turns += 1
            if turn.question is not None:
                await self._ask(turn, turn.question)
            await self._hear(turn)
        return self.played

    async def _hear(self, turn: Turn) -> None:
        now = self._clock.now
        began = time.perf_counter()
        told = read(turn.text, USER, now, turn.language)
        self.played.read_ms.append(1000 * (time.perf_counter() - began))
        self._count(turn, told.triples)
        source = Provenance(USER, now, now.date().isoformat(), str(turn.number))
        if told.triples:
            done = await commit(self._graph, told.triples, source)
            self._newest = done.facts or self._newest
        for one in told.forget:
            await self._forget(one)
        if told.forget and not turn.forget:
            self.played.missed.append(f"forgotten without being asked: {turn.text}")
        if turn.forget and not told.forget:
            self.played.missed.append(f"not forgotten: {turn.text}: {turn.forget}")

    def _count(self, turn: Turn, triples: tuple[Triple, ...]) -> None:
        stated = [one for one in triples if not one.ends]
        self.played.told += len(turn.know)
        for expected in turn.know:
            is_found = any(fits(one, expected, turn.language) for one in stated)
            self.played.found += is_found
            if not is_found:
                told = f"{expected.subject} {expected.relation} {expected.object}"
                self.played.missed.append(f"not found: {turn.text}: {told}")
        names = {name.casefold() for known in turn.know for name in (known.subject, *known.objects)}
        for one in stated:
            self.played.stored += 1
            is_right = any(fits(one, expected, turn.language) for expected in turn.know)
            follows = one.relation.startswith("is_") and bool(names & {one.subject.casefold(), one.object.casefold()})
            if not (is_right or follows or (turn.know and one.relation == "has_pet")):
                self.played.junk += 1
                self.played.missed.append(f"junk: {turn.text}: {one.subject} {one.relation} {one.object}")

    async def _forget(self, one: Forget) -> None:
        if one.is_last:
            if self._newest:
                await self._graph.purge(Criteria(ids=self._newest))
            self._newest = ()
            return
        for name in [one.subject, *await self._called(one.subject)]:
            if one.object:
                facts = [fact for fact in await self._facts(name) if fact.relation == one.relation]
                ids = [fact.id for fact in facts if one.object.casefold() in fact.object.casefold()]
                if ids:
                    await self._graph.purge(Criteria(ids=tuple(ids)))
            elif one.relation:
                await self._graph.purge(Criteria(subject=name, relation=one.relation))
            else:
                await self._graph.purge(Criteria(entity=name))

    async def _called(self, name: str) -> list[str]:
        facts = await self._graph.about(name)
        named = [fact for fact in facts if fact.relation == "is_called" and fact.subject.casefold() == name.casefold()]
        return [fact.object for fact in named]

    async def _facts(self, name: str, *, ended: bool = False) -> list[Fact]:
        """The facts of somebody, by whatever they are known."""
        bare = name.removeprefix("the ")
        names = [bare, *await self._called(bare)]
        return [fact for one in names for fact in await self._graph.about(one, limit=500, ended=ended)]

    # -- questions

    async def _ask(self, turn: Turn, question: Question) -> None:
        way = question.way
        self.played.asked[way] += 1
        values = await self._values(turn, question)
        is_known = _is_right(values, question, turn.language)
        self.played.known[way] += is_known
        if not is_known:
            told = f"{question.subject} {question.relation}: {values}: {question.accept}"
            self.played.missed.append(f"{way}: {turn.text}: {told}")
        hits = (await self._graph.recall([turn.text], [USER], limit=MOST_RECALLED)).facts
        recalled = {_value(hit.fact) for hit in hits}
        # What is over is not recalled as a fact: a question about the past is looked up.
        is_recalled = way != "now" or bool(recalled & set(values))
        self.played.recalled[way] += is_known and is_recalled

    async def _values(self, turn: Turn, question: Question) -> list[str]:
        """What memory answers, by what the question is about."""
        if question.way == "about" or not question.relation:
            return [_value(fact) for fact in await self._facts(question.subject)]
        is_past = question.way in ("before", "then") or bool(question.thing)
        facts = await self._facts(question.subject, ended=is_past)
        facts = [fact for fact in facts if fact.relation == question.relation]
        if question.thing:
            named = [fact for fact in facts if holds(fact.object, (question.thing,), turn.language)]
            return [_value(fact) for fact in named if fact.status is Status.ACTIVE]
        return self._by_way(turn, question.way, facts)

    def _by_way(self, turn: Turn, way: str, facts: list[Fact]) -> list[str]:
        now = self._clock.now
        if way == "before":
            past = [fact for fact in facts if not fact.holds_at(now)]
            return [_value(fact) for fact in sorted(past, key=_end, reverse=True)[:1]]
        if way == "then":
            then = now - timedelta(days=14 if TWO_WEEKS.search(turn.text) else 7)
            return [_value(fact) for fact in facts if _began(fact) <= then < (fact.valid_until or now)]
        if way == "when":
            return [_began(fact).date().isoformat() for fact in facts if fact.holds_at(now)]
        return [_value(fact) for fact in facts]


def _value(fact: Fact) -> str:
    if fact.relation == "has_appointment" and fact.valid_from is not None:
        return fact.valid_from.date().isoformat()
    return fact.object


def _began(fact: Fact) -> datetime:
    return fact.valid_from or fact.at


def _end(fact: Fact) -> datetime:
    return fact.valid_until or fact.at


def _is_right(values: list[str], question: Question, language: str) -> bool:
    """Whether the values name enough of what is right, and nothing that is no longer so."""
    if not question.accept:
        return not values
    named = sum(any(holds(value, spellings, language) for value in values) for spellings in question.accept)
    is_of_now = question.way == "now" and len(question.accept) == 1
    is_stale = is_of_now and any(holds(value, question.stale, language) for value in values)
    return named >= question.need and not is_stale


async def played(language: str, turns: int, seed: int | None, folder: Path) -> Played:
    clock = Clock()
    store = await Store.open(folder, clock)
    try:
        return await Player(Graph(store, clock), clock, month(language, seed)).play(turns)
    finally:
        await store.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--missed", action="store_true")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--language", choices=LANGUAGES)
    given = parser.parse_args()
    rows = []
    for language in [given.language] if given.language else LANGUAGES:
        with tempfile.TemporaryDirectory() as folder:
            one = asyncio.run(played(language, QUICK if given.quick else 3000, given.seed, Path(folder)))
        rows.append(one.row())
        for line in one.missed if given.missed else ():
            print(line)
    print(json.dumps(rows, ensure_ascii=False, indent=None if given.json else 1))


if __name__ == "__main__":
    main()
