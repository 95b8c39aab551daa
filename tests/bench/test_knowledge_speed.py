"""The bench of knowledge runs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from doubles.checkout import TOP

SCRIPT = Path(__file__).with_name("knowledge_speed.py")


def test_the_bench_tells_of_every_kind_and_of_questions() -> None:
    answer = subprocess.run(
        [sys.executable, SCRIPT, "--quick", "--json"], cwd=TOP, check=True, capture_output=True, timeout=100
    )
    told = json.loads(answer.stdout)

    assert [each["kind"] for each in told["reading"]] == ["text", "chinese", "markdown", "html", "docx", "pdf"]
    assert all(each["megabytes_a_second"] > 0 for each in told["reading"])
    assert told["finding"][0]["own_passage_first"] > 0.8
