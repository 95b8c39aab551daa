"""The bench of the month runs, and memory answers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from doubles.checkout import TOP

SCRIPT = Path(__file__).with_name("household_month.py")


def test_the_bench_plays_both_languages_and_memory_answers() -> None:
    answer = subprocess.run(
        [sys.executable, SCRIPT, "--quick", "--json"], cwd=TOP, check=True, capture_output=True, timeout=100
    )
    told = json.loads(answer.stdout)

    assert [each["language"] for each in told] == ["en", "zh"]
    assert all(each["known"] >= 0.95 for each in told)
    assert all(each["junk"] <= 0.05 for each in told)
