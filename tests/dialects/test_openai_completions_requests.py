"""Requests of chat completions: every one fits the types of OpenAI's own SDK."""

from __future__ import annotations

import base64
import io
import json
import wave

import pytest
from dialects.questions import SYSTEM_TEXTS, WEATHER, asked, question, spoken_to
from dialects.sdk_types import check_against
from openai.types.chat.completion_create_params import CompletionCreateParams

from companion.dialects.openai_completions import OpenAICompletions
from companion.errors import Unsupported
from companion.model import (
    Calling,
    ChatRequest,
    ChatRole,
    Contents,
    FuncTool,
    Message,
    ModelContext,
    ModelParams,
    Resource,
    SearchWebTool,
    SystemPrompt,
    Thinking,
    Thought,
    ToolChoice,
    ToolResult,
)
from companion.model.content import audio, blob, image, video
from companion.stream import FuncCall, Text, ToolCall, pcm

DIALECT = OpenAICompletions()
OPENAI = "https://api.openai.com/v1"
DEEPSEEK = "https://api.deepseek.com"
OPENROUTER = "https://openrouter.ai/api/v1"
MISTRAL = "https://api.mistral.ai/v1"
ENGINE = "http://127.0.0.1:8080"
PNG = b"\x89PNG\r\n"
TIME = FuncTool("get_time", "The time.", {"type": "object", "properties": {}, "additionalProperties": False})
POINT = FuncTool(
    "point", "", {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}, strict=True
)


def body(request: ChatRequest, base_url: str = OPENAI) -> dict:
    """The body that is sent; what goes to OpenAI fits its types."""
    wire = DIALECT.encode(request, base_url)
    if base_url == OPENAI:
        check_against(CompletionCreateParams, wire)
    return json.loads(json.dumps(wire.body))


def shown(*parts: object) -> ChatRequest:
    return asked("gpt-5", Message(ChatRole.USER, Contents(parts)))


def parts_of(*parts: object, base_url: str = OPENAI) -> object:
    return body(shown(*parts), base_url)["messages"][0]["content"]


def chosen(choice: ToolChoice, *tools: FuncTool | SearchWebTool, base_url: str = OPENAI) -> dict:
    return body(question("gpt-5", tools=tools or (WEATHER, TIME), tool_choice=choice), base_url)


def test_a_whole_conversation_is_written() -> None:
    assert body(spoken_to("gpt-5"))["messages"] == [
        {"role": "developer", "content": "You are kind.\n\nYou are brief."},
        {"role": "user", "content": "How is the weather?"},
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Paris"}'}},
                {"id": "c2", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}},
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "sunny"},
        {"role": "tool", "tool_call_id": "c2", "content": "Error: which city?"},
        {"role": "assistant", "content": "Sunny in Paris."},
        {"role": "developer", "content": "It is noon."},
        {"role": "user", "content": "And tomorrow?"},
    ]


def test_an_engine_gets_one_system_text_and_the_closing_from_the_user() -> None:
    messages = body(spoken_to("m"), ENGINE)["messages"]

    assert [message["role"] for message in messages].count("system") == 1
    assert messages[0] == {"role": "system", "content": "You are kind.\n\nYou are brief."}
    assert messages[-1] == {"role": "user", "content": "It is noon.\n\nAnd tomorrow?"}


def test_an_engine_gets_the_system_texts_of_a_conversation_at_its_beginning_or_from_the_user() -> None:
    told = [Message.of(*one) for one in SYSTEM_TEXTS]

    assert body(asked("m", *told), ENGINE)["messages"] == [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "b"},
        {"role": "user", "content": "Be brief.\n\nc"},
    ]
    assert body(asked("m", *told))["messages"][3] == {"role": "developer", "content": "Be brief."}


@pytest.mark.parametrize("is_streamed", [True, False])
def test_the_url_and_the_counts_of_a_stream(is_streamed: bool) -> None:
    wire = DIALECT.encode(question("gpt-5", is_streamed=is_streamed), OPENAI)

    assert wire.url == "https://api.openai.com/v1/chat/completions"
    assert wire.body["stream"] is is_streamed
    assert wire.body.get("stream_options") == ({"include_usage": True} if is_streamed else None)
    check_against(CompletionCreateParams, wire)


