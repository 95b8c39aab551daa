"""The languages the talents speak."""

from __future__ import annotations

import re

from companion.settings.language import primary

_CHINESE = re.compile("[\u3400-\u9fff]")


def is_chinese(tag: str) -> bool:
    """Whether a BCP 47 tag means Chinese; any other language is answered in English."""
    return primary(tag) in {"zh", "cmn", "yue"}


def looks_chinese(text: str) -> bool:
    """Whether ``text`` holds Chinese characters."""
    return _CHINESE.search(text) is not None
