"""``companion``: the command line, with the window that it may open."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.leave import leave
from companion.cli.main import be_able_to_print
from companion.cli.main import run as run_commands

if TYPE_CHECKING:
    from companion.app.paths import Paths
    from companion.errors import CompanionError
    from companion.settings.schema import Settings


class _Windows:
    """Implements ``cli.ui.Windows``; Qt is imported when the first one opens, and not before."""

    def open(self, settings: Settings, paths: Paths, *, is_hidden: bool) -> int:
        from companion.ui.run import run as live

        return live(settings, paths, is_hidden=is_hidden)

    def picture(self, folder: Path, only: str) -> Sequence[Path]:
        from companion.ui.screenshots import take

        return take(folder, only=only)

    def tell(self, fault: CompanionError) -> None:
        from companion.ui.refusal import tell

        tell(fault)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status."""
    return run_commands(arguments, _Windows())


def main() -> None:
    """Run one command and exit with its status."""
    be_able_to_print()
    leave(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
