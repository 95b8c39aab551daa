"""Requests to Gemini, checked by google-genai's own types."""

from __future__ import annotations

import pytest
from dialects.questions import WEATHER, asked, question, spoken_to
from dialects.wire import RECORDINGS, deltas_of
from google.genai import types

from companion.dialects import choose_dialect
from companion.dialects.gemini import Gemini
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
from companion.model.deltas import (
    CallDelta,
    RawDelta,
    ThoughtDelta,
)
from companion.model.gathered import concat
from companion.stream import Blob, FuncCall, Text, ToolCall

GEMINI = Gemini()
BASE = "https://generativelanguage.googleapis.com"
SIGNATURE = "RXBRQ0NwRUNBZEh0aW05bVQwcFExbDNiR1Zt"


def recorded(name: str) -> bytes:
    return (RECORDINGS / "gemini" / f"{name}.sse").read_bytes()


def checked(body: dict[str, object]) -> dict[str, object]:
    """The body, as google-genai's types read it."""
    known = {"contents", "systemInstruction", "tools", "toolConfig", "generationConfig", "safetySettings"}
    assert set(body) <= known
    for content in body["contents"]:
        types.Content.model_validate(content)
    types.Content.model_validate(body.get("systemInstruction", {}))
    types.GenerationConfig.model_validate(body.get("generationConfig", {}))
    for tool in body.get("tools", []):
        types.Tool.model_validate(tool)
    types.ToolConfig.model_validate(body.get("toolConfig", {}))
    return body


def test_a_whole_conversation_is_written_as_google_reads_it() -> None:
    wire = GEMINI.encode(spoken_to("gemini-2.5-flash"), BASE)
    body = checked(wire.body)

    assert wire.url == f"{BASE}/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse"
    assert body["systemInstruction"] == {"parts": [{"text": "You are kind.\n\nYou are brief."}]}
    assert [content["role"] for content in body["contents"]] == ["user", "model", "user", "model", "user"]
    assert body["contents"][1]["parts"] == [
        {"text": "I look."},
        {"functionCall": {"id": "c1", "name": "get_weather", "args": {"city": "Paris"}}},
        {"functionCall": {"id": "c2", "name": "get_weather", "args": {}}},
    ]
    assert body["contents"][2]["parts"] == [
        {"functionResponse": {"id": "c1", "name": "get_weather", "response": {"output": "sunny"}}},
        {"functionResponse": {"id": "c2", "name": "get_weather", "response": {"error": "Error: which city?"}}},
    ]
    assert body["contents"][4]["parts"] == [{"text": "It is noon."}, {"text": "And tomorrow?"}]


def test_every_way_of_sampling_has_its_field() -> None:
    params = ModelParams(
        max_tokens=99, temperature=0.0, top_p=0.9, top_k=40, frequency_penalty=0.1, presence_penalty=0.2, seed=7
    )
    body = checked(GEMINI.encode(question("gemini-2.5-flash", params=params), BASE).body)

    assert body["generationConfig"] == {
        "maxOutputTokens": 99,
        "temperature": 0.0,
        "topP": 0.9,
        "topK": 40,
        "frequencyPenalty": 0.1,
        "presencePenalty": 0.2,
        "seed": 7,
    }


def test_stop_texts_and_extra_fields_go_along() -> None:
    params = ModelParams(stop=("END",), extra_fields={"generationConfig": {"responseModalities": ["TEXT", "IMAGE"]}})
    body = checked(GEMINI.encode(question("gemini-2.5-flash-image", params=params), BASE).body)

    assert body["generationConfig"] == {"stopSequences": ["END"], "responseModalities": ["TEXT", "IMAGE"]}


@pytest.mark.parametrize(
    ("thinking", "config"),
    [
        (Thinking(True), {"includeThoughts": True}),
        (Thinking(True, "low"), {"includeThoughts": True, "thinkingLevel": "LOW"}),
        (Thinking(None, "2048"), {"thinkingBudget": 2048}),
        (Thinking(False), {"includeThoughts": False, "thinkingBudget": 0}),
    ],
)
def test_thinking_is_switched(thinking: Thinking, config: dict[str, object]) -> None:
    body = checked(GEMINI.encode(question("gemini-3-pro", params=ModelParams(thinking=thinking)), BASE).body)

    assert body["generationConfig"] == {"thinkingConfig": config}


@pytest.mark.parametrize(
    ("choice", "config"),
    [
        (ToolChoice(), {"mode": "AUTO"}),
        (ToolChoice(Calling.FORBIDDEN), {"mode": "NONE"}),
        (ToolChoice(Calling.FORCED), {"mode": "ANY"}),
        (ToolChoice(Calling.FORCED, ("get_weather",)), {"mode": "ANY", "allowedFunctionNames": ["get_weather"]}),
        (ToolChoice(names=("get_weather",)), {"mode": "VALIDATED", "allowedFunctionNames": ["get_weather"]}),
    ],
)
def test_tools_are_offered_and_chosen(choice: ToolChoice, config: dict[str, object]) -> None:
    request = question("gemini-3-pro", tools=(WEATHER, SearchWebTool()), tool_choice=choice)
    body = checked(GEMINI.encode(request, BASE).body)

    assert body["toolConfig"] == {"functionCallingConfig": config}
    assert body["tools"][1] == {"googleSearch": {}}
    assert body["tools"][0]["functionDeclarations"][0]["parametersJsonSchema"] == WEATHER.parameters


