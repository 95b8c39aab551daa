"""``companion doctor``: what is wrong here, and how to mend it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli import show
from companion.cli.options import AsJson

if TYPE_CHECKING:
    from companion.app.doctor import Finding

_COLOURS = {"ok": "good", "warn": "warn", "bad": "bad"}


def doctor(
    as_json: AsJson = False,
    without_sound: Annotated[
        bool, typer.Option("--without-sound", help="Do not open the microphone and the loudspeaker.")
    ] = False,
    bundle: Annotated[
        Path | None,
        typer.Option("--bundle", metavar="FILE.zip", help="Show what helps who helps you, then save it there."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Save the bundle without asking.")] = False,
) -> None:
    """Look at everything the companion needs. Exit status 1 if something keeps it from working.

    A bundle holds nothing that was said, and no names; read it before you give it away.
    """
    from dataclasses import asdict

    from companion.app.checkup import checkup
    from companion.app.doctor import State, examine, verdict
    from companion.app.engine import complete
    from companion.app.paths import Paths

    findings = complete(lambda: examine(checkup(Paths.here(), with_sound=not without_sound)))
    worst = verdict(findings)
    if as_json:
        show.document({"verdict": worst, "findings": [asdict(finding) for finding in findings]})
    else:
        for finding in findings:
            _tell(finding)
    if bundle is not None:
        _save(bundle, findings, asks=not yes, shows=not as_json)
    if worst is State.BAD:
        raise typer.Exit(1)


def _save(file: Path, findings: Sequence[Finding], *, asks: bool, shows: bool) -> None:
    """Show every sheet of the bundle, and save what was shown."""
    from companion.app.diagnostics.bundle import save
    from companion.app.diagnostics.here import sheets_here
    from companion.cli.tending import whole

    sheets = sheets_here(findings)
    for sheet in sheets if shows else ():
        show.line("")
        show.line(show.painted(sheet.name, "bold"))
        for line in sheet.text.splitlines() or ["nothing"]:
            show.line(f"  {line}")
    if asks:
        _ask(file)
    save(Path(whole(file)), sheets)
    if shows:
        show.line(f"Saved as {file}.")


def _ask(file: Path) -> None:
    """No answer is a no."""
    from companion.errors import BadInput

    if not sys.stdin.isatty():
        raise BadInput(f"this would save all that as {file}", mend="Read it, then say so with --yes.")
    typer.confirm(f"Save this as {file}?", abort=True, err=True)


def _tell(finding: Finding) -> None:
    state = show.painted(f"{finding.state:4}", _COLOURS[finding.state])
    show.line(f"{state}  {finding.topic:10} {finding.message}")
    if finding.mend:
        show.line(f"{'':17}{show.painted('-> ' + finding.mend, 'dim')}")