def test_without_a_model_the_endpoint_decides() -> None:
    assert "model" not in DIALECT.encode(question(""), ENGINE).body


def test_parameters_have_their_names_and_zero_is_a_value() -> None:
    params = ModelParams(
        max_tokens=9,
        temperature=0.0,
        top_p=0.5,
        frequency_penalty=0.0,
        presence_penalty=-1.0,
        seed=0,
        stop=("\n", "END"),
    )

    sent = body(question("gpt-5", params=params))

    assert sent["max_completion_tokens"] == 9
    assert (sent["temperature"], sent["top_p"], sent["seed"], sent["stop"]) == (0.0, 0.5, 0, ["\n", "END"])
    assert (sent["frequency_penalty"], sent["presence_penalty"]) == (0.0, -1.0)
    assert body(question("m", params=params), ENGINE)["max_tokens"] == 9
    assert body(question("m", params=ModelParams(top_k=3, stop=())), ENGINE)["top_k"] == 3


def test_extra_fields_come_last_and_fill_up_objects() -> None:
    params = ModelParams(
        temperature=0.1,
        extra_fields={"temperature": 1.0, "parallel_tool_calls": False, "stream_options": {"include_usage": False}},
    )

    sent = body(question("gpt-5", params=params, tools=(WEATHER,)))

    assert sent["temperature"] == 1.0
    assert sent["parallel_tool_calls"] is False
    assert sent["stream_options"] == {"include_usage": False}


@pytest.mark.parametrize(
    ("base_url", "thinking", "fields"),
    [
        (OPENAI, Thinking(level="low"), {"reasoning_effort": "low"}),
        (OPENAI, Thinking(enabled=False, level="high"), {"reasoning_effort": "none"}),
        (OPENAI, Thinking(enabled=True), {}),
        (OPENROUTER, Thinking(enabled=True, level="high"), {"reasoning": {"enabled": True, "effort": "high"}}),
        (DEEPSEEK, Thinking(enabled=True), {"thinking": {"type": "enabled"}}),
        (DEEPSEEK, Thinking(enabled=False, level="high"), {"thinking": {"type": "disabled"}}),
        (ENGINE, Thinking(enabled=False), {"chat_template_kwargs": {"enable_thinking": False}}),
        (ENGINE, Thinking(level="low"), {"reasoning_effort": "low"}),
        (
            "https://dashscope.aliyuncs.com/compatible-mode/v1",
            Thinking(enabled=True, level="512"),
            {"enable_thinking": True, "thinking_budget": 512},
        ),
    ],
)
def test_thinking_is_asked_for_in_the_words_of_the_provider(base_url: str, thinking: Thinking, fields: dict) -> None:
    plain = body(question("m"), base_url)
    sent = body(question("m", params=ModelParams(thinking=thinking)), base_url)

    assert {name: value for name, value in sent.items() if plain.get(name) != value} == fields


def test_tools_are_offered_and_strict_ones_closed() -> None:
    sent = body(question("gpt-5", tools=(WEATHER, POINT)))

    weather, point = (tool["function"] for tool in sent["tools"])
    assert weather == {"name": "get_weather", "description": "The weather of a city.", "parameters": WEATHER.parameters}
    assert point["strict"] is True
    assert point["parameters"]["additionalProperties"] is False