def test_a_call_of_no_tool_cannot_be_forced() -> None:
    for tools in ((), (WEATHER,)):
        choice = ToolChoice(Calling.FORCED, ("other",))
        with pytest.raises(Unsupported, match="no tool that is offered"):
            GEMINI.encode(question("gemini-3-pro", tools=tools, tool_choice=choice), BASE)


def test_an_answer_in_a_form_is_asked_for_by_its_schema() -> None:
    body = checked(GEMINI.encode(question("gemini-3-pro", answer_form=WEATHER), BASE).body)

    assert body["generationConfig"] == {
        "responseMimeType": "application/json",
        "responseJsonSchema": WEATHER.parameters,
    }


def test_pictures_sound_films_and_files_go_along() -> None:
    parts = (
        Text("What is this?"),
        Blob("image/png", b"\x89PNG"),
        Blob("audio/pcm; channels=1; rate=16000", b"\0\0"),
        Link("video/mp4", "https://example.org/a.mp4"),
        Link("image/jpeg", "data:image/gif;base64,R0lG"),
        Resource("file:///a.txt", text="words"),
        Resource("https://example.org/a.pdf", "application/pdf"),
        Resource("file:///b.pdf", "application/pdf", data=b"%PDF"),
    )
    body = checked(GEMINI.encode(asked("gemini-3-pro", Message(ChatRole.USER, Contents(parts))), BASE).body)

    assert body["contents"][0]["parts"] == [
        {"text": "What is this?"},
        {"inlineData": {"mimeType": "image/png", "data": "iVBORw=="}},
        {"inlineData": {"mimeType": "audio/pcm;channels=1;rate=16000", "data": "AAA="}},
        {"fileData": {"mimeType": "video/mp4", "fileUri": "https://example.org/a.mp4"}},
        {"inlineData": {"mimeType": "image/gif", "data": "R0lG"}},
        {"text": "file:///a.txt\nwords"},
        {"fileData": {"mimeType": "application/pdf", "fileUri": "https://example.org/a.pdf"}},
        {"inlineData": {"mimeType": "application/pdf", "data": "JVBERg=="}},
    ]


def test_signatures_go_back_as_they_came() -> None:
    answer = deltas_of(GEMINI, recorded("thoughts_and_calls"))
    call = next(delta for delta in answer if isinstance(delta, CallDelta))
    seal = next(delta.signature for delta in answer if isinstance(delta, ThoughtDelta) and delta.signature)
    turn = [
        Message.of(ChatRole.USER, "Weather?"),
        Message(ChatRole.ASSISTANT, Contents((Thought("A thought", "gemini thought c2ln"), Text("I look it up.")))),
        Message(ChatRole.ASSISTANT, Contents((Thought("a summary", seal),))),
        Message(ChatRole.ASSISTANT, ToolCall(call.id, FuncCall(call.name, call.arguments), call.signature)),
        Message(ChatRole.TOOL, ToolResult(call.id, "sunny")),
    ]
    body = checked(GEMINI.encode(asked("gemini-3-pro", *turn), BASE).body)

    assert body["contents"][1]["parts"] == [
        {"text": "A thought", "thought": True, "thoughtSignature": "c2ln"},
        {"text": "I look it up."},
        {"text": "a summary", "thought": True},
        {"text": "", "thoughtSignature": "Es0BCsoBAdHtim8="},
        {
            "functionCall": {"id": "k3jd91aa", "name": "get_weather", "args": {"city": "Paris", "days": 2}},
            "thoughtSignature": SIGNATURE,
        },
    ]


def test_what_another_provider_signed_stays_here() -> None:
    turn = [
        Message.of(ChatRole.USER, "Weather?"),
        Message(
            ChatRole.ASSISTANT,
            Contents((Thought("Hm", "anthropic signature abc"), Thought("", redacted="anthropic x y"))),
        ),
        Message(ChatRole.ASSISTANT, ToolCall("c1", FuncCall("get_weather", '{"city": "Paris"}'), "other call abc")),
        Message(ChatRole.TOOL, ToolResult("c1", "sunny")),
    ]
    call = {"functionCall": {"id": "c1", "name": "get_weather", "args": {"city": "Paris"}}}

    old = GEMINI.encode(asked("gemini-2.5-pro", *turn), BASE).body
    new = GEMINI.encode(asked("gemini-3-pro", *turn), BASE).body

    assert old["contents"][1]["parts"] == [call]
    assert new["contents"][1]["parts"] == [call | {"thoughtSignature": "skip_thought_signature_validator"}]
    checked(new)


