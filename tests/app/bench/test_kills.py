"""What is left of a conversation after a kill, and how it is counted."""

from __future__ import annotations

import json

import pytest

from companion.app.bench.kills import whole_turns
from companion.app.paths import Paths

QUESTION = {"role": "user", "text": "what time is it"}
ANSWER = {"role": "assistant", "text": "It is noon."}


@pytest.fixture
def paths() -> Paths:
    paths = Paths.here()
    paths.prepare()
    return paths


def keep(paths: Paths, *entries: dict[str, str], torn: str = "") -> None:
    text = "".join(json.dumps(entry) + "\n" for entry in entries) + torn
    (paths.sessions / "default.messages.ndjson").write_text(text)


def test_without_a_history_nothing_is_half(paths: Paths) -> None:
    assert whole_turns(paths) == ([], True)


def test_a_question_nobody_heard_an_answer_to_is_no_half_turn(paths: Paths) -> None:
    keep(paths, QUESTION, ANSWER, QUESTION, QUESTION, ANSWER)

    answers, is_whole = whole_turns(paths)

    assert len(answers) == 2
    assert is_whole


def test_an_answer_without_its_question_is_half(paths: Paths) -> None:
    keep(paths, QUESTION, ANSWER, ANSWER)

    assert not whole_turns(paths)[1]


@pytest.mark.parametrize("torn", ['{"role": "user", "te', '{"role": "user"}', '{"role":\n'])
def test_a_torn_line_is_half(paths: Paths, torn: str) -> None:
    keep(paths, QUESTION, ANSWER, torn=torn)

    assert not whole_turns(paths)[1]
