"""Ollama's chat: requests fit its SDK, recordings are written after the reference (docs.ollama.com/api/chat)."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import ollama
import pytest
from dialects.questions import SYSTEM_TEXTS, WEATHER, asked, broken_links, question, spoken_to
from dialects.wire import RECORDINGS, check_recording, deltas_of, failure_of, recordings

from companion.dialects.laws import Outcome, check_dialect, outcome_of, said_of
from companion.dialects.ollama import Ollama
from companion.errors import ModelError, ProviderFailed, Refused, Unsupported, WireBroken
from companion.model import (
    Calling,
    ChatRequest,
    ChatRole,
    Contents,
    Message,
    ModelParams,
    Resource,
    SearchWebTool,
    Thinking,
    Thought,
    ToolChoice,
)
from companion.model.content import audio, image, video
from companion.model.deltas import CallDelta, Counted, Delta, Finish, Finished, RawDelta, TextDelta, ThoughtDelta
from companion.stream import FuncCall, Text, Usage

DIALECT = Ollama()
HERE = "http://127.0.0.1:11434"
PNG = b"\x89PNG\r\n"
LAST = {"done": True, "done_reason": "stop", "message": {"role": "assistant", "content": ""}}


def body(request: ChatRequest) -> dict:
    """The body that is sent, which the SDK would send in the same way."""
    sent = json.loads(json.dumps(DIALECT.encode(request, HERE).body))
    theirs = ollama._types.ChatRequest.model_validate(sent)
    for message in sent["messages"]:
        pictures = [{"value": picture} for picture in message.get("images", [])]
        ollama.Message.model_validate({**message, "images": pictures})
    assert theirs.model_dump(exclude_none=True, include={"model", "stream", "think", "format", "options"}) == {
        name: value for name, value in sent.items() if name not in ("messages", "tools")
    }
    assert not sent.keys() - type(theirs).model_fields.keys()
    return sent


def shown(*parts: object) -> ChatRequest:
    return asked("m", Message(ChatRole.USER, Contents(parts)))


def recorded(name: str) -> list[Delta]:
    return deltas_of(DIALECT, (RECORDINGS / "ollama" / f"{name}.ndjson").read_bytes())


def line(**fields: object) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def said(**message: object) -> bytes:
    return line(message={"role": "assistant", **message}, done=False)


def read(*lines: bytes) -> Outcome:
    return outcome_of(DIALECT, lines)


# Requests.


def test_a_whole_conversation_is_written() -> None:
    assert body(spoken_to("m"))["messages"] == [
        {"role": "system", "content": "You are kind.\n\nYou are brief."},
        {"role": "user", "content": "How is the weather?"},
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [
                {"id": "c1", "function": {"name": "get_weather", "arguments": {"city": "Paris"}}},
                {"id": "c2", "function": {"name": "get_weather", "arguments": {}}},
            ],
        },
        {"role": "tool", "content": "sunny", "tool_name": "get_weather", "tool_call_id": "c1"},
        {"role": "tool", "content": "Error: which city?", "tool_name": "get_weather", "tool_call_id": "c2"},
        {"role": "assistant", "content": "Sunny in Paris."},
        {"role": "user", "content": "It is noon.\n\nAnd tomorrow?"},
    ]


def test_system_texts_of_a_conversation_come_at_its_beginning_or_from_the_user() -> None:
    assert body(asked("m", *(Message.of(*one) for one in SYSTEM_TEXTS)))["messages"] == [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "b"},
        {"role": "user", "content": "Be brief.\n\nc"},
    ]


@pytest.mark.parametrize("base_url", [HERE, f"{HERE}/", f"{HERE}/api", f"{HERE}/api/chat"])
def test_the_url_is_completed_once(base_url: str) -> None:
    assert DIALECT.encode(question("m"), base_url).url == f"{HERE}/api/chat"


@pytest.mark.parametrize("is_streamed", [True, False])
def test_whether_it_streams_is_always_said(is_streamed: bool) -> None:
    assert body(question("m", is_streamed=is_streamed))["stream"] is is_streamed


def test_parameters_are_options_of_its_own_names() -> None:
    params = ModelParams(
        max_tokens=7,
        temperature=0.0,
        top_p=0.5,
        top_k=3,
        frequency_penalty=0.0,
        presence_penalty=0.5,
        seed=0,
        stop=("END",),
        extra_fields={"keep_alive": "5m", "options": {"num_ctx": 8192}},
    )

    sent = json.loads(json.dumps(DIALECT.encode(question("m", params=params), HERE).body))

    assert sent["options"] == {
        "num_predict": 7,
        "temperature": 0.0,
        "top_p": 0.5,
        "top_k": 3,
        "frequency_penalty": 0.0,
        "presence_penalty": 0.5,
        "seed": 0,
        "stop": ["END"],
        "num_ctx": 8192,
    }
    assert sent["keep_alive"] == "5m"
    ollama._types.Options.model_validate(sent["options"])
    assert "options" not in body(question("m"))


@pytest.mark.parametrize(
    ("thinking", "sent"),
    [
        (Thinking(enabled=True), True),
        (Thinking(enabled=False, level="high"), False),
        (Thinking(level="low"), "low"),
        (Thinking(), None),
    ],
)
def test_thinking_is_a_switch_or_a_level(thinking: Thinking, sent: object) -> None:
    assert body(question("m", params=ModelParams(thinking=thinking))).get("think") == sent


def test_tools_and_the_form_of_the_answer_are_schemas() -> None:
    sent = body(question("m", tools=(WEATHER,), answer_form=WEATHER))

    assert sent["tools"][0]["function"]["parameters"] == WEATHER.parameters
    assert sent["format"] == WEATHER.parameters


def test_only_the_tools_that_may_be_called_are_offered() -> None:
    assert "tools" not in body(question("m", tools=(WEATHER,), tool_choice=ToolChoice(Calling.FORBIDDEN)))
    assert "tools" not in body(question("m", tools=(WEATHER,), tool_choice=ToolChoice(names=("other",))))
    assert body(question("m", tools=(WEATHER,), tool_choice=ToolChoice(names=("get_weather",))))["tools"]


def test_pictures_stand_beside_the_words() -> None:
    encoded = base64.b64encode(PNG).decode()
    held = f"data:image/png;base64,{encoded}"

    assert body(
        shown(Text("a"), image(PNG, "image/png"), image(held), Resource("x.png", "image/png", data=PNG), Text("b"))
    )["messages"] == [{"role": "user", "content": "a\n\nb", "images": [encoded] * 3}]


def test_a_document_is_words_under_its_address() -> None:
    assert body(shown(Resource("a.md", text="# A")))["messages"][0]["content"] == "a.md\n# A"


def test_thoughts_go_back() -> None:
    answer = Message(ChatRole.ASSISTANT, Contents((Thought("hm"), Text("yes"))))

    assert body(asked("m", Message.of(ChatRole.USER, "a"), answer, Message.of(ChatRole.USER, "b")))["messages"][1] == {
        "role": "assistant",
        "content": "yes",
        "thinking": "hm",
    }


@pytest.mark.parametrize(
    "request_",
    [
        question("m", params=ModelParams(n=2)),
        question("m", tools=(WEATHER,), tool_choice=ToolChoice(Calling.FORCED)),
        question("m", tools=(SearchWebTool(),)),
        shown(image("https://h/a.png")),
        shown(audio(b"abc")),
        shown(video(b"abc")),
        shown(Resource("a.pdf", "application/pdf", data=b"%PDF")),
        asked("m", Message(ChatRole.ASSISTANT, Contents((image(PNG),)))),
        asked("m"),
    ],
)
def test_what_cannot_be_carried_is_refused_with_a_way_out(request_: ChatRequest) -> None:
    with pytest.raises(Unsupported) as caught:
        DIALECT.encode(request_, HERE)

    assert caught.value.mend


# Answers.


@pytest.mark.parametrize("path", recordings(DIALECT), ids=lambda path: path.stem)
def test_a_recording_says_the_same_in_every_form_the_line_can_give_it(path: Path) -> None:
    check_recording(DIALECT, path.read_bytes())


@pytest.mark.parametrize("path", recordings(DIALECT), ids=lambda path: path.stem)
def test_the_sdk_reads_the_recordings_too(path: Path) -> None:
    for text in path.read_text().splitlines():
        ollama.ChatResponse.model_validate(json.loads(text))


def test_it_passes_the_examination_of_dialects() -> None:
    whole = {
        "model": "qwen3:4b",
        "message": {"role": "assistant", "content": 'The sky is blue – 蓝色\n"because" 🙂'},
        "done": True,
        "done_reason": "stop",
        "prompt_eval_count": 26,
        "eval_count": 282,
    }

    check_dialect(
        DIALECT,
        (RECORDINGS / "ollama" / "words.ndjson").read_bytes(),
        whole=whole,
        request=spoken_to("m"),
        uncarried=[question("m", params=ModelParams(n=3)), *broken_links("m")],
    )


def test_words_and_counts_are_read() -> None:
    assert said_of(recorded("words")).text == 'The sky is blue – 蓝色\n"because" 🙂'
    assert recorded("words")[-2:] == [Counted(Usage(26, 282)), Finished(Finish.STOP, reason="stop")]


def test_thoughts_and_calls_are_read() -> None:
    found = said_of(recorded("thoughts_and_calls"))

    assert found.thoughts == ("Okay, the weather.",)
    assert found.text == "I look."
    assert found.calls == (
        FuncCall("get_weather", '{"city": "Zürich", "days": 2}'),
        FuncCall("get_weather", '{"city": "Oslo"}'),
    )
    assert found.finished == Finished(Finish.TOOL_CALLS, reason="stop")


def test_calls_without_places_are_told_apart() -> None:
    calls = [{"function": {"name": "look", "arguments": {}}}] * 2
    deltas = read(said(tool_calls=calls), said(tool_calls=calls[:1]), line(**LAST)).deltas

    assert [delta.index for delta in deltas if isinstance(delta, CallDelta)] == [0, 1, 2]


def test_an_answer_that_is_cut_says_so() -> None:
    assert said_of(recorded("cut")).finished == Finished(Finish.LENGTH, reason="length")


def test_a_server_that_counts_nothing_new_still_finishes() -> None:
    assert read(said(content="a"), line(**LAST)).deltas[-2] == Counted(Usage())


def test_odds_of_tokens_are_given_on_as_they_are() -> None:
    odds = [{"token": "a", "logprob": -0.1}]
    outcome = read(line(message={"content": "a"}, logprobs=odds, done=False), line(**LAST))

    assert outcome.deltas[:2] == (TextDelta("a"), RawDelta({"logprobs": odds}))


def test_an_answer_that_is_never_done_is_an_error() -> None:
    outcome = read(said(thinking="hm"), said(content="a"))

    assert outcome.deltas == (ThoughtDelta("hm"), TextDelta("a"))
    assert isinstance(outcome.error, WireBroken)


def test_an_error_in_the_middle_is_told_behind_what_was_said() -> None:
    outcome = read(said(content="a"), line(error="model runner has unexpectedly stopped"))

    assert outcome.deltas == (TextDelta("a"),)
    assert isinstance(outcome.error, ProviderFailed)
    assert "unexpectedly" in str(outcome.error)


@pytest.mark.parametrize(
    "data",
    [
        b"{\n",
        b"null\n",
        b"<html>\n",
        line(message=7, done=False),
        said(content=7),
        said(tool_calls={}),
        said(tool_calls=[7]),
        said(tool_calls=[{"function": {"name": "look", "arguments": "{}"}}]),
        line(done=True, eval_count="many"),
    ],
)
def test_a_malformed_line_is_an_error_by_name(data: bytes) -> None:
    error = failure_of(DIALECT, data + line(**LAST))

    assert isinstance(error, WireBroken)
    assert "ollama" in str(error)


@pytest.mark.parametrize(
    ("status", "answer", "kind"),
    [
        (404, {"error": "model 'x' not found"}, Refused),
        (400, {"error": "x does not support tools"}, Refused),
        (500, {"error": "something went wrong"}, ProviderFailed),
        (502, "bad gateway", ProviderFailed),
    ],
)
def test_a_status_is_an_error_in_its_words(status: int, answer: object, kind: type) -> None:
    error = DIALECT.fault(status, answer)

    assert isinstance(error, kind)
    assert str(error) == (answer if isinstance(answer, str) else answer["error"])


@pytest.mark.parametrize("answer", [None, [], {"message": {"content": "a"}, "done": False}, {"error": "no"}])
def test_a_whole_answer_that_is_none_is_an_error(answer: object) -> None:
    with pytest.raises(ModelError):
        DIALECT.read(answer)
