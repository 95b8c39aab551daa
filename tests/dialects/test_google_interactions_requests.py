"""Requests to Google's Interactions API, checked by google-genai's own types."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from dialects.questions import WEATHER, asked, question, spoken_to
from dialects.wire import RECORDINGS, deltas_of
from google.genai._gaos.types.interactions import Content, CreateModelInteraction, Step, Tool
from pydantic import TypeAdapter

from companion.dialects.google_interactions import GoogleInteractions
from companion.errors import Unsupported
from companion.model import (
    Calling,
    ChatRole,
    Contents,
    Link,
    Message,
    ModelParams,
    Resource,
    SearchWebTool,
    Thinking,
    Thought,
    ToolChoice,
    ToolResult,
)
from companion.model.deltas import CallDelta, ThoughtDelta
from companion.model.gathered import concat
from companion.stream import Blob, FuncCall, Text, ToolCall

INTERACTIONS = GoogleInteractions()
BASE = "https://generativelanguage.googleapis.com"
MODEL = "gemini-3-flash-preview"


def known(kind: object, value: object) -> None:
    """Demand that google-genai knows the value by one of its own types, whole."""
    read = TypeAdapter(kind).validate_python(value)
    assert not getattr(read, "is_unknown", False), value
    assert not getattr(read, "model_extra", None), value


def checked(body: Mapping[str, object]) -> Mapping[str, object]:
    """The body, as google-genai's types read it, and as they would send it again."""
    for step in body["input"]:
        known(Step, step)
        for content in step.get("content", ()):
            known(Content, content)
    for tool in body.get("tools", ()):
        known(Tool, tool)
    again = CreateModelInteraction.model_validate(body).model_dump(mode="json", by_alias=True, exclude_none=True)
    assert again == body
    return body


def test_a_whole_conversation_is_written_as_google_reads_it() -> None:
    wire = INTERACTIONS.encode(spoken_to(MODEL), BASE)
    body = checked(wire.body)

    assert wire.url == f"{BASE}/v1beta/interactions"
    assert wire.headers == {"Api-Revision": "2026-05-20"}
    assert body["system_instruction"] == "You are kind.\n\nYou are brief."
    assert body["input"] == [
        {"type": "user_input", "content": [{"type": "text", "text": "How is the weather?"}]},
        {"type": "model_output", "content": [{"type": "text", "text": "I look."}]},
        {"type": "function_call", "id": "c1", "name": "get_weather", "arguments": {"city": "Paris"}},
        {"type": "function_call", "id": "c2", "name": "get_weather", "arguments": {}},
        {"type": "function_result", "call_id": "c1", "name": "get_weather", "result": "sunny"},
        {
            "type": "function_result",
            "call_id": "c2",
            "name": "get_weather",
            "result": "Error: which city?",
            "is_error": True,
        },
        {"type": "model_output", "content": [{"type": "text", "text": "Sunny in Paris."}]},
        {
            "type": "user_input",
            "content": [{"type": "text", "text": "It is noon."}, {"type": "text", "text": "And tomorrow?"}],
        },
    ]


def test_nothing_is_stored_at_google() -> None:
    assert INTERACTIONS.encode(question(MODEL), BASE).body["store"] is False


def test_every_way_of_sampling_has_its_field() -> None:
    params = ModelParams(
        max_tokens=99,
        temperature=0.0,
        top_p=0.9,
        seed=7,
        stop=("END",),
        thinking=Thinking(True, "Low"),
        extra_fields={"service_tier": "flex", "generation_config": {"speech_config": [{"voice": "kore"}]}},
    )
    body = checked(INTERACTIONS.encode(question(MODEL, params=params, is_streamed=False), BASE).body)

    assert body["stream"] is False
    assert body["service_tier"] == "flex"
    assert body["generation_config"] == {
        "max_output_tokens": 99,
        "temperature": 0.0,
        "top_p": 0.9,
        "seed": 7,
        "stop_sequences": ["END"],
        "thinking_level": "low",
        "thinking_summaries": "auto",
        "speech_config": [{"voice": "kore"}],
    }


def test_without_thoughts_it_thinks_least() -> None:
    body = checked(INTERACTIONS.encode(question(MODEL, params=ModelParams(thinking=Thinking(False))), BASE).body)

    assert body["generation_config"] == {"thinking_level": "minimal", "thinking_summaries": "none"}


@pytest.mark.parametrize("name", ["top_k", "frequency_penalty", "presence_penalty"])
def test_what_it_cannot_carry_is_told_before(name: str) -> None:
    with pytest.raises(Unsupported, match=name):
        INTERACTIONS.encode(question(MODEL, params=ModelParams(**{name: 1})), BASE)


@pytest.mark.parametrize(
    ("choice", "sent"),
    [
        (ToolChoice(), "auto"),
        (ToolChoice(Calling.FORBIDDEN), "none"),
        (ToolChoice(Calling.FORCED), "any"),
        (ToolChoice(Calling.FORCED, ("get_weather",)), {"allowed_tools": {"mode": "any", "tools": ["get_weather"]}}),
    ],
)
def test_tools_are_offered_and_chosen(choice: ToolChoice, sent: object) -> None:
    request = question(MODEL, tools=(WEATHER, SearchWebTool()), tool_choice=choice)
    body = checked(INTERACTIONS.encode(request, BASE).body)

    assert body["generation_config"] == {"tool_choice": sent}
    assert body["tools"] == [
        {
            "type": "function",
            "name": "get_weather",
            "description": WEATHER.description,
            "parameters": WEATHER.parameters,
        },
        {"type": "google_search"},
    ]


