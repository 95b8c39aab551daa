"""The benches of memory run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize(("bench", "key"), [("memory_scale.py", "recall_p95_ms"), ("memory_kills.py", "acknowledged")])
def test_a_quick_run_prints_its_figures(bench: str, key: str) -> None:
    program = [sys.executable, str(HERE / bench), "--quick", "--json"]
    ran = subprocess.run(program, capture_output=True, text=True, timeout=100, check=True)

    figures = json.loads(ran.stdout)
    assert (figures[0] if isinstance(figures, list) else figures)[key] > 0
