"""Structured answers: what is asked, what is mended, what is asked again, and what is refused."""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import dataclass

import pytest
from doubles.generator import ScriptedGenerator

from companion.errors import BadTool, InvalidAnswer, ModelDied, StreamBlocked, Unsupported
from companion.model import ChatRole, FuncTool, Message, ModelContext, ModelParams, SystemPrompt
from companion.model.json_repair import LONGEST
from companion.model.structured import by_text, by_tool_call, invoke_by, invoke_by_text
from companion.stream import (
    FuncCall,
    MessageChunk,
    Role,
    Status,
    Stream,
    StreamBuilder,
    Text,
    ToolCall,
    Usage,
)

PERSON = FuncTool(
    "note_person",
    "Keeps what was said about somebody.",
    {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "age": {"type": "integer", "minimum": 0},
            "mood": {"enum": ["glad", "sad"]},
            "friends": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["name"],
        "additionalProperties": False,
    },
)
CONTEXT = ModelContext((SystemPrompt("who", "You are Nabu."),), (Message.of(ChatRole.USER, "Ada is 36."),))


@dataclass
class Cut:
    """An answer that came to its limit."""

    text: str


class Replies:
    """A generator of ready-made answers: text, calls, an error to start with or to break with; counts its streams."""

    def __init__(self, *replies: str | Cut | FuncCall | BaseException) -> None:
        self._replies = list(replies)
        self.contexts: list[ModelContext] = []
        self.streams: list[Stream] = []

    async def __call__(self, context: ModelContext, *, model: str = "") -> Stream:
        self.contexts.append(context)
        builder = StreamBuilder()
        self.streams.append(builder.stream)
        match self._replies.pop(0):
            case FuncCall() as call:
                await builder.add(MessageChunk(role=Role.MODEL, part=Text("Let me see.")))
                await builder.add(MessageChunk(role=Role.MODEL, tool_call=ToolCall("call_1", call)))
                builder.done(Usage(10, 5))
            case Cut(text):
                await builder.add(MessageChunk(role=Role.MODEL, part=Text(text)))
                builder.truncated(Usage(10, 5))
            case str() as text:
                await builder.add(MessageChunk(role=Role.MODEL, part=Text(text)))
                builder.done(Usage(10, 5, 2))
            case error:
                builder.abort(error)
        return builder.stream


async def asked(model: Replies) -> object:
    _, call = await invoke_by_text(model, CONTEXT, PERSON)
    assert call.name == "note_person"
    return json.loads(call.arguments)


async def test_an_answer_that_fits_is_left_as_it_was_written() -> None:
    written = '{ "name" : "Ada" }'
    usage, call = await invoke_by_text(Replies(written), CONTEXT, PERSON)

    assert call == FuncCall("note_person", written)
    assert usage == Usage(10, 5, 2)


async def test_the_model_is_told_the_schema_and_no_chance_is_left() -> None:
    model = ScriptedGenerator('{"name": "Ada"}')
    await model.invoke(CONTEXT, PERSON)
    (context,) = model.contexts

    assert context.prompts[:1] == CONTEXT.prompts
    assert "Keeps what was said about somebody." in context.prompts[-1].text
    assert json.dumps(PERSON.parameters, separators=(",", ":")) in context.prompts[-1].text
    assert context.messages == CONTEXT.messages
    assert context.params.temperature == 0.0
    assert context.params.max_tokens


