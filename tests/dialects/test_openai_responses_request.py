"""Requests of the Responses API, each held against the types of OpenAI's own SDK."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest
from dialects.questions import asked_with, assistant, call, result, user
from dialects.sdk_types import check_against
from openai.types.responses.response_create_params import ResponseCreateParams

from companion.dialects import WireRequest
from companion.dialects.openai_responses import OpenAIResponses
from companion.errors import Unsupported
from companion.model import (
    Calling,
    FuncTool,
    Message,
    Resource,
    SearchWebTool,
    SystemPrompt,
    Thinking,
    Thought,
    ToolChoice,
    audio,
    blob,
    image,
    video,
)

CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
CLOSED = {**CITY, "additionalProperties": False}
WEATHER = FuncTool("weather", "The weather of a city.", CITY)
CLOCK = FuncTool("clock", "The time.", {"type": "object", "properties": {}})
asked = partial(asked_with, "gpt-6-astra")


def encoded(*messages: Message, **more: Any) -> WireRequest:
    wire = OpenAIResponses().encode(asked(*messages, **more), "https://api.openai.test/v1")
    check_against(ResponseCreateParams, wire)
    json.dumps(wire.body, allow_nan=False)
    return wire


def body(*messages: Message, **more: Any) -> Any:
    return encoded(*messages, **more).body


def said(role: str, content: Any) -> dict[str, Any]:
    return {"type": "message", "role": role, "content": content}


def test_a_question_goes_to_its_address_and_nothing_is_kept_there():
    wire = encoded(user("hi"), prompts=(SystemPrompt("who", "Be brief."),), is_streamed=False)

    assert (wire.url, wire.headers) == ("https://api.openai.test/v1/responses", {})
    assert wire.body == {
        "model": "gpt-6-astra",
        "instructions": "Be brief.",
        "input": [said("user", "hi")],
        "stream": False,
        "store": False,
    }


def test_parameters_go_under_their_names():
    sent = body(max_tokens=7, temperature=0.0, top_p=0.5, extra_fields={"prompt_cache_key": "house", "store": True})

    assert {
        name: sent[name] for name in ("max_output_tokens", "temperature", "top_p", "prompt_cache_key", "store")
    } == {
        "max_output_tokens": 7,
        "temperature": 0.0,
        "top_p": 0.5,
        "prompt_cache_key": "house",
        "store": True,
    }


def test_one_call_at_a_time_is_asked_for_by_an_extra_field():
    assert body(tools=(WEATHER,), extra_fields={"parallel_tool_calls": False})["parallel_tool_calls"] is False


@pytest.mark.parametrize(
    ("thinking", "reasoning", "include"),
    [
        (Thinking(enabled=True, level="low"), {"effort": "low", "summary": "auto"}, ["reasoning.encrypted_content"]),
        (Thinking(enabled=True), {"summary": "auto"}, ["reasoning.encrypted_content"]),
        (Thinking(level="xhigh"), {"effort": "xhigh"}, ["reasoning.encrypted_content"]),
        (Thinking(enabled=False), {"effort": "none"}, None),
        (Thinking(), None, None),
    ],
)
def test_thinking_is_asked_for_in_a_form_that_can_go_back(thinking, reasoning, include):
    sent = body(thinking=thinking)

    assert (sent.get("reasoning"), sent.get("include")) == (reasoning, include)


def test_calls_and_results_are_items_of_their_own():
    sent = body(user("Bonn?"), assistant("I look."), call("a"), call("b", ""), result("a", "sun"), result("b", "rain"))

    assert sent["input"] == [
        said("user", "Bonn?"),
        said("assistant", "I look."),
        {"type": "function_call", "call_id": "a", "name": "weather", "arguments": '{"city": "Bonn"}'},
        {"type": "function_call", "call_id": "b", "name": "weather", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "a", "output": "sun"},
        {"type": "function_call_output", "call_id": "b", "output": "rain"},
    ]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("abc", "{}"),
        ("[1,2]", "{}"),
        ('{"city": "Bo', "{}"),
        ('"{\\"city\\": 1}"', "{}"),
        ("{'city': 'Bonn'}", '{"city": "Bonn"}'),
        ('{"city":  "Bonn"}', '{"city":  "Bonn"}'),
    ],
)
def test_arguments_that_are_no_object_go_back_as_an_empty_one(arguments, expected):
    sent = body(user("hi"), call("a", arguments), result("a", "x"))

    assert sent["input"][1]["arguments"] == expected


def test_a_thought_goes_back_before_its_call():
    signed = Thought("Two cities.", "openai-responses reasoning rs_1 gAAA")
    hidden = Thought("", redacted="openai-responses reasoning rs_2 gBBB")
    sent = body(user("hi"), assistant(signed, "I look."), assistant(hidden), call("a"), result("a", "sun"))["input"]

    assert sent[1] == {
        "type": "reasoning",
        "id": "rs_1",
        "summary": [{"type": "summary_text", "text": "Two cities."}],
        "encrypted_content": "gAAA",
    }
    assert sent[3] == {"type": "reasoning", "id": "rs_2", "summary": [], "encrypted_content": "gBBB"}
    assert [item["type"] for item in sent[4:]] == ["function_call", "function_call_output"]


def test_thoughts_of_others_and_thoughts_without_an_end_stay_here():
    foreign = Thought("hm", "anthropic signature EqQB")
    idle = Thought("", redacted="openai-responses reasoning rs_2 gBBB")
    sent = body(user("hi"), assistant(foreign, Thought("unsigned"), "yes", idle), user(Thought("mine"), "go on"))

    assert sent["input"] == [said("user", "hi"), said("assistant", "yes"), said("user", "go on")]


def test_what_the_provider_searched_goes_back_as_it_came():
    action = {"type": "search", "query": "tides"}
    search = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": action}
    sent = body(user("hi"), assistant(Thought("", redacted=f"openai-responses item {json.dumps(search)}"), "nine"))

    assert sent["input"][1:] == [search, said("assistant", "nine")]


def test_pictures_and_files_go_by_bytes_or_by_url():
    (item,) = body(
        user(
            "Look:",
            image(b"png", "image/png"),
            image("https://pictures.test/cat.jpg"),
            blob(b"%PDF", "application/pdf"),
            blob("https://papers.test/a.pdf", "application/pdf"),
            Resource("notes://1", text="Milk"),
            Resource("https://papers.test/b.docx", "application/msword", data=b"doc"),
            Resource("photo://1", "image/webp", data=b"webp"),
            Resource("https://papers.test/c.pdf", "application/pdf"),
            blob("data:application/pdf;base64,JVBERg=="),
        )
    )["input"]

    assert item["content"] == [
        {"type": "input_text", "text": "Look:"},
        {"type": "input_image", "image_url": "data:image/png;base64,cG5n", "detail": "auto"},
        {"type": "input_image", "image_url": "https://pictures.test/cat.jpg", "detail": "auto"},
        {"type": "input_file", "filename": "file.pdf", "file_data": "data:application/pdf;base64,JVBERg=="},
        {"type": "input_file", "file_url": "https://papers.test/a.pdf"},
        {"type": "input_text", "text": "notes://1\nMilk"},
        {"type": "input_file", "filename": "b.docx", "file_data": "data:application/msword;base64,ZG9j"},
        {"type": "input_image", "image_url": "data:image/webp;base64,d2VicA==", "detail": "auto"},
        {"type": "input_file", "file_url": "https://papers.test/c.pdf"},
        {"type": "input_file", "filename": "file.pdf", "file_data": "data:application/pdf;base64,JVBERg=="},
    ]


def test_words_that_were_said_apart_stay_apart():
    sent = body(user("one"), user(""), user("two"), assistant("three", Resource("notes://1", text="Milk")))

    assert sent["input"] == [said("user", "one\n\ntwo"), said("assistant", "three\n\nnotes://1\nMilk")]


def test_words_on_the_way_and_the_answer_are_told_apart_again():
    way, last = (Thought("", redacted=f"openai-responses phase {name}") for name in ("commentary", "final_answer"))
    sent = body(user("hi"), assistant(way, "I look.", last, "Nine."), assistant("Bye."))

    assert sent["input"][1:3] == [
        said("assistant", "I look.") | {"phase": "commentary"},
        said("assistant", "Nine.\n\nBye.") | {"phase": "final_answer"},
    ]


def test_closing_words_stand_behind_all_that_stays():
    sent = body(user("one"), assistant("two"), user("three"), call("a"), result("a", "sun"), closing="It is noon.")

    assert [item.get("content", "") for item in sent["input"][:4]] == ["one", "two", "It is noon.", "three"]
    assert sent["input"][2]["role"] == "system"


def test_what_stays_is_marked_for_the_cache_of_a_model_that_takes_marks():
    talk = (user("one"), assistant("two"), user("three"))
    extra = {"prompt_cache_options": {"ttl": "30m"}}
    mark = {"prompt_cache_breakpoint": {"mode": "explicit"}}
    marked = body(*talk, closing="It is noon.", extra_fields=extra)["input"]

    assert marked[0]["content"] == [{"type": "input_text", "text": "one", **mark}]
    assert [item["content"] for item in marked[1:]] == ["two", "It is noon.", "three"]
    assert body(user("one"), closing="It is noon.", extra_fields=extra)["input"][0]["content"] == "It is noon."
    assert body(*talk, extra_fields=extra)["input"] == body(*talk)["input"]


def test_tools_are_offered_with_their_schema_as_it_is():
    sent = body(tools=(WEATHER, SearchWebTool()))

    assert sent["tools"] == [
        {
            "type": "function",
            "name": "weather",
            "description": "The weather of a city.",
            "parameters": CITY,
            "strict": False,
        },
        {"type": "web_search"},
    ]
    assert "tool_choice" not in sent


def test_a_strict_tool_has_its_schema_closed_where_that_changes_nothing():
    optional = {"type": "object", "properties": {"city": {"type": "string"}}}
    held, free = body(tools=(FuncTool("a", "", CITY, strict=True), FuncTool("b", "", optional, strict=True)))["tools"]

    assert (held["strict"], held["parameters"]) == (True, CLOSED)
    assert (free["strict"], free["parameters"]) == (False, optional)


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        (ToolChoice(), "auto"),
        (ToolChoice(Calling.FORBIDDEN), "none"),
        (ToolChoice(Calling.FORBIDDEN, ("clock",)), "none"),
        (ToolChoice(Calling.FORCED), "required"),
        (ToolChoice(Calling.FORCED, ("clock",)), {"type": "function", "name": "clock"}),
        (
            ToolChoice(Calling.FORCED, ("clock", "weather")),
            {
                "type": "allowed_tools",
                "mode": "required",
                "tools": [{"type": "function", "name": "weather"}, {"type": "function", "name": "clock"}],
            },
        ),
        (
            ToolChoice(Calling.ALLOWED, ("weather", "search_web")),
            {
                "type": "allowed_tools",
                "mode": "auto",
                "tools": [{"type": "function", "name": "weather"}, {"type": "web_search"}],
            },
        ),
        (
            ToolChoice(Calling.FORCED, ("search_web",)),
            {"type": "allowed_tools", "mode": "required", "tools": [{"type": "web_search"}]},
        ),
    ],
)
def test_whether_tools_may_be_called(choice, expected):
    sent = body(tools=(WEATHER, CLOCK, SearchWebTool()), choice=choice)

    assert sent["tool_choice"] == expected
    assert len(sent["tools"]) == 3


def test_a_choice_without_tools_is_not_sent():
    assert "tool_choice" not in body(choice=ToolChoice(Calling.FORBIDDEN))


def test_an_answer_is_held_to_its_form():
    form = FuncTool("the weather!", "What it is like.", CITY)

    assert body(form=form)["text"]["format"] == {
        "type": "json_schema",
        "name": "the_weather_",
        "schema": CLOSED,
        "strict": True,
        "description": "What it is like.",
    }


def test_a_form_with_free_fields_is_only_told():
    form = FuncTool("note", "", {"type": "object", "additionalProperties": True})

    assert body(form=form)["text"]["format"]["strict"] is False


@pytest.mark.parametrize(
    "request_",
    [
        asked(user(audio(b"mp3"))),
        asked(user(video("https://films.test/a.mp4"))),
        asked(user("hi"), assistant(image(b"png", "image/png"))),
        asked(user("")),
        asked(user(blob("data:application/pdf;base64,?"))),
        asked(stop=("END",)),
        asked(seed=1),
        asked(top_k=1),
        asked(n=2),
        asked(frequency_penalty=0.5),
        asked(presence_penalty=0.5),
        asked(tools=(WEATHER,), choice=ToolChoice(Calling.FORCED, ("cook",))),
        asked(choice=ToolChoice(Calling.FORCED)),
    ],
)
def test_what_it_cannot_carry_is_refused_before_anything_is_sent(request_):
    with pytest.raises(Unsupported) as refused:
        OpenAIResponses().encode(request_, "https://api.openai.test")

    assert refused.value.mend
