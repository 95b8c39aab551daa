"""The bench of the stream contract runs, and the contract costs what it may."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from doubles.checkout import TOP

SCRIPT = Path(__file__).with_name("stream_cost.py")


@pytest.fixture(scope="module")
def found() -> dict[str, dict[str, dict[str, object]]]:
    answer = subprocess.run(
        [sys.executable, SCRIPT, "--quick", "--no-pipecat", "--json"],
        cwd=TOP,
        check=True,
        capture_output=True,
        timeout=60,
    )
    return json.loads(answer.stdout)


def test_a_stage_costs_less_than_a_queue(found) -> None:
    """By a wide margin (a third is usual), for how busy the machine is must not decide this."""
    queue = found["cost"]["asyncio.Queue of 64, no laws"]["8"]

    assert found["cost"]["pass-through stage, async for"]["8"] < 0.7 * queue
    assert found["cost"]["pass-through stage, next"]["8"] < 0.7 * queue
    assert found["cost"]["stage with a buffer of 64"]["8"] < 1.5 * queue


def test_no_chunk_comes_after_an_interrupt(found) -> None:
    stale = {
        f"{kind}, {stages} stages": figures["stale"]
        for kind, by_stages in found["interrupt"].items()
        for stages, figures in by_stages.items()
    }

    assert len(stale) == 6
    assert not any(stale.values()), stale
