"""What a plugin reaches of other machines goes by the house's client, is bounded, and is told of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.agent.door import Door
from companion.agent.plugin import Manifest, Permission
from companion.agent.registry import Registry
from companion.app.events import Telling, WentOut
from companion.app.minding import plugin_network
from companion.app.minding.furnish import furnish
from companion.app.minding.plugin_network import LARGEST, PluginNetworks
from companion.app.paths import Paths
from companion.errors import BadInput, PermissionDenied, Unreachable
from companion.providers.remote.exchange import HttpHead, HttpRequest
from companion.settings.schema import Cloud, Settings


class Wire:
    """A client that answers with ``status``."""

    def __init__(self, status: int = 200) -> None:
        self.status = status
        self.asked: list[tuple[str, int]] = []

    async def fetch(self, request: HttpRequest, *, most: int, on_sent: Callable[[], None]) -> tuple[HttpHead, bytes]:
        self.asked.append((request.url, most))
        on_sent()
        return HttpHead(self.status), b"sunny"

    async def close(self) -> None:
        """It holds nothing."""


@pytest.fixture
def _far(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every host is another machine, and nobody is asked where."""

    async def leads_here(name: str) -> bool:
        return False

    monkeypatch.setattr(plugin_network, "leads_here", leads_here)


def networks(wire: Wire) -> tuple[PluginNetworks, list[Any]]:
    told: list[Any] = []
    telling = Telling()
    telling.subscribe(told.append)
    made = PluginNetworks(Cloud(), telling)
    made._http = wire  # type: ignore[assignment]
    return made, told


@pytest.mark.usefixtures("_far")
async def test_what_goes_out_is_told_by_the_name_of_the_plugin() -> None:
    wire = Wire()
    made, told = networks(wire)

    assert await made.of("weather").get("https://weather.example/rome") == b"sunny"
    assert wire.asked == [("https://weather.example/rome", LARGEST)]
    assert [(one.provider, one.host) for one in told if isinstance(one, WentOut)] == [
        ("plugin weather", "weather.example")
    ]
    await made.close()


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://a.example",
        "http://localhost/x",
        "http://127.0.0.1:8080/",
        "http://0.0.0.0/",
        "http://2130706433/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://169.254.169.254/",
        "http:///x",
        "",
        "https://" + "a" * 9000,
    ],
)
async def test_what_is_no_address_of_another_machine_is_refused(url: str) -> None:
    made, told = networks(Wire())
    with pytest.raises(BadInput):
        await made.of("weather").get(url)
    assert told == []


@pytest.mark.usefixtures("_far")
async def test_an_answer_that_is_none_is_an_error() -> None:
    made, _ = networks(Wire(404))
    with pytest.raises(Unreachable, match="404"):
        await made.of("weather").get("https://weather.example/")


@pytest.mark.usefixtures("_far")
async def test_it_ends_with_the_plugin_and_needs_its_permission() -> None:
    from companion.agent.door import Rooms

    made, _ = networks(Wire())
    allowed = frozenset({Permission.NETWORK})
    manifest = Manifest("weather", permissions=allowed)
    door = Door(manifest, Registry(), allowed, Rooms(network=made.of))
    network = door.network
    assert await network.get("https://weather.example/") == b"sunny"
    door.close()
    with pytest.raises(Exception, match="has ended"):
        await network.get("https://weather.example/")
    with pytest.raises(PermissionDenied):
        _ = Door(manifest, Registry(), frozenset(), Rooms(network=made.of)).network


async def test_the_house_has_a_way_out_for_them(tmp_path: Path) -> None:
    from doubles.said import MONDAY

    paths = Paths.under(tmp_path / "home")
    paths.prepare()
    around = await furnish(Settings(), paths, lambda: MONDAY, Telling(), submit=lambda given: True)
    assert around.host._rooms.network is not None
    await around.close()
