"""``companion bench``: measure this machine."""

from __future__ import annotations

from typing import Annotated

import typer


def bench(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="What to measure; else all.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure speed, hearing, waking and idling on this machine."""
    from companion.app.bench.run import run

    run(names or (), as_json=as_json)
