"""``companion ui``: the companion with a window and an icon in the tray; and whether that can be here."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from companion.cli import house, show
from companion.errors import CompanionError, SetupError

if TYPE_CHECKING:
    from companion.app.paths import Paths
    from companion.settings.schema import Settings


class Windows(Protocol):
    """What opens windows. A command gets it from whoever runs it: commands and windows do not see each other."""

    def open(self, settings: Settings, paths: Paths, *, is_hidden: bool) -> int:
        """Live with a window until the user quits; the exit status. Raises CompanionError."""

    def picture(self, folder: Path, only: str) -> Sequence[Path]:
        """Save pictures of the pages with ``only`` in their names; which. Raises CompanionError."""

    def tell(self, fault: CompanionError) -> None:
        """Show what keeps it from starting, where nobody reads what is printed."""


def ui(
    context: typer.Context,
    hidden: Annotated[bool, typer.Option("--hidden", help="Begin in the tray, without opening the window.")] = False,
    screenshot: Annotated[
        Path | None, typer.Option("--screenshot", metavar="DIR", help="Save pictures of every page there, and end.")
    ] = None,
    only: Annotated[str, typer.Option("--only", metavar="PART", help="Only pictures with this in their name.")] = "",
) -> int:
    """Open the window of the companion, and start it where it does not run yet."""
    windows = windows_of(context)
    if windows is None or not has_qt():
        raise SetupError("the window needs PySide6", mend="Install it: pip install 'companion[ui]'")
    if screenshot is not None:
        show.line(f"{len(windows.picture(screenshot, only))} pictures are in {screenshot}")
        return 0
    if not has_screen():
        raise SetupError("there is no screen here", mend="Start without a window: companion --headless")
    return start_window(windows, is_hidden=hidden)


def start_window(windows: Windows, *, is_hidden: bool = False) -> int:
    """The companion with its window, until the user quits.

    Raises:
        AlreadyRunning: one without a window owns the data folder.
    """
    try:
        opened = house.opened()
        return windows.open(opened.settings, opened.paths, is_hidden=is_hidden)
    except CompanionError as fault:
        if not is_hidden and not sys.stderr.isatty():
            windows.tell(fault)
        raise


def windows_of(context: typer.Context) -> Windows | None:
    """What opens windows for this command; None where nothing does."""
    windows: Windows | None = context.obj
    return windows


def can_open() -> bool:
    """Whether a window can be shown here."""
    return has_screen() and has_qt()


def has_qt() -> bool:
    return importlib.util.find_spec("PySide6") is not None


def has_screen() -> bool:
    """Whether somebody looks at this session; on other systems than Linux, always."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
