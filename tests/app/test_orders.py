"""Orders survive the way over the control socket."""

from __future__ import annotations

import json

import pytest

from companion.app.orders import (
    Announce,
    Ask,
    Hush,
    Mute,
    Order,
    Release,
    Shutdown,
    Status,
    Stop,
    Talk,
    Tend,
    Toggle,
    read,
    written,
)
from companion.errors import BadInput


@pytest.mark.parametrize(
    "order",
    [
        Status(),
        Mute(),
        Mute(on=True),
        Mute(on=False),
        Mute(on=True, seconds=600.0),
        Hush(),
        Hush(on=True),
        Talk(),
        Talk(hold=True),
        Release(),
        Stop(),
        Toggle(),
        Announce("tea"),
        Ask("why"),
        Tend("memory", "show"),
        Tend("memory", "search", {"query": "tea", "limit": 3}),
        Shutdown(),
    ],
)
def test_an_order_reads_back_as_it_was_written(order: Order) -> None:
    assert read(json.loads(json.dumps(written(order)))) == order


@pytest.mark.parametrize("seconds", [0, -1, "soon", True, 1e9])
def test_ears_cannot_be_closed_for_a_time_that_is_none(seconds: object) -> None:
    with pytest.raises(BadInput, match="seconds"):
        read({"order": "mute", "on": True, "seconds": seconds})
