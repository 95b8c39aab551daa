"""Requests to DashScope are what its own SDK sends to a server of this machine; and the SDK reads our recordings."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import dashscope
import pytest
from dialects.questions import WEATHER, asked, question, spoken_to
from dialects.wire import RECORDINGS, deltas_of

from companion.dialects.dashscope import DashScope
from companion.dialects.laws import said_of
from companion.errors import Unsupported
from companion.model import (
    Calling,
    ChatRequest,
    ChatRole,
    Contents,
    Link,
    Message,
    ModelContext,
    ModelParams,
    SearchWebTool,
    SystemPrompt,
    Thinking,
    Thought,
    ToolChoice,
)
from companion.stream import Blob, Text, pcm
from companion.stream.wav import wav

DASHSCOPE = DashScope()
PLACE = "/api/v1/services/aigc"
TOOL = {
    "type": "function",
    "function": {"name": "get_weather", "description": WEATHER.description, "parameters": WEATHER.parameters},
}


@dataclass
class Server:
    """Takes one request and answers with a recording."""

    url: str = ""
    path: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None


@asynccontextmanager
async def serving(answer: bytes, kind: str) -> AsyncIterator[Server]:
    taken = Server()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        taken.path = head[0].split()[1]
        taken.headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
        taken.body = json.loads(await reader.readexactly(int(taken.headers["content-length"])))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nConnection: close\r\n\r\n" % kind.encode() + answer)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    async with server:
        taken.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/api/v1"
        yield taken


async def sent_by_sdk(
    call: Callable[..., Any], recording: str, monkeypatch: pytest.MonkeyPatch, **asked: Any
) -> tuple[Server, list[Any]]:
    """What the SDK sends for ``asked``, and what it reads of the recording."""
    answer, kind = (RECORDINGS / "dashscope" / f"{recording}.sse").read_bytes(), "text/event-stream"
    if not asked.get("stream"):
        answer, kind = json.dumps({"output": {"text": "Hi", "finish_reason": "stop"}}).encode(), "application/json"

    def read() -> list[Any]:
        answered = call(api_key="not-a-key", request_timeout=5, **asked)
        return list(answered) if asked.get("stream") else [answered]

    async with serving(answer, kind) as server, asyncio.timeout(20):
        monkeypatch.setattr(dashscope, "base_http_api_url", server.url)
        read_by_it = await asyncio.to_thread(read)
        dashscope.api_entities.http_request.close_shared_sync_session()
    assert all(one.status_code == HTTPStatus.OK for one in read_by_it)
    return server, read_by_it


def same(request: ChatRequest, server: Server) -> None:
    """Demand that we send the same."""
    wire = DASHSCOPE.encode(request, server.url)
    assert wire.url.removeprefix(server.url.removesuffix("/api/v1")) == server.path
    assert json.loads(json.dumps(wire.body)) == server.body
    for name, value in wire.headers.items():
        assert server.headers[name.lower()] == value


async def test_a_streamed_conversation_is_sent_as_the_sdk_sends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    messages = [
        {"role": "system", "content": "You are kind.\n\nYou are brief."},
        {"role": "user", "content": "How is the weather?"},
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [
                {
                    "index": 0,
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "get_weather", "arguments": '{"city": "Paris"}'},
                },
                {"index": 1, "id": "c2", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}},
            ],
        },
        {"role": "tool", "content": "sunny", "tool_call_id": "c1", "name": "get_weather"},
        {"role": "tool", "content": "Error: which city?", "tool_call_id": "c2", "name": "get_weather"},
        {"role": "assistant", "content": "Sunny in Paris."},
        {"role": "user", "content": "It is noon.\n\nAnd tomorrow?"},
    ]
    server, read = await sent_by_sdk(
        dashscope.Generation.call,
        "words",
        monkeypatch,
        model="qwen-plus",
        messages=messages,
        tools=[TOOL],
        result_format="message",
        stream=True,
        incremental_output=True,
    )

    same(spoken_to("qwen-plus"), server)
    assert server.path == f"{PLACE}/text-generation/generation"
    said = said_of(deltas_of(DASHSCOPE, (RECORDINGS / "dashscope" / "words.sse").read_bytes()))
    assert "".join(one.output.choices[0].message.content for one in read) == said.text


async def test_every_way_of_sampling_is_sent_as_the_sdk_sends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    server, _ = await sent_by_sdk(
        dashscope.Generation.call,
        "words",
        monkeypatch,
        model="qwen-plus",
        messages=[{"role": "user", "content": "Why is the sky blue?"}],
        temperature=0.0,
        top_p=0.9,
        top_k=40,
        max_tokens=99,
        seed=7,
        presence_penalty=0.2,
        stop=["END"],
        enable_thinking=True,
        thinking_budget=500,
        enable_search=True,
        tools=[TOOL],
        tool_choice={"type": "function", "function": {"name": "get_weather"}},
        repetition_penalty=1.1,
        result_format="message",
        response_format={
            "type": "json_schema",
            "json_schema": {"name": "get_weather", "schema": WEATHER.parameters, "strict": True},
        },
    )
    params = ModelParams(
        max_tokens=99,
        temperature=0.0,
        top_p=0.9,
        top_k=40,
        seed=7,
        presence_penalty=0.2,
        stop=("END",),
        thinking=Thinking(True, "500"),
        extra_fields={"repetition_penalty": 1.1},
    )

    same(
        question(
            "qwen-plus",
            params=params,
            tools=(WEATHER, SearchWebTool()),
            tool_choice=ToolChoice(Calling.FORCED, ("get_weather",)),
            answer_form=WEATHER,
            is_streamed=False,
        ),
        server,
    )


async def test_pictures_sound_and_films_are_sent_as_the_sdk_sends_them(monkeypatch: pytest.MonkeyPatch) -> None:
    content = [
        {"text": "What is this?"},
        {"image": "data:image/png;base64,iVBORw=="},
        {"audio": "https://example.org/a.mp3"},
        {"video": "https://example.org/a.mp4"},
    ]
    server, read = await sent_by_sdk(
        dashscope.MultiModalConversation.call,
        "picture_seen",
        monkeypatch,
        model="qwen3-vl-plus",
        messages=[{"role": "system", "content": [{"text": "Be brief."}]}, {"role": "user", "content": content}],
        result_format="message",
        stream=True,
        incremental_output=True,
    )
    parts = (
        Text("What is this?"),
        Blob("image/png", b"\x89PNG"),
        Link("audio/mpeg", "https://example.org/a.mp3"),
        Link("video/mp4", "https://example.org/a.mp4"),
    )
    messages = (Message(ChatRole.USER, Contents(parts)),)

    same(ChatRequest(ModelContext((SystemPrompt("how", "Be brief."),), messages), "qwen3-vl-plus"), server)
    assert server.path == f"{PLACE}/multimodal-generation/generation"
    assert "".join(item["text"] for one in read for item in one.output.choices[0].message.content) == (
        "A dog on the beach."
    )


def test_what_the_microphone_heard_becomes_a_wave_file() -> None:
    sound = b"\1\2" * 160
    heard = Message(ChatRole.USER, Contents((pcm(sound, 16_000),)))
    body = DASHSCOPE.encode(asked("qwen-audio-turbo", heard), "https://dashscope.aliyuncs.com/api/v1").body

    (said,) = json.loads(json.dumps(body))["input"]["messages"]
    assert said["content"] == [{"audio": f"data:audio/wav;base64,{base64.b64encode(wav(sound, 16_000)).decode()}"}]


@pytest.mark.parametrize(
    ("model", "service"),
    [
        ("qwen-plus", "text-generation"),
        ("qwen3-max", "text-generation"),
        ("qwen3.7-max", "text-generation"),
        ("deepseek-v3.2", "text-generation"),
        ("qwen3.7-plus", "multimodal-generation"),
        ("qwen3-vl-plus", "multimodal-generation"),
        ("qwen3-omni-flash", "multimodal-generation"),
        ("qvq-max", "multimodal-generation"),
    ],
)
def test_the_model_says_which_service_it_is_behind(model: str, service: str) -> None:
    wire = DASHSCOPE.encode(question(model), "https://dashscope.aliyuncs.com/api/v1")

    assert wire.url == f"https://dashscope.aliyuncs.com{PLACE}/{service}/generation"


def test_an_address_that_names_a_service_decides() -> None:
    base = f"https://dashscope.aliyuncs.com{PLACE}/multimodal-generation/generation"
    wire = DASHSCOPE.encode(question("my-own-model"), base)

    assert wire.url == base
    assert wire.body["input"] == {"messages": [{"role": "user", "content": [{"text": "Why is the sky blue?"}]}]}


def test_words_alone_are_no_place_for_pictures() -> None:
    base = f"https://dashscope.aliyuncs.com{PLACE}/text-generation/generation"
    with pytest.raises(Unsupported, match="words only"):
        DASHSCOPE.encode(asked("qwen-plus", Message(ChatRole.USER, Contents((Blob("image/png", b"\x89"),)))), base)


@pytest.mark.parametrize(
    ("choice", "sent"),
    [
        (ToolChoice(), "auto"),
        (ToolChoice(Calling.FORBIDDEN), "none"),
        (ToolChoice(Calling.FORCED), {"type": "function", "function": {"name": "get_weather"}}),
    ],
)
def test_tools_are_chosen(choice: ToolChoice, sent: object) -> None:
    body = DASHSCOPE.encode(question("qwen-plus", tools=(WEATHER,), tool_choice=choice), "https://h.test/api/v1").body

    assert body["parameters"]["tool_choice"] == sent


def test_a_choice_among_several_that_must_call_is_none_it_knows() -> None:
    other = type(WEATHER)("other", "Another.", {"type": "object", "properties": {}})
    with pytest.raises(Unsupported, match="several tools"):
        DASHSCOPE.encode(
            question("qwen-plus", tools=(WEATHER, other), tool_choice=ToolChoice(Calling.FORCED)), "https://h.test"
        )


def test_a_call_of_no_tool_cannot_be_forced() -> None:
    choice = ToolChoice(Calling.FORCED, ("other",))
    with pytest.raises(Unsupported, match="no tool that is offered"):
        DASHSCOPE.encode(question("qwen-plus", tools=(WEATHER,), tool_choice=choice), "https://h.test")


def test_only_the_named_tools_are_offered() -> None:
    other = type(WEATHER)("other", "Another.", {"type": "object", "properties": {}})
    request = question("qwen-plus", tools=(WEATHER, other), tool_choice=ToolChoice(names=("get_weather",)))

    assert DASHSCOPE.encode(request, "https://h.test").body["parameters"]["tools"] == [TOOL]


def test_thoughts_go_back_where_they_are_words() -> None:
    parts = (Thought("Rayleigh."), Thought("Hm", "anthropic signature abc"), Text("It scatters."))
    request = asked(
        "qwen-plus",
        Message.of(ChatRole.USER, "Why?"),
        Message(ChatRole.ASSISTANT, Contents(parts)),
        Message.of(ChatRole.USER, "And red?"),
    )

    assert DASHSCOPE.encode(request, "https://h.test").body["input"]["messages"][1] == {
        "role": "assistant",
        "content": "It scatters.",
        "reasoning_content": "Rayleigh.",
    }
