"""``companion bench``: measure this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli import house, show
from companion.cli.options import AsJson

if TYPE_CHECKING:
    from companion.app.bench.figures import Section


def bench(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[SECTION]...", help="What to measure; without one, everything.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="DIR", help="Recorded voices: commands/, alexa/, labels.json ...")
    ] = None,
    as_json: AsJson = False,
    quick: Annotated[bool, typer.Option("--quick", help="Measure little, to see that it works.")] = False,
) -> None:
    """Measure speed, hearing, waking, turn taking, idling and the window on this machine.

    Exit status 1 if something could not be measured.

    Sections: recogniser, model, voice, wake, turn_end, loop, barge_in, echo, idle, kills, ui.
    """
    from companion.app.bench.report import as_document, as_lines
    from companion.app.bench.run import run
    from companion.app.engine import complete

    def tell(section: Section) -> None:
        for line in () if as_json else as_lines(section):
            show.line(line)

    paths, settings = house.opened()
    outcome = complete(lambda: run(names or (), settings, paths, data=data, quick=quick, on_section=tell))
    if as_json:
        show.document(as_document(outcome.sections))
    if outcome.failed:
        raise typer.Exit(1)
