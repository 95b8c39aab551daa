"""The diagnostics bundle of a command: what the files of this companion tell, whether it runs or not."""

from __future__ import annotations

from collections.abc import Sequence

from companion.app.diagnostics.bundle import Known, Sheet, gathered
from companion.app.doctor import Finding
from companion.app.kept_turns import KeptTurns
from companion.app.paths import Paths
from companion.errors import SettingsError
from companion.settings.schema import Settings
from companion.settings.store import SettingsStore


def sheets_here(findings: Sequence[Finding]) -> list[Sheet]:
    """All sheets. Blocking."""
    paths = Paths.here()
    try:
        settings = SettingsStore(paths.settings_file).check()
    except SettingsError:  # it is among the findings
        settings = Settings()
    turns = [turn for turn in KeptTurns(paths.turn_details).all() if turn.seconds]
    return gathered(settings, paths, Known(findings=findings, turns=turns))