@pytest.mark.parametrize(
    ("choice", "sent"),
    [
        (ToolChoice(), "auto"),
        (ToolChoice(Calling.FORBIDDEN), "none"),
        (ToolChoice(Calling.FORCED), "required"),
        (ToolChoice(Calling.FORCED, ("get_time",)), {"type": "function", "function": {"name": "get_time"}}),
        (
            ToolChoice(Calling.ALLOWED, ("get_time",)),
            {
                "type": "allowed_tools",
                "allowed_tools": {"mode": "auto", "tools": [{"type": "function", "function": {"name": "get_time"}}]},
            },
        ),
        (
            ToolChoice(Calling.FORCED, ("get_time", "get_weather")),
            {
                "type": "allowed_tools",
                "allowed_tools": {
                    "mode": "required",
                    "tools": [
                        {"type": "function", "function": {"name": "get_weather"}},
                        {"type": "function", "function": {"name": "get_time"}},
                    ],
                },
            },
        ),
    ],
)
def test_the_choice_of_tools_is_told(choice: ToolChoice, sent: object) -> None:
    told = chosen(choice)

    assert told["tool_choice"] == sent
    assert len(told["tools"]) == 2


def test_where_the_choice_cannot_be_told_only_those_tools_are_offered() -> None:
    sent = chosen(ToolChoice(Calling.ALLOWED, ("get_time",)), base_url=ENGINE)

    assert [tool["function"]["name"] for tool in sent["tools"]] == ["get_time"]
    assert sent["tool_choice"] == "auto"


def test_without_tools_there_is_no_choice() -> None:
    sent = body(question("gpt-5", tool_choice=ToolChoice(Calling.FORBIDDEN)))

    assert "tools" not in sent
    assert "tool_choice" not in sent


def test_a_provider_that_searches_is_told_to() -> None:
    assert body(question("gpt-5-search", tools=(SearchWebTool(),)))["web_search_options"] == {}


def test_an_answer_in_a_form_is_asked_for_as_a_schema() -> None:
    form = body(question("gpt-5", answer_form=POINT))["response_format"]

    assert form["type"] == "json_schema"
    assert form["json_schema"]["name"] == "point"
    assert form["json_schema"]["strict"] is True
    assert form["json_schema"]["schema"]["properties"] == {"x": {"type": "integer"}}
    loose = body(question("gpt-5", answer_form=WEATHER))["response_format"]["json_schema"]
    assert "strict" not in loose


def test_pictures_are_told_by_their_bytes_or_their_place() -> None:
    assert parts_of(Text("What is this?"), image(PNG, "image/png"), image("https://h/a.png", "image/png")) == [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{base64.b64encode(PNG).decode()}"}},
        {"type": "image_url", "image_url": {"url": "https://h/a.png"}},
    ]


@pytest.mark.parametrize(("mime", "form"), [("audio/mpeg", "mp3"), ("audio/x-wav", "wav"), ("audio/wav", "wav")])
def test_sound_is_told_in_its_form(mime: str, form: str) -> None:
    assert parts_of(audio(b"abc", mime)) == [
        {"type": "input_audio", "input_audio": {"data": "YWJj", "format": form}},
    ]


def test_what_the_microphone_heard_becomes_a_wave_file() -> None:
    ((part),) = parts_of(pcm(b"\1\2" * 160, 16_000))
    with wave.open(io.BytesIO(base64.b64decode(part["input_audio"]["data"]))) as sound:
        assert (sound.getframerate(), sound.getnchannels(), sound.getsampwidth()) == (16_000, 1, 2)
        assert sound.readframes(1000) == b"\1\2" * 160


def test_dashscope_gets_sound_as_a_url() -> None:
    base_url = "https://dashscope.aliyuncs.com/compatible-mode/v1"

    assert parts_of(audio(b"abc", "audio/mpeg"), base_url=base_url) == [
        {"type": "input_audio", "input_audio": {"data": "data:;base64,YWJj", "format": "mp3"}},
    ]


def test_files_and_documents_are_told() -> None:
    document = Resource("notes/a.md", "text/markdown", "# A")
    book = Resource("file:///books/b.pdf", "application/pdf", data=b"%PDF")

    assert parts_of(document, book, blob(b"%PDF", "application/pdf")) == [
        {"type": "text", "text": "notes/a.md\n# A"},
        {"type": "file", "file": {"filename": "b.pdf", "file_data": "data:application/pdf;base64,JVBERg=="}},
        {"type": "file", "file": {"filename": "file.pdf", "file_data": "data:application/pdf;base64,JVBERg=="}},
    ]


