"""A talk with a realtime session: what the user says, and what comes out, in short."""

from __future__ import annotations

import array
import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from doubles.realtime_server import RealtimeServer

from companion.dialects.openai_realtime import RealtimeSettings
from companion.model import FuncTool
from companion.providers.remote.endpoint import Door, Endpoint
from companion.providers.remote.exchange import Deadlines
from companion.providers.remote.http import HttpOptions
from companion.providers.remote.realtime import RealtimeSpeech
from companion.providers.remote.realtime_answers import Hearing
from companion.providers.remote.realtime_plan import RealtimePatience, RealtimePlan
from companion.stream import (
    Blob,
    FuncCall,
    MessageChunk,
    Role,
    Stream,
    StreamBuilder,
    StreamCtrl,
    Text,
    ToolCall,
    begin_of_stream,
    end_of_stream,
    pcm,
)

CLOCK = FuncTool("get_time", "Tells the time.", {"type": "object", "properties": {}})
QUICK = RealtimePatience(ready=5, silence=5, tool=5, pause=0.0)


def tools(**functions: Callable[..., object]) -> RealtimeSettings:
    """A session with tools of these names that take anything."""
    offered = [FuncTool(name, "", {"type": "object"}, function) for name, function in functions.items()]
    return RealtimeSettings(tools=tuple(offered))


def speech(server: RealtimeServer, *, heard: Hearing | None = None, **others: object) -> RealtimeSpeech:
    endpoint = Endpoint("here", "Here", (Door("openai-completions", server.url),))
    options = HttpOptions(Deadlines(connect=5, first=5, silence=5, total=10))
    made = {"options": options, "patience": QUICK, **others}
    return RealtimeSpeech(RealtimePlan(endpoint, "talks", **made), heard=heard)  # type: ignore[arg-type]


def tone(ms: int, rate: int = 16_000, sample: int = 5000) -> bytes:
    return array.array("h", [sample] * (rate * ms // 1000)).tobytes()


def begin(route: str) -> MessageChunk:
    return begin_of_stream(route, role=Role.USER)


def said(route: str, sound: bytes, rate: int = 16_000) -> MessageChunk:
    return MessageChunk(Role.USER, part=pcm(sound, rate), ctrl=StreamCtrl(route))


def spoken(route: str, ms: int = 200) -> list[MessageChunk]:
    end = end_of_stream(route, role=Role.USER, part=pcm(b"", 16_000))
    return [begin(route), said(route, tone(ms)), end, end_of_stream(route, role=Role.USER)]


def typed(route: str, text: str) -> list[MessageChunk]:
    words = MessageChunk(Role.USER, part=Text(text), ctrl=StreamCtrl(route))
    return [begin(route), words, end_of_stream(route, role=Role.USER)]


class Talk:
    """A stream that is being talked to. log: what came out, in short."""

    def __init__(self, user: StreamBuilder, stream: Stream) -> None:
        self.user = user
        self.stream = stream
        self.log: list[str] = []
        self.chunks: list[MessageChunk] = []

    async def say(self, *chunks: MessageChunk) -> None:
        await self.user.add(*chunks)

    async def next(self) -> str:
        async with asyncio.timeout(10):
            chunk = await self.stream.next()
        self.chunks.append(chunk)
        self.log.append(shown(chunk))
        return self.log[-1]

    async def until(self, *wanted: str) -> None:
        while await self.next() not in wanted:
            pass

    async def rest(self) -> list[str]:
        self.user.done()
        async with asyncio.timeout(10):
            async for chunk in self.stream:
                self.chunks.append(chunk)
                self.log.append(shown(chunk))
        return self.log


def shown(chunk: MessageChunk) -> str:
    who = "user" if chunk.role is Role.USER else "model"
    error = f": {chunk.ctrl.error}" if chunk.ctrl and chunk.ctrl.error else ""
    mark = "begin" if chunk.is_begin else f"end{error}" if chunk.is_end else ""
    match chunk:
        case MessageChunk(tool_call=ToolCall(func_call=FuncCall(name, arguments))):
            return f"{name}({arguments})"
        case MessageChunk(part=Text(text)) if not mark:
            return f"{who}: {text}"
        case MessageChunk(part=Blob(data=data)) if not mark:
            return f"{len(data) // 48} ms"
        case MessageChunk(part=None):
            return f"{who} {mark}"
    return f"{who} {mark} {chunk.mime_type}"


@asynccontextmanager
async def talk(model: RealtimeSpeech) -> AsyncIterator[Talk]:
    user = StreamBuilder(256)
    stream = await model.transform(user.stream)
    try:
        yield Talk(user, stream)
    finally:
        await stream.close()
