"""Answers of Google's Interactions API: recordings written after the published reference
(ai.google.dev/api/interactions-api), the older events after the reference as it was before May 2026."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from dialects.questions import asked, broken_links, question
from dialects.wire import RECORDINGS, check_recording, deltas_of, failure_of, recordings
from google.genai._gaos.types.interactions import Interaction, InteractionSSEEvent
from pydantic import TypeAdapter

from companion.dialects import WireEvent, choose_dialect
from companion.dialects.google_interactions import GoogleInteractions
from companion.dialects.laws import check_dialect, said_of
from companion.errors import ProviderFailed, Refused, Throttled, WireBroken
from companion.model import ChatRole, Message, ModelParams, ToolResult
from companion.model.deltas import (
    BlobDelta,
    CallDelta,
    Counted,
    Finish,
    Finished,
    RawDelta,
    TextDelta,
    ThoughtDelta,
)
from companion.model.gathered import Gathered
from companion.stream import Blob, FuncCall, Usage

INTERACTIONS = GoogleInteractions()
SIGNATURE = "RXBRQ0NwRUNBZEh0aW05bVQwcFExbDNiR1Zt"
THOUGHT = f"google-interactions thought {SIGNATURE}"
OF_TODAY = [path for path in recordings(INTERACTIONS) if path.stem != "contents"]


def recorded(name: str) -> bytes:
    return (RECORDINGS / "google-interactions" / f"{name}.sse").read_bytes()


def event(kind: str, **fields: object) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({**fields, 'event_type': kind})}\n\n".encode()


@pytest.mark.parametrize("path", recordings(INTERACTIONS), ids=lambda path: path.stem)
def test_a_recording_says_the_same_in_every_form_the_line_can_give_it(path: Path) -> None:
    check_recording(INTERACTIONS, path.read_bytes())


@pytest.mark.parametrize("path", OF_TODAY, ids=lambda path: path.stem)
def test_google_knows_every_event_of_the_recordings(path: Path) -> None:
    events = TypeAdapter(InteractionSSEEvent)
    for line in path.read_text().splitlines():
        if line.startswith("data: {"):
            read = events.validate_python(json.loads(line.removeprefix("data: ")))
            assert not getattr(read, "is_unknown", False)
            assert not getattr(getattr(read, "delta", None), "is_unknown", False)


WHOLE = {
    "id": "v1_abc",
    "status": "completed",
    "steps": [
        {
            "type": "thought",
            "signature": SIGNATURE,
            "summary": [{"type": "text", "text": "**Weighing** the colours."}],
        },
        {"type": "model_output", "content": [{"type": "text", "text": "The sky is blue – 蓝色."}]},
    ],
    "usage": {
        "total_tokens": 96,
        "total_input_tokens": 7,
        "total_cached_tokens": 4,
        "total_output_tokens": 20,
        "total_thought_tokens": 69,
    },
}


def test_it_passes_the_examination_of_dialects() -> None:
    Interaction.model_validate(WHOLE)
    model = "gemini-3-flash-preview"
    check_dialect(
        INTERACTIONS,
        recorded("steps"),
        whole=WHOLE,
        request=question(model),
        uncarried=[
            question(""),
            question(model, params=ModelParams(top_k=3)),
            question(model, params=ModelParams(n=2)),
            asked(model, Message(ChatRole.TOOL, ToolResult("nobody", "4"))),
            *broken_links(model),
        ],
    )


def test_steps_come_out_as_thoughts_and_words() -> None:
    assert deltas_of(INTERACTIONS, recorded("steps")) == [
        ThoughtDelta("**Weighing** the "),
        ThoughtDelta("colours."),
        ThoughtDelta(signature=THOUGHT),
        TextDelta("The sky is "),
        TextDelta("blue – 蓝色."),
        Counted(Usage(7, 89, cached_tokens=4, thinking_tokens=69)),
        Finished(Finish.STOP, reason="completed"),
    ]


def test_calls_come_in_pieces_or_whole() -> None:
    assert deltas_of(INTERACTIONS, recorded("calls")) == [
        ThoughtDelta(signature=THOUGHT),
        CallDelta(1, "call_a1", "get_weather"),
        CallDelta(1, arguments='{"city":'),
        CallDelta(1, arguments=' "Paris"}'),
        CallDelta(2, "call_a2", "get_weather"),
        CallDelta(2, arguments='{"city": "Zürich"}'),
        Counted(Usage(60, 43, thinking_tokens=12)),
        Finished(Finish.TOOL_CALLS, reason="requires_action"),
    ]


def test_the_older_events_are_understood_too() -> None:
    assert deltas_of(INTERACTIONS, recorded("contents")) == [
        ThoughtDelta("I look."),
        ThoughtDelta(signature=THOUGHT),
        TextDelta("One moment"),
        TextDelta(", please."),
        CallDelta(2, "", ""),
        CallDelta(2, "k2", "get_weather", signature="google-interactions call c2lnbmVk"),
        CallDelta(2, arguments='{"city": "Paris"}'),
        Counted(Usage(33, 19, thinking_tokens=5)),
        Finished(Finish.TOOL_CALLS, reason="requires_action"),
    ]


def test_an_older_answer_in_one_piece_is_read_by_its_outputs() -> None:
    outputs = [
        {"type": "thought", "signature": SIGNATURE},
        {"type": "text", "text": "One moment."},
        {"type": "function_call", "id": "k2", "name": "get_weather", "arguments": {"city": "Paris"}},
    ]
    said = said_of(INTERACTIONS.read({"status": "requires_action", "outputs": outputs}))

    assert (said.text, said.thoughts, said.calls) == (
        "One moment.",
        (THOUGHT,),
        (FuncCall("get_weather", '{"city": "Paris"}'),),
    )


def test_what_google_searched_is_kept_to_go_back() -> None:
    deltas = deltas_of(INTERACTIONS, recorded("search"))
    raw = [delta.data for delta in deltas if isinstance(delta, RawDelta)]
    kept = [delta.redacted for delta in deltas if isinstance(delta, ThoughtDelta)]

    assert [one["type"] for one in raw] == ["google_search_call", "google_search_result", "text_annotation_delta"]
    assert raw[0]["arguments"] == {"queries": ["euro 2024 winner"]}
    assert [json.loads(one.removeprefix("google-interactions step ")) for one in kept] == raw[:2]
    assert said_of(deltas).usage == Usage(134, 9)


def test_pictures_and_sound_come_out_as_bytes() -> None:
    blobs = [
        delta.blob for delta in deltas_of(INTERACTIONS, recorded("picture_and_sound")) if isinstance(delta, BlobDelta)
    ]

    assert blobs == [
        Blob("image/png", b"\x89PNG\r\n\x1a\n"),
        Blob("audio/pcm; channels=1; rate=24000", b"\0\0\1\0\xff\xff"),
        Blob("audio/pcm; channels=1; rate=24000", b"\2\0\3\0"),
    ]


def test_an_incomplete_answer_is_cut() -> None:
    assert deltas_of(INTERACTIONS, recorded("cut"))[-1] == Finished(Finish.LENGTH, reason="incomplete")


def test_a_stream_may_end_with_its_last_status() -> None:
    ended = recorded("calls").partition(b"event: interaction.completed")[0]
    ended += event("interaction.status_update", interaction_id="v1_abc", status="requires_action")

    assert deltas_of(INTERACTIONS, ended)[-1] == Finished(Finish.TOOL_CALLS, reason="requires_action")


def test_steps_that_come_with_the_end_are_read_where_none_came_before() -> None:
    late = event("interaction.completed", interaction=WHOLE)
    begun = recorded("cut").partition(b"event: interaction.completed")[0]

    assert said_of(deltas_of(INTERACTIONS, late)).text == "The sky is blue – 蓝色."
    assert said_of(deltas_of(INTERACTIONS, begun + late)).text == "One, two, "


def test_an_error_in_the_middle_keeps_its_meaning() -> None:
    begun = recorded("steps").partition(b"event: step.stop")[0]
    busy = failure_of(
        INTERACTIONS, begun + event("error", error={"code": "RESOURCE_EXHAUSTED", "message": "Slow down."})
    )
    vague = failure_of(INTERACTIONS, begun + event("error", error={"message": "Something broke."}))

    assert isinstance(busy, Throttled)
    assert isinstance(vague, ProviderFailed)
    assert str(vague) == "Something broke."


def test_a_blocked_answer_is_refused_and_says_why() -> None:
    blocked = event("error", error={"code": "prohibited_content", "message": "It was blocked."})

    assert deltas_of(INTERACTIONS, blocked) == [Finished(Finish.REFUSED, "It was blocked.", "prohibited_content")]


@pytest.mark.parametrize(
    ("status", "words"), [("failed", "The tool broke."), ("cancelled", "the interaction was cancelled")]
)
def test_an_interaction_that_failed_is_an_error(status: str, words: str) -> None:
    interaction = {"id": "v1_abc", "status": status, "errors": [{"code": "INTERNAL", "message": "The tool broke."}]}
    error = failure_of(INTERACTIONS, event("interaction.completed", interaction=interaction))

    assert isinstance(error, ProviderFailed)
    assert str(error) == words


def test_an_answer_that_has_not_ended_is_no_answer() -> None:
    with pytest.raises(WireBroken, match="in_progress"):
        INTERACTIONS.read({"status": "in_progress", "id": "v1_abc"})


def test_a_delta_of_tomorrow_is_counted_and_given_on() -> None:
    decoder = INTERACTIONS.decoder()
    delta = {"type": "hologram", "x": 1}

    assert decoder.feed(WireEvent("step.delta", json.dumps({"index": 0, "delta": delta}))) == [RawDelta(delta)]
    assert decoder.unknown == 1


def test_a_malformed_event_is_named() -> None:
    with pytest.raises(WireBroken, match=r"malformed google-interactions event step\.delta: has no delta"):
        INTERACTIONS.decoder().feed(WireEvent("step.delta", '{"index": 0}'))


def test_it_is_chosen_by_name_and_url() -> None:
    found = [
        choose_dialect("google-interactions"),
        choose_dialect("gemini-interactions"),
        choose_dialect(url="https://generativelanguage.googleapis.com/v1beta/interactions?x=1"),
    ]

    assert {dialect.name for dialect in found} == {"google-interactions"}


def test_faults_are_those_of_google() -> None:
    fault = INTERACTIONS.fault(404, {"error": {"code": "NOT_FOUND", "message": "models/nobody is not found."}})

    assert isinstance(fault, Refused)
    assert (fault.status, str(fault)) == (404, "models/nobody is not found.")


def test_an_interaction_that_is_completed_has_stopped_in_our_words() -> None:
    finished = said_of(deltas_of(INTERACTIONS, recorded("steps"))).finished

    assert (Gathered(finished=finished).finish_reason, finished.reason) == ("stop", "completed")
