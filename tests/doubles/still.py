"""Looks behind a bridge that goes nowhere."""

from __future__ import annotations

from companion.app.orders import Order, Tend
from companion.ui.bridge import Bridge
from companion.ui.scenes.scene import StillFace


def face(bridge: Bridge) -> StillFace:
    """What stands behind it."""
    still = bridge._face
    assert isinstance(still, StillFace)
    return still


def orders(bridge: Bridge) -> list[Order]:
    """All that was asked of it."""
    return face(bridge).orders


def tended(bridge: Bridge, desk: str, action: str) -> list[dict[str, object]]:
    """What came along with every request of that kind."""
    return [
        dict(one.given) for one in orders(bridge) if isinstance(one, Tend) and (one.desk, one.action) == (desk, action)
    ]