def test_a_call_of_no_tool_cannot_be_forced() -> None:
    with pytest.raises(Unsupported, match="no tool that is offered"):
        INTERACTIONS.encode(question(MODEL, tool_choice=ToolChoice(Calling.FORCED)), BASE)


def test_an_answer_in_a_form_is_asked_for_by_its_schema() -> None:
    body = checked(INTERACTIONS.encode(question(MODEL, answer_form=WEATHER), BASE).body)

    assert body["response_format"] == {"type": "text", "mime_type": "application/json", "schema": WEATHER.parameters}


def test_pictures_sound_films_and_files_go_along() -> None:
    parts = (
        Blob("image/png", b"\x89PNG"),
        Blob("audio/pcm; channels=1; rate=16000", b"\0\0"),
        Link("video/mp4", "https://example.org/a.mp4"),
        Link("image/jpeg", "data:image/gif;base64,R0lG"),
        Blob("text/markdown", b"# words"),
        Resource("file:///a.txt", text="words"),
        Resource("https://example.org/a.pdf", "application/pdf"),
        Resource("file:///b.pdf", "application/pdf", data=b"%PDF"),
    )
    body = checked(INTERACTIONS.encode(asked(MODEL, Message(ChatRole.USER, Contents(parts))), BASE).body)

    assert body["input"][0]["content"] == [
        {"type": "image", "data": "iVBORw==", "mime_type": "image/png"},
        {"type": "audio", "data": "AAA=", "mime_type": "audio/l16", "sample_rate": 16000, "channels": 1},
        {"type": "video", "uri": "https://example.org/a.mp4", "mime_type": "video/mp4"},
        {"type": "image", "data": "R0lG", "mime_type": "image/gif"},
        {"type": "text", "text": "# words"},
        {"type": "text", "text": "file:///a.txt\nwords"},
        {"type": "document", "uri": "https://example.org/a.pdf", "mime_type": "application/pdf"},
        {"type": "document", "data": "JVBERg==", "mime_type": "application/pdf"},
    ]


def test_bytes_of_an_unknown_kind_stay_here() -> None:
    with pytest.raises(Unsupported, match="unknown kind"):
        INTERACTIONS.encode(
            asked(MODEL, Message(ChatRole.USER, Contents((Blob("application/octet-stream", b"?"),)))), BASE
        )


def test_signatures_and_searches_go_back_as_they_came() -> None:
    folder = RECORDINGS / "google-interactions"
    called = deltas_of(INTERACTIONS, (folder / "contents.sse").read_bytes())
    searched = deltas_of(INTERACTIONS, (folder / "search.sse").read_bytes())
    seal = next(delta.signature for delta in called if isinstance(delta, ThoughtDelta) and delta.signature)
    call = next(delta for delta in called if isinstance(delta, CallDelta) and delta.signature)
    kept = [Thought("", redacted=delta.redacted) for delta in searched if isinstance(delta, ThoughtDelta)]
    turn = [
        Message.of(ChatRole.USER, "Weather?"),
        Message(ChatRole.ASSISTANT, Contents((Thought("I look.", seal), *kept, Text("One moment.")))),
        Message(ChatRole.ASSISTANT, Contents((Thought("Hm", "anthropic signature abc"), Thought("unsigned")))),
        Message(ChatRole.ASSISTANT, ToolCall("k2", FuncCall("get_weather", '{"city": "Paris"}'), call.signature)),
        Message(ChatRole.TOOL, ToolResult("k2", "sunny")),
    ]
    steps = checked(INTERACTIONS.encode(asked(MODEL, *turn), BASE).body)["input"]

    assert [step["type"] for step in steps] == [
        "user_input",
        "thought",
        "google_search_call",
        "google_search_result",
        "model_output",
        "thought",
        "function_call",
        "function_result",
    ]
    assert steps[1]["summary"] == [{"type": "text", "text": "I look."}]
    assert (steps[2]["signature"], steps[3]["signature"], steps[5]["signature"]) == ("c2Vh", "cmVz", "c2lnbmVk")
    assert json.dumps(steps[2]["arguments"]) == '{"queries": ["euro 2024 winner"]}'


@pytest.mark.parametrize("name", ["steps", "calls", "contents", "search", "picture_and_sound"])
def test_an_answer_goes_back_whole(name: str) -> None:
    read = concat(deltas_of(INTERACTIONS, (RECORDINGS / "google-interactions" / f"{name}.sse").read_bytes()))
    results = [Message(ChatRole.TOOL, ToolResult(call.id, "sunny")) for call in read.calls]
    body = checked(
        INTERACTIONS.encode(asked(MODEL, Message.of(ChatRole.USER, "?"), *read.messages, *results), BASE).body
    )
    again = INTERACTIONS.read({"status": "completed", "steps": body["input"][1 : len(body["input"]) - len(results)]})

    assert concat(again).text == read.text
    assert [call.func_call for call in concat(again).calls] == [call.func_call for call in read.calls]
    assert sum(isinstance(block, Thought) for block in concat(again).blocks) >= sum(
        isinstance(block, Thought) for block in read.blocks
    )
