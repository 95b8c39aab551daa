"""A companion that is killed while it talks starts again, and has kept every turn that was finished."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from end_to_end.running import furnish
from end_to_end.voices import Speech

from companion.app.bench.kills import FULL_EVERY, kill_at_random
from companion.app.paths import Paths
from companion.app.virtual_sound import VirtualSound
from companion.audio.resample import samples_of

ROUNDS = 10
LATEST = 4.5
QUESTIONS = ("What is three plus four?", "What time is it?", "Why is the sky blue?", "Tell me about the sea.")


@pytest.mark.timeout(300)
async def test_nothing_finished_is_lost_and_nothing_is_half_written(
    shelf_folder: Path, speech: Speech, tmp_path: Path
) -> None:
    paths = Paths.under(tmp_path / "home")
    furnish(paths.data, shelf_folder)
    questions = [samples_of(speech.say(text)) for text in QUESTIONS]
    async with VirtualSound() as sound:
        toll = await kill_at_random(paths, sound, questions, rounds=ROUNDS, latest=LATEST)

    assert toll.troubles == []
    assert (toll.rounds, toll.restarted) == (ROUNDS, ROUNDS)
    assert (toll.lost, toll.half) == (0, 0)
    assert toll.finished >= ROUNDS // FULL_EVERY
    # How many hit a turn is chance; that none does would show nothing.
    assert toll.while_talking >= ROUNDS // 4
    for line in (paths.sessions / "default.messages.ndjson").read_text().splitlines():
        assert json.loads(line)["role"] in ("user", "assistant")
