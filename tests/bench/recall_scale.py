"""What recalling turns costs with a large memory: 10,000, 100,000 and 1,000,000 of them.

``python tests/bench/recall_scale.py --sizes 10000 100000`` prints milliseconds of processor time a question, what
storing takes and how large the file is. The turns are made of words that come as often as words do (Zipf), and of
names; a question takes some words of one turn, two names or common words with them, and sometimes a speaker or a day.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path
from statistics import median, quantiles

import psutil

from companion.memory.passages import Kind, Passage, append
from companion.memory.store import LONG_DEADLINE, Store
from companion.memory.text_index import TextIndex
from companion.memory.text_search import Question

WORDS = 30_000
TURNS_A_SESSION = 20
BEGUN = datetime(2020, 1, 1, 8, tzinfo=UTC)
SYLLABLES = "ba ce di fo gu ha ki lo mu na pe ri so ta vu wa xo yi zu el an or us".split()
FREQUENT = "the a I you we and to of in my is was it that have went with for really great time think like".split()
_BATCH = 5_000


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds of processor time of one question; microseconds to store one turn; bytes."""

    turns: int
    median_ms: float
    p95_ms: float
    most_ms: float
    found: float
    """Share of questions whose turn is among the first ten."""
    store_us: float
    file_bytes: int
    resident_bytes: int


class Household:
    """Makes turns, the same ones every time."""

    def __init__(self) -> None:
        self.dice = random.Random(5)
        made: dict[str, None] = {}
        while len(made) < WORDS:
            made["".join(self.dice.choices(SYLLABLES, k=self.dice.randint(2, 4)))] = None
        self.words = list(made)
        self.weights = list(accumulate(1 / (place + 10) for place in range(WORDS)))
        self.speakers = ("Anna", "Ben")

    def said(self) -> str:
        """One turn: a third of it words of every sentence, the rest by Zipf."""
        many = self.dice.randint(4, 24)
        telling = self.dice.choices(self.words, cum_weights=self.weights, k=many)
        return " ".join(word for one in telling for word in (self.dice.choice(FREQUENT), one))

    def turns(self, count: int) -> Iterator[Passage]:
        """So many, in sessions of twenty minutes, six hours apart."""
        for number in range(count):
            session, place = divmod(number, TURNS_A_SESSION)
            at = BEGUN + timedelta(hours=session % 40_000, minutes=place, seconds=session // 40_000)
            yield Passage(self.said(), at, self.speakers[place % 2], f"t{number}")

    def question(self, turn: Passage) -> str:
        words = [word for word in turn.text.split() if word not in FREQUENT]
        asked = self.dice.sample(words, min(len(words), self.dice.randint(2, 4)))
        asked += self.dice.choices(self.words[:300], k=self.dice.randint(0, 3))
        self.dice.shuffle(asked)
        who = turn.speaker if self.dice.random() < 0.5 else "they"
        when = f" in {turn.at:%B %Y}" if self.dice.random() < 0.2 else ""
        return f"What did {who} say about {' '.join(asked)}{when}?"


async def measure(turns: int, questions: int) -> Cost:
    """Store so many turns and ask so many questions about them."""
    house = Household()
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(Path(folder), lambda: BEGUN)
        sample, stored_in = await _filled(store, house, turns, questions)
        index, spent, found = TextIndex(store), [], 0
        now = BEGUN + timedelta(days=2_000)
        for turn in sample:
            asked = Question(house.question(turn), now)
            began = time.process_time()
            hits = await index.search(Kind.TURN, asked, 10)
            spent.append((time.process_time() - began) * 1000)
            found += turn.turn in {hit.passage.turn for hit in hits}
        size, resident = store.file.stat().st_size, psutil.Process().memory_info().rss
        await store.close()
    return Cost(
        turns=turns,
        median_ms=round(median(spent), 2),
        p95_ms=round(quantiles(spent, n=20)[-1], 2),
        most_ms=round(max(spent), 2),
        found=round(found / len(sample), 3),
        store_us=round(stored_in / turns * 1e6, 1),
        file_bytes=size,
        resident_bytes=resident,
    )


async def _filled(store: Store, house: Household, turns: int, sampled: int) -> tuple[list[Passage], float]:
    """A sample of the turns, and the seconds of processor time that storing took."""
    sample: list[Passage] = []
    spent, batch = 0.0, []
    for number, turn in enumerate(house.turns(turns)):
        batch.append((f"session-{number // TURNS_A_SESSION}", turn))
        if house.dice.random() < sampled / turns:
            sample.append(turn)
        if len(batch) == _BATCH or number == turns - 1:
            began = time.process_time()
            await store.write(lambda db, batch=tuple(batch): _append(db, batch), deadline=LONG_DEADLINE)
            spent += time.process_time() - began
            batch.clear()
    return sample, spent


def _append(db, batch: tuple[tuple[str, Passage], ...]) -> None:
    for session, turn in batch:
        append(db, session, [turn])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--json", action="store_true", help="print JSON")
    chosen = parser.parse_args()
    costs = [asyncio.run(measure(size, chosen.questions)) for size in chosen.sizes]
    if chosen.json:
        print(json.dumps([asdict(cost) for cost in costs], indent=2))
        return
    for cost in costs:
        print(
            f"{cost.turns:9,} turns: median {cost.median_ms} ms, p95 {cost.p95_ms} ms, most {cost.most_ms} ms; "
            f"{cost.found:.1%} found; stored in {cost.store_us} us each; file {cost.file_bytes / 2**20:.0f} MB, "
            f"memory {cost.resident_bytes / 2**20:.0f} MB"
        )


if __name__ == "__main__":
    main()
