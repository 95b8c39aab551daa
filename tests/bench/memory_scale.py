"""How the graph does with 10,000, 100,000 and 1,000,000 facts.

``python tests/bench/memory_scale.py [--facts N ...] [--json] [--quick]``. For each size, in a process of its own: the
time of a recall (median, 95th percentile, longest), of storing one fact, of storing all, the size on disk, the memory
of the process, and the time of opening, of a check of the whole file and of a backup.

The facts: a fifth are about the user, the rest about as many people and things as a quarter of the facts; names share
common words ("the old lamp 17"), a tenth are Chinese. The questions, in turns: a name and a word, the user and what is
asked for, a whole question, common words alone, words nobody knows, a Chinese sentence. Every call counts.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median, quantiles

import psutil

from companion.memory.facts import MOST_AT_ONCE, Provenance, Triple
from companion.memory.graph import Graph
from companion.memory.store import Store

SIZES = (10_000, 100_000, 1_000_000)
QUICK = (1_000,)
QUESTIONS = 600
WRITES = 200
START = datetime(2020, 1, 1, tzinfo=UTC)

FIRST = "anna ben carla david emma finn greta hugo ines jonas klara liam mona nils olga paul rosa sven tara uwe".split()
LAST = "meier smith jansen novak rossi garcia silva dubois kowalski larsen peters brown weber fischer moreau".split()
KINDS = "lamp book cup bag bike coat chair clock knife plant box photo shirt shoe key radio ladder kettle".split()
LOOKS = "old new red blue small large broken good green heavy".split()
FAMILY, GIVEN = "王李张刘陈杨黄赵吴周", "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平"
RELATIONS = "likes dislikes owns is_friend_of visited plays knows wants lives_with does_regularly".split()
ASKED = [
    "where do I live",
    "what do I like",
    "what do I own",
    "who is my friend",
    "where have I been",
    "what do I play",
]


@dataclass(frozen=True, slots=True)
class Figures:
    """Milliseconds, seconds and megabytes."""

    facts: int
    entities: int
    recall_median_ms: float
    recall_p95_ms: float
    recall_most_ms: float
    by_kind_p95_ms: dict[str, float]
    write_median_ms: float
    write_p95_ms: float
    fill_s: float
    disk_mb: float
    memory_mb: float
    open_s: float
    check_s: float
    backup_s: float


def name(number: int) -> str:
    """The same name for the same number, no two alike."""
    pick = random.Random(number)
    if number % 10 == 0:
        return f"{pick.choice(FAMILY)}{pick.choice(GIVEN)}{pick.choice(GIVEN)}{number}"
    if number % 2:
        return f"{pick.choice(FIRST)} {pick.choice(LAST)} {number}"
    return f"the {pick.choice(LOOKS)} {pick.choice(KINDS)} {number}"


def made_up(count: int) -> Iterator[Triple]:
    """``count`` facts, the same every time."""
    chance = random.Random(42)
    entities = max(count // 4, 20)
    for number in range(count):
        who = "user" if number % 5 == 0 else name(min(int(chance.paretovariate(0.6)), entities - 1))
        # Walks through all of them, so that no pair comes twice.
        yield Triple(who, RELATIONS[number % len(RELATIONS)], name(number * 7919 % entities))


async def fill(graph: Graph, count: int) -> float:
    """Store ``count`` facts, 64 a commit; the seconds it took."""
    facts = made_up(count)
    start = time.perf_counter()
    for place in range(0, count, MOST_AT_ONCE):
        some = [fact for fact, _ in zip(facts, range(MOST_AT_ONCE), strict=False)]
        at = START + timedelta(minutes=place)
        await graph.commit(some, Provenance("user", at, f"s{place}", "1"))
    return time.perf_counter() - start


def questions(count: int) -> Iterator[tuple[str, list[str], list[str]]]:
    """Kind, keywords, seeds."""
    chance = random.Random(7)
    entities = max(count // 4, 20)
    for turn in range(QUESTIONS):
        somebody = name(chance.randrange(entities))
        match turn % 6:
            case 0:
                yield "name and word", [*somebody.split(), "likes"], []
            case 1:
                yield "about the user", chance.choice(ASKED).split(), ["user"]
            case 2:
                yield "whole question", f"when did {somebody} last visit the old house with the user".split(), ["user"]
            case 3:
                yield "common words", ["the", "old", chance.choice(KINDS), chance.choice(LAST)], []
            case 4:
                yield "unknown", ["xylophone", "quagmire", "zeppelin"], []
            case _:
                yield "chinese", [f"{name(chance.randrange(entities // 10) * 10)}喜欢什么东西"], ["user"]


async def recall_times(graph: Graph, count: int) -> dict[str, list[float]]:
    """Milliseconds of every question by its kind."""
    times: dict[str, list[float]] = {}
    for kind, keywords, seeds in questions(count):
        start = time.perf_counter()
        await graph.recall(keywords, seeds, depth=2, limit=10)
        times.setdefault(kind, []).append(1000 * (time.perf_counter() - start))
    return times


async def write_times(graph: Graph) -> list[float]:
    """Milliseconds of storing one fact, with its way to the disk."""
    times = []
    for number in range(WRITES):
        fact = [Triple(f"anna weber {number % 9}", "likes", f"the new idea {number}")]
        start = time.perf_counter()
        await graph.commit(fact, Provenance("user", START, "w", str(number)))
        times.append(1000 * (time.perf_counter() - start))
    return times


async def measure(count: int, folder: Path) -> Figures:
    def now() -> datetime:
        return datetime.now(UTC)

    store = await Store.open(folder, now)
    fill_s = await fill(Graph(store, now), count)
    await store.close()
    start = time.perf_counter()
    store = await Store.open(folder, now)
    open_s = time.perf_counter() - start
    graph = Graph(store, now)
    times = await recall_times(graph, count)
    written = await write_times(graph)
    memory = psutil.Process().memory_info().rss
    seen = await graph.introspect()
    start = time.perf_counter()
    assert await store.check() == ()
    check_s = time.perf_counter() - start
    start = time.perf_counter()
    await store.backup()
    backup_s = time.perf_counter() - start
    await store.close()
    every = [one for some in times.values() for one in some]
    return Figures(
        facts=seen.facts + seen.superseded,
        entities=seen.entities,
        recall_median_ms=round(median(every), 2),
        recall_p95_ms=p95(every),
        recall_most_ms=round(max(every), 2),
        by_kind_p95_ms={kind: p95(some) for kind, some in times.items()},
        write_median_ms=round(median(written), 2),
        write_p95_ms=p95(written),
        fill_s=round(fill_s, 1),
        disk_mb=round(store.file.stat().st_size / 1e6, 1),
        memory_mb=round(memory / 1e6),
        open_s=round(open_s, 3),
        check_s=round(check_s, 2),
        backup_s=round(backup_s, 2),
    )


def p95(times: Sequence[float]) -> float:
    return round(quantiles(times, n=20)[-1], 2)


def measured_apart(count: int) -> Figures:
    """In a process of its own, so that its memory is its own."""
    program = [sys.executable, __file__, "--one", str(count)]
    return Figures(**json.loads(subprocess.run(program, check=True, capture_output=True, text=True).stdout))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--facts", type=int, nargs="*", default=SIZES)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="a thousand facts, to show that it works")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(asdict(asyncio.run(measure(asked.one, Path(folder))))))
        return
    found = [measured_apart(count) for count in (QUICK if asked.quick else asked.facts)]
    if asked.json:
        print(json.dumps([asdict(one) for one in found], indent=2))
        return
    for one in found:
        print(f"{one.facts:,} facts, {one.entities:,} entities")
        for key, value in list(asdict(one).items())[2:]:
            print(f"  {key}: {value}")


if __name__ == "__main__":
    main()
