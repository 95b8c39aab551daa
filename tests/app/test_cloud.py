"""What may leave the house leaves it as the settings say, and this machine steps in, or the other way round."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from doubles.provider_server import Asked, ProviderServer, Reply

from companion.app.cloud import Office
from companion.app.events import Problem, Served, Telling, WentOut
from companion.app.paths import Paths
from companion.errors import ModelDied, SettingsError
from companion.model import ChatRequest, ChatRole, Message, ModelContext
from companion.providers.remote.exchange import HttpRequest
from companion.providers.remote.http import Http, HttpAnswer
from companion.providers.scripted import ScriptedGenerator, ScriptedSynthesiser
from companion.settings.schema import Cloud, Settings
from companion.stream import Blob, Stream, Text, pcm

QUESTION = ModelContext(messages=(Message.of(ChatRole.USER, "What is it?"),))
ANSWER = Reply.sse(
    {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "From away."}, "finish_reason": None}]},
    {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    {"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 4, "total_tokens": 14}},
    "[DONE]",
)
REFUSED = Reply.json({"error": {"message": "out of order"}}, status=503)
AWAY = "openai/gpt-test"


class Local(ScriptedGenerator):
    """The model of this machine."""

    def __init__(self, fault: Exception | None = None) -> None:
        super().__init__(["From here."])
        self._fault = fault

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        if self._fault is not None:
            raise self._fault
        return await super().generate_stream(context, model=model)

    async def warm(self, context: ModelContext) -> None:
        """It reads nothing ahead."""


class Ears:
    """The recogniser of this machine."""

    async def transform(self, source: Stream) -> Stream:
        return source

    async def hear(self, sound: bytes) -> Text:
        return Text("heard here")


@dataclass
class House:
    """An office, what it told, and the provider it may ask."""

    office: Office
    server: ProviderServer
    told: list[object] = field(default_factory=list)

    def of(self, kind: type) -> list[Any]:
        return [event for event in self.told if isinstance(event, kind)]


@asynccontextmanager
async def house(
    folder: Path, *replies: Reply, by: Callable[[Asked], Reply] | None = None, key: str | None = "test", **cloud: Any
) -> AsyncGenerator[House, None]:
    telling, told = Telling(), []
    telling.subscribe(told.append)
    async with ProviderServer(by or replies or (ANSWER,)) as server:
        settings = Settings(cloud=Cloud(**{"address": server.url, **cloud}))
        office = Office.open(
            settings,
            Paths.under(folder),
            telling,
            clock=lambda: datetime(2026, 11, 30),  # noqa: DTZ001 - local time
            secret=lambda name: key,
        )
        try:
            yield House(office, server, told)
        finally:
            await office.close()


@pytest.fixture
def out_of_the_house(monkeypatch: pytest.MonkeyPatch) -> None:
    """The provider on the loopback device counts as one elsewhere."""
    monkeypatch.setattr("companion.providers.remote.endpoint.is_this_machine", lambda url: False)


async def said(stream: Stream) -> str:
    return "".join([chunk.part.text async for chunk in stream if isinstance(chunk.part, Text)])


async def test_where_nothing_may_leave_the_models_stay_as_they_are(tmp_path: Path) -> None:
    local, ears, voice = Local(), Ears(), ScriptedSynthesiser()
    async with house(tmp_path, chat_model=AWAY, recogniser_model=AWAY, voice_model=AWAY) as home:
        assert home.office.think(local) is local
        assert home.office.hear(ears) is ears
        assert home.office.speak(voice) is voice
        assert home.server.connections == 0


@pytest.mark.usefixtures("out_of_the_house")
async def test_the_provider_answers_first_where_that_is_wanted_and_the_user_sees_it(tmp_path: Path) -> None:
    async with house(tmp_path, language_model="cloud_first", chat_model=AWAY) as home:
        think = home.office.think(Local())
        assert think is not None
        assert await said(await think.generate_stream(QUESTION)) == "From away."
        (out,) = home.of(WentOut)
        assert (out.provider, out.kinds) == ("openai", ("text",))
        assert home.of(Served) == [Served("language model", AWAY)]
        (spent,) = json.loads((tmp_path / "spent.json").read_text())["2026-11"].items()
        assert spent == (f"language model: {AWAY}", pytest.approx((10 * 3 + 4 * 15) / 1e6))


@pytest.mark.usefixtures("out_of_the_house")
async def test_above_the_budget_nothing_leaves_and_this_machine_answers(tmp_path: Path) -> None:
    async with house(tmp_path, language_model="cloud_first", chat_model=AWAY, monthly_budget=0.0) as home:
        think = home.office.think(Local())
        assert think is not None
        assert await said(await think.generate_stream(QUESTION)) == "From here."
        assert home.server.connections == 0
        assert home.of(Served) == [Served("language model", "")]


async def test_a_provider_that_fails_is_left_alone_and_this_machine_answers(tmp_path: Path) -> None:
    async with house(tmp_path, REFUSED, language_model="cloud_first", chat_model=AWAY) as home:
        think = home.office.think(Local())
        assert think is not None
        for _ in range(3):
            assert await said(await think.generate_stream(QUESTION)) == "From here."
        assert len(home.server.asked) == 1


async def test_a_network_that_is_gone_costs_one_try(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[str] = []
    open_line = Http.open

    async def counted(http: Http, request: HttpRequest, **others: Any) -> HttpAnswer:
        tries.append(request.host)
        return await open_line(http, request, **others)

    monkeypatch.setattr(Http, "open", counted)
    async with house(tmp_path) as home:
        gone = home.server.url
    async with house(tmp_path, language_model="cloud_first", chat_model=AWAY, address=gone) as home:
        think = home.office.think(Local())
        assert think is not None
        for _ in range(3):
            assert await said(await think.generate_stream(QUESTION)) == "From here."
    assert len(tries) == 1


async def test_the_provider_steps_in_where_this_machine_fails(tmp_path: Path) -> None:
    async with house(tmp_path, language_model="local_first", chat_model=AWAY) as home:
        well, ill = home.office.think(Local()), home.office.think(Local(ModelDied("it is gone")))
        assert well is not None
        assert ill is not None
        assert await said(await well.generate_stream(QUESTION)) == "From here."
        assert home.server.connections == 0
        assert await said(await ill.generate_stream(QUESTION)) == "From away."


async def test_without_a_key_nothing_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    async with house(tmp_path, key=None, language_model="cloud_first", chat_model=AWAY) as home:
        think = home.office.think(Local())
        assert think is not None
        assert await said(await think.generate_stream(QUESTION)) == "From here."
        assert home.server.connections == 0


@pytest.mark.parametrize(
    ("model", "told"),
    [("", "cloud.chat_model names no provider and model"), ("opnai/gpt-test", "there is no provider 'opnai'")],
)
async def test_a_provider_that_cannot_be_set_up_is_told_and_this_machine_answers(
    tmp_path: Path, model: str, told: str
) -> None:
    local = Local()
    async with house(tmp_path, language_model="cloud_first", chat_model=model) as home:
        assert home.office.think(local) is local
        (problem,) = home.of(Problem)
        assert problem.message == told
        assert problem.mend


async def test_the_provider_writes_down_and_this_machine_does_where_it_cannot(tmp_path: Path) -> None:
    replies = [Reply.json({"text": "heard away"}), REFUSED]
    async with house(tmp_path, *replies, recogniser="cloud_first", recogniser_model=AWAY) as home:
        hear: Any = home.office.hear(Ears())
        loud = (b"\x00\x40" * 8000) + (b"\x00\xc0" * 8000)
        assert [(await hear.hear(loud)).text for _ in range(2)] == ["heard away", "heard here"]
        assert [served.name for served in home.of(Served)] == [AWAY, ""]


async def test_the_provider_speaks_and_this_machine_does_where_it_cannot(tmp_path: Path) -> None:
    sound = pcm(b"\x01\x00" * 2400, 24_000)
    spoken = Reply((sound.data,), content_type="audio/pcm")
    async with house(tmp_path, spoken, REFUSED, voice="cloud_first", voice_model=AWAY) as home:
        speak: Any = home.office.speak(ScriptedSynthesiser())
        first, then = [[blob async for blob in speak.speak(Text("Good day."))] for _ in range(2)]
        assert first == [sound]
        assert then
        assert all(isinstance(blob, Blob) and "16000" in blob.mime_type for blob in then)
        assert home.server.asked[0].json["voice"] == "alloy"


class Captions:
    """In place of the voice of this machine: what is said can be read."""

    async def transform(self, source: Stream) -> Stream:
        return source


@pytest.mark.parametrize("policy", ["local_first", "cloud_first"])
async def test_where_this_machine_has_no_voice_the_provider_speaks_and_else_the_answer_is_read(
    tmp_path: Path, policy: str
) -> None:
    spoken = Reply((b"\x01\x00" * 2400,), content_type="audio/pcm")
    async with house(tmp_path, spoken, REFUSED, voice=policy, voice_model=AWAY) as home:
        speak: Any = home.office.speak(Captions())
        first, then = [[blob async for blob in speak.speak(Text("Good day."))] for _ in range(2)]
        assert first == [pcm(b"\x01\x00" * 2400, 24_000)]
        assert then == []
        assert [served.name for served in home.of(Served)] == [AWAY]
        (problem,) = home.of(Problem)
        assert "out of order" in problem.message


async def test_one_address_is_not_shown_the_keys_of_two_providers(tmp_path: Path) -> None:
    services = {"chat_model": "anthropic/test", "voice_model": "openai/tts"}
    async with house(tmp_path, language_model="cloud_first", voice="cloud_first", **services) as home:
        local, voice = Local(), ScriptedSynthesiser()
        assert home.office.think(local) is local
        assert home.office.speak(voice) is voice
        assert [problem.message for problem in home.of(Problem)] == [
            "cloud.address is of one server, and anthropic and openai would all be asked there"
        ] * 2
    async with house(tmp_path, language_model="cloud_first", **services) as home:
        assert home.office.think(Local()) is not None
        assert home.of(Problem) == []


async def test_no_key_goes_to_another_machine_in_the_clear(tmp_path: Path) -> None:
    far = {"address": "http://lan.invalid/v1", "language_model": "cloud_first", "chat_model": AWAY}
    async with house(tmp_path, **far) as home:
        with pytest.raises(SettingsError, match="in the clear"):
            await home.office._chat().ask(ChatRequest(QUESTION))
        think = home.office.think(Local())
        assert think is not None
        assert await said(await think.generate_stream(QUESTION)) == "From here."
        assert home.of(WentOut) == []


async def test_a_provider_that_takes_every_question_and_says_nothing_is_left_alone(tmp_path: Path) -> None:
    connections, left = 0, asyncio.Event()

    async def swallow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        await reader.read()
        writer.close()
        left.set()

    server = await asyncio.start_server(swallow, "127.0.0.1", 0)
    address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    async with (
        server,
        house(tmp_path, address=address, language_model="cloud_first", chat_model=AWAY, slow_after=0.5) as home,
    ):
        think = home.office.think(Local())
        assert think is not None
        for _ in range(3):
            assert await said(await think.generate_stream(QUESTION)) == "From here."
        assert connections == 1
        await left.wait()
