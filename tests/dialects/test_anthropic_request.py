"""Requests of the Messages API, each held against the types of Anthropic's own SDK."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest
from anthropic.types import MessageCreateParams
from dialects.questions import asked_with, assistant, call, result, user
from dialects.sdk_types import check_against

from companion.dialects import WireRequest
from companion.dialects.anthropic import Anthropic
from companion.dialects.anthropic.encode import MOST_TOKENS
from companion.errors import Unsupported
from companion.model import (
    Calling,
    ChatRole,
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
from companion.stream import FuncCall, ToolCall

CITY = {"type": "object", "properties": {"city": {"type": "string", "minLength": 1}}, "required": ["city"]}
WEATHER = FuncTool("weather", "The weather of a city.", CITY)
CLOCK = FuncTool("clock", "The time.", {"type": "object", "properties": {}})
CACHED = {"type": "ephemeral"}
asked = partial(asked_with, "claude-opus-5")


def encoded(*messages: Message, **more: Any) -> WireRequest:
    wire = Anthropic().encode(asked(*messages, **more), "https://api.anthropic.test")
    check_against(MessageCreateParams, wire)
    json.dumps(wire.body, allow_nan=False)
    return wire


def body(*messages: Message, **more: Any) -> Any:
    return encoded(*messages, **more).body


def test_a_question_goes_to_its_address_with_the_version_of_today():
    wire = encoded(user("hi"), prompts=(SystemPrompt("who", "Be brief."),), is_streamed=False)

    assert wire.url == "https://api.anthropic.test/v1/messages"
    assert wire.headers == {"anthropic-version": "2026-10-21"}
    assert wire.body == {
        "model": "claude-opus-5",
        "max_tokens": MOST_TOKENS,
        "system": [{"type": "text", "text": "Be brief.", "cache_control": CACHED}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "hi", "cache_control": CACHED}]}],
        "stream": False,
    }


def test_who_says_how_to_sample_gets_the_last_version_that_listens():
    wire = Anthropic().encode(asked(temperature=0.0, top_p=0.5, top_k=3), "https://api.anthropic.test")

    assert wire.headers == {"anthropic-version": "2023-06-01"}
    assert {name: wire.body[name] for name in ("temperature", "top_p", "top_k")} == {
        "temperature": 0.0,
        "top_p": 0.5,
        "top_k": 3,
    }


def test_parameters_go_under_their_names():
    sent = body(max_tokens=7, stop=("END", "\n\n"), extra_fields={"metadata": {"user_id": "u1"}})

    assert (sent["max_tokens"], sent["stop_sequences"], sent["metadata"]) == (7, ["END", "\n\n"], {"user_id": "u1"})


def test_an_extra_field_fills_up_an_object_of_ours():
    extra = {"tool_choice": {"disable_parallel_tool_use": True}}
    sent = body(tools=(WEATHER,), choice=ToolChoice(), extra_fields=extra)

    assert sent["tool_choice"] == {"type": "auto", "disable_parallel_tool_use": True}


@pytest.mark.parametrize(
    ("thinking", "expected"),
    [
        (Thinking(enabled=True), {"thinking": {"type": "adaptive", "display": "summarized"}}),
        (Thinking(enabled=False), {"thinking": {"type": "disabled"}}),
        (Thinking(level="xhigh"), {"output_config": {"effort": "xhigh"}}),
        (Thinking(level="2048"), {"thinking": {"type": "enabled", "budget_tokens": 2048, "display": "summarized"}}),
        (Thinking(enabled=False, level="2048"), {"thinking": {"type": "disabled"}}),
        (Thinking(), {}),
    ],
)
def test_thinking_is_asked_for_in_the_words_of_the_protocol(thinking, expected):
    sent = body(thinking=thinking)

    assert {name: sent[name] for name in ("thinking", "output_config") if name in sent} == expected


def test_an_older_model_can_be_given_a_budget():
    extra = {"thinking": {"type": "enabled", "budget_tokens": 2048}}

    assert body(extra_fields=extra)["thinking"] == extra["thinking"]


def test_neighbours_are_one_turn_and_results_come_first_in_theirs():
    sent = body(
        user("Bonn or Ulm?"),
        call("a"),
        call("b"),
        user("hurry"),
        result("a", "sun"),
        result("b", "Error: no such city", is_error=True),
    )["messages"]

    assert [turn["role"] for turn in sent] == ["user", "assistant", "user"]
    assert sent[1]["content"] == [
        {"type": "tool_use", "id": "a", "name": "weather", "input": {"city": "Bonn"}},
        {"type": "tool_use", "id": "b", "name": "weather", "input": {"city": "Bonn"}},
    ]
    assert sent[2]["content"] == [
        {"type": "tool_result", "tool_use_id": "a", "content": "sun"},
        {"type": "tool_result", "tool_use_id": "b", "content": "Error: no such city", "is_error": True},
        {"type": "text", "text": "hurry", "cache_control": CACHED},
    ]


@pytest.mark.parametrize("arguments", ["", "abc", "[1,2]", '{"city": "Bo', '"{\\"city\\": 1}"'])
def test_arguments_that_are_no_object_go_back_as_an_empty_one(arguments):
    (use,) = body(user("hi"), call("a", arguments), result("a", "x"))["messages"][1]["content"]

    assert use["input"] == {}


def test_the_id_of_a_call_from_elsewhere_is_written_in_letters_allowed_here():
    sent = body(user("hi"), call("functions.weather:0"), result("functions.weather:0", "sun"))["messages"]

    assert sent[1]["content"][0]["id"] == sent[2]["content"][0]["tool_use_id"] == "functions_weather_0"


def test_a_thought_goes_back_before_the_call_with_its_signature():
    signed = Thought("Two cities.", "anthropic signature EqQBCg==")
    hidden = Thought("", redacted="anthropic redacted EmwKAh")
    sent = body(user("hi"), assistant(signed, hidden, "I look."), call("a"), result("a", "sun"))["messages"]

    assert sent[1]["content"] == [
        {"type": "thinking", "thinking": "Two cities.", "signature": "EqQBCg=="},
        {"type": "redacted_thinking", "data": "EmwKAh"},
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "id": "a", "name": "weather", "input": {"city": "Bonn"}},
    ]


def test_thoughts_of_others_and_thoughts_without_an_end_stay_here():
    foreign = Thought("hm", "openai-responses reasoning rs_1 gAAA")
    sent = body(
        user("hi"),
        assistant(foreign, Thought("unsigned"), "yes", Thought("idle", "anthropic signature EqQ")),
        user(Thought("mine"), "go on"),
    )["messages"]

    assert sent[1]["content"] == [{"type": "text", "text": "yes"}]
    assert [block["text"] for block in sent[2]["content"]] == ["go on"]


def test_what_the_provider_searched_goes_back_as_it_came():
    use = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "tides"}}
    sent = body(user("hi"), assistant("I look. ", Thought("", redacted=f"anthropic block {json.dumps(use)}")))

    assert sent["messages"][1]["content"] == [{"type": "text", "text": "I look. "}, {**use, "cache_control": CACHED}]


def test_pictures_and_documents_go_by_bytes_or_by_url():
    (turn,) = body(
        user(
            image(b"png", "image/png"),
            image("https://pictures.test/cat.jpg"),
            blob(b"%PDF", "application/pdf"),
            blob("https://papers.test/a.pdf", "application/pdf"),
            blob(b"a,b", "text/csv"),
            Resource("notes://1", text="Milk"),
            Resource("scan://1", "application/pdf", data=b"%PDF"),
            Resource("photo://1", "image/webp", data=b"webp"),
            Resource("https://papers.test/b.pdf", "application/pdf"),
            image("data:image/gif;base64,Z2lm"),
        )
    )["messages"]
    pdf = {"type": "base64", "media_type": "application/pdf", "data": "JVBERg=="}

    assert turn["content"] == [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "cG5n"}},
        {"type": "image", "source": {"type": "url", "url": "https://pictures.test/cat.jpg"}},
        {"type": "document", "source": pdf},
        {"type": "document", "source": {"type": "url", "url": "https://papers.test/a.pdf"}},
        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "a,b"}},
        {
            "type": "document",
            "source": {"type": "text", "media_type": "text/plain", "data": "Milk"},
            "title": "notes://1",
        },
        {"type": "document", "source": pdf, "title": "scan://1"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/webp", "data": "d2VicA=="}},
        {"type": "document", "source": {"type": "url", "url": "https://papers.test/b.pdf"}},
        {
            "type": "image",
            "source": {"type": "base64", "media_type": "image/gif", "data": "Z2lm"},
            "cache_control": CACHED,
        },
    ]


def test_closing_words_stand_behind_all_that_stays_and_the_cache_ends_before_them():
    sent = body(user("one"), assistant("two"), user("three"), closing="It is noon.", prompts=(SystemPrompt("a", "A"),))

    assert [block["text"] for turn in sent["messages"] for block in turn["content"]] == [
        "one",
        "two",
        "It is noon.",
        "three",
    ]
    assert sent["messages"][1]["content"][-1]["cache_control"] == CACHED
    assert "cache_control" not in sent["messages"][2]["content"][-1]


def test_closing_words_stay_in_their_place_while_tools_are_called():
    first = body(user("one"), assistant("two"), user("three"), closing="It is noon.")["messages"]
    later = body(user("one"), assistant("two"), user("three"), call("a"), result("a", "sun"), closing="It is noon.")

    assert later["messages"][: len(first)] == first


def test_system_words_within_the_conversation_join_the_system_texts():
    sent = body(user("one"), Message.of(ChatRole.SYSTEM, "Speak German."), prompts=(SystemPrompt("a", "Be brief."),))

    assert [block["text"] for block in sent["system"]] == ["Be brief.", "Speak German."]
    assert [turn["role"] for turn in sent["messages"]] == ["user"]


def test_an_answer_that_is_to_be_continued_does_not_end_in_blanks():
    sent = body(user("Count"), assistant("one, two, "))["messages"]

    assert sent[-1] == {
        "role": "assistant",
        "content": [{"type": "text", "text": "one, two,", "cache_control": CACHED}],
    }


def test_a_document_of_words_within_an_answer_goes_back_as_words():
    sent = body(user("hi"), assistant(Resource("notes://1", text="Milk")), user("and?"))["messages"]

    assert sent[1]["content"] == [{"type": "text", "text": "notes://1\nMilk"}]


def test_blank_words_are_left_out():
    assert body(user("", "hi", " \n"))["messages"][0]["content"] == [
        {"type": "text", "text": "hi", "cache_control": CACHED}
    ]


def test_tools_are_offered_with_their_schema_as_it_is():
    sent = body(tools=(WEATHER, SearchWebTool()))

    assert sent["tools"] == [
        {"name": "weather", "description": "The weather of a city.", "input_schema": CITY},
        {"type": "web_search_20250305", "name": "web_search"},
    ]
    assert "tool_choice" not in sent


def test_a_strict_tool_has_its_schema_closed_and_tells_what_cannot_be_held():
    strict = FuncTool("weather", "", CITY, strict=True)
    loose = FuncTool("note", "", {"type": "object", "additionalProperties": True}, strict=True)
    held, free = body(tools=(strict, loose))["tools"]

    assert held["strict"] is True
    assert held["input_schema"]["additionalProperties"] is False
    assert held["input_schema"]["properties"] == {"city": {"type": "string", "description": "(minLength: 1)"}}
    assert "strict" not in free


@pytest.mark.parametrize(
    ("choice", "expected", "offered"),
    [
        (ToolChoice(), {"type": "auto"}, ["weather", "clock"]),
        (ToolChoice(Calling.FORBIDDEN), {"type": "none"}, ["weather", "clock"]),
        (ToolChoice(Calling.FORBIDDEN, ("clock",)), {"type": "none"}, ["weather", "clock"]),
        (ToolChoice(Calling.FORCED), {"type": "any"}, ["weather", "clock"]),
        (ToolChoice(Calling.FORCED, ("clock",)), {"type": "tool", "name": "clock"}, ["clock"]),
        (ToolChoice(Calling.FORCED, ("clock", "weather")), {"type": "any"}, ["weather", "clock"]),
        (ToolChoice(Calling.ALLOWED, ("weather",)), {"type": "auto"}, ["weather"]),
    ],
)
def test_whether_tools_may_be_called(choice, expected, offered):
    sent = body(tools=(WEATHER, CLOCK), choice=choice)

    assert sent["tool_choice"] == expected
    assert [tool["name"] for tool in sent["tools"]] == offered


def test_a_choice_without_tools_is_not_sent():
    assert "tool_choice" not in body(choice=ToolChoice(Calling.FORBIDDEN))


def test_an_answer_is_held_to_its_form():
    sent = body(form=WEATHER, thinking=Thinking(level="low"))

    assert sent["output_config"]["effort"] == "low"
    assert sent["output_config"]["format"]["type"] == "json_schema"
    assert sent["output_config"]["format"]["schema"]["required"] == ["city"]


@pytest.mark.parametrize(
    "request_",
    [
        asked(user(audio(b"mp3"))),
        asked(user(video("https://films.test/a.mp4"))),
        asked(user(image(b"tiff", "image/tiff"))),
        asked(user(blob(b"zip"))),
        asked(user(blob("https://papers.test/a.docx", "application/msword"))),
        asked(user("hi"), assistant(image(b"png", "image/png"))),
        asked(Message(ChatRole.USER, ToolCall("a", FuncCall("weather", "{}")))),
        asked(user("  ")),
        asked(user(image("data:image/gif;base64,?"))),
        asked(seed=1),
        asked(n=2),
        asked(frequency_penalty=0.5),
        asked(presence_penalty=0.5),
        asked(tools=(WEATHER,), choice=ToolChoice(Calling.FORCED, ("cook",))),
        asked(tools=(WEATHER,), choice=ToolChoice(Calling.FORCED), thinking=Thinking(enabled=True)),
        asked(form=FuncTool("note", "", {"type": "object", "additionalProperties": True})),
    ],
)
def test_what_it_cannot_carry_is_refused_before_anything_is_sent(request_):
    with pytest.raises(Unsupported) as refused:
        Anthropic().encode(request_, "https://api.anthropic.test")

    assert refused.value.mend
