"""A companion that is killed while it writes loses nothing that it said was stored."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from doubles.memory_kills import kill_often

TIMES = int(os.environ.get("COMPANION_KILLS", "50"))


@pytest.mark.timeout(300)
async def test_no_acknowledged_fact_is_lost_and_the_file_is_whole_after_each_of_fifty_kills(tmp_path: Path) -> None:
    seen = await kill_often(tmp_path, TIMES, seed=5)

    assert (seen.lost, seen.wrong) == ([], [])
    assert seen.times == TIMES
    assert seen.acknowledged > TIMES
