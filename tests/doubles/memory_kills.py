"""A process that writes facts and is killed at any moment, again and again; what it acknowledged must be there.

Run as a program it writes until it is killed, and says on its output what is stored.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from companion.memory.facts import Criteria, Provenance, Triple
from companion.memory.graph import Graph
from companion.memory.store import Store

START = datetime(2026, 1, 1, tzinfo=UTC)
MOST_WRITES = 25
"""That are waited for before a kill."""
LATEST = 0.006
"""Seconds after the last of them."""


def _now() -> datetime:
    return datetime.now(UTC)


async def write_on(folder: Path, first: int) -> None:
    """Commit, merge, undo, forget and back up, and acknowledge each commit by its number."""
    store = await Store.open(folder, _now)
    graph = Graph(store, _now)
    for number in range(first, first + 1_000_000):
        at = START + timedelta(seconds=number)
        facts = [
            Triple(f"friend {number}", "likes", f"dish {number}"),
            Triple("user", "lives_in", f"town {number}"),
        ]
        await graph.commit(facts, Provenance("user", at, f"s{number}", str(number)))
        os.write(1, f"{number}\n".encode())
        if number % 7 == 0:
            # A merge that is killed before it is undone stays; a name of its own takes it.
            await graph.commit([Triple(f"city {number}", "is_a", "city")], Provenance("user", at, "c", f"c{number}"))
            done = await graph.merge(f"town {number}", f"city {number}")
            await graph.undo(done.id)
        if number % 11 == 0:
            await graph.purge(Criteria(subject="a passer-by"), hard=number % 2 == 0)
            await graph.commit([Triple("a passer-by", "likes", "any town")], Provenance("user", at, "p", f"p{number}"))
        if number % 29 == 0:
            await store.backup()


@dataclass
class Kills:
    """What was seen."""

    times: int = 0
    acknowledged: int = 0
    lost: list[int] = field(default_factory=list)
    """Facts that were acknowledged and are not there."""
    wrong: list[str] = field(default_factory=list)
    """What the checks of the file said, and what the store told."""


async def kill_often(folder: Path, times: int, *, seed: int) -> Kills:
    """Start a writer, kill it, look at what it left; ``times`` over, on one file."""
    seen, chance, first = Kills(), random.Random(seed), 0
    store = await Store.open(folder, _now)
    await Graph(store, _now).commit([Triple("any town", "is_a", "town")], Provenance("user", START))
    await store.close()
    everything: set[int] = set()
    for _ in range(times):
        acknowledged = await asyncio.to_thread(_until_killed, folder, first, chance)
        everything.update(acknowledged)
        first = max(everything, default=0) + 2  # the next may have been stored and not acknowledged
        seen.times += 1
        await _look(folder, everything, seen)
    seen.acknowledged = len(everything)
    return seen


def _until_killed(folder: Path, first: int, chance: random.Random) -> list[int]:
    program = [sys.executable, str(Path(__file__)), str(folder), str(first)]
    writes, after = chance.randint(0, MOST_WRITES), chance.random() * LATEST
    with subprocess.Popen(
        program, stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    ) as writer:
        assert writer.stdout is not None
        said = [writer.stdout.readline() for _ in range(writes)]
        end = time.perf_counter() + after
        while time.perf_counter() < end:
            pass
        writer.send_signal(signal.SIGKILL)
        said += writer.stdout.readlines()
    assert writer.returncode == -signal.SIGKILL, "the writer ended by itself"
    return [int(line) for line in said if line.endswith(b"\n")]


async def _look(folder: Path, acknowledged: set[int], seen: Kills) -> None:
    store = await Store.open(folder, _now)
    try:
        seen.wrong += store.problems
        seen.wrong += await store.check()
        rows = await store.read(
            lambda db: db.execute(
                "SELECT s.name FROM relations r JOIN entities s ON s.id = r.source_id WHERE relation_type = 'likes'"
            ).fetchall()
        )
        there = {str(name) for (name,) in rows}
        seen.lost += [number for number in acknowledged if f"friend {number}" not in there]
        homes = await store.read(
            lambda db: (
                db.execute("SELECT count(*) FROM relations WHERE relation_type = 'lives_in' AND status = 'active'").get
            )
        )
        if acknowledged and homes != 1:
            seen.wrong.append(f"{homes} homes at a time")
    finally:
        await store.close()


if __name__ == "__main__":
    asyncio.run(write_on(Path(sys.argv[1]), int(sys.argv[2])))
