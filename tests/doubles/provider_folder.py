"""A folder of configuration files that ask a provider on the loopback device, and all that is told of it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from doubles.provider_server import Asked, ProviderServer, Reply

from companion.app.events import Telling, WentOut
from companion.app.model_folder import ModelMuxes, model_loader
from companion.app.models import ModelRoom
from companion.app.paths import Paths
from companion.app.shelf import build_shelf
from companion.compose.loader import ModelLoader, Report
from companion.model import ChatRole, Message, ModelContext
from companion.settings.schema import Cloud, Settings
from companion.stream import Stream, Text

QUESTION = ModelContext(messages=(Message.of(ChatRole.USER, "What is it?"),))
WORDS = Reply.sse(
    {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "From away."}, "finish_reason": None}]},
    {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    {"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 4, "total_tokens": 14}},
    "[DONE]",
)


@dataclass
class ProviderFolder:
    """The folder, what loads it, the provider that its files ask, and what was told."""

    folder: Path
    home: Path
    loader: ModelLoader
    muxes: ModelMuxes
    server: ProviderServer
    told: list[object] = field(default_factory=list)

    @property
    def went_out(self) -> list[WentOut]:
        return [event for event in self.told if isinstance(event, WentOut)]

    @property
    def spent(self) -> dict[str, float]:
        """What services have cost, all months together."""
        file = self.home / "spent.json"
        months = json.loads(file.read_text()).values() if file.exists() else ()
        return {service: cost for month in months for service, cost in month.items()}

    def write(self, name: str = "file.json", **fields: object) -> Path:
        """Write a file that asks the provider, by its generator "it" where it does not say otherwise."""
        content: Mapping[str, object] = {
            "schema": "openai/chat/v1",
            "type": "generator",
            "base_url": f"{self.server.url}/v1",
            "allow_plain_http": True,
            "models": [{"name": "it", "model": "gpt-test"}],
        }
        file = self.folder / name
        file.write_text(json.dumps({name: value for name, value in {**content, **fields}.items() if value is not None}))
        return file

    async def load(self, **fields: object) -> Report:
        """Write a file and load the folder."""
        self.write(**fields)
        return await self.loader.load()

    async def say(self, name: str = "it", context: ModelContext = QUESTION) -> str:
        """What the generator of that name answers."""
        return await words_of(await self.muxes.generators.generate_stream(context, model=name))


def it(**fields: object) -> list[dict[str, object]]:
    """The models of a file: one, by the name "it"."""
    return [{"name": "it", "model": "gpt-test", **fields}]


async def words_of(stream: Stream) -> str:
    return "".join([chunk.part.text async for chunk in stream if isinstance(chunk.part, Text)])


@asynccontextmanager
async def provider_folder(
    top: Path, *replies: Reply, by: Callable[[Asked], Reply] | None = None, **cloud: Any
) -> AsyncIterator[ProviderFolder]:
    """A folder without files, and a provider that answers with the next of ``replies``. cloud: settings."""
    folder, home = top / "config", top / "home"
    folder.mkdir()
    paths = Paths.under(home)
    paths.prepare()
    room = ModelRoom.of(Settings(cloud=Cloud(**cloud)), paths, build_shelf(paths.shelf))
    telling, muxes = Telling(), ModelMuxes()
    loader = model_loader(folder, muxes, room, telling=telling)
    async with ProviderServer(by or replies or (WORDS,)) as server:
        made = ProviderFolder(folder, home, loader, muxes, server)
        telling.subscribe(made.told.append)
        try:
            yield made
        finally:
            await loader.close()


def count_as_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the loopback device count as another machine."""
    for module in ("companion.providers.remote.endpoint", "companion.app.remote_services"):
        monkeypatch.setattr(f"{module}.is_this_machine", lambda url: False)
