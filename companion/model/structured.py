"""Structured answers: has a model answer with the arguments of one tool, and sees to it that they fit its schema.

There are several ways to ask. A model that can is held to the schema by its provider (JSON schema, grammar) or is
offered the tool; any model can be told in words. The answer is repaired, checked, and asked for once more where it
does not fit, with what is wrong in plain sight.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol

from companion.errors import BadArguments, InvalidAnswer, ModelError, StreamFailed, Unsupported
from companion.model.arguments import ArgumentReader, place_of
from companion.model.context import ModelContext, SystemPrompt
from companion.model.json_repair import LONGEST, Json, is_json, read_json
from companion.model.message import ChatRole, Message
from companion.model.plain import json_text
from companion.model.tool import FuncTool
from companion.stream import FuncCall, MessageChunk, Role, State, Status, Stream, Text, ToolCall, Usage

logger = logging.getLogger(__name__)

DEADLINE = 120.0
"""Seconds for both attempts together; a Raspberry Pi needs about a minute for one of 500 tokens."""
_MOST_TOKENS = 1024
_LONGEST_ECHO = 2_000
"""Characters of a wrong answer that the model is shown again."""
_LONGEST_RULE = 200

Way = Callable[[ModelContext, FuncTool], Awaitable[Stream]]
"""Starts an answer that shall be the arguments of the tool: as text, or as a call of it.

