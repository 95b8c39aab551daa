"""Orders survive the way over the control socket."""

from __future__ import annotations

import json

import pytest

from companion.app.orders import (
    Announce,
    Ask,
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


@pytest.mark.parametrize(
    "order",
    [
        Status(),
        Mute(),
        Mute(on=True),
        Mute(on=False),
        Talk(),
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
