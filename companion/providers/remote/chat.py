"""A chat model over HTTP: an endpoint of the table, a dialect, and a key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from companion.dialects import AnswerReader, Dialect, Framing, choose_dialect
from companion.dialects.contract import WireCall
from companion.dialects.wire_names import names_back
from companion.errors import ModelError, Unsupported, WireBroken
from companion.model import Calling, Contents, FuncTool, JsonValue, ModelContext, Resource, ToolChoice
from companion.model.backends import ReadySource
from companion.model.deltas import DeltaSource
from companion.model.request import ChatRequest
from companion.providers.remote.endpoint import Endpoint
from companion.providers.remote.exchange import Deadlines
from companion.providers.remote.faults import ERROR_SECONDS, MOST, is_page, stranger, without_form
from companion.providers.remote.http import Http, HttpAnswer
from companion.providers.remote.incoming import Incoming
from companion.providers.remote.invoke import RemoteGenerator, Skill
from companion.providers.remote.keys import Key, no_key
from companion.providers.remote.provider_link import ProviderLink
from companion.providers.remote.sent import Watcher, kinds_in
from companion.providers.remote.teller import Teller
from companion.providers.remote.text_calls import TextCalls, callable_names
from companion.stream import Blob, FuncCall, Stream, Usage
from companion.stream.threads import finish_in_thread

_STREAMS = ("text/event-stream", "application/x-ndjson")
_LARGE = 1 << 18
"""Bytes of pictures and sound that take longer to write down than the event loop may be held."""


class RemoteChat:
    """A ChatBackend and a Generator. Serves any number of questions at once.

    model: by the provider's name. key: fetched when it is first needed, and again once it was refused.
    dialect: None for that of the endpoint. deadlines: None for those of ``http``.
    watch: told of what leaves. Whoever made ``http`` closes it.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        model: str,
        http: Http,
        *,
        key: Key = no_key,
        dialect: Dialect | None = None,
        deadlines: Deadlines | None = None,
        watch: Watcher | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._model = model
        self._link = ProviderLink(endpoint, http, key, deadlines, watch)
        self._dialect = dialect or choose_dialect(standard=endpoint.door.dialect)
        self._generator = RemoteGenerator(self, without=() if endpoint.door.has_schema else (Skill.SCHEMA,))

    @property
    def name(self) -> str:
        return f"{self._endpoint.name}/{self._model}" if self._model else self._endpoint.name

    @property
    def is_local(self) -> bool:
        """Whether what it is asked stays on this machine."""
        return self._endpoint.is_local

    async def ask(self, request: ChatRequest) -> DeltaSource:
        """Send the question; the answer has begun when this returns.

        Raises:
            Unsupported: the dialect or the endpoint cannot carry a part of it, or the endpoint says that it holds no
                answer to a schema.
            MissingKey: there is none. As with what goes before, nothing was sent.
            Unreachable, Throttled, ProviderFailed, Refused, WireBroken: as the provider does.
            TimeoutError: it did not begin to answer in time.
        """
        request = self._fitted(request)
        write = partial(_written, self._dialect, self._endpoint, request)
        call, names = await finish_in_thread(write) if _is_large(request.context) else write()
        try:
            answer, teller = await self._link.open(call, self._dialect, kinds=kinds_in(request.context))
        except ModelError as error:
            fault = without_form(error) if request.answer_form is not None else error
        else:
            try:
                return await self._source(answer, request, names, teller)
            except BaseException:
                await answer.close()
                raise
        # Out here, because inside the error could become a cause of its own cause.
        raise fault

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        """Start an answer.

        Raises:
            ModelError, TimeoutError: as for ``ask``.
        """
        return await self._generator.generate_stream(context, model=model)

    async def invoke(self, context: ModelContext, tool: FuncTool, *, model: str = "") -> tuple[Usage, FuncCall]:
        """Have ``tool`` called, in one of the ways that the provider can.

        Raises:
            InvalidAnswer, ModelError, StreamError, TimeoutError: as ``Generator.invoke``.
        """
        return await self._generator.invoke(context, tool, model=model)

    def _fitted(self, request: ChatRequest) -> ChatRequest:
        """For the right model; and where no tool can be forced by its name, with that one alone.

        Raises:
            Unsupported: the endpoint holds no answer to a schema.
        """
        door = self._endpoint.door
        if request.answer_form is not None and not door.has_schema:
            raise Unsupported(
                f"{self._endpoint.title} holds no answer to a schema", mend="say in words what it shall be like"
            )
        request = replace(request, model=request.model or self._model)
        choice = request.tool_choice
        if door.has_named_choice or choice is None or choice.calling is not Calling.FORCED:
            return request
        context = replace(request.context, tools=request.callable_tools())
        return replace(request, context=context, tool_choice=ToolChoice(Calling.FORCED))

    async def _source(
        self, answer: HttpAnswer, request: ChatRequest, names: Mapping[str, str], teller: Teller
    ) -> DeltaSource:
        head = answer.head
        if is_page(head, ""):
            words = await answer.read_some(MOST, within=ERROR_SECONDS)
            raise stranger(teller, words.decode("utf-8", "replace"))
        came_whole = self._dialect.framing is Framing.SSE and head.content_type == "application/json"
        calls = TextCalls(callable_names(request) if self._endpoint.door.writes_calls else ())
        # Some stream what they were asked for as a whole.
        if head.content_type in _STREAMS or (request.is_streamed and not came_whole):
            return Incoming(answer, AnswerReader(self._dialect, names), calls, teller)
        body = await answer.read()
        try:
            deltas = names_back(self._dialect.read(_parsed(body)), names)
        except ModelError as error:
            teller.told(error)
            raise
        return ReadySource([*teller.deltas(calls.read(deltas)), *calls.end()], (self.name,))


def _written(dialect: Dialect, endpoint: Endpoint, request: ChatRequest) -> tuple[WireCall, Mapping[str, str]]:
    """A question to the last byte, and what tools are called in the conversation, by their names on the wire.

    Raises:
        Unsupported: it cannot be carried.
    """
    wire = dialect.encode(request, endpoint.door.base_url)
    accepted = "application/json"
    if request.is_streamed:
        accepted = "text/event-stream" if dialect.framing is Framing.SSE else "application/x-ndjson"
    headers = {"accept": accepted, **wire.headers}
    return WireCall.of_json(wire.url, endpoint.door.fitted(wire.body), headers), wire.names


def _parsed(body: bytes) -> JsonValue:
    try:
        answer: JsonValue = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise WireBroken("it answers with what is no JSON") from error
    return answer


def _is_large(context: ModelContext) -> bool:
    size = 0
    for message in context.messages:
        if isinstance(message.payload, Contents):
            size += sum(len(part.data) for part in message.payload.parts if isinstance(part, Blob | Resource))
    return size > _LARGE
