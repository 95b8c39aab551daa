"""The benches of recall run, on a conversation made up here in LoCoMo's form."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from doubles.checkout import TOP

HERE = Path(__file__).parent
THINGS = ("cello", "bicycle", "violin", "garden", "kitchen", "dentist", "holiday", "concert")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    file = tmp_path / "talk.json"
    file.write_text(json.dumps([a_conversation("conv-26"), a_conversation("conv-30")]))
    return file


def a_conversation(name: str) -> dict:
    talk: dict = {"speaker_a": "Anna", "speaker_b": "Ben"}
    questions = []
    for number, thing in enumerate(THINGS, start=1):
        talk[f"session_{number}_date_time"] = f"1:5{number} pm on {number} May, 2023"
        said = ("Anna", f"What about the {thing}?"), ("Ben", "It is blue."), ("Anna", "Good."), ("Ben", "Bye now.")
        talk[f"session_{number}"] = [
            {"speaker": who, "dia_id": f"D{number}:{place}", "text": text} for place, (who, text) in enumerate(said, 1)
        ]
        questions.append(
            {"question": f"What is Ben's {thing} like?", "category": 4, "evidence": [f"D{number}:02; D99:1"]}
        )
    return {"sample_id": name, "conversation": talk, "qa": questions}


def run(*given: object) -> str:
    answer = subprocess.run(
        [sys.executable, *map(str, given)], cwd=TOP, check=True, capture_output=True, timeout=100, text=True
    )
    return answer.stdout


def test_recall_is_measured(data: Path) -> None:
    found = json.loads(run(HERE / "recall_locomo.py", "--data", data, "--json"))

    assert found["questions"] == 2 * len(THINGS)
    assert found["recall"] == [1.0, 1.0, 1.0]
    assert found["by category"] == {"single-hop": [1.0, 1.0, 1.0]}
    assert found["p95 ms"] > 0


def test_half_of_the_conversations_can_be_held_out(data: Path) -> None:
    for half in ("tune", "hold"):
        found = json.loads(run(HERE / "recall_locomo.py", "--data", data, "--json", "--half", half))
        assert found["questions"] == len(THINGS)


def test_weights_are_fitted(data: Path) -> None:
    assert "hold out  1.000 1.000 1.000" in run(HERE / "recall_fit.py", "--data", data)


def test_the_cost_of_a_large_memory_is_measured() -> None:
    (cost,) = json.loads(run(HERE / "recall_scale.py", "--sizes", 600, "--questions", 40, "--json"))

    assert cost["turns"] == 600
    assert cost["found"] > 0.8
    assert 0 < cost["median_ms"] <= cost["p95_ms"] <= cost["most_ms"]
