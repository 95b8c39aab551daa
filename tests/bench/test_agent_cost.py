"""The bench of the agent runs, and the agent costs no more than it may."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from doubles.checkout import TOP

SCRIPT = Path(__file__).with_name("agent_cost.py")


def test_the_first_words_come_at_most_fifty_milliseconds_later() -> None:
    answer = subprocess.run(
        [sys.executable, SCRIPT, "--quick", "--json"], cwd=TOP, check=True, capture_output=True, timeout=90
    )
    found = json.loads(answer.stdout)

    assert len(found) == 5
    assert all(figures["added_ms"] < 50 for figures in found.values()), found
