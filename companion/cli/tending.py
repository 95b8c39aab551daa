"""How the commands about memory, knowledge and plugins ask: the running companion, else a mind made for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.cli import house


def tend(desk: str, action: str, **given: object) -> dict[str, Any]:
    """What came of it.

    Raises:
        CompanionError: it could not be done.
    """
    from companion.app.orders import Tend
    from companion.app.tending import tended

    opened = house.opened()
    return dict(tended(opened.settings, opened.paths, Tend(desk, action, given)))


def whole(file: Path) -> str:
    """The path from the root on: the running companion was started elsewhere."""
    return str(file.expanduser().absolute())
