"""What a provider has sent comes through a turn to a web interface."""

from __future__ import annotations

from pathlib import Path

import pytest
from doubles.chat_backend import ScriptedBackend

from companion.dialects import AnswerReader, choose_dialect
from companion.dialects.ui_streams import AiSdkWriter
from companion.model.chat import ChatModel

RECORDINGS = Path(__file__).parents[1] / "recordings/anthropic"


@pytest.mark.parametrize(
    ("recording", "told", "said"), [("cut_in_a_call", "length", "max_tokens"), ("words", "stop", "end_turn")]
)
async def test_why_an_answer_ended_is_told_in_the_word_of_the_interface(recording: str, told: str, said: str) -> None:
    reader = AnswerReader(choose_dialect(standard="anthropic"))
    deltas = [*reader.feed((RECORDINGS / f"{recording}.sse").read_bytes()), *reader.end()]

    response = await ChatModel(ScriptedBackend(deltas)).generate("Go on.")

    writer = AiSdkWriter("answer")
    parts = [part for event in response.events for part in writer.write(event)]
    assert parts[-1]["finishReason"] == told
    assert response.provider_reason == said
