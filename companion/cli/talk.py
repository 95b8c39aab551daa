"""``companion talk``: a conversation through files, or the talk key of the running companion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli import house, show
from companion.cli.control import send
from companion.cli.options import AsJson

if TYPE_CHECKING:
    from companion.app.talk import Turn


def talk(
    question: Annotated[
        Path | None, typer.Option("--in", "-i", metavar="FILE", help="Hear this sound file; no wake word is needed.")
    ] = None,
    answer: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write the answer to this sound file.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make the running companion listen now; with --in, hold the whole conversation through files."""
    if question is not None:
        _through_files(question, answer, as_json=as_json)
    elif answer is not None:
        raise typer.BadParameter("--out needs --in", param_hint="--out")
    else:
        from companion.app.orders import Talk

        send(Talk())


def _through_files(question: Path, answer: Path | None, *, as_json: bool) -> None:
    from dataclasses import asdict

    from companion.app.engine import complete
    from companion.app.talk import talk_through_files
    from companion.cli.screen import complaining

    paths, settings = house.opened()
    turns = complete(lambda: talk_through_files(settings, paths, question, answer, complaining()))
    if as_json:
        show.document({"turns": [asdict(turn) for turn in turns], "out": str(answer) if answer else None})
    else:
        for turn in turns:
            _tell(turn)
        if not turns:
            show.line("(nothing was said)")


def _tell(turn: Turn) -> None:
    show.line(f"you:       {turn.heard}")
    show.line(f"companion: {turn.said}{'' if turn.whole else ' (interrupted)'}")
