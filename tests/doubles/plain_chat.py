"""A chat model over HTTP that speaks the plain dialect, and what tests ask of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from doubles.plain_dialect import PlainDialect
from doubles.provider_server import Reply
from doubles.trickle import read_all

from companion.dialects import Framing
from companion.errors import (
    EndOfStream,
)
from companion.model import (
    ChatRole,
    FuncTool,
    Message,
    ModelContext,
    ModelParams,
)
from companion.model.deltas import Delta, DeltaSource
from companion.providers.remote.chat import RemoteChat
from companion.providers.remote.endpoint import Door, Endpoint
from companion.providers.remote.exchange import Deadlines
from companion.providers.remote.http import Http
from companion.stream import Text

KEY = "a-key-that-is-none"
HELLO = Reply.sse({"say": "Hel"}, {"say": "lo"}, {"count": [7, 2]}, {"end": "stop"})
AGE = FuncTool(
    "note", "Notes an age.", {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}
)


def asked(text: str = "Say hello.", *, most: int | None = None) -> ModelContext:
    return ModelContext((), (Message.of(ChatRole.USER, text),), params=ModelParams(max_tokens=most))


@asynccontextmanager
async def chat(
    url: str, *, door: Door | None = None, framing: Framing = Framing.SSE, **others
) -> AsyncIterator[RemoteChat]:
    http = Http()
    endpoint = Endpoint("plain", "Plain", (door or Door("plain", url),), is_local=True)
    others.setdefault("dialect", PlainDialect(framing))
    others.setdefault("deadlines", Deadlines(connect=5, first=5, silence=5, total=10))
    try:
        yield RemoteChat(endpoint, "small", http, **others)
    finally:
        await http.close()


async def all_of(source: DeltaSource) -> list[Delta]:
    deltas: list[Delta] = []
    try:
        while True:
            deltas.append(await source.next())
    except EndOfStream:
        return deltas
    finally:
        await source.close()


async def words(model: RemoteChat, context: ModelContext | None = None) -> str:
    chunks = await read_all(await model.generate_stream(context or asked()))
    return "".join(chunk.part.text for chunk in chunks if isinstance(chunk.part, Text))
