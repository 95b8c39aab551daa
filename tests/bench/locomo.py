"""Reads LoCoMo (Maharana et al., 2024): long conversations of two people, with questions and where the answers stand.

The data are CC BY-NC 4.0 and not in the repository. Every turn is a passage, as it was said, with the time of its
session; a question counts if at least one of its places is a turn there is.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from companion.memory.passages import Passage

_PLACE = re.compile(r"D(\d+):0*(\d+)")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, with the turns that answer it."""

    text: str
    category: int
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conversation:
    """sessions: the turns of each. last: when the last session began; questions are asked a week later."""

    name: str
    sessions: tuple[tuple[Passage, ...], ...]
    questions: tuple[Asked, ...]

    @property
    def asked_at(self) -> datetime:
        return max(turn.at for session in self.sessions for turn in session) + timedelta(days=7)


def read(file: Path) -> list[Conversation]:
    """The conversations of a file."""
    return [_conversation(raw) for raw in json.loads(file.read_text(encoding="utf-8"))]


def _conversation(raw: dict) -> Conversation:
    held = raw["conversation"]
    numbers = sorted(int(key.split("_")[1]) for key in held if re.fullmatch(r"session_\d+", key))
    sessions = tuple(_session(held[f"session_{number}"], held[f"session_{number}_date_time"]) for number in numbers)
    known = {turn.turn for session in sessions for turn in session}
    questions = []
    for asked in raw["qa"]:
        places = (place for said in asked["evidence"] for place in _PLACE.findall(said))
        evidence = frozenset(f"D{session}:{turn}" for session, turn in places) & known
        if evidence:
            questions.append(Asked(asked["question"], asked["category"], evidence))
    return Conversation(raw["sample_id"], sessions, tuple(questions))


def _session(turns: list[dict], when: str) -> tuple[Passage, ...]:
    began = datetime.strptime(when, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    return tuple(
        Passage(turn.get("text", ""), began + timedelta(seconds=10 * place), turn["speaker"], turn["dia_id"])
        for place, turn in enumerate(turns)
    )