def test_an_answer_goes_back_whole() -> None:
    answer = concat(deltas_of(GEMINI, recorded("thoughts_and_calls")))
    results = [Message(ChatRole.TOOL, ToolResult(call.id, "sunny")) for call in answer.calls]
    request = asked("gemini-3-pro", Message.of(ChatRole.USER, "Weather?"), *answer.messages, *results)
    body = checked(GEMINI.encode(request, BASE).body)

    assert body["contents"][1]["parts"] == [
        {"text": "**Looking up the weather**\n\nTwo cities are asked for.", "thought": True},
        {"text": "I look it up."},
        {"text": "", "thoughtSignature": "Es0BCsoBAdHtim8="},
        {
            "functionCall": {"id": "k3jd91aa", "name": "get_weather", "args": {"city": "Paris", "days": 2}},
            "thoughtSignature": SIGNATURE,
        },
        {"functionCall": {"id": "p0x2w7bb", "name": "get_weather", "args": {"city": "Zürich"}}},
    ]


def test_calls_without_ids_are_paired_with_their_results() -> None:
    answer = concat(deltas_of(GEMINI, recorded("calls_without_ids")))
    results = [Message(ChatRole.TOOL, ToolResult(call.id, call.func_call.arguments)) for call in answer.calls]
    request = asked("gemini-2.5-pro", Message.of(ChatRole.USER, "When?"), *answer.messages, *reversed(results))
    body = checked(GEMINI.encode(request, BASE).body)
    calls = [part["functionCall"] for part in body["contents"][1]["parts"]]
    told = [part["functionResponse"] for part in body["contents"][2]["parts"]]

    assert len({call["id"] for call in calls}) == 2
    assert [one["id"] for one in told] == [call["id"] for call in calls]
    assert [one["response"] for one in told] == [{"output": "{}"}, {"output": '{"zone": "UTC"}'}]


def test_results_stand_in_the_order_of_their_calls() -> None:
    turn = [
        Message.of(ChatRole.USER, "Weather?"),
        Message(ChatRole.ASSISTANT, ToolCall("c1", FuncCall("get_weather", "{}"))),
        Message(ChatRole.ASSISTANT, ToolCall("c2", FuncCall("get_time", "{}"))),
        Message(ChatRole.TOOL, ToolResult("c2", "noon")),
        Message(ChatRole.TOOL, ToolResult("c1", "sunny")),
    ]
    parts = GEMINI.encode(asked("gemini-2.5-pro", *turn), BASE).body["contents"][2]["parts"]

    assert [part["functionResponse"]["name"] for part in parts] == ["get_weather", "get_time"]


@pytest.mark.parametrize(
    ("base", "url"),
    [
        (BASE, f"{BASE}/v1beta/models/gemini-3-pro:generateContent"),
        (f"{BASE}/v1beta/", f"{BASE}/v1beta/models/gemini-3-pro:generateContent"),
        (f"{BASE}/v1", f"{BASE}/v1/models/gemini-3-pro:generateContent"),
        (
            "https://gate.test/g/v1beta/models/old:streamGenerateContent?a=1",
            "https://gate.test/g/v1beta/models/gemini-3-pro:generateContent?a=1",
        ),
        ("https://gate.test/as-it-is#", "https://gate.test/as-it-is"),
    ],
)
def test_the_url_is_completed(base: str, url: str) -> None:
    assert GEMINI.encode(question("models/gemini-3-pro", is_streamed=False), base).url == url


def test_a_whole_url_names_the_model() -> None:
    base = f"{BASE}/v1beta/models/gemini-3-pro:generateContent"

    assert GEMINI.encode(question(""), base).url == f"{BASE}/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse"


def test_it_is_chosen_by_name_provider_and_url() -> None:
    found = [
        choose_dialect("google"),
        choose_dialect("gemini-models"),
        choose_dialect(provider="google-ai"),
        choose_dialect(url=f"{BASE}/v1beta/models/gemini-3-pro:generateContent?alt=sse"),
        choose_dialect(url=f"{BASE}/v1/models/gemini-3-pro:streamGenerateContent/"),
    ]

    assert {dialect.name for dialect in found} == {"gemini"}


def test_a_request_without_a_question_is_refused() -> None:
    with pytest.raises(Unsupported):
        GEMINI.encode(asked("gemini-3-pro"), BASE)


def test_what_googles_own_tools_did_goes_back_as_it_came() -> None:
    part = {"executableCode": {"language": "PYTHON", "code": "print(1)"}, "thoughtSignature": "c2ln"}
    deltas = GEMINI.read({"candidates": [{"content": {"parts": [part]}, "finishReason": "STOP"}]})
    kept = next(delta.redacted for delta in deltas if isinstance(delta, ThoughtDelta))
    turn = (Message.of(ChatRole.USER, "1?"), Message(ChatRole.ASSISTANT, Contents((Thought("", redacted=kept),))))
    body = checked(GEMINI.encode(asked("gemini-3-pro", *turn), BASE).body)

    assert RawDelta(part) in deltas
    assert body["contents"][1]["parts"] == [part]