async def test_what_the_caller_set_stays() -> None:
    model = ScriptedGenerator('{"name": "Ada"}')
    params = ModelParams(temperature=0.4, max_tokens=9, seed=0)
    await model.invoke(ModelContext(params=params), PERSON)

    assert model.contexts[0].params == params


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Here you are: ```json\n{'name': 'Ada', age: 36,}\n```", {"name": "Ada", "age": 36}),
        ('{"name": "Ada", "friends": ["Bo', {"name": "Ada", "friends": ["Bo"]}),
        (json.dumps('{"name": "Ada"}'), {"name": "Ada"}),
        ('{"name": "note_person", "arguments": {"name": "Ada"}}', {"name": "Ada"}),
        ('{"name": "note_person", "arguments": "{\\"name\\": \\"Ada\\"}"}', {"name": "Ada"}),
        ('{"note_person": {"name": "Ada"}}', {"name": "Ada"}),
        ('{"name": "艾达"}', {"name": "艾达"}),
        ('{"name": "\\ud83d", }', {"name": "\ufffd"}),
    ],
)
async def test_what_is_slightly_broken_is_mended(written: str, meant: object) -> None:
    assert await asked(Replies(written)) == meant


async def test_a_wrong_answer_is_asked_for_once_more_with_what_is_wrong() -> None:
    model = Replies('{"name": "Ada", "age": "thirty-six"}', '{"name": "Ada", "age": 36}')

    assert await asked(model) == {"name": "Ada", "age": 36}
    said, complaint = model.contexts[1].messages[-2:]
    assert (said.role, said.text) == (ChatRole.ASSISTANT, '{"name": "Ada", "age": "thirty-six"}')
    assert complaint.role is ChatRole.USER
    assert "'age'" in complaint.text
    assert "integer" in complaint.text


async def test_a_cut_answer_is_asked_for_again_and_not_mended() -> None:
    model = Replies(Cut('{"name": "Ada", "friends": ["Bo'), '{"name": "Ada"}')

    assert await asked(model) == {"name": "Ada"}
    assert "cut off" in model.contexts[1].messages[-1].text


async def test_an_answer_cut_twice_is_refused() -> None:
    with pytest.raises(InvalidAnswer, match="'note_person' was cut off"):
        await asked(Replies(Cut('{"name": "Ad'), Cut('{"name": "Ada", ')))


async def test_a_cut_answer_that_is_whole_will_do() -> None:
    assert await asked(Replies(Cut('{"name": "Ada"}\n'))) == {"name": "Ada"}


async def test_no_tokens_at_all_is_a_limit_too() -> None:
    model = ScriptedGenerator('{"name": "Ada"}')
    await model.invoke(ModelContext(params=ModelParams(max_tokens=0)), PERSON)

    assert model.contexts[0].params.max_tokens == 0


async def test_both_attempts_are_counted() -> None:
    model = Replies("no", '{"name": "Ada"}')
    usage, _ = await invoke_by_text(model, CONTEXT, PERSON)

    assert usage == Usage(20, 10, 4)
    assert [stream.state.status for stream in model.streams if stream.state] == [Status.DONE, Status.DONE]


@pytest.mark.parametrize(
    ("written", "field", "rule"),
    [
        ('{"age": 36}', "", "'name' is a required property"),
        ('{"name": 3}', "name", "of type string"),
        ('{"name": "Ada", "age": -1}', "age", "minimum: 0"),
        ('{"name": "Ada", "mood": "secret"}', "mood", '["glad", "sad"]'),
        ('{"name": "Ada", "friends": ["Bo", 7]}', "friends[1]", "of type string"),
        ('{"name": "Ada", "secret": 1}', "", "not asked for"),
        ("[1, 2]", "", "of type object"),
    ],
)
async def test_an_answer_wrong_twice_is_refused_by_its_field(written: str, field: str, rule: str) -> None:
    model = Replies(written, written, '{"name": "never asked for"}')
    with pytest.raises(InvalidAnswer) as refused:
        await asked(model)

    assert refused.value.field == field
    assert rule in str(refused.value)
    assert refused.value.mend
    assert len(model.contexts) == 2


async def test_nothing_that_was_said_is_in_the_error() -> None:
    for written in (
        '{"name": ["secret"]}',
        '{"name": "Ada", "secret": 1}',
        '{"name": "Ada", "mood": "secret"}',
        "secret",
    ):
        with pytest.raises(InvalidAnswer) as refused:
            await asked(Replies(written, written))
        error: BaseException | None = refused.value
        while error is not None:
            assert "secret" not in str(error)
            error = error.__cause__ or error.__context__


