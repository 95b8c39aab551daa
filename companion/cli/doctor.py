"""``companion doctor``: what is wrong here, and how to mend it."""

from __future__ import annotations

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
) -> None:
    """Look at everything the companion needs. Exit status 1 if something keeps it from working."""
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
    if worst is State.BAD:
        raise typer.Exit(1)


def _tell(finding: Finding) -> None:
    state = show.painted(f"{finding.state:4}", _COLOURS[finding.state])
    show.line(f"{state}  {finding.topic:10} {finding.message}")
    if finding.mend:
        show.line(f"{'':17}{show.painted('-> ' + finding.mend, 'dim')}")
