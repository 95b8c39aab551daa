"""Kill a writer of memory at random moments, a thousand times, and look at what it left each time.

``python tests/bench/memory_kills.py [--times 1000] [--seed 1] [--json] [--quick]``. Every acknowledged fact must be
there after every kill, ``PRAGMA integrity_check`` must say ok, and one home must be left of all that were moved to.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from doubles.memory_kills import Kills, kill_often


def measure(times: int, seed: int) -> tuple[Kills, float]:
    """What was seen, and the seconds it took."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        seen = asyncio.run(kill_often(Path(folder), times, seed=seed))
    return seen, time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="five kills, to show that it works")
    asked = parser.parse_args()
    seen, seconds = measure(5 if asked.quick else asked.times, asked.seed)
    if asked.json:
        print(json.dumps(asdict(seen) | {"seconds": round(seconds, 1)}))
    else:
        print(f"{seen.times} kills in {seconds:.0f} s: {seen.acknowledged} commits acknowledged, {len(seen.lost)} lost")
        print("\n".join(seen.wrong) or "every check said ok")
    sys.exit(1 if seen.lost or seen.wrong else 0)


if __name__ == "__main__":
    main()
