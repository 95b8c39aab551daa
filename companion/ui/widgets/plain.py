"""Words that are shown as they are, where Qt or the desktop would read more into them.

A tooltip that looks like HTML is taken for HTML, with its links and pictures; ``&`` on a button underlines the letter
behind it and makes it a key; and some desktops read marks in messages. Names and texts of users, models, plugins and
files go through here; ``Words`` need not: they are plain by themselves.
"""

from __future__ import annotations

import html

from PySide6.QtGui import Qt

LONGEST = 10_000
"""Characters that are shown of one text."""
LONGEST_TIP = 500
MOST_LINES = 400


def tip(words: str) -> str:
    """For a tooltip."""
    words = short(words, LONGEST_TIP)
    return f"<qt>{html.escape(words, quote=False)}</qt>" if Qt.mightBeRichText(words) else words


def label(words: str) -> str:
    """For a button or a menu."""
    return words.replace("&", "&&")


def short(words: str, longest: int = LONGEST) -> str:
    """For wherever text is set in type: nobody reads more of it, and to set a book takes longer than one waits."""
    lines = words[:longest].split("\n", MOST_LINES)
    return words if len(words) <= longest and len(lines) <= MOST_LINES else "\n".join(lines[:MOST_LINES]) + "…"


def message(words: str) -> str:
    """For the desktop: nobody knows whether it reads marks, so there are none."""
    return words.replace("<", "‹").replace(">", "›")
