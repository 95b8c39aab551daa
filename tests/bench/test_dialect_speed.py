"""The bench of the dialects runs, and answers are read fast enough."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from doubles.checkout import TOP

from companion.dialects import dialects

SCRIPT = Path(__file__).with_name("dialect_speed.py")


@pytest.fixture(scope="module")
def found() -> dict:
    command = [sys.executable, SCRIPT, "--quick", "--json"]
    answer = subprocess.run(command, cwd=TOP, check=True, capture_output=True, timeout=100)
    return json.loads(answer.stdout)


def test_every_dialect_is_measured(found: dict) -> None:
    assert tuple(found["speeds"]) == dialects()


def test_an_answer_is_read_faster_than_by_the_sdk_of_its_provider(found: dict) -> None:
    """Three times is usual; how busy the machine is must not decide this."""
    compared = {name: speed["times"] for name, speed in found["speeds"].items() if name not in found["not_measured"]}

    assert len(compared) == 6
    assert min(compared.values()) > 1.5, compared


def test_the_first_words_wait_less_than_a_millisecond(found: dict) -> None:
    assert max(speed["first_us"] for speed in found["speeds"].values()) < 1000


def test_an_open_stream_takes_little(found: dict) -> None:
    assert max(speed["open_kb"] for speed in found["speeds"].values()) < 64
