"""``companion ui``: the companion with a window and an icon in the tray; and whether that can be here."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from companion.cli import house, show
from companion.errors import SetupError


def ui(
    hidden: Annotated[bool, typer.Option("--hidden", help="Begin in the tray, without opening the window.")] = False,
    screenshot: Annotated[
        Path | None, typer.Option("--screenshot", metavar="DIR", help="Save pictures of every page there, and end.")
    ] = None,
    only: Annotated[str, typer.Option("--only", metavar="PART", help="Only pictures with this in their name.")] = "",
) -> int:
    """Open the window of the companion, and start it where it does not run yet."""
    if not has_qt():
        raise SetupError("the window needs PySide6", mend="Install it: pip install 'companion[ui]'")
    if screenshot is not None:
        return _pictures(screenshot, only)
    if not has_screen():
        raise SetupError("there is no screen here", mend="Start without a window: companion --headless")
    return start_window(is_hidden=hidden)


def start_window(*, is_hidden: bool = False) -> int:
    """The companion with its window, until the user quits.

    Raises:
        AlreadyRunning: one without a window owns the data folder.
    """
    opened = house.opened()
    from companion.ui.run import run

    return run(opened.settings, opened.paths, is_hidden=is_hidden)


def has_window() -> bool:
    """Whether a window can be shown here."""
    return has_screen() and has_qt()


def has_qt() -> bool:
    return importlib.util.find_spec("PySide6") is not None


def has_screen() -> bool:
    """Whether somebody looks at this session; on other systems than Linux, always."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _pictures(folder: Path, only: str) -> int:
    from companion.ui.screenshots import take

    files = take(folder, only=only)
    show.line(f"{len(files)} pictures are in {folder}")
    return 0
