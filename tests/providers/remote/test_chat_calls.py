"""A chat model over HTTP: structured answers, and tool calls that come as text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from doubles.plain_chat import AGE, all_of, asked, chat
from doubles.provider_server import Ending, ProviderServer, Reply

from companion.dialects.contract import WireRequest
from companion.dialects.openai_completions import OpenAICompletions
from companion.errors import (
    InvalidAnswer,
    Refused,
    Unreachable,
    Unsupported,
)
from companion.model import (
    Calling,
    ChatRequest,
    ChatRole,
    FuncTool,
    Message,
    ModelContext,
    ToolChoice,
    ToolResult,
)
from companion.model.calls import CallDelta
from companion.model.chat import ChatModel
from companion.model.chat_options import with_answer_form
from companion.model.deltas import Delta, Finish, Finished, TextDelta
from companion.providers.remote.endpoint import Door
from companion.stream import FuncCall, ToolCall


async def invoked(replies: Sequence[Reply], **others) -> tuple[object, list[dict]]:
    async with ProviderServer(replies) as server, chat(server.url, **others) as model:
        _, call = await model.invoke(asked("Ada is 36."), AGE)
        return json.loads(call.arguments), [request.json for request in server.asked]


ANSWERED = Reply.sse({"say": '{"age": 36}'}, {"end": "stop"})
CALLED = Reply.sse({"call": "note", "with": {"age": 36}}, {"end": "tool_calls"})
NO_SCHEMA = Reply.json({"why": "response_format: json_schema is not supported"}, 400)
NO_TOOLS = Reply.json({"why": "this model does not support tools"}, 400)


async def test_a_structured_answer_is_held_to_its_schema() -> None:
    answer, requests = await invoked([ANSWERED])

    assert answer == {"age": 36}
    assert [request["schema"] for request in requests] == [dict(AGE.parameters)]


async def test_where_there_are_no_schemas_it_is_a_tool() -> None:
    answer, requests = await invoked([NO_SCHEMA, CALLED])

    assert answer == {"age": 36}
    assert ["schema" in request for request in requests] == [True, False]
    assert requests[1]["tools"] == ["note"]


async def test_where_there_are_no_tools_it_is_told_in_words() -> None:
    answer, requests = await invoked([NO_SCHEMA, NO_TOOLS, ANSWERED])

    assert answer == {"age": 36}
    assert "schema" not in requests[2]
    assert "tools" not in requests[2]


async def test_what_a_provider_cannot_is_not_asked_of_it_twice() -> None:
    async with ProviderServer([NO_SCHEMA, NO_TOOLS, ANSWERED]) as server, chat(server.url) as model:
        for _ in range(2):
            await model.invoke(asked("Ada is 36."), AGE)

    assert len(server.asked) == 4


async def test_an_endpoint_without_schemas_is_not_asked_for_one() -> None:
    async with (
        ProviderServer([CALLED]) as server,
        chat(server.url, door=Door("plain", server.url, has_schema=False)) as model,
    ):
        _, call = await model.invoke(asked("Ada is 36."), AGE)

    assert json.loads(call.arguments) == {"age": 36}
    assert "schema" not in server.asked[0].json


async def test_a_model_asks_an_endpoint_without_schemas_in_words() -> None:
    async with (
        ProviderServer([ANSWERED]) as server,
        chat(server.url, door=Door("plain", server.url, has_schema=False)) as remote,
    ):
        with pytest.raises(Unsupported, match="Plain holds no answer to a schema"):
            await remote.ask(ChatRequest(asked("Ada is 36."), answer_form=AGE))
        asking = ChatModel(remote).prompt("Ada is 36.").options(with_answer_form(AGE))
        response = await asking.call_stream()

    assert json.loads(response.text) == {"age": 36}
    assert ["schema" in request.json for request in server.asked] == [False]


async def test_another_refusal_is_not_taken_for_one_of_the_form() -> None:
    with pytest.raises(Refused, match="no such model"):
        await invoked([Reply.json({"why": "no such model"}, 404)])


async def test_an_answer_that_does_not_fit_is_asked_for_once_more() -> None:
    odd = Reply.sse({"say": '{"age": "old"}'}, {"end": "stop"})

    answer, requests = await invoked([odd, ANSWERED])

    assert answer == {"age": 36}
    assert len(requests) == 2
    with pytest.raises(InvalidAnswer):
        await invoked([odd, odd])


NAMED = FuncTool("name", "Notes a name.", {"type": "object", "properties": {"name": {"type": "string"}}})
WRITTEN = Reply.sse({"say": 'So: {"name": "no'}, {"say": 'te", "arguments": {"age": 36}}'}, {"end": "stop"})


async def deltas_of(reply: Reply, *, tools: Sequence[FuncTool] = (AGE,), **request) -> list[Delta]:
    """The answer of a server whose models write their calls."""
    async with ProviderServer([reply]) as server:
        door = Door("plain", server.url, writes_calls=True)
        async with chat(server.url, door=door) as model:
            return await all_of(await model.ask(ChatRequest(replace(asked(), tools=tuple(tools)), **request)))


async def test_a_call_in_the_words_is_taken_out_of_them() -> None:
    words, call, end = await deltas_of(WRITTEN)

    assert words == TextDelta("So: ")
    assert isinstance(call, CallDelta)
    assert (call.name, json.loads(call.arguments)) == ("note", {"age": 36})
    assert end == Finished(Finish.TOOL_CALLS)


async def test_it_is_so_in_an_answer_that_comes_whole() -> None:
    whole = Reply.json([{"say": '{"name": "note", "arguments": {"age": 36}}'}, {"end": "stop"}])
    call, end = await deltas_of(whole, is_streamed=False)

    assert isinstance(call, CallDelta)
    assert end == Finished(Finish.TOOL_CALLS)


async def test_a_call_that_comes_as_one_is_another_than_one_in_the_words() -> None:
    both = Reply.sse(
        {"call": "name", "with": {"name": "Ada"}},
        {"say": '{"name": "note", "arguments": {"age": 36}}'},
        {"end": "tool_calls"},
    )
    deltas = await deltas_of(both, tools=(AGE, NAMED))

    calls = [delta for delta in deltas if isinstance(delta, CallDelta)]
    assert [call.name for call in calls] == ["name", "note"]
    assert calls[0].index != calls[1].index


@pytest.mark.parametrize(
    "request_of",
    [
        {"tool_choice": ToolChoice(Calling.FORBIDDEN)},
        {"tool_choice": ToolChoice(Calling.ALLOWED, ("name",))},
        {"answer_form": AGE},
    ],
    ids=["forbidden", "another", "form"],
)
async def test_what_may_not_be_called_stays_words(request_of: dict) -> None:
    deltas = await deltas_of(WRITTEN, tools=(AGE, NAMED), **request_of)

    assert not [delta for delta in deltas if isinstance(delta, CallDelta)]
    said = "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
    assert said == 'So: {"name": "note", "arguments": {"age": 36}}'


async def test_what_was_held_back_comes_out_of_an_answer_that_breaks() -> None:
    cut = Reply.sse({"say": 'So: {"name": "no'}, ending=Ending.CUT)
    async with (
        ProviderServer([cut]) as server,
        chat(server.url, door=Door("plain", server.url, writes_calls=True)) as model,
    ):
        source = await model.ask(ChatRequest(replace(asked(), tools=(AGE,))))
        said = [await source.next(), await source.next()]
        with pytest.raises(Unreachable):
            await source.next()
        await source.close()

    assert said == [TextDelta("So: "), TextDelta('{"name": "no')]


async def test_where_no_tool_can_be_forced_by_name_it_is_the_only_one() -> None:
    async with (
        ProviderServer([CALLED]) as server,
        chat(server.url, door=Door("plain", server.url, has_named_choice=False)) as model,
    ):
        context = replace(asked(), tools=(NAMED, AGE))
        await all_of(await model.ask(ChatRequest(context, tool_choice=ToolChoice(Calling.FORCED, ("note",)))))
        await all_of(await model.ask(ChatRequest(context, tool_choice=ToolChoice(Calling.ALLOWED))))

    assert [request.json["tools"] for request in server.asked] == [["note"], ["name", "note"]]


@pytest.mark.parametrize("is_streamed", [True, False])
async def test_an_answer_calls_by_the_name_that_the_conversation_has(is_streamed: bool) -> None:
    function = {"name": "get_time_", "arguments": "{}"}
    said = {"tool_calls": [{"index": 0, "id": "call_2", "type": "function", "function": function}]}
    choice = {"index": 0, "finish_reason": "tool_calls", "delta" if is_streamed else "message": said}
    answer = Reply.sse({"choices": [choice]}) if is_streamed else Reply.json({"choices": [choice]})
    made_up = (
        Message.of(ChatRole.USER, "What time is it?"),
        Message(ChatRole.ASSISTANT, ToolCall("call_1", FuncCall("get time!", "{}"))),
        Message(ChatRole.TOOL, ToolResult("call_1", "there is no such tool", is_error=True)),
    )
    async with ProviderServer([answer]) as server, chat(server.url, dialect=OpenAIStrict()) as model:
        deltas = await all_of(await model.ask(ChatRequest(ModelContext(messages=made_up), is_streamed=is_streamed)))

    (sent,) = [one for one in server.asked[0].json["messages"] if one["role"] == "assistant"]
    assert sent["tool_calls"][0]["function"]["name"] == "get_time_"
    assert [one.name for one in deltas if isinstance(one, CallDelta)] == ["get time!"]


class OpenAIStrict(OpenAICompletions):
    """As OpenAI takes it, at any address."""

    def encode(self, request: ChatRequest, base_url: str) -> WireRequest:
        return replace(super().encode(request, "https://api.openai.com/v1"), url=f"{base_url}/chat")
