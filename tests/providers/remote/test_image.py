"""Pictures over HTTP: at once, or after a task that is asked for, that has a deadline and that can be given up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from doubles.provider_server import Asked, Ending, ProviderServer, Reply

from companion.errors import ModelError, ProviderFailed, Refused
from companion.model import Kind
from companion.model.pictures import ImageMaker
from companion.providers.remote.endpoint import endpoint_at
from companion.providers.remote.exchange import Deadlines
from companion.providers.remote.http import Http
from companion.providers.remote.image import Patience, RemoteImages
from companion.providers.remote.keys import no_key
from companion.providers.remote.provider_link import ProviderLink
from companion.providers.remote.sent import Sent
from companion.stream import Blob

BEGUN = Reply.json({"output": {"task_id": "t-1", "task_status": "PENDING"}, "request_id": "1"})
RUNNING = Reply.json({"output": {"task_id": "t-1", "task_status": "RUNNING"}})
MADE = Reply.json(
    {"output": {"task_id": "t-1", "task_status": "SUCCEEDED", "results": [{"url": "https://p.example/a"}]}}
)
CANCELLED = Reply.json({"request_id": "2"})
TASK, CANCEL = "/api/v1/tasks/t-1", "/api/v1/tasks/t-1/cancel"


class Time:
    """A clock that moves when somebody waits; ``reached`` is told of each wait."""

    def __init__(self) -> None:
        self.now = 100.0
        self.pauses: list[float] = []
        self.stops_at = -1
        self.reached = asyncio.Event()

    def clock(self) -> float:
        return self.now

    async def pause(self, seconds: float) -> None:
        self.pauses.append(round(seconds, 3))
        self.now += seconds
        if len(self.pauses) == self.stops_at:
            self.reached.set()
            await asyncio.Event().wait()


class Studio:
    """Answers the beginning of a task, then each question for it in turn (the last again), then its cancelling."""

    def __init__(self, *answers: Reply, cancelling: Reply = CANCELLED) -> None:
        self.asked: list[tuple[str, str]] = []
        self._answers: Sequence[Reply] = answers
        self._cancelling = cancelling

    def __call__(self, asked: Asked) -> Reply:
        self.asked.append((asked.method, asked.path))
        if asked.path == CANCEL:
            return self._cancelling
        if asked.path != TASK:
            return BEGUN
        count = sum(path == TASK for _, path in self.asked)
        return self._answers[min(count, len(self._answers)) - 1]

    @property
    def paths(self) -> list[str]:
        return [path for _, path in self.asked]


@asynccontextmanager
async def images_at(
    studio: Callable[[Asked], Reply], time: Time, dialect: str = "dashscope", **options: Any
) -> AsyncIterator[tuple[ProviderServer, ImageMaker, RemoteImages]]:
    async with ProviderServer(studio) as server:
        http = Http()
        line = ProviderLink(endpoint_at(server.url, dialect, name="Studio"), http, no_key, **options.pop("line", {}))
        backend = RemoteImages(line, "wan2.2-t2i", clock=time.clock, pause=time.pause, **options)
        try:
            yield server, ImageMaker(backend), backend
        finally:
            await backend.close()
            await http.close()


async def test_a_task_is_asked_for_with_longer_and_longer_pauses_until_there_are_pictures() -> None:
    time, studio = Time(), Studio(RUNNING, RUNNING, RUNNING, MADE)
    patience = Patience(first=1, growth=2, longest=3)
    async with images_at(studio, time, patience=patience) as (server, maker, _):
        answer = await maker.make("a harbour")

        assert answer.images[0].url == "https://p.example/a"
        assert answer.task == "t-1"
        assert time.pauses == [1, 2, 3, 3]
        assert studio.asked == [("POST", "/api/v1/services/aigc/text2image/image-synthesis"), *[("GET", TASK)] * 4]
        assert server.asked[0].headers["x-dashscope-async"] == "enable"
        assert all(not asked.body for asked in server.asked[1:])


async def test_a_task_that_is_not_finished_in_time_is_given_up() -> None:
    time, studio = Time(), Studio(RUNNING)
    async with images_at(studio, time, patience=Patience(first=4, growth=1, longest=4, total=10)) as (
        _,
        maker,
        backend,
    ):
        with pytest.raises(TimeoutError, match="within 10 s"):
            await maker.make("a harbour")
        await backend.close()

        assert time.pauses == [4, 4, 2]
        assert studio.paths[1:] == [TASK, TASK, CANCEL]
        assert time.now == 110


async def test_whoever_goes_away_has_the_task_given_up() -> None:
    time, studio = Time(), Studio(RUNNING)
    time.stops_at = 2
    async with images_at(studio, time) as (_, maker, backend):
        async with asyncio.TaskGroup() as group:
            making = group.create_task(maker.make("a harbour"))
            await time.reached.wait()
            making.cancel()
        assert making.cancelled()
        await backend.close()

        assert studio.asked[-1] == ("POST", CANCEL)


async def test_whoever_goes_away_before_the_task_has_a_name_has_it_given_up_too() -> None:
    time, studio, gate = Time(), Studio(RUNNING), asyncio.Event()

    def slowly(asked: Asked) -> Reply:
        reply = studio(asked)
        return replace(reply, pieces=(gate, *reply.pieces), is_chunked=True) if reply is BEGUN else reply

    async with images_at(slowly, time) as (server, maker, backend):
        async with asyncio.TaskGroup() as group:
            making = group.create_task(maker.make("a harbour"))
            await server.until(lambda server: bool(server.asked))
            making.cancel()
        gate.set()
        await backend.close()
        assert studio.paths[1:] == [CANCEL]


async def test_a_task_that_cannot_be_given_up_any_more_is_left() -> None:
    time = Time()
    refusal = Reply.json({"code": "UnsupportedOperation", "message": "the task is running"}, 400)
    studio = Studio(RUNNING, cancelling=refusal)
    async with images_at(studio, time, patience=Patience(first=1, total=1)) as (_, maker, backend):
        with pytest.raises(TimeoutError):
            await maker.make("a harbour")
        await backend.close()
        assert studio.paths[-1] == CANCEL


async def test_a_question_that_fails_is_asked_again_since_the_task_goes_on() -> None:
    time = Time()
    studio = Studio(
        Reply.json({"code": "Throttling", "message": "slow"}, 429, {"retry-after": "5"}),
        Reply.json({"message": "down"}, 503),
        Reply(ending=Ending.RESET, has_head=False),
        Reply((b"<html>",), 200, "text/html", is_chunked=False),
        MADE,
    )
    async with images_at(studio, time, patience=Patience(first=1, growth=1, longest=1)) as (_, maker, _backend):
        assert (await maker.make("a harbour")).images
        # One that was reset on a kept connection is sent again at once, on a connection of its own.
        assert time.pauses == [1, 5, 1, 1]


async def test_questions_that_go_on_failing_are_an_error() -> None:
    time, studio = Time(), Studio(Reply.json({"message": "down"}, 503))
    async with images_at(studio, time, patience=Patience(failures=2)) as (_, maker, backend):
        with pytest.raises(ProviderFailed, match="Studio: down"):
            await maker.make("a harbour")
        await backend.close()
        assert studio.paths[1:] == [TASK, TASK, TASK, CANCEL]


async def test_a_question_that_is_not_answered_in_time_is_asked_again() -> None:
    time, studio = Time(), Studio(Reply(has_head=False, ending=Ending.STALL), MADE)
    line = {"deadlines": Deadlines(first=0.05)}
    async with images_at(studio, time, line=line) as (_, maker, _backend):
        assert (await maker.make("a harbour")).images
        assert studio.paths[1:] == [TASK, TASK]


@pytest.mark.parametrize(
    ("output", "error"),
    [
        ({"task_status": "FAILED", "code": "InternalError", "message": "broke"}, ProviderFailed),
        ({"task_status": "FAILED", "code": "DataInspectionFailed", "message": "not that"}, Refused),
        ({"task_status": "CANCELED"}, Refused),
    ],
)
async def test_a_task_that_failed_is_not_asked_for_again(output: dict[str, str], error: type[ModelError]) -> None:
    time, studio = Time(), Studio(RUNNING, Reply.json({"output": {"task_id": "t-1", **output}}))
    async with images_at(studio, time) as (_, maker, backend):
        with pytest.raises(error):
            await maker.make("a harbour")
        await backend.close()
        assert studio.paths[1:] == [TASK, TASK]


async def test_a_refused_beginning_is_told_at_once() -> None:
    def refuse(asked: Asked) -> Reply:
        return Reply.json({"code": "InvalidApiKey", "message": "no such key"}, 401)

    time = Time()
    async with images_at(refuse, time) as (server, maker, _):
        with pytest.raises(Refused, match="no such key"):
            await maker.make("a harbour")
        assert len(server.asked) == 1
        assert time.pauses == []


async def test_pictures_that_come_with_the_answer_are_not_waited_for() -> None:
    told: list[Sent] = []

    def reply(asked: Asked) -> Reply:
        return Reply.json({"data": [{"b64_json": "iVBORw0KGgo="}], "output_format": "png"})

    time = Time()
    async with images_at(reply, time, "openai-completions", line={"on_sent": told.append}) as (server, maker, _):
        answer = await maker.make({"prompt": "closer", "image": b"\x89PNG\r\n\x1a\n"})

        assert answer.content == Blob("image/png", b"\x89PNG\r\n\x1a\n")
        assert server.asked[0].path == "/v1/images/edits"
        assert server.asked[0].headers["content-type"].startswith("multipart/form-data; boundary=")
        assert told[0].kinds == {Kind.TEXT, Kind.IMAGE}
        assert time.pauses == []
