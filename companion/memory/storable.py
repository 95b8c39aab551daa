"""Text as it can be stored: half of a character, which recognisers and models leave behind, is no text for any file."""

from __future__ import annotations

import re

_HALVES = re.compile("[\ud800-\udfff]")


def storable(text: str) -> str:
    """``text`` with two halves put together, and "�" for a half that stands alone."""
    if text.isascii() or _HALVES.search(text) is None:
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