def test_a_place_that_holds_its_bytes_is_no_place() -> None:
    assert parts_of(audio("data:audio/mpeg;base64,YWJj")) == [
        {"type": "input_audio", "input_audio": {"data": "YWJj", "format": "mp3"}}
    ]


def test_a_film_goes_where_films_are_taken() -> None:
    assert parts_of(video("https://h/a.mp4"), base_url=ENGINE) == [
        {"type": "video_url", "video_url": {"url": "https://h/a.mp4"}}
    ]


def test_a_writer_has_a_name_without_marks() -> None:
    message = Message(ChatRole.USER, Contents((Text("hi"),)), "Ann B.")

    assert body(asked("gpt-5", message))["messages"] == [{"role": "user", "content": "hi", "name": "Ann_B_"}]


def test_mistral_is_not_told_who_wrote_a_message_for_it_refuses_the_field() -> None:
    said = [Message(ChatRole.USER, Contents((Text(words),)), name) for words, name in (("hi", "Ann"), ("ho", "Bob"))]

    assert body(asked("mistral-small", *said), MISTRAL)["messages"] == [{"role": "user", "content": "hi\n\nho"}]


def answered(*payloads: object) -> ChatRequest:
    first = Message.of(ChatRole.USER, "a")
    thought = [Message(ChatRole.ASSISTANT, one) for one in payloads]
    return asked("m", first, *thought, Message.of(ChatRole.USER, "b"))


def test_thoughts_go_back_only_where_they_are_wanted() -> None:
    request = answered(Contents((Thought("hm"), Text("yes"))))

    assert body(request)["messages"][1] == {"role": "assistant", "content": "yes"}
    for base_url in (DEEPSEEK, ENGINE):
        assert body(request, base_url)["messages"][1] == {
            "role": "assistant",
            "content": "yes",
            "reasoning_content": "hm",
        }


def test_a_thought_alone_is_no_message() -> None:
    assert len(body(answered(Contents((Thought("hm"),))), DEEPSEEK)["messages"]) == 2


@pytest.mark.parametrize(
    "request_",
    [
        question("m", params=ModelParams(n=2)),
        question("m", params=ModelParams(top_k=2)),
        question("m", tool_choice=ToolChoice(Calling.FORCED)),
        question("m", tools=(WEATHER,), tool_choice=ToolChoice(Calling.FORCED, ("other",))),
        shown(video("https://h/a.mp4")),
        shown(audio("https://h/a.mp3")),
        shown(audio(b"abc", "audio/ogg")),
        shown(blob("https://h/a.pdf", "application/pdf")),
        shown(Thought("hm")),
        answered(Contents((image(PNG, "image/png"),))),
        asked("m", Message(ChatRole.SYSTEM, Contents((image(PNG, "image/png"),))), Message.of(ChatRole.USER, "a")),
        asked("m", Message(ChatRole.TOOL, Contents((Text("hm"),)))),
        ChatRequest(ModelContext(prompts=(SystemPrompt("a", "b"),)), "m"),
    ],
)
def test_what_cannot_be_carried_is_refused_with_a_way_out(request_: ChatRequest) -> None:
    with pytest.raises(Unsupported) as caught:
        DIALECT.encode(request_, OPENAI)

    assert caught.value.mend


@pytest.mark.parametrize("base_url", ["https://api.groq.com/openai/v1", ENGINE, DEEPSEEK])
def test_who_does_not_search_says_so(base_url: str) -> None:
    with pytest.raises(Unsupported, match="search"):
        DIALECT.encode(question("m", tools=(SearchWebTool(),)), base_url)


def test_arguments_that_a_model_wrote_wrong_do_not_spoil_the_conversation() -> None:
    request = asked(
        "gpt-5",
        Message.of(ChatRole.USER, "a"),
        Message(ChatRole.ASSISTANT, ToolCall("c1", FuncCall("get_weather", '{"city": "Par'))),
        Message(ChatRole.TOOL, ToolResult("c1", "x")),
    )

    assert body(request)["messages"][1]["tool_calls"][0]["function"]["arguments"] == "{}"
