"""Names of tools and ids of calls, as each wire takes them."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace

import pytest

from companion.dialects import AnswerReader, choose_dialect
from companion.dialects.wire_names import WORD, Form, NameLimits, fitted_names
from companion.errors import Unsupported
from companion.model import ChatRequest, ChatRole, FuncTool, Message, ModelContext, ToolResult
from companion.model.calls import CallDelta
from companion.stream import FuncCall, ToolCall

OPENAI = "https://api.openai.com/v1"
MISTRAL = "https://api.mistral.ai/v1"
LIMITS = {
    ("openai-completions", OPENAI): (r"[a-zA-Z0-9_-]{1,64}", r"[a-zA-Z0-9_-]{1,40}"),
    ("openai-completions", MISTRAL): (r"[a-zA-Z0-9_-]{1,64}", r"[a-zA-Z0-9]{9}"),
    ("openai-responses", OPENAI): (r"[a-zA-Z0-9_-]{1,64}", r"[a-zA-Z0-9_-]{1,64}"),
    ("anthropic", "https://api.anthropic.com"): (r"[a-zA-Z0-9_-]{1,128}", r"[a-zA-Z0-9_-]+"),
    ("gemini", "https://google.test/v1beta"): (r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}", r"(?s:.+)"),
    ("google-interactions", "https://google.test/v1beta"): (r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}", r"(?s:.+)"),
    ("dashscope", "https://dashscope.test/api/v1"): (r"[a-zA-Z0-9_-]{1,64}", r"(?s:.+)"),
}
WIRES = pytest.mark.parametrize(("dialect", "url"), LIMITS, ids=lambda text: text)
STRANGE = ("get time!", "get time?", "get_time_", "", "9 lives", "час", "x" * 200, "x" * 200 + "y", "get\n", "get")
IDS = ("functions.get:0", "functions_get_0", "functions.get_0", "c" * 80, "c" * 81, "1", "abcdefghi", "call 1", "a\n")


def called(*calls: tuple[str, str], tools: tuple[FuncTool, ...] = ()) -> ChatRequest:
    """A conversation in which these tools were called, by id and name."""
    messages = [Message.of(ChatRole.USER, "hello")]
    messages += [Message(ChatRole.ASSISTANT, ToolCall(one, FuncCall(name, "{}"))) for one, name in calls]
    messages += [Message(ChatRole.TOOL, ToolResult(one, "done")) for one, _ in calls]
    return ChatRequest(ModelContext(messages=tuple(messages), tools=tools), "some-model")


def tool(name: str) -> FuncTool:
    return FuncTool(name, "", {"type": "object", "properties": {}})


def strings(body: object, *keys: str) -> list[str]:
    """All texts under these names, anywhere in a body."""
    found: list[str] = []
    if isinstance(body, dict):
        for key, value in body.items():
            found += [value] if key in keys and isinstance(value, str) else strings(value, *keys)
    elif isinstance(body, list):
        for one in body:
            found += strings(one, *keys)
    return found


def sent(dialect: str, url: str, request: ChatRequest) -> object:
    return json.loads(json.dumps(choose_dialect(dialect).encode(request, url).body, default=list))


@WIRES
def test_a_name_that_a_model_made_up_goes_back_in_a_form_that_its_wire_takes(dialect: str, url: str) -> None:
    names, _ = LIMITS[dialect, url]
    written = set(strings(sent(dialect, url, called(*((f"id{at}", name) for at, name in enumerate(STRANGE)))), "name"))
    assert all(re.fullmatch(names, name) for name in written), written
    assert len(written) == len(STRANGE), "no two names become one"
    assert {"get_time_", "get"} <= written, "a name that fits stays"


@WIRES
def test_ids_fit_and_no_two_become_one(dialect: str, url: str) -> None:
    _, form = LIMITS[dialect, url]
    written = strings(
        sent(dialect, url, called(*((one, "get") for one in IDS))), "id", "call_id", "tool_call_id", "tool_use_id"
    )
    assert all(re.fullmatch(form, one) for one in written), written
    assert len(set(written)) == len(IDS)
    assert all(written.count(one) == 2 for one in written), "a result keeps the id of its call"


@WIRES
def test_a_tool_that_is_offered_keeps_its_name_or_is_refused_by_it(dialect: str, url: str) -> None:
    body = sent(dialect, url, called(("1", "get_time!"), tools=(tool("get_time_"),)))
    assert strings(body, "name").count("get_time_") == 1
    with pytest.raises(Unsupported, match="get time!"):
        sent(dialect, url, called(tools=(tool("get time!"),)))


def test_an_engine_of_ones_own_gets_names_and_ids_as_they_are() -> None:
    request = called(("functions.get time:0", "get time!"), tools=(tool("gib Zeit"),))
    assert fitted_names(request, NameLimits(), "any") == (request, {})
    body = sent("openai-completions", "http://127.0.0.1:8080/v1", request)
    assert strings(body, "name") == ["get time!", "gib Zeit"]


def test_an_answer_calls_by_the_names_of_the_conversation() -> None:
    dialect = choose_dialect("openai-completions")
    names = dialect.encode(called(("1", "get time!")), OPENAI).names
    assert names == {"get_time_": "get time!"}
    call = {"index": 0, "id": "2", "function": {"name": "get_time_", "arguments": "{}"}}
    chunk = {"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]}
    reader = AnswerReader(dialect, names)
    deltas = [*reader.feed(f"data: {json.dumps(chunk)}\n\n".encode()), *reader.end()]
    assert [one.name for one in deltas if isinstance(one, CallDelta)] == ["get time!"]


def test_what_a_longer_conversation_says_of_its_beginning_stays_the_same() -> None:
    """So that what a provider keeps of the beginning serves again."""
    calls = [(f"call:{at}", f"do it {at}") for at in range(20)]
    bodies = [json.dumps(sent("openai-completions", MISTRAL, called(calls[0], *calls[1:size]))) for size in (1, 20)]
    first = [re.findall(r'"id": "(\w+)"', body)[0] for body in bodies]
    assert first[0] == first[1]


@pytest.mark.parametrize("form", [Form(WORD, 64), Form(WORD, 40), Form("a-zA-Z0-9", 9, shortest=9), Form(WORD)])
def test_any_names_are_told_apart(form: Form) -> None:
    chance = random.Random(7)
    names = tuple({"".join(chance.choices("ab_ .!é\n", k=chance.randrange(80))) for _ in range(300)})
    request, back = fitted_names(called(*((name, name) for name in names)), NameLimits(form, form), "any")
    payloads = [one.payload for one in request.context.messages if isinstance(one.payload, ToolCall)]
    wires = [one.func_call.name for one in payloads]
    assert len(set(wires)) == len(names)
    assert len({one.id for one in payloads}) == len(names)
    assert all(form.fits(name) for name in wires)
    assert [back.get(name, name) for name in wires] == list(names)
    assert fitted_names(replace(request), NameLimits(form, form), "any") == (request, {}), "twice is as once"
