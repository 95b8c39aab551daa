"""The server of realtime sessions on the loopback device: it plays answers as they are scripted.

It follows the published events (``recordings/openai_realtime_events.json``): what is not among them, lacks a field or
has one too many is refused, whoever sends it. Nothing in it waits for a time.
"""

from __future__ import annotations

import array
import asyncio
import base64
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

EVENTS = json.loads((Path(__file__).parents[1] / "recordings" / "openai_realtime_events.json").read_text())
RATE = 24_000
_LOUD = 1000
_PAUSE_MS = 200
"""Silence after which a turn ends."""


@dataclass(frozen=True)
class Sound:
    """Milliseconds of an answer's sound, all of one sample."""

    ms: int
    sample: int = 100

    @property
    def data(self) -> bytes:
        return array.array("h", [self.sample] * (RATE * self.ms // 1000)).tobytes()


@dataclass(frozen=True)
class Call:
    """A call of a tool."""

    name: str
    arguments: str = "{}"


@dataclass(frozen=True)
class Break:
    """The line is cut without a word."""


@dataclass(frozen=True)
class Failure:
    """The answer fails."""

    message: str = "out of order"


@dataclass(frozen=True)
class Raw:
    """Any text in place of an event."""

    text: str


Part = str | Sound | Call | Break | Failure | Raw | asyncio.Event
"""Words of an answer, sound, or what happens; at an event the server waits for it."""


def objection(side: str, event: object) -> str:
    """What is wrong with an event of the client or the server; empty where nothing is."""
    known = EVENTS[side].get(event.get("type")) if isinstance(event, dict) else None
    if known is None:
        return f"there is no event {event.get('type') if isinstance(event, dict) else event!r}"
    missing = [name for name in known["required"] if name not in event]
    strange = [name for name in event if name not in known["required"] + known["optional"]]
    return "; ".join([*(f"{name} is missing" for name in missing), *(f"{name} is not known" for name in strange)])


@dataclass
class RealtimeServer:
    """Answers each time with the next of ``answers``; the last again and again.

    transcripts: what it hears in the user's messages, one after another. usage: of each answer.
    refuses: the status with which lines are refused. is_mute: it opens no session.
    """

    answers: Sequence[Sequence[Part]] = (("Hello.",),)
    transcripts: Sequence[str] = ()
    usage: dict[str, Any] | None = None
    refuses: HTTPStatus | None = None
    is_mute: bool = False
    told: list[dict[str, Any]] = field(default_factory=list)
    """Every event of a client."""
    refused: list[str] = field(default_factory=list)
    """What was wrong with those that were refused."""
    lines: int = 0
    open_lines: int = 0
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    async def __aenter__(self) -> RealtimeServer:
        self._happened = asyncio.Condition()
        self._count = 0
        self._names = 0
        self._server: Server = await serve(self._serve, "127.0.0.1", 0, process_request=self._greet, compression=None)
        self.port = next(iter(self._server.sockets)).getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()

    def sent(self, kind: str) -> list[dict[str, Any]]:
        """The client's events of one kind."""
        return [event for event in self.told if event["type"] == kind]

    async def until(self, holds: Callable[[RealtimeServer], bool]) -> None:
        """Wait until something has happened here."""
        async with asyncio.timeout(10), self._happened:
            await self._happened.wait_for(lambda: holds(self))

    async def tell(self) -> None:
        async with self._happened:
            self._happened.notify_all()

    def next_answer(self) -> Sequence[Part]:
        self._count += 1
        return self.answers[min(self._count, len(self.answers)) - 1]

    def name(self, what: str) -> str:
        self._names += 1
        return f"{what}_{self._names}"

    def _greet(self, connection: ServerConnection, request: Request) -> Response | None:
        self.headers.append({name.lower(): value for name, value in request.headers.raw_items()})
        self.paths.append(request.path)
        if self.refuses is None:
            return None
        response = connection.respond(self.refuses, json.dumps({"error": {"message": "not for you"}}))
        response.headers["content-type"] = "application/json"
        return response

    async def _serve(self, connection: ServerConnection) -> None:
        self.lines += 1
        self.open_lines += 1
        session = _Session(self, connection)
        try:
            await session.run()
        except ConnectionClosed:
            pass
        finally:
            await session.leave()
            self.open_lines -= 1
            await self.tell()


class _Session:
    """One line."""

    def __init__(self, server: RealtimeServer, connection: ServerConnection) -> None:
        self._server = server
        self._connection = connection
        self._settings: dict[str, Any] = {}
        self._sound = b""
        self._turn_began = False
        self._silence = 0
        self._items: dict[str, int] = {}
        """Milliseconds of sound of each message."""
        self._answering: asyncio.Task[None] | None = None
        self._answer = ""
        self._does: dict[str, Callable[[dict[str, Any]], Awaitable[None]]] = {
            "session.update": self._update,
            "input_audio_buffer.append": self._append,
            "input_audio_buffer.commit": self._commit,
            "input_audio_buffer.clear": self._clear,
            "conversation.item.create": self._create,
            "conversation.item.truncate": self._truncate,
            "response.create": self._begin,
            "response.cancel": self._cancel,
        }

    async def run(self) -> None:
        if self._server.is_mute:
            await self._connection.wait_closed()
            return
        await self.say({"type": "session.created", "session": {"type": "realtime"}})
        async for text in self._connection:
            event = json.loads(text)
            self._server.told.append(event)
            await self._server.tell()
            if wrong := objection("client", event):
                self._server.refused.append(wrong)
                await self.fail(event, "invalid_request_error", wrong)
            else:
                await self._does[event["type"]](event)

    async def leave(self) -> None:
        if self._answering is not None:
            self._answering.cancel()
            await asyncio.gather(self._answering, return_exceptions=True)

    async def say(self, event: dict[str, Any]) -> None:
        event = {"event_id": self._server.name("event"), **event}
        assert not objection("server", event), objection("server", event)
        await self._connection.send(json.dumps(event))

    async def fail(self, event: dict[str, Any], code: str, message: str) -> None:
        self._server.refused.append(code)
        told = {"type": "invalid_request_error", "code": code, "message": message, "event_id": event.get("event_id")}
        await self.say({"type": "error", "error": told})

    async def _update(self, event: dict[str, Any]) -> None:
        self._settings = event["session"]
        await self.say({"type": "session.updated", "session": self._settings})

    @property
    def _ears(self) -> dict[str, Any]:
        ears: dict[str, Any] = self._settings["audio"]["input"]
        return ears

    async def _append(self, event: dict[str, Any]) -> None:
        sound = base64.b64decode(event["audio"], validate=True)
        self._sound += sound
        if self._ears["turn_detection"] is not None:
            await self._listen(sound)

    async def _listen(self, sound: bytes) -> None:
        is_loud = max(map(abs, array.array("h", sound)), default=0) > _LOUD
        at = len(self._sound) // 48
        if is_loud and not self._turn_began:
            self._turn_began = True
            began = {"type": "input_audio_buffer.speech_started", "audio_start_ms": at, "item_id": "voice"}
            await self.say(began)
            await self._interrupt("turn_detected")
        self._silence = 0 if is_loud else self._silence + len(sound) // 48
        if self._turn_began and self._silence >= _PAUSE_MS:
            self._turn_began = False
            ended = {"type": "input_audio_buffer.speech_stopped", "audio_end_ms": at, "item_id": "voice"}
            await self.say(ended)
            await self._commit({})
            await self._begin({})

    async def _commit(self, event: dict[str, Any]) -> None:
        if not self._sound:
            await self.fail(event, "input_audio_buffer_commit_empty", "there is no sound")
            return
        self._sound = b""
        item = self._server.name("item")
        await self.say({"type": "input_audio_buffer.committed", "item_id": item, "previous_item_id": None})
        held = {"id": item, "type": "message", "role": "user", "content": [{"type": "input_audio"}]}
        await self.say({"type": "conversation.item.added", "item": held})
        if self._ears.get("transcription"):
            heard = [told for told in self._server.told if told["type"] == "input_audio_buffer.commit"]
            text = self._server.transcripts[max(len(heard) - 1, 0)]
            done = {
                "content_index": 0,
                "item_id": item,
                "transcript": text,
                "usage": {"type": "duration", "seconds": 1},
            }
            await self.say({"type": "conversation.item.input_audio_transcription.completed", **done})

    async def _clear(self, event: dict[str, Any]) -> None:
        self._sound = b""
        await self.say({"type": "input_audio_buffer.cleared"})

    async def _create(self, event: dict[str, Any]) -> None:
        item = {"id": self._server.name("item"), **event["item"]}
        await self.say({"type": "conversation.item.added", "item": item})
        await self.say({"type": "conversation.item.done", "item": item})

    async def _truncate(self, event: dict[str, Any]) -> None:
        length = self._items.get(event["item_id"], -1)
        if not 0 <= event["audio_end_ms"] <= length:
            await self.fail(event, "invalid_value", f"that message has {length} ms")
            return
        self._items[event["item_id"]] = event["audio_end_ms"]
        told = {name: event[name] for name in ("item_id", "content_index", "audio_end_ms")}
        await self.say({"type": "conversation.item.truncated", **told})

    async def _begin(self, event: dict[str, Any]) -> None:
        if self._answering is not None and not self._answering.done():
            await self.fail(event, "conversation_already_has_active_response", "one at a time")
            return
        self._answer = self._server.name("answer")
        await self.say({"type": "response.created", "response": {"id": self._answer, "status": "in_progress"}})
        play = self._play(self._answer, self._server.next_answer())
        self._answering = asyncio.get_running_loop().create_task(play)

    async def _cancel(self, event: dict[str, Any]) -> None:
        if not await self._interrupt("client_cancelled"):
            await self.fail(event, "response_cancel_not_active", "nothing to cancel")

    async def _interrupt(self, reason: str) -> bool:
        task = self._answering
        if task is None or task.done():
            return False
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await self._done(self._answer, "cancelled", {"type": "cancelled", "reason": reason})
        return True

    async def _done(self, answer: str, status: str, details: dict[str, Any] | None = None) -> None:
        response = {"id": answer, "status": status, "status_details": details, "usage": self._server.usage}
        await self.say({"type": "response.done", "response": response})

    async def _play(self, answer: str, parts: Sequence[Part]) -> None:
        item = self._server.name("item")
        marks = {"response_id": answer, "item_id": item, "output_index": 0}
        held = {"id": item, "type": "message", "role": "assistant", "content": []}
        await self.say({"type": "response.output_item.added", "response_id": answer, "output_index": 0, "item": held})
        for part in parts:
            match part:
                case str():
                    delta = {"type": "response.output_audio_transcript.delta", "content_index": 0, "delta": part}
                    await self.say({**marks, **delta})
                case Sound():
                    self._items[item] = self._items.get(item, 0) + part.ms
                    delta = {"content_index": 0, "delta": base64.b64encode(part.data).decode()}
                    await self.say({"type": "response.output_audio.delta", **marks, **delta})
                case Call():
                    await self._say_call(answer, part)
                case Raw():
                    await self._connection.send(part.text)
                case asyncio.Event():
                    await part.wait()
                case Break():
                    self._connection.transport.abort()
                    return
                case Failure():
                    error = {"type": "server_error", "message": part.message}
                    await self._done(answer, "failed", {"type": "failed", "error": error})
                    return
        await self._done(answer, "completed")

    async def _say_call(self, answer: str, call: Call) -> None:
        name = self._server.name("call")
        item = {"id": f"item_{name}", "type": "function_call", "call_id": name, "name": call.name}
        marks = {"response_id": answer, "output_index": 1}
        delta = {"item_id": item["id"], "call_id": name, "delta": call.arguments}
        await self.say({"type": "response.function_call_arguments.delta", **marks, **delta})
        done = {"type": "response.output_item.done", **marks, "item": {**item, "arguments": call.arguments}}
        await self.say(done)
