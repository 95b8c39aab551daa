"""The bench of the echo canceller runs, and finds voices over a reply."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from doubles.checkout import TOP

SCRIPT = Path(__file__).with_name("echo_canceller.py")


def test_every_voice_is_heard_in_the_plainest_room_and_the_echo_is_none() -> None:
    answer = subprocess.run(
        [sys.executable, SCRIPT, "--quick", "--json"], cwd=TOP, check=True, capture_output=True, timeout=120
    )
    for found in json.loads(answer.stdout):
        assert len(found["heard_after"]) == found["voices"]
        assert found["false_voices"] == 0
