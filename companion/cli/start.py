"""``companion``: start it here, and show the conversation."""

from __future__ import annotations

import os
import sys

from companion.cli import house


def start(*, quiet: bool) -> None:
    """Listen until Ctrl-C, a signal or ``companion shutdown``.

    Raises:
        AlreadyRunning: another one owns the data folder.
        ModelMissing: there is no recogniser.
    """
    from companion.app.events import Telling
    from companion.app.headless import live
    from companion.cli.screen import Screen

    opened = house.opened()
    telling = Telling()
    # What is said is no business of the system's journal.
    screen = Screen(quiet=quiet or ("JOURNAL_STREAM" in os.environ and not sys.stdout.isatty()))
    telling.subscribe(screen.show)
    live(opened.settings, opened.paths, telling)