async def test_an_endless_answer_is_not_read_to_its_end() -> None:
    model = Replies("word " * LONGEST, '{"name": "Ada"}')
    await invoke_by_text(model, CONTEXT, PERSON)

    assert model.streams[0].state is not None
    assert model.streams[0].state.status is Status.INTERRUPTED
    assert len(model.contexts[1].messages[-2].text) <= 2_000


async def test_a_model_that_never_answers_is_left_at_the_deadline() -> None:
    silent = StreamBuilder()

    async def generate(context: ModelContext, *, model: str = "") -> Stream:
        return silent.stream

    with pytest.raises(TimeoutError, match="note_person"):
        await invoke_by_text(generate, CONTEXT, PERSON, deadline=0.01)
    assert silent.stream.state is not None


async def test_whoever_cancels_it_closes_the_answer() -> None:
    silent, asked_for = StreamBuilder(), asyncio.Event()

    async def generate(context: ModelContext, *, model: str = "") -> Stream:
        asked_for.set()
        return silent.stream

    async with asyncio.TaskGroup() as tasks:
        invoking = tasks.create_task(invoke_by_text(generate, CONTEXT, PERSON))
        await asked_for.wait()
        invoking.cancel()
    assert not silent.is_open


async def test_the_tool_alone_is_offered_where_the_model_can_call_it() -> None:
    model = Replies(FuncCall("note_person", '{"name": "Ada"}'))
    other = FuncTool("other", "", {"type": "object"})
    usage, call = await invoke_by([by_tool_call(model)], ModelContext(tools=(other,)), PERSON)

    assert call.arguments == '{"name": "Ada"}'
    assert usage == Usage(10, 5)
    assert model.contexts[0].tools == (PERSON,)


async def test_words_will_do_where_a_call_was_asked_for() -> None:
    model = Replies(FuncCall("something_else", "{}"), '{"name": "Ada"}')
    _, call = await invoke_by([by_tool_call(model)], CONTEXT, PERSON)

    assert call.arguments == '{"name": "Ada"}'


@pytest.mark.parametrize("at_the_start", [True, False])
async def test_the_next_way_is_taken_where_the_model_cannot_be_asked_in_one(at_the_start: bool) -> None:
    refusal = Unsupported("this model calls no tools")
    model = Replies(refusal, '{"name": "Ada"}')

    async def refusing(context: ModelContext, tool: FuncTool) -> Stream:
        raise refusal

    first = refusing if at_the_start else by_tool_call(model)
    if at_the_start:
        model = Replies('{"name": "Ada"}')
    _, call = await invoke_by([first, by_text(model)], CONTEXT, PERSON)

    assert call.arguments == '{"name": "Ada"}'
    assert "JSON schema" in model.contexts[-1].prompts[-1].text


async def test_the_log_does_not_repeat_what_a_provider_says_of_a_question(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    refused = by_tool_call(Replies(Unsupported("no tools are taken for 'my secret'")))
    await invoke_by([refused, by_text(Replies('{"name": "Ada"}'))], CONTEXT, PERSON)

    assert "cannot be asked for in this way" in caplog.text
    assert "my secret" not in caplog.text


async def test_a_model_that_breaks_says_so_by_its_own_error() -> None:
    with pytest.raises(ModelDied):
        await invoke_by_text(Replies(ModelDied("gone")), CONTEXT, PERSON)


async def test_a_refusal_is_no_answer() -> None:
    with pytest.raises(StreamBlocked, match="not nice"):
        await invoke_by_text(Replies(StreamBlocked("not nice")), CONTEXT, PERSON)


async def test_a_tool_whose_schema_is_none_is_not_asked_for() -> None:
    model = ScriptedGenerator("never asked for")
    with pytest.raises(BadTool):
        await model.invoke(CONTEXT, FuncTool("odd", "", {"type": "string"}))
    assert model.contexts == []
