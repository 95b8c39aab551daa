"""Dialects of plugins: entry points of the group ``companion.dialects``.

Each is a function without arguments that adds its dialects (``register_dialect`` and those of the other trades).
"""

from __future__ import annotations

import logging

logger = logging.getLogger(__name__)

ENTRY_POINTS = "companion.dialects"

_asked: set[str] = set()
"""The groups whose entry points have been called."""


def ask_plugins() -> None:
    """Call the plugins, once. One that fails is logged and left out."""
    if ENTRY_POINTS in _asked:
        return
    _asked.add(ENTRY_POINTS)
    from importlib.metadata import entry_points

    for entry in entry_points(group=ENTRY_POINTS):
        try:
            entry.load()()
        except Exception:  # a stranger's code; a broken plugin never stops us
            logger.warning("the dialect plugin %s cannot be used", entry.name, exc_info=True)