It, or the stream, fails with Unsupported where the model cannot be asked in this way.
"""


class Answering(Protocol):
    """``Generator.generate_stream``."""

    def __call__(self, context: ModelContext, *, model: str = "") -> Awaitable[Stream]: ...


async def invoke_by_text(
    generate: Answering, context: ModelContext, tool: FuncTool, *, model: str = "", deadline: float = DEADLINE
) -> tuple[Usage, FuncCall]:
    """``Generator.invoke`` for a model that has no way of its own: it is told in words what is wanted."""
    return await invoke_by([by_text(generate, model=model)], context, tool, deadline=deadline)


async def invoke_by(
    ways: Sequence[Way], context: ModelContext, tool: FuncTool, *, deadline: float = DEADLINE
) -> tuple[Usage, FuncCall]:
    """``Generator.invoke`` by the first of ``ways`` that the model supports.

    deadline: seconds for everything.

    Raises:
        InvalidAnswer: the arguments do not fit the schema, the second time too; the error names the field.
        Unsupported: the model supports none of the ways.
        BadTool: the schema of the tool is not one.
        ModelError, StreamError: the answer was refused or broke.
        TimeoutError: the deadline has passed.
    """
    form = _Form(tool)
    try:
        async with asyncio.timeout(deadline):
            for way in ways[:-1]:
                try:
                    return await _invoke(way, context, form)
                except Unsupported as error:
                    logger.info("%s cannot be asked for in this way: %s", tool.name, type(error).__name__)
            return await _invoke(ways[-1], context, form)
    except TimeoutError as error:
        raise TimeoutError(f"the model did not answer {tool.name!r} within {deadline:g} s") from error


def by_text(generate: Answering, *, model: str = "") -> Way:
    """Tell the model in words what is wanted; every model supports it."""

    async def ask(context: ModelContext, tool: FuncTool) -> Stream:
        return await generate(told_in_words(context, tool), model=model)

    return ask


def by_tool_call(generate: Answering, *, model: str = "") -> Way:
    """Offer the model the tool, and no other."""

    async def ask(context: ModelContext, tool: FuncTool) -> Stream:
        return await generate(replace(_sober(context), tools=(tool,)), model=model)

    return ask


def told_in_words(context: ModelContext, tool: FuncTool) -> ModelContext:
    """The context with what is wanted behind its system texts, and without tools."""
    return replace(_sober(context), prompts=(*context.prompts, form_in_words(tool)), tools=())


def form_in_words(tool: FuncTool) -> SystemPrompt:
    """What an answer shall be like that is the arguments of ``tool``."""
    schema = json_text(tool.parameters, is_compact=True)
    wanted = [
        "Answer with one JSON object and nothing else: no other words, no code fence.",
        f"It is for {tool.name}: {tool.description}" if tool.description else f"It is for {tool.name}.",
        f"It has to fit this JSON schema: {schema}",
    ]
    return SystemPrompt("answer form", "\n".join(wanted))


def _sober(context: ModelContext) -> ModelContext:
    """No chance where none is asked for, and an end to the answer."""
    params = context.params
    temperature = 0.0 if params.temperature is None else params.temperature
    max_tokens = _MOST_TOKENS if params.max_tokens is None else params.max_tokens
    return replace(context, params=replace(params, temperature=temperature, max_tokens=max_tokens))


async def _invoke(way: Way, context: ModelContext, form: _Form) -> tuple[Usage, FuncCall]:
    written, state = await _ask(way, context, form.tool)
    try:
        return state.usage, form.read(written, is_cut=state.status is Status.TRUNCATED)
    except InvalidAnswer as fault:
        told = _told_what_is_wrong(context, written, fault)
    written, later = await _ask(way, told, form.tool)
    return state.usage + later.usage, form.read(written, is_cut=later.status is Status.TRUNCATED)


async def _ask(way: Way, context: ModelContext, tool: FuncTool) -> tuple[str, State]:
    """What the model wrote for the arguments, and how it ended."""
    stream = await way(context, tool)
    try:
        written = await _written(stream, tool.name)
        # What is not read to its end is longer than anybody would use.
        return written, stream.state or State(Status.TRUNCATED)
    except StreamFailed as error:
        failure = error.__cause__ if isinstance(error.__cause__, ModelError) else error
    finally:
        await stream.close()
    # Out here, because inside the error would become a cause of its own cause.
    raise failure


async def _written(stream: Stream, name: str) -> str:
    """The arguments of the first call of the tool, or else the text; not read further than anybody would use it."""
    words: list[str] = []
    call: str | None = None
    size = 0
    async for chunk in stream:
        match chunk:
            case MessageChunk(tool_call=ToolCall(func_call=FuncCall(called, arguments))) if called == name:
                # Read on all the same: the usage comes last.
                call = arguments if call is None else call
            case MessageChunk(role=Role.MODEL, part=Text(text)):
                words.append(text)
                size += len(text)
        if size > LONGEST:
            break
    return "".join(words) if call is None else call


def _told_what_is_wrong(context: ModelContext, written: str, fault: InvalidAnswer) -> ModelContext:
    complaint = f"That cannot be used: {fault}. Answer again, with the whole corrected JSON object only."
    said = Message.of(ChatRole.ASSISTANT, written[:_LONGEST_ECHO])
    return replace(context, messages=(*context.messages, said, Message.of(ChatRole.USER, complaint)))


class _Form:
    """The form an answer has to have.

    Raises:
        BadTool: the schema of the tool is not one.
    """

    def __init__(self, tool: FuncTool) -> None:
        self.tool = tool
        self._reader = ArgumentReader(tool)

    def read(self, written: str, *, is_cut: bool = False) -> FuncCall:
        """The call, its arguments as they were written where that is valid JSON.

        is_cut: the answer came to its limit, so that nothing is mended: what is missing is not known.

        Raises:
            InvalidAnswer: it does not fit, however it is read.
        """
        if is_cut and len(written) <= LONGEST and not is_json(written):
            raise InvalidAnswer(
                f"the answer for {self.tool.name!r} was cut off", mend="allow more tokens, or ask for less at once"
            )
        value = self._json(written)
        fault: InvalidAnswer | None = None
        for reading in self._readings(value):
            try:
                self._reader.check(reading)
            except BadArguments as error:
                fault = fault or self._fault(error.__cause__)
            else:
                as_it_is = reading is value and is_json(written)
                return FuncCall(self.tool.name, written.strip() if as_it_is else json_text(reading))
        raise fault or self._fault(None)

    def _readings(self, value: Json) -> Iterator[Json]:
        """The answer, and what is in it where a model has packed it as a call, or as JSON within JSON."""
        yield value
        match value:
            case str() if value.lstrip()[:1] in ("{", "["):
                yield self._json(value)
            case {"arguments": dict() as inner} | {"parameters": dict() as inner}:
                yield inner
            case {"arguments": str() as inner} if inner.lstrip().startswith("{"):
                yield self._json(inner)
            case dict() if value.keys() == {self.tool.name}:
                yield value[self.tool.name]

    def _json(self, written: str) -> Json:
        try:
            return read_json(written)
        except InvalidAnswer as error:
            raise InvalidAnswer(f"no arguments for {self.tool.name!r}: {error}", mend=error.mend) from error

    def _fault(self, fault: Any) -> InvalidAnswer:
        """In words of the schema: what a model made of what a person said does not belong into messages and logs."""
        field = place_of(fault)
        place = f" at {field!r}" if field else ""
        return InvalidAnswer(
            f"the answer for {self.tool.name!r} does not fit its schema{place}: {_rule(fault)}",
            field=field,
        )


def _rule(fault: Any) -> str:
    """What is asked for there."""
    match getattr(fault, "validator", None):
        case None:
            return "it is nested too deep"
        case "required":
            return str(fault.message)
        case "additionalProperties":
            return "it holds a field that is not asked for"
        case "type":
            return f"it has to be of type {fault.validator_value}"
        case "enum":
            return f"it has to be one of {_short(fault.validator_value)}"
        case rule:
            return f"it has to keep the rule {rule}: {_short(fault.validator_value)}"


def _short(rule: object) -> str:
    text = json.dumps(rule, ensure_ascii=False)
    return text if len(text) <= _LONGEST_RULE else f"{text[:_LONGEST_RULE]}..."
